"""What the last build of a project's entities generated: a digest of each line, by its owner.

It is kept beside the stories, readable and committed. With it the next build knows which lines of a
file are still as they were generated, which a person has struck or changed, and which a person has
written.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE_NAME = "_generated.tsv"
"""The name of the file, in the folder of the chats of a project."""
STRUCK = "struck"
"""In place of a digest: a person has struck or changed the line; it is never generated again."""
DIGEST_CHARS = 12
MAX_DIGESTS = 1 << 15
"""Lines and keys that are kept: each message of a story asks for those of many entities again."""
MAX_KEPT_CHARS = 1000
"""Characters of a line whose digest is kept."""
_FIELD_COUNT = 3
_BODY_KINDS = ("line:", "section:", "fact:", "emotion:", "relation:", "colour:")
"""How the keys of lines of a body begin; others are of fields, of their items, and of names."""

Lines = dict[str, str]
"""The digest of each line of one owner, or `STRUCK`, by the key of the line."""


class GeneratedLine(NamedTuple):
    """A line that is generated: its key, which stays when its text changes, and its text.

    An empty line has no key. An optional one is left out unless a person has written below it.
    `former` are keys that the line may have had: where one was struck, so is the line.
    """

    key: str
    text: str
    is_optional: bool = False
    former: tuple[str, ...] = ()


def digest_text(text: str) -> str:
    """Return a digest of a line, without white space at its ends, or of a whole text.

    Only lines are kept: whole texts, which change with each message, would fill the memory.
    """
    return _digest_line(text) if len(text) <= MAX_KEPT_CHARS else _digest(text)


@lru_cache(maxsize=2)
def digest_record(text: str) -> str:
    """Return the digest of the text of a file of generated lines: the last ones are kept."""
    return _digest(text)


@lru_cache(maxsize=MAX_DIGESTS)
def _digest_line(line: str) -> str:
    return _digest(line)


def _digest(text: str) -> str:
    return sha256(text.strip().encode(errors="replace")).hexdigest()[:DIGEST_CHARS]


@lru_cache(maxsize=MAX_DIGESTS)
def make_key(kind: str, *names: str) -> str:
    """Return the key of a line about some names, in which case and white space do not count."""
    folded = "\0".join(to_one_line(name).casefold() for name in names)
    return f"{kind}:{digest_text(folded)}"


def parse_generated(text: str) -> dict[str, Lines]:
    """Return what a file says was generated, by owner; lines of another form are left out."""
    found: dict[str, Lines] = {}
    for line in text.splitlines():
        fields = line.split("\t")
        if len(fields) == _FIELD_COUNT:
            owner, key, digest = fields
            found.setdefault(owner, {})[key] = digest
    return found


def format_generated(generated: Mapping[str, Lines]) -> str:
    """Return the text of a file of generated lines; the same lines always give the same text."""
    return "".join(
        f"{owner}\t{key}\t{digest}\n"
        for owner in sorted(generated)
        for key, digest in sorted(generated[owner].items())
    )


def select_body_lines(lines: Lines) -> Lines:
    """Return what was generated of the body of a file."""
    return {key: digest for key, digest in lines.items() if key.startswith(_BODY_KINDS)}
