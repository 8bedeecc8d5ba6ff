"""The server ends when it is told to, whenever that is."""

from __future__ import annotations

import signal
import socket
from typing import TYPE_CHECKING

from starlette.responses import PlainTextResponse

from cortexfs.interfaces.http.run_server import ServerLimits, SignalNote, run_server

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send


async def _answer(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("here")(scope, receive, send)


def test_a_signal_that_comes_before_the_server_runs_ends_it() -> None:
    note = SignalNote()
    before = signal.signal(signal.SIGTERM, note)
    try:
        signal.raise_signal(signal.SIGTERM)
        with socket.create_server(("127.0.0.1", 0)) as listener:
            run_server(_answer, listener, [], ServerLimits())
    finally:
        signal.signal(signal.SIGTERM, before)
    assert note.came
