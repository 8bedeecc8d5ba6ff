"""The sections, bullets and line ends of a Markdown file, found by place so they can be spliced."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.clean import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_BULLET = re.compile(r"([ \t]*)([-*+]|\d{1,9}[.)])([ \t]+|(?=\r?\n|$))")
_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_BLOCK = re.compile(r"#{1,6}\s|[-*+>]\s|\||```|~~~|<!--|---|===")
DEEPEST = 6
"""Levels that a heading can have."""


class Line(NamedTuple):
    """One line of a text and where it stands; `end` is after its line end.

    `code` tells that it is inside of a fence, where nothing is a heading or a list.
    """

    start: int
    end: int
    text: str
    code: bool

    @property
    def indent(self) -> int:
        """How deep it stands."""
        return len(self.text) - len(self.text.lstrip())


class Section(NamedTuple):
    """A heading with all that stands under it, down to the next of its rank or above.

    Offsets: the heading begins at `start`, what it heads at `body`; `end` is where the next
    heading begins.
    """

    level: int
    title: str
    start: int
    body: int
    end: int


class Bullet(NamedTuple):
    """One entry of a list, with the deeper lines that belong to it.

    `words` is its first line without `marker`; `indent` its depth in columns.
    """

    start: int
    end: int
    indent: int
    marker: str
    words: str


def lines(text: str) -> Iterator[Line]:
    """Give every line."""
    fence, start = "", 0
    for raw in text.split("\n"):
        end = min(start + len(raw) + 1, len(text))
        yield Line(start, end, raw.removesuffix("\r"), code=bool(fence))
        mark = _FENCE.match(raw)
        if not fence:
            fence = mark[1] if mark else ""
        elif mark and mark[1].startswith(fence) and not raw.strip().strip("`~"):
            fence = ""
        start = end


def sections(text: str) -> list[Section]:
    """Find every section, in the order of the headings."""
    heads = [(line, *head) for line in lines(text) if (head := heading(line))]
    found = []
    ends = [len(text)] * (DEEPEST + 1)
    for line, level, title in reversed(heads):
        found.append(Section(level, title, line.start, line.end, ends[level]))
        ends[level:] = [line.start] * (DEEPEST + 1 - level)
    return found[::-1]


def heading(line: Line) -> tuple[int, str] | None:
    """Read the level and the title of a line that is a heading."""
    bare = line.text.removeprefix("\ufeff").strip()
    level = len(bare) - len(bare.lstrip("#"))
    title = bare[level:]
    if line.code or not 1 <= level <= DEEPEST or (title and title[0] not in " \t"):
        return None
    return level, title.strip().rstrip("#").rstrip()


def bullets(text: str, start: int = 0, end: int | None = None) -> list[Bullet]:
    """Find the entries of the lists between two places; deeper ones belong to what is above."""
    end = len(text) if end is None else end
    found: list[Bullet] = []
    is_open = False
    for line in lines(text):
        if not start <= line.start < end or not line.text.strip():
            continue
        mark = None if line.code else _BULLET.match(line.text)
        top = found[-1] if is_open else None
        if top and _belongs(line, top, is_bullet=mark is not None):
            found[-1] = top._replace(end=line.end)
        elif mark:
            words = line.text[mark.end() :].strip()
            found.append(Bullet(line.start, line.end, line.indent, mark[2], words))
        is_open = bool(found) and found[-1].end == line.end
    return found


def _belongs(line: Line, top: Bullet, *, is_bullet: bool) -> bool:
    """Tell whether a line goes on with an entry: deeper, code of it, or right below it."""
    if line.code or line.indent > top.indent:
        return True
    begins = is_bullet or heading(line) or _FENCE.match(line.text)
    return line.start == top.end and not begins


def newline(text: str) -> str:
    """Give the line end that a text uses."""
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def same(one: str, other: str) -> bool:
    """Tell whether two titles say the same, whatever their case and punctuation."""
    return plain(one) == plain(other)


def plain(title: str) -> str:
    """Give the words of a title alone, in lower case."""
    return " ".join(re.findall(r"[^\W_]+", title.replace("&", " and ").casefold()))


def named(found: Iterable[Section], names: Sequence[str], level: int = 0) -> Section | None:
    """Give the first section that bears one of some names, of one level or of any."""
    wanted = set(map(plain, names))
    return next((s for s in found if plain(s.title) in wanted and level in {0, s.level}), None)


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Narrow a span to what is not blank at its ends."""
    inner = text[start:end]
    lead = len(inner) - len(inner.lstrip())
    return (start + lead, start + len(inner.rstrip())) if inner.strip() else (end, end)


def refill(text: str, section: Section, content: str) -> str:
    """Put other content under a heading; blank lines around it and all else stay."""
    end = newline(text)
    first, last = trimmed(text, section.body, section.end)
    said = content.strip("\n").replace("\n", end)
    if first < last:
        first = text.rfind("\n", 0, first) + 1  # an indented first line goes as a whole
        return text[:first] + said + text[last:]
    head, tail = text[: section.body], text[section.end :]
    gap = end if head.endswith("\n") else end * 2
    return f"{head}{gap}{said}{end}{end if tail else ''}{tail}"


def append(text: str, block: str) -> str:
    """Add a block at the end, parted from what stands there by a blank line."""
    end = newline(text)
    closed = text if text.endswith("\n") or not text else text + end
    gap = "" if not closed or closed.endswith(end * 2) else end
    return f"{closed}{gap}{block.strip(chr(10)).replace(chr(10), end)}{end}"


def insert(text: str, place: int, block: str) -> str:
    """Put a block before what stands at a place, parted by blank lines."""
    tail = text[place:]
    added = append(text[:place], block)
    return f"{added}{newline(text) if tail.strip() else ''}{tail}"


def without(text: str, start: int, end: int) -> str:
    """Take a span of whole lines out; at the end of the file no blank lines are left behind."""
    head, tail = text[:start], text[end:]
    if tail.strip() or not head.strip():
        return head + tail
    return head.rstrip() + newline(text)


def paragraph(words: str) -> str:
    """Give words as one line that begins no heading, list, table or fence by accident."""
    said = one_line(words)
    return f"\\{said}" if _BLOCK.match(f"{said} ") else said
