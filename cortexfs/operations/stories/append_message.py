"""Add one message to a story: a line of its record, and the file of its last chunk."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, attach_outcome
from cortexfs.core.memory.memory_text import format_time
from cortexfs.core.stores.json_fields import BadEntry
from cortexfs.core.stories.chat_record import RecordedMessage
from cortexfs.core.stories.chunk_messages import chunk_messages
from cortexfs.core.stories.end_of_record import NO_LINES, find_ordered_lines, parse_end_of_record
from cortexfs.core.stories.transcripts.transcript import ROLES, clean_message, guess_role
from cortexfs.errors import Refused, Usage
from cortexfs.operations.shared.resolve_names import require_project
from cortexfs.operations.stories.chunk_sources import find_chunk_sources
from cortexfs.operations.stories.kept_values import KeptValue, get_kept_values
from cortexfs.operations.stories.plan_chunk_files import plan_last_chunk
from cortexfs.operations.stories.plan_summaries import plan_next_summaries
from cortexfs.operations.stories.project_entities import ProjectEntities
from cortexfs.operations.stories.story_record import StoryFiles, plan_story, read_record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.changes.plan import Outcome
    from cortexfs.core.stories.chat_record import ChatRecord
    from cortexfs.core.stories.end_of_record import OrderedLines
    from cortexfs.core.stories.message import Message
    from cortexfs.operations.stories.story_record import StoryRecord
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


class AppendedMessage(NamedTuple):
    """The message that was added, its chunk's file, and the outcome (None: a dry run)."""

    message: Message
    number: int
    chunk_path: str
    plan: Plan
    outcome: Outcome | None = None


def append_message(
    session: Session,
    project: str,
    name: str,
    said: Message,
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> AppendedMessage:
    """Add a message at the end of a story, which is created if it is new.

    Its time is the present, its id is made here; without a role the speaker's name decides. Raises
    `Usage` for an unknown role.
    """
    if said.role and said.role not in ROLES:
        raise Usage(f"no role named `{said.role}`", hint=f"roles: {', '.join(sorted(ROLES))}")
    draft = _clean(said._replace(role=said.role or guess_role(said.speaker)))
    entities = ProjectEntities(session, project, mode)

    changed = session.execute(
        lambda view: _plan_message(session, view, (project, name), draft, entities), mode
    )
    entities.keep()
    return attach_outcome(changed)


def _plan_message(
    session: Session,
    view: View,
    place: tuple[str, str],
    draft: Message,
    entities: ProjectEntities,
) -> AppendedMessage:
    """Return the message with its number and time, and the plan that adds it."""
    project, name = place
    require_project(view, project)
    end, record = _read_end(session, view, place)
    number = end.last_number + 1
    message = draft._replace(ident=f"m{number}", time=format_time(view.clock()))
    entry = RecordedMessage(number, message)
    files = _plan_files(view, place, (*end.entries, entry), entities)
    commit_message = f"story {project}/{name}: 1 new message"
    plan = plan_story(view, commit_message, record, [entry], files)
    path = next((write.path for write in files.chunks.writes), "")
    return AppendedMessage(message, number, path, plan)


def _read_end(
    session: Session, view: View, place: tuple[str, str]
) -> tuple[ChatRecord, StoryRecord]:
    """Return the end of a story's record, and the record."""
    record = read_record(view, *place)
    ordered = _find_ordered_lines(session, place, record.text)
    size = view.settings.stories.messages_per_chunk
    return parse_end_of_record(record.text, size, ordered=ordered), record


def _plan_files(
    view: View,
    place: tuple[str, str],
    entries: Sequence[RecordedMessage],
    entities: ProjectEntities,
) -> StoryFiles:
    """Return the files that follow from the last messages: their chunk, entities, summaries."""
    last = chunk_messages(entries, view.settings.stories.messages_per_chunk)[-1]
    chunks = plan_last_chunk(view, place, last)
    found = entities.plan(view, chunks)
    sources = find_chunk_sources(view, place, chunks, last.last)
    return StoryFiles(chunks, found, plan_next_summaries(view, place, sources)).mark_derived()


def _find_ordered_lines(session: Session, place: tuple[str, str], text: str) -> OrderedLines:
    """Return the lines of a record if they are in order; those known of the last call are."""
    kept, key = get_kept_values(session), (_find_ordered_lines, place)
    known = kept.take(key)
    found = find_ordered_lines(text, cast("OrderedLines", known.value) if known else NO_LINES)
    if found.total:
        kept.keep(key, KeptValue(None, found, len(text)))
    return found


def _clean(message: Message) -> Message:
    try:
        cleaned = clean_message(message)
    except BadEntry as error:
        raise Refused(str(error), hint="divide it") from None
    if cleaned is None:
        raise Refused("the message is empty", hint="give its text on stdin")
    return cleaned
