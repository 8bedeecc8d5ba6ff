"""What the routes that change something take as JSON."""

from __future__ import annotations

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from cortexfs.core.bridge.parse_client_memories import MemoryClient
from cortexfs.interfaces.rest.parameters import Name

Refs = Annotated[list[Name], Field(max_length=100)]
Texts = Annotated[list[str], Field(max_length=100)]
FieldValues = Annotated[dict[Name, str], Field(max_length=100)]

NewAtomBody = TypedDict(
    "NewAtomBody",
    {
        "kind": Name,
        "project": NotRequired[Name],
        "summary": str,
        "tags": NotRequired[Refs],
        "evidence": NotRequired[Refs],
        "source-experiments": NotRequired[Refs],
        "links": NotRequired[Refs],
        "fields": NotRequired[FieldValues],
        "body": NotRequired[str],
    },
)
"""A new atom; the body is that of its kind's template if there is none."""


class AtomTextBody(TypedDict):
    """The whole text of an atom, frontmatter included; or its body alone."""

    text: str


AtomFieldsBody = TypedDict(
    "AtomFieldsBody",
    {
        "summary": NotRequired[str],
        "fields": NotRequired[FieldValues],
        "add-tags": NotRequired[Refs],
        "remove-tags": NotRequired[Refs],
    },
)
"""Fields of an atom; an empty value removes one."""


class MarkBody(TypedDict):
    """A new status, or the evidence that was reviewed."""

    status: NotRequired[Name]
    by: NotRequired[Name]
    reason: NotRequired[str]
    reviewed: NotRequired[Refs]


class MoveBody(TypedDict):
    """The project to which an atom moves."""

    project: Name


class RenameBody(TypedDict):
    """A new id, or a new name."""

    to: Name


class RestoreBody(TypedDict, total=False):
    """The commit or day whose text comes back; without it, the last text before a removal."""

    at: Name


class UndoBody(TypedDict, total=False):
    """The commit to undo; without it, the last change."""

    commit: Name


class RenameTagBody(TypedDict):
    """A tag before and after."""

    old: Name
    new: Name
    projects: NotRequired[Refs]


class ReasonBody(TypedDict, total=False):
    """Why something is done."""

    reason: str


class SupersedeBody(TypedDict):
    """The later decision."""

    by: Name
    reason: NotRequired[str]


class PromoteBody(TypedDict):
    """The project that is made of an idea."""

    project: Name
    goal: NotRequired[str]


class NewProjectBody(TypedDict):
    """A new project."""

    name: Name
    goal: str


class StatusBody(TypedDict, total=False):
    """Sections of STATUS.md; one that is not given stays as it is."""

    phase: str
    progress: Texts
    blockers: Texts
    next: Texts


class FileTextBody(TypedDict):
    """The whole text of a file."""

    text: str


class MissionBody(TypedDict):
    """The whole text of mission.md, and whether the user approved it."""

    text: str
    approved: bool


class NewIssueBody(TypedDict):
    """A problem; the first sentence of `text` becomes the title."""

    text: str
    problem: NotRequired[str]
    when: NotRequired[str]
    investigation: NotRequired[str]


class RoadmapItemsBody(TypedDict):
    """Items for a milestone; a missing phase or milestone is made."""

    phase: str
    milestone: NotRequired[str]
    items: Texts


class ItemBody(TypedDict):
    """The number of an item, or words of it."""

    item: Name


class CommitBody(TypedDict, total=False):
    """Paths below the root, without which all changes are committed, and the message."""

    paths: Refs
    message: Annotated[str, Field(max_length=2000)]


class ProjectBody(TypedDict, total=False):
    """The project that a change is about; without it, all."""

    project: Name


class BridgeBody(TypedDict, total=False):
    """Whose memories are imported, by default those of all clients, and into which project."""

    clients: list[MemoryClient]
    project: Name


class PreferenceBody(TypedDict):
    """A preference of the user."""

    key: Name
    value: str
    section: NotRequired[Name]


class ScanBody(TypedDict):
    """A scan report."""

    text: str
    scope: NotRequired[str]


class ProjectsBody(TypedDict, total=False):
    """The projects that a change is about; without them, all."""

    projects: Refs


class AcceptBody(TypedDict, total=False):
    """The memory that stays."""

    keep: Name
