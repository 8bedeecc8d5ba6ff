"""Which chunks of a long story are compared with what was said last."""

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.stories.recall.choose_candidates import (
    ALL_CHUNKS,
    PER_LIMIT,
    SortedChunks,
    choose_candidates,
)
from cortexfs.core.stories.recall.chunk_memory import ChunkMemory
from cortexfs.core.stories.recall.emotional_context import resonate

MOODS = [(), ("joy",), ("grief", "dread"), ("dread",), ("awe", "joy"), ("fury",)]
CALLED = ("grief", "joy")
COUNT = ALL_CHUNKS + 40


def make_chunk(number: int, salience: int, mood: int) -> ChunkMemory:
    first, emotions = 8 * number + 1, MOODS[mood]
    return ChunkMemory(
        f"road/CH-{number:04}",
        "",
        "chat",
        first,
        first + 7,
        salience / 4,
        is_core=False,
        emotions=emotions,
        flags=(),
    )


worth = st.tuples(st.integers(0, 4), st.integers(0, len(MOODS) - 1))


@given(st.lists(worth, min_size=COUNT, max_size=COUNT), st.integers(0, COUNT), st.integers(1, 9))
def test_candidates_are_what_matches_and_the_most_salient_the_last_and_those_of_the_mood(
    worths: list[tuple[int, int]], visible: int, limit: int
) -> None:
    chunks = [make_chunk(number, *each) for number, each in enumerate(worths)]
    past = chunks[: len(chunks) - visible]
    visible_from = past[-1].first + 1 if past else 1
    matching = [each.ref for each in past[3:5]]
    chosen = choose_candidates(
        SortedChunks.from_chunks(chunks), visible_from, matching, CALLED, limit
    )
    count = PER_LIMIT * limit
    salient = sorted(past, key=lambda each: (-each.salience, each.ref))
    moody = sorted(salient, key=lambda each: -resonate(CALLED, each.emotions))
    sorts = [salient[:count], past[-count:], moody[:count]]
    expected = [*matching, *(each.ref for sort in sorts for each in sort)]
    if len(past) <= ALL_CHUNKS:
        expected = [each.ref for each in past]
    assert chosen == list(dict.fromkeys(expected))
