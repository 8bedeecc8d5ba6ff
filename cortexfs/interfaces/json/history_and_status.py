"""Changes as JSON: of status, of text, of history."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.interfaces.json.atoms import to_commit_json

if TYPE_CHECKING:
    from cortexfs.operations.decision import SettledDecision
    from cortexfs.operations.diff import AtomDiff
    from cortexfs.operations.log import LogEntry
    from cortexfs.operations.mark import MarkResult
    from cortexfs.operations.restore import RestoredAtom

    Document = dict[str, object]


def to_log_entry_json(found: LogEntry) -> Document:
    """Return one commit, the refs it touched, and the number of other files."""
    document: Document = {
        **to_commit_json(found.commit),
        "changed-refs": found.refs,
        "other-files": found.other_paths,
    }
    if found.moved_from:
        document["moved-from"] = found.moved_from
    if found.status:
        before, after = found.status
        document["status-change"] = {"before": before, "after": after}
    return document


def to_diff_json(found: AtomDiff, text: str) -> Document:
    """Return the unified diff of an atom, and the commits of its two sides."""
    document: Document = {"ref": found.ref, "path": found.path, "diff": text}
    if found.old_path != found.path:
        document["earlier-path"] = found.old_path
    commits = {"since": found.since, "by": found.by}
    return document | {key: to_commit_json(each) for key, each in commits.items() if each}


def to_status_change_json(done: MarkResult) -> Document:
    """Return a change of status, what changed with it, and the files that were skipped."""
    about = {"ref": done.ref, "path": done.path, "status": done.status}
    changed = [
        {"ref": touch.ref, "path": touch.write.path, "change": touch.summary}
        for touch in done.changes.file_changes
    ]
    skipped = [{"path": path, "reason": why} for path, why in done.changes.left_out.items()]
    return {"marked": about, "affected": changed, "skipped": skipped}


def to_settled_decision_json(done: SettledDecision) -> Document:
    """Return the new status of a decision, and what changed with it."""
    about = {"ref": done.ref, "path": done.path, "status": done.status}
    changed = [
        {"ref": touch.ref, "path": touch.write.path, "change": touch.summary}
        for touch in done.file_changes
    ]
    return {"decided": about, "affected": changed}


def to_restored_atom_json(done: RestoredAtom) -> Document:
    """Return a restored atom, and the atoms that its tombstone had challenged."""
    about = {"ref": done.ref, "path": done.path, "status": done.status, "from": done.source_commit}
    return {"restored": about, "challenged": done.challenged}
