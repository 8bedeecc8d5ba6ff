"""Find words and phrases in a text, whatever their case, each with what it stands for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import TypeVar

    AnyName = TypeVar("AnyName", bound=str)

_APOSTROPHE = "\N{RIGHT SINGLE QUOTATION MARK}"
_WORD = re.compile(rf"[^\W\d_]+(?:['{_APOSTROPHE}-][^\W\d_]+)*")
_MAX_DOUBLED = 4
"""Characters of the longest verbs whose last letter is doubled: `grinned`."""
_DOUBLING = re.compile(r"[^aeiou][aeiou][bdgmnprt]")
_IRREGULAR = {
    "become": "became",
    "break": "broke broken",
    "come": "came",
    "draw": "drew drawn",
    "drive": "drove driven",
    "feel": "felt",
    "fight": "fought",
    "find": "found",
    "give": "gave given",
    "hold": "held",
    "know": "knew known",
    "leave": "left",
    "lose": "lost",
    "meet": "met meeting",
    "ride": "rode ridden",
    "see": "saw seen seeing",
    "set": "set setting",
    "slay": "slew slain",
    "swear": "swore sworn",
    "think": "thought",
    "weep": "wept",
    "die": "dying",
    "admit": "admitted admitting",
}
_VOWELS = "aeiou"


class Word(NamedTuple):
    """A word of a text: in lower case with straight apostrophes, and where it is."""

    text: str
    start: int
    end: int


class FoundTerm(NamedTuple):
    """A term in a text: what it stands for, where it is, and whether it is a phrase."""

    meaning: str
    start: int
    end: int
    is_phrase: bool


Phrase = tuple[tuple[str, ...], "Sequence[str]"]
"""The words of a phrase, at least two, and its meanings."""


_NO_PHRASE: tuple[int, Sequence[str]] = (0, ())


class TermTable(NamedTuple):
    """Single words, and phrases by their first word, the longest first; each with its meanings."""

    words: Mapping[str, Sequence[str]]
    phrases: Mapping[str, Sequence[Phrase]]


def split_words(text: str) -> list[Word]:
    """Return the words of a text, in order."""
    return [
        Word(found[0].lower().replace(_APOSTROPHE, "'"), found.start(), found.end())
        for found in _WORD.finditer(text)
    ]


def make_term_table(terms: Mapping[AnyName, str]) -> TermTable:
    """Return the table of some meanings, each with its words, verbs and phrases as text."""
    words: dict[str, list[str]] = {}
    phrases: dict[tuple[str, ...], list[str]] = {}
    for meaning, text in terms.items():
        for term in _expand_terms(text):
            parts = tuple(word.text for word in split_words(term))
            meanings = (
                words.setdefault(parts[0], []) if len(parts) == 1 else phrases.setdefault(parts, [])
            )
            if meaning not in meanings:
                meanings.append(meaning)
    by_first: dict[str, list[Phrase]] = {}
    for parts in sorted(phrases, key=lambda each: (-len(each), each)):
        by_first.setdefault(parts[0], []).append((parts, phrases[parts]))
    return TermTable(words, by_first)


def find_terms(words: Sequence[Word], table: TermTable) -> Iterator[FoundTerm]:
    """Yield the terms among the words of a text; a word of a phrase is no term of its own."""
    after = 0
    for at, word in enumerate(words):
        if at < after:
            continue
        phrases = table.phrases.get(word.text)
        length, meanings = _match_phrase(words, at, phrases) if phrases else _NO_PHRASE
        if not length:
            length, meanings = 1, table.words.get(word.text, ())
        after = at + length
        for meaning in meanings:
            yield FoundTerm(meaning, word.start, words[after - 1].end, is_phrase=length > 1)


def list_verb_forms(terms: str) -> list[str]:
    """Return each form of the verbs (lines with `v:`) in the text of some terms."""
    lines = [line.strip() for line in terms.splitlines() if line.strip().startswith("v:")]
    verbs = [verb for line in lines for verb in line.removeprefix("v:").split()]
    return [form for verb in verbs for form in _inflect(verb)]


def _match_phrase(
    words: Sequence[Word], at: int, phrases: Sequence[Phrase]
) -> tuple[int, Sequence[str]]:
    """Return the length and the meanings of the first phrase that begins with a word."""
    following = words[at + 1].text if at + 1 < len(words) else ""
    for parts, meanings in phrases:
        if parts[1] == following and parts == tuple(
            word.text for word in words[at : at + len(parts)]
        ):
            return len(parts), meanings
    return _NO_PHRASE


def _expand_terms(text: str) -> Iterator[str]:
    """Yield each form of a text's words, verbs (lines with `v:`) and phrases (lines with `|`)."""
    yield from list_verb_forms(text)
    for line in map(str.strip, text.splitlines()):
        if line.startswith("v:"):
            continue
        if line.startswith("|"):
            for phrase in line[1:].split("|"):
                yield from _expand_phrase(phrase.strip())
        else:
            yield from line.split()


def _expand_phrase(phrase: str) -> Iterable[str]:
    """Yield a phrase with each form of the verb in parentheses."""
    before, opening, rest = phrase.partition("(")
    if not opening:
        return [phrase]
    verb, _, after = rest.partition(")")
    return [f"{before}{form}{after}" for form in _inflect(verb)]


def _inflect(verb: str) -> list[str]:
    """Return the forms of a verb, the regular ones beside the irregular."""
    stem = verb.removesuffix("e")
    if verb.endswith("y") and verb[-2] not in _VOWELS:
        regular = [f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb}ing"]
    elif verb.endswith("e"):
        regular = [f"{verb}s", f"{verb}d", f"{stem}ing"]
    elif len(verb) <= _MAX_DOUBLED and _DOUBLING.fullmatch(verb[-3:]):
        regular = [f"{verb}s", f"{verb}{verb[-1]}ed", f"{verb}{verb[-1]}ing"]
    else:
        sibilant = verb.endswith(("s", "sh", "ch", "x", "z"))
        regular = [f"{verb}es" if sibilant else f"{verb}s", f"{verb}ed", f"{verb}ing"]
    return [verb, *regular, *_IRREGULAR.get(verb, "").split()]
