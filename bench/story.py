"""Measure stories: `python -m bench.story [--messages 10000]`.

A chat is imported twice, rebuilt, and continued by one message after another, as a server does it,
and by the command. Beside processor time and time passed, the highest memory of the process is
printed. Exit code 1 if a rebuild takes 30 s or 500 MB, or a message 50 ms of processor time.

`--cast` measures a chat in which a hundred people and forty places are named, instead of three.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench.measure import make_environment
from bench.story_cast import make_cast_chat
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.stories.message import Message
from cortexfs.operations.stories.append_message import append_message
from cortexfs.operations.stories.import_story import import_story
from cortexfs.operations.stories.rebuild_story import rebuild_story
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable

PROJECT, STORY = "road", "chat"
WORDS_PER_MESSAGE = 60
APPENDED = 40
PAUSE_S = 1.5
"""Seconds before each: what was said before is committed within one."""
MAX_REBUILD_S, MAX_MEGABYTES, MAX_MESSAGE_MS = 30, 500, 50
WORDS = [
    "Melina",
    "Kael",
    "walked",
    "the",
    "road",
    "to",
    "Dustwell",
    "under",
    "a",
    "gray",
    "sky",
    "and",
    "promised",
    "never",
    "to",
    "betray",
    "the",
    "sons",
    "of",
    "Calydon",
    "while",
    "rain",
    "fell",
    "on",
    "stones",
    "because",
    "nobody",
    "knew",
    "where",
    "hope",
    "had",
    "gone",
    "forever",
]


class Cost(NamedTuple):
    """The cost of a step: seconds of the processor, and seconds that passed."""

    cpu_s: float
    passed_s: float


def main() -> int:
    """Print the cost of each step."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--messages", type=int, default=10_000)
    asked.add_argument("--cast", action="store_true", help="a chat with many people and places")
    options = asked.parse_args()
    make_chat = make_cast_chat if options.cast else _make_chat
    with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as folder:
        environ = make_environment(Path(folder))
        os.environ.update(environ)
        tree = Path(folder) / "tree"
        tree.mkdir()
        for words in (("init",), ("project", "new", PROJECT, "--goal", "A road")):
            _run_cortexfs(tree, *words)
        session = Session.open(str(tree), lambda: datetime.now(UTC))
        rebuilt, message = _measure(session, make_chat(options.messages + APPENDED))
        command = min(_time_command(tree) for _ in range(3))
        print(f"`story append` as a command: {command.passed_s * 1000:.0f} ms")
        session.close()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"highest memory: {memory:.0f} MB")
    is_good = rebuilt.cpu_s < MAX_REBUILD_S and memory < MAX_MEGABYTES
    return 0 if is_good and message * 1000 < MAX_MESSAGE_MS else 1


def _measure(session: Session, chat: list[Message]) -> tuple[Cost, float]:
    """Return the cost of a rebuild of all chunks, and the processor time of a message.

    The last messages of the chat are added one by one.
    """
    chat, later = chat[:-APPENDED], iter(chat[-APPENDED:])
    _print("import", _time(lambda: import_story(session, PROJECT, STORY, chat)))
    _print("the same import again", _time(lambda: import_story(session, PROJECT, STORY, chat)))
    _print("rebuild, nothing to do", _time(lambda: rebuild_story(session, PROJECT, STORY)))
    for path in Path(session.tree.root).glob(f"projects/{PROJECT}/chunks/CH-*.md"):
        path.unlink()
    rebuilt = _time(lambda: rebuild_story(session, PROJECT, STORY))
    _print("rebuild of all chunks", rebuilt)

    def append() -> Cost:
        time.sleep(PAUSE_S)
        said = next(later)
        return _time(
            lambda: append_message(session, PROJECT, STORY, said, mode=ExecutionMode.DEFER)
        )

    with session.comparisons.watch_events(), session.deferred_commits(lambda: None, print):
        costs = [append() for _ in range(APPENDED)]
    cpu = statistics.median(cost.cpu_s for cost in costs)
    passed = statistics.median(cost.passed_s for cost in costs)
    print(f"a message, median: {cpu * 1000:.0f} ms of the processor, {passed * 1000:.0f} ms passed")
    return rebuilt, cpu


def _make_chat(count: int) -> list[Message]:
    chosen = random.Random(1)
    return [
        Message(
            "",
            f"2026-05-{1 + number * 28 // count:02d}T10:00:00Z",
            ("Melina", "Kael")[number % 2],
            "user",
            " ".join(chosen.choices(WORDS, k=WORDS_PER_MESSAGE)),
        )
        for number in range(count)
    ]


def _time(step: Callable[[], object]) -> Cost:
    began, cpu = time.perf_counter(), time.process_time()
    step()
    return Cost(time.process_time() - cpu, time.perf_counter() - began)


def _print(name: str, cost: Cost) -> None:
    print(f"{name}: {cost.cpu_s:.2f} s of the processor, {cost.passed_s:.2f} s passed")


def _time_command(tree: Path) -> Cost:
    words = ("story", "append", STORY, "--speaker", "Kael")
    return _time(lambda: _run_cortexfs(tree, *words, said="Here."))


def _run_cortexfs(tree: Path, *words: str, said: str = "") -> None:
    command = [sys.executable, "-m", "cortexfs", "--root", str(tree), *words]
    subprocess.run(command, check=True, capture_output=True, text=True, input=said)


if __name__ == "__main__":
    sys.exit(main())
