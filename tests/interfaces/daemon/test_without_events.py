"""A system that has no file events left: the daemon compares files, and says so."""

from __future__ import annotations

import errno
import os
import threading
from typing import TYPE_CHECKING

from test_daemon import DEADLINE_S, is_indexed, is_prepared, status, wait_until, write_atom
from watchdog.observers import Observer

from cortexfs.interfaces.cli.process_context import read_clock
from cortexfs.interfaces.daemon import daemon_jobs
from cortexfs.interfaces.daemon.run_daemon import run_daemon
from cortexfs.session.daemon_socket import ask_daemon
from cortexfs.session.session import Session

if TYPE_CHECKING:
    import pytest
    from place import Place


def test_without_events_changes_and_notes_are_found_by_polling(
    sample: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "inotify watch limit reached")

    monkeypatch.setattr(Observer, "schedule", refuse)
    monkeypatch.setattr(daemon_jobs, "POLL_S", 0.05)
    monkeypatch.setenv("CORTEXFS_DRAIN_QUIET", "0")
    said: list[str] = []
    session = Session.open(str(sample.root), read_clock)
    running = threading.Thread(
        target=run_daemon,
        args=(session, dict(os.environ), said.append),
        kwargs={"keep_running": True},
        daemon=True,
    )
    running.start()
    wait_until(lambda: is_prepared(sample), "warm-up")
    write_atom(sample, 701)
    sample.write(".cortexfs/spool/new/1.1", "{}")
    wait_until(lambda: is_indexed(sample, 701), "the index")
    wait_until(lambda: not (sample.root / ".cortexfs/spool/new/1.1").exists(), "the drain")
    shown = status(sample)
    assert shown["watch"] == "polling"
    assert "inotify watch limit reached" in shown["watch-problem"]
    assert any("compared every 15 seconds" in line for line in said)
    assert "raise fs.inotify.max_user_watches" in sample.run("doctor").out
    assert ask_daemon(str(sample.root), "stop", DEADLINE_S) == "stopping"
    running.join(DEADLINE_S)
    assert not running.is_alive()
