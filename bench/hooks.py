"""Measure what the hooks cost an agent that waits, beside an empty Python: `python -m bench.hooks`.

They run in turn, so that changes of the machine's speed affect all of them alike. Processor time is
measured: wall time on a busy machine includes other programs. `--python` measures with another
interpreter.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench.corpus import write_corpus
from bench.events import make_read_event
from bench.measure import make_environment

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

HOOKS = Path(__file__).parents[1] / "hooks"
_NUMBERS = count()
BASES = ("-I -S", "-c")
"""The empty interpreters: as hooks run, and as people know it."""


class Case(NamedTuple):
    """A process to measure: its command, and a function that returns its input."""

    command: Sequence[str]
    make_input: Callable[[], bytes]


def main() -> None:
    """Print for each event how long its hook takes, in empty interpreters."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--laps", type=int, default=100)
    asked.add_argument("--python", default=sys.executable)
    options = asked.parse_args()
    with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as folder:
        environ, tree = make_environment(Path(folder)), Path(folder) / "tree"
        environ = {**environ, "CORTEXFS_DRAIN_QUIET": "off"}
        prepare_tree(tree, environ)
        times = measure(make_cases(options.python, tree), options.laps, environ)
    for name, taken in times.items():
        ratios = ", ".join(f"{median_ratio([taken], times[b]):.2f} x {b}" for b in BASES)
        sys.stdout.write(f"{name}: {statistics.median(taken):.1f} ms, {ratios}\n")
    turn = [times["prompt with a match"], times["end of a turn"]]
    for base in BASES:
        sys.stdout.write(f"both hooks of a turn: {median_ratio(turn, times[base]):.2f} x {base}\n")


def prepare_tree(tree: Path, environ: Mapping[str, str]) -> None:
    """Make a tree with 2,000 atoms, and render its bulletins and what hooks look up."""
    cortexfs = [sys.executable, "-m", "cortexfs"]
    subprocess.run([*cortexfs, "init", str(tree)], check=True, env=environ, capture_output=True)
    write_corpus(tree, 2000, 200)
    drain = [*cortexfs, "--root", str(tree), "hook", "drain"]
    subprocess.run(drain, check=True, env=environ, capture_output=True)


def make_cases(python: str, tree: Path) -> dict[str, Case]:
    """Return the two empty interpreters, and the hooks of each event."""
    start = [python, "-I", "-S"]
    spool = f"{tree}/.cortexfs/spool"
    inject = [*start, str(HOOKS / "inject_context.py"), "--client=claude-code", spool, str(tree)]
    note = [*start, str(HOOKS / "note_event.py")]
    guard = [*start, str(HOOKS / "guard.py"), str(tree), str(tree), "--", "/none"]
    atom = f"{tree}/projects/bench-000/experiments/EXP-001.md"
    summary = find_summary(tree)
    edit = {"tool_name": "Edit", "tool_input": {"file_path": "/x.py", "new_string": "y" * 9000}}
    return {
        "-I -S": Case([*start, "-c", "pass"], bytes),
        "-c": Case([python, "-c", "pass"], bytes),
        "start of a session": Case(inject, lambda: make_event("SessionStart", source="startup")),
        "prompt with a match": Case(
            inject, lambda: make_event("UserPromptSubmit", prompt=f"What about {summary}?")
        ),
        "prompt without": Case(inject, lambda: make_event("UserPromptSubmit", prompt="go on")),
        "end of a turn": Case([*note, "--flush", spool], lambda: make_event("Stop")),
        "read elsewhere": Case(
            [*note, spool, str(tree), "--"], lambda: make_read_event("/elsewhere/notes.md")
        ),
        "read in the tree": Case(
            [*note, spool, str(tree), "--"],
            lambda: make_read_event(atom).replace(b"0b6f7d1e", b"%08d" % next(_NUMBERS)),
        ),
        "before an edit elsewhere": Case(guard, lambda: make_event("PreToolUse", **edit)),
        "after an edit elsewhere": Case(guard, lambda: make_event("PostToolUse", **edit)),
    }


def make_event(name: str, **fields: object) -> bytes:
    """Return an event of a session of its own."""
    common = {"session_id": f"s{next(_NUMBERS)}", "cwd": "/home/dev/bench-000"}
    return json.dumps({**common, "hook_event_name": name, **fields}).encode()


def find_summary(tree: Path) -> str:
    """Return the summary of an atom: a prompt that matches."""
    table = (tree / ".cortexfs/injection/prompt-terms").read_text().splitlines()
    return next(row for row in table if row.startswith("bench-000/")).partition("\t")[2]


def measure(
    cases: Mapping[str, Case], laps: int, environ: Mapping[str, str]
) -> dict[str, list[float]]:
    """Return the milliseconds of processor time of each case, after a lap that is not counted."""
    times: dict[str, list[float]] = {name: [] for name in cases}
    for lap in range(laps + 1):
        for name, case in cases.items():
            taken = measure_once(case, environ)
            if lap:
                times[name].append(taken)
    return times


def measure_once(case: Case, environ: Mapping[str, str]) -> float:
    """Run a process once; return its milliseconds of processor time."""
    with tempfile.TemporaryFile() as feed:
        feed.write(case.make_input())
        feed.seek(0)
        actions = [
            (os.POSIX_SPAWN_DUP2, feed.fileno(), 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        ]
        process = os.posix_spawn(case.command[0], list(case.command), environ, file_actions=actions)
        _, status, used = os.wait4(process, 0)
    if status:
        raise subprocess.CalledProcessError(status, case.command)
    return (used.ru_utime + used.ru_stime) * 1000


def median_ratio(parts: Sequence[Sequence[float]], base: Sequence[float]) -> float:
    """Return the sum of the medians of some times, divided by the median of another."""
    return sum(map(statistics.median, parts)) / statistics.median(base)


if __name__ == "__main__":
    main()
