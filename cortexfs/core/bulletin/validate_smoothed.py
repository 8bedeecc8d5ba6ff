"""Decide whether a bulletin that a language model reworded may replace the rendered one.

Only lines with a ref may be reworded, merged with others of their section, or left out. Whatever
could change a fact is compared word by word with the lines that cite the same refs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.refs import is_ref
from cortexfs.core.text.sanitize import strip_unprintable, truncate_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    Refs = frozenset[str]

MIN_KNOWN_SHARE = 0.6
"""Minimum share of the words of a line that its sources have too, by their first letters."""
STEM_CHARS = 5
"""Number of letters by which two words count as one."""

_NEGATIONS = frozenset(
    {
        *("no", "not", "never", "none", "nor", "neither", "nothing", "nobody", "without", "cannot"),
        *("nicht", "kein", "keine", "keinen", "keinem", "keiner", "nie", "niemals", "ohne"),
        *("ne", "pas", "jamais", "sans", "nunca", "sin"),
    }
)
_PLAIN_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_PUNCTUATION = ".,;:!?\"'()\u2018\u2019\u201c\u201d\u201e\xab\xbb\u2026 "
_NO_WORDS = frozenset({"", "-", "\u2013", "\u2014"})
_PREFIX = re.compile(r"[ ]*(?:(?:[-*+>]|\d{1,3}[.)])[ ]+)*")
_SENTENCE_END = (".", "!", "?", ":")


class _Line(NamedTuple):
    """One line, with the refs that it cites."""

    text: str
    refs: Refs


class _Section(NamedTuple):
    """The lines below one heading, without empty ones; the first section may have no heading."""

    heading: str
    lines: list[_Line]

    def cited(self) -> Refs:
        """Return the refs of all lines."""
        return frozenset().union(*(line.refs for line in self.lines))


def has_lines_to_smooth(rendered: str, refs: Collection[str]) -> bool:
    """Return whether any line cites a ref; no other line may be reworded."""
    return any(section.cited() for section in _split_sections(rendered, refs))


def count_words(text: str) -> int:
    """Return the number of words, as white space separates them."""
    return len(text.split())


def find_smoothing_flaw(
    rendered: str,
    smoothed: str,
    refs: Collection[str],
    required_refs: Collection[str],
    max_words: int,
) -> str:
    """Return why the smoothed text cannot be used (empty: it can).

    `refs` are the refs that the rendered text cites. Those in `required_refs` stay in each section
    that has them.
    """
    if strip_unprintable(smoothed) != smoothed or "\t" in smoothed:
        return "it has control characters"
    if (words := count_words(smoothed)) > max_words:
        return f"it has {words} words; the limit is {max_words}"
    known = {*refs, *_split_words(rendered)}
    for word in _split_words(smoothed):
        if is_ref(word) and word not in known:
            return f"the ref {truncate_line(word, 80)} was not given"
    before, after = _split_sections(rendered, refs), _split_sections(smoothed, refs)
    if [section.heading for section in before] != [section.heading for section in after]:
        return "its headings differ"
    return next(_find_section_flaws(zip(before, after, strict=True), required_refs), "")


def _find_section_flaws(
    sections: Iterable[tuple[_Section, _Section]], required_refs: Collection[str]
) -> Iterator[str]:
    for before, after in sections:
        name = truncate_line(before.heading.strip("# ") or "the beginning", 60)
        if lost := sorted(before.cited().intersection(required_refs) - after.cited()):
            yield f"the ref {truncate_line(lost[0], 80)} is missing in {name}"
        if moved := sorted(after.cited() - before.cited()):
            yield f"the ref {truncate_line(moved[0], 80)} is new in {name}"
        if _list_fixed_lines(before) != _list_fixed_lines(after):
            yield f"a line without a ref differs in {name}"
        if len(after.lines) > len(before.lines):
            yield f"{name} has more lines"
        for line in after.lines:
            if line.refs and (flaw := _find_line_flaw(line, before)):
                yield f"{flaw} in {name}"


def _list_fixed_lines(section: _Section) -> list[str]:
    return [line.text for line in section.lines if not line.refs]


def _find_line_flaw(line: _Line, before: _Section) -> str:
    """Return what a reworded line has that the lines with the same refs do not have."""
    if line.text in {source.text for source in before.lines}:
        return ""
    sources = [source.text for source in before.lines if source.refs & line.refs]
    if _find_prefix(line.text) not in set(map(_find_prefix, sources)):
        return "a line begins with other markup"
    known = {word for source in sources for word in _split_words(source)}
    folded = {word.casefold() for word in known}
    for word in _list_exact_words(line.text):
        if word not in known and not (_PLAIN_WORD.fullmatch(word) and word.casefold() in folded):
            return f"{truncate_line(word, 60)!r} is new"
    negations = sum(map(_count_negations, sources))
    if _count_negations(line.text) != negations:
        return "a negation is new or missing"
    return "" if _is_mostly_known(line.text, known) else "a line has too many new words"


def _split_sections(text: str, refs: Collection[str]) -> list[_Section]:
    pattern = _compile_refs(refs)
    sections = [_Section("", [])]
    for line in map(str.rstrip, text.split("\n")):
        if line.startswith("#"):
            sections.append(_Section(line, []))
        elif line:
            cited = frozenset(pattern.findall(line)) if pattern else frozenset()
            sections[-1].lines.append(_Line(line, cited))
    return sections


def _compile_refs(refs: Collection[str]) -> re.Pattern[str] | None:
    """Return a pattern of whole refs: `EXP-001` is not in `other/EXP-001`."""
    longest_first = sorted(filter(None, refs), key=lambda ref: (-len(ref), ref))
    if not longest_first:
        return None
    return re.compile(rf"(?<![\w/.-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w/-]|\.\w)")


def _find_prefix(line: str) -> str:
    """Return the indentation and the marker of a list item."""
    found = _PREFIX.match(line)
    return found[0] if found else ""


def _split_words(text: str) -> list[str]:
    """Return the words without the punctuation around them; brackets and code marks stay."""
    return [word for raw in text.split() if (word := raw.strip(_PUNCTUATION)) not in _NO_WORDS]


def _list_exact_words(line: str) -> Iterator[str]:
    """Yield the words that must stand in the sources as they are.

    These are numbers, dates, refs, paths, addresses, code, markup and other signs, words with
    capitals within, and names: words with a capital that do not begin a sentence.
    """
    begins_sentence = True
    for raw in line.split():
        word = raw.strip(_PUNCTUATION)
        is_plain = bool(_PLAIN_WORD.fullmatch(word)) and word[1:] == word[1:].lower()
        if word not in _NO_WORDS and (not is_plain or (word[0].isupper() and not begins_sentence)):
            yield word
        begins_sentence = raw.endswith(_SENTENCE_END) or (begins_sentence and not is_plain)


def _count_negations(text: str) -> int:
    words = (word.casefold().replace("\u2019", "'") for word in _split_words(text))
    return sum(word in _NEGATIONS or word.endswith("n't") for word in words)


def _is_mostly_known(line: str, known: Collection[str]) -> bool:
    stems = {word.casefold()[:STEM_CHARS] for word in known}
    words = [word.casefold()[:STEM_CHARS] for word in _split_words(line)]
    return sum(word in stems for word in words) >= MIN_KNOWN_SHARE * len(words)
