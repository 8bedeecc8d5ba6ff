"""What is struck of an entity's file: exactly the lines of one item."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.stories.colours.speaker_colour import ColourUsage
from cortexfs.core.stories.read_entity_file import parse_entity_file
from cortexfs.core.stories.strike_item import EntityPart, add_colour, drop_item, strike_item

PATH = "projects/p/entities/ENT-001-x.md"
HEAD = "---\nid: ENT-001\nsummary: X\ntype: character\nstatus: active\n---\n\n# ENT-001: X\n"
facts = st.lists(
    st.sampled_from(["rows", "rows at night", "smokes", "- odd", "it: is"]), max_size=6
)
ends = st.lists(st.sampled_from(["", " (CH-0001)", "\n  and more"]), min_size=6, max_size=6)


def make_file(texts: list[str], tails: list[str]) -> str:
    items = "".join(f"- [i:5] {text}{tail}\n" for text, tail in zip(texts, tails, strict=False))
    relations = "- ally: Y ENT-002, helped; strength 0.50, sentiment +0.50 (CH-0001)\n"
    return f"{HEAD}\n## Facts\n\n{items}\n## Relations\n\n{relations}\nA note of a person.\n"


@given(facts, ends, st.integers(-1, 6))
def test_one_fact_is_struck_and_all_else_stays(texts: list[str], tails: list[str], at: int) -> None:
    text = make_file(texts, tails)
    before = parse_entity_file(text, PATH)
    assert before is not None
    struck = strike_item(text, PATH, EntityPart.FACTS, at)
    if not 0 <= at < len(before.facts):
        assert struck is None
        return
    assert struck is not None
    assert parse_entity_file(struck, PATH) == drop_item(before, EntityPart.FACTS, at)
    left = struck.split("\n")
    assert struck.startswith(HEAD)
    assert struck.endswith("\nA note of a person.\n")
    assert len(left) < len(text.split("\n"))


def test_a_colour_is_added_where_colours_are() -> None:
    once = add_colour(HEAD, "#aabbcc", ColourUsage.SPEECH)
    assert once == f"{HEAD}\n## Colours\n\n- speech: #aabbcc\n"
    twice = add_colour(once, "#112233", ColourUsage.THOUGHT)
    assert twice == f"{once}- thought: #112233\n"
    assert add_colour(twice, "#445566", ColourUsage.SPEECH) == twice.replace("#aabbcc", "#445566")
    empty = f"{HEAD}\n## Colours\n"
    assert add_colour(empty, "#aabbcc", ColourUsage.SPEECH) == once
    assert add_colour(empty[:-1], "#aabbcc", ColourUsage.SPEECH) == once


def test_a_colour_is_added_to_no_other_section() -> None:
    notes = f"{HEAD}\n## Colours of war\n\nred\n"
    text = f"{notes}\n## colors\n\nMy own.\n\n## Notes\n"
    expected = f"{notes}\n## colors\n\n- speech: #aabbcc\n\nMy own.\n\n## Notes\n"
    assert add_colour(text, "#aabbcc", ColourUsage.SPEECH) == expected
    known = parse_entity_file(expected, PATH)
    assert known is not None
    assert [each.colour for each in known.colours] == ["#aabbcc"]


def test_one_of_thousands_of_items_is_struck() -> None:
    text = make_file([f"fact {number}" for number in range(4000)], [""] * 4000)
    struck = strike_item(text, PATH, EntityPart.FACTS, 3000)
    assert struck == text.replace("- [i:5] fact 3000\n", "")
