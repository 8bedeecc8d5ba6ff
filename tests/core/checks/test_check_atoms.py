"""Atoms in, findings out: what is wrong between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.atoms.atom import Atom, Flaw, Ref
from cortexfs.core.atoms.kinds import Kinds
from cortexfs.core.checks.check_atoms import check_atoms

if TYPE_CHECKING:
    from random import Random

KINDS = Kinds()


def _atom(
    name: str, *cites: str, project: str = "p", flaws: tuple[Flaw, ...] = (), **fields: str
) -> Atom:
    return Atom(
        path=f"projects/{project}/experiments/{name}.md",
        kind="experiment",
        ref=Ref(f"{project}/{fields.get('id', name)}"),
        project=project,
        fields={"id": name, **fields},
        field_lines={"id": 2, "evidence": 5},
        cited_refs=tuple((cited, 9) for cited in cites),
        flaws=flaws,
    )


def _codes(*atoms: Atom) -> list[tuple[str, str, int]]:
    return [(f.path.rpartition("/")[2], f.code, f.line) for f in check_atoms(atoms, KINDS)]


def test_a_ref_is_resolved_in_its_own_project_unless_it_names_another() -> None:
    one, other = _atom("EXP-001"), _atom("EXP-002", "EXP-001", "p/EXP-001", "q/EXP-001")
    assert _codes(one, other) == [("EXP-002.md", "dangling-ref", 9)]
    elsewhere = _atom("EXP-001", "EXP-002", project="q")
    assert _codes(one, other, elsewhere) == [("EXP-001.md", "dangling-ref", 9)]


def test_ids_of_other_systems_are_not_refs() -> None:
    assert _codes(_atom("EXP-001", "MIL-188", "DR-007", "RFC-2119")) == []


def test_a_duplicate_id_is_reported_at_the_later_atom() -> None:
    first, second = _atom("EXP-001"), _atom("EXP-002", id="EXP-001")
    assert _codes(first, second) == [("EXP-002.md", "duplicate-id", 2)]
    assert _codes(first, _atom("EXP-001", project="q")) == []


def test_stale_evidence_is_reported_where_it_is_cited() -> None:
    for status, expected_count in [
        ("invalidated", 1),
        ("superseded:EXP-009", 1),
        ("challenged", 0),
        ("", 0),
    ]:
        evidence = _atom("EXP-001", status=status)
        claim = _atom("EXP-002", evidence="EXP-001")
        assert _codes(evidence, claim) == [("EXP-002.md", "stale-evidence", 5)] * expected_count


def test_a_bad_project_name_is_reported_once() -> None:
    atoms = (_atom("EXP-001", project="Über"), _atom("EXP-002", project="Über"))
    assert [code for _, code, _ in _codes(*atoms)] == ["bad-project-name"]


cited = st.sampled_from(["EXP-001", "EXP-002", "q/EXP-001", "K-001", "MIL-188"])
found = st.builds(
    lambda name, project, cites, flawed: _atom(
        name, *cites, project=project, flaws=(Flaw("bad-date", "x", 3),) * flawed
    ),
    st.sampled_from(["EXP-001", "EXP-002", "EXP-003"]),
    st.sampled_from(["p", "q"]),
    st.lists(cited, max_size=3),
    st.integers(0, 2),
)


@given(st.lists(found, unique_by=lambda atom: atom.path), st.randoms(use_true_random=False))
def test_findings_are_sorted_and_unique(atoms: list[Atom], shuffler: Random) -> None:
    findings = check_atoms(atoms, KINDS)
    assert findings == sorted(findings, key=lambda f: (f.path, f.line, f.code, f.message))
    assert len(set(findings)) == len(findings)
    shuffler.shuffle(atoms)
    assert check_atoms(atoms, KINDS) == findings, "no two share an id here, so no order matters"
