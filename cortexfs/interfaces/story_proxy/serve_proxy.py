"""Serve the proxy on an open socket until the process is interrupted."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from cortexfs.interfaces.drain_reads import drain_reads, drain_reads_regularly
from cortexfs.interfaces.http.run_server import ServerLimits, run_server
from cortexfs.interfaces.release_free_memory import release_free_memory_regularly
from cortexfs.interfaces.story_proxy.exchange_recorder import ExchangeRecorder
from cortexfs.interfaces.story_proxy.proxy_app import StoryProxy
from cortexfs.interfaces.story_proxy.upstream_pool import UpstreamPool

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from cortexfs.interfaces.http.run_server import Task
    from cortexfs.interfaces.story_proxy.proxy_access import ProxyAccess
    from cortexfs.interfaces.story_proxy.proxy_settings import ProxySettings
    from cortexfs.session.session import Session

MAX_CONNECTIONS = 200
"""Maximum number of open connections."""


def serve_proxy(
    session: Session,
    settings: ProxySettings,
    access: ProxyAccess,
    listener: socket.socket,
    report: Callable[[str], object],
) -> None:
    """Serve until the process is interrupted; then what was said is recorded to its end."""
    recorder = ExchangeRecorder(session, report)
    pool = UpstreamPool(settings.upstream)
    recorder.start()
    proxy = StoryProxy(session, settings, access, pool, recorder, report)
    beside: list[Task] = [
        pool.close_at_end,
        proxy.warm_up,
        release_free_memory_regularly,
        partial(drain_reads_regularly, session),
    ]
    try:
        run_server(proxy.make_app(), listener, beside, ServerLimits(MAX_CONNECTIONS))
    finally:
        recorder.close()
        drain_reads(session)
