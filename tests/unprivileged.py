"""Run a program to which modes mean something, even where root runs the tests."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from place import Place

CORTEXFS = (sys.executable, "-m", "cortexfs", "--root", ".")
_LIBC = ctypes.CDLL(None, use_errno=True)


def run_unprivileged(place: Place, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a tree, without what lets root pass over modes."""
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
        drop, override, read_all = 24, 1, 2  # PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, …_READ_SEARCH
        for capability in (override, read_all):
            if _LIBC.prctl(drop, capability):
                raise OSError(ctypes.get_errno(), "the capability stays")
