"""Only equal memories are merged; the most important one stays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cost import cost_of
from weighed_memories import make_memory

from cortexfs.core.maintain.equal_memories import (
    MAX_MERGES,
    WeighedMemory,
    find_equal_memories,
    find_repeated_texts,
    is_project_specific,
)

FACTS: list[dict[str, str]] = json.loads((Path(__file__).parent / "similar_facts.json").read_text())


def _merged(*memories: WeighedMemory) -> list[tuple[int, ...]]:
    return [
        (merge.kept.record.number, *(each.record.number for each in merge.merged))
        for merge in find_equal_memories(memories)
    ]


def test_the_most_important_stays_and_of_equals_the_one_with_the_lowest_number() -> None:
    assert _merged(make_memory(1, 0.5), make_memory(2, 0.6), make_memory(3, 0.6)) == [(2, 3, 1)]
    assert _merged(make_memory(3), make_memory(1), make_memory(2)) == [(1, 2, 3)]


def test_two_pairs_are_merged_in_one_pass() -> None:
    other = {"content": "Other."}
    found = _merged(
        make_memory(4), make_memory(3, **other), make_memory(2), make_memory(1, **other)
    )
    assert found == [(1, 3), (2, 4)]


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "config"},
        {"scope": "personal"},
        {"title": "Another title"},
        {"content": "Some contents."},
        {"content": "Not some content."},
        {"topic_key": "a/b"},
    ],
)
def test_memories_that_differ_in_a_part_are_not_merged(fields: dict[str, str]) -> None:
    assert _merged(make_memory(1), make_memory(2, **fields)) == []


def test_only_memories_with_a_repeated_text_are_kept_for_a_merge() -> None:
    memories = [
        *(make_memory(1), make_memory(2), make_memory(3, content="Other.")),
        make_memory(4, title="Another title", project="sundial"),
    ]
    numbers, projects = find_repeated_texts(iter(memories))
    assert numbers == {1, 2}
    assert projects == {each.record.project for each in memories}
    kept = [each for each in memories if each.record.number in numbers]
    assert find_equal_memories(kept, projects=projects) == find_equal_memories(memories)


def test_the_name_of_a_project_counts_though_none_of_its_memories_is_given() -> None:
    pair = [make_memory(n, project=f"p{n}", content="Sundial is slow.") for n in (1, 2)]
    assert len(find_equal_memories(pair)) == 1
    assert find_equal_memories(pair, projects={"sundial"}) == []


def test_personal_memories_are_never_merged() -> None:
    assert _merged(make_memory(1, scope="personal"), make_memory(2, scope="personal")) == []


def test_memories_without_content_are_not_merged() -> None:
    assert _merged(make_memory(1, content=""), make_memory(2, content=" ")) == []


def test_equal_memories_of_several_projects_are_merged_if_they_are_general() -> None:
    both = make_memory(1), make_memory(2, 0.9, project="q")
    assert _merged(*both) == [(2, 1)]
    fields = {"content": "The entry point is src/main.py."}
    three = [make_memory(1, **fields), make_memory(2, 0.9, **fields)]
    assert _merged(*three, make_memory(3, project="q", **fields)) == [(2, 1)]


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "architecture"},
        {"content": "See src/main."},
        {"content": "Look into README.md"},
        {"content": "It needs Python 3.11"},
        {"content": "It is built by v2 of the tool"},
        {"content": "This repository has no tests"},
        {"title": "What flywheel needs"},
        {"content": "C:\\data holds it"},
        {"content": "~/notes holds it"},
    ],
)
def test_a_text_about_its_project_is_recognized(fields: dict[str, str]) -> None:
    assert is_project_specific(make_memory(1, **fields).record, {"flywheel"})


def test_a_general_text_is_not_about_its_project() -> None:
    text = "Answer in short sentences. Ask first, e. g. before a push, and/or wait."
    record = make_memory(1, content="Answer in short sentences. Ask before a push.").record
    assert not is_project_specific(record, {"flywheel", "push-it"})
    assert is_project_specific(record._replace(content=text), set())  # and/or: in doubt it is


def test_no_two_of_a_hundred_and_twenty_five_similar_facts_are_merged() -> None:
    texts = [text for fact in FACTS for text in fact.values()]
    assert len(texts) == 125
    assert _merged(*(make_memory(n, content=text) for n, text in enumerate(texts, 1))) == []


def test_a_run_is_bounded_and_another_one_goes_on() -> None:
    copies = [make_memory(number) for number in range(1, MAX_MERGES + 10)]
    pairs = [make_memory(n, content=f"Fact {n % 2}") for n in range(1001, 1005)]
    found = find_equal_memories([*pairs, *copies])
    assert sum(len(merge.merged) for merge in found) == MAX_MERGES
    assert found[0].kept.record.number == 1


def test_the_cost_is_bounded() -> None:
    memories = [make_memory(n, content=f"Fact {n // 2}") for n in range(5_000)]
    cost = cost_of(lambda: find_equal_memories(memories))
    assert cost.is_allowed, cost
