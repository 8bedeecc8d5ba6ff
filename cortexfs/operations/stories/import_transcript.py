"""Import each conversation of a transcript as a story."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.stories.story_name import make_story_name
from cortexfs.core.stories.transcripts.parse_transcript import parse_transcript
from cortexfs.core.stories.transcripts.transcript import TranscriptFormat
from cortexfs.errors import Refused
from cortexfs.operations.stories.import_story import StoryImport, import_story

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.stories.transcripts.transcript import Conversation, RefusedLine
    from cortexfs.operations.stories.plan_chunk_files import Progress
    from cortexfs.session.session import Session


class TranscriptFile(NamedTuple):
    """A transcript as text, the title of what has none, and a format (None: recognized)."""

    text: str
    title: str
    format: TranscriptFormat | None = None


class TranscriptImport(NamedTuple):
    """The recognized format, what became of each conversation, and the lines that were refused."""

    format: TranscriptFormat
    stories: tuple[StoryImport, ...]
    refused: tuple[RefusedLine, ...]


def import_transcript(
    session: Session,
    project: str,
    file: TranscriptFile,
    name: str = "",
    *,
    progress: Progress | None = None,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> TranscriptImport:
    """Import the conversations of a transcript; each has a story named after its title.

    `name` is the name of the story of a single conversation. Raises `Refused` for another file.
    """
    transcript = parse_transcript(file.text, file.format)
    if transcript is None:
        known = ", ".join(TranscriptFormat)
        raise Refused("the file is no known transcript", hint=f"name its format: {known}")
    conversations = transcript.conversations
    if name and len(conversations) > 1:
        raise Refused(
            f"the file has {len(conversations)} conversations", hint="import it without --name"
        )
    names = [name] if name else _choose_names(conversations, file.title)
    done = tuple(
        import_story(session, project, each, chat.messages, progress=progress, mode=mode)
        for each, chat in zip(names, conversations, strict=False)
    )
    return TranscriptImport(transcript.format, done, transcript.refused)


def _choose_names(conversations: Sequence[Conversation], title: str) -> list[str]:
    """Return a name for each conversation; equal titles are numbered in their order."""
    counts: dict[str, int] = {}
    names: list[str] = []
    for each in conversations:
        name = make_story_name(each.title or title)
        counts[name] = counts.get(name, 0) + 1
        names.append(name if counts[name] == 1 else make_story_name(f"{counts[name]} {name}"))
    return names
