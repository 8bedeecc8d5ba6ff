"""The first sentence of a text is its title."""

from __future__ import annotations

import pytest

from cortexfs.core.text.title_and_rest import split_title_and_rest


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Clock drifts", ("Clock drifts", "")),
        ("Clock drifts. It loses 3 s a day.", ("Clock drifts", "It loses 3 s a day.")),
        ("Why does it drift?\n\nNobody knows.", ("Why does it drift?", "Nobody knows.")),
        ("Version 1.2 drifts", ("Version 1.2 drifts", "")),
        ("And so on...", ("And so on...", "")),
        ("a bb ccc dddd eeeee", ("a bb ccc…", "a bb ccc dddd eeeee")),
        ("x" * 30, ("x" * 19 + "…", "x" * 30)),
        ("", ("", "")),
    ],
)
def test_a_title_is_short_and_the_rest_keeps_what_was_cut(
    text: str, parts: tuple[str, str]
) -> None:
    width = 13 if text.startswith("a bb") else 20
    assert split_title_and_rest(text, width) == parts
