"""The text in which passages are kept between commands; anything else in its place is ignored."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from cortexfs.core.stories.chunk_passage import PASSAGE_VERSION, ChunkPassage
from cortexfs.core.stories.colours.read_colours import is_colour_key

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_BYTES = 12 << 20
"""Bytes of passages that are kept; others are read from their chunks."""
_COUNTS = ("words", "together", "aliases")


def format_passages(passages: Mapping[bytes, ChunkPassage]) -> bytes:
    """Return the text of passages by the digest of their chunks, as far as there is room."""
    lines: list[bytes] = []
    room = MAX_BYTES
    for digest in sorted(passages):
        text = json.dumps(passages[digest].to_json(), separators=(",", ":"))
        line = f"{digest.hex()}\t{text}\n".encode()
        room -= len(line)
        if room < 0:
            break
        lines.append(line)
    body = b"".join(lines)
    return make_passages_head(body) + body


def parse_passages(content: bytes) -> dict[bytes, ChunkPassage]:
    """Return the passages of a text; none if it is damaged, or of another version."""
    head, _, body = content.partition(b"\n")
    if head + b"\n" != make_passages_head(body):
        return {}
    try:
        return dict(map(_parse_line, body.decode().splitlines()))
    except (ValueError, TypeError, AttributeError, LookupError, OverflowError, RecursionError):
        return {}


def make_passages_head(body: bytes) -> bytes:
    """Return the line before passages, with which they are known to be whole."""
    return f"passages {PASSAGE_VERSION} {sha256(body).hexdigest()}\n".encode()


def _parse_line(line: str) -> tuple[bytes, ChunkPassage]:
    digest, _, text = line.partition("\t")
    parts = json.loads(text)
    if not _is_evidence(parts[2]):
        raise ValueError("no evidence")
    return bytes.fromhex(digest), ChunkPassage.from_json(parts)


def _is_evidence(parts: dict[str, dict[str, Any]]) -> bool:
    """Return whether JSON values have the form of evidence."""
    names, texts, ties, colours = (
        parts.get(key, {}) for key in ("names", "texts", "ties", "colours")
    )
    return (
        all(_is_counts(parts.get(key, {})) for key in _COUNTS)
        and all(map(_is_counts, names.values()))
        and all(
            [type(part) for part in text] == [str, str, int]
            for found in texts.values()
            for text in found
        )
        and all(
            [type(part) for part in pair] == [int, int]
            for pair in (*ties.values(), *colours.values())
        )
        and all(pair.count("|") == 1 for key in _COUNTS[1:] for pair in parts.get(key, {}))
        and all(tie.count("|") == 4 for tie in ties)  # noqa: PLR2004 - see `read_relations`
        and all(map(is_colour_key, colours))
    )


def _is_counts(counts: dict[str, object]) -> bool:
    return all(type(count) is int for count in counts.values())
