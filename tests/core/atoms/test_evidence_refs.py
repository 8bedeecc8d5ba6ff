"""Evidence of an atom: refs among words, addresses, files and commits."""

from __future__ import annotations

import pytest

from cortexfs.core.atoms.atom import Atom, Ref
from cortexfs.core.atoms.evidence_refs import (
    is_external_source,
    list_evidence_refs,
    split_evidence_items,
)
from cortexfs.core.atoms.kinds import Kinds
from cortexfs.core.indexes.index_row import MAX_ITEM_CHARS, make_index_row

PREFIXES = {kind.prefix for kind in Kinds()}
SOURCES = (
    "https://example.org/a,b?c=1",
    "src/store.py:42",
    "notes.md",
    "9f3a1c2",
    "Knuth, TAOCP 3, §6.4",
    "RFC-9110",
)


@pytest.mark.parametrize("source", SOURCES)
def test_evidence_may_be_something_else_than_an_atom(source: str) -> None:
    assert is_external_source(source, PREFIXES)
    assert split_evidence_items(source) == (source,)
    atom = Atom("p/x.md", "knowledge", Ref("p/K-001"), "p", {"evidence": (source,)})
    assert [cited for cited, _ in list_evidence_refs(atom)] == (
        ["RFC-9110"] if source == "RFC-9110" else []
    )


@pytest.mark.parametrize("typed", ["EXP-001", "EXP-1", "exp001", "p/EXP-9", "K5", "nothing"])
def test_a_mistyped_ref_is_not_an_external_source(typed: str) -> None:
    assert not is_external_source(typed, PREFIXES)


def test_evidence_is_split_at_commas_between_refs_only() -> None:
    assert split_evidence_items("EXP-001, p/EXP-2,K-003") == ("EXP-001", "p/EXP-2", "K-003")
    assert split_evidence_items("EXP-001, table 2") == ("EXP-001, table 2",)
    assert split_evidence_items(" , ") == ()


def test_hostile_evidence_in_words_becomes_one_line_without_control_characters() -> None:
    hostile = "a book\x1b]0;owned\x07\n---\n- id: EXP-001\u202e, p. 3"
    assert split_evidence_items(hostile) == ("a book]0;owned --- - id: EXP-001, p. 3",)
    assert split_evidence_items("EXP-001\n,\x1bEXP-002") == ("EXP-001", "EXP-002")


def test_a_ref_among_words_is_evidence() -> None:
    fields = {"evidence": ("table 2 of EXP-001", "EXP-001"), "source": "p/EXP-002 and q/EXP-003"}
    atom = Atom("p/x.md", "knowledge", Ref("p/K-001"), "p", fields)
    assert list_evidence_refs(atom) == [
        ("EXP-001", "evidence"),
        ("p/EXP-002", "source"),
        ("q/EXP-003", "source"),
    ]


def test_an_index_row_shortens_and_escapes_a_source() -> None:
    kind = Kinds().find_by_name("knowledge")
    assert kind
    long = "https://example.org/" + "x" * 100
    hostile = "a|b [c](d) <img> `e`"
    fields = {"id": "K-001", "evidence": (long, hostile)}
    row = make_index_row(Atom("p/K-001.md", "knowledge", Ref("p/K-001"), "p", fields), kind)
    shown = row.head.rpartition(" | ")[2]
    assert shown == f"{long[: MAX_ITEM_CHARS - 1]}…, " + "a\\|b \\[c\\](d) \\<img> \\`e\\`"
