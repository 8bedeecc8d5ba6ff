"""The file of an entity: what it shows, and what a person's edits of it do."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from cortexfs.core.atoms.kinds import Kinds
from cortexfs.core.atoms.parse_atom import parse_atom
from cortexfs.core.atoms.tree_paths import parse_atom_path
from cortexfs.core.find.extract_links import extract_links
from cortexfs.core.stories.assign_entity_ids import (
    assign_entity_ids,
    remember_names,
)
from cortexfs.core.stories.colours.speaker_colour import ColourUsage, SpeakerColour
from cortexfs.core.stories.entities.entity import Corrections
from cortexfs.core.stories.entity_file import merge_entity_file
from cortexfs.core.stories.entity_lines import EntityPlace
from cortexfs.core.stories.generated_lines import Lines, format_generated, parse_generated
from cortexfs.core.stories.read_corrections import read_corrections
from cortexfs.core.stories.story_entity import (
    EntityFact,
    EntityRelation,
    EntityStatus,
    EntityType,
    RelationType,
    StoryEntity,
)

PLACE = EntityPlace("ENT-012", "p", "2026-05-06")
PATH = "projects/p/entities/ENT-012-melina.md"
KAEL = EntityRelation("Kael", RelationType.ALLY, 0.36, 0.6, (3, 9), "old friends")
MELINA = StoryEntity(
    "Melina",
    EntityType.CHARACTER,
    EntityStatus.ACTIVE,
    ("Mel",),
    14,
    0.62,
    3,
    42,
    "A swordswoman.",
    (EntityFact("Carries a blade", 7, 3), EntityFact("Fears fire", 5, 9)),
    (("grief", 0.45), ("resolve", 0.3)),
    (KAEL,),
)
LATER = MELINA._replace(
    mentions=20,
    facts=(EntityFact("Was born in Dustwell", 9, 44), *MELINA.facts),
    relations=(KAEL._replace(strength=0.5, chunks=(3, 9, 44)),),
    aliases=("Mel", "Lina"),
)
EXPECTED = """\
---
id: ENT-012
date: 2026-05-06
project: p
summary: "Melina"
status: active
type: character
mentions: 14
salience: "0.6200"
first-seen: CH-0003
last-seen: CH-0042
tags: [story, character]
aliases: [Mel]
---

# ENT-012: Melina

A swordswoman.

## Facts

- [i:7] Carries a blade (CH-0003)
- [i:5] Fears fire (CH-0009)

## Emotional profile

- grief: 45%
- resolve: 30%

## Relations

