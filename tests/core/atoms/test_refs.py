"""The form of a ref, and what it may mean."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.atoms.refs import (
    can_refer_to,
    find_ref,
    is_ref,
    list_candidate_refs,
    to_full_ref,
    to_short_ref,
)

names = st.sampled_from(["p", "q", "p.1"])
ids = st.sampled_from(["EXP-001", "EXP-001a", "DR-0001"])


def test_only_a_well_formed_ref_is_a_ref() -> None:
    for ref in ("EXP-001", "p/EXP-001", "EXP-0012a", "DR-0001", "my.p-1/K-001"):
        assert is_ref(ref), ref
    for other in ("EXP-1", "exp-001", "EXP-001.md", "a/b/EXP-001", "P/EXP-001", "see EXP-001", ""):
        assert not is_ref(other), other


def test_a_ref_means_its_own_project_before_the_root() -> None:
    assert list_candidate_refs("DR-0001", "p") == ("p/DR-0001", "DR-0001")
    assert find_ref("DR-0001", "p", {"DR-0001", "p/DR-0001"}) == "p/DR-0001"
    assert find_ref("DR-0001", "p", {"DR-0001", "q/DR-0001"}) == "DR-0001"
    assert find_ref("q/DR-0001", "p", {"DR-0001"}) is None
    assert find_ref("DR-0001", "", {"p/DR-0001"}) is None


@given(names, ids, names)
def test_a_short_ref_means_the_same_atom_in_its_project(
    owner: str, ident: str, project: str
) -> None:
    ref = f"{owner}/{ident}"
    assert to_full_ref(to_short_ref(ref, project), project) == ref
    assert can_refer_to(to_short_ref(ref, project), project, ref)
    assert to_short_ref(ref, "") == ref
