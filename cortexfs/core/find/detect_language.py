"""Detect the language of a text by its function words and letters, without a model.

An answer is given only where the evidence is clear: the texts of an agent are full of code and of
English words. Texts of unknown language are treated as English.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

from cortexfs.core.find.language_profiles import FOREIGN_LETTERS, LANGUAGES, SCRIPTS, list_names
from cortexfs.core.find.unspaced_scripts import is_in_ranges

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from cortexfs.core.atoms.atom import FrontmatterValue

MAX_CHARS = 1600
"""Maximum characters that are examined: of longer texts the first ones of the prose."""
MIN_WORDS = 2
"""Minimum number of function words, and of different ones."""
MIN_SHARE = 0.06
"""Minimum share of function words among the words."""
MIN_LEAD = 2.0
"""Minimum ratio of the words of a language and not of another to those of the other alone."""
LETTER_COUNT = 0.3
"""The evidence of a letter, in function words; letters count for `MAX_LETTER_COUNT` at most."""
MAX_LETTER_COUNT = 2.0
MIN_ALONE = 0.3
"""Minimum evidence for a language that does not also speak for another."""
MIN_SCRIPT_SHARE = 0.35
"""Minimum share of the letters in another script than Latin; code in a text is Latin."""
MIN_KANA_SHARE = 0.05
"""The share of kana among Han and kana from which a text is Japanese."""

_CODE = re.compile(r"(?ms)^ {0,3}(```|~~~).*?(?:^ {0,3}\1|\Z)|`[^`\n]*`|<!--.*?(?:-->|\Z)")
_NOT_ASCII_LETTER = re.compile(r"[^\W\d_\x00-\x7f]")
_ASCII_LETTER = re.compile(r"[A-Za-z]")
_SEPARATORS = str.maketrans(dict.fromkeys("'\u2019*\"“”„»«(),;?!", " "))
_ASCII_IN_LOWER_CASE = bytes(
    ord(chr(at).translate(_SEPARATORS).lower()) if chr(at).isascii() else at for at in range(256)
)


class _Evidence(NamedTuple):
    """The languages that a function word or a letter speaks for, and its count."""

    codes: tuple[str, ...]
    weight: float


def detect_text_language(fields: Mapping[str, FrontmatterValue], body: str) -> str:
    """Return the language of an atom: that of its field `lang` or `language`, or as detected."""
    for key in ("lang", "language"):
        value = fields.get(key, "")
        if value and isinstance(value, str) and (code := parse_language(value)):
            return code
    shown = (fields.get("title", ""), fields.get("summary", ""))
    return detect_language("\n".join([*(each for each in shown if isinstance(each, str)), body]))


def parse_language(text: str) -> str:
    """Return the code of a language from its code (`de`, `pt-BR`) or English name; or nothing."""
    word = re.split(r"[-_]", text.strip().lower(), maxsplit=1)[0]
    code = {"nb": "no", "nn": "no"}.get(word) or list_names().get(word, word)
    return code if code in LANGUAGES or code in SCRIPTS else ""


def detect_language(text: str, among: Collection[str] = ()) -> str:
    """Return the code of a text's language (ISO 639-1); empty if it is not clear.

    Code, paths and identifiers do not count. With `among`, one of these languages or English is
    returned, if any function word is of it, and not of the others: for short texts.
    """
    prose = _extract_prose(text)
    if not prose.isascii() and (code := _detect_script(prose)) is not None:
        return code
    words = _split_prose(prose)
    evidence = _collect_evidence(words, prose)
    if among:
        return _choose_language(evidence, {"en", *among}, 0.0)
    return _choose_language(evidence, LANGUAGES, max(MIN_WORDS, MIN_SHARE * len(words)))


def _extract_prose(text: str) -> str:
    """Return the first part of a text without code."""
    prose = text[: 4 * MAX_CHARS]
    if "`" in prose or "~~~" in prose or "<!--" in prose:
        prose = _CODE.sub(" ", prose)
    prose = prose[:MAX_CHARS]
    if not prose.isascii():
        prose = normalize("NFC", prose)
    return prose


def _split_prose(prose: str) -> list[str]:
    """Return the words of a text in lower case; bytes are translated several times as fast."""
    if prose.isascii():
        return prose.encode("ascii").translate(_ASCII_IN_LOWER_CASE).decode("ascii").split()
    return prose.translate(_SEPARATORS).lower().split()


def _collect_evidence(words: Sequence[str], prose: str) -> list[_Evidence]:
    """Return the function words and letters, with the languages that have them."""
    index = _load_word_index()
    known = _load_words().intersection(words)  # few: only these are counted
    found = Counter(filter(known.__contains__, words)) if known else {}
    evidence = [_Evidence(index[word], float(count)) for word, count in found.items()]
    if prose.isascii():
        return evidence
    letters = _load_letter_index()
    found = Counter(filter(letters.__contains__, _NOT_ASCII_LETTER.findall(prose.lower())))
    rest = MAX_LETTER_COUNT
    for letter, count in found.items():
        evidence.append(_Evidence(letters[letter], min(rest, LETTER_COUNT * count)))
        rest -= evidence[-1].weight
    return evidence


def _choose_language(evidence: Iterable[_Evidence], among: Iterable[str], needed: float) -> str:
    """Return the language with most evidence, if it is enough, and clearly ahead of others."""
    wanted = frozenset(among)
    counts: dict[str, float] = defaultdict(float)
    kinds: dict[str, int] = defaultdict(int)
    for codes, count in evidence:
        for code in codes:
            if code in wanted:
                counts[code] += count
                kinds[code] += 1
    best = min(counts, key=lambda code: (-counts[code], code), default="")
    if not best or counts[best] < needed or (needed and kinds[best] < MIN_WORDS):
        return ""
    is_clear = all(_leads(evidence, best, other, counts) for other in counts.keys() - {best})
    return best if is_clear else ""


def _leads(
    evidence: Iterable[_Evidence], best: str, other: str, counts: Mapping[str, float]
) -> bool:
    """Return whether a language is ahead of another by what speaks for one of them alone."""
    ahead, behind = counts[best], counts[other]
    if ahead >= max(MIN_LEAD * behind, behind + MIN_ALONE):  # whatever both have
        return True
    shared = sum(count for codes, count in evidence if best in codes and other in codes)
    return ahead - shared >= max(MIN_ALONE, MIN_LEAD * (behind - shared))


def _detect_script(prose: str) -> str | None:
    """Return the language of a text in another script; None if most of it is Latin."""
    letters = Counter(map(_get_script, _NOT_ASCII_LETTER.findall(prose)))
    letters.pop("", None)
    if not letters:
        return None
    kana, han = letters.pop("ja", 0), letters.pop("zh", 0)
    if kana + han:
        letters["ja" if kana >= MIN_KANA_SHARE * (kana + han) else "zh"] = kana + han
    code, count = min(letters.items(), key=lambda each: (-each[1], each[0]))
    if count < MIN_SCRIPT_SHARE * (count + len(_ASCII_LETTER.findall(prose))):
        return None
    foreign = FOREIGN_LETTERS.get(code, "")
    return "" if any(letter in foreign for letter in set(prose.lower())) else code


@cache
def _get_script(letter: str) -> str:
    """Return the language of a letter's script; empty for Latin and for other scripts."""
    for code, (_, ranges) in SCRIPTS.items():
        if is_in_ranges(letter, ranges):
            return code
    return ""


@cache
def _load_word_index() -> dict[str, tuple[str, ...]]:
    """Return the languages of each function word."""
    return _invert({code: language.words.split() for code, language in LANGUAGES.items()})


@cache
def _load_words() -> frozenset[str]:
    """Return all function words; a set without values is searched faster."""
    return frozenset(_load_word_index())


@cache
def _load_letter_index() -> dict[str, tuple[str, ...]]:
    return _invert({code: list(language.letters) for code, language in LANGUAGES.items()})


def _invert(lists: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    index: dict[str, tuple[str, ...]] = {}
    for code, each in lists.items():
        for key in dict.fromkeys(each):
            index[key] = (*index.get(key, ()), code)
    return index
