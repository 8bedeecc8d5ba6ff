"""Statuses: which section each puts an atom in, and how they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import page, rows, section, words

from cortexfs.core.atoms.lifecycle import (
    CAUTION_STATUSES,
    OVERTURNED_STATUSES,
    STATUS_SECTIONS,
    STATUS_TRANSITIONS,
    STATUSES_WITH_CAUSE,
    SUCCESSOR_STATUSES,
    IndexMdSection,
    parse_atom_status,
)

if TYPE_CHECKING:
    from collections.abc import Callable

KNOWN = [
    *("active", "valid", "partial", "challenged", "corrected", "superseded", "refined"),
    *("deprecated", "stale", "invalidated"),
]
cases = st.sampled_from([str, str.upper, str.title, lambda word: f"  {word} "])


@given(st.sampled_from(KNOWN), cases, st.sampled_from(["", ":EXP-020", ": EXP-020 "]))
def test_case_and_cause_of_a_status_do_not_change_its_section(
    word: str, case: Callable[[str], str], cause: str
) -> None:
    status = parse_atom_status(f"{case(word)}{cause}")
    assert (status.word, status.is_known) == (word, True)
    assert status.section == oracle.section(word)
    assert str(status) == word + cause.replace(" ", "")


@pytest.mark.parametrize("word", ["sleepy", "act", "valid-ish", "null", "true"])
def test_an_unknown_status_is_active_and_marked_as_unknown(word: str) -> None:
    status = parse_atom_status(word)
    assert (status.section, status.is_known) == (oracle.ACTIVE, False)


@pytest.mark.parametrize("text", ["", "  ", ":EXP-001"])
def test_an_atom_without_a_status_is_active(text: str) -> None:
    assert str(parse_atom_status(text)) == "active"


@given(st.text())
def test_any_text_parses_to_a_status_with_a_section(text: str) -> None:
    assert parse_atom_status(text).section in {oracle.ACTIVE, oracle.SUPERSEDED, oracle.INVALIDATED}


def test_every_status_has_its_transitions() -> None:
    assert set(STATUS_TRANSITIONS) == set(STATUS_SECTIONS)
    assert {way for ways in STATUS_TRANSITIONS.values() for way in ways} == set(STATUS_SECTIONS)


def test_no_transition_leads_out_of_invalidated() -> None:
    assert STATUS_TRANSITIONS["invalidated"] == ()
    assert all(
        "invalidated" in ways for word, ways in STATUS_TRANSITIONS.items() if word != "invalidated"
    )


def test_a_replaced_atom_can_only_become_active_again() -> None:
    for word in (*SUCCESSOR_STATUSES, "deprecated"):
        assert [
            way for way in STATUS_TRANSITIONS[word] if STATUS_SECTIONS[way] is IndexMdSection.ACTIVE
        ] == ["active"]


def test_an_outdated_atom_cannot_be_challenged_or_corrected() -> None:
    outdated = [
        word for word, section in STATUS_SECTIONS.items() if section is not IndexMdSection.ACTIVE
    ]
    assert not [word for word in outdated if set(CAUTION_STATUSES) & set(STATUS_TRANSITIONS[word])]


def test_the_format_page_lists_the_transitions() -> None:
    table = rows(section(page("docs/format.md"), "### What may follow"))
    documented = {word: words(ways) for cells, ways in table for word in words(cells)}
    assert {word: set(ways) - {"restore"} for word, ways in documented.items()} == {
        word: set(ways) for word, ways in STATUS_TRANSITIONS.items()
    }


def test_the_format_page_lists_the_statuses_that_need_a_cause() -> None:
    table = rows(section(page("docs/format.md"), "### What a change of status requires"))
    assert {w for cells in table if "required" in cells[1] for w in words(cells[0])} == set(
        STATUSES_WITH_CAUSE
    )
    assert {w for cells in table if "impact" in cells[2] for w in words(cells[0])} == set(
        OVERTURNED_STATUSES
    )
