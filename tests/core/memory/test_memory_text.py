"""Names of projects and titles of sessions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.atoms.parse_atom import MAX_SUMMARY_CHARS
from cortexfs.core.atoms.tree_paths import is_project_name
from cortexfs.core.memory.memory_text import (
    make_session_title,
    normalize_project,
    parse_project_name,
)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("My App", "my-app"),
        ("flywheel", "flywheel"),
        ("-._x._-", "x"),
        ("", ""),
        ("é", ""),
        ("con", ""),
        ("a" * 80, "a" * 64),
    ],
)
def test_a_name_becomes_that_of_a_project(typed: str, name: str) -> None:
    assert parse_project_name(typed) == name
    assert normalize_project(typed) == (name or "general")


@given(st.text())
def test_any_name_gives_a_valid_project(typed: str) -> None:
    assert is_project_name(normalize_project(typed))


def test_a_long_first_line_is_cut() -> None:
    assert len(make_session_title("s-1", "word " * 400)) <= MAX_SUMMARY_CHARS
    assert make_session_title("s-1", " \n") == "Session s-1"
