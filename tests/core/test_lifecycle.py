"""Statuses: which section each puts an atom in, and how they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.lifecycle import read_status

if TYPE_CHECKING:
    from collections.abc import Callable

KNOWN = [
    *("active", "valid", "partial", "challenged", "corrected", "superseded", "refined"),
    *("deprecated", "stale", "invalidated"),
]
cases = st.sampled_from([str, str.upper, str.title, lambda word: f"  {word} "])


@given(st.sampled_from(KNOWN), cases, st.sampled_from(["", ":EXP-020", ": EXP-020 "]))
def test_case_and_cause_do_not_change_the_section(
    word: str, case: Callable[[str], str], cause: str
) -> None:
    status = read_status(f"{case(word)}{cause}")
    assert (status.word, status.known) == (word, True)
    assert status.section == oracle.section(word)
    assert str(status) == word + cause.replace(" ", "")


@pytest.mark.parametrize("word", ["sleepy", "act", "valid-ish", "null", "true"])
def test_an_unknown_status_is_read_as_active_and_said_to_be_unknown(word: str) -> None:
    status = read_status(word)
    assert (status.section, status.known) == (oracle.ACTIVE, False)


@pytest.mark.parametrize("text", ["", "  ", ":EXP-001"])
def test_no_status_is_active(text: str) -> None:
    assert str(read_status(text)) == "active"


@given(st.text())
def test_reading_never_raises_and_gives_a_section(text: str) -> None:
    assert read_status(text).section in {oracle.ACTIVE, oracle.SUPERSEDED, oracle.INVALIDATED}
