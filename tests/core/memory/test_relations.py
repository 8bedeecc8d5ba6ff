"""Relations are read as they are written, and each has a number of its own."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.memory.relations import (
    RELATION_TYPES,
    WEIGHT_RANGE,
    Relation,
    format_relation,
    list_other_items,
    make_edge_id,
    parse_edge_id,
    parse_relation,
)


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ("supersedes OBS-101", Relation("supersedes", "OBS-101", 1.0)),
        ("relates_to flywheel/OBS-9 0.5", Relation("relates_to", "flywheel/OBS-9", 0.5)),
        ("  follows\tEXP-042a  10 ", Relation("follows", "EXP-042a", 10.0)),
        ("contradicts OBS-002 0", Relation("contradicts", "OBS-002", 1.0)),
        ("references OBS-002 1.0", Relation("references", "OBS-002", 1.0)),
    ],
)
def test_a_relation_has_a_type_a_ref_and_a_weight(item: str, expected: Relation) -> None:
    assert parse_relation(item) == expected


@pytest.mark.parametrize(
    "item",
    [
        "",
        "supersedes",
        "OBS-101",
        "causes OBS-101",
        "supersedes obs-101",
        "supersedes ../OBS-101",
        "supersedes OBS-101 much",
        "supersedes OBS-101 nan",
        "supersedes OBS-101 -1",
        "supersedes OBS-101 10.1",
        "supersedes OBS-101 1 2",
        "supersedes OBS-\uff11\uff10\uff11",
    ],
)
def test_any_other_item_is_no_relation(item: str) -> None:
    assert parse_relation(item) is None


def test_the_default_weight_is_not_written() -> None:
    assert format_relation(Relation("supersedes", "OBS-101")) == "supersedes OBS-101"
    assert format_relation(Relation("follows", "p/OBS-101", 0.5)) == "follows p/OBS-101 0.5"


@given(
    st.sampled_from(RELATION_TYPES),
    st.from_regex(r"(flywheel/)?[A-Z]{1,8}-[0-9]{3,12}", fullmatch=True),
    st.floats(1e-12, WEIGHT_RANGE[1]).map(lambda w: float(f"{w:g}")),
)
def test_a_written_relation_is_read_as_it_was(kind: str, ref: str, weight: float) -> None:
    relation = Relation(kind, ref, weight)
    assert parse_relation(format_relation(relation)) == relation


def test_no_two_relations_have_the_same_number() -> None:
    ends = [(a, b) for a in range(1, 60) for b in range(1, 60)]
    ids = {make_edge_id(a, b, kind) for a, b in ends for kind in RELATION_TYPES}
    assert len(ids) == len(ends) * len(RELATION_TYPES)
    assert min(ids) > 0


@given(st.integers(0, 10**12), st.integers(0, 10**12), st.sampled_from(RELATION_TYPES))
def test_the_number_of_a_relation_tells_its_ends(one: int, other: int, kind: str) -> None:
    assert parse_edge_id(make_edge_id(one, other, kind)) == (one, other, kind)


def test_no_relation_has_a_number_below_one() -> None:
    assert parse_edge_id(0) is None


def test_the_number_of_a_relation_never_changes() -> None:
    assert make_edge_id(117, 101, "references") == 119_861
    assert make_edge_id(101, 117, "contradicts") == 119_945


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    parse_relation(text)


def test_hostile_text_takes_linear_time() -> None:
    began = time.process_time()
    for text in ("a " * 500_000, "1" * 1_000_000, f"follows OBS-1 {'1' * 1_000_000}"):
        assert parse_relation(text) is None
    assert time.process_time() - began < 1


def test_what_is_no_relation_is_known_so_that_it_can_stay() -> None:
    assert list_other_items(("follows OBS-1", "see OBS-2, because")) == ("see OBS-2, because",)
    assert list_other_items("follows OBS-1") == ()
    assert list_other_items({"follows": "OBS-1"}) is None
    assert list_other_items(("follows OBS-1", {"see": "OBS-2"})) is None
