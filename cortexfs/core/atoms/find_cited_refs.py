"""Find the refs that a text mentions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.markdown.fences import blank_code

if TYPE_CHECKING:
    from collections.abc import Iterator

_REF = re.compile(r"[A-Z]{1,8}-[0-9]{3,}[a-z]?(?![\w-])")
_REF_NUMBER = re.compile(r"-[0-9]{3}")
MAX_URL_CHARS = 2000
"""Maximum characters of an address before a ref, so that each ref costs the same."""
_URL_END = re.compile(r"[\s<>\"'`|()\[\],]")
"""A character that ends an address; a comma does, because it separates the items of a list."""
_BEFORE_NO_REF = re.compile(r"[\w.-]")
"""A character that cannot precede a ref; as a lookbehind in `_REF` it would be much slower."""
_BEFORE_REF = frozenset(" (/\n")
"""What mostly precedes a ref."""
_PROJECT = re.compile(r"(?:^|(?<![\w./-]))([a-z0-9][a-z0-9._-]{0,63})/$")


def find_cited_refs(text: str) -> Iterator[tuple[str, int]]:
    """Yield the refs in a text outside of code blocks, each with its line from 1."""
    line, counted = 1, 0
    for cited, start in find_ref_positions(blank_code(text)):
        line, counted = line + text.count("\n", counted, start), start
        yield cited, line


def find_ref_positions(text: str) -> Iterator[tuple[str, int]]:
    """Yield the refs in a text without code, each with the index at which its id begins."""
    end, has_url = _find_last_number(text), "://" in text
    for found in _REF.finditer(text, 0, end) if end else ():
        start = found.start()
        before = text[start - 1] if start else " "
        if before not in _BEFORE_REF and _BEFORE_NO_REF.match(before):
            continue
        if has_url and _is_in_url(text, start):
            continue
        if before == "/":
            project = _PROJECT.search(text[max(0, start - 66) : start])
            if project and not text.startswith(".md", found.end()):  # else it is a path
                yield f"{project[1]}/{found[0]}", start
        else:
            yield found[0], start


def _find_last_number(text: str) -> int:
    """Return the end of the last line with a number of a ref: it is found by its hyphen, quickly.

    Most texts have no ref after their frontmatter.
    """
    last = 0
    for found in _REF_NUMBER.finditer(text):
        last = found.end()
    end = text.find("\n", last) if last else 0
    return len(text) if end < 0 else end


def _is_in_url(text: str, position: int) -> bool:
    """Return whether a position is in an address: `https://example.com/?issue=EXP-001`."""
    scheme = text.rfind("://", max(0, position - MAX_URL_CHARS), position)
    return scheme >= 0 and not _URL_END.search(text, scheme, position)
