"""Nothing that a hook prints is taken for a memory, wherever a client puts it."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cortexfs.core.memory.emitted_text import strip_emitted_text
from cortexfs.core.memory.extract_learnings import extract_learnings
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


def test_a_memory_of_the_block_alone_is_refused_and_learns_nothing(tree: Place) -> None:
    session = Session.open(str(tree.root), lambda: datetime(2026, 5, 6, tzinfo=UTC))
    with pytest.raises(Refused, match="the content is empty"):
        save_memory(session, MemoryDraft("x", BLOCK, "decision", "driftwood"))
    assert extract_learnings(strip_emitted_text(BLOCK), ()) == []
