"""Plan the scenes and arcs of one story; what a person has edited or removed stays so."""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.kinds import ARC_KIND, SCENE_KIND
from cortexfs.core.atoms.tree_paths import kind_folder
from cortexfs.core.changes.plan import Remove, Write
from cortexfs.core.stories.consolidation.due_blocks import find_due_blocks
from cortexfs.core.stories.consolidation.made_summaries import (
    FILE_NAME,
    format_made_summaries,
    parse_made_summaries,
)
from cortexfs.core.stories.consolidation.next_blocks import StoryProgress, find_next_blocks
from cortexfs.core.stories.consolidation.plan_level import (
    LevelPlan,
    LevelRules,
    StoredLevel,
    StoredSummary,
    plan_level,
)
from cortexfs.core.stories.consolidation.render_summary import SummaryPlace
from cortexfs.core.stories.consolidation.summary_source import select_block
from cortexfs.core.stories.keep_reads import keep_reads
from cortexfs.core.stories.salience.salience_weights import DEFAULT_WEIGHTS
from cortexfs.core.stories.story_name import chats_folder
from cortexfs.core.stories.summary_file import parse_summary_file
from cortexfs.operations.shared.read_text_or_empty import read_text_or_empty
from cortexfs.operations.shared.resolve_names import require_kind

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from cortexfs.core.atoms.kind import Kind
    from cortexfs.core.stories.consolidation.due_blocks import Block, DueBlocks
    from cortexfs.core.stories.consolidation.made_summaries import MadeSummary
    from cortexfs.core.stories.consolidation.plan_level import Told
    from cortexfs.core.stories.consolidation.summary_source import SourceFile
    from cortexfs.operations.stories.chunk_sources import ChunkSources
    from cortexfs.session.view import View


class SummaryPlan(NamedTuple):
    """The writes and removals of scenes and arcs, in their order, and how many there will be.

    `edited` are the paths of those that a person has changed. `untold` has, by kind, the sources of
    those of which a language model has said nothing.
    """

    writes: tuple[Write, ...] = ()
    removes: tuple[Remove, ...] = ()
    scenes: int = 0
    arcs: int = 0
    edited: tuple[str, ...] = ()
    untold: Mapping[str, tuple[tuple[SourceFile, ...], ...]] = MappingProxyType({})


class _StoredKind(NamedTuple):
    """The scenes or the arcs of a project: their kind, their folder, their file names."""

    kind: Kind
    folder: str
    names: Mapping[str, str]


def plan_summaries(
    view: View,
    place: tuple[str, str],
    chunks: ChunkSources,
    *,
    may_create: bool | None = None,
    told: Told = MappingProxyType({}),
) -> SummaryPlan:
    """Return what makes all scenes and arcs of a story current; `place` is its project and name.

    Without consolidation in the settings nothing new is made, unless `may_create` says so. `told`
    is what a language model says of them.
    """
    settings = view.settings.stories
    creates = settings.consolidation.enabled if may_create is None else may_create
    work = _Work(view, place, creates=creates, told=told)
    due = find_due_blocks(chunks.last_message, settings)
    scenes = work.plan(SCENE_KIND, due[SCENE_KIND], chunks.find)
    arcs = work.plan(ARC_KIND, due[ARC_KIND], partial(select_block, scenes.files))
    untold = {SCENE_KIND: scenes.untold, ARC_KIND: arcs.untold}
    return work.finish()._replace(
        scenes=len(scenes.files), arcs=len(arcs.files), untold=MappingProxyType(untold)
    )


def plan_next_summaries(view: View, place: tuple[str, str], chunks: ChunkSources) -> SummaryPlan:
    """Return what the last message of a story makes due: one scene and one arc at most.

    This reads few files. What was due before, and was not made, is left to a rebuild.
    """
    settings = view.settings.stories
    if not settings.consolidation.enabled:
        return SummaryPlan()
    due = find_due_blocks(chunks.last_message, settings)
    if not due[SCENE_KIND].total:
        return SummaryPlan()
    work = _Work(view, place, creates=True)
    made = {kind: work.list_made(kind) for kind in due}
    story = StoryProgress(due, made, chunks.last_message)
    scene, arc = find_next_blocks(story, chunks.list_firsts)
    if scene is None and arc is None:
        return SummaryPlan()
    near = tuple(block for block in (scene, arc) if block)
    scenes = work.plan(SCENE_KIND, due[SCENE_KIND], chunks.find, near[:1] if scene else (), near)
    if arc:
        find = partial(select_block, scenes.files)
        work.plan(ARC_KIND, due[ARC_KIND], find, (arc,), (arc,))
    return work.finish()


