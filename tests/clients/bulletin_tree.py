"""A tree whose bulletin is rendered from what it has, for checks with real clients."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from check_real_clients import cortexfs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PROMPT = "Why are varint residuals slow to decode?"
SUMMARY = "Varint residuals decode at 410 MB/s"
"""The summary of the only atom that the prompt is about, in a project beside the session's."""
MATCH = "projects/lab/knowledge/K-001.md"
KINDS = {"K": "knowledge", "EXP": "experiments", "PAT": "patterns"}
WORDS = ("naïve", "cache", "block", "decodes", "slower", "café", "table", "when", "page", "größe")
ATOMS = 120
"""Atoms of each kind; a bulletin of 4,000 words is longer than the caps of clients with these."""


def make_tree(home: Path, words: int) -> Path:
    """Make a tree with two projects, and render bulletins of at most so many words."""
    tree = home / ".cortex/context"
    cortexfs(home, "init", str(tree))
    for project in ("app", "lab"):
        cortexfs(home, "project", "new", project, "--goal", "Find out.")
        (tree / f"projects/{project}/CORTEX.md").write_text(f"# {project}\n\nRules of {project}.\n")
    (tree / "cortexfs.yaml").write_text(f"brief:\n  words: {words}\n")
    (tree / "user/USER.md").write_text(f"# User\n\n## Working style\n\n{list_items('Wish', 40)}")
    status = (("Open blockers", "Blocker"), ("Next steps", "Step"))
    (tree / "projects/app/STATUS.md").write_text(
        "# app status\n\nUpdated: 2026-05-28\n\n## Current phase\n\nPhase 3.\n"
        + "".join(f"\n## {title}\n\n{list_items(name, 60)}" for title, name in status)
    )
    for kind, folder in KINDS.items():
        for number in range(1, ATOMS + 1):
            write_atom(
                tree, f"projects/app/{folder}/{kind}-{number:03}.md", make_text(kind, number)
            )
    write_atom(tree, MATCH, SUMMARY)
    cortexfs(home, "hook", "drain")
    return tree


def write_atom(tree: Path, path: str, summary: str) -> None:
    """Write an atom without a command, as an editor does."""
    file = tree / path
    file.parent.mkdir(exist_ok=True)
    project, day = path.split("/")[1], int(file.stem[-3:]) % 27 + 1
    file.write_text(
        f"---\nid: {file.stem}\ndate: 2026-05-{day:02}\nproject: {project}\n"
        f'summary: "{summary}"\n---\n\n# {file.stem}\n'
    )


def list_items(name: str, count: int) -> str:
    return "".join(f"- {name} {number}: {make_text(name, number)}\n" for number in range(count))


def make_text(name: str, number: int) -> str:
    """Return thirty words, the same for the same item."""
    chance = random.Random(f"{name} {number}")  # noqa: S311 - no secret
    return " ".join(chance.choice(WORDS) for _ in range(30))


def read_bulletin(tree: Path, project: str = "app") -> str:
    """Return the bulletin as hooks read it."""
    return (tree / f".cortexfs/injection/bulletins/{project}.md").read_text().strip()


def list_shown_lines(text: str) -> Iterator[str]:
    """Yield the lines of blocks that carry content: no frames, headings, or heads of tables."""
    lines = text.splitlines()
    for line, after in zip(lines, [*lines[1:], ""], strict=False):
        is_frame = line.startswith(("#", "<", "Evidence from earlier work", "|--"))
        if line.strip() and not is_frame and not after.startswith("|--"):
            yield line
