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
_KNOWN = ("known as", "alias", "aka", "a.k.a.", "goes by", "went by", "called", "nicknamed")
_CALLS = tuple(
    f"{verb} {who}" for verb in ("call", "calls", "called") for who in ("me", "h", "them")
)
_ALSO = ("(born", "(née", "(nee", "(real name", "(alias", "(aka")
_WIFE = r"((?:Mrs|Lady|Madame|Mme)\.? N)"
_TITLED = r"((?:Miss|Mr|Mrs|Dr|Captain|Lady|Sir|Lord)\.? N)"
_OFFICES = (
    "Abbot|Admiral|Archdeacon|Baronet|Bishop|Captain|Colonel|Commissioner|Consul|Curate|Dean|Doctor"
    "|Earl|Editor|General|Governor|Headmaster|Inspector|Judge|Laird|Major|Marquis|Mayor|Minister"
    "|Prefect|Principal|Professor|Rector|Sheriff|Squire|Superintendent|Vicar|Warden"
)
_PATTERNS = (
    (
        ("y name",),
        r"[Mm]y (?:full |real )?name(?: is|['’]s) (N)[^.!?\n]{1,40}?\b" + _CALLED + " (N)",
    ),
    (
        ("called me",),
        r"[Mm]y (?:full |real |own )?name(?: is|['’]s| was) (N)\b[^\n]{1,160}?\bcalled me (N)",
    ),
    (("all me",), rf"\b[Cc]all me (N)[,.!]?[\"”’]? {_SAID} (N)"),
    (("all me",), rf"\b[Cc]all me (N)[,.!]?[\"”’] (N) {_SAID}"),
    (_KNOWN, rf"(N){_KNOWN_AS} [\"“‘]?(N)"),
    (("short for",), r"(N),? (?:is |was )?short for (N)"),
    (_CALLS, rf"(N)[^.!?\n]{{0,30}}?\b{_ALL} (?:calls?|called) (?:me|her|him|them) (N)"),
    (("whose",), r"(N),? whose (?:\w+ )?name (?:is|was) (N)"),
    (
        ("whose",),
        r"whose name (?:is|was) (N),? (?:and|but) whom (?:\w+ ){1,3}called (?:the )?(N)",
    ),
    (
        ("name is", "name was"),
        r"(N)['’]s (?:real |full |own |first |Christian |given |maiden )?name (?:is|was) (N)",
    ),
    (
        (" who ", " whom "),
        r"(N),? whom? (?:\w+ ){1,3}(?:call|calls|called|named|nicknamed|styled) (?:the )?(N)",
    ),
    ((", as ",), r"(N), or (N), as (?:\w+ ){0,3}(?:call|calls|called)"),
    (
        tuple(
            f"{verb} {article}Miss" for verb in ("been", "born", "once") for article in ("", "a ")
        ),
        _WIFE + r",?(?: who)? (?:had (?:once )?been(?: born)?|was born|was once)(?: an?)? (Miss N)",
    ),
    (
        ("She had been",),
        _WIFE + r"\b[^.!?\n]{0,100}[.;] She had been (?:born )?an? (Miss N)",
    ),
    (
        ("er name is", "is name is", "er name was", "is name was"),
        _TITLED + r"\b(?:[^.!?\nA-Z]|\bI\b){0,80}[.;:] (?:Her|His|her|his)"
        r"(?: own| full| first| Christian)? name (?:is|was) (N)",
    ),
    ((" really ",), r"(N) (?:is|was) really (N)"),
    (("and whose name",), r"(N), who [^.;!?\n]{1,40}, and whose name (?:is|was) (N)"),
    (
        ("was called", "is called"),
        r"(N)\b[^.!?\nA-Z]{1,100}[;,] (?:he|she|and) (?:is|was) (?:always )?called (N)",
    ),
    (
        tuple(f"{office}, " for office in _OFFICES.split("|")),
        r"\b[Tt]he (" + _OFFICES + r"), (N),(?! and\b| or\b) (?=[a-z])",
    ),
    (_ALSO, r"(N) \((?:born|née|nee|real name|alias|aka)[ :]+(N)\)"),
)
"""Each with words that a text must have: to search for them costs a hundredth."""
_ANYTHING = re.compile(r"^(?:\\b)?\[\^[^\]]*\]\{\d+,\d+\}\??(?:\\b)?")
"""How a pattern begins that lets anything stand after a name."""
_MAX_WORDS, _MAX_CHARS = 4, 50


def find_introductions(text: str) -> dict[str, int]:
    """Return how often the text says of two names that they are one.

    The key is "A|B" in alphabetical order.
    """
    found: dict[str, int] = {}
    for hints, pattern in _PATTERNS:
        if not any(hint in text for hint in hints) or not _may_match(pattern, text):
            continue
        for match in _compile(pattern).finditer(text):
            names = {
                " ".join(name.removesuffix(" I").split()).replace("’", "'")
                for name in match.groups()
            }
            if len(names) > 1 and all(map(_is_plausible, names)):
                pair = "|".join(sorted(names))
                found[pair] = found.get(pair, 0) + 1
    return found


def _may_match(pattern: str, text: str) -> bool:
    """Tell whether a text has what stands between the names of a pattern; that is found sooner."""
    if not pattern.startswith("(N)"):
        return True
    between = _ANYTHING.sub("", pattern.split("(N)")[1])
    return _compile(between).search(text) is not None


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    """Return a pattern; a command that needs none does not wait for it."""
    return re.compile(re.sub(r"\bN\b", f"(?:{NAME})".replace("\\", r"\\"), pattern))


def _is_plausible(name: str) -> bool:
    return len(name.split()) <= _MAX_WORDS and len(name) <= _MAX_CHARS
