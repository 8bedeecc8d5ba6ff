"""The state of a tree as JSON: findings, indexes, statistics, the installation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.checks.finding_codes import get_hint, get_severity
from cortexfs.core.text.sanitize import redact_secrets

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.changes.plan import IndexPlan
    from cortexfs.core.fresh_session.score import CriterionScore, FreshSessionScore
    from cortexfs.interfaces.json.documents import tree_state as documents
    from cortexfs.operations.shared.doctor_check import DoctorCheck
    from cortexfs.operations.stats import TreeStats


def to_finding_json(found: Finding) -> documents.FindingDocument:
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


def to_index_json(planned: IndexPlan) -> documents.IndexDocument:
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


def to_fresh_session_json(found: FreshSessionScore) -> documents.FreshSessionFields:
    """Return the score of one project, its criteria, and the pages that were read."""
    return {
        "project": found.project,
        "score": found.score,
        "criteria": list(map(_to_criterion_json, found.criteria)),
        "pages": [
            {"path": read.path, "tokens": read.tokens, "cut": read.is_cut} for read in found.reads
        ],
        "tokens": found.tokens,
    }


def _to_criterion_json(part: CriterionScore) -> documents.FreshCriterionDocument:
    document: documents.FreshCriterionDocument = {
        "name": part.name,
        "weight": part.weight,
        "points": part.points,
    }
    if part.found_at:
        document["found-in"] = part.found_at
    if part.missing:
        document["missing"] = part.missing
    return document


def to_installation_check_json(check: DoctorCheck) -> documents.InstallationCheckDocument:
    """Return one check of the installation, and the command that fixes it."""
    document: documents.InstallationCheckDocument = {
        "name": check.subject,
        "ok": check.passed,
        "message": check.result,
    }
    return {**document, "fix": check.fix} if check.fix else document


def to_statistics_json(found: TreeStats) -> documents.StatisticsFields:
    """Return the figures of a tree; sizes are in bytes."""
    return {
        "atoms": found.atoms,
        "kinds": dict(found.kinds),
        "statuses": dict(found.statuses),
        "projects": dict(found.projects),
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
