"""What the routes for stories take as JSON."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from cortexfs.core.settings.story_settings import Formatter
from cortexfs.core.stories.correction import Correction
from cortexfs.core.stories.message import Message
from cortexfs.core.stories.transcripts.transcript import USER, TranscriptFormat
from cortexfs.interfaces.rest.parameters import MAX_QUERY_CHARS, MAX_RESULTS, Name

MAX_VISIBLE, MAX_BUDGET = 1_000_000, 1_000_000
StoryText = Annotated[str, Field(min_length=1)]


class SaidBody(TypedDict):
    """A message: who says it, and what; without a role the name decides."""

    speaker: Name
    text: StoryText
    role: NotRequired[Literal["user", "assistant", "system"]]


SaidBodies = Annotated[list[SaidBody], Field(max_length=MAX_RESULTS)]
Question = Annotated[str, Field(max_length=MAX_QUERY_CHARS)]
Visible = Annotated[int, Field(ge=0, le=MAX_VISIBLE)]


class TranscriptBody(TypedDict):
    """A transcript; without a format it is recognized, without a name its title names the story."""

    text: StoryText
    name: NotRequired[Name]
    title: NotRequired[Name]
    format: NotRequired[TranscriptFormat]


class RenderBody(TypedDict):
    """A template with macros, for what is recalled, and how; without `format` as the settings say.

    `budget` is the maximum number of tokens that all macros bring together.
    """

    template: StoryText
    question: NotRequired[Question]
    messages: NotRequired[SaidBodies]
    visible: NotRequired[Visible]
    budget: NotRequired[Annotated[int, Field(ge=0, le=MAX_BUDGET)]]
    format: NotRequired[Formatter]


class CorrectionBody(TypedDict):
    """What to correct: of which item, to which value."""

    change: Correction
    item: NotRequired[Question]
    value: NotRequired[Question]


RecallBody = TypedDict(
    "RecallBody",
    {
        "question": NotRequired[Question],
        "messages": NotRequired[SaidBodies],
        "limit": NotRequired[Annotated[int, Field(ge=0, le=MAX_RESULTS)]],
        "visible": NotRequired[Visible],
        "count-reads": NotRequired[bool],
    },
)
"""What was said last, oldest first, or a question; the last `visible` messages are not recalled."""


def read_said(body: SaidBody) -> Message:
    """Return a message as it was sent."""
    return Message("", "", body["speaker"], body.get("role", ""), body["text"])


def read_recalled_for(body: RecallBody | RenderBody) -> tuple[Message, ...]:
    """Return for what is recalled; a question is a message without a speaker."""
    question = body.get("question", "")
    asked = [Message("", "", "", USER, question)] if question else []
    return (*map(read_said, body.get("messages", [])), *asked)
