"""Make the chunks of a story and the entities anew from its record; nothing else is lost by it.

Files that are as they should be are not written, so a run that was interrupted goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.plan import ExecutionMode, Plan, attach_outcome
from cortexfs.core.stories.chat_record import parse_record
from cortexfs.core.stories.chunk_file import digest_settings
from cortexfs.core.stories.chunk_messages import chunk_messages
from cortexfs.core.text.plural import format_count
from cortexfs.operations.shared.resolve_names import require_project
from cortexfs.operations.stories.chunk_sources import list_chunk_sources
from cortexfs.operations.stories.plan_chunk_files import iter_stored_chunks, plan_chunk_files
from cortexfs.operations.stories.plan_summaries import plan_summaries
from cortexfs.operations.stories.project_entities import ProjectEntities
from cortexfs.operations.stories.story_record import StoryFiles, plan_story, require_record

if TYPE_CHECKING:
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.core.stories.chat_record import BrokenLine
    from cortexfs.operations.stories.plan_chunk_files import Progress
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


def rebuild_story(
    session: Session,
    project: str,
    name: str,
    *,
    progress: Progress | None = None,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> StoryRebuild:
    """Make every chunk of a story as its record and the present settings have it."""
    entities = ProjectEntities(session, project, mode)

    def decide(view: View) -> StoryRebuild:
        require_project(view, project)
        stored = require_record(view, project, name)
        record = parse_record(stored.text)
        outdated = count_outdated_chunks(view, project).get(name, 0)
        chunks = chunk_messages(record.entries, view.settings.stories.messages_per_chunk)
        planned = plan_chunk_files(view, (project, name), chunks, progress=progress)
        changed = format_count(len(planned.writes) + len(planned.removes), "chunk")
        message = f"story {project}/{name}: rebuild {changed}"
        sources = list_chunk_sources(view, (project, name), planned)
        summaries = plan_summaries(view, (project, name), sources)
        files = StoryFiles(planned, entities.plan(view, planned), summaries)
        plan = plan_story(view, message, stored, [], files)
        return StoryRebuild(
            name, len(record.messages), len(chunks), outdated, record.broken, files, plan
        )

    done = attach_outcome(session.execute(decide, mode))
    entities.keep()
    return done


def count_outdated_chunks(view: View, project: str) -> dict[str, int]:
    """Return for each story of a project how many of its chunks were made with other settings."""
    current = digest_settings(view.settings.stories)
    counts: dict[str, int] = {}
    for stored in iter_stored_chunks(view, project):
        if stored.source.analysis != current and not stored.source.is_edited:
            counts[stored.source.story] = counts.get(stored.source.story, 0) + 1
    return counts
