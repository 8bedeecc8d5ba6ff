"""Text made harmless: nothing of it is obeyed, what can be seen stays."""

from __future__ import annotations

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.text.sanitize import format_cell, strip_unprintable, to_one_line

TAGS = range(0xE0000, 0xE0080)


def _is_harmful(char: str) -> bool:
    """Say by the Unicode tables what a terminal obeys, or a reader is fooled by."""
    reorders = unicodedata.bidirectional(char) in {
        *("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
    }
    control = unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"} and char not in "\n\t"
    return reorders or control or ord(char) in TAGS or char in "\u200b\u200e\u200f\u061c\ufeff"


@given(st.text(st.characters()))
def test_only_harmful_characters_are_removed(text: str) -> None:
    cleaned = strip_unprintable(text)
    assert not any(map(_is_harmful, cleaned))
    lost = set(text) - set(cleaned)
    assert all(unicodedata.category(char)[0] in "CZ" for char in lost)


@given(st.text(st.characters()))
def test_sanitizing_twice_is_sanitizing_once(text: str) -> None:
    for clean in (strip_unprintable, to_one_line):
        assert clean(clean(text)) == clean(text)


@given(st.text(st.characters()))
def test_one_line_has_no_newline_and_no_spaces_at_its_ends(text: str) -> None:
    line = to_one_line(text)
    assert line.splitlines() in ([], [line])
    assert line == line.strip()


def test_newlines_tabs_and_letters_of_all_scripts_stay() -> None:
    text = "a\tb\nünï 漢字 עברית\u200dनमस्ते 👩\u200d🔬 [bold] \\x1b"
    assert strip_unprintable(text) == text


@given(st.text(), st.integers(2, 50))
def test_a_table_cell_has_no_markup_and_reads_as_the_line(text: str, width: int) -> None:
    cleaned = format_cell(text)
    assert "\n" not in cleaned
    assert not re.search(r"(?<!\\)(\\\\)*[|`\[\]<]", cleaned), "no mark stands unescaped"
    assert re.sub(r"\\(.)", r"\1", cleaned) == to_one_line(text)
    short = re.sub(r"\\(.)", r"\1", format_cell(text, width))
    assert len(short) <= width
    assert short == to_one_line(text) or (
        short[-1] == "…" and to_one_line(text).startswith(short[:-1])
    )
