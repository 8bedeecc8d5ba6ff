"""The title of a scene or an arc: the names that its most salient sources are about."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cortexfs.core.stories.entities.find_names import find_names
from cortexfs.core.stories.entities.read_passage import NO_SPEAKERS
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cortexfs.core.stories.consolidation.summary_source import SummarySource

MAX_SOURCES = 3
MAX_NAMES = 2
MAX_NAME_CHARS = 40
MAX_READ_CHARS = 20_000
"""Characters of a source in which names are looked for."""


def choose_title(kind: str, sources: Sequence[SummarySource]) -> str:
    """Return the title of a scene or an arc (`kind`); by its day if it has no names.

    Names of others come before those of the speakers, who are in every scene.
    """
    ranked = sorted(sources, key=lambda source: -source.salience)[:MAX_SOURCES]
    speakers = {word for each in sources for who, _ in each.parts for word in _split(who)}
    counts = Counter[str]()
    for source in ranked:
        text = "\n\n".join(text for _, text in source.parts)[:MAX_READ_CHARS]
        counts.update(_count_names(text))
    others = [name for name in counts if speakers.isdisjoint(_split(name))]
    names = _most_frequent(others, counts) or _most_frequent(_list_speakers(ranked), counts)
    return " and ".join(names) or f"{kind.capitalize()} of {sources[0].date}"


def _count_names(text: str) -> Counter[str]:
    """Return how often each name is written, of those that stand within a sentence too."""
    found = [each for each in find_names(text) if not each.shouted]
    sure = {each.name for each in found if not each.initial}
    return Counter(
        each.name for each in found if each.name in sure and len(each.name) <= MAX_NAME_CHARS
    )


def _most_frequent(names: Iterable[str], counts: Counter[str]) -> list[str]:
    """Return the most frequent names; of equally frequent ones the first."""
    return sorted(names, key=lambda name: -counts[name])[:MAX_NAMES]


def _list_speakers(sources: Sequence[SummarySource]) -> list[str]:
    names = (to_one_line(who) for each in sources for who, _ in each.parts)
    known = dict.fromkeys(name for name in names if name.lower() not in NO_SPEAKERS)
    return [name for name in known if 0 < len(name) <= MAX_NAME_CHARS]


def _split(name: str) -> list[str]:
    return to_one_line(name).casefold().split()
