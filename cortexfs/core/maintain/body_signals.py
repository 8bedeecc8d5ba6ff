"""What the body of an atom says that its frontmatter does not: defects, and what it overturns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.parse_atom import cites
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.markdown.fences import without_code
from cortexfs.core.markdown.tables import is_row

if TYPE_CHECKING:
    from collections.abc import Iterator

NEAR = 60
"""Characters between a verb and the ref that it is about; what is further off it may not mean."""

_STEMS = (
    *("supersed", "correct", "contradict", "refut", "disprov", "invalidat", "overturn", "retract"),
    *("challeng", "replac"),
)
_VERBS = "|".join(_STEMS)
_ACTIVE = re.compile(
    rf"\b(?i:(?:{_VERBS})(?:s|es|ing))\b"
    rf"|\b(?i:(?:{_VERBS})e?d)(?= [\w./-]{{0,65}}\b[A-Z]{{1,8}}-\d)"
)
_PASSIVE = re.compile(
    r"\b(?:is|are|was|were|be|been|being)(?: (?!not\b|never\b)\w+){0,2} "
    rf"(?:(?:{_VERBS})e?d|wrong|untrue)\b|\bno longer holds?\b",
    re.IGNORECASE,
)
_SIGNS = (*_STEMS, "wrong", "untrue", "no longer hold")
_DENIED = re.compile(r"\b(?:not?|never|nothing|neither|nor|without|cannot)\b|n't\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.;!?])\s+|\n\s*\n|\n(?=[ \t]*(?:[-*+#|]|\d+\.))")
_DEFECTS = re.compile(
    r"^([ \t]*)([-*+]|#{1,6})?(?(2)[ \t]+)\*{0,2}process defects\*{0,2}[ \t]*:?\*{0,2}",
    re.IGNORECASE | re.MULTILINE,
)
_HEADING = r"[ \t]*#{1,6}[ \t]"
_ENTRY = r"(?:[-*+][ \t]|\*\*)"
_NONE = re.compile(r"\W*(?:none|nothing|no defects?|n/a)\b", re.IGNORECASE)
_DENIAL_WORDS = 4
"""So many words before a verb can deny it: `does not yet clearly contradict`."""


class Said(NamedTuple):
    """What one text says: its process defects, and the refs that it says do not hold.

    `overturns` gives each such ref, as written, with the word that says so.
    """

    defects: str = ""
    overturns: tuple[tuple[str, str], ...] = ()


def read_said(text: str, summary: str) -> Said:
    """Read the text of an atom, and the summary that its frontmatter gives."""
    parts = atom_text.split(text)
    body = without_code(text if isinstance(parts, Flaw) else parts.tail)
    return Said(_defects(body), tuple(dict.fromkeys(_overturned(f"{summary}\n\n{body}"))))


def overturning(text: str) -> str:
    """Give the word by which a text says that it overturns something; empty where none does."""
    verbs = _ACTIVE.finditer(text) if _may_overturn(text) else ()
    return next((verb[0].lower() for verb in verbs if not _denied(text, verb)), "")


def _defects(body: str) -> str:
    """Give what stands under `Process defects`: one entry of Reflection, or a heading's text."""
    label = _DEFECTS.search(body) if "process defects" in body.lower() else None
    if label is None:
        return ""
    beside, _, below = body[label.end() :].partition("\n")
    end = re.search(_end_of(label, beside), below, re.MULTILINE)
    said = f"{beside}\n{below[: end.start() if end else None]}".strip()
    return "" if _NONE.match(said) else said


def _end_of(label: re.Match[str], beside: str) -> str:
    """Say as a pattern what ends a label's text: the next of its rank, and no list within it."""
    marker = label[2] or ""
    if marker.startswith("#"):
        return rf"^[ \t]*#{{1,{len(marker)}}}[ \t]"
    if marker:
        return rf"^{_HEADING}|^[ \t]{{0,{len(label[1])}}}{_ENTRY}"
    return rf"^{_HEADING}|^[ \t]*{_ENTRY if beside.strip() else r'[*]{2}'}"


def _overturned(text: str) -> Iterator[tuple[str, str]]:
    """Find `supersedes EXP-003` and `EXP-003 is superseded`; a table's row says nothing."""
    if not _may_overturn(text):
        return
    for sentence in _SENTENCE.split(text):
        if not is_row(sentence):
            yield from _in_sentence(" ".join(sentence.split()))


def _may_overturn(text: str) -> bool:
    """Tell whether any of the words stands there: nearly never, and told without a pattern."""
    lowered = text.lower()
    return any(sign in lowered for sign in _SIGNS)


def _in_sentence(sentence: str) -> Iterator[tuple[str, str]]:
    """Take what an active verb is followed by, and what a passive one follows."""
    for form, is_passive in ((_ACTIVE, False), (_PASSIVE, True)):
        for verb in form.finditer(sentence):
            if not _denied(sentence, verb):
                before = sentence[max(0, verb.start() - NEAR) : verb.start()]
                where = before if is_passive else sentence[verb.end() : verb.end() + NEAR]
                word = verb[0].rpartition(" ")[2].lower()
                yield from ((ref, word) for ref, _ in cites(where))


def _denied(sentence: str, verb: re.Match[str]) -> bool:
    before = sentence[max(0, verb.start() - NEAR) : verb.start()].split()[-_DENIAL_WORDS:]
    return bool(_DENIED.search(" ".join(before)))
