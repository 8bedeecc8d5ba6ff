"""What the routes that change tasks take as JSON."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from cortexfs.interfaces.rest.bodies import Refs
from cortexfs.interfaces.rest.parameters import Name

MAX_LOCK_MINUTES = 1440
"""Maximum minutes of a lock: a day."""

NewTaskBody = TypedDict(
    "NewTaskBody",
    {
        "project": Name,
        "text": str,
        "why": NotRequired[str],
        "done-when": NotRequired[str],
        "priority": NotRequired[Literal["high", "medium", "low"]],
        "template": NotRequired[Name],
        "plan": NotRequired[str],
        "depends-on": NotRequired[Refs],
        "parent": NotRequired[Name],
        "not-before": NotRequired[Name],
        "approval": NotRequired[bool],
        "owner": NotRequired[Name],
    },
)
"""A new task."""


class TaskBody(TypedDict, total=False):
    """Who changes a task, and in which project it is."""

    owner: Name
    project: Name


class ClaimBody(TaskBody, total=False):
    """Which task is claimed; without an id, the most urgent one that is ready."""

    id: Name


class UnclaimBody(TaskBody, total=False):
    """Whether the claim of another owner is cleared too."""

    force: bool


class BlockBody(TaskBody):
    """What blocks a task."""

    by: str


class FinishBody(TaskBody, total=False):
    """The result of a task."""

    note: str


TaskPartBody = TypedDict("TaskPartBody", {"text": str, "done-when": NotRequired[str]})
"""A part of a task."""


class SplitBody(TaskBody):
    """The parts of a task, in order."""

    parts: Annotated[list[TaskPartBody], Field(min_length=1, max_length=100)]


class LockBody(TypedDict):
    """Whose tasks are locked, for how many minutes, and why."""

    project: Name
    owner: NotRequired[Name]
    minutes: NotRequired[Annotated[int, Field(ge=1, le=MAX_LOCK_MINUTES)]]
    note: NotRequired[str]


class UnlockBody(TypedDict):
    """Whose tasks are unlocked; `force` clears the lock of another owner."""

    project: Name
    owner: NotRequired[Name]
    force: NotRequired[bool]
