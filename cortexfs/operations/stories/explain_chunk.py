"""Show what a chunk is worth, and each part of that."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.kinds import CHUNK_KIND
from cortexfs.core.frontmatter.atom_text import parse_frontmatter
from cortexfs.core.stories.chat_record import parse_record
from cortexfs.core.stories.chunk_file import read_answer
from cortexfs.core.stories.chunk_messages import chunk_messages
from cortexfs.core.stories.sidecar.chunk_analysis import digest_messages
from cortexfs.core.stories.weigh_chunk import score_chunk, weigh_chunk
from cortexfs.errors import Refused
from cortexfs.operations.shared.resolve_names import require_kind, resolve_ref
from cortexfs.operations.stories.plan_chunk_files import read_stored_chunk
from cortexfs.operations.stories.story_record import require_record

if TYPE_CHECKING:
    from cortexfs.core.stories.chunk_messages import Chunk
    from cortexfs.core.stories.salience.score_passage import Salience
    from cortexfs.core.stories.weigh_chunk import ChunkWorth
    from cortexfs.session.session import Session


class ChunkExplanation(NamedTuple):
    """A chunk, its story, its salience by its words and the present settings, and what counts.

    What a language model has said of the chunk is in `worth`.
    """

    ref: str
    story: str
    chunk: Chunk
    salience: Salience
    worth: ChunkWorth

    @property
    def is_core(self) -> bool:
        """Whether the chunk is protected."""
        return self.worth.is_core


def explain_chunk(session: Session, typed: str, cwd: str) -> ChunkExplanation:
    """Return the parts of a chunk's salience, computed from its record.

    Raises `Refused` if the atom is no chunk, or its messages are gone.
    """
    with session.read() as view:
        ref, path = resolve_ref(view, typed, cwd)
        stored = read_stored_chunk(view, require_kind(view, CHUNK_KIND), path)
        if stored is None:
            raise Refused(f"{ref} is no chunk of a story", hint="`cortexfs list chunk` lists them")
        story, settings = stored.source.story, view.settings.stories
        record = parse_record(require_record(view, path.split("/")[1], story).text)
        chunks = chunk_messages(record.entries, settings.messages_per_chunk)
        for chunk in chunks:
            if chunk.first <= stored.source.first <= chunk.last:
                salience = score_chunk(chunk, settings)
                answer = read_answer(parse_frontmatter(stored.text))
                is_current = answer and answer.digest == digest_messages(chunk.messages)
                analysis = answer.analysis if answer and is_current else None
                worth = weigh_chunk(salience, analysis, settings)
                return ChunkExplanation(ref, story, chunk, salience, worth)
        raise Refused(
            f"the record of `{story}` has no message of {ref}",
            hint=f"`cortexfs story rebuild {story}` removes the chunk",
        )
