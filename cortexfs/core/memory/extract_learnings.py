"""Extract the items of a "Key Learnings" section from what an agent printed."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from cortexfs.core.markdown.fences import blank_code_and_comments
from cortexfs.core.markdown.sections import parse_sections

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

LEARNING_HEADINGS = (
    "key learning",
    "key learnings",
    "learning",
    "learnings",
    "aprendizajes",
    "aprendizajes clave",
)
"""The headings of a section of learnings, in lower case; those of a project are added."""
MIN_LEARNING_CHARS = 20
"""Minimum characters of a learning; shorter items are dropped."""
MAX_LEARNINGS = 100
"""Maximum learnings of one text."""
_HEADING_LEVELS = (2, 3)

_NUMBERED_ITEM = re.compile(r"[ \t]*+[0-9]{1,9}[.)][ \t]++(.*)")
_BULLET_ITEM = re.compile(r"[ \t]*+[-*][ \t]++(.*)")
_EMPHASIS = re.compile(
    r"(?P<code>`([^`\n]+)`)"
    r"|\*\*(?=\S)([^*\n]+)(?<=\S)\*\*|(?<!\w)__(?=\S)([^_\n]+)(?<=\S)__(?!\w)"
    r"|(?<![\w*])\*(?=\S)([^*\n]+)(?<=\S)\*(?![\w*])|(?<!\w)_(?=\S)([^_\n]+)(?<=\S)_(?!\w)"
)


def extract_learnings(text: str, headings: Iterable[str] = ()) -> list[str]:
    """Return the items of the last section of learnings that has any, without emphasis.

    A section begins at a heading of level 2 or 3, one of ours or of `headings`, and ends at the
    next heading of level 1 to 3. If it has numbered items, its bullets are ignored.
    """
    wanted = {*LEARNING_HEADINGS, *map(_normalize_heading, headings)}
    sections = [part for part in parse_sections(text) if part.level <= max(_HEADING_LEVELS)]
    if not any(_normalize_heading(part.title) in wanted for part in sections):
        return []
    prose, end = blank_code_and_comments(text), len(text)
    for part in reversed(sections):
        if part.level in _HEADING_LEVELS and _normalize_heading(part.title) in wanted:
            found = _list_learnings(prose[part.body_start : end].splitlines())
            if found:
                return found
        end = part.start
    return []


def _normalize_heading(title: str) -> str:
    return " ".join(title.strip(" \t#:*_").casefold().split())


def _list_learnings(lines: Sequence[str]) -> list[str]:
    """Return the numbered items that are long enough; if there are none, the bullets."""
    for pattern in (_NUMBERED_ITEM, _BULLET_ITEM):
        items = (_strip_emphasis(" ".join(item.split())) for item in _find_items(lines, pattern))
        if found := list(islice((i for i in items if len(i) >= MIN_LEARNING_CHARS), MAX_LEARNINGS)):
            return found
    return []


def _find_items(lines: Iterable[str], pattern: re.Pattern[str]) -> Iterator[str]:
    """Yield the list items of one sort, each with the indented lines that continue it."""
    item: list[str] = []
    for line in lines:
        begins = pattern.match(line)
        if item and not begins and _continues_item(line):
            item.append(line)
            continue
        if item:
            yield " ".join(item)
        item = [begins[1]] if begins else []
    if item:
        yield " ".join(item)


def _continues_item(line: str) -> bool:
    is_indented = line[:1] in {" ", "\t"} and bool(line.strip())
    return is_indented and not (_NUMBERED_ITEM.match(line) or _BULLET_ITEM.match(line))


def _strip_emphasis(text: str) -> str:
    return _EMPHASIS.sub(_inner_text, text)


def _inner_text(found: re.Match[str]) -> str:
    inner = next(group for group in found.groups()[1:] if group is not None)
    return inner if found["code"] else _strip_emphasis(inner)
