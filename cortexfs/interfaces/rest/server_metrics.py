"""The metrics of a server. Labels name routes and methods, never ids or paths."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter, defaultdict
from contextlib import suppress
from typing import TYPE_CHECKING

from cortexfs.core.daemon.prometheus_text import Metric, MetricType, Sample, render_prometheus

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from cortexfs.interfaces.rest.endpoint import Endpoint
    from cortexfs.session.session import Session

_GAUGE, _COUNTER = MetricType.GAUGE, MetricType.COUNTER
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


class ServerMetrics:
    """The counts of one server."""

    def __init__(self) -> None:
        self._started = time.time()
        self._lock = threading.Lock()
        self._requests, self._statuses = Counter[str](), Counter[str]()
        self._seconds = defaultdict[str, float](float)

    def count(self, endpoint: Endpoint, seconds: float) -> None:
        """Count one request that a route has answered."""
        name = endpoint.run.__name__
        with self._lock:
            self._requests[name] += 1
            self._seconds[name] += seconds

    def count_statuses(self, app: ASGIApp) -> ASGIApp:
        """Return an application whose responses are counted, those without a route too."""

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            async def send_and_count(message: Message) -> None:
                if message["type"] == "http.response.start":
                    with self._lock:
                        self._statuses[str(message["status"])] += 1
                await send(message)

            await app(scope, receive, send_and_count)

        return answer

    def render(self, session: Session, streams: int) -> str:
        """Return all metrics as text."""
        with session.read() as view:
            atoms = len(view.queries.list_refs())
        return render_prometheus((*self._list_counts(), *self._list_gauges(atoms, streams)))

    def _list_counts(self) -> Iterator[Metric]:
        with self._lock:
            requests, seconds = dict(self._requests), dict(self._seconds)
            statuses = dict(self._statuses)
        yield _by("requests_total", "Requests by route.", "route", requests)
        yield _by("responses_total", "Responses of the API by status.", "status", statuses)
        yield _by("request_seconds_total", "Seconds of work by route.", "route", seconds)

    def _list_gauges(self, atoms: int, streams: int) -> Iterator[Metric]:
        yield _one("start_timestamp_seconds", "When the server started.", self._started)
        yield _one("atoms", "Atoms in the tree.", atoms)
        yield _one("event_streams", "Open streams of events.", streams)
        with suppress(OSError):
            yield _one("open_files", "Open files.", len(os.listdir("/proc/self/fd")))
            with open("/proc/self/statm") as file:
                pages = int(file.read().split()[1])
            yield _one("resident_bytes", "Memory of the process.", pages * PAGE_BYTES)


def _by(name: str, help_text: str, label: str, values: Mapping[str, float]) -> Metric:
    samples = tuple(Sample(value, label, key) for key, value in sorted(values.items()))
    return Metric(f"cortexfs_server_{name}", help_text, _COUNTER, samples)


def _one(name: str, help_text: str, value: float) -> Metric:
    return Metric(f"cortexfs_server_{name}", help_text, _GAUGE, (Sample(value),))
