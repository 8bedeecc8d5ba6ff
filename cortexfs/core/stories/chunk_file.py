"""The Markdown file of a chunk: what was said, and what it is worth.

Each message is a code block: whatever it contains, it is text, and can be neither a heading, a
link, a comment nor the frontmatter. A file that a person has changed is never written again.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import split_string_list
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.stories.escape_markdown import remove_markup
from cortexfs.core.stories.salience.salience_weights import DEFAULT_WEIGHTS
from cortexfs.core.stories.salience.score_passage import score_passage
from cortexfs.core.text.sanitize import truncate_line

if TYPE_CHECKING:
    from cortexfs.core.settings.story_settings import StorySettings
    from cortexfs.core.stories.chunk_messages import Chunk
    from cortexfs.core.stories.message import Message
    from cortexfs.core.stories.salience.score_passage import Salience

ANALYSIS_VERSION = 1
"""Another number for each change of what is made from the same messages."""
HEURISTIC = "heuristic"
MAX_SUMMARY_CHARS = 120
MAX_SHOWN_CHARS = 100_000
"""Characters of a message that its chunk shows; the record has all of them."""
DIGEST_CHARS = 12

_BACKTICKS = re.compile(r"`{3,}")
_UNCOUNTED = re.compile(r"^(?:build|refs|last-ref): .*\n", re.MULTILINE)
_RANGE = re.compile(r"(\d{1,9})-(\d{1,9})", re.ASCII)


class ChunkFile(NamedTuple):
    """What the frontmatter of a chunk's file says of where it comes from.

    `first` and `last` are message numbers. `is_edited` means that a person has changed the file.
    """

    story: str
    first: int
    last: int
    date: str
    analysis: str
    is_edited: bool


def digest_settings(settings: StorySettings) -> str:
    """Return a text that is another one if other settings would make other chunks."""
    weights = sorted(settings.weights.items())
    parts = (ANALYSIS_VERSION, settings.messages_per_chunk, settings.core_threshold)
    text = f"{parts} {sorted(settings.core_flags)} {weights}"
    return sha256(text.encode()).hexdigest()[:DIGEST_CHARS]


def join_texts(messages: tuple[Message, ...]) -> str:
    """Return the texts of a chunk, of which its salience is computed."""
    return "\n\n".join(message.text for message in messages)


def score_chunk(chunk: Chunk, settings: StorySettings) -> Salience:
    """Return the salience of a chunk."""
    return score_passage(
        join_texts(chunk.messages), DEFAULT_WEIGHTS._replace(**dict(settings.weights))
    )


def find_chunk_day(chunk: Chunk) -> str:
    """Return the day of the first message with a time; empty if none has one."""
    return next((message.time[:10] for message in chunk.messages if message.time), "")


def render_chunk(
    chunk: Chunk, place: tuple[str, str, str], day: str, settings: StorySettings
) -> str:
    """Return the file of a chunk; `place` is its id, its project and its story."""
    ident, project, story = place
    salience = score_chunk(chunk, settings)
    emotions, flags = tuple(map(str, salience.emotions)), tuple(map(str, salience.flags))
    is_core = salience.is_core(settings.core_threshold, settings.core_flags)
    fields: dict[str, str | tuple[str, ...]] = {
        "id": ident,
        "date": find_chunk_day(chunk) or day,
        "project": project,
        "summary": _summarize(chunk),
        "tags": ("story", *emotions, *flags),
        "story": story,
        "messages": f"{chunk.first}-{chunk.last}",
        "salience": f"{salience.score:.4f}",
        "salience-source": HEURISTIC,
        "emotions": emotions,
        "flags": flags,
        "core": "yes" if is_core else "no",
        "analysis": digest_settings(settings),
    }
    given = {key: value for key, value in fields.items() if value}
    body = "\n".join(map(_render_message, chunk.messages))
    head = atom_text.format_frontmatter(given)
    heading = f"# {ident}: {story}, messages {chunk.first} to {chunk.last}"
    text = f"---\n{head}---\n\n{heading}\n\n{body}"
    return text.replace("\n---\n", f"\nbuild: {_digest(text)}\n---\n", 1)


def parse_chunk_file(text: str) -> ChunkFile | None:
    """Return where a chunk's file comes from; None if it does not say so."""
    fields = atom_text.parse_frontmatter(text).fields
    story, span = fields.get("story"), _RANGE.fullmatch(str(fields.get("messages")))
    if not isinstance(story, str) or span is None:
        return None
    return ChunkFile(
        story,
        int(span[1]),
        int(span[2]),
        str(fields.get("date", "")),
        str(fields.get("analysis", "")),
        fields.get("build") != _digest(_UNCOUNTED.sub("", text)),
    )


def parse_first_number(value: object) -> int:
    """Return the number of the first message in the field `messages`; 0 if it has none."""
    span = _RANGE.fullmatch(str(value))
    return int(span[1]) if span else 0


def rename_story_in_file(text: str, old: str, new: str) -> str:
    """Return the file of a chunk, a scene or an arc of a story that has another name now.

    What a person has changed stays, and stays changed.
    """
    source = parse_chunk_file(text)
    renamed = atom_text.edit_frontmatter(text, {"story": new})
    if source is None or source.is_edited:
        return renamed
    renamed = renamed.replace(f": {old}, messages ", f": {new}, messages ", 1)
    build = _digest(_UNCOUNTED.sub("", renamed))
    return atom_text.edit_frontmatter(renamed, {"build": build})


def list_tags(value: object) -> tuple[str, ...]:
    """Return the emotions or flags in a field of a chunk."""
    return split_string_list(value) if isinstance(value, str | tuple) else ()


def _digest(text: str) -> str:
    return sha256(text.encode(errors="replace")).hexdigest()[:DIGEST_CHARS]


def _summarize(chunk: Chunk) -> str:
    first = chunk.messages[0]
    speaker = f"{first.speaker}: " if first.speaker else ""
    beginning = f"{speaker}{first.text[: MAX_SUMMARY_CHARS * 4]}"
    plain = truncate_line(remove_markup(beginning), MAX_SUMMARY_CHARS)
    return plain or "A message"


def _render_message(message: Message) -> str:
    """Return the code block of a message; its first line says whose it is."""
    text = message.text
    if len(text) > MAX_SHOWN_CHARS:
        left = len(text) - MAX_SHOWN_CHARS
        text = f"{text[:MAX_SHOWN_CHARS]}\n[{left} more characters are in the record]"
    runs = _BACKTICKS.findall(text)
    fence = "`" * max(3, *(len(run) + 1 for run in runs), 3)
    when = f", {message.time}" if message.time else ""
    return f"{fence}text\n{message.speaker or '-'} ({message.role}{when}):\n{text}\n{fence}\n"
