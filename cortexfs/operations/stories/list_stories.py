"""List the stories of a project, with what they have."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.kinds import ARC_KIND, SCENE_KIND
from cortexfs.core.stories.chat_record import parse_record
from cortexfs.core.stories.chunk_file import digest_settings
from cortexfs.core.stories.consolidation.due_blocks import find_due_blocks
from cortexfs.core.stories.consolidation.made_summaries import FILE_NAME, parse_made_summaries
from cortexfs.core.stories.sidecar.chunk_analysis import SIDECAR
from cortexfs.core.stories.story_name import chats_folder
from cortexfs.operations.shared.read_text_or_empty import read_text_or_empty
from cortexfs.operations.shared.resolve_names import require_kind, require_project
from cortexfs.operations.stories.plan_chunk_files import iter_stored_chunks
from cortexfs.operations.stories.story_record import list_story_names, require_record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.stories.chunk_file import ChunkFile
    from cortexfs.core.stories.consolidation.made_summaries import MadeSummary
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


class StorySummary(NamedTuple):
    """A story: its messages, speakers, chunks, scenes, arcs, and the time of its last message.

    `told` counts the chunks of which a language model has said something, `due` the scenes and arcs
    that the settings want and nobody has made. `outdated` counts the chunks that were made with
    other settings, `edited` those that a person has changed, `broken` the lines of the record that
    cannot be read.
    """

    name: str
    messages: int
    speakers: int
    chunks: int
    told: int
    scenes: int
    arcs: int
    due: int
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
        made = _read_made(view, project)
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
                    sum(each.source == SIDECAR for each in own),
                    *_count_summaries(view, made, name, own),
                    sum(each.analysis != current and not each.is_edited for each in own),
                    sum(each.is_edited for each in own),
                    len(record.broken),
                    max((message.time for message in messages), default=""),
                )
            )
        return found


def _read_made(view: View, project: str) -> list[MadeSummary]:
    """Return which scenes and arcs of a project were made."""
    return parse_made_summaries(read_text_or_empty(view, f"{chats_folder(project)}/{FILE_NAME}"))


def _count_summaries(
    view: View, made: Sequence[MadeSummary], name: str, chunks: Sequence[ChunkFile]
) -> tuple[int, int, int]:
    """Return how many scenes and arcs of a story were made, and how many are due."""
    settings = view.settings.stories
    blocks = find_due_blocks(max((each.last for each in chunks), default=0), settings)
    counts: dict[str, int] = {}
    due = 0
    for kind, level in blocks.items():
        prefix = f"{require_kind(view, kind).prefix}-"
        own = [each for each in made if each.story == name and each.ident.startswith(prefix)]
        counts[kind] = len(own)
        done = {(each.first, each.last) for each in own}
        numbers = {level.find(each.first) for each in chunks}
        wanted = (level.block(number) for number in numbers if number <= level.total)
        due += sum((block.first, block.last) not in done for block in wanted)
    return counts[SCENE_KIND], counts[ARC_KIND], due if settings.consolidation.enabled else 0
