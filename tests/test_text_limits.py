"""Whatever stands in a file of the tree, a command that reads it takes seconds, not minutes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from cost import MEGABYTES, SECONDS, cost_of_command
from hostile import UNITS, repeated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conftest import Pick
    from place import Place

ATOM = "projects/flywheel/experiments/EXP-901.md"
HEAD = (
    "---\nid: EXP-901\nproject: flywheel\ndate: 2026-01-01\nsummary: {}\ntags: [{}]\n---\n# {}\n\n"
)
CHECKS = ("check",)
FINDS = ("find spin", "show flywheel/EXP-901 --no-track", "list", "index regen --all")
LINKS = ("related flywheel/EXP-901", "graph flywheel/EXP-901", "entities", "maintain")

FILES = {
    ATOM: (*CHECKS, *FINDS, *LINKS),
    "projects/flywheel/experiments/index.md": ("check", "index regen --all"),
    "projects/flywheel/CORTEX.md": ("check", "check --fresh flywheel"),
    "projects/flywheel/STATUS.md": ("check", "status show -p flywheel"),
    "projects/flywheel/ISSUES.md": ("check", "issue list -p flywheel"),
    "projects/flywheel/roadmap.md": ("check", "roadmap show -p flywheel"),
    "projects/flywheel/mission.md": ("check", "check --fresh flywheel"),
    "projects/flywheel/TASKS.yaml": ("task list", "task lint"),
    "projects/flywheel/tasks-archive.md": ("check", "task list"),
    "projects/flywheel/decisions/0901-a.md": ("check", "decision list"),
    "projects/flywheel/access-log.jsonl": ("check", "list"),
    "OVERVIEW.md": ("check", "task list"),
    "user/USER.md": ("check", "user show"),
    "ideas/IDEA-901-a.md": ("check", "idea list"),
    "scans/2026-01-01.md": ("check", "scan list"),
    "cortexfs.yaml": ("check", "list"),
}
SAMPLE = (
    (ATOM, "sums", "check"),
    (ATOM, "blanks", "check"),
    ("projects/flywheel/STATUS.md", "bullets", "status show -p flywheel"),
    ("projects/flywheel/TASKS.yaml", "yaml lists", "task lint"),
    ("projects/flywheel/tasks-archive.md", "newlines", "task list"),
)
"""What the normal run tries; `--soak` tries every file with every piece."""


def test_a_sample_of_hostile_files_costs_seconds(tree: Place) -> None:
    assert [
        found for path, unit, *words in SAMPLE for found in expensive(tree, path, unit, words)
    ] == []


@pytest.mark.parametrize("path", FILES)
def test_every_hostile_file_costs_seconds(tree: Place, path: str, soak: bool, pick: Pick) -> None:
    units = pick(list(UNITS), 4) if soak else ()
    assert [found for unit in units for found in expensive(tree, path, unit, FILES[path])] == []


def expensive(tree: Place, path: str, unit: str, commands: Sequence[str]) -> list[tuple[str, ...]]:
    """Fill a file with a piece, and give the commands that it makes too expensive."""
    full = tree.root / path
    before = full.read_bytes() if full.exists() else None
    head = HEAD.format("a", "a", "Results") if path == ATOM else ""
    tree.write(path, head + repeated(UNITS[unit]))
    found = []
    for command in commands:
        words = [sys.executable, "-m", "cortexfs", "--root", str(tree.root), *command.split()]
        code, seconds, megabytes = cost_of_command(words, tree.root)
        assert code in {0, 1, 3}, (command, code)
        if seconds > SECONDS + START or megabytes > MEGABYTES + START_MEGABYTES:
            found.append((path, unit, command, f"{seconds:.1f} s", f"{megabytes:.0f} MB"))
    full.unlink() if before is None else full.write_bytes(before)
    return found


START, START_MEGABYTES = 0.6, 80
"""What a command costs that reads nothing at all."""


def test_a_text_over_4_mib_is_a_finding_and_no_command_about_it_parses_it(tree: Place) -> None:
    tree.write("projects/flywheel/STATUS.md", repeated("# a\n", 5_000_000))
    ran = tree.run("check")
    assert (ran.code, "file-too-large" in ran.out) == (1, True), ran
    shown = tree.run("status", "show", "-p", "flywheel")
    assert (shown.code, "over 4 MiB" in shown.err) == (3, True), shown.err
