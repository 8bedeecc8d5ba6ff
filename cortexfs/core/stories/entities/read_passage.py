"""From one passage to what it says about names."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from cortexfs.core.stories.entities.common_words import FUNCTION_WORDS
from cortexfs.core.stories.entities.evidence import PassageEvidence
from cortexfs.core.stories.entities.find_names import find_names
from cortexfs.core.stories.entities.introductions import find_introductions
from cortexfs.core.stories.entities.listed_places import is_listed
from cortexfs.core.stories.entities.read_cues import read_cues
from cortexfs.core.stories.entities.read_texts import STATUS, read_texts
from cortexfs.core.stories.relations.cues import OF_THINGS
from cortexfs.core.stories.relations.read_relations import read_relations
from cortexfs.core.stories.word_list import parse_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.stories.entities.evidence import Counts
    from cortexfs.core.stories.entities.mention import Mention

_LOWER_WORD = re.compile(r"\b[^\W\d_A-Z]{3,}\b")
_SENTENCE_END = re.compile(r"[.!?…。]+[\"”’*)]*\s|\n\s*\n")
_NEAR = 100
_MAX_TEXTS = 4
_LONGEST_NAME = 60
NO_SPEAKERS = parse_words("""
user assistant system human ai bot narrator you me unknown tool model
""")
"""Names of roles, which are nobody's."""


def read_passage(text: str, speakers: Sequence[str] = ()) -> PassageEvidence:
    """Return what the passage says about names; `speakers` has one for each of its messages."""
    evidence = PassageEvidence()
    mentions = [mention for mention in find_names(text) if len(mention.name) <= _LONGEST_NAME]
    _count_cues(evidence, text, mentions)
    for speaker in speakers:
        if name := clean_speaker(speaker):
            _bump(evidence.names.setdefault(name, {}), "speaker")
    counted = Counter(_LOWER_WORD.findall(text))
    evidence.words = {
        word: count
        for word, count in counted.items()
        if word not in FUNCTION_WORDS and len(word) <= _LONGEST_NAME
    }
    _count_together(evidence, text, mentions)
    evidence.aliases = find_introductions(text)
    _keep_ties(evidence, text, mentions)
    return evidence


def _count_cues(evidence: PassageEvidence, text: str, mentions: list[Mention]) -> None:
    end, before, name = 0, [""], ""
    for mention in mentions:
        counts = evidence.names.setdefault(mention.name, {})
        cues = read_cues(text, mention)
        if is_listed(text[end : mention.start], before, name):
            cues.append("listed")
        for cue in cues:
            _bump(counts, cue)
        _keep_texts(evidence, text, mention)
        end, before, name = mention.end, cues, mention.name


def clean_speaker(speaker: str) -> str:
    """Return the name of a speaker as a form; empty if it is that of a role."""
    shown = "".join(char if char.isprintable() and char != "|" else " " for char in speaker)
    name = " ".join(shown.split())[:_LONGEST_NAME]
    return "" if name.lower() in NO_SPEAKERS else name


def _keep_texts(evidence: PassageEvidence, text: str, mention: Mention) -> None:
    kept = evidence.texts.get(mention.name, [])
    if len(kept) >= _MAX_TEXTS or mention.shouted:
        return
    found = [words for words in read_texts(text, mention) if words not in kept]
    if found:
        evidence.texts[mention.name] = kept + found
        sure = any(kind == STATUS for kind, _, _ in found)
        _bump(evidence.names[mention.name], "told", 2 if sure else 1)


def _keep_ties(evidence: PassageEvidence, text: str, mentions: list[Mention]) -> None:
    evidence.ties = read_relations(text, mentions)
    for tie, (amount, _) in evidence.ties.items():
        subject, other, kind = tie.split("|")[:3]
        _bump(evidence.names[subject], "tied", amount)
        if kind not in OF_THINGS:
            _bump(evidence.names[other], "tied", amount)


def _count_together(evidence: PassageEvidence, text: str, mentions: list[Mention]) -> None:
    """Count pairs of forms within one sentence."""
    for first, second in pairwise(mentions):
        if first.name == second.name or second.start - first.end > _NEAR:
            continue
        between = text[first.end : second.start]
        if _SENTENCE_END.search(between):
            continue
        pair = "|".join(sorted((first.name, second.name)))
        evidence.together[pair] = evidence.together.get(pair, 0) + 1


def _bump(counts: Counts, cue: str, amount: int = 1) -> None:
    counts[cue] = counts.get(cue, 0) + amount
