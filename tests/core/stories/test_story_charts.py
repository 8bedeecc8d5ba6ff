"""The timeline, the contents and the graph of relations, as values."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.stories.chunk_row import ChunkRow
from cortexfs.core.stories.read_entity_file import KnownEntity, KnownRelation
from cortexfs.core.stories.relation_map import list_relations, map_relations
from cortexfs.core.stories.salience_timeline import MAX_POINTS, make_timeline
from cortexfs.core.stories.summary_file import SummaryFile
from cortexfs.core.stories.table_of_contents import make_contents


def make_chunk(number: int, salience: float = 0.5, *, is_core: bool = False) -> ChunkRow:
    ref, first = f"p/CH-{number:04d}", number * 8 - 7
    place = (ref, "s", first, first + 7, "", "", salience, "heuristic")
    return ChunkRow(*place, (), (), is_core=is_core, analysis="", is_edited=False)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=300))
def test_a_timeline_has_all_chunks_in_their_order(values: list[tuple[float, bool]]) -> None:
    chunks = [make_chunk(n, share, is_core=core) for n, (share, core) in enumerate(values, 1)]
    points = make_timeline(chunks)
    assert len(points) <= MAX_POINTS
    assert sum(point.chunks for point in points) == len(chunks)
    assert sum(point.core for point in points) == sum(core for _, core in values)
    ends = [(point.first, point.last) for point in points]
    assert all(last + 1 == first for (_, last), (first, _) in pairwise(ends))
    for point in points:
        own = [each.salience for each in chunks if point.first <= each.first <= point.last]
        assert (point.low, point.high) == (min(own), max(own))


def make_summary(ref: str, *sources: str) -> SummaryFile:
    return SummaryFile(ref, "s", 1, 8, "", "", "", 0, "", sources, "", is_edited=False)


def test_contents_have_each_scene_once_and_what_is_in_none() -> None:
    chunks = [make_chunk(number) for number in range(1, 6)]
    scenes = [make_summary(f"p/SCN-00{n}", f"CH-000{n}", "CH-0999") for n in (1, 2, 3)]
    arcs = [make_summary(f"p/ARC-00{n}", "SCN-001", "SCN-002") for n in (1, 2)]
    found = make_contents(chunks, scenes, arcs)
    assert [[each.scene.ref for each in arc.scenes] for arc in found.arcs] == [
        ["p/SCN-001", "p/SCN-002"],
        [],
    ]
    assert [each.scene.ref for each in found.scenes] == ["p/SCN-003"]
    assert [each.ref for each in found.chunks] == ["p/CH-0004", "p/CH-0005"]
    assert found.scene_count == 3


def test_a_pair_has_all_relations_and_their_mean_sentiment() -> None:
    def relate(other: str, strength: float, sentiment: float) -> KnownRelation:
        return KnownRelation("x", other, "ally", "", strength, sentiment)

    entities = [
        KnownEntity("p/ENT-001", "ENT-001", "A", "", "", relations=(relate("ENT-002", 0.6, 1.0),)),
        KnownEntity("p/ENT-002", "ENT-002", "B", "", "", relations=(relate("ENT-001", 0.2, -1.0),)),
        KnownEntity("p/ENT-003", "ENT-003", "C", "", "", relations=(relate("", 1.0, 1.0),)),
    ]
    graph = map_relations(entities, list_relations("p", entities), 10)
    assert [each.name for each in graph.entities] == ["A", "B"]
    (pair,) = graph.pairs
    assert (pair.strength, round(pair.sentiment, 6), pair.tone) == (0.6, 0.5, "good")
    assert len(pair.relations) == 2
