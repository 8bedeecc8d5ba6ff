"""What the file of a chunk says about entities: the evidence of its text, and its feelings."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, NamedTuple

from cortexfs.core.frontmatter import atom_text
from cortexfs.core.stories.chunk_body import iter_chunk_messages
from cortexfs.core.stories.chunk_file import list_tags, parse_chunk_file, read_answer, read_share
from cortexfs.core.stories.colours.coloured_text import remove_tags
from cortexfs.core.stories.colours.read_colours import read_colours
from cortexfs.core.stories.entities.evidence import PassageEvidence
from cortexfs.core.stories.entities.read_passage import read_passage
from cortexfs.core.stories.sidecar.add_evidence import add_evidence

PASSAGE_VERSION = 5
"""Another number for each change of what the same text says about entities."""


class ChunkPassage(NamedTuple):
    """The salience of a chunk (0 to 1), its emotions, and what its text says about names.

    `story` and `last` are its story and the number of its last message.
    """

    salience: float
    emotions: tuple[str, ...]
    evidence: PassageEvidence
    story: str = ""
    last: int = 0

    def to_json(self) -> list[Any]:
        """Return the passage as JSON values."""
        return [
            self.salience,
            list(self.emotions),
            self.evidence.to_json(),
            self.story,
            self.last,
        ]

    @classmethod
    def from_json(cls, parts: list[Any]) -> ChunkPassage:
        """Return the passage that `to_json` was made of; raises for values of another form."""
        salience, emotions, evidence, story, last = parts
        found = PassageEvidence.from_json(evidence)
        return cls(float(salience), tuple(map(str, emotions)), found, str(story), int(last))


def digest_chunk(text: str) -> bytes:
    """Return the digest of a chunk's file, as the catalog has it."""
    return blake2b(text.encode(errors="replace"), digest_size=16).digest()


def read_chunk_passage(text: str) -> ChunkPassage | None:
    """Return what the file of a chunk says; None if it is that of no story."""
    source = parse_chunk_file(text)
    if source is None:
        return None
    parsed = atom_text.parse_frontmatter(text)
    said = [(one.speaker, one.text) for one in iter_chunk_messages(parsed.body)]
    plain = "\n\n".join(remove_tags(words) for _, words in said)
    evidence = read_passage(plain, [who for who, _ in said])
    evidence.colours = read_colours(said, evidence)
    answer = read_answer(parsed)
    if answer and answer.analysis:
        add_evidence(evidence, answer.analysis, plain)
    emotions = list_tags(parsed.fields.get("emotions"))
    salience = read_share(parsed.fields.get("salience"))
    return ChunkPassage(salience, emotions, evidence, source.story, source.last)
