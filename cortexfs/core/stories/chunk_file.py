"""The Markdown file of a chunk: what was said, and what it is worth.

Each message is a code block: whatever it contains, it is text, and can be neither a heading, a
link, a comment nor the frontmatter. A file that a person has changed is never written again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import split_string_list
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.stories.build_field import add_build, digest_file, is_edited, short_digest
from cortexfs.core.stories.chunk_body import MAX_SHOWN_CHARS, render_body
from cortexfs.core.stories.colours.coloured_text import remove_tags
from cortexfs.core.stories.escape_markdown import remove_markup
from cortexfs.core.stories.message_numbers import format_numbers, parse_numbers, parse_span
from cortexfs.core.stories.sidecar.analysis_lines import format_analysis, parse_analysis
from cortexfs.core.stories.sidecar.chunk_analysis import digest_messages
from cortexfs.core.stories.weigh_chunk import HEURISTIC, score_chunk, weigh_chunk
from cortexfs.core.text.sanitize import truncate_line

if TYPE_CHECKING:
    from cortexfs.core.frontmatter.atom_text import ParsedText
    from cortexfs.core.settings.story_settings import StorySettings
    from cortexfs.core.stories.chunk_messages import Chunk
    from cortexfs.core.stories.sidecar.chunk_analysis import ChunkAnalysis

ANALYSIS_VERSION = 3
"""Another number for each change of what is made from the same messages."""
SUMMARY_FIELDS = frozenset({"chunks", "scenes"})
"""The fields by which a scene and an arc name their sources."""
MAX_SUMMARY_CHARS = 120


class ChunkFile(NamedTuple):
    """What the frontmatter of a chunk's file says of where it comes from.

    `first` and `last` are message numbers; `numbers` are those of all messages if these are not
    consecutive. `is_edited` means that a person has changed the file. `source` says what its
    salience comes from.
    """

    story: str
    first: int
    last: int
    date: str
    analysis: str
    is_edited: bool
    source: str = HEURISTIC
    numbers: tuple[int, ...] = ()


def digest_settings(settings: StorySettings) -> str:
    """Return a text that is another one if other settings would make other chunks."""
    weights = sorted(settings.weights.items())
    parts = (ANALYSIS_VERSION, settings.messages_per_chunk, settings.core_threshold)
    return short_digest(f"{parts} {sorted(settings.core_flags)} {weights}")


def find_chunk_day(chunk: Chunk) -> str:
    """Return the day of the first message with a time; empty if none has one."""
    return next((message.time[:10] for message in chunk.messages if message.time), "")


class ChunkAnswer(NamedTuple):
    """The digest of the messages that a language model was asked about, and what it says of them.

    `analysis` is None if it said nothing valid.
    """

    digest: str
    analysis: ChunkAnalysis | None


def read_answer(parsed: ParsedText) -> ChunkAnswer | None:
    """Return what a language model said of a chunk, by its file; None if it was not asked."""
    asked = parsed.fields.get("asked")
    return ChunkAnswer(asked, parse_analysis(parsed.body)) if isinstance(asked, str) else None


def render_chunk(
    chunk: Chunk,
    place: tuple[str, str, str],
    day: str,
    settings: StorySettings,
    answer: ChunkAnswer | None = None,
) -> str:
    """Return the file of a chunk; `place` is its id, its project and its story.

    An answer about other messages is left out.
    """
    ident, _, story = place
    current = answer if answer and answer.digest == digest_messages(chunk.messages) else None
    analysis = current.analysis if current else None
    fields = _make_fields(chunk, place, day, settings, current)
    head = atom_text.format_frontmatter({key: value for key, value in fields.items() if value})
    body = render_body(chunk, ident, story)
    body += f"\n{format_analysis(analysis)}" if analysis else ""
    return add_build(f"---\n{head}---\n\n{body}")


def _make_fields(
    chunk: Chunk,
    place: tuple[str, str, str],
    day: str,
    settings: StorySettings,
    answer: ChunkAnswer | None,
) -> dict[str, str | tuple[str, ...]]:
    """Return the fields of a chunk, in the order of the format; empty ones are left out later."""
    ident, project, story = place
    analysis = answer.analysis if answer else None
    worth = weigh_chunk(score_chunk(chunk, settings), analysis, settings)
    return {
        "id": ident,
        "date": find_chunk_day(chunk) or day,
        "project": project,
        "summary": (analysis and _to_summary(analysis.summary)) or _summarize(chunk),
        "tags": ("story", *worth.emotions, *worth.flags),
        "story": story,
        "messages": f"{chunk.first}-{chunk.last}",
        "numbers": format_numbers(chunk.numbers),
        "salience": f"{worth.salience:.4f}",
        "salience-source": worth.source,
        "emotions": worth.emotions,
        "flags": worth.flags,
        "core": "yes" if worth.is_core else "no",
        "asked": answer.digest if answer else "",
        "analysis": digest_settings(settings),
    }


def is_current(text: str, source: ChunkFile, chunk: Chunk, ident: str, analysis: str) -> bool:
    """Return whether a file is surely what `render_chunk` makes of a chunk without an answer.

    A file that nobody has edited says so: it has the messages, and was made with the same settings,
    of which `analysis` is the digest. This is much less work than to score the chunk again.
    """
    return (
        (source.analysis, source.is_edited, source.numbers) == (analysis, False, chunk.numbers)
        and "\nasked: " not in text
        and all(len(message.text) <= MAX_SHOWN_CHARS for message in chunk.messages)
        and text.endswith(f"---\n\n{render_body(chunk, ident, source.story)}")
    )


def parse_chunk_file(text: str) -> ChunkFile | None:
    """Return where a chunk's file comes from; None if it does not say so."""
    fields = atom_text.parse_frontmatter(text).fields
    story, span = fields.get("story"), parse_span(fields.get("messages"))
    if not isinstance(story, str) or span is None:
        return None
    return ChunkFile(
        story,
        *span,
        str(fields.get("date", "")),
        str(fields.get("analysis", "")),
        is_edited(text, fields),
        str(fields.get("salience-source", HEURISTIC)),
        parse_numbers(fields.get("numbers")),
    )


