"""What was said in a chunk, with the terms of each message: kept by recall while it stays."""

from __future__ import annotations

from typing import NamedTuple

from cortexfs.core.frontmatter import atom_text
from cortexfs.core.stories.chunk_body import iter_chunk_messages
from cortexfs.core.stories.message import Message
from cortexfs.core.stories.recall.score_messages import TermIndex, index_terms


class ChunkText(NamedTuple):
    """The messages of a chunk, and their terms."""

    messages: tuple[Message, ...]
    terms: TermIndex

    def cut_after(self, count: int) -> ChunkText:
        """Return the text with only the first messages."""
        if count >= len(self.messages):
            return self
        return ChunkText(self.messages[:count], self.terms.cut_after(count))


def read_chunk_text(text: str, _ref: str) -> ChunkText:
    """Return what a chunk's file has; the text of one that a person rewrote is one message."""
    body = atom_text.split_front_and_body(text)[1]
    messages = tuple(iter_chunk_messages(body))
    if not messages and body.strip():
        messages = (Message("", "", "", "", body.strip()),)
    return ChunkText(messages, index_terms(messages))
