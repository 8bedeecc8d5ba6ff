"""What the routes of the original take as JSON."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from cortexfs.interfaces.rest.parameters import Name


class NewObservationBody(TypedDict):
    """A memory to save."""

    title: str
    content: str
    type: NotRequired[Name]
    session_id: NotRequired[Name]
    project: NotRequired[Name]
    scope: NotRequired[Literal["project", "personal"]]
    topic_key: NotRequired[Name]


class ChangedObservationBody(TypedDict, total=False):
    """The fields of a memory that change."""

    title: str
    content: str
    type: Name
    project: Name
    scope: Literal["project", "personal"]
    topic_key: Name


class NewSessionBody(TypedDict):
    """A session of an agent that has begun."""

    id: Name
    project: Name
    directory: NotRequired[Name]


class EndSessionBody(TypedDict, total=False):
    """What was done in a session."""

    summary: str


class NewEdgeBody(TypedDict):
    """A relation between two memories."""

    from_id: int
    to_id: int
    relation_type: str
    weight: NotRequired[float]


class NewPromptBody(TypedDict):
    """A prompt that a person typed."""

    content: str
    session_id: NotRequired[Name]
    project: NotRequired[Name]


class PassiveBody(TypedDict):
    """An output with a section of learnings."""

    content: str
    session_id: NotRequired[Name]
    project: NotRequired[Name]
    source: NotRequired[Name]


class ChatBody(TypedDict):
    """A message to the cortex; this server has one agent, whatever the body names."""

    message: str
    agent_id: NotRequired[Name]
    thread_id: NotRequired[Name]
    channel_id: NotRequired[Name]


ImportBody = dict[str, Any]
"""An export of this program, of engram or of Cortex."""
