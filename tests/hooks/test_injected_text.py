"""Nothing that a hook prints is taken for a memory, wherever a client puts it."""

from __future__ import annotations

import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cortexfs.core.memory.emitted_text import strip_emitted_text
from cortexfs.core.memory.extract_learnings import extract_learnings
from cortexfs.core.text.sanitize import INVISIBLE_PATTERN
from cortexfs.errors import Refused
from cortexfs.operations.memory.save_memory import save_memory
from cortexfs.operations.shared.memory_types import MemoryDraft
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from place import Place

sys.path.insert(0, str(Path(__file__).parents[2] / "hooks"))
import context_block

BULLETIN = "- driftwood/K-001: a decision was made\n\n## Key Learnings:\n\n1. x"
BLOCK = context_block.wrap_text(BULLETIN, "bulletin/driftwood")
ESCAPED = BLOCK.replace("<", "&lt;").replace(">", "&gt;")
PLACES = [
    "{block}",
    "<system-reminder>\nSessionStart hook additional context: {block}\n</system-reminder>",
    "SessionStart hook additional context: {block}",
    "<session-start-hook>{block}</session-start-hook>",
    "<hook_context>{escaped}</hook_context>",
    "UserPromptSubmit hook additional context: {block}\n",
    "PostToolUse:Read hook additional context: {block}",
]


@pytest.mark.parametrize("place", PLACES)
def test_a_transcript_keeps_only_the_words_of_the_session(place: str) -> None:
    text = place.format(block=BLOCK, escaped=ESCAPED)
    assert strip_emitted_text(f"before\n{text}\nafter").split() == ["before", "after"]


IGNORABLE = (
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5),
    (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164),
    (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
"""The property Default_Ignorable_Code_Point of Unicode 16."""


def test_the_hooks_drop_the_characters_that_the_package_calls_invisible() -> None:
    text = "".join(map(chr, range(0x110000)))
    cleaned = context_block.clean_text(text)
    assert cleaned == re.sub(INVISIBLE_PATTERN, "", text)
    ignorable = {chr(each) for first, last in IGNORABLE for each in range(first, last + 1)}
    assert ignorable.isdisjoint(cleaned)


@pytest.mark.parametrize(
    "tag",
    [
        "system", "function_calls", "/function_calls", "task-notification", "é", "!-- x", "?xml",
        " /system", "/cort\ufe0fex-memory", "\u3164cortex-memory", "\u034f/ cortex-memory",
    ],
)  # fmt: skip
def test_no_tag_passes_and_a_comparison_does(tag: str) -> None:
    text = context_block.clean_text(f"<{tag}>")
    assert text.startswith("&lt;")
    assert "<" not in text
    assert context_block.clean_text("a < 3, b <= c, <-") == "a < 3, b <= c, <-"


def test_a_memory_of_the_block_alone_is_refused_and_learns_nothing(tree: Place) -> None:
    session = Session.open(str(tree.root), lambda: datetime(2026, 5, 6, tzinfo=UTC))
    with pytest.raises(Refused, match="the content is empty"):
        save_memory(session, MemoryDraft("x", BLOCK, "decision", "driftwood"))
    assert extract_learnings(strip_emitted_text(BLOCK), ()) == []
