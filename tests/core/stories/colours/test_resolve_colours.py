"""The colours of characters over many passages."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.stories.chunk_passage import ChunkPassage
from cortexfs.core.stories.colours.colour_codes import parse_colour
from cortexfs.core.stories.colours.read_colours import read_colours
from cortexfs.core.stories.colours.resolve_colours import resolve_colours
from cortexfs.core.stories.colours.speaker_colour import (
    ColourUsage,
    SpeakerColour,
    format_colour_line,
    parse_colour_line,
)
from cortexfs.core.stories.entities.entity import Entity
from cortexfs.core.stories.entities.evidence import PassageEvidence, Totals
from cortexfs.core.stories.passages_text import (
    format_passages,
    make_passages_head,
    parse_passages,
)

RED, BLUE = "#ff0000", "#0000ff"


def person(name: str, *aliases: str, kind: str = "character") -> Entity:
    return Entity(name, kind, aliases, 3, 0.9, "", 1, 1, "active", "", (), confirmed=True)


def resolve(*passages: dict[str, list[int]]) -> dict[str, list[tuple[str, str, float]]]:
    """Return what is known after passages in which Kael, Melina (Mel) and a place are."""
    totals = Totals()
    for number, colours in enumerate(passages, 1):
        totals.add(number, PassageEvidence(colours=colours))
    entities = (person("Kael"), person("Melina", "Mel"), person("Rome", kind="location"))
    found = resolve_colours(totals, entities)
    return {
        name: [(str(each.usage), each.colour, each.confidence) for each in colours]
        for name, colours in found.items()
    }


@pytest.mark.parametrize(
    ("times", "expected"), [(1, 0.35), (2, 0.55), (9, 0.55)]
)  # fmt: skip
def test_many_guesses_are_hardly_surer_than_one(times: int, expected: float) -> None:
    found = resolve(*[{f"Kael|speech|{RED}": [1, 35]}] * times)
    assert found == {"Kael": [("speech", RED, expected)]}


@pytest.mark.parametrize(("times", "expected"), [(2, 0.77), (3, 0.81), (10, 0.9), (1000, 0.95)])
def test_sightings_add_up_to_the_curve(times: int, expected: float) -> None:
    assert resolve({f"Kael|speech|{RED}": [times, times * 65]})["Kael"][0][2] == expected


def test_a_colour_that_a_person_has_given_to_somebody_is_nobody_elses() -> None:
    totals = Totals()
    seen = {f"Mel|speech|{RED}": [9, 800], f"Mel|speech|{BLUE}": [1, 80]}
    totals.add(1, PassageEvidence(colours=seen))
    entities = (person("Kael"), person("Melina", "Mel"))
    for owned, colour in (
        ((), RED),
        ((("Kael", "speech", RED),), BLUE),
        ((("Kael", "thought", RED),), RED),
        ((("Nobody", "speech", RED),), BLUE),
        ((("Mel", "speech", RED),), RED),
        ((("Kael", "speech", RED), ("Melina", "speech", RED)), RED),
    ):
        found = resolve_colours(totals, entities, owned)
        assert [each.colour for each in found["Melina"]] == [colour], owned


def test_forms_of_a_name_are_one_and_a_place_has_no_colours() -> None:
    found = resolve(
        {f"Mel|speech|{RED}": [1, 90]},
        {f"Rome|speech|{BLUE}": [5, 450], f"Nobody|speech|{BLUE}": [1, 90]},
        {f"Melina|speech|{RED}": [2, 170], f"Melina|thought|{BLUE}": [1, 85]},
    )  # fmt: skip
    assert found == {"Melina": [("speech", RED, 0.87), ("thought", BLUE, 0.85)]}


def test_a_colour_of_somebody_else_is_not_taken_by_one_mistake() -> None:
    ours, mistake = {f"Kael|speech|{RED}": [2, 180]}, {f"Melina|speech|{RED}": [1, 78]}
    found = resolve(ours, ours, mistake, {f"Melina|speech|{BLUE}": [2, 170]})
    assert found == {"Kael": [("speech", RED, 0.9)], "Melina": [("speech", BLUE, 0.85)]}


def test_two_may_share_a_colour_if_both_are_sure() -> None:
    grey = "#808080"
    found = resolve({f"Kael|thought|{grey}": [3, 270], f"Melina|thought|{grey}": [2, 180]})
    assert set(found) == {"Kael", "Melina"}
    unsure = resolve({f"Kael|thought|{grey}": [3, 270], f"Melina|thought|{grey}": [2, 70]})
    assert set(unsure) == {"Kael"}


def test_an_earlier_colour_stays_until_another_is_seen_more() -> None:
    first, other = {f"Kael|speech|{RED}": [3, 270]}, {f"Kael|speech|{BLUE}": [3, 270]}
    assert resolve(first, other)["Kael"] == [("speech", RED, 0.9)]
    assert resolve(first, other, other)["Kael"] == [("speech", BLUE, 0.9)]


claims = st.dictionaries(
    st.builds(
        "|".join,
        st.tuples(
            st.sampled_from(["Kael", "Mel", "Melina"]),
            st.sampled_from(["speech", "thought", "narration"]),
            st.sampled_from([RED, BLUE]),
        ),
    ),
    st.integers(1, 4).flatmap(lambda n: st.integers(n * 35, n * 92).map(lambda sure: [n, sure])),
)


@given(st.lists(claims, max_size=4))
def test_a_character_has_one_colour_for_each_usage(passages: list[dict[str, list[int]]]) -> None:
    for colours in resolve(*passages).values():
        usages = [usage for usage, _, _ in colours]
        assert len(set(usages)) == len(usages)
        assert usages == sorted(usages, key=["speech", "thought", "narration"].index)
        assert all(0.35 <= confidence <= 0.95 for _, _, confidence in colours)


def test_colours_are_kept_with_the_passage_and_nothing_else_is_read_as_one() -> None:
    said = [
        ("Kael", '<font color=red>"Go,"</font> Kael said.'),
        ("A|B", "<font color=#0f0>I am A."),
    ]
    evidence = PassageEvidence(names={"Kael": {"speaker": 3}, "A B": {"speaker": 3}})
    evidence.colours = read_colours(said, evidence)
    assert evidence.colours == {f"Kael|speech|{RED}": [1, 85]} | {"A B|narration|#00ff00": [1, 70]}
    passage = ChunkPassage(0.5, (), evidence)
    content = format_passages({b"1": passage})
    assert parse_passages(content) == {b"1": passage}
    for key in ("Kael|speech|red", "Kael|song|#ff0000", "Kael", "Kael|speech|#ff0000|x"):
        evidence.colours = {key: [1, 85]}
        assert parse_passages(format_passages({b"1": passage})) == {}
    assert read_colours([("Kael", "Kael <b>said</b> so.")], evidence) == {}
    assert "colours" not in json.dumps(PassageEvidence(names={"Kael": {}}).to_json())


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("#ABC", "#aabbcc"),
        ("#AaBbCc", "#aabbcc"),
        ("aabbcc", "#aabbcc"),
        ("#aabbccdd", "#aabbcc"),
        ("#abcd", "#aabbcc"),
        ("#abcde", None),
        (" Red ", "#ff0000"),
        ("grey", "#808080"),
        ("rgb(255, 0, 128)", "#ff0080"),
        ("rgba(100%, 0%, 50%, 0.3)", "#ff0080"),
        ("rgb(0 0 300)", "#0000ff"),
        ("rgb(1,2)", None),
        ("rgb(.,1,2)", None),
        ("url(x)", None),
        ("", None),
    ],
)
def test_a_colour_in_any_notation_is_one_code(text: str, code: str | None) -> None:
    assert parse_colour(text) == code


def test_a_line_of_a_colour_is_read_as_written_and_as_a_person_writes_it() -> None:
    colour = SpeakerColour("#aabbcc", ColourUsage.THOUGHT, 0.85)
    assert format_colour_line(colour) == "- thought: #aabbcc (confidence 0.85)"
    assert parse_colour_line(format_colour_line(colour)) == colour
    own = SpeakerColour("#ff0000", ColourUsage.SPEECH, 1)
    assert parse_colour_line("* Speech: red") == own
    assert parse_colour_line("- speech: `#f00`") == own
    assert parse_colour_line("- speech: <b>") is None
    assert parse_colour_line("Speech is red") is None
    assert not SpeakerColour(RED, ColourUsage.SPEECH, 0.49).is_shown


@pytest.mark.parametrize("values", [[], {}, "x", [0.5, [], {}, "road", float("inf")]])
def test_a_cache_of_another_form_is_ignored(values: object) -> None:
    body = f"{b'1'.hex()}\t{json.dumps(values)}\n".encode()
    assert parse_passages(make_passages_head(body) + body) == {}
