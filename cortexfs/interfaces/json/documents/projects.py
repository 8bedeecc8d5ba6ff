"""Projects and their governance files, tasks, preferences and scan reports."""

from __future__ import annotations

from typing import NotRequired

from pydantic import ConfigDict
from typing_extensions import TypedDict

from cortexfs.interfaces.json.documents.document import ChangeDocument, Document
from cortexfs.interfaces.json.documents.tree_state import FindingDocument


class ProjectDocument(TypedDict):
    """A project, its atoms by kind, and its reads."""

    name: str
    atoms: dict[str, int]
    refs: int
    latest: NotRequired[str]
    archived: NotRequired[bool]


class ProjectListDocument(Document):
    """All projects."""

    projects: list[ProjectDocument]


class ShownProjectDocument(Document):
    """A project and its STATUS.md."""

    project: ProjectDocument
    content: str


class NewProjectFields(TypedDict):
    """The name and folder of a new project."""

    project: str
    path: str


class CreatedProjectDocument(ChangeDocument):
    """A new project."""

    created: NewProjectFields


class GovernanceChangeFields(TypedDict):
    """The path of a governance file, and what changed."""

    path: str
    changed: bool
    message: str


class GovernanceChangeDocument(GovernanceChangeFields, ChangeDocument):
    """A change of a governance file."""


class StatusFileDocument(Document):
    """STATUS.md, and its sections."""

    project: str
    sections: dict[str, str]
    content: str


class ChecklistItemDocument(TypedDict):
    """One item of a checklist."""

    number: int
    done: bool
    text: str
    phase: NotRequired[str]
    milestone: NotRequired[str]


class ChecklistFileDocument(Document):
    """mission.md or roadmap.md, and its items."""

    project: str
    items: list[ChecklistItemDocument]
    content: str


class IssueDocument(TypedDict):
    """One issue of a project."""

    number: int
    title: str
    date: NotRequired[str]
    content: str


class IssueListDocument(Document):
    """The issues of a project."""

    project: str
    issues: list[IssueDocument]


class TaskDocument(TypedDict):
    """One task: its fields as typed, its place, and its state."""

    __pydantic_config__ = ConfigDict(extra="allow")  # type: ignore[misc]

    id: str
    project: str
    path: str
    line: int
    state: NotRequired[str]
    reason: NotRequired[str]


class TaskListDocument(Document):
    """Tasks, those that can be claimed first."""

    tasks: list[TaskDocument]
    findings: NotRequired[list[FindingDocument]]


class ChangedTasksDocument(ChangeDocument):
    """The tasks that a change was about."""

    tasks: list[TaskDocument]
    notes: NotRequired[list[str]]
    evidence: NotRequired[str]


class PreferenceDocument(TypedDict):
    """One preference of the user."""

    section: str
    key: str
    value: str


class UserDocument(Document):
    """USER.md, and the preferences in it."""

    preferences: list[PreferenceDocument]
    content: str


class ScanReportDocument(TypedDict):
    """One scan report."""

    date: str
    path: str
    scope: NotRequired[str]


class ScanListDocument(Document):
    """The scan reports, newest first."""

    scans: list[ScanReportDocument]
