"""Choose the snippet of a text that best matches a query, with its matches marked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.tokenize import (
    fold_text,
    is_folded_ref,
    split_words,
    tokenize,
)
from cortexfs.core.find.unspaced_scripts import is_unspaced_script
from cortexfs.core.markdown.sections import parse_sections
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    Place = tuple[int, int, str]
    """A match: its begin, its end, and the query term."""

SNIPPET_CHARS = 300
"""Default maximum characters of a snippet."""
MAX_CHARS_BEFORE = 100
"""Maximum characters to go back to the beginning of a sentence."""
MAX_COMPARED_CHARS = 200_000
"""Maximum characters of the distinct words that are compared with the terms, over all languages.

Of a text with more, only the beginning has matches.
"""
_ELLIPSIS = " …"


class Snippet(NamedTuple):
    """A part of a text on one line, its matches (begin, end), and the title of its section."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()
    section: str = ""


def make_snippet(
    body: str,
    words: tuple[str, ...],
    languages: tuple[str, ...] = (),
    length: int = SNIPPET_CHARS,
) -> Snippet:
    """Return the part of a text with most of the terms, or its beginning if none matches.

    The terms are in English, or in one of the languages.
    """
    hits = _find_matches(body, words, languages)
    start = _find_sentence_start(body, _find_best_start(hits, length)) if hits else 0
    title, prose = _split_title_and_prose(body[: start + 2 * length], start)
    text = _truncate(to_one_line(_remove_rules(prose).replace("**", "")), length)
    without_ellipsis = text.removesuffix(_ELLIPSIS)  # ASCII is tokenized faster
    marks = tuple((at, end) for at, end, _ in _find_matches(without_ellipsis, words, languages))
    return Snippet(text, marks, _truncate(to_one_line(title), length))


def _split_title_and_prose(body: str, start: int) -> tuple[str, str]:
    """Return the heading above a position, and the text from there on without headings."""
    title, prose = "", ""
    for section in parse_sections(body):
        if section.start >= start:
            prose += body[start : section.start]
            start = section.body_start
        title = title if prose.strip() else section.title
    return title, prose + body[start:]


def _remove_rules(prose: str) -> str:
    """Return a text without lines of signs: below the head of a table, or between paragraphs."""
    if "---" not in prose:
        return prose
    return "\n".join(line for line in prose.split("\n") if line.strip("|-: \t\r") or not line)


def _find_sentence_start(body: str, at: int) -> int:
    """Return where the sentence or line of a position begins.

    It is at most `MAX_CHARS_BEFORE` back.
    """
    near = max(0, at - MAX_CHARS_BEFORE)
    before = body[near:at]
    sentence, line = before.rfind(". "), before.rfind("\n")
    if max(sentence, line) < 0:
        space = before.find(" ")
        return near + space + 1 if near and space >= 0 else near
    return near + (line + 1 if line > sentence else sentence + 2)


def _truncate(text: str, length: int) -> str:
    """Return a text cut to a length, at a blank if one is near, with `…` if it was cut."""
    if len(text) <= length:
        return text
    blank = text.rfind(" ", length // 2, length - 1)
    return text[: blank if blank >= 0 else length - 1] + _ELLIPSIS


def _find_matches(text: str, words: tuple[str, ...], languages: tuple[str, ...]) -> list[Place]:
    """Return the matches of the terms in a text, in order and without overlap."""
    runs = split_words(text) if words else []
    candidates = _filter_candidates(runs, words, MAX_COMPARED_CHARS // (1 + len(languages)))
    terms_of = {run: _match_terms(run, words, languages) for run in candidates}
    found: list[Place] = []
    at = 0
    for run in runs:
        if terms := terms_of.get(run):
            at = _find_whole_word(text, run, at)
            found += [place for word in terms for place in _list_places(run, at, word)]
            at += len(run)
    separate: list[Place] = []
    for place in sorted(found):
        if not separate or place[0] >= separate[-1][1]:
            separate.append(place)
    return separate


def _filter_candidates(runs: list[str], words: tuple[str, ...], limit: int) -> Iterator[str]:
    """Yield the runs that may match a term, up to some characters: a stem keeps its first letters.

    They are in the order of the text.
    """
    find_head = re.compile("|".join(map(re.escape, {word[:2] for word in words}))).search
    distinct = dict.fromkeys(runs)
    for run, head in zip(distinct, map(find_head, map(str.lower, distinct)), strict=True):
        if head or not run.isascii():
            if (limit := limit - len(run)) < 0:
                return
            yield run


def _match_terms(run: str, words: tuple[str, ...], languages: tuple[str, ...]) -> tuple[str, ...]:
    """Return the terms that a run matches: the first one, or all in an unspaced script.

    A ref matches only as a whole: a query for EXP-009 does not match every EXP.
    """
    tokens = [tokenize(run, language) for language in ("", *languages)]
    matches = [word for each in tokens for part in each for word in part.split() if word in words]
    matches = matches or _match_beginnings(run, words)
    if matches and is_folded_ref(fold_text(run)):
        matches = [word for each in tokens for word in each.names.split() if word in words]
    return tuple(dict.fromkeys(matches)) if is_unspaced_script(run) else tuple(matches[:1])


def _match_beginnings(run: str, words: tuple[str, ...]) -> list[str]:
    """Return the terms such as `migrat*` that a run begins with."""
    return [word for word in words if word[-1:] == "*" and fold_text(run).startswith(word[:-1])]


def _find_whole_word(text: str, run: str, at: int) -> int:
    """Return the index of a run as a whole word, from a position on.

    If there is none it stands next to another script, as an emoji after a digit: then the first.
    """
    first = at = text.index(run, at)
    while text[at - 1 : at].isalnum() or text[at + len(run) : at + len(run) + 1].isalnum():
        if (at := text.find(run, at + 1)) < 0:
            return first
    return at


def _list_places(run: str, at: int, word: str) -> Iterator[Place]:
    """Yield the matches of a term in a run at a position: the run, or pairs of its letters."""
    if not is_unspaced_script(word):
        yield at, at + len(run), word
        return
    inside = run.find(word)
    while inside >= 0:
        yield at + inside, at + inside + len(word), word
        inside = run.find(word, inside + len(word))


def _find_best_start(matches: list[Place], length: int) -> int:
    """Return the start of the window with most distinct terms, then with most matches."""
    best, where = (0, 0), 0
    for first, (at, _, _) in enumerate(matches):
        inside = [word for start, end, word in matches[first : first + 32] if end <= at + length]
        if (count := (len(set(inside)), len(inside))) > best:
            best, where = count, at
    return where
