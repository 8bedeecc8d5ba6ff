"""Make the chunks of a story and the entities anew from its record; nothing else is lost by it.

Files that are as they should be are not written, so a run that was interrupted goes on.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, attach_outcome
from cortexfs.core.stories.chat_record import parse_record
from cortexfs.core.stories.chunk_file import digest_settings
from cortexfs.core.stories.chunk_messages import chunk_messages
from cortexfs.core.text.plural import format_count
from cortexfs.operations.shared.resolve_names import require_project
from cortexfs.operations.stories.chunk_sources import list_chunk_sources
from cortexfs.operations.stories.plan_chunk_files import NO_ANSWERS, plan_chunk_files
from cortexfs.operations.stories.plan_summaries import plan_summaries
from cortexfs.operations.stories.project_entities import ProjectEntities
from cortexfs.operations.stories.story_record import StoryFiles, plan_story, require_record

if TYPE_CHECKING:
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.core.stories.chat_record import BrokenLine, ChatRecord
    from cortexfs.core.stories.chunk_messages import Chunk
    from cortexfs.core.stories.consolidation.plan_level import Told
    from cortexfs.operations.stories.plan_chunk_files import Answers, ChunkPlan, Progress
    from cortexfs.operations.stories.plan_summaries import SummaryPlan
    from cortexfs.operations.stories.story_record import StoryRecord
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


class StoryRebuild(NamedTuple):
    """What a rebuild changes, and the outcome (None: a dry run).

    `outdated` counts the chunks that were made with other settings; `broken` are the lines of the
    record that cannot be read.
    """

    story: str
    messages: int
    chunk_count: int
    outdated: int
    broken: tuple[BrokenLine, ...]
    files: StoryFiles
    plan: Plan
    outcome: Outcome | None = None


class ToldByModel(NamedTuple):
    """What a language model says of chunks and of summaries, which no file has yet."""

    answers: Answers = NO_ANSWERS
    summaries: Told = MappingProxyType({})


NOTHING_TOLD = ToldByModel()


class PlannedRebuild(NamedTuple):
    """The record of a story, its chunks, and what makes their files, scenes and arcs current."""

    stored: StoryRecord
    record: ChatRecord
    chunks: list[Chunk]
    files: ChunkPlan
    summaries: SummaryPlan


def rebuild_story(
    session: Session,
    project: str,
    name: str,
    *,
    told: ToldByModel = NOTHING_TOLD,
    progress: Progress | None = None,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> StoryRebuild:
    """Make every file of a story as its record and the present settings have it.

    What a language model has said of unchanged chunks stays; `told` is what it says anew.
    """
    entities = ProjectEntities(session, project, mode)

    def decide(view: View) -> StoryRebuild:
        require_project(view, project)
        made = plan_rebuild(view, project, name, told=told, progress=progress)
        outdated = _count_outdated(view, made.files)
        changed = format_count(len(made.files.writes) + len(made.files.removes), "chunk")
        message = f"story {project}/{name}: rebuild {changed}"
        files = StoryFiles(made.files, entities.plan(view, made.files), made.summaries)
        plan = plan_story(view, message, made.stored, [], files)
        counts = (len(made.record.messages), len(made.chunks), outdated)
        return StoryRebuild(name, *counts, made.record.broken, files, plan)

    done = attach_outcome(session.execute(decide, mode))
    entities.keep()
    return done


def plan_rebuild(
    view: View,
    project: str,
    name: str,
    *,
    told: ToldByModel = NOTHING_TOLD,
    progress: Progress | None = None,
) -> PlannedRebuild:
    """Return the plan of the chunks, scenes and arcs of a story."""
    stored = require_record(view, project, name)
    record = parse_record(stored.text)
    chunks = chunk_messages(record.entries, view.settings.stories.messages_per_chunk)
    place = (project, name)
    files = plan_chunk_files(view, place, chunks, progress=progress, answers=told.answers)
    sources = list_chunk_sources(view, place, files)
    summaries = plan_summaries(view, place, sources, told=told.summaries)
    return PlannedRebuild(stored, record, chunks, files, summaries)


def _count_outdated(view: View, files: ChunkPlan) -> int:
    """Return how many chunks of a story were made with other settings."""
    current = digest_settings(view.settings.stories)
    sources = (each.source for each in files.stored)
    return sum(each.analysis != current and not each.is_edited for each in sources)
