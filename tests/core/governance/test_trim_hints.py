"""What is over its cap is refused with what could go; what shrinks is let through."""

from __future__ import annotations

import time

import pytest

from cortexfs.core.checks.size_limits import Cap
from cortexfs.core.governance.trim_hints import list_trim_hints, require_within_cap
from cortexfs.errors import OverCap

ISSUES = """# p issues

## Young (2026-05-01)

- Problem: short.

## The oldest of them all, with a title that is long (2026-03-01)

- Problem: short.

## Long (2026-04-01)

- Problem: short.
- When: this goes on for a while
  and then for a while longer.
"""


def test_hints_name_the_oldest_entry_the_longest_section_and_the_longest_bullet() -> None:
    assert list_trim_hints(ISSUES) == [
        "the oldest entry `The oldest of them all, with a title th…`",
        "the longest section `Long (2026-04-01)` (3 lines)",
        "the longest bullet `When: this goes on for a while`",
    ]
    assert list_trim_hints("words alone\n") == []


def test_a_refused_edit_names_its_lines_and_bytes() -> None:
    with pytest.raises(OverCap) as refused:
        require_within_cap(Cap(lines=3, bytes=40), "p/STATUS.md", "one\n", "## A\n\n- xxx\n- y\n")
    assert str(refused.value) == (
        "p/STATUS.md would have 4 lines and 16 bytes; its cap is 3 lines and 40 bytes"
    )
    assert refused.value.hint == (
        "you could remove: the longest section `A` (2 lines); the longest bullet `xxx`"
    )
    assert (refused.value.exit_code, refused.value.kind) == (3, "over-cap")


def test_an_edit_that_shrinks_a_file_over_its_cap_is_allowed() -> None:
    require_within_cap(Cap(lines=1), "x", "a\nb\nc\n", "a\nb\n")
    with pytest.raises(OverCap):
        require_within_cap(Cap(lines=1), "x", "a\nb\n", "a\nb\nc\n")
    with pytest.raises(OverCap):
        require_within_cap(Cap(lines=1), "x", None, "a\nb\n")


def test_a_file_without_a_cap_may_have_any_size() -> None:
    require_within_cap(None, "x", None, "a\n" * 10_000)
    require_within_cap(Cap(), "x", None, "a\n" * 10_000)


def test_many_sections_take_linear_time() -> None:
    began = time.process_time()
    list_trim_hints("# a\n" * 50_000)
    assert time.process_time() - began < 5
