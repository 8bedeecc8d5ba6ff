"""Time other programs, if they are on the PATH: `qmd`, `basic-memory`.

Install them in their own environment: `npm install @tobilu/qmd` (node 22 or later) and `pip
install basic-memory` (Python 3.12 or later). Each program gets an empty home, the same folder of
Markdown and the same question. Search by embeddings is not used.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench import zipf
from bench.measure import Figure, Job, format_ms, time_in_turn, time_once

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Words = Sequence[str]

FOLDER, QUESTION = "FOLDER", "QUESTION"
"""Placeholders in a command for the tree and the question."""


class Peer(NamedTuple):
    """A program: its commands to index a folder, and its command for a question."""

    name: str
    index_commands: tuple[Words, ...]
    question_command: Words


PEERS = (
    Peer(
        "cortexfs",
        (("cortexfs", "--root", FOLDER, "find", QUESTION),),
        ("cortexfs", "--root", FOLDER, "find", QUESTION),
    ),
    Peer(
        "qmd",
        (("qmd", "collection", "add", FOLDER, "--name", "bench"),),
        ("qmd", "search", QUESTION),
    ),
    Peer(
        "basic-memory",
        (
            ("basic-memory", "project", "add", "bench", FOLDER, "--default"),
            ("basic-memory", "reset", "--reindex"),
        ),
        ("basic-memory", "tool", "search-notes", QUESTION, "--project", "bench"),
    ),
)


def time_peers(tree: Path, around: Mapping[str, str], runs: int = 5) -> Iterator[Figure]:
    """Time the first index and a question of each installed program, ours first."""
    path = f"{Path(sys.executable).parent}:{around['PATH']}"
    here = {**around, "PATH": path, "BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED": "false"}
    there = [peer for peer in PEERS if shutil.which(peer.name, path=path)]
    words = {FOLDER: str(tree), QUESTION: zipf.draw_questions(1)[0]}
    shutil.rmtree(tree / ".cortexfs", ignore_errors=True)
    asked: dict[str, Job] = {}
    for peer in there:
        try:
            took = sum(
                time_once(Job(_fill_placeholders(each, words), stdin=b"y\n"), here)
                for each in peer.index_commands
            )
        except subprocess.CalledProcessError as failed:
            yield Figure(f"{peer.name}: first index", "failed", str(failed))
            continue
        asked[peer.name] = Job(_fill_placeholders(peer.question_command, words))
        yield Figure(f"{peer.name}: first index", f"{took:.1f} s", "absolute")
    for name, taken in time_in_turn(asked, runs, here).items():
        yield Figure(f"{name}: a question, whole process", format_ms(taken), "absolute")


def _fill_placeholders(command: Words, words: Mapping[str, str]) -> list[str]:
    return [words.get(each, each) for each in command]
