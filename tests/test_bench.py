"""The programs of `bench/` can be started."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parent.parent
IMPORT_ALL = """
import importlib, pathlib, sys
for file in sorted(pathlib.Path("bench").glob("*.py")):
    if file.stem != "__main__":
        importlib.import_module(f"bench.{file.stem}")
"""


def test_every_program_can_be_imported() -> None:
    words = [sys.executable, "-c", IMPORT_ALL]
    ran = subprocess.run(words, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
