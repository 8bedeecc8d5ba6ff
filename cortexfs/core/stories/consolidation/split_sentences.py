"""Divide what somebody says in a chat into sentences that can be read alone.

An action in asterisks is a sentence of its own; within one, emphasis stays as `*this*`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.word_list import parse_words
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_SENTENCE_CHARS = 600
"""Characters from which a sentence is not joined with the next to complete its quotation."""
_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_BREAK = re.compile(r"<(?:br|p|hr|/p|/div)\b[^<>]{0,300}>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,300}>|<!--.{0,300}?-->")
_LINK = re.compile(r"!?\[([^\[\]\n]{0,300})\]\([^()\n]{0,1000}\)")
_LINE_MARK = re.compile(r"^\s*(?:(?:[-+>#|]+|\*|\d{1,3}[.)])\s+)+")
_BOLD = re.compile(r"\*\*+|__+|~~+")
_UNDERSCORED = re.compile(r"(?<!\w)_(?!\s)([^_\n]{1,1000})(?<!\s)_(?!\w)")
_EMPHASIS = re.compile(r"(?<![\w*])\*(?![\s*])([^*\n]{1,2000})(?<!\s)\*(?![\w*])")
_END = re.compile(r"(?<![.!?…])[.!?…]++[\"”’»')\]]*+(?=\s)|[。！？]+[\"”」』]*")
_CLOSED = tuple("\"”’»'）)")
_ABBREVIATIONS = parse_words("""
mr mrs ms mme mlle dr st messrs capt col prof rev lt sgt gen hon maj jr sr vs no fig
""")


class Sentence(NamedTuple):
    """A sentence on one line; an action is what stands between asterisks, without them."""

    text: str
    is_action: bool = False


def split_sentences(text: str) -> list[Sentence]:
    """Return the sentences of a message, in order, without markup and code."""
    plain = _TAG.sub("", _BREAK.sub("\n", _CODE.sub("\n", text)))
    plain = _BOLD.sub("", _LINK.sub(r"\1", plain))
    plain = _UNDERSCORED.sub(r"*\1*", plain)
    return [sentence for line in plain.split("\n") for sentence in _split_line(line)]


def drop_lone_asterisks(text: str) -> str:
    """Return a text in which asterisks stand only around what they emphasize."""
    parts = _EMPHASIS.split(text)
    return "".join(
        f"*{part}*" if number % 2 else part.replace("*", "") for number, part in enumerate(parts)
    )


def split_emphasis(text: str) -> list[str]:
    """Return a text in parts, of which every second one is emphasized."""
    return _EMPHASIS.split(text)


def _split_line(line: str) -> Iterator[Sentence]:
    """Yield the sentences of one line, each action apart."""
    line = _LINE_MARK.sub("", line)
    at = 0
    for found in _EMPHASIS.finditer(line):
        if _is_apart(line, found):
            yield from _split_part(line[at : found.start()], is_action=False)
            yield from _split_part(found[1], is_action=True)
            at = found.end()
    yield from _split_part(line[at:], is_action=False)


def _is_apart(line: str, found: re.Match[str]) -> bool:
    """Return whether what is emphasized begins and ends as a sentence does."""
    before, after = line[: found.start()].rstrip(), line[found.end() :].lstrip()
    begins = not before or before.endswith((".", "!", "?", "…", "*", *_CLOSED))
    return begins and (not after or not (after[0].islower() or after[0] in ",.;:!?"))


def _split_part(part: str, *, is_action: bool) -> Iterator[Sentence]:
    pending = ""
    for piece in _split_at_ends(part):
        pending = f"{pending} {piece}" if pending else piece
        if _has_open_quote(pending) and len(pending) < MAX_SENTENCE_CHARS:
            continue
        yield Sentence(to_one_line(drop_lone_asterisks(pending)), is_action)
        pending = ""
    if pending:
        yield Sentence(to_one_line(drop_lone_asterisks(pending)), is_action)


def _split_at_ends(part: str) -> Iterator[str]:
    at = 0
    for found in _END.finditer(part):
        following = part[found.end() : found.end() + 3].lstrip()[:1]
        is_said_by = found[0].endswith(_CLOSED) or found[0].startswith(("…", "..."))
        if (is_said_by and following.islower()) or _ends_abbreviation(part[at : found.start()]):
            continue
        if piece := part[at : found.end()].strip():
            yield piece
        at = found.end()
    if piece := part[at:].strip():
        yield piece


def _ends_abbreviation(text: str) -> bool:
    """Return whether the full stop after a text ends a title, an initial or a number."""
    word = text[-12:].rpartition(" ")[2].lstrip("\"“'(*")
    is_initial = len(word) == 1 and word.isupper() and word != "I"
    return is_initial or word.lower() in _ABBREVIATIONS


def _has_open_quote(text: str) -> bool:
    return text.count('"') % 2 == 1 or text.count("“") > text.count("”")