- ally: Kael, old friends; strength 0.36, sentiment +0.60 (CH-0003, CH-0009)
"""
HOSTILE = [
    "# x", "- [ ] task", "1. one", "<!-- hidden", "```", "~~~", "[[K-001]]", "EXP-001", "[a](b)",
    "https://x.example", "<script>", "---", "a\n## b", "&lt;", "> q", "*b*", "\\", "==", "+ x",
]  # fmt: skip
texts = st.sampled_from(HOSTILE) | st.text("ab#*[]<>!-`~_1.) \n&\\:/", min_size=1, max_size=12)


def first() -> tuple[str, Lines]:
    made = merge_entity_file({}, None, MELINA, PLACE)
    return made.text, made.generated


def test_the_file_says_what_is_known_of_an_entity() -> None:
    assert first()[0] == EXPECTED


def test_an_untouched_file_is_as_generated_anew() -> None:
    text, generated = first()
    assert merge_entity_file(generated, text, MELINA, PLACE).text == text
    next_day = PLACE._replace(day="2026-05-07")
    assert merge_entity_file(generated, text, MELINA, next_day).text == text
    anew = merge_entity_file({}, None, LATER, PLACE)
    assert merge_entity_file(generated, text, LATER, PLACE) == anew


def test_what_a_person_edited_added_and_struck_stays_so() -> None:
    text, generated = first()
    text = text.replace("type: character", "type: faction")
    text = text.replace("aliases: [Mel]", "aliases: [Melly]\nmood: calm")
    text = text.replace("- [i:5] Fears fire (CH-0009)\n", "- Loves rain\n")
    text = text.replace("- ally: Kael", "- rival: Kael")
    text = f"{text}\n## Notes\n\nMine: EXP-001.\n"
    for _ in range(3):
        merged = merge_entity_file(generated, text, LATER, PLACE)
        kept = parse_generated(format_generated({"ENT-012": merged.generated}))["ENT-012"]
        text, generated = merged.text, kept
    for own in ("type: faction", "mood: calm", "- Loves rain", "- rival: Kael", "Mine: EXP-001."):
        assert text.count(own) == 1, text
    assert "aliases: [Lina, Melly]" in text
    assert "Fears fire" not in text
    assert "- ally: Kael" not in text
    assert "- [i:9] Was born in Dustwell (CH-0044)" in text
    assert "mentions: 20" in text
    assert text.endswith("## Notes\n\nMine: EXP-001.\n")


def test_colours_are_shown_and_what_a_person_made_of_them_stays_so() -> None:
    speech, thought = (
        SpeakerColour(colour, usage, 0.85)
        for colour, usage in (("#e6e6fa", ColourUsage.SPEECH), ("#d8bfd8", ColourUsage.THOUGHT))
    )
    coloured = MELINA._replace(colours=(speech, thought))
    made = merge_entity_file({}, None, coloured, PLACE)
    own = (
        "## Colours\n\n- speech: #e6e6fa (confidence 0.85)\n- thought: #d8bfd8 (confidence 0.85)\n"
    )
    assert made.text.endswith(f"\n\n{own}")
    text = made.text.replace("- speech: #e6e6fa (confidence 0.85)\n", "- speech: red\n")
    text, generated = text.replace("- thought: #d8bfd8 (confidence 0.85)\n", ""), made.generated
    for confidence in (0.9, 0.95):
        again = coloured._replace(colours=(speech._replace(confidence=confidence), thought))
        text, generated = merge_entity_file(generated, text, again, PLACE)
    assert text.endswith("## Colours\n\n- speech: red\n")
    merged = merge_entity_file(generated, text, MELINA, PLACE)
    assert merged.text == text, "what a person wrote keeps its heading"
    assert merge_entity_file(merged.generated, text, coloured, PLACE) == (text, generated)


@given(texts, texts)
def test_what_others_said_is_text_in_the_file(name: str, fact: str) -> None:
    relation = KAEL._replace(other=name, label=fact)
    entity = MELINA._replace(
        name=name, description=fact, facts=(EntityFact(fact, 3, 1),), relations=(relation,)
    )
    text = merge_entity_file({}, None, entity, PLACE).text
    place = parse_atom_path(PATH, Kinds())
    assert place is not None
    atom = parse_atom(PATH, place, text)
    cited = {link.cited for link in extract_links(atom, text)}
    assert cited <= {"ENT-012", "CH-0001", "CH-0003", "CH-0009", "CH-0042"}
    tokens = MarkdownIt().parse(text.split("---\n", 2)[2])
    headings = [token.tag for token in tokens if token.type == "heading_open"]
    assert headings == ["h1", "h2", "h2", "h2"]
    inner = {child.type for token in tokens for child in token.children or ()}
    assert inner <= {"text", "softbreak"}
    assert {token.type for token in tokens} <= {
        "heading_open", "heading_close", "paragraph_open", "paragraph_close", "inline",
        "bullet_list_open", "bullet_list_close", "list_item_open", "list_item_close",
    }  # fmt: skip


def test_a_removed_entity_does_not_come_back_under_any_of_its_names() -> None:
    known = {"ENT-012": first()[1] | remember_names({}, MELINA)}
    again = assign_entity_ids(known, {"ENT-012"}, [LATER], lambda: 13)
    assert again.entities == (("ENT-012", LATER),)
    renamed = MELINA._replace(name="Melina of Dustwell", aliases=("Melina",))
    assert assign_entity_ids(known, {"ENT-012"}, [renamed], lambda: 13).entities[0][0] == "ENT-012"
    gone = assign_entity_ids(
        known, (), [renamed, MELINA._replace(name="Voss", aliases=())], lambda: 13
    )
    assert [ident for ident, _ in gone.entities] == ["ENT-013"]
    assert gone.removed == (renamed,)
    names = ("MEL", "Mel", "Voss")
    assert read_corrections(known, {}, names).not_entities == {"mel"}
    assert read_corrections(known, {"ENT-012": first()[0]}, names) == Corrections()
