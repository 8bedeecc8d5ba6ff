"""Texts of strangers are read in linear time, however they are made."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from cortexfs.core.stories.colours.coloured_text import read_coloured_text
from cortexfs.core.stories.colours.speaker_colour import parse_colour_line
from cortexfs.core.stories.consolidation.split_sentences import split_sentences
from cortexfs.core.stories.prompt.envelope import clean_text
from cortexfs.core.stories.prompt.macros import find_macros
from cortexfs.core.stories.read_entity_file import parse_entity_file
from cortexfs.core.stories.summary_file import parse_summary_file

if TYPE_CHECKING:
    from collections.abc import Callable

HEAD = "---\nid: ENT-001\nsummary: X\nstory: road\n---\n"
PATH = "projects/p/entities/ENT-001-x.md"


def read_section(title: str) -> Callable[[str], object]:
    return lambda text: parse_entity_file(f"{HEAD}\n## {title}\n\n- a: {text}", PATH)


READERS: dict[str, tuple[Callable[[str], object], tuple[str, ...]]] = {
    "sentences": (split_sentences, ("!", "...", "*a ", '."', "_a ", "[](", " ")),
    "macros": (find_macros, ("{{a:: ", " ", "{{", "{{a ")),
    "a macro": (lambda text: find_macros(f"{{{{entities::{text}x"), (" ", "a ", "a")),
    "prompt": (clean_text, ("<!--", "<a", "-->", "<a >", "<!-- -->", "{{")),
    "tags in tags": (lambda text: clean_text(text + text.replace("<a", ">")), ("<a",)),
    "colour": (lambda text: parse_colour_line(f"- speech:{text}{'x' * 70}"), (" ", "(", "a ")),
    "tags": (read_coloured_text, ("<a '", '<font color="', "&#9", "<i>", "<font color=red>")),
    "facts": (read_section("Facts"), (" ", "b\n", "(CH-001 ", "- b\n", "<!--")),
    "relations": (read_section("Relations"), (" ", "; strength 1", "CH-001 ", ", ", "b\n")),
    "scene": (lambda text: parse_summary_file(HEAD + text, ""), (" ", "* ", "(CH-001, ", "<!--")),
    "emotions": (read_section("Emotional profile"), (" ", ": ", "1", "b\n")),
}  # fmt: skip


@pytest.mark.parametrize("name", READERS)
def test_a_long_text_of_anything_is_read_in_linear_time(name: str) -> None:
    read, units = READERS[name]

    def cpu_s(text: str) -> float:
        begin = time.process_time()
        read(text)
        return time.process_time() - begin

    for unit in units:
        short, long = unit * (3000 // len(unit)), unit * (30_000 // len(unit))
        assert cpu_s(long) < 40 * max(cpu_s(short), 0.003), unit


def test_the_number_of_a_character_may_have_thousands_of_digits() -> None:
    text = f"<font color=red>a &#{'9' * 5000};&#x{'f' * 5000}; &lt;b&#233;</font>"
    assert read_coloured_text(text).plain == "a \ufffd\ufffd <b\N{LATIN SMALL LETTER E WITH ACUTE}"
