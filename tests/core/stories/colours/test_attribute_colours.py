"""Whose the coloured parts of stories are."""

from __future__ import annotations

import re
from time import thread_time
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from painted_stories import STORIES, PaintedStory

from cortexfs.core.stories.colours.attribute_colours import Attribution, attribute_colours
from cortexfs.core.stories.colours.coloured_text import remove_colour_tags, remove_tags
from cortexfs.core.stories.colours.read_colours import find_people
from cortexfs.core.stories.entities.read_passage import clean_speaker, read_passage


def attribute(speaker: str, text: str) -> list[Attribution]:
    """Attribute the colours of one message that is a chunk of its own."""
    people = find_people(read_passage(remove_tags(text), [speaker]))
    return attribute_colours(text, people.get(clean_speaker(speaker), ""), people)


def compare(story: PaintedStory) -> list[tuple[tuple[str, str], tuple[str, str], str]]:
    found = attribute(story.speaker, story.paint())
    pairs = [(each.name, str(each.span.usage)) for each in found]
    assert len(pairs) == len(story.list_expected())
    return list(zip(story.list_expected(), pairs, (each.text for each in found), strict=True))


def test_nine_of_ten_parts_of_every_story_are_attributed() -> None:
    compared = {name: compare(story) for name, story in STORIES.items()}
    every = [triple for triples in compared.values() for triple in triples]
    wrong = [triple for triple in every if triple[0] != triple[1]]
    assert len(every) >= 60
    assert len(wrong) <= len(every) * 0.1, wrong
    for name, triples in compared.items():
        right = sum(expected == found for expected, found, _ in triples)
        assert right >= len(triples) * 0.7, (name, triples)


class Case(NamedTuple):
    """A message, its speaker, and what is found: whose, what it shows, how sure."""

    text: str
    found: list[tuple[str, str, float]]
    speaker: str = "Assistant"


KNOWN = "Melina frowned. Kael sighed. Melina nodded. Kael bowed."
"""A first paragraph by which both are known."""

