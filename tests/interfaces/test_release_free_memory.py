"""A server gives free memory back to the system."""

from __future__ import annotations

import platform
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from cortexfs.interfaces.release_free_memory import MAX_ARENAS

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = """
from cortexfs.interfaces.release_free_memory import release_free_memory
def measure():
    lines = open("/proc/self/status").read().splitlines()
    (line,) = [line for line in lines if line.startswith("VmRSS")]
    return int(line.split()[1]) // 1024
held = [b"x" * (20_000 + number % 7) for number in range(3_000)]
del held[:-1:2]
before = measure()
release_free_memory()
print(before - measure())
"""


HEAPS_PROGRAM = """
import sys, threading
from cortexfs.interfaces.release_free_memory import share_heaps
if sys.argv[1] == "shared":
    share_heaps()
count = 6
barrier = threading.Barrier(count + 1)
def run():
    held = [b"x" * 2_000 for _ in range(1_000)]
    barrier.wait()
    barrier.wait()
for _ in range(count):
    threading.Thread(target=run, daemon=True).start()
barrier.wait()
import ctypes
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
file = ctypes.c_void_p(libc.fopen(sys.argv[2].encode(), b"w"))
libc.malloc_info(0, file)
libc.fclose(file)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other allocators decide themselves")
def test_free_memory_between_used_parts_goes_back_to_the_system() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True
    )
    assert int(done.stdout) > 10


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other allocators decide themselves")
def test_threads_of_a_server_share_two_heaps(tmp_path: Path) -> None:
    counts = {}
    for how in ("shared", "own"):
        report = tmp_path / how
        subprocess.run([sys.executable, "-c", HEAPS_PROGRAM, how, str(report)], check=True)
        counts[how] = report.read_text().count("<heap nr=")
    assert counts["shared"] == MAX_ARENAS < counts["own"]
