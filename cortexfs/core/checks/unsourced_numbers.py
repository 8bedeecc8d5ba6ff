"""Find claimed numbers without a source."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.markdown.fences import blank_code_and_comments
from cortexfs.core.markdown.lists import LIST_MARKER
from cortexfs.core.markdown.sections import parse_heading, parse_sections

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

CLAIM_SECTIONS = frozenset({"results", "conclusion", "evidence", "statement", "decision"})
"""The sections with claims; elsewhere a number may be a plan, a guess or a setting."""

MAX_PARAGRAPH_CHARS = 2000
"""Maximum characters checked per paragraph: hostile text must not take minutes."""

MAX_NAME_CHARS = 80
"""Characters before a number that are searched for a name, so each number costs the same."""

_UNITS = (
    "[kKMGTP]?i?B|[kMG]?bits?|bytes?|ns|µs|μs|us|ms|s|secs?|seconds?|min|minutes?|h|hours?"
    "|[kMG]?Hz|[mkM]?W|[mk]?Wh|mAh|[mµ]?A|mV|V|lux|lx|°C|°F|dB|dBm|nm|µm|mm|cm|m|km|mg|g|kg|l|ml"
    "|tokens|rows|requests|req|ops|records|samples"
)
_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_FIGURE = re.compile(_NUMBER)
_CLAIM = re.compile(
    rf"""(?<![\w.,/§#:^-])(?P<figure>{_NUMBER})(?:
        \s?(?:%|‰|\u00d7|x\b|times\b|percent\b)          # a share, a factor
      | [ \u00a0](?:{_UNITS})(?:/\w+)?(?![\w-])     # a quantity
      | \ (?:of|out\ of)\ (?:{_NUMBER})(?![\w.-])   # a part of a whole
    )
    | (?<![\w.,/§#:^-])(?:\d+\.\d+|\d{{1,3}}(?:,\d{{3}})+)(?![\w.,/:-]*\w)  # measured by its looks
    """,
    re.VERBOSE,
)
_NAME_BEFORE = re.compile(r"\b[A-Z][\w-]*\s$")
"""Text before a bare number that is part of a name: `Python 3.11`, `Release 0.3`."""
_COUNTER_BEFORE = re.compile(r"\b(?i:version|release|tag|phase|step|part|v)\s$")
"""Text before a number that only counts: `step 3 of 5`."""
_SOURCE = re.compile(
    r"""(?<![\w.-])[A-Z]{1,8}-\d{3,}[a-z]?(?![\w-])                # a ref
      | `[^`\s]{0,200}[/.][^`\s]{0,200}` | \]\([^)\s]                          # a file, a link
      | (?<![\w./-])[\w./-]{0,200}\.[A-Za-z]\w{0,7}:\d               # a line of a file
      | (?<![\w./-])[\w.-]{1,99}/[\w./-]{0,200}\.[A-Za-z]\w{0,7}\b    # a path
      | https?://\S | \b(?:doi|arXiv):\S
      | \b(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{7,40}\b                  # a commit
    """,
    re.VERBOSE,
)
_RESULT = re.compile(r"[=≈]\s?[\d(\u2212-]|\d\s?[=≈]")
_OPERATION = re.compile(r"(?<=[\w)%])(?:\s?[*\u00d7/·÷^]\s?|\s[-\u2212+]\s)\(?\d")
"""With `_RESULT` on the same line this is a calculation: `8 / 0.292 = 27.4`."""
_BLOCK_START = re.compile(rf"[ \t]*+(?:{LIST_MARKER}\s|\|)")
"""The beginning of a list item or a table row."""
_NOT_CLAIMED = re.compile(
    r"`[^`\n]*`|\[[^\[\]\n]*\]\([^()\n]*\)|<[^<>\n]*>|https?://\S+"
    r"|\b\d{4}-\d\d(?:-\d\d)?\b|\b\d{1,2}:\d\d(?::\d\d)?\b|\bv?\d+(?:\.\d+){2,}\b"
)
"""Text whose numbers are not claims: code, links, dates, times, versions."""


class UnsourcedNumber(NamedTuple):
    """A number without a source, and its line."""

    figure: str
    line: int


class _Block(NamedTuple):
    """One paragraph, list item or table row: its text, its first line, and its nesting.

    `rank` is 0 for a paragraph, 1 plus the indentation for an item or the first row of a table,
    and 2 plus the indentation for the rows below it. `section` is the index of the heading.
    """

    text: str
    line: int
    rank: int
    section: int


def find_unsourced_numbers(body: str, first_line: int = 1) -> tuple[UnsourcedNumber, ...]:
    """Return the first claimed number of each paragraph, item or row without a source.

    A ref, a file, a commit, an address or a calculation is a source; a source of the sentence,
    item or table head above counts too. A number that has a source elsewhere in these sections
    counts as repeated. `first_line` is the line number of the body's first line.
    """
    blocks = list(_split_blocks(body, first_line))
    sourced = list(_mark_sourced(blocks))
    known = {
        figure
        for block, has in zip(blocks, sourced, strict=True)
        if has
        for figure in _FIGURE.findall(block.text)
    }
    return tuple(
        claim
        for block, has in zip(blocks, sourced, strict=True)
        if not has and (claim := _find_claim(block, known))
    )


def _find_claim(block: _Block, known: set[str]) -> UnsourcedNumber | None:
    visible = _NOT_CLAIMED.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), block.text)
    for found in _CLAIM.finditer(visible):
        start = found.start()
        before = max(0, start - MAX_NAME_CHARS), start
        is_name = _COUNTER_BEFORE.search(visible, *before) or (
            not found["figure"] and _NAME_BEFORE.search(visible, *before)
        )
        figure = _FIGURE.match(found[0])
        if figure and figure[0] not in known and not is_name:
            return UnsourcedNumber(
                " ".join(found[0].split()), block.line + visible.count("\n", 0, start)
            )
    return None


def _mark_sourced(blocks: Iterable[_Block]) -> Iterator[bool]:
    """Yield for each block whether it has a source, its own or that of a block above."""
    above: list[tuple[int, bool]] = []
    section = 0
    for block in blocks:
        above = [pair for pair in above if pair[0] < block.rank and block.section == section]
        section = block.section
        has = _has_source(block.text) or any(has for _, has in above)
        above.append((block.rank, has))
        yield has


def _has_source(text: str) -> bool:
    return bool(_SOURCE.search(text)) or any(
        _RESULT.search(line) and _OPERATION.search(line) for line in text.split("\n")
    )


def _split_blocks(body: str, first_line: int) -> Iterator[_Block]:
    """Yield the blocks of the sections with claims, including their subsections."""
    visible, line = blank_code_and_comments(body), first_line
    counted = end = 0
    for section in parse_sections(visible):
        if section.start >= end and section.title.lower() in CLAIM_SECTIONS:
            line += visible.count("\n", counted, section.body_start)
            counted, end = section.body_start, section.end
            yield from _split_section(
                visible[section.body_start : section.end].split("\n"), line, section.start
            )


def _split_section(lines: Sequence[str], first_line: int, section: int) -> Iterator[_Block]:
    """Yield the blocks of one section; a heading in it ends a block and is not one itself."""
    block: list[str] = []
    last = _Block("", 0, 0, 0)
    for number, line in enumerate([*lines, ""], first_line):
        is_heading = line.startswith((" ", "#")) and parse_heading(line) is not None
        if block and (is_heading or not line.strip() or _BLOCK_START.match(line)):
            last = _make_block(block, number - len(block), section, last)
            yield last
            block = []
        if line.strip() and not is_heading:
            block.append(line)


def _make_block(lines: Sequence[str], number: int, section: int, last: _Block) -> _Block:
    text = "\n".join(lines)[:MAX_PARAGRAPH_CHARS]
    indent = len(text) - len(text.lstrip())
    begins = text[indent : indent + 1]  # empty if the text is blank
    below = begins == last.text[indent : indent + 1] == "|" and last.line == number - 1
    rank = 0 if not _BLOCK_START.match(text) else max(1 + indent, 2 + indent if below else 0)
    return _Block(text, number, rank, section)
