"""Private parts never reach a file, however their tags are written."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soak_cases import leave_to_soak

from cortexfs.core.memory.redact_private import redact_private


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nothing to hide", "nothing to hide"),
        ("  key <private>k-123</private> used ", "key [REDACTED] used"),
        ("a <private>b</private> c <private>d</private>", "a [REDACTED] c [REDACTED]"),
        ("a <PRIVATE>b</Private> c", "a [REDACTED] c"),
        ("a <private>one\ntwo\n\nthree</private>\nb", "a [REDACTED]\nb"),
        ('a <private reason="key">b</private > c', "a [REDACTED] c"),
        ("a < private >b< / private > c", "a [REDACTED] c"),
        ("<private>all</private>", "[REDACTED]"),
        ("price <privates> of List<private_type>", "price <privates> of List<private_type>"),
        ("ends </private> only", "ends </private> only"),
        ("family \U0001f468\u200d\U0001f469", "family \U0001f468\u200d\U0001f469"),
    ],
)
def test_private_parts_are_redacted_and_the_rest_is_kept(text: str, expected: str) -> None:
    assert redact_private(text) == expected


@pytest.mark.parametrize(
    "unseen", ["\u200b", "\u200d", "\xad", "\ufe0f", "\x00", "\x1b", "\u2060", "\U000e0041"]
)
@pytest.mark.parametrize("at", range(10))
def test_an_invisible_character_in_a_tag_does_not_disable_it(unseen: str, at: int) -> None:
    opening, closing = (f"{tag[:at]}{unseen}{tag[at:]}" for tag in ("<private>", "</private>"))
    assert "key" not in redact_private(f"a {opening}key{closing} b")


def test_nested_tags_hide_everything_up_to_the_outer_end() -> None:
    text = "a <private>b <private>c</private> d</private> e"
    assert redact_private(text) == "a [REDACTED] e"


@pytest.mark.parametrize(
    "text",
    [
        "a <private>b c",
        "a <private>b <private>c</private> d",
        "a <private>b</private",
        "a <private b\nc",
        "a <private",
    ],
)
def test_a_tag_without_its_end_hides_the_rest_of_the_text(text: str) -> None:
    assert redact_private(text) == "a [REDACTED]"


TAGS = st.sampled_from(
    ["<private>", "</private>", "<PRIVATE >", "</private >", "<", ">", "a ", "\n"]
)


@given(st.lists(TAGS | st.text(max_size=3)).map("".join))
def test_redacting_twice_changes_nothing(text: str) -> None:
    once = redact_private(text)
    assert redact_private(once) == once


@given(st.text(), st.text(alphabet="xyz<>/\n", min_size=1), st.text(alphabet="abc<>/ ", max_size=9))
def test_the_text_between_two_tags_is_never_kept(before: str, secret: str, after: str) -> None:
    hidden = f"KEY{secret}KEY"
    assert "KEY" not in redact_private(f"{before.lower()}<private>{hidden}</private>{after}")


@pytest.mark.parametrize(
    "piece",
    leave_to_soak(
        [
            "<",
            "< ",
            "<private",
            "<private>",
            "</private>",
            "<private a ",
            "< / ",
            "<\u200b",
            "<pri\xad",
        ],
        every=4,
    ),
)
def test_hostile_text_takes_linear_time(piece: str) -> None:
    began = time.process_time()
    redact_private(piece * (1_000_000 // len(piece)))
    redact_private(f"{piece}{' ' * 1_000_000}")
    redact_private(f"{piece}{chr(0x200B) * 1_000_000}")
    assert time.process_time() - began < 1
