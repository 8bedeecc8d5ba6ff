"""Plan the scenes or the arcs of one story, as values: what is made, made anew, and removed."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.consolidation.due_blocks import Block
from cortexfs.core.stories.consolidation.made_summaries import MadeSummary
from cortexfs.core.stories.consolidation.render_summary import SummaryPlace, render_summary
from cortexfs.core.stories.consolidation.summary_source import SourceFile, digest_sources
from cortexfs.core.stories.sidecar.chunk_analysis import SIDECAR

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from cortexfs.core.stories.consolidation.due_blocks import DueBlocks
    from cortexfs.core.stories.salience.salience_weights import SalienceWeights
    from cortexfs.core.stories.sidecar.summary_request import ToldSummary
    from cortexfs.core.stories.summary_file import SummaryFile

    Told = Mapping[str, ToldSummary]
    FindSources = Callable[[Block], Sequence[SourceFile]]
    """A function that returns the files of the sources in a block, in their order."""


class StoredSummary(NamedTuple):
    """The file of a scene or an arc: its id, its text, and what it says of its sources."""

    ident: str
    text: str
    file: SummaryFile


class StoredLevel(NamedTuple):
    """The scenes or the arcs of a story: files that can be read, what was made, ids with a file."""

    files: Sequence[StoredSummary]
    made: Sequence[MadeSummary]
    present: Collection[str]


class LevelRules(NamedTuple):
    """What is due, with which weights; without `may_create` nothing is made that there is not.

    `told` has what a language model says, by the digest of the sources.
    """

    due: DueBlocks
    weights: SalienceWeights
    may_create: bool = True
    told: Told = MappingProxyType({})


class LevelPlan(NamedTuple):
    """The new texts by id, the ids to remove, all files as they will be, and what was made.

    `untold` has the sources of those of which a language model has said nothing.
    """

    texts: dict[str, str]
    removed: tuple[str, ...]
    files: tuple[SourceFile, ...]
    made: tuple[MadeSummary, ...]
    edited: tuple[str, ...]
    untold: tuple[tuple[SourceFile, ...], ...]


class _Kept(NamedTuple):
    """A scene or an arc as it will be, its block, its sources, and whether its text is new.

    `is_told` means that a language model has said what it says.
    """

    block: Block
    file: SourceFile
    sources: tuple[SourceFile, ...]
    is_new: bool
    is_told: bool


def plan_level(
    place: SummaryPlace,
    stored: StoredLevel,
    rules: LevelRules,
    find_sources: FindSources,
    only: Collection[int] | None = None,
) -> LevelPlan:
    """Return what makes the scenes or the arcs of a story current.

    `place` has the first id that is free. What a person has edited or removed keeps its sources:
    nothing else is made of them. With `only`, blocks with other numbers are left as they are.
    """
    ranges = {each.ident: (each.first, each.last) for each in stored.made}
    claims = list(_iter_claims(stored, ranges))

    def find_free(block: Block) -> list[SourceFile]:
        return [each for each in find_sources(block) if not _is_claimed(each, claims)]

    known: dict[int, StoredSummary] = {}
    for each in stored.files:
        if not each.file.is_edited:
            first, _ = ranges.get(each.ident, each.file.span)
            known.setdefault(rules.due.find(first), each)
    numbers = _list_numbers(rules, find_sources, known, only)
    kept = list(_plan_blocks(place, rules, find_free, known, numbers))
    return _finish(place, stored, kept, may_remove=only is None)


def _list_numbers(
    rules: LevelRules,
    find_sources: FindSources,
    known: Mapping[int, StoredSummary],
    only: Collection[int] | None,
) -> list[int]:
    """Return the numbers of the blocks to plan, in order.

    Those without sources are left out at once: a story may have few messages with high numbers.
    """
    due = rules.due
    if not rules.may_create:
        return sorted(known if only is None else known.keys() & set(only))
    if only is not None:
        return [number for number in sorted(only) if 1 <= number <= due.total]
    every = find_sources(Block(0, 1, due.total * due.span))
    return sorted({due.find(each.first) for each in every})


def _plan_blocks(
    place: SummaryPlace,
    rules: LevelRules,
    find_sources: FindSources,
    known: Mapping[int, StoredSummary],
    numbers: Iterable[int],
) -> Iterator[_Kept]:
    """Yield what each block is to have; one without sources has nothing."""
    for number in numbers:
        block = rules.due.block(number)
        sources = find_sources(block)
        if not sources:
            continue
        present = known.get(number)
        ident = present.ident if present else place.ident
        text, is_told = _renew(place._replace(ident=ident), present, sources, rules)
        if not present:
            place = place._replace(ident=_add_one(ident))
        is_new = not present or text != present.text
        file = SourceFile(ident, sources[0].first, sources[-1].last, text)
        yield _Kept(block, file, tuple(sources), is_new, is_told)


def _renew(
    place: SummaryPlace,
    present: StoredSummary | None,
    sources: Sequence[SourceFile],
    rules: LevelRules,
) -> tuple[str, bool]:
    """Return the text of a scene or an arc, and whether a model has said it.

    It stays while its sources do, unless a model says something of it for the first time.
    """
    digest = digest_sources(sources)
    told = rules.told.get(digest)
    if present and present.file.analysis == digest:
        is_told = present.file.source == SIDECAR
        if is_told or told is None:
            return present.text, is_told
    return render_summary(place, sources, rules.weights, told), told is not None


def _iter_claims(
    stored: StoredLevel, ranges: dict[str, tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Yield the messages of what a person has edited or removed."""
    readable = {each.ident for each in stored.files}
    for each in stored.files:
        if each.file.is_edited:
            yield ranges.get(each.ident, each.file.span)
    for ident, span in ranges.items():
        if ident not in readable:
            yield span


def _is_claimed(source: SourceFile, claims: Sequence[tuple[int, int]]) -> bool:
    return any(first <= source.first <= last for first, last in claims)


def _add_one(ident: str) -> str:
    prefix, _, number = ident.rpartition("-")
    return f"{prefix}-{int(number) + 1:0{len(number)}d}"


def _finish(
    place: SummaryPlace, stored: StoredLevel, kept: Sequence[_Kept], *, may_remove: bool
) -> LevelPlan:
    """Return the plan, with what stays because a person has edited it, or nothing is said of it."""
    idents = {each.file.ident for each in kept}
    own = [each for each in stored.files if each.file.is_edited]
    others = [each for each in stored.files if each.ident not in idents and not each.file.is_edited]
    removed = tuple(each.ident for each in others) if may_remove else ()
    made = {each.ident: each for each in stored.made if each.ident not in removed}
    for each in own:
        row = MadeSummary(each.ident, place.story, each.file.first, each.file.last)
        made.setdefault(each.ident, row)
    for each_kept in kept:
        block, ident = each_kept.block, each_kept.file.ident
        made[ident] = MadeSummary(ident, place.story, block.first, block.last)
    staying = own if may_remove else [*own, *others]
    files = [SourceFile(each.ident, *each.file.span, each.text) for each in staying]
    files += [each.file for each in kept]
    return LevelPlan(
        {each.file.ident: each.file.text for each in kept if each.is_new},
        removed,
        tuple(sorted(files, key=lambda each: (each.first, each.ident))),
        tuple(made.values()),
        tuple(each.ident for each in own),
        tuple(each.sources for each in kept if not each.is_told),
    )
