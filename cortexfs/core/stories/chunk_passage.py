"""What the file of a chunk says about entities: the evidence of its text, and its feelings."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from cortexfs.core.frontmatter import atom_text
from cortexfs.core.stories.chunk_file import list_tags, parse_chunk_file
from cortexfs.core.stories.colours.coloured_text import remove_tags
from cortexfs.core.stories.colours.read_colours import read_colours
from cortexfs.core.stories.entities.evidence import PassageEvidence
from cortexfs.core.stories.entities.read_passage import read_passage

if TYPE_CHECKING:
    from collections.abc import Iterator

PASSAGE_VERSION = 2
"""Another number for each change of what the same text says about entities."""
_FENCE = re.compile(r"(`{3,})text")
_HEADER = re.compile(r"(.*) \([a-z]+(?:, [^()]*)?\):")


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
    said = list(_iter_messages(parsed.body))
    plain = "\n\n".join(remove_tags(words) for _, words in said)
    evidence = read_passage(plain, [who for who, _ in said])
    evidence.colours = read_colours(said, evidence)
    emotions = list_tags(parsed.fields.get("emotions"))
    return ChunkPassage(_read_share(parsed.fields.get("salience")), emotions, evidence)


def _iter_messages(body: str) -> Iterator[tuple[str, str]]:
    """Yield the speaker and the text of each message; other lines are not what was said."""
    lines = iter(body.split("\n"))
    for line in lines:
        if fence := _FENCE.fullmatch(line):
            header = _HEADER.fullmatch(next(lines, ""))
            said: list[str] = []
            for each in lines:
                if each == fence[1]:
                    break
                said.append(each)
            speaker = header[1] if header else ""
            yield ("" if speaker == "-" else speaker), "\n".join(said)


def _read_share(value: object) -> float:
    """Return a number from 0 to 1; 0 for anything else."""
    try:
        return min(1.0, max(0.0, float(str(value))))
    except ValueError:
        return 0.0
