"""Decide whether a line of a bulletin that a language model reworded may replace the rendered one.

Only lines with a source are reworded, each for itself: the headings count the lines, and their
order says what matters most. Whatever could change a fact is compared word by word with the line
before.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.atoms.refs import is_ref
from cortexfs.core.text.sanitize import strip_unprintable, truncate_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

MIN_KNOWN_SHARE = 0.6
"""Minimum share of the words of a line that the line before has too, by their first letters."""
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
_DIGIT = re.compile(r"\d")
_SENTENCE_END = (".", "!", "?", ":")


def list_lines_to_smooth(rendered: str, refs: Collection[str]) -> list[str]:
    """Return the lines that may be reworded: those that cite a ref, or whose heading does."""
    pattern, found, has_source = _compile_refs(refs), [], False
    for line in rendered.split("\n") if pattern else []:
        is_citing = bool(pattern and pattern.search(line))
        if line.startswith("#"):
            has_source = is_citing and line.startswith("## ")
        elif line and (has_source or is_citing):
            found.append(line)
    return found


def find_smoothing_flaw(before: str, after: str, refs: Collection[str]) -> str:
    """Return why a reworded line cannot replace the line before (empty: it can).

    `refs` are the refs and paths that the bulletin cites. The line has no more words than before.
    """
    if before == after:
        return ""
    if strip_unprintable(after) != after or "\t" in after or "\n" in after:
        return "it has control characters"
    if len(after.split()) > len(before.split()):
        return "it is longer"
    if flaw := _find_ref_flaw(before, after, refs):
        return flaw
    if _find_prefix(before) != _find_prefix(after):
        return "it begins with other markup"
    return _find_word_flaw(before, after)


def _find_ref_flaw(before: str, after: str, refs: Collection[str]) -> str:
    """Return which ref was not given, or that others are cited than before."""
    known = {*refs, *_split_words(before)}
    for word in _split_words(after):
        if is_ref(word) and word not in known:
            return f"the ref {truncate_line(word, 80)} was not given"
    pattern = _compile_refs(refs)
    is_equal = not pattern or sorted(pattern.findall(before)) == sorted(pattern.findall(after))
    return "" if is_equal else "its refs differ"


def _find_word_flaw(before: str, after: str) -> str:
    """Return which exact word is new or missing, or that too much of the line is new."""
    known = set(_split_words(before))
    folded = {word.casefold() for word in known}
    for word in _list_exact_words(after):
        if word not in known and not (_PLAIN_WORD.fullmatch(word) and word.casefold() in folded):
            return f"{truncate_line(word, 60)!r} is new"
    if lost := sorted(word for word in known - {*_split_words(after)} if _DIGIT.search(word)):
        return f"{truncate_line(lost[0], 60)!r} is missing"
    if _count_negations(before) != _count_negations(after):
        return "a negation is new or missing"
    return "" if _is_mostly_known(after, folded) else "it has too many new words"


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
    """Yield the words that must stand in the line before as they are.

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
    stems = {word[:STEM_CHARS] for word in known}
    words = [word.casefold()[:STEM_CHARS] for word in _split_words(line)]
    return sum(word in stems for word in words) >= MIN_KNOWN_SHARE * len(words)