def rename_story_in_file(text: str, old: str, new: str) -> str:
    """Return the file of a chunk, a scene or an arc of a story that has another name now.

    What a person has changed stays, and stays changed.
    """
    source = parse_chunk_file(text)
    renamed = atom_text.edit_frontmatter(text, {"story": new})
    if source is None or source.is_edited:
        return renamed
    start = "\n" if SUMMARY_FIELDS & atom_text.parse_frontmatter(text).fields.keys() else ": "
    front, body = atom_text.split_front_and_body(renamed)
    renamed = front + body.replace(f"{start}{old}, messages ", f"{start}{new}, messages ", 1)
    return atom_text.edit_frontmatter(renamed, {"build": digest_file(renamed)})


def read_share(value: object) -> float:
    """Return a number from 0 to 1; 0 for anything else."""
    try:
        number = float(str(value))
    except ValueError:
        return 0.0
    return min(1.0, max(0.0, number)) if number == number else 0.0  # noqa: PLR0124 - not a number


def list_tags(value: object) -> tuple[str, ...]:
    """Return the emotions or flags in a field of a chunk."""
    return split_string_list(value) if isinstance(value, str | tuple) else ()


def _summarize(chunk: Chunk) -> str:
    first = chunk.messages[0]
    speaker = f"{first.speaker}: " if first.speaker else ""
    beginning = f"{speaker}{remove_tags(first.text[: MAX_SUMMARY_CHARS * 8])}"
    return _to_summary(beginning) or "A message"


def _to_summary(text: str) -> str:
    return truncate_line(remove_markup(text), MAX_SUMMARY_CHARS)
