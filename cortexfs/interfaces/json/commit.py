"""A commit of changes made by hand, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.text.sanitize import redact_secrets
from cortexfs.interfaces.json.tree_state import to_finding_json

if TYPE_CHECKING:
    from cortexfs.interfaces.json.documents.changes import CommittedFields
    from cortexfs.operations.commit import CommitReport


def to_commit_report_json(done: CommitReport) -> CommittedFields:
    """Return the committed files, or those that wait: for a dry run, or because git is busy."""
    reason = done.outcome.uncommitted_reason if done.outcome else ""
    is_pending = done.outcome is None or bool(reason)
    document: CommittedFields = {
        "committed": [] if is_pending else list(done.paths),
        "held-back": list(map(redact_secrets, done.held_back)),
        "findings": list(map(to_finding_json, done.findings)),
    }
    if is_pending and done.paths:
        document["pending"] = list(done.paths)
    if reason:
        document["waiting"] = reason
    if done.leftovers:
        document["skipped"] = list(done.leftovers)
    if done.paths:
        document["message"] = done.message
    return document
