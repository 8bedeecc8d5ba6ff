"""What is sought for what was said last: its words, and whether it is a question."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.find.tokenize import split_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.stories.message import Message

MAX_MESSAGES = 6
"""Messages that are sought: earlier ones are seldom what is meant."""
MAX_CHARS = 2000
"""Characters of each message that are sought: its end, for there is what is to be answered."""
_QUESTION = re.compile(
    r"(?i)\s*(?:who|whom|whose|what|when|where|which|why|how|do|does|did|is|are|was|were|has|have"
    r"|had|can|could|would|will|should|remember|recall|remind|tell)\b"
)
_FORBIDDEN = re.compile(r"[\"“”„«»:*]")
"""Characters with a meaning in queries."""


def select_texts(messages: Sequence[Message]) -> list[str]:
    """Return the texts of the last messages, oldest first, as words without operators."""
    texts = (message.text[-MAX_CHARS:] for message in messages[-MAX_MESSAGES:])
    return [" ".join(split_words(_FORBIDDEN.sub(" ", text))) for text in texts]


def is_question(messages: Sequence[Message]) -> bool:
    """Return whether what was said last asks for something, or was typed to be sought."""
    if not messages:
        return False
    last = messages[-1]
    if not last.speaker and len(messages) == 1:
        return True
    end = last.text.rstrip(' "”*_»)')
    return end.endswith(("?", "？", "؟")) or bool(_QUESTION.match(last.text) and len(end) < 120)  # noqa: PLR2004 - one sentence
