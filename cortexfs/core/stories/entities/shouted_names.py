"""Names in what is written in capitals: headings, signatures, cries."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.stories.entities.common_words import FUNCTION_WORDS
from cortexfs.core.stories.entities.given_names import FIRST_NAMES
from cortexfs.core.stories.entities.mention import Mention
from cortexfs.core.stories.entities.titles import TITLES

if TYPE_CHECKING:
    from collections.abc import Iterator

SHORTEST_SHOUT = 3
"""Characters; what is shorter may be initials."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_LINE = 200
_LONGEST = 4
"""Words of a name in capitals, its title included."""


def is_shouted(text: str, start: int, end: int) -> bool:
    """Tell whether what is in capitals stands in a line of them, or is several words."""
    if len(text[start:end].split()) > 1:
        return True
    before = text[max(0, start - _LINE) : start].rpartition("\n")[2]
    line = before + text[start : end + _LINE].partition("\n")[0]
    return sum(map(str.islower, line)) * 2 < sum(map(str.isupper, line))


def split_shout(text: str, start: int, end: int) -> list[Mention]:
    """Return each word of what is written in capitals; one may be a name that stands elsewhere.

    `MISS CLARA DANE TO MR. PELL` has two names if Clara, Dane and Pell are written so elsewhere.
    """
    found: list[Mention] = []
    for words in _group_words(text, start, end):
        if _is_name(text, words):
            written = text[words[0].start() : words[-1].end()]
            name = " ".join(written.title().replace("’", "'").split())
            found.append(_shout(name, words[0].start(), words[-1].end()))
        else:
            found += [
                _shout(word[0].title(), *word.span())
                for word in words
                if len(word[0]) >= SHORTEST_SHOUT and word[0].lower() not in FUNCTION_WORDS
            ]
    return found


def _shout(name: str, start: int, end: int) -> Mention:
    return Mention(name, start, end, initial=True, shouted=True)


def _group_words(text: str, start: int, end: int) -> Iterator[list[re.Match[str]]]:
    """Yield the words between function words; a title begins others."""
    group: list[re.Match[str]] = []
    for word in _WORD.finditer(text, start, end):
        plain = word[0].lower()
        if plain in TITLES or plain in FUNCTION_WORDS:
            yield group
            group = [word] if plain in TITLES else []
        else:
            group.append(word)
    yield group


def _is_name(text: str, words: list[re.Match[str]]) -> bool:
    """Tell whether words are a title or a first name with names that stand elsewhere as well."""
    if not 1 < len(words) <= _LONGEST:
        return False
    first = words[0][0].lower()
    titled = first in TITLES
    if not titled and first not in FIRST_NAMES:
        return False
    return all(re.search(rf"\b{word[0].title()}\b", text) for word in words[titled:])
