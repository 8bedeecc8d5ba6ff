"""Changes as JSON: of status, of text, of history."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.interfaces.json.atoms import to_commit_json

if TYPE_CHECKING:
    from cortexfs.core.status_change.status_change import FileChange
    from cortexfs.interfaces.json.documents import changes as documents
    from cortexfs.operations.decision import SettledDecision
    from cortexfs.operations.diff import AtomDiff
    from cortexfs.operations.log import LogEntry
    from cortexfs.operations.mark import MarkResult
    from cortexfs.operations.restore import RestoredAtom


def to_log_entry_json(found: LogEntry) -> documents.LogEntryDocument:
    """Return one commit, the refs it touched, and the number of other files."""
    document: documents.LogEntryDocument = {
        **to_commit_json(found.commit),  # type: ignore[typeddict-item] # the keys that may follow
        "changed-refs": list(found.refs),
        "other-files": list(found.other_paths),
    }
    if found.moved_from:
        document["moved-from"] = found.moved_from
    if found.status:
        before, after = found.status
        document["status-change"] = {"before": before, "after": after}
    return document


def to_diff_json(found: AtomDiff, text: str) -> documents.DiffFields:
    """Return the unified diff of an atom, and the commits of its two sides."""
    document: documents.DiffFields = {"ref": found.ref, "path": found.path, "diff": text}
    if found.old_path != found.path:
        document["earlier-path"] = found.old_path
    if found.since:
        document["since"] = to_commit_json(found.since)
    if found.by:
        document["by"] = to_commit_json(found.by)
    return document


def to_status_change_json(done: MarkResult) -> documents.MarkFields:
    """Return a change of status, what changed with it, and the files that were skipped."""
    return {
        "marked": {"ref": done.ref, "path": done.path, "status": done.status},
        "affected": list(map(_to_affected_json, done.changes.file_changes)),
        "skipped": [{"path": path, "reason": why} for path, why in done.changes.left_out.items()],
    }


def to_settled_decision_json(done: SettledDecision) -> documents.DecidedFields:
    """Return the new status of a decision, and what changed with it."""
    return {
        "decided": {"ref": done.ref, "path": done.path, "status": done.status},
        "affected": list(map(_to_affected_json, done.file_changes)),
    }


def _to_affected_json(change: FileChange) -> documents.AffectedAtomDocument:
    return {"ref": change.ref, "path": change.write.path, "change": change.summary}


def to_restored_atom_json(done: RestoredAtom) -> documents.RestoredFields:
    """Return a restored atom, and the atoms that its tombstone had challenged."""
    return {
        "restored": {
            "ref": done.ref,
            "path": done.path,
            "status": done.status,
            "from": done.source_commit,
        },
        "challenged": list(done.challenged),
    }
