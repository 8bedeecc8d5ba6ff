"""Words that come back among the process defects of several experiments."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.maintain.inputs import Study

LEAST = 3
"""Experiments whose defects must have a word before it recurs."""
TOP = 10
"""So many words are told."""
SHORTEST = 3
"""Letters of a word that can mean something."""

STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
        about above across after again against ago all almost alone along already also although
        always among and another any anybody anything are around because been before began being
        below better between both but came can come could day days did does doing done down during
        each either else enough even ever every everything few first five for found four from get
        got had has have having her here him his hour hours how however into its itself just kept
        last later least less like made make many may might minute minutes month months more most
        much must near never new next nine nobody none nor not nothing now off often old once one
        only onto other our out over own part per r rather read same saw second see seen several
        shall she should since six some somebody something soon still such taken ten than that the
        their them then there these they thing third this those though three through thus time
        times today too took toward towards two under until upon use used using very was way week
        weeks well went were what when where whether which while who whole whose why will with
        within without work would year years yesterday yet you your
        """,
    )
)
"""English words that say nothing of a defect."""

_CODE = re.compile(r"`[^`\n]*`|\b[A-Z]{1,8}-\d{3,}[a-z]?\b|https?://\S+")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


class Recurring(NamedTuple):
    """A word, and the experiments whose process defects have it."""

    word: str
    refs: tuple[str, ...]


def recurring(study: Study) -> list[Recurring]:
    """Find the words that the defects of three experiments share, the commonest first.

    A word and its plural in -s are one, named as it stands most often.
    """
    bearers: dict[str, set[str]] = defaultdict(set)
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for entry in study.experiments():
        said = study.said.get(entry.atom.path)
        for word in _words(said.defects if said else ""):
            stem = _stem(word)
            bearers[stem].add(str(entry.atom.ref))
            forms[stem][word] += 1
    found = [
        Recurring(min(forms[stem], key=lambda w: (-forms[stem][w], w)), tuple(sorted(refs)))
        for stem, refs in bearers.items()
        if len(refs) >= LEAST
    ]
    return sorted(found, key=lambda r: (-len(r.refs), r.word))[:TOP]


def _words(defects: str) -> Iterator[str]:
    for word in _WORD.findall(_CODE.sub(" ", defects).lower()):
        if len(word) >= SHORTEST and word not in STOP_WORDS:
            yield word


def _stem(word: str) -> str:
    """Take a plural's -s off: `sets` is `set`, `class` and `status` stay."""
    if len(word) > SHORTEST and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
