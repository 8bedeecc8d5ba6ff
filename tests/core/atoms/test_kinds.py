"""The table of kinds: ids, file names, and the next of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.atoms.kinds import BUILT_IN, Kinds

if TYPE_CHECKING:
    from cortexfs.core.atoms.kind import Kind

KINDS = Kinds()


def test_no_two_kinds_share_a_name_a_prefix_or_a_folder() -> None:
    for key in ("name", "prefix", "folder"):
        values = [getattr(kind, key) for kind in BUILT_IN]
        assert len(set(values)) == len(values)


@pytest.mark.parametrize(
    ("ident", "kind"),
    [
        ("EXP-001", "experiment"),
        ("EXP-042a", "experiment"),
        ("EXP-1234", "experiment"),
        ("K-008", "knowledge"),
        ("PAT-001", "pattern"),
        ("DR-0007", "decision"),
        ("IDEA-001", "idea"),
        ("OBS-117", "observation"),
        ("SES-004", "session"),
        ("PRM-0012", "prompt"),
        ("PRM-012", None),
        ("CH-0042", "chunk"),
        ("ENT-012", "entity"),
        ("SCN-001", "scene"),
        ("ARC-001", "arc"),
        ("EXP-01", None),
        ("K-008a", None),
        ("DR-007", None),
        ("exp-001", None),
        ("EXP-\uff10\uff10\uff11", None),
        ("EXP-001 ", None),
        ("EXP-001\n", None),
        ("MIL-188", None),
    ],
)
def test_the_form_of_an_id_tells_its_kind(ident: str, kind: str | None) -> None:
    found = KINDS.find_by_id(ident)
    assert (found.name if found else None) == kind


@given(st.sampled_from(BUILT_IN), st.sets(st.integers(1, 20_000)), st.booleans())
def test_a_new_id_is_one_above_the_highest_and_its_file_name_contains_it(
    kind: Kind, numbers: set[int], in_project: bool
) -> None:
    names = [
        kind.make_file_name(f"{kind.prefix}-{n:0{kind.digits}d}", "a title", in_project=in_project)
        for n in numbers
    ]
    unrelated = ["index.md", "CORTEX.md", "x-999.md", f"{kind.prefix}-9", f"{kind.prefix}-abc.md"]
    new = kind.next_id(name.removesuffix(".md") for name in (*names, *unrelated))
    assert new == f"{kind.prefix}-{max(numbers, default=0) + 1:0{kind.digits}d}"
    assert KINDS.find_by_id(new) is kind
    file = kind.make_file_name(new, "Ünï: a/b\\c.. ", in_project=in_project)
    assert kind.parse_file_id(file.removesuffix(".md")) == new
    assert "/" not in file
    assert file.isascii()


def test_an_id_with_a_letter_counts_for_the_next_id() -> None:
    experiment = KINDS.find_by_name("experiment")
    assert experiment.next_id(["EXP-001", "EXP-007a", "EXP-003"]) == "EXP-008"


def test_both_forms_of_decision_file_names_count_for_the_next_id() -> None:
    decision = KINDS.find_by_name("decision")
    assert decision.next_id(["0007-use-git", "DR-0009-one-tree", "notes"]) == "DR-0010"
