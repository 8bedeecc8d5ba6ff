"""Measure the latency of shell completion, as a process, in a tree of 10,000 atoms."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.corpus import write_corpus
from bench.measure import Job, make_environment, time_in_turn

ATOMS = 10_000
RUNS = 20
LINES = {
    "a ref in its project": "cortexfs show EXP-009",
    "a full ref": "cortexfs show bench-001/EXP-009",
    "a tag": "cortexfs list --tag b",
    "a kind": "cortexfs list --kind e",
    "a status": "cortexfs list --status v",
    "a command": "cortexfs sta",
}
DROPPED_VARIABLES = ("NODE_EXTRA_CA_CERTS", "PYTHONDONTWRITEBYTECODE")
"""Variables that make a start slower, and that a user rarely sets."""


def main() -> None:
    """Print the median of each line, beside a Python that does nothing."""
    with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as folder:
        env = {
            name: value
            for name, value in make_environment(Path(folder)).items()
            if name not in DROPPED_VARIABLES
        }
        cortexfs, root = [sys.executable, "-m", "cortexfs"], Path(folder) / "tree"
        subprocess.run([*cortexfs, "init", str(root)], check=True, capture_output=True, env=env)
        write_corpus(root, ATOMS)
        for words in (["index", "regen", "--all"], ["find", "drift"]):
            command = [*cortexfs, "--root", str(root), *words]
            subprocess.run(command, check=True, capture_output=True, env=env)
        here = root / "projects" / "bench-001"
        jobs = {what: Job(_make_completion_command(line, here)) for what, line in LINES.items()}
        jobs["python -c pass"] = Job([sys.executable, "-c", "pass"])
        for what, times in time_in_turn(jobs, RUNS, env).items():
            print(f"{what:24} {1000 * statistics.median(times):6.0f} ms")


def _make_completion_command(line: str, cwd: Path) -> list[str]:
    """Return the command that completes the last word of a line in a folder."""
    asked = [
        "_CORTEXFS_COMPLETE=complete_bash",
        f"COMP_WORDS={line}",
        f"COMP_CWORD={line.count(' ')}",
    ]
    program = str(Path(sys.executable).parent / "cortexfs")
    return ["env", "-C", str(cwd), *asked, program]


if __name__ == "__main__":
    main()
