"""The file of an entity is read as it is: generated lines and those of a person."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.stories.colours.speaker_colour import ColourUsage, SpeakerColour
from cortexfs.core.stories.entity_file import merge_entity_file
from cortexfs.core.stories.entity_lines import EntityPlace
from cortexfs.core.stories.escape_markdown import escape_markdown, unescape_markdown
from cortexfs.core.stories.read_entity_file import (
    KnownFact,
    KnownRelation,
    parse_entity_file,
)
from cortexfs.core.stories.story_entity import (
    EntityFact,
    EntityRelation,
    EntityStatus,
    EntityType,
    RelationType,
    StoryEntity,
)
from cortexfs.core.text.sanitize import to_one_line

PATH = "projects/flywheel/entities/ENT-001-melina.md"
MELINA = StoryEntity(
    "Melina",
    EntityType.CHARACTER,
    EntityStatus.ACTIVE,
    ("Mel",),
    7,
    0.5,
    1,
    9,
    "A swordswoman *of* <Dustwell>.",
    (EntityFact("Carries a blade [long]", 7, 2),),
    (("grief", 0.5), ("joy", 0.25)),
    (EntityRelation("Kael", RelationType.MEMBER_OF, 0.42, -0.5, (1, 3), "sworn, once", "suspect"),),
)


def render(entity: StoryEntity = MELINA) -> str:
    place = EntityPlace("ENT-001", "flywheel", "2026-05-06", (("Kael", "ENT-002"),))
    return merge_entity_file({}, None, entity, place).text


def test_a_generated_file_says_what_it_was_made_of() -> None:
    known = parse_entity_file(render(), PATH)
    assert known is not None
    assert (known.ref, known.ident, known.name) == ("flywheel/ENT-001", "ENT-001", "Melina")
    assert (known.type, known.status, known.aliases) == ("character", "active", ("Mel",))
    assert (known.mentions, known.salience) == (7, 0.5)
    assert (known.first_chunk, known.last_chunk) == ("CH-0001", "CH-0009")
    assert known.description == "A swordswoman *of* <Dustwell>."
    assert known.facts == (KnownFact("Carries a blade [long]", 7, "CH-0002"),)
    assert known.emotions == (("grief", 0.5), ("joy", 0.25))
    assert known.relations == (
        KnownRelation(
            "Kael",
            "ENT-002",
            "member_of",
            "sworn, once",
            0.42,
            -0.5,
            "suspect",
            ("CH-0001", "CH-0003"),
        ),
    )


def test_what_a_person_writes_is_read_too() -> None:
    text = render().replace(
        "## Facts\n", "## Facts\n\n- Fears fire\n- [i:9] Is left-handed,\n  since the war\n"
    )
    text += "- enemy: Voss, killed her father\n- cousin of: Anne\n\n## Colours\n\n"
    text += "- speech: #AABBCC (confidence 0.85)\n- thought: #010203\n- speech: red\n"
    known = parse_entity_file(text, PATH)
    assert known is not None
    assert known.facts[:2] == (
        KnownFact("Fears fire", 5, ""),
        KnownFact("Is left-handed, since the war", 9, ""),
    )
    assert known.relations[1:] == (
        KnownRelation("Voss", "", "enemy", "killed her father"),
        KnownRelation("Anne", "", "custom", "cousin of"),
    )
    assert known.colours == (
        SpeakerColour("#aabbcc", ColourUsage.SPEECH, 0.85),
        SpeakerColour("#010203", ColourUsage.THOUGHT, 1.0),
    )


def test_a_file_without_id_or_name_is_no_entity() -> None:
    assert parse_entity_file("no frontmatter", PATH) is None
    assert parse_entity_file("---\nid: ENT-001\n---\n", PATH) is None


def test_comments_are_not_read() -> None:
    known = parse_entity_file(render() + "<!-- ignore\n- enemy: Voss\n-->\n", PATH)
    assert known is not None
    assert [each.other for each in known.relations] == ["Kael"]


@given(st.text())
def test_what_is_escaped_is_read_as_it_was(text: str) -> None:
    assert unescape_markdown(escape_markdown(text)) == to_one_line(text)


@given(st.text(), st.text(max_size=20))
def test_any_text_is_read(body: str, name: str) -> None:
    parse_entity_file(f"---\nid: ENT-001\nsummary: {name}\n---\n{body}", PATH)
