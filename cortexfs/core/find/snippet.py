"""The part of a text that answers best: a few lines, the words that were sought marked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.clean import one_line
from cortexfs.core.find.tokens import is_unspaced, runs, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

LENGTH = 300
"""Characters that are shown."""
BEFORE = 100
"""Characters that are gone back at the most, to begin where a sentence does."""
_MORE = " …"
_HEADING = re.compile(r"^#{1,6}[ \t]+(.*?)[ \t#]*$", re.MULTILINE)


class Snippet(NamedTuple):
    """A part of a text on one line, the places in it that were sought (begin, end), its section."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()
    section: str = ""


def snippet(body: str, words: tuple[str, ...], length: int = LENGTH) -> Snippet:
    """Cut out the part with most of the words that are sought; else the beginning."""
    hits = _hits(body, words)
    start = _begin(body, _best(hits, length)) if hits else 0
    headings = [heading[1] for heading in _HEADING.finditer(body, 0, start + 1)]
    prose = _HEADING.sub("", body[start : start + 2 * length]).replace("**", "")
    text = _cut(one_line(prose), length)
    said = text.removesuffix(_MORE)  # plain text is read the faster way
    marks = tuple((at, end) for at, end, _ in _hits(said, words))
    return Snippet(text, marks, one_line(headings[-1]) if headings else "")


def _begin(body: str, at: int) -> int:
    """Go back to where the sentence or line of a place begins, not too far."""
    near = max(0, at - BEFORE)
    before = body[near:at]
    sentence, line = before.rfind(". "), before.rfind("\n")
    if max(sentence, line) < 0:
        space = before.find(" ")
        return near + space + 1 if near and space >= 0 else near
    return near + (line + 1 if line > sentence else sentence + 2)


def _cut(text: str, length: int) -> str:
    """Cut a text to a length, at a blank; an ellipsis tells that there is more."""
    if len(text) <= length:
        return text
    return text[: length - 1].rpartition(" ")[0] + _MORE


def _hits(text: str, words: tuple[str, ...]) -> list[tuple[int, int, str]]:
    """Find the runs that say one of the words: where they begin and end, and which it is."""
    if not words:
        return []
    found = [
        place
        for run in _likely(text, words)
        for said in _said(run, words)
        for place in _places(text, run, said)
    ]
    apart: list[tuple[int, int, str]] = []
    for place in sorted(found):
        if not apart or place[0] >= apart[-1][1]:
            apart.append(place)
    return apart


def _likely(text: str, words: tuple[str, ...]) -> Iterator[str]:
    """Give the runs of a text that may say one of the words: a stem keeps its first letters."""
    heads = {word[:2] for word in words}
    for run in set(runs(text)):
        if not run.isascii() or any(map(run.lower().__contains__, heads)):
            yield run


def _said(run: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """Tell which words a run says: of plain ones the first, of pairs of letters all."""
    read = tokens(run)
    said = [word for word in (*read.words.split(), read.names) if word in words]
    return tuple(dict.fromkeys(said)) if is_unspaced(run) else tuple(said[:1])


def _places(text: str, run: str, word: str) -> Iterator[tuple[int, int, str]]:
    """Find where a run stands as a whole, or a pair of letters within a run."""
    pair = is_unspaced(word)
    sought = word if pair else run
    at = text.find(sought)
    while at >= 0:
        end = at + len(sought)
        if pair or not (text[at - 1 : at].isalnum() or text[end : end + 1].isalnum()):
            yield at, end, word
        at = text.find(sought, end)


def _best(hits: list[tuple[int, int, str]], length: int) -> int:
    """Tell where a window of some length holds most different words, then most of them."""
    best, where = (0, 0), 0
    for first, (at, _, _) in enumerate(hits):
        inside = [word for start, end, word in hits[first : first + 32] if end <= at + length]
        if (count := (len(set(inside)), len(inside))) > best:
            best, where = count, at
    return where
