"""Choose the sentences that say most: the summary of some sources without a language model."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.consolidation.split_sentences import split_sentences
from cortexfs.core.stories.salience.score_passage import score_passage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.core.stories.consolidation.split_sentences import Sentence
    from cortexfs.core.stories.consolidation.summary_source import SummarySource
    from cortexfs.core.stories.salience.salience_weights import SalienceWeights

MIN_SENTENCE_CHARS = 20
MAX_SENTENCES = 8
MAX_OF_SOURCE = 3
FIRST_FACTOR = 1.15
"""What the first sentence of a source counts, compared with others."""
MAX_SCORED_CHARS = 1000


class ChosenSentence(NamedTuple):
    """A sentence, who says it, the id of its source, its place in that, and its score."""

    source: str
    place: int
    speaker: str
    sentence: Sentence
    score: float


def choose_sentences(
    sources: Sequence[SummarySource],
    weights: SalienceWeights,
    *,
    most: int = MAX_SENTENCES,
    of_source: int = MAX_OF_SOURCE,
) -> list[ChosenSentence]:
    """Return the best sentences of some sources in their order; of equal ones only the first."""
    best: list[tuple[float, int, ChosenSentence]] = []
    for number, source in enumerate(sources):
        scored = sorted(_score_sentences(source, weights), key=lambda each: -each.score)
        best += [(-each.score, number, each) for each in scored[:of_source]]
    best.sort(key=lambda each: (*each[:2], each[2].place))
    chosen: dict[str, tuple[int, ChosenSentence]] = {}
    for _, number, each in best:
        chosen.setdefault(each.sentence.text.casefold(), (number, each))
    kept = sorted(list(chosen.values())[:most], key=lambda each: (each[0], each[1].place))
    return [each for _, each in kept]


def _score_sentences(source: SummarySource, weights: SalienceWeights) -> Iterator[ChosenSentence]:
    place = 0
    for speaker, text in source.parts:
        for sentence in split_sentences(text):
            if len(sentence.text) < MIN_SENTENCE_CHARS:
                continue
            salience = score_passage(sentence.text[:MAX_SCORED_CHARS], weights).score
            score = salience * source.salience * (1 if place else FIRST_FACTOR)
            yield ChosenSentence(source.ident, place, speaker, sentence, score)
            place += 1
