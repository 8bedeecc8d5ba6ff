"""The time of a recall in a story of 10,000 messages, beside a plain memory of vectors.

The plain memory has a vector of hashed words for each chunk, and compares a query with all of them
in numpy: what a vector database does at best, without the time of its model.
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

from bench.story_recall import PROJECT, STORY, open_story
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.stories.chunk_messages import DEFAULT_CHUNK_SIZE
from cortexfs.core.stories.message import Message
from cortexfs.interfaces.serve_session import MAX_AGE_S
from cortexfs.operations.stories.append_message import append_message
from cortexfs.operations.stories.recall_story import RecallQuery, recall_story

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cortexfs.session.session import Session

    _Said = Sequence[Message]

MESSAGES, WORDS = 10_000, 60
VOCABULARY = 8000
"""Words of the chat, of which the frequencies follow Zipf's law."""
ROUNDS = 60
VECTOR_SIZE = 384
MAX_MS = 30
_NAMES = ("Melina", "Kael", "Voss", "Dustwell", "Calydon")


def measure_speed() -> None:
    """Print the median and the 95th percentile of recalls, and of the plain memory."""
    chosen = random.Random(1)
    chat = [_make_message(chosen, number) for number in range(MESSAGES)]
    with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as place:
        session = open_story(Path(place, "tree"), chat)
        began = time.process_time()
        _recall(session, (_make_message(chosen, 0),))
        print(f"first recall: {1000 * (time.process_time() - began):.0f} ms of the processor")
        scenes = [tuple(_make_message(chosen, n) for n in range(6)) for _ in range(ROUNDS)]
        questions = [(Message("", "", "", "user", _make_question(chosen)),) for _ in range(ROUNDS)]
        _measure_recalls(session, chat, (scenes, questions))
        print("in a server, which learns of changes by events:")
        session.serve_reads(MAX_AGE_S)
        with session.comparisons.watch_events():
            _measure_recalls(session, chat, (scenes, questions))
        session.close()
    _print("a plain memory of vectors", _time_vectors(chat, scenes))
    print(f"wanted: a median of at most {MAX_MS} ms")


def _measure_recalls(
    session: Session, chat: Sequence[Message], asked: tuple[Sequence[_Said], Sequence[_Said]]
) -> None:
    scenes, questions = asked
    _print("recall for six messages", [_time(lambda s=s: _recall(session, s)) for s in scenes])
    _print("recall for a question", [_time(lambda q=q: _recall(session, q)) for q in questions])
    with session.deferred_commits(lambda: None, print):
        _print("the same after a new message", _recall_after_messages(session, chat, scenes))


def _recall(session: Session, said: Sequence[Message]) -> None:
    query = RecallQuery(tuple(said), record_reads=False)
    recall_story(session, PROJECT, STORY, query)


def _recall_after_messages(
    session: Session, chat: Sequence[Message], scenes: Sequence[Sequence[Message]]
) -> list[float]:
    times = []
    for message, said in zip(chat[:ROUNDS], scenes, strict=False):
        append_message(session, PROJECT, STORY, message, mode=ExecutionMode.DEFER)
        times.append(_time(lambda said=said: _recall(session, said)))
    return times


def _time_vectors(chat: Sequence[Message], scenes: Sequence[Sequence[Message]]) -> list[float]:
    import numpy as np  # noqa: PLC0415 - an extra

    def embed(text: str) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
        vector = np.zeros(VECTOR_SIZE, np.float32)
        for word in text.lower().split():
            digest = crc32(word.encode())
            vector[digest % VECTOR_SIZE] += 1 if digest & 1 << 20 else -1
        return vector / (np.linalg.norm(vector) or 1)

    parts = [chat[n : n + DEFAULT_CHUNK_SIZE] for n in range(0, len(chat), DEFAULT_CHUNK_SIZE)]
    rows = np.array([embed(" ".join(one.text for one in part)) for part in parts])

    def search(said: Sequence[Message]) -> None:
        np.argsort(-(rows @ embed(" ".join(one.text for one in said))))[:8]

    return [_time(lambda said=said: search(said)) for said in scenes]


def _make_message(chosen: random.Random, number: int) -> Message:
    words = (f"w{min(VOCABULARY, int(chosen.paretovariate(0.6)))}" for _ in range(WORDS - 1))
    text = " ".join([chosen.choice(_NAMES), *words])
    return Message("", "", _NAMES[number % 2], "user", f"{text}.")


def _make_question(chosen: random.Random) -> str:
    words = " ".join(f"w{chosen.randrange(20, VOCABULARY)}" for _ in range(4))
    return f"Where did {chosen.choice(_NAMES)} see {words}?"


def _time(step: Callable[[], object]) -> float:
    """Return milliseconds of the processor."""
    began = time.process_time()
    step()
    return 1000 * (time.process_time() - began)


def _print(name: str, times: Sequence[float]) -> None:
    ranked = sorted(times)
    p95 = ranked[int(0.95 * (len(ranked) - 1))]
    print(f"{name}: median {statistics.median(ranked):.1f} ms, 95th percentile {p95:.1f} ms")
