"""Import a chat into a project: its record, its chunks and entities, in one commit.

The same chat twice changes nothing; a longer or changed version changes only what differs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, attach_outcome
from cortexfs.core.stories.chat_record import ChatRecord, add_entries, parse_record
from cortexfs.core.stories.chunk_messages import chunk_messages
from cortexfs.core.stories.merge_messages import RecordChanges, merge_messages
from cortexfs.core.text.plural import format_count
from cortexfs.errors import Refused
from cortexfs.operations.shared.resolve_names import require_project
from cortexfs.operations.stories.chunk_sources import find_chunk_sources, list_chunk_sources
from cortexfs.operations.stories.plan_chunk_files import plan_chunk_files
from cortexfs.operations.stories.plan_summaries import plan_next_summaries, plan_summaries
from cortexfs.operations.stories.project_entities import ProjectEntities
from cortexfs.operations.stories.story_record import (
    StoryFiles,
    StoryRecord,
    plan_story,
    read_record,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.changes.plan import Outcome
    from cortexfs.core.stories.message import Message
    from cortexfs.operations.stories.plan_chunk_files import ChunkPlan, Progress
    from cortexfs.operations.stories.plan_summaries import SummaryPlan
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


class StoryImport(NamedTuple):
    """What an import changes: the record, the files, and the outcome (None: a dry run)."""

    story: str
    changes: RecordChanges
    files: StoryFiles
    plan: Plan
    outcome: Outcome | None = None


def import_story(
    session: Session,
    project: str,
    name: str,
    messages: Sequence[Message],
    *,
    progress: Progress | None = None,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> StoryImport:
    """Bring the story of a name up to date with a chat; a new name makes a new story.

    Raises `Refused` if the story has other messages only.
    """
    entities = ProjectEntities(session, project, mode)

    def decide(view: View) -> StoryImport:
        require_project(view, project)
        stored = read_record(view, project, name)
        record = parse_record(stored.text)
        changes = merge_messages(record, messages)
        if changes.is_unrelated:
            raise Refused(
                f"the story `{name}` has no message of this chat",
                hint="give the chat another name with --name",
            )
        return plan_record_changes(view, entities, stored, record, changes, progress=progress)

    done = attach_outcome(session.execute(decide, mode))
    entities.keep()
    return done


def plan_record_changes(
    view: View,
    entities: ProjectEntities,
    stored: StoryRecord,
    record: ChatRecord,
    changes: RecordChanges,
    *,
    progress: Progress | None = None,
    in_burst: bool = False,
) -> StoryImport:
    """Return the plan of changes of a record, and of the files that are made of it.

    With `in_burst` git needs no state of those files between two changes that one commit has.
    """
    project, name = stored.project, stored.name
    merged = add_entries(record, changes.entries)
    chunks = plan_changed_chunks(view, (project, name), record, merged, progress)
    counts = ", ".join(format_changes(changes)) or "nothing new"
    message = f"story {project}/{name}: {counts}"
    summaries = _plan_summaries(view, stored, merged, changes, chunks, in_burst=in_burst)
    files = StoryFiles(chunks, entities.plan(view, chunks), summaries)
    files = files.mark_derived() if in_burst else files
    plan = plan_story(view, message, stored, changes.entries, files)
    return StoryImport(name, changes, files, plan)


def _plan_summaries(
    view: View,
    stored: StoryRecord,
    merged: ChatRecord,
    changes: RecordChanges,
    chunks: ChunkPlan,
    *,
    in_burst: bool,
) -> SummaryPlan:
    """Return the scenes and arcs of a story; in a burst of new messages those that are due next."""
    place = stored.project, stored.name
    if in_burst and not changes.changed and not changes.deleted:
        sources = find_chunk_sources(view, place, chunks, merged.last_number)
        return plan_next_summaries(view, place, sources)
    return plan_summaries(view, place, list_chunk_sources(view, place, chunks))


def format_changes(changes: RecordChanges) -> list[str]:
    """Return how many messages are new, changed and deleted, in words."""
    counts = {"new": changes.added, "changed": changes.changed, "deleted": changes.deleted}
    return [f"{format_count(count, f'{word} message')}" for word, count in counts.items() if count]


def plan_changed_chunks(
    view: View,
    place: tuple[str, str],
    before: ChatRecord,
    after: ChatRecord,
    progress: Progress | None = None,
) -> ChunkPlan:
    """Return the plan of the chunks that differ between two states of a record."""
    size = view.settings.stories.messages_per_chunk
    old = {chunk.number: chunk for chunk in chunk_messages(before.entries, size)}
    chunks = chunk_messages(after.entries, size)
    new = {chunk.number: chunk for chunk in chunks}
    changed = {number for number in old.keys() | new.keys() if old.get(number) != new.get(number)}
    return plan_chunk_files(view, place, chunks, changed, progress=progress)
