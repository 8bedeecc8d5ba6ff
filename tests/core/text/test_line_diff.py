from __future__ import annotations

import difflib
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.text.line_diff import format_unified_diff, match_lines

texts = st.lists(st.sampled_from([*"abcdefgh", "", " "]), max_size=30)


@given(texts, texts)
def test_matched_lines_are_equal_and_in_the_order_of_both_texts(
    old: list[str], new: list[str]
) -> None:
    pairs = match_lines(old, new)
    assert all(old[at] == new[place] for at, place in pairs)
    assert all(one[0] < other[0] and one[1] < other[1] for one, other in itertools.pairwise(pairs))


@given(texts, st.data())
def test_every_line_of_a_text_that_only_grows_is_matched(
    old: list[str], data: st.DataObject
) -> None:
    new = list(old)
    for at in data.draw(st.lists(st.integers(0, 30), max_size=4)):
        new.insert(min(at, len(new)), "new")
    assert [at for at, _ in match_lines(old, new)] == list(range(len(old)))


@given(texts, texts)
def test_applying_a_diff_gives_the_other_text(old: list[str], new: list[str]) -> None:
    lines, changed = ([f"{line}\n" for line in text] for text in (old, new))
    assert _apply_patch(lines, list(format_unified_diff(lines, changed, "a", "b"))) == changed


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a b c", "a x c"),
        ("a", "a b"),
        ("", "a b"),
        ("a b", ""),
        ("a b c d e f g h i j k l m", "a x c d e f g h i j k y m"),
        ("a b c d e f g h i", "b c d e f g h i j"),
        ("a b", "a b"),
    ],
)
def test_a_simple_diff_equals_that_of_difflib(old: str, new: str) -> None:
    lines, changed = ([f"{line}\n" for line in text.split()] for text in (old, new))
    expected = list(difflib.unified_diff(lines, changed, "one", "other"))
    assert list(format_unified_diff(lines, changed, "one", "other")) == expected


def _apply_patch(lines: list[str], diff: list[str]) -> list[str]:
    """Apply a diff as `patch` does: every removed and every equal line must be where it says."""
    patched: list[str] = []
    at = 0
    for line in diff[2:]:
        if line.startswith("@@"):
            start, _, count = line.split()[1][1:].partition(",")
            first = int(start) - (count != "0")
            patched += lines[at:first]
            at = first
        elif line[0] == "+":
            patched.append(line[1:])
        else:
            assert lines[at] == line[1:]
            patched += [line[1:]] if line[0] == " " else []
            at += 1
    return patched + lines[at:]
