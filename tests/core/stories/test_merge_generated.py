"""What a person wrote, struck or changed stays so, whatever is generated next."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.stories.generated_lines import (
    STRUCK,
    GeneratedLine,
    Lines,
    format_generated,
    parse_generated,
)
from cortexfs.core.stories.merge_generated import merge_items, merge_lines

KEYS = "abcdef"
builds = st.lists(
    st.tuples(st.sampled_from(KEYS), st.integers(0, 2)), max_size=6, unique_by=lambda pair: pair[0]
).map(lambda pairs: [GeneratedLine(key, f"- {key} is {number}") for key, number in sorted(pairs)])
"""Lines in a fixed order, whose texts may differ from build to build."""
edits = st.lists(st.tuples(st.sampled_from(["strike", "add", "change"]), st.integers(0, 9)))


def edit(lines: list[str], how: str, at: int, number: int) -> list[str]:
    """Return lines as a person leaves them."""
    place = at % (len(lines) + 1)
    if how == "add":
        return [*lines[:place], f"own {number}", *lines[place:]]
    if place == len(lines):
        return lines
    changed = [f"own {number}"] if how == "change" else []
    return [*lines[:place], *changed, *lines[place + 1 :]]


@given(builds)
def test_a_new_text_is_what_is_generated(wanted: list[GeneratedLine]) -> None:
    merged = merge_lines({}, [], wanted)
    assert [*merged.lines] == [line.text for line in wanted]
    assert set(merged.generated) == {line.key for line in wanted}


@given(builds, builds)
def test_an_untouched_text_is_as_generated_anew(
    first: list[GeneratedLine], then: list[GeneratedLine]
) -> None:
    before = merge_lines({}, [], first)
    assert (
        merge_lines(before.generated, before.lines, then).lines == merge_lines({}, [], then).lines
    )


@given(st.lists(st.tuples(builds, edits), min_size=1, max_size=4))
def test_no_build_loses_or_brings_back_what_a_person_decided(
    history: list[tuple[list[GeneratedLine], list[tuple[str, int]]]],
) -> None:
    generated: Lines = {}
    lines: list[str] = []
    own: list[str] = []
    gone: set[str] = set()
    count = 0
    for wanted, changes in history:
        merged = merge_lines(generated, lines, wanted)
        again = merge_lines(merged.generated, merged.lines, wanted)
        assert again == merged, "merging twice is merging once"
        assert [text for text in merged.lines if text.startswith("own")] == own
        shown = {text[2] for text in merged.lines if text.startswith("- ")}
        assert shown == {line.key for line in wanted} - gone
        generated, lines = merged.generated, [*merged.lines]
        for how, at in changes:
            count += 1
            lines = edit(lines, how, at, count)
        own = [text for text in lines if text.startswith("own")]
        gone |= shown - {text[2] for text in lines if text.startswith("- ")}
    assert parse_generated(format_generated({"ENT-001": generated})).get("ENT-001", {}) == generated


def test_what_a_person_wrote_stays_below_the_line_before_it() -> None:
    head, first, second = (GeneratedLine(key, f"{key} text") for key in ("head", "one", "two"))
    blank = GeneratedLine("", "")
    before = merge_lines({}, [], [head, blank, first, blank, second])
    assert before.lines == ("head text", "", "one text", "", "two text")
    edited = ["mine", "head text", "", "one text", "", "a paragraph", "", "more", "", "two text"]
    newer = first._replace(text="one is other")
    merged = merge_lines(before.generated, edited, [head, blank, newer, blank, second])
    assert merged.lines == (
        "mine", "head text", "", "one is other", "", "a paragraph", "", "more", "", "two text",
    )  # fmt: skip


def test_a_line_that_a_person_wrote_first_is_not_written_twice() -> None:
    merged = merge_lines({}, ["a fact"], [GeneratedLine("k", "a fact")])
    assert merged.lines == ("a fact",)
    assert merged.generated == {"k": STRUCK}


def test_items_of_a_list_are_struck_and_added_one_by_one() -> None:
    wanted = [GeneratedLine(name, name) for name in ("Mel", "Lina", "the smith")]
    before = merge_items({}, [], wanted)
    merged = merge_items(before.generated, ["Mel", "Mina", "the smith"], wanted)
    assert merged.lines == ("Mel", "the smith", "Mina")
    again = merge_items(merged.generated, merged.lines, [*wanted, GeneratedLine("Mina", "Mina")])
    assert again.lines == merged.lines
