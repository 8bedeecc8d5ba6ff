"""List the stories of a project, with what they have."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.chat_record import parse_record
from cortexfs.core.stories.chunk_file import digest_settings
from cortexfs.operations.shared.resolve_names import require_project
from cortexfs.operations.stories.plan_chunk_files import iter_stored_chunks
from cortexfs.operations.stories.story_record import list_story_names, require_record

if TYPE_CHECKING:
    from cortexfs.session.session import Session


class StorySummary(NamedTuple):
    """A story: its messages, speakers, chunks, and the time of its last message.

    `outdated` counts the chunks that were made with other settings, `edited` those that a person
    has changed, `broken` the lines of the record that cannot be read.
    """

    name: str
    messages: int
    speakers: int
    chunks: int
    outdated: int
    edited: int
    broken: int
    last_time: str


def list_stories(session: Session, project: str) -> list[StorySummary]:
    """Return the stories of a project, by name."""
    with session.read() as view:
        require_project(view, project)
        current = digest_settings(view.settings.stories)
        sources = [stored.source for stored in iter_stored_chunks(view, project)]
        found: list[StorySummary] = []
        for name in list_story_names(view, project):
            record = parse_record(require_record(view, project, name).text)
            messages = record.messages
            own = [source for source in sources if source.story == name]
            found.append(
                StorySummary(
                    name,
                    len(messages),
                    len({message.speaker for message in messages}),
                    len(own),
                    sum(each.analysis != current and not each.is_edited for each in own),
                    sum(each.is_edited for each in own),
                    len(record.broken),
                    max((message.time for message in messages), default=""),
                )
            )
        return found
