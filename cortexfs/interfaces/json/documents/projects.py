"""Projects and their governance files, tasks, preferences and scan reports."""

from __future__ import annotations

from typing import NotRequired

from pydantic import ConfigDict
from typing_extensions import TypedDict

from cortexfs.interfaces.json.documents.tree_state import FindingDocument


class ProjectDocument(TypedDict):
    """A project, its atoms by kind, and its reads."""

    name: str
    atoms: dict[str, int]
    refs: int
    latest: NotRequired[str]
    archived: NotRequired[bool]


class ProjectListDocument(TypedDict):
    """All projects."""

    format: int
    projects: list[ProjectDocument]


class ShownProjectDocument(TypedDict):
    """A project and its STATUS.md."""

    format: int
    project: ProjectDocument
    content: str


class NewProjectFields(TypedDict):
    """The name and folder of a new project."""

    project: str
    path: str


class CreatedProjectDocument(TypedDict):
    """A new project."""

    format: int
    created: NewProjectFields
    commit: NotRequired[str]


class GovernanceChangeDocument(TypedDict):
    """A change of a governance file."""

    format: int
    path: str
    changed: bool
    message: str
    commit: NotRequired[str]


class StatusFileDocument(TypedDict):
    """STATUS.md, and its sections."""

    format: int
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


class ChecklistFileDocument(TypedDict):
    """mission.md or roadmap.md, and its items."""

    format: int
    project: str
    items: list[ChecklistItemDocument]
    content: str


class IssueDocument(TypedDict):
    """One issue of a project."""

    number: int
    title: str
    date: NotRequired[str]
    content: str


class IssueListDocument(TypedDict):
    """The issues of a project."""

    format: int
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


class TaskListDocument(TypedDict):
    """Tasks, those that can be claimed first."""

    format: int
    tasks: list[TaskDocument]
    findings: NotRequired[list[FindingDocument]]


class ChangedTasksDocument(TypedDict):
    """The tasks that a change was about."""

    format: int
    tasks: list[TaskDocument]
    notes: NotRequired[list[str]]
    evidence: NotRequired[str]
    commit: NotRequired[str]


class PreferenceDocument(TypedDict):
    """One preference of the user."""

    section: str
    key: str
    value: str


class UserDocument(TypedDict):
    """USER.md, and the preferences in it."""

    format: int
    preferences: list[PreferenceDocument]
    content: str


class ScanReportDocument(TypedDict):
    """One scan report."""

    date: str
    path: str
    scope: NotRequired[str]


class ScanListDocument(TypedDict):
    """The scan reports, newest first."""

    format: int
    scans: list[ScanReportDocument]
