"""What the file of a chunk says about entities: the evidence of its text, and its feelings."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, NamedTuple

from cortexfs.core.frontmatter import atom_text
from cortexfs.core.stories.chunk_file import list_tags, parse_chunk_file
from cortexfs.core.stories.colours.coloured_text import remove_tags
from cortexfs.core.stories.colours.read_colours import read_colours
from cortexfs.core.stories.entities.evidence import PassageEvidence
from cortexfs.core.stories.entities.read_passage import read_passage
from cortexfs.core.stories.read_chunk_messages import iter_chunk_messages

PASSAGE_VERSION = 2
"""Another number for each change of what the same text says about entities."""


class ChunkPassage(NamedTuple):
    """The salience of a chunk (0 to 1), its emotions, and what its text says about names."""

    salience: float
    emotions: tuple[str, ...]
    evidence: PassageEvidence

    def to_json(self) -> list[Any]:
        """Return the passage as JSON values."""
        return [self.salience, list(self.emotions), self.evidence.to_json()]

    @classmethod
    def from_json(cls, parts: list[Any]) -> ChunkPassage:
        """Return the passage that `to_json` was made of; raises for values of another form."""
        salience, emotions, evidence = parts
        return cls(float(salience), tuple(map(str, emotions)), PassageEvidence.from_json(evidence))


def digest_chunk(text: str) -> bytes:
    """Return the digest of a chunk's file, as the catalog has it."""
    return blake2b(text.encode(errors="replace"), digest_size=16).digest()


def read_chunk_passage(text: str) -> ChunkPassage | None:
    """Return what the file of a chunk says; None if it is that of no story."""
    if parse_chunk_file(text) is None:
        return None
    parsed = atom_text.parse_frontmatter(text)
    said = [(one.speaker, one.text) for one in iter_chunk_messages(parsed.body)]
    plain = "\n\n".join(remove_tags(words) for _, words in said)
    evidence = read_passage(plain, [who for who, _ in said])
    evidence.colours = read_colours(said, evidence)
    emotions = list_tags(parsed.fields.get("emotions"))
    return ChunkPassage(_read_share(parsed.fields.get("salience")), emotions, evidence)


def _read_share(value: object) -> float:
    """Return a number from 0 to 1; 0 for anything else."""
    try:
        return min(1.0, max(0.0, float(str(value))))
    except ValueError:
        return 0.0
