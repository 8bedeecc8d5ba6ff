"""Caps: how they are measured, whose they are, and which edits they let through."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.checks.size_limits import (
    DEFAULT_CAPS,
    Cap,
    find_cap,
    is_edit_allowed,
    is_over_cap,
    measure_text,
)
from cortexfs.core.settings.settings_file import parse_settings


@given(st.text())
def test_lines_are_counted_as_in_an_editor_and_bytes_as_on_disk(text: str) -> None:
    encodable = text.encode(errors="replace").decode()
    bare = encodable.removesuffix("\n")
    assert measure_text(encodable).bytes == len(encodable.encode())
    assert measure_text(encodable).lines == (bare.count("\n") + 1 if encodable else 0)


@given(st.text(max_size=30), st.text(max_size=30), st.integers(0, 5), st.integers(0, 20))
def test_an_edit_is_allowed_if_it_is_within_the_cap_or_shrinks_the_file(
    before: str, after: str, lines: int, most: int
) -> None:
    cap = Cap(lines, most)
    before, after = (text.encode(errors="replace").decode() for text in (before, after))
    if is_edit_allowed(before, after, cap):
        assert not is_over_cap(after, cap) or sum(measure_text(after)) < sum(measure_text(before))
    else:
        assert is_over_cap(after, cap)
        assert not is_edit_allowed(None, after, cap)


@pytest.mark.parametrize(
    ("name", "cap"),
    [
        ("mission.md", Cap(lines=100)),
        ("roadmap.md", Cap(lines=250)),
        ("STATUS.md", Cap(lines=120)),
        ("ISSUES.md", Cap(lines=80)),
        ("CORTEX.md", Cap(lines=120, bytes=8192)),
        ("OVERVIEW.md", Cap(lines=60)),
        ("USER.md", Cap(bytes=3072)),
    ],
)
def test_governance_files_have_caps_and_atoms_have_none(name: str, cap: Cap) -> None:
    assert find_cap(f"projects/p/{name}", {}) == cap
    assert find_cap(name, {name: Cap(lines=1)}) == Cap(lines=1)
    assert find_cap("projects/p/experiments/EXP-001.md", {}) is None
    assert len(DEFAULT_CAPS) == 7


def test_settings_change_caps_and_keep_the_other_defaults() -> None:
    text = "caps:\n  STATUS.md: {lines: 80, bytes: 6144}\n  CORTEX.md: {bytes: 0}\n"
    settings = parse_settings(text)
    assert settings.flaws == ()
    assert settings.caps == {"STATUS.md": Cap(80, 6144), "CORTEX.md": Cap(120, 0)}
    assert str(settings.caps["STATUS.md"]) == "80 lines and 6144 bytes"


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("caps: 80\n", 1, 1),
        ("caps: {STATUS.md: 80}\n", 1, 8),
        ("caps:\n  NOTES.md: {lines: 80}\n", 2, 3),
        ("caps:\n  STATUS.md: {lines: many}\n", 2, 15),
        ("caps:\n  STATUS.md:\n    lines: -1\n", 3, 5),
        ("caps:\n  STATUS.md:\n    lines: [80]\n", 3, 5),
        ("caps:\n  STATUS.md:\n    words: 80\n", 3, 5),
    ],
)
def test_an_invalid_cap_is_one_flaw_with_its_place(text: str, line: int, column: int) -> None:
    settings = parse_settings(text)
    assert [(f.code, f.line, f.column) for f in settings.flaws] == [("bad-setting", line, column)]
    assert settings.caps == {}
