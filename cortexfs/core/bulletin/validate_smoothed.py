"""Decide whether a line of a bulletin that a language model reworded may replace the rendered one.

Only lines with a source are reworded, each for itself: the headings count the lines, and their
order says what matters most. A reworded line has the words of the line before in their order: only
words that say nothing may be left out, and articles and punctuation may change.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from cortexfs.core.atoms.refs import is_ref
from cortexfs.core.text.sanitize import strip_unprintable, truncate_line

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_ARTICLES = frozenset({"a", "an", "the"})
_DROPPABLE = frozenset(
    {
        *("actually", "also", "are", "basically", "currently", "is", "now", "please", "quite"),
        *("really", "simply", "very"),
    }
)
"""Words that may be left out, besides articles: the line says the same without them."""
_PREAMBLE = re.compile(
    r"\b(?:it (?:is|was|has been) (?:found|noted|noticed|observed|seen|shown) that"
    r"|we (?:found|noticed|observed|saw) that|note that|there (?:are|is))\b",
    re.IGNORECASE,
)
"""What may be left out before a statement."""
_PLAIN_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_QUOTES = "\"'(\u2018\u2019\u201c\u201d\u201e\xab\xbb"
_PUNCTUATION = f"{_QUOTES}.,;:!?)\u2026"
_NO_WORDS = frozenset({"", "-", "\u2013", "\u2014"})
_PREFIX = re.compile(r"[ ]*(?:(?:[-*+>]|\d{1,3}[.)])[ ]+)*")


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
    """Return which word is new or missing, or that the words have another order."""
    if before.count("?") != after.count("?"):
        return "a question mark is new or missing"
    old, new = _list_compared_words(before), _list_compared_words(after)
    if _is_shortened(_list_compared_words(_PREAMBLE.sub("", before)), new):
        return ""
    if _is_shortened(old, new):
        return ""
    if added := list((Counter(new) - Counter(old)).elements()):
        return f"{truncate_line(added[0], 60)!r} is new"
    lost = [word for word in (Counter(old) - Counter(new)).elements() if word not in _DROPPABLE]
    return f"{truncate_line(lost[0], 60)!r} is missing" if lost else "its words have another order"


def _is_shortened(before: Sequence[str], after: Sequence[str]) -> bool:
    """Return whether words are those before, in their order, without some that say nothing."""
    remaining = iter(before)
    for word in after:
        for each in remaining:
            if each == word:
                break
            if each not in _DROPPABLE:
                return False
        else:
            return False
    return _DROPPABLE.issuperset(remaining)


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
    words = (raw.rstrip(_PUNCTUATION).lstrip(_QUOTES) for raw in text.split())
    return [word for word in words if word not in _NO_WORDS]


def _list_compared_words(line: str) -> list[str]:
    """Return the words without articles, and plain ones as they stand within a sentence.

    Numbers, refs, paths, code, markup, other signs, and words with capitals within are exact. `A`
    can be a name.
    """
    words = (word if word == "A" else _fold_plain(word) for word in _split_words(line))
    return [word for word in words if word not in _ARTICLES]


def _fold_plain(word: str) -> str:
    is_plain = _PLAIN_WORD.fullmatch(word) and word[1:] == word[1:].lower()
    return word.casefold() if is_plain else word
