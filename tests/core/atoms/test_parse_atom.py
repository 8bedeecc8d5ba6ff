"""Text in, atom out: what a file says, and what is wrong with it by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.atoms.find_cited_refs import find_cited_refs
from cortexfs.core.atoms.kinds import Kinds
from cortexfs.core.atoms.parse_atom import parse_atom
from cortexfs.core.atoms.tree_paths import parse_atom_path

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Atom

KINDS = Kinds()
EXP = "projects/p/experiments/EXP-042.md"
VALID = {"id": "EXP-042", "date": "2026-03-01", "project": "p", "summary": "s", "tags": "[a]"}
BODY = "\n## Background\n## Execution\n## Results\n## Conclusion\n## Reflection\n"


def _read(text: str, path: str = EXP) -> Atom:
    place = parse_atom_path(path, KINDS)
    assert place is not None
    return parse_atom(path, place, text)


def _codes(path: str = EXP, body: str = BODY, **fields: str | None) -> dict[str, int]:
    present = {key: value for key, value in {**VALID, **fields}.items() if value is not None}
    block = "".join(f"{key}: {value}\n" for key, value in present.items())
    return {flaw.code: flaw.line for flaw in _read(f"---\n{block}---\n{body}", path).flaws}


def test_a_valid_atom_has_no_flaws() -> None:
    assert _codes() == {}


@pytest.mark.parametrize("key", VALID)
def test_each_missing_required_field_is_a_flaw(key: str) -> None:
    assert _codes(**{key: None}) == {"missing-field": 1}
    assert _codes(**{key: ""})["missing-field"] == 2 + list(VALID).index(key)


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("projects/p/knowledge/K-001.md", "evidence"),
        ("projects/p/patterns/PAT-001.md", "source-experiments"),
    ],
)
def test_the_evidence_field_of_a_kind_is_required(path: str, field: str) -> None:
    ident = path.rpartition("/")[2].removesuffix(".md")
    missing = _codes(path, id=ident, body="")
    assert missing["missing-field"] == 1
    assert "missing-field" not in _codes(path, id=ident, body="", **{field: "EXP-001"})


@pytest.mark.parametrize(
    ("fields", "code", "line"),
    [
        ({"id": "EXP-43"}, "bad-id", 2),
        ({"id": "K-042"}, "bad-id", 2),
        ({"id": "[EXP-042]"}, "bad-id", 2),
        ({"id": "EXP-043"}, "name-mismatch", 2),
        ({"project": "q"}, "project-mismatch", 4),
        ({"date": "March"}, "bad-date", 3),
        ({"date": "2026-02-30"}, "bad-date", 3),
        ({"date": "20260301"}, "bad-date", 3),
        ({"date": "[2026-03-01]"}, "bad-date", 3),
        ({"summary": "x" * 301}, "summary-too-long", 5),
        ({"summary": '"one\\ntwo"'}, "summary-lines", 5),
        ({"status": "sleepy"}, "bad-status", 7),
        ({"status": "[valid]"}, "bad-status", 7),
        ({"status": "accepted"}, "bad-status", 7),
        ({"status": "VALID"}, "status-case", 7),
        ({"refs": "many"}, "bad-refs", 7),
        ({"last-ref": "yesterday"}, "bad-refs", 1),
        ({"tags": "[anti-pattern]"}, "anti-pattern-tag", 6),
        ({"summary": '"ANTI-PATTERN: x"'}, "anti-pattern-tag", 6),
    ],
)
def test_each_flaw_has_its_line(fields: dict[str, str], code: str, line: int) -> None:
    assert _codes(**fields) == {code: line}


@pytest.mark.parametrize(
    "fields",
    [
        {"summary": "x" * 300},
        {"status": "superseded:EXP-020"},
        {"status": "invalidated: EXP-009"},
        {"status": "deprecated"},
        {"refs": "0", "last-ref": "null"},
        {"refs": "12", "last-ref": "2026-04-02T03:12:21.074Z"},
        {"summary": '"ANTI-PATTERN: x"', "tags": "[anti-pattern, a]"},
        {"tags": "a, b"},
        {"anything": "else"},
    ],
)
def test_allowed_values_are_not_flaws(fields: dict[str, str]) -> None:
    assert _codes(**fields) == {}


def test_a_decision_may_be_accepted_and_an_idea_needs_no_project() -> None:
    decision = "projects/p/decisions/0007-x.md"
    assert "bad-status" not in _codes(decision, id="DR-0007", status="accepted")
    assert "missing-field" not in _codes("ideas/IDEA-001.md", id="IDEA-001", project=None)


def test_a_tombstone_needs_no_sections() -> None:
    assert _codes(body="it was wrong\n") == {"missing-section": 8}
    tombstone = {"status": "invalidated", "invalidated-date": "2026-03-01"}
    assert _codes(body="it was wrong\n", **tombstone) == {}


def test_a_legacy_decision_without_frontmatter_is_parsed() -> None:
    text = "# DR-0007: Use git\n\nDate: 2026-01-01\nStatus: accepted\n\n## Context\n"
    atom = _read(text, "projects/p/decisions/0007-use-git.md")
    assert (atom.ref, atom.flaws) == ("p/DR-0007", ())
    assert atom.fields == {
        "id": "DR-0007",
        "summary": "Use git",
        "date": "2026-01-01",
        "status": "accepted",
    }


CITED = """See EXP-001, and (K-008); p.q/EXP-002: `PAT-003`.
Not: xEXP-004 EXP-05 EXP-006-b path/EXP-007.md ./EXP-008 a-EXP-009 exp-010