CASES = {
    "the subject of a verb": Case(
        "<font color=red>Melina stepped through the arch.</font>", [("Melina", "narration", 0.9)]
    ),
    "before speech": Case(
        'Melina whispered, <font color="red">"Go."</font>', [("Melina", "speech", 0.88)]
    ),
    "after speech": Case(
        '<font color=\'red\'>"Go,"</font> said Kael.', [("Kael", "speech", 0.85)]
    ),
    "in the coloured part after it": Case(
        '<font color=#abc>"Go,"</font> <font color=#def>Kael said.</font>',
        [("Kael", "speech", 0.92), ("Kael", "narration", 0.9)],
    ),
    "in the coloured part before it": Case(
        '<font color=#def>Kael said,</font> <font color=#abc>"Go."</font>',
        [("Kael", "narration", 0.9), ("Kael", "speech", 0.9)],
    ),
    "the only one in the paragraph": Case(
        'Melina bowed. Then a silence. <font color=red>"Go."</font>', [("Melina", "speech", 0.8)]
    ),
    "the nearest of two": Case(
        f"{KNOWN}\n\nThere were Kael, and two dogs, and a child, and then Melina, and "
        '<font color=red>"Go."</font>',
        [("Melina", "speech", 0.78)],
    ),
    "somebody is addressed": Case(
        f'{KNOWN}\n\n<font color=red>"Kael, go."</font>', [("", "speech", 0.0)]
    ),
    "the speaker says I": Case(
        "<font color=red>I step back and draw my knife.</font>",
        [("Juno", "narration", 0.7)],
        "Juno",
    ),
    "the speaker says I among others": Case(
        f"{KNOWN}\n\n<font color=red>I step back and draw my knife.</font>",
        [("Juno", "narration", 0.45)],
        "Juno",
    ),
    "the speaker's message": Case(
        "<font color=red>The door creaks open.</font>", [("Juno", "narration", 0.5)], "Juno"
    ),
    "the speaker's message with others": Case(
        f"{KNOWN}\n\n<font color=red>The door creaks open.</font>",
        [("Juno", "narration", 0.35)],
        "Juno",
    ),
    "too short to be the speaker's": Case(
        "<font color=red>Creak.</font>", [("", "narration", 0.0)], "Juno"
    ),
    "a role is nobody": Case(
        "<font color=red>The door creaks open.</font>", [("", "narration", 0.0)], "assistant"
    ),
    "the colour of another part": Case(
        '<font color=red>"Go,"</font> said Kael.\n\n<font color=#f00>"Now."</font>',
        [("Kael", "speech", 0.85), ("Kael", "speech", 0.7)],
    ),
    "a span": Case(
        '<span class="x" style="background-color: #fff; color: rgb(255, 0, 128)">Kael ran.</span>',
        [("Kael", "narration", 0.9)],
    ),
    "a thought in its tags": Case(
        "<font color=red><thinking>Kael hated the cold.</thinking></font>",
        [("Kael", "thought", 0.9)],
    ),
    "a thought in asterisks around": Case(
        "*<font color=red>She knows,</font>* thought Kael.", [("Kael", "thought", 0.85)]
    ),
    "stress is no thought": Case(
        "<font color=red>**Kael ran.**</font>", [("Kael", "narration", 0.9)]
    ),
    "quotes outside of the tag": Case(
        '"<font color=red>Go,</font>" said Kael.', [("Kael", "speech", 0.85)]
    ),
    "one in another": Case(
        '<font color=red>Kael said: <font color=blue>"Go!"</font></font>',
        [("Kael", "narration", 0.9), ("Kael", "speech", 0.9)],
    ),
    "never closed": Case(
        "<font color=red>Kael ran.", [("Kael", "narration", 0.9)]
    ),
    "no colour": Case("<font size=3>Kael</font> <b color=red>ran</b>.", []),
    "escaped": Case("&lt;font color=red&gt;Kael ran.&lt;/font&gt;", []),
    "the word alone": Case("Kael wrote < font color = red, and ran.", []),
    "an unknown colour": Case("<font color=sparkling>Kael ran.</font>", []),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_part_is_attributed_by_what_stands_beside_it(case: Case) -> None:
    found = [
        (each.name, str(each.span.usage), each.confidence)
        for each in attribute(case.speaker, case.text)
    ]
    assert found == case.found


PIECES = (
    *("<font color=red>", "</font>", "<span style='color:#abc'>", "</span>", "<i>", "</i>", '"'),
    *("*", "Kael said", " Melina ", "\n", "I am", "<", ">", "&quot;", "<br>", "color"),
)


@settings(max_examples=settings().max_examples)
@given(
    st.lists(
        st.sampled_from(PIECES) | st.text(max_size=5),
        max_size=40,
    ).map("".join)
)
def test_any_message_is_read(text: str) -> None:
    for each in attribute("Kael", text):
        assert 0 <= each.confidence <= 1
        assert each.text.strip()
        assert re.fullmatch("#[0-9a-f]{6}", each.span.colour)


@pytest.mark.parametrize(
    "text",
    [
        "<font color=red>x" * 5000,
        "<font " * 20_000 + "color",
        '<font color="' * 10_000,
        "<font color=red>Kael said" * 4000,
        "<i>" * 30_000 + "<font color=red>Kael",
        '<font color=red>"Go,"</font> Kael said. ' * 2000,
        "Kael " * 20_000 + "<font color=red>x</font>",
    ],
    ids=range(7),
)
def test_a_long_message_takes_time_in_proportion(text: str) -> None:
    people = {"Kael": "Kael"}
    started = thread_time()
    attribute_colours(text[: len(text) // 4], "Kael", people)
    quarter = thread_time() - started
    started = thread_time()
    attribute_colours(text, "Kael", people)
    assert thread_time() - started <= max(0.2, quarter * 10)


def test_only_tags_of_colours_are_left_out_where_others_may_be_talked_about() -> None:
    said = '<font color="#ff0000">"Use a Vec<u8>,"</font> he <SPAN style="color:red">said</SPAN>.'
    assert remove_colour_tags(said) == '"Use a Vec<u8>," he said.'
