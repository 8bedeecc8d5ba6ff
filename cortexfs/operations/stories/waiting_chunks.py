"""The chunks of a story of which a language model has not said anything yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.stories.chat_record import parse_record
from cortexfs.core.stories.chunk_messages import chunk_messages
from cortexfs.core.stories.sidecar.chunk_analysis import digest_messages
from cortexfs.operations.stories.plan_chunk_files import collect_answers, iter_stored_chunks
from cortexfs.operations.stories.story_record import require_record

if TYPE_CHECKING:
    from cortexfs.core.stories.chunk_messages import Chunk
    from cortexfs.session.view import View


def list_waiting_chunks(
    view: View, project: str, name: str, *, but_last: bool = False
) -> list[Chunk]:
    """Return the chunks that a model can be asked about, in order.

    One that a person has edited is left as it is; with `but_last` the last one too, because the
    next message may belong to it.
    """
    record = parse_record(require_record(view, project, name).text)
    size = view.settings.stories.messages_per_chunk
    stored = [each for each in iter_stored_chunks(view, project) if each.source.story == name]
    answered = collect_answers(stored)
    edited = {(each.source.first - 1) // size + 1 for each in stored if each.source.is_edited}
    chunks = chunk_messages(record.entries, size)
    return [
        chunk
        for chunk in (chunks[:-1] if but_last else chunks)
        if chunk.number not in edited and digest_messages(chunk.messages) not in answered
    ]
