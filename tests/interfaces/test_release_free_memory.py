"""A server gives free memory back to the system."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

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


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other allocators decide themselves")
def test_free_memory_between_used_parts_goes_back_to_the_system() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True
    )
    assert int(done.stdout) > 10
