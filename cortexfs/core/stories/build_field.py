"""The digest of a generated file in its own frontmatter: it shows whether a person changed it."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.atoms.atom import FrontmatterValue

DIGEST_CHARS = 12
_UNCOUNTED = re.compile(r"^(?:build|refs|last-ref): .*\n", re.MULTILINE)


def short_digest(text: str) -> str:
    """Return a short digest of a text."""
    return sha256(text.encode(errors="replace")).hexdigest()[:DIGEST_CHARS]


def digest_file(text: str) -> str:
    """Return the digest of a file, in which its counts of reads do not matter.

    Only its frontmatter has such fields: below it, `build: x` is what somebody said.
    """
    end = text.find("\n---\n") + 1
    return short_digest(_UNCOUNTED.sub("", text[:end]) + text[end:])


def add_build(text: str) -> str:
    """Return a generated file with its digest at the end of its frontmatter."""
    return text.replace("\n---\n", f"\nbuild: {short_digest(text)}\n---\n", 1)


def is_edited(text: str, fields: Mapping[str, FrontmatterValue]) -> bool:
    """Return whether a person has changed a generated file; `fields` are those of its text."""
    return fields.get("build") != digest_file(text)
