"""Which of two atoms with the same id a commit created."""

from __future__ import annotations

import pytest

from cortexfs.core.atoms.atom import Atom, Ref
from cortexfs.core.renaming.twins import UNKNOWN, Creation, assign_creations, find_owner

FIRST, SECOND, OTHER = "e/EXP-001.md", "e/EXP-001-b.md", "e/EXP-001-c.md"


def _atom(path: str, summary: str, ref: str = "EXP-001") -> Atom:
    return Atom(path, "experiment", Ref(ref), fields={"date": "2026-05-06", "summary": summary})


TWINS = (_atom(FIRST, "first"), _atom(SECOND, "second"))


@pytest.mark.parametrize(
    ("created", "owners"),
    [
        ([_atom(FIRST, "first"), _atom(FIRST, "second")], [FIRST, SECOND]),
        ([_atom(FIRST, "older"), _atom(FIRST, "second")], [FIRST, SECOND]),
        ([_atom(FIRST, "older"), _atom(FIRST, "removed")], [UNKNOWN, UNKNOWN]),
        ([_atom(FIRST, "older"), _atom(FIRST, "first")], [UNKNOWN, FIRST]),
        ([_atom(FIRST, "older"), _atom(SECOND, "older")], [FIRST, SECOND]),
        ([_atom(FIRST, "second")], [UNKNOWN]),
        ([_atom(OTHER, "second"), _atom(OTHER, "removed")], [SECOND, UNKNOWN]),
        ([_atom(FIRST, "first", "EXP-009")], [UNKNOWN]),
    ],
)
def test_an_atom_is_identified_by_date_and_summary_or_by_its_path(
    created: list[Atom], owners: list[str]
) -> None:
    creations = [Creation(f"c{number}", atom) for number, atom in enumerate(created)]
    assert assign_creations(creations, TWINS) == owners


def test_equal_twins_are_identified_by_a_path_that_only_one_had() -> None:
    twins = (_atom(FIRST, "same"), _atom(SECOND, "same"))
    creations = [Creation("c1", twins[0]), Creation("c2", twins[1])]
    assert assign_creations(creations, twins) == [FIRST, SECOND]
    assert assign_creations([*creations, creations[0]], twins) == [UNKNOWN, SECOND, UNKNOWN]


def test_a_commit_that_knows_several_atoms_decides_nothing() -> None:
    descendants = {FIRST: frozenset("ab"), SECOND: frozenset("bc"), UNKNOWN: frozenset("d")}
    owners = [find_owner(commit, descendants) for commit in "abcde"]
    assert owners == [FIRST, UNKNOWN, SECOND, UNKNOWN, UNKNOWN]
