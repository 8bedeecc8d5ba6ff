"""Near-duplicates: summaries of the same thing in other words."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.atoms.atom import split_string_list
from cortexfs.core.atoms.near_duplicates import (
    MAX_DUPLICATES,
    MIN_SIMILARITY,
    AtomSummary,
    find_near_duplicates,
)
from cortexfs.core.frontmatter import atom_text

SAMPLE = Path(__file__).parents[3] / "sample-context"
BITMAP = AtomSummary(
    "driftwood/EXP-012",
    "Gaps as a presence bitmap, only in blocks that have any, cost 0.24 % on hive: "
    "missing samples are practically free",
    ("gaps", "bitmap", "blocks", "hive"),
)


def _sample() -> dict[str, list[AtomSummary]]:
    found: dict[str, list[AtomSummary]] = {}
    for path in sorted(SAMPLE.rglob("*.md")):
        fields = atom_text.parse_frontmatter(path.read_text()).fields
        if fields.get("id") and path.name != "index.md":
            summary = AtomSummary(
                str(path), str(fields["summary"]), split_string_list(fields.get("tags", ""))
            )
            found.setdefault(path.parent.name, []).append(summary)
    return found


def test_the_sample_has_no_near_duplicates() -> None:
    for kind in _sample().values():
        assert [
            pair for pair in combinations(kind, 2) if find_near_duplicates(pair[0], pair[1:])
        ] == []


@pytest.mark.parametrize(
    ("summary", "tags"),
    [
        ("A presence bitmap for gaps costs 0.24 % on hive, so missing samples are free", ("gaps",)),
        ("Presence bitmap, only in blocks with gaps, costs 0.24 % on hive", ("bitmap", "hive")),
        (BITMAP.summary.upper(), ()),
    ],
)
def test_a_summary_in_other_words_is_a_near_duplicate(summary: str, tags: tuple[str, ...]) -> None:
    others = [sample for sample in _sample()["experiments"] if sample.summary != BITMAP.summary]
    (near,) = find_near_duplicates(AtomSummary("new", summary, tags), [*others, BITMAP])
    assert near.ref == BITMAP.ref
    assert MIN_SIMILARITY <= near.similarity < 1


summaries = st.builds(
    AtomSummary,
    st.uuids().map(str),
    st.lists(st.sampled_from(["the", "codec", "packs", "blocks", "gaps", "0.24", "7"])).map(
        " ".join
    ),
    st.lists(st.sampled_from(["codec", "gaps"]), unique=True).map(tuple),
)


@given(summaries, st.lists(summaries, max_size=8))
def test_near_duplicates_are_sorted_and_limited(
    new: AtomSummary, present: list[AtomSummary]
) -> None:
    found = find_near_duplicates(new, present)
    assert len(found) <= MAX_DUPLICATES
    assert list(found) == sorted(found, key=lambda near: (-near.similarity, near.ref))
    assert all(MIN_SIMILARITY <= near.similarity <= 1 for near in found)
    if new.summary.replace("the", "").strip() and not present:
        assert find_near_duplicates(new, [new])[0].similarity == 1


@given(summaries, summaries)
def test_similarity_is_symmetric(one: AtomSummary, other: AtomSummary) -> None:
    forward, backward = find_near_duplicates(one, [other]), find_near_duplicates(other, [one])
    assert [near.similarity for near in forward] == [near.similarity for near in backward]
