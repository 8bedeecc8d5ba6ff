"""Cited lines of files, and the checksums that reveal whether they have changed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, Protocol

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.markdown.fences import blank_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    ReadLines = Callable[[str], Sequence[str] | None]

_CITATION = re.compile(
    r"(?<![\w./:@#-])(?P<path>[\w-][\w.-]{0,99}(?:/[\w.-]{1,99}){0,20}\.[A-Za-z]\w{0,9})"
    r":(?P<first>\d{1,6})(?:-(?P<last>\d{1,6}))?(?:#(?P<sum>[0-9a-f]{6}))?(?![\w#-]|:\d)"
)
_CHECKSUM_END = re.compile(r":\d{1,6}(?:-\d{1,6})?#[0-9a-f]{6}")
"""The end of a citation with a checksum: few texts have one, and the test is fast."""
_CHECKSUM_BYTES = 3
MAX_COMPARED_LINES = 200_000
"""Maximum lines compared for the citations of one text, and again to find moved lines."""


class CitedFileSource(Protocol):
    """Access to the files that the atoms of each project cite."""

    def make_line_reader(self, project: str, /) -> ReadLines | None:
        """Return a function from a path to the lines of a project's file; None if there is none."""


class LineCitation(NamedTuple):
    """`src/store.py:42-44#9f3a1c`: a file, its lines, and their checksum when cited.

    `line` is the line of the citation in the citing text, from 1.
    """

    path: str
    first_line: int
    last_line: int
    checksum: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.first_line}" + (
            f"-{self.last_line}" if self.last_line > self.first_line else ""
        )


def parse_citations(text: str) -> tuple[LineCitation, ...]:
    """Return the citations of a text with a checksum, except in frontmatter and code."""
    if not _CHECKSUM_END.search(text):
        return ()
    return tuple(_parse_checksummed(text))


def _parse_checksummed(text: str) -> Iterator[LineCitation]:
    """Yield the citations with a checksum; lines are counted from the previous one on."""
    line, counted = 1, 0
    for found in _find_citations(text):
        line, counted = line + text.count("\n", counted, found.start()), found.start()
        if found["sum"]:
            first, last = int(found["first"]), int(found["last"] or found["first"])
            yield LineCitation(found["path"], first, last, found["sum"], line)


def insert_checksums(text: str, read_lines: ReadLines) -> str:
    """Return the text with a checksum added to each citation without one whose lines exist.

    `read_lines` returns the lines of a file by its path, None if there is no such file.
    """
    parts, copied = [], 0
    for found in _find_citations(text):
        first, last = int(found["first"]), int(found["last"] or found["first"])
        cited = None if found["sum"] else _get_cited_lines(read_lines(found["path"]), first, last)
        if cited is not None:
            parts += [text[copied : found.end()], "#", compute_checksum(cited)]
            copied = found.end()
    return "".join([*parts, text[copied:]])


def find_changed_lines(citations: Sequence[LineCitation], read_lines: ReadLines) -> Iterator[Flaw]:
    """Yield a flaw for each citation whose lines have changed.

    Citations beyond `MAX_COMPARED_LINES` lines are not compared; one flaw states from where on.
    """
    left, compared = MAX_COMPARED_LINES, 0
    for citation in citations:
        lines = read_lines(citation.path)
        now = _get_cited_lines(lines, citation.first_line, citation.last_line)
        compared += len(now or ())
        if compared > MAX_COMPARED_LINES:
            message = f"cited lines from here on are not compared: over {MAX_COMPARED_LINES}"
            yield Flaw("too-many-cited-lines", message, citation.line)
            return
        if now is None or compute_checksum(now) != citation.checksum:
            left -= _count_hashed_lines(citation, lines or ())
            change = "no longer exists"
            if lines is not None:
                change = _describe_change(citation, lines) if left >= 0 else "has changed since"
            yield Flaw("cited-line-changed", f"`{citation}` {change}", citation.line)


def compute_checksum(lines: Sequence[str]) -> str:
    """Return the checksum of cited lines: six hexadecimal digits of BLAKE2b, white space folded."""
    from hashlib import blake2b  # noqa: PLC0415 - it loads OpenSSL

    folded = "\n".join(" ".join(line.split()) for line in lines)
    return blake2b(folded.encode(errors="replace"), digest_size=_CHECKSUM_BYTES).hexdigest()


def _count_hashed_lines(citation: LineCitation, lines: Sequence[str]) -> int:
    """Return the number of lines to hash in order to find moved lines."""
    count = citation.last_line - citation.first_line + 1
    return count * max(0, len(lines) - count + 1)


def _describe_change(citation: LineCitation, lines: Sequence[str]) -> str:
    """Return the new line of moved lines, if there is exactly one match, else that they changed."""
    count = citation.last_line - citation.first_line + 1
    starts = range(len(lines) - count + 1)
    found = [at for at in starts if compute_checksum(lines[at : at + count]) == citation.checksum]
    return f"has moved to line {found[0] + 1}" if len(found) == 1 else "has changed since"


def _get_cited_lines(lines: Sequence[str] | None, first: int, last: int) -> Sequence[str] | None:
    if lines is None or not 0 < first <= last <= len(lines):
        return None
    return lines[first - 1 : last]


def _find_citations(text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of citations below the frontmatter and outside of code blocks."""
    parts = atom_text.split_frontmatter(text)
    start = 0 if isinstance(parts, Flaw) else len(parts.head + parts.block)
    for found in _CITATION.finditer(text[:start] + blank_code(text[start:]), start):
        steps = found["path"].split("/")
        if not any(step.startswith(".") for step in steps):
            yield found
