"""What a correction changes in the file of an entity, and what it refuses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.stories.correct_text import correct_text
from cortexfs.core.stories.correction import Correction
from cortexfs.core.stories.read_entity_file import KnownEntity, parse_entity_file
from cortexfs.errors import Refused

PATH = "projects/p/entities/ENT-001-kael.md"
FILE = """---
id: ENT-001
summary: Kael
status: active
type: character
aliases: [Kay, Mr. Kael]
mine: stays
---

# ENT-001: Kael

A note of mine.

## Facts

- [i:5] is a smuggler (CH-0001)
- [i:5] is a smuggler of tea (CH-0002)
- limps

## Colours

- speech: #2e86c1 (confidence 0.85)
- thought: #2e86c1 (confidence 0.80)
- narration: #ffffff
"""


def parse(text: str) -> KnownEntity:
    entity = parse_entity_file(text, PATH)
    assert entity is not None
    return entity


def correct(change: str, item: str = "", value: str = "") -> KnownEntity:
    text = correct_text(FILE, PATH, parse(FILE), (change, item, value))
    assert "mine: stays" in text
    assert "\nA note of mine.\n" in text
    return parse(text)


def test_a_new_name_leaves_the_old_one_as_an_alias() -> None:
    text = correct_text(FILE, PATH, parse(FILE), (Correction.RENAME, "", "Kael [the] Grey"))
    assert parse(text).name == "Kael the Grey"
    assert parse(text).aliases == ("Kael", "Kay", "Mr. Kael")
    assert "\n# ENT-001: Kael the Grey\n" in text
    assert correct(Correction.RENAME, value="Kay").name == "Kay"
    assert correct(Correction.RENAME, value="Kay").aliases == ("Kael", "Mr. Kael")
    assert correct(Correction.RENAME, value="Kael") == parse(FILE)


def test_nothing_is_left_of_a_terminal_escape_in_a_name_or_a_fact() -> None:
    assert correct(Correction.RENAME, value="\x1b[31mRed\x1b[0m Kael").name == "Red Kael"
    assert correct(Correction.ADD_ALIAS, value="\x1b]0;x\x07Eel").aliases[-1] == "Eel"
    assert correct(Correction.ADD_FACT, value="\x1b[1mis bold\ud83d").facts[-1].text == "is bold�"
    with pytest.raises(Refused, match="empty"):
        correct(Correction.RENAME, value="\x1b[31m")


def test_an_alias_is_added_once_and_struck_whole() -> None:
    assert correct(Correction.ADD_ALIAS, value="The Eel").aliases == ("Kay", "Mr. Kael", "The Eel")
    assert correct(Correction.ADD_ALIAS, value="kay") == parse(FILE)
    assert correct(Correction.ALIAS, "kay").aliases == ("Mr. Kael",)
    with pytest.raises(Refused, match="does not say `Ka`"):
        correct(Correction.ALIAS, "Ka")


def test_a_fact_is_named_by_a_part_that_no_other_one_has() -> None:
    left = correct(Correction.FACT, "of tea").facts
    assert [each.text for each in left] == ["is a smuggler", "limps"]
    assert len(correct(Correction.FACT, "is a smuggler").facts) == 2
    with pytest.raises(Refused, match="2 facts with `smuggler`"):
        correct(Correction.FACT, "smuggler")


@given(st.text(min_size=1, max_size=60))
def test_an_added_fact_is_read_back_and_is_all_that_changes(fact: str) -> None:
    before = parse(FILE)
    try:
        after = parse(correct_text(FILE, PATH, before, (Correction.ADD_FACT, "", f"x {fact}")))
    except Refused:
        raise AssertionError(fact) from None
    assert after._replace(facts=before.facts) == before
    assert after.facts[:-1] == before.facts
    assert after.facts[-1].text.split() == f"x {fact}".split() or not fact.isprintable()


def test_a_fact_may_have_an_importance_and_begins_its_section() -> None:
    bare = FILE.partition("## Facts")[0]
    text = correct_text(bare, PATH, parse(bare), (Correction.ADD_FACT, "", "[i:9] Rows"))
    assert text.endswith("A note of mine.\n\n## Facts\n\n- [i:9] Rows\n")
    assert parse(text).facts[0].importance == 9


def test_a_colour_is_named_with_or_without_its_usage() -> None:
    left = correct(Correction.COLOUR, "#2e86c1").colours
    assert [each.colour for each in left] == ["#ffffff"]
    assert len(correct(Correction.COLOUR, "thought #2e86c1").colours) == 2
    assert correct(Correction.USAGE, "white", "speech").colours[0].colour == "#ffffff"
    with pytest.raises(Refused, match="twice"):
        correct(Correction.USAGE, "#2e86c1", "narration")


@pytest.mark.parametrize(
    ("change", "item", "value"),
    [
        (Correction.TYPE, "", "dragon"),
        (Correction.STATUS, "", "bored"),
        (Correction.RENAME, "", "[]"),
        (Correction.ADD_FACT, "", "[i:3]  "),
        (Correction.USAGE, "white", "singing"),
        (Correction.COLOUR, "red", ""),
        (Correction.RELATION, "ally", ""),
        (Correction.FACT, " ", ""),
    ],
)
def test_what_is_not_possible_is_refused(change: Correction, item: str, value: str) -> None:
    with pytest.raises(Refused):
        correct(change, item, value)


def test_a_type_and_a_status_are_changed() -> None:
    assert correct(Correction.TYPE, value="faction").type == "faction"
    assert correct(Correction.STATUS, value="deceased").status == "deceased"