```
EXP-011 in a block
```
~~~
EXP-012
~~~
EXP-013a again EXP-001
"""


def test_refs_outside_code_blocks_are_citations() -> None:
    block = "".join(f"{key}: {value}\n" for key, value in VALID.items())
    atom = _read(f"---\n{block}---\n{CITED}")
    cited = [(ref, line) for ref, line in atom.cited_refs if ref != "EXP-042"]
    assert cited == [
        *(("EXP-001", 8), ("K-008", 8), ("p.q/EXP-002", 8), ("PAT-003", 8)),
        *(("EXP-013a", 17), ("EXP-001", 17)),
    ]


@pytest.mark.parametrize(
    "address",
    [
        "https://example.com/browse?issue=EXP-001",
        "https://example.com/#EXP-001",
        "[it](https://example.com/?a=1&b=EXP-001)",
        "<https://example.com/?q=EXP-001>",
    ],
)
def test_an_address_cites_no_ref(address: str) -> None:
    assert list(find_cited_refs(f"see {address}.\nSo K-002")) == [("K-002", 2)]


@pytest.mark.parametrize(
    "text",
    [
        "cause=EXP-001",
        "https://example.com EXP-001",
        "[https://example.com,EXP-001]",
        "[https://example.com](EXP-001)",
        "<https://example.com>EXP-001",
    ],
)
def test_a_ref_beside_an_address_is_cited(text: str) -> None:
    assert [ref for ref, _ in find_cited_refs(text)] == ["EXP-001"]


def test_a_week_is_no_date() -> None:
    assert _codes(date="2026-W05-1") == {"bad-date": 3}


def test_only_the_whole_tag_marks_an_anti_pattern() -> None:
    assert _codes(tags="not-anti-patterns") == {}


def test_a_summary_that_names_the_field_of_a_tombstone_does_not_hide_missing_sections() -> None:
    assert _codes(body="", summary="'the field invalidated-date: when to set it'") == {
        "missing-section": 8
    }


def test_a_conflict_marker_is_a_flaw_and_a_heading_underline_is_not() -> None:
    assert _codes(body=f"{BODY}=======\n") == {}
    assert _codes(body=f"{BODY}<<<<<<< ours\n") == {"conflict-marker": 14}


@given(st.text(), st.sampled_from([EXP, "ideas/IDEA-001.md", "decisions/DR-0001-x.md"]))
def test_any_text_parses_to_an_atom_with_a_ref(text: str, path: str) -> None:
    for whole in (text, f"---\n{text}\n---\n", f"---\nid: {text}\n---\n{text}"):
        assert _read(whole, path).ref
