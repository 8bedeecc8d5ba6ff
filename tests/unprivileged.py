"""Run a program to which modes mean something, even where root runs the tests."""

from __future__ import annotations

import ctypes
import os
import socket
import subprocess
import sys
from contextlib import closing
from http.client import HTTPConnection
from typing import TYPE_CHECKING

from command_server import run_forked

if TYPE_CHECKING:
    from place import Place

CORTEXFS = (sys.executable, "-m", "cortexfs", "--root", ".")
_DROP_CAPABILITIES = f"""
import sys
sys.path.insert(1, {os.path.dirname(__file__)!r})
from unprivileged import drop_capabilities, drop_current_capabilities
drop_capabilities()
drop_current_capabilities()
"""
_OVERRIDE, _READ_ALL = 1, 2
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH."""
_LIBC = ctypes.CDLL(None, use_errno=True)
NOBODY = 65534
"""A user who owns nothing."""


def ask_as(
    user: int, port: int, path: str, headers: dict[str, str] | None = None, source: str = ""
) -> int:
    """Return the status of an answer to a user: the system notes who makes a socket."""
    with closing(HTTPConnection("127.0.0.1", port)) as to:
        _LIBC.setfsuid(user)  # of this thread alone
        try:
            to.sock = socket.socket()  # nothing else: the user cannot read Python's own modules
        finally:
            _LIBC.setfsuid(os.getuid())
        if source:
            to.sock.bind((source, 0))
        to.sock.connect(("127.0.0.1", port))
        to.request("GET", path, headers=headers or {})
        return to.getresponse().status


def run_unprivileged(place: Place, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a tree, without what lets root pass over modes.

    A command of ours needs no start of an interpreter.
    """
    if words[: len(CORTEXFS)] == CORTEXFS:
        cwd, ours = str(place.root), words[len(CORTEXFS) - 2 :]
        return run_forked(ours, cwd, dict(os.environ), before=_DROP_CAPABILITIES)
    return subprocess.run(
        words,
        cwd=place.root,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=drop_capabilities,
    )


def drop_capabilities() -> None:
    """Give up what lets root read every file; what is executed next cannot have it back."""
    if os.geteuid() == 0:
        drop = 24  # PR_CAPBSET_DROP
        for capability in (_OVERRIDE, _READ_ALL):
            if _LIBC.prctl(drop, capability):
                raise OSError(ctypes.get_errno(), "the capability stays")


def drop_current_capabilities() -> None:
    """Give it up in this process too, which executes nothing else."""
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)  # _LINUX_CAPABILITY_VERSION_3, this process
    sets = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; and of higher numbers
    failed = _LIBC.capget(header, sets)
    for which in range(3):
        sets[which] &= ~(1 << _OVERRIDE | 1 << _READ_ALL)
    if failed or _LIBC.capset(header, sets):
        raise OSError(ctypes.get_errno(), "the capability stays")
