"""What surrounds a match adds to its score, unless matches lie together as by chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cortexfs.core.find import score_context as scoring
from cortexfs.core.find.score_context import Groups, Matches, list_neighbour_keys, score_context

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

RARITIES = (4.0, 2.0)
TEXT_COUNT = 200


def _matches(scores: Mapping[int, Sequence[float]], outdated: Collection[int] = ()) -> Matches:
    return Matches(scores, RARITIES, outdated, TEXT_COUNT)


def _groups(size: int = 10, **members: Sequence[int]) -> Groups:
    return Groups(members, dict.fromkeys(members, size))


def test_a_match_gains_by_a_term_that_another_of_its_session_has() -> None:
    scores = {1: (0.0, 0.5), 2: (2.0, 1.0), 3: (0.0, 1.0)}
    added = score_context(_matches(scores), [_groups(a=(1, 2), b=(3,))])
    assert added[1] > added[2] > 0
    assert 3 not in added
    assert added[1] < scoring.CONTEXT_WEIGHT * sum(RARITIES)


@pytest.mark.parametrize(
    "groups", [_groups(a=(1,)), _groups(), _groups(a=(1,), b=(2,))], ids=["one", "none", "two"]
)
def test_a_match_alone_in_its_group_gains_nothing(groups: Groups) -> None:
    assert score_context(_matches({1: (2.0, 1.0), 2: (2.0, 1.0)}), [groups]) == {}
    assert score_context(_matches({1: (2.0, 1.0)}), [_groups(a=(1,))]) == {}


def test_matches_that_are_spread_as_by_chance_add_nothing() -> None:
    members = {f"s{n}": (2 * n, 2 * n + 1) for n in range(20)}
    together = {doc: (2.0, 0.0) for n in range(10) for doc in (2 * n, 2 * n + 1)}
    spread = {2 * n: (2.0, 0.0) for n in range(20)}
    clear = {2 * n + 1: (0.0, 0.0) for n in range(20)}
    assert score_context(_matches(together), [_groups(**_keep(members, together))])
    assert score_context(_matches(spread | clear), [_groups(**members)]) == {}


def test_matches_hardly_closer_together_than_by_chance_add_nothing() -> None:
    """By chance, 20 matches would be in about 13 of 20 groups."""
    hardly, clearly = (
        {f"s{n}": list(range(n, 20, count)) for n in range(count)} for count in (12, 8)
    )
    scores = dict.fromkeys(range(20), (2.0, 0.0))
    assert score_context(_matches(scores), [_groups(**hardly)]) == {}
    assert score_context(_matches(scores), [_groups(**clearly)])


def test_a_term_that_is_spread_evenly_does_not_hide_one_that_is_not() -> None:
    members = {f"s{n}": list(range(n, 60, 20)) for n in range(20)}
    even = dict.fromkeys(range(20), (0.0, 2.0))
    scores = {**even, 20: (2.0, 0.0), 40: (2.0, 0.0)}
    added = score_context(_matches(scores), [_groups(**_keep(members, scores))])
    assert set(added) == {0, 20, 40}


def _keep(members: Mapping[str, Sequence[int]], docs: Collection[int]) -> dict[str, list[int]]:
    kept = {key: [doc for doc in each if doc in docs] for key, each in members.items()}
    return {key: each for key, each in kept.items() if each}


def test_a_tree_that_is_one_session_changes_nothing() -> None:
    scores = {1: (2.0, 0.0), 2: (2.0, 1.0), 3: (1.0, 0.0)}
    assert score_context(_matches(scores), [_groups(TEXT_COUNT, a=(1, 2, 3))]) == {}


def test_an_outdated_atom_adds_nothing_to_others_and_gains_by_them() -> None:
    scores = {1: (2.0, 0.0), 2: (2.0, 0.0), 3: (2.0, 0.0)}
    sorts = [_groups(a=(1, 2, 3))]
    added = score_context(_matches(scores, {3}), sorts)
    assert 0 < added[1] == added[2] < score_context(_matches(scores), sorts)[1]
    assert added[3] > added[1]
    assert score_context(_matches(scores, {1, 2, 3}), sorts) == {}


def test_the_surroundings_of_all_sorts_add_up() -> None:
    scores = {1: (2.0, 0.0), 2: (1.0, 0.0)}
    groups = _groups(a=(1, 2))
    once = score_context(_matches(scores), [groups])
    assert once[1] > 0
    assert score_context(_matches(scores), [groups, groups]) == pytest.approx(
        {doc: 2 * gain for doc, gain in once.items()}
    )


def test_nearby_numbers_of_a_folder_are_in_a_group_together() -> None:
    nine = list_neighbour_keys("a", 9)
    assert _count_common(nine, list_neighbour_keys("a", 9)) == 2
    assert _count_common(nine, list_neighbour_keys("a", 10)) == 1
    assert _count_common(nine, list_neighbour_keys("a", 30)) == 0
    assert _count_common(nine, list_neighbour_keys("b", 9)) == 0


def _count_common(one: Sequence[str], other: Sequence[str]) -> int:
    return sum(left == right for left, right in zip(one, other, strict=True))