class _Work:
    """The plan of one story's scenes and arcs, level after level."""

    def __init__(
        self,
        view: View,
        place: tuple[str, str],
        *,
        creates: bool,
        told: Told = MappingProxyType({}),
    ) -> None:
        self._view = view
        self._project, self._story = place
        self._creates = creates
        self._told = told
        self._record_path = f"{chats_folder(self._project)}/{FILE_NAME}"
        self._record = read_text_or_empty(view, self._record_path)
        self._made = parse_made_summaries(self._record)
        self._writes: list[Write] = []
        self._removes: list[Remove] = []
        self._edited: list[str] = []

    def list_made(self, kind_name: str) -> list[MadeSummary]:
        """Return which scenes or arcs of the story were made."""
        prefix = f"{require_kind(self._view, kind_name).prefix}-"
        return [
            each
            for each in self._made
            if each.story == self._story and each.ident.startswith(prefix)
        ]

    def plan(
        self,
        kind_name: str,
        due: DueBlocks,
        find_sources: Callable[[Block], list[SourceFile]],
        only: tuple[Block, ...] | None = None,
        near: tuple[Block, ...] = (),
    ) -> LevelPlan:
        """Plan one level; with `only`, just these blocks, reading files `near` some blocks."""
        found = self._list_files(kind_name)
        made = self.list_made(kind_name)
        stored = self._read_files(found, None if only is None else self._select(found, made, near))
        weights = DEFAULT_WEIGHTS._replace(**dict(self._view.settings.stories.weights))
        idents = (*found.names, *(each.ident for each in self._made))
        place = SummaryPlace(kind_name, found.kind.next_id(idents), self._project, self._story)
        numbers = None if only is None else {block.number for block in only}
        done = plan_level(
            place,
            StoredLevel(stored, made, found.names.keys()),
            LevelRules(due, weights, self._creates, self._told),
            find_sources,
            numbers,
        )
        self._add(found, {each.ident: each.text for each in stored}, done)
        self._made = [each for each in self._made if each not in made] + list(done.made)
        return done

    def finish(self) -> SummaryPlan:
        """Return the plan of all levels; what was made is written after the files."""
        record = format_made_summaries(self._made)
        if record != self._record:
            before = self._record if self._view.tree.is_file(self._record_path) else None
            self._writes.append(Write(self._record_path, record, before))
        return SummaryPlan(tuple(self._writes), tuple(self._removes), edited=tuple(self._edited))

    def _list_files(self, kind_name: str) -> _StoredKind:
        kind = require_kind(self._view, kind_name)
        folder = kind_folder(self._project, kind)
        names = (name for name in self._view.tree.list_names(folder) if name.endswith(".md"))
        idents = ((kind.parse_file_id(name.removesuffix(".md")), name) for name in names)
        return _StoredKind(kind, folder, {ident: name for ident, name in idents if ident})

    def _select(
        self, found: _StoredKind, made: list[MadeSummary], near: tuple[Block, ...]
    ) -> Collection[str]:
        """Return the ids of what was made of messages of some blocks, or is not known."""
        known = {each.ident for each in self._made}
        return {ident for ident in found.names if ident not in known} | {
            each.ident
            for each in made
            if any(block.overlaps(each.first, each.last) for block in near)
        }

    def _read_files(self, found: _StoredKind, only: Collection[str] | None) -> list[StoredSummary]:
        stored: list[StoredSummary] = []
        with self._view.tree.open_batch_reader() as read:
            for ident, name in found.names.items():
                if only is not None and ident not in only:
                    continue
                file = read(f"{found.folder}/{name}")
                if isinstance(file, Flaw):
                    continue
                parsed = parse_summary_file(file.text, ident)
                if parsed and parsed.is_made and parsed.story == self._story:
                    stored.append(StoredSummary(ident, file.text, parsed))
        return stored

    def _add(self, found: _StoredKind, present: Mapping[str, str], done: LevelPlan) -> None:
        for ident, text in done.texts.items():
            before = present.get(ident)
            path = f"{found.folder}/{found.names.get(ident, f'{ident}.md')}"
            kept = keep_reads(text, before) if before is not None else text
            self._writes.append(Write(path, kept, before))
        for ident in done.removed:
            self._removes.append(Remove(f"{found.folder}/{found.names[ident]}", present[ident]))
        self._edited += [f"{found.folder}/{found.names[ident]}" for ident in done.edited]
