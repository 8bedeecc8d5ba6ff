"""The state of a tree: findings, statistics, processes, bulletins."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from cortexfs.interfaces.json.documents.document import ChangeDocument, Document


class FindingDocument(TypedDict):
    """One finding of a check."""

    code: str
    severity: str
    path: str
    line: int
    column: int
    message: str
    hint: str


class CheckDocument(Document):
    """The findings of a check, and their number."""

    findings: list[FindingDocument]
    errors: int
    warnings: int
    next: NotRequired[str]


class FixedDocument(ChangeDocument):
    """The files that were fixed."""

    fixed: list[str]


StatisticsFields = TypedDict(
    "StatisticsFields",
    {
        "atoms": int,
        "kinds": dict[str, int],
        "statuses": dict[str, int],
        "projects": dict[str, int],
        "reads": int,
        "recent-reads": int,
        "hot": int,
        "cold": int,
        "open-tasks": int,
        "unreadable": int,
        "files": int,
        "tree-bytes": int,
        "catalog-bytes": int,
    },
)


class StatisticsDocument(Document):
    """The figures of a tree; sizes are in bytes."""

    stats: StatisticsFields


class InstallationCheckDocument(TypedDict):
    """One check of the installation, and the command that fixes it."""

    name: str
    ok: bool
    message: str
    fix: NotRequired[str]


class DoctorDocument(Document):
    """The state of the installation."""

    checks: list[InstallationCheckDocument]


ProcessDocument = TypedDict(
    "ProcessDocument",
    {
        "type": NotRequired[str],
        "session": NotRequired[str],
        "agent": NotRequired[str],
        "client": NotRequired[str],
        "project": NotRequired[str],
        "started": NotRequired[str],
        "last-seen": NotRequired[str],
        "state": NotRequired[str],
        "flagged": NotRequired[str],
        "text": NotRequired[str],
    },
)


class ProcessListDocument(Document):
    """What runs: sessions of agents, sub-agents, background tasks."""

    processes: list[ProcessDocument]


class BulletinLineDocument(TypedDict):
    """One line of a bulletin, and its source."""

    source: str
    date: str
    text: NotRequired[str]


class BulletinSectionDocument(TypedDict):
    """One section of a bulletin; `total` counts the lines that were left out too."""

    name: str
    title: str
    total: int
    lines: list[BulletinLineDocument]


class BriefFields(TypedDict):
    """What a session should know at its start."""

    project: NotRequired[str]
    budget: int
    unit: str
    length: int
    text: str
    sections: list[BulletinSectionDocument]


class BriefDocument(Document):
    """A bulletin."""

    brief: BriefFields


FreshCriterionDocument = TypedDict(
    "FreshCriterionDocument",
    {
        "name": str,
        "weight": int,
        "points": float,
        "found-in": NotRequired[str],
        "missing": NotRequired[str],
    },
)


class FreshPageDocument(TypedDict):
    """A page that a fresh session reads."""

    path: str
    tokens: int
    cut: bool


class FreshSessionFields(TypedDict):
    """The score of one project in the Fresh Session Test."""

    project: str
    score: float
    criteria: list[FreshCriterionDocument]
    pages: list[FreshPageDocument]
    tokens: int


class FreshSessionDocument(Document):
    """How well a fresh session finds its way in a project."""

    fresh: list[FreshSessionFields]


class RotatedDocument(ChangeDocument):
    """The log files that past months were moved to."""

    rotated: list[str]


class IndexDocument(TypedDict):
    """One index: whether it changed, and how many atoms each section has."""

    path: str
    changed: bool
    active: int
    superseded: int
    invalidated: int
    unreadable: int


class IndexesDocument(ChangeDocument):
    """The indexes that were rendered."""

    indexes: list[IndexDocument]
