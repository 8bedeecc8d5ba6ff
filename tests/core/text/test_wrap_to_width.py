"""Lines are broken at blanks, never wider than asked, and nothing but blanks is lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.text.display_width import display_width
from cortexfs.core.text.wrap_to_width import wrap_to_width

TEXTS = st.text(st.sampled_from("ab Ω中文é-"), max_size=60)


def test_words_stay_whole_where_they_fit() -> None:
    assert wrap_to_width("the quick brown fox", 10) == ["the quick", "brown fox"]
    assert wrap_to_width("", 10) == [""]
    assert wrap_to_width("abcdefgh ij", 5) == ["abcde", "fgh", "ij"]


@given(TEXTS, st.integers(2, 30))
def test_no_line_is_too_wide_and_only_blanks_are_lost(text: str, width: int) -> None:
    lines = wrap_to_width(text, width)
    assert all(display_width(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())
