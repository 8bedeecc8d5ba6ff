"""`cortexfs.yaml`: what it may say, and that it can never break or reach anything."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.atoms.kind import Kind
from cortexfs.core.atoms.kinds import BUILT_IN
from cortexfs.core.settings.settings import (
    MemorySettings,
    WriteBackMode,
)
from cortexfs.core.settings.settings_file import parse_settings

EXAMPLE = """# ours
kinds:
  recipe:
    folder: recipes
    prefix: RCP
    required: [source, serves]
    sections: [Ingredients, Steps]
    use-when: "Use when: hungry."
  memo:
    index: no
access:
  write_back: always
"""


def test_user_kinds_come_after_the_built_in_ones() -> None:
    settings = parse_settings(EXAMPLE)
    assert settings.flaws == ()
    assert settings.write_back is WriteBackMode.ALWAYS
    *built_in, recipe, memo = settings.kinds
    assert tuple(built_in) == BUILT_IN
    assert (recipe.folder, recipe.prefix, recipe.indexed) == ("recipes", "RCP", True)
    assert (recipe.required_fields, recipe.sections) == (
        ("source", "serves"),
        ("Ingredients", "Steps"),
    )
    assert (memo.folder, memo.prefix, memo.indexed) == ("memos", "MEM", False)
    assert settings.kinds.find_by_id("RCP-001") == recipe


def test_memory_settings_are_parsed() -> None:
    text = "memory:\n  learning-headings: [Merkposten, Was wir lernten]\n"
    assert parse_settings(text).memory == MemorySettings(("Merkposten", "Was wir lernten"))
    assert parse_settings("memory:\n  learning-headings: Notes\n").memory == MemorySettings(
        ("Notes",)
    )
    for empty in ("", "memory:\n", "memory: {learning-headings: ~}\n"):
        assert parse_settings(empty).memory == MemorySettings()
        assert parse_settings(empty).flaws == ()


def test_an_empty_file_gives_the_defaults() -> None:
    settings = parse_settings("")
    assert tuple(settings.kinds) == BUILT_IN
    assert (settings.write_back, settings.flaws) == (WriteBackMode.PRESENT, ())


def test_an_empty_value_is_the_default_and_not_a_flaw() -> None:
    for text in (
        "access:\nkinds:\n",
        "access: {write_back: ~}\n",
        "---\nindex: {status: 9}\n---\n",
    ):
        assert parse_settings(text).flaws == ()
        assert parse_settings(text).write_back is WriteBackMode.PRESENT


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("\ncolour: red\n", 2, 1),
        ("access: {write_back: sometimes}\n", 1, 10),
        ("access:\n  # ours\n  write_back: sometimes\n", 3, 3),
        ("access:\n  write_back: {a: b}\n", 2, 3),
        ("access:\n  write_back: [always]\n", 2, 3),
        ("access:\n  writeback: always\n", 2, 3),
        ("index: 1\naccess: always\n", 2, 1),
        ("index: 1\naccess: [always]\n", 2, 1),
        ("\nkinds: [a, b]\n", 2, 1),
        ("kinds:\n- a\n- b\n", 1, 1),
        ("kinds: recipe\n", 1, 1),
        ("kinds:\n  x: {folder: ../../etc}\n", 2, 7),
        ("kinds: {x: {folder: a/b}}\n", 1, 13),
        ("kinds: {\n  x: {\n    folder: .git}}\n", 3, 5),
        ("kinds:\n  y:\n  x:\n    folder: decisions\n", 4, 5),
        ("kinds: {x: {folder: experiments}}\n", 1, 13),
        ("kinds:\n  experiment: {folder: tries, prefix: T}\n", 2, 3),
        ("kinds:\n  y:\n\n  x:\n    fields: [a]\n    prefix: EXP\n", 6, 5),
        ("kinds:\n  x:\n    fields: [a]\n    prefix: 'E.*'\n", 4, 5),
        ("kinds:\n  y:\n    prefix: P\n  X: {}\n", 4, 3),
        ("kinds:\n  a: {folder: c}\n  b: {folder: c, prefix: B}\n", 3, 7),
        ("kinds:\n  x: foo\n", 2, 3),
        ("kinds:\n  x: [folder]\n", 2, 3),
        ("kinds:\n  x:\n    prefx: REC\n", 3, 5),
        ("kinds:\n  x:\n    index: maybe\n", 3, 5),
        ("kinds:\n  x:\n    folder: [a]\n", 3, 5),
        ("kinds:\n  x:\n    required: {a: b}\n", 3, 5),
        ("kinds:\n  x:\n    sections: [[a]]\n", 3, 5),
        ("---\n\nkinds: [a]\n", 3, 1),
        ("index: 1\n---\nkinds: {x: }\n", 3, 1),
        ("kinds: ]\n", 1, 8),
        ("memory: 5\n", 1, 1),
        ("memory:\n  archive-days: -1\n", 2, 3),
        ("memory:\n  archive-score: 5.1\n", 2, 3),
        ("memory:\n  archive-score: nan\n", 2, 3),
        ("memory:\n  archive-score: [1]\n", 2, 3),
        ("memory:\n  learning-headings: [[a]]\n", 2, 3),
        ("memory:\n  learning-headings: {a: b}\n", 2, 3),
        ("memory:\n  headings: [a]\n", 2, 3),
        ("a: &x 1\n", 1, 4),
    ],
)
def test_an_invalid_value_is_one_flaw_with_its_place_and_the_default_applies(
    text: str, line: int, column: int
) -> None:
    settings = parse_settings(text)
    assert [(flaw.line, flaw.column) for flaw in settings.flaws] == [(line, column)]
    assert tuple(settings.kinds)[: len(BUILT_IN)] == BUILT_IN
    assert settings.write_back is WriteBackMode.PRESENT


def test_an_invalid_entry_does_not_remove_its_kind() -> None:
    text = "kinds:\n  recipe:\n    prefix: RCP\n    index: perhaps\n    colour: red\n"
    settings = parse_settings(text)
    assert [flaw.line for flaw in settings.flaws] == [4, 5]
    assert settings.kinds.find_by_name("recipe") == Kind(
        name="recipe", folder="recipes", prefix="RCP"
    )


fillers = st.lists(st.sampled_from(["", "# ours", "  # deeper"]), max_size=3)


@given(st.lists(st.booleans(), min_size=1, max_size=5), st.lists(fillers, min_size=11))
def test_each_flaw_has_its_line_among_blank_lines_and_comments(
    validity: list[bool], between: list[list[str]]
) -> None:
    lines, expected, gaps = ["kinds:"], [], iter(between)
    for number, is_invalid in enumerate(validity):
        letter = "abcdefgh"[number]
        lines += [*next(gaps), f"  {letter}x:", *next(gaps), f"    prefix: P{letter.upper()}"]
        if is_invalid:
            lines.append("    index: perhaps")
            expected.append(len(lines))
    flaws = parse_settings("\n".join(lines)).flaws
    assert [flaw.line for flaw in flaws] == expected


safe = st.from_regex(r"[a-z0-9./{}\[\]:, -]{0,20}", fullmatch=True)
known = st.sampled_from(["write_back", "x", "recipe", "folder", "prefix", "index", "fields"])
shapes = st.recursive(
    st.none() | st.sampled_from(["always", "no", "a, b", "P"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(known, inner, max_size=3),
    max_leaves=8,
)
random_settings = st.fixed_dictionaries({"access": shapes, "kinds": shapes}).map(yaml.safe_dump)


@given(
    st.text()
    | random_settings
    | st.builds("kinds:\n  {}:\n    folder: {}\n    prefix: {}\n".format, safe, safe, safe)
)
def test_kinds_of_any_settings_stay_inside_the_tree(text: str) -> None:
    settings = parse_settings(text)
    for kind in settings.kinds:
        assert kind.folder.replace("-", "").isalnum()
        assert kind.prefix.isalpha()
    for flaw in settings.flaws:
        assert 1 <= flaw.line <= text.count("\n") + 1
