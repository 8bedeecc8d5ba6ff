"""What is said in a chat, in sentences that can be read alone."""

from __future__ import annotations

import pytest

from cortexfs.core.settings.story_settings import StorySettings
from cortexfs.core.stories.consolidation.due_blocks import find_due_blocks
from cortexfs.core.stories.consolidation.split_sentences import split_sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I met Mr. Oak. He left.", ["I met Mr. Oak.", "He left."]),
        ('"Come. Sit," she said. He sat.', ['"Come. Sit," she said.', "He sat."]),
        ('"Who?" she asked. "Me!"', ['"Who?" she asked.', '"Me!"']),
        ("*She wept.* Nobody came.", ["*She wept.", "Nobody came."]),
        ("*She wept. She fled.*", ["*She wept.", "*She fled."]),
        ("I will *never* go.", ["I will *never* go."]),
        ("Wait... what? **Stop!**", ["Wait... what?", "Stop!"]),
        ("<b>One.</b><br>Two. [here](http://x)", ["One.", "Two.", "here"]),
        ("- one\n- two\n```\ncode. here.\n```", ["one", "two"]),
        ("我来了。你呢。", ["我来了。", "你呢。"]),
        ("a * b *c", ["a b c"]),
        ("", []),
    ],
)
def test_sentences_are_told_apart(text: str, expected: list[str]) -> None:
    found = [f"{'*' * each.is_action}{each.text}" for each in split_sentences(text)]
    assert found == expected


def test_a_megabyte_without_a_full_stop_is_read() -> None:
    assert len(split_sentences("*a " * 400_000)) == 1


def test_scenes_are_due_while_enough_chunks_wait() -> None:
    settings = StorySettings()
    totals = [
        tuple(due.total for due in find_due_blocks(messages, settings).values())
        for messages in (0, 39 * 8, 40 * 8, 50 * 8, 80 * 8, 10_000)
    ]
    assert totals == [(0, 0), (0, 0), (1, 0), (2, 0), (5, 1), (122, 24)]
