"""USER.md: a preference replaces that of the same key, or goes below its kind."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pages_of_markdown import NEWLINES, texts

from cortexfs.core.governance.user_preferences import (
    PREFERENCE_CATEGORIES,
    parse_preferences,
    set_preference,
)
from cortexfs.errors import Refused

PAGE = """# User

- Language:
- **Tone:** dry
  and short

## Style

- No praise at 12:30.
* Ratios: as quotients, 8 / 0.29 = 27.6

## Technical context
"""


@given(
    texts(),
    st.sampled_from(
        ["- Pace: slow\n", "* **Pace**: slow\n  and steady\n", "- __pace:__\n", "1. Pace: 7\n"]
    ),
    texts(),
    st.sampled_from(NEWLINES),
)
def test_setting_a_preference_replaces_its_value_and_no_other_byte(
    head: str, entry: str, tail: str, end: str
) -> None:
    text = f"{head}\n\n{entry}\n\n{tail}".replace("\n", end)
    old = next(
        (preference for preference in parse_preferences(text) if preference.key.lower() == "pace"),
        None,
    )
    if old is None:
        assert entry.startswith("1."), "a numbered list is no list of preferences"
        return
    after = set_preference(text, "pace", "fast", "Working style")
    assert after.startswith(text[: old.start])
    assert after.endswith(f"fast{text[old.end :]}")
    assert len(parse_preferences(after)) == len(parse_preferences(text))
    assert set_preference(after, "PACE", "fast", "Working style") == after


@given(st.sampled_from(list(PREFERENCE_CATEGORIES)), st.sampled_from(NEWLINES))
def test_a_new_preference_goes_to_the_end_of_its_category(category: str, end: str) -> None:
    after = set_preference(PAGE.replace("\n", end), "Pace", "slow", category.upper())
    (new,) = (preference for preference in parse_preferences(after) if preference.key == "Pace")
    assert new.category in PREFERENCE_CATEGORIES[category]
    assert new.value == "slow"
    assert set(PAGE.splitlines()) <= set(after.splitlines())


def test_preferences_have_the_heading_above_them() -> None:
    assert [tuple(preference)[:3] for preference in parse_preferences(PAGE)] == [
        ("", "Language", ""),
        ("", "Tone", "dry\n  and short"),
        ("Style", "Ratios", "as quotients, 8 / 0.29 = 27.6"),
    ]


def test_an_empty_preference_is_filled() -> None:
    assert set_preference(PAGE, "language", "English", "Identity") == PAGE.replace(
        "- Language:\n", "- Language: English\n"
    )


@pytest.mark.parametrize(
    ("key", "value", "category"),
    [
        *(("", "x", "Identity"), ("k", " ", "Identity"), ("k" * 61, "x", "Identity")),
        *(("a: b", "x", "Identity"), ("k", "x", "Mood")),
    ],
)
def test_an_invalid_preference_is_refused(key: str, value: str, category: str) -> None:
    with pytest.raises(Refused):
        set_preference(PAGE, key, value, category)


@given(st.text(), st.text(), st.text())
@example("```", "0", "0")
def test_setting_a_preference_twice_is_setting_it_once(text: str, key: str, value: str) -> None:
    try:
        after = set_preference(text, key, value, "Identity")
    except Refused:
        return
    assert set_preference(after, key, value, "Identity") == after
