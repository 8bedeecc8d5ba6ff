"""Add one message to a story: a line of its record, and the file of its last chunk."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from cortexfs.core.changes.plan import ExecutionMode, Plan, attach_outcome
from cortexfs.core.memory.memory_text import format_time
from cortexfs.core.stores.json_fields import BadEntry
from cortexfs.core.stories.chat_record import (
    RecordedMessage,
)
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
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.core.stories.end_of_record import OrderedLines
    from cortexfs.core.stories.message import Message
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
    entities = ProjectEntities(session, project, mode)
    draft = _clean(said._replace(role=said.role or guess_role(said.speaker)))

    def decide(view: View) -> AppendedMessage:
        require_project(view, project)
        record = read_record(view, project, name)
        size = view.settings.stories.messages_per_chunk
        text = record.text
        ordered = _find_ordered_lines(session, (project, name), text)
        end = parse_end_of_record(text, size, ordered=ordered)
        number = end.last_number + 1
        message = draft._replace(ident=f"m{number}", time=format_time(view.clock()))
        entry = RecordedMessage(number, message)
        last = chunk_messages((*end.entries, entry), size)[-1]
        chunks = plan_last_chunk(view, (project, name), last)
        found = entities.plan(view, chunks)
        sources = find_chunk_sources(view, (project, name), chunks, last.last)
        made = plan_next_summaries(view, (project, name), sources)
        files = StoryFiles(chunks, found, made).mark_derived()
        commit_message = f"story {project}/{name}: 1 new message"
        plan = plan_story(view, commit_message, record, [entry], files)
        path = next((write.path for write in chunks.writes), "")
        return AppendedMessage(message, number, path, plan)

    done = attach_outcome(session.execute(decide, mode))
    entities.keep()
    return done


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
