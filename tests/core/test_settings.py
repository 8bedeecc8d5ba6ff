"""`cortexfs.yaml`: what it may say, and that it can never break or reach anything."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.kinds import BUILT_IN
from cortexfs.core.settings import WriteBack
from cortexfs.core.settings_file import read_settings

WHOLE = """# ours
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


def test_a_kind_of_the_users_own_stands_behind_the_built_in_ones() -> None:
    settings = read_settings(WHOLE)
    assert settings.flaws == ()
    assert settings.write_back is WriteBack.ALWAYS
    *built_in, recipe, memo = settings.kinds
    assert tuple(built_in) == BUILT_IN
    assert (recipe.folder, recipe.prefix, recipe.indexed) == ("recipes", "RCP", True)
    assert (recipe.required, recipe.sections) == (("source", "serves"), ("Ingredients", "Steps"))
    assert (memo.folder, memo.prefix, memo.indexed) == ("memos", "MEM", False)
    assert settings.kinds.of_id("RCP-001") == recipe


def test_an_empty_file_is_all_defaults() -> None:
    settings = read_settings("")
    assert tuple(settings.kinds) == BUILT_IN
    assert (settings.write_back, settings.flaws) == (WriteBack.PRESENT, ())


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\ncolour: red\n", 2),
        ("access: {write_back: sometimes}\n", 1),
        ("kinds: {x: {folder: ../../etc}}\n", 1),
        ("kinds: {x: {folder: a/b}}\n", 1),
        ("kinds: {x: {folder: .git}}\n", 1),
        ("kinds: {x: {folder: decisions}}\n", 1),
        ("kinds: {x: {folder: experiments}}\n", 1),
        ("kinds: {experiment: {folder: tries}}\n", 1),
        ("kinds: {x: {prefix: EXP}}\n", 1),
        ("kinds: {x: {prefix: 'E.*'}}\n", 1),
        ("kinds: {X: {}}\n", 1),
        ("kinds: {a: {folder: c}, b: {folder: c, prefix: B}}\n", 1),
        ("kinds: ]\n", 1),
        ("a: &x 1\n", 1),
    ],
)
def test_what_cannot_be_is_one_flaw_and_its_default_holds(text: str, line: int) -> None:
    settings = read_settings(text)
    (flaw,) = settings.flaws
    assert flaw.line == line
    assert tuple(settings.kinds)[: len(BUILT_IN)] == BUILT_IN
    assert settings.write_back is WriteBack.PRESENT


safe = st.from_regex(r"[a-z0-9./{}\[\]:, -]{0,20}", fullmatch=True)


@given(
    st.text()
    | st.builds("kinds:\n  {}:\n    folder: {}\n    prefix: {}\n".format, safe, safe, safe)
)
def test_no_text_breaks_it_or_leads_out_of_the_tree(text: str) -> None:
    for kind in read_settings(text).kinds:
        assert kind.folder.replace("-", "").isalnum()
        assert kind.prefix.isalpha()
