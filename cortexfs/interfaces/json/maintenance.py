"""Maintenance as JSON: what a tree needs, and what a run changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.text.sanitize import redact_secrets

if TYPE_CHECKING:
    from cortexfs.core.maintain.equal_memories import MemoryMerge, WeighedMemory
    from cortexfs.core.maintain.experiment_clusters import Cluster
    from cortexfs.core.maintain.maintenance_report import MaintenanceReport, ProposedStatus
    from cortexfs.core.maintain.merge_proposals import MergeProposal
    from cortexfs.operations.run_maintenance import MaintenanceRun

    Document = dict[str, object]


def to_maintenance_json(found: MaintenanceReport) -> Document:
    """Return the needs of one project, and the commands that meet them."""
    from cortexfs.core.maintain.suggestions import list_suggestions

    return {
        "project": found.project,
        "logged-days": found.logged_days,
        "unsupported-claims": [
            {
                "ref": each.ref,
                "path": each.path,
                "status": each.status,
                "severity": each.severity,
                "fallen": each.unreliable_refs,
                "current": each.valid_refs,
                "cause": each.by,
            }
            for each in found.unsupported_claims
        ],
        "refuted": [
            {"ref": each.ref, "path": each.path, "by": each.by, "field": each.field}
            for each in found.refuted_experiments
        ],
        "unread": [
            {"ref": each.ref, "path": each.path, "days": each.days, "unlinked": each.is_unlinked}
            for each in found.unread_atoms
        ],
        "tag-clusters": list(map(_to_cluster_json, found.tag_clusters)),
        "link-clusters": list(map(_to_cluster_json, found.link_clusters)),
        "successor-chains": found.successor_chains,
        "cold": found.cold_refs,
        "archivable": [
            {"ref": each.ref, "path": each.path, "days": each.days, "importance": each.importance}
            for each in found.archivable_memories
        ],
        "similar": [
            {
                "older": each.older,
                "newer": each.newer,
                "similarity": each.similarity,
                "differences": each.differences,
            }
            for each in found.similar_atoms
        ],
        "suggestions": [
            {"type": each.category, "subject": each.subject, "command": each.command}
            for each in list_suggestions(found)
        ],
    }


def _to_cluster_json(found: Cluster) -> Document:
    return {"members": found.refs, "shared-tags": found.tags, "patterns": found.patterns}


def to_suggested_status_json(found: ProposedStatus) -> Document:
    """Return a change of status that follows from a rule alone."""
    change: Document = {"ref": found.ref, "path": found.path, "status": found.status}
    return change | {"reason": found.why} | ({"archive": True} if found.is_archival else {})


def to_memory_merge_json(found: MemoryMerge) -> Document:
    """Return the merge of memories with equal texts."""
    return {
        "kept": found.kept.record.ref,
        "importance": found.kept.importance,
        "merged": [
            {"ref": each.record.ref, "path": each.record.path, "importance": each.importance}
            for each in found.merged
        ],
    }


def to_maintenance_run_json(done: MaintenanceRun) -> Document:
    """Return what a run changed, and what it left out."""
    return {
        "marked": list(map(to_suggested_status_json, done.marks)),
        "merges": list(map(to_memory_merge_json, done.merges)),
        "skipped": done.skipped_paths or None,
        "restored": list(done.restored_paths) or None,
        "report": done.report_path or None,
    }


def to_merge_proposal_json(found: MergeProposal) -> Document:
    """Return a proposal with both texts."""
    return {
        "id": found.id,
        "kind": found.kind,
        "similarity": found.pair.similarity,
        "found-by": found.pair.found_by,
        "differences": found.differences,
        "earlier": _to_memory_json(found.pair.earlier),
        "later": _to_memory_json(found.pair.later),
        "keeps": found.merge.kept.record.ref,
    }


def _to_memory_json(memory: WeighedMemory) -> Document:
    record = memory.record
    return {
        "ref": record.ref,
        "path": record.path,
        "type": record.type,
        "created": record.created,
        "importance": memory.importance,
        "title": redact_secrets(record.title),
        "content": redact_secrets(record.content),
    }
