"""The state of a tree as JSON: findings, indexes, statistics, the installation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.checks.finding_codes import get_hint, get_severity
from cortexfs.core.text.sanitize import redact_secrets

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.changes.plan import IndexPlan
    from cortexfs.core.fresh_session.score import FreshSessionScore
    from cortexfs.operations.shared.doctor_check import DoctorCheck
    from cortexfs.operations.stats import TreeStats

    Document = dict[str, object]


def to_finding_json(found: Finding) -> Document:
    """Return one finding with its severity and hint."""
    return {
        "code": found.code,
        "severity": get_severity(found.code),
        "path": redact_secrets(found.path),
        "line": found.line,
        "column": found.column,
        "message": redact_secrets(found.message),
        "hint": get_hint(found.code),
    }


def to_index_json(planned: IndexPlan) -> Document:
    """Return one index: whether it changed, and how many atoms each section has."""
    counts = planned.counts
    return {
        "path": planned.path,
        "changed": planned.write is not None,
        "active": counts.active,
        "superseded": counts.superseded,
        "invalidated": counts.invalidated,
        "unreadable": counts.unreadable,
    }


def to_fresh_session_json(found: FreshSessionScore) -> Document:
    """Return the score of one project, its criteria, and the pages that were read."""
    criteria = [
        {"name": part.name, "weight": part.weight, "points": part.points}
        | ({"found-in": part.found_at} if part.found_at else {})
        | ({"missing": part.missing} if part.missing else {})
        for part in found.criteria
    ]
    pages = [{"path": read.path, "tokens": read.tokens, "cut": read.is_cut} for read in found.reads]
    return {
        "project": found.project,
        "score": found.score,
        "criteria": criteria,
        "pages": pages,
        "tokens": found.tokens,
    }


def to_installation_check_json(check: DoctorCheck) -> Document:
    """Return one check of the installation, and the command that fixes it."""
    document: Document = {"name": check.subject, "ok": check.passed, "message": check.result}
    return {**document, "fix": check.fix} if check.fix else document


def to_statistics_json(found: TreeStats) -> Document:
    """Return the figures of a tree; sizes are in bytes."""
    return {
        "atoms": found.atoms,
        "kinds": found.kinds,
        "statuses": found.statuses,
        "projects": found.projects,
        "reads": found.reads,
        "recent-reads": found.recent_reads,
        "hot": found.hot,
        "cold": found.cold,
        "open-tasks": found.open_tasks,
        "unreadable": found.unreadable,
        "files": found.files,
        "tree-bytes": found.tree_bytes,
        "catalog-bytes": found.catalog_bytes,
    }
