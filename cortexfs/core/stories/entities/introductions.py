"""Where a text says that two names are one person's: "call me Mel", "known as", "short for"."""

from __future__ import annotations

import re
from functools import cache

from cortexfs.core.stories.entities.find_names import NAME

_SAID = r"(?:said|says|replied|answered|smiled|grinned)"
_OTHERWISE = r"(?:also |better |otherwise |commonly )?"
_KNOWN_AS = (
    rf"(?:,? (?:\w+ )?(?:{_OTHERWISE}known as|alias|aka|a\.k\.a\.|(?:who )?goes by|went by)"
    r"(?: the name(?: of)?)?|(?:,| was| is) (?:also )?(?:called|nicknamed))"
)
_CALLED = r"(?:calls? me|goe?s? by|known as)"
_ALL = r"(?:everyone|everybody|people|friends|they all|we all)"
_PATTERNS = (
    r"[Mm]y (?:full |real )?name(?: is|['’]s) (N)[^.!?\n]{1,40}?\b" + _CALLED + " (N)",
    r"[Mm]y (?:full |real |own )?name(?: is|['’]s| was) (N)\b[^\n]{1,160}?\bcalled me (N)",
    rf"\b[Cc]all me (N)[,.!]?[\"”’]? {_SAID} (N)",
    rf"\b[Cc]all me (N)[,.!]?[\"”’] (N) {_SAID}",
    rf"(N){_KNOWN_AS} [\"“‘]?(N)",
    r"(N),? (?:is |was )?short for (N)",
    rf"(N)[^.!?\n]{{0,30}}?\b{_ALL} (?:calls?|called) (?:me|her|him|them) (N)",
    r"(N) \((?:born|née|nee|real name|alias|aka)[ :]+(N)\)",
)
_HINT = re.compile(
    r"[Cc]all|known as|goes by|went by|go by|short for|named|alias|aka|real name|born"
)
_MAX_WORDS, _MAX_CHARS = 4, 50


def find_introductions(text: str) -> dict[str, int]:
    """Return how often the text says of two names that they are one.

    The key is "A|B" in alphabetical order.
    """
    if not _HINT.search(text):
        return {}
    found: dict[str, int] = {}
    for pattern in _compile_patterns():
        for match in pattern.finditer(text):
            names = {" ".join(name.split()).replace("’", "'") for name in match.groups()}
            if len(names) > 1 and all(map(_is_plausible, names)):
                pair = "|".join(sorted(names))
                found[pair] = found.get(pair, 0) + 1
    return found


@cache
def _compile_patterns() -> tuple[re.Pattern[str], ...]:
    """Return the patterns; a command that needs none does not wait for them."""
    return tuple(re.compile(pattern.replace("(N)", f"({NAME})")) for pattern in _PATTERNS)


def _is_plausible(name: str) -> bool:
    return len(name.split()) <= _MAX_WORDS and len(name) <= _MAX_CHARS
