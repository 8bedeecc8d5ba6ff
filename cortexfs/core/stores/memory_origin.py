"""Where an imported memory comes from, and whether source or memory have changed since."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import NamedTuple

_DIGEST_CHARS = 12
_ORIGIN = re.compile(rf"(?P<source>.+?)(?:#(?P<digest>[0-9a-f]{{{_DIGEST_CHARS}}}))?", re.DOTALL)


class MemoryOrigin(NamedTuple):
    """The source of a memory, and the digest of the text that came from it (empty: unknown).

    As text, in the field `origin`: `engram:41#1f2e3d4c5b6a`.
    """

    source: str
    digest: str = ""

    def __str__(self) -> str:
        return f"{self.source}#{self.digest}" if self.digest else self.source


def parse_origin(text: str) -> MemoryOrigin:
    """Return the parts of an origin."""
    found = _ORIGIN.fullmatch(text.strip())
    return MemoryOrigin(found["source"], found["digest"] or "") if found else MemoryOrigin("")


def compute_text_digest(title: str, content: str) -> str:
    """Return the digest of a memory's title and content; the amount of white space is ignored."""
    text = "\n".join(" ".join(part.split()) for part in (title, content))
    return sha256(text.encode(errors="replace")).hexdigest()[:_DIGEST_CHARS]
