"""The part of a text that answers best: a few lines, the words that were sought marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.tokenize import (
    fold_text,
    is_folded_ref,
    is_unspaced_script,
    split_words,
    tokenize,
)
from cortexfs.core.markdown.sections import parse_sections
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    Place = tuple[int, int, str]
    """Where a word that is sought begins and ends, and which it is."""

SNIPPET_CHARS = 300
"""Characters that are shown."""
MAX_CHARS_BEFORE = 100
"""Characters that are gone back at the most, to begin where a sentence does."""
_MORE = " …"


class Snippet(NamedTuple):
    """A part of a text on one line, the places in it that were sought (begin, end), its section."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()
    section: str = ""


def make_snippet(body: str, words: tuple[str, ...], length: int = SNIPPET_CHARS) -> Snippet:
    """Cut out the part with most of the words that are sought; else the beginning."""
    hits = _hits(body, words)
    start = _begin(body, _best(hits, length)) if hits else 0
    title, prose = _prose(body[: start + 2 * length], start)
    text = _cut(to_one_line(prose.replace("**", "")), length)
    said = text.removesuffix(_MORE)  # plain text is read the faster way
    marks = tuple((at, end) for at, end, _ in _hits(said, words))
    return Snippet(text, marks, _cut(to_one_line(title), length))


def _prose(body: str, start: int) -> tuple[str, str]:
    """Give what a text says from a place on, without headings, and the one above its beginning."""
    title, said = "", ""
    for section in parse_sections(body):
        if section.start >= start:
            said += body[start : section.start]
            start = section.body_start
        title = title if said.strip() else section.title
    return title, said + body[start:]


def _begin(body: str, at: int) -> int:
    """Go back to where the sentence or line of a place begins, not too far."""
    near = max(0, at - MAX_CHARS_BEFORE)
    before = body[near:at]
    sentence, line = before.rfind(". "), before.rfind("\n")
    if max(sentence, line) < 0:
        space = before.find(" ")
        return near + space + 1 if near and space >= 0 else near
    return near + (line + 1 if line > sentence else sentence + 2)


def _cut(text: str, length: int) -> str:
    """Cut a text to a length, at a blank if one is near; an ellipsis tells that there is more."""
    if len(text) <= length:
        return text
    blank = text.rfind(" ", length // 2, length - 1)
    return text[: blank if blank >= 0 else length - 1] + _MORE


def _hits(text: str, words: tuple[str, ...]) -> list[Place]:
    """Find the runs that say one of the words."""
    every = split_words(text) if words else []
    said = {run: _said(run, words) for run in _likely(every, words)}
    found: list[Place] = []
    at = 0
    for run in every:
        if words_of_it := said.get(run):
            at = _whole(text, run, at)
            found += [place for word in words_of_it for place in _places(run, at, word)]
            at += len(run)
    apart: list[Place] = []
    for place in sorted(found):
        if not apart or place[0] >= apart[-1][1]:
            apart.append(place)
    return apart


def _likely(every: list[str], words: tuple[str, ...]) -> Iterator[str]:
    """Give the runs that may say one of the words: a stem keeps its first letters."""
    heads = {word[:2] for word in words}
    for run in set(every):
        if not run.isascii() or any(map(run.lower().__contains__, heads)):
            yield run


def _said(run: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """Tell which words a run says: of plain ones the first, of pairs of letters all.

    A ref says itself alone: who asks for EXP-009 does not ask for every EXP.
    """
    read = tokenize(run)
    parts = [] if is_folded_ref(fold_text(run)) else read.words.split()
    said = [word for word in (*parts, *read.names.split()) if word in words]
    return tuple(dict.fromkeys(said)) if is_unspaced_script(run) else tuple(said[:1])


def _whole(text: str, run: str, at: int) -> int:
    """Find where a run stands as a whole, from a place on."""
    at = text.index(run, at)
    while text[at - 1 : at].isalnum() or text[at + len(run) : at + len(run) + 1].isalnum():
        at = text.index(run, at + 1)
    return at


def _places(run: str, at: int, word: str) -> Iterator[Place]:
    """Tell where a run that begins at a place says a word: all of it, or a pair of its letters."""
    if not is_unspaced_script(word):
        yield at, at + len(run), word
        return
    inside = run.find(word)
    while inside >= 0:
        yield at + inside, at + inside + len(word), word
        inside = run.find(word, inside + len(word))


def _best(hits: list[Place], length: int) -> int:
    """Tell where a window of some length holds most different words, then most of them."""
    best, where = (0, 0), 0
    for first, (at, _, _) in enumerate(hits):
        inside = [word for start, end, word in hits[first : first + 32] if end <= at + length]
        if (count := (len(set(inside)), len(inside))) > best:
            best, where = count, at
    return where
