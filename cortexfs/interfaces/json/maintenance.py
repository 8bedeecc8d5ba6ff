"""Maintenance as JSON: what a tree needs, and what a run changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.text.sanitize import redact_secrets

if TYPE_CHECKING:
    from cortexfs.core.maintain.equal_memories import MemoryMerge, WeighedMemory
    from cortexfs.core.maintain.experiment_clusters import Cluster
    from cortexfs.core.maintain.maintenance_report import MaintenanceReport, ProposedStatus
    from cortexfs.core.maintain.merge_proposals import MergeProposal
    from cortexfs.core.maintain.similar_atoms import SimilarAtoms
    from cortexfs.core.maintain.unsupported_claims import UnsupportedClaim
    from cortexfs.interfaces.json.documents import maintenance as documents
    from cortexfs.operations.run_maintenance import MaintenanceRun


def to_maintenance_json(found: MaintenanceReport) -> documents.ProjectMaintenanceDocument:
    """Return the needs of one project, and the commands that meet them."""
    from cortexfs.core.maintain.suggestions import list_suggestions

    return {
        "project": found.project,
        "logged-days": found.logged_days,
        "unsupported-claims": list(map(_to_claim_json, found.unsupported_claims)),
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
        "successor-chains": list(map(list, found.successor_chains)),
        "cold": found.cold_refs,
        "archivable": [
            {"ref": each.ref, "path": each.path, "days": each.days, "importance": each.importance}
            for each in found.archivable_memories
        ],
        "similar": list(map(_to_similar_json, found.similar_atoms)),
        "suggestions": [
            {"type": each.category, "subject": each.subject, "command": each.command}
            for each in list_suggestions(found)
        ],
    }


def _to_claim_json(claim: UnsupportedClaim) -> documents.UnsupportedClaimDocument:
    return {
        "ref": claim.ref,
        "path": claim.path,
        "status": claim.status,
        "severity": claim.severity,
        "fallen": list(claim.unreliable_refs),
        "current": list(claim.valid_refs),
        "cause": claim.by,
    }


def _to_similar_json(pair: SimilarAtoms) -> documents.SimilarAtomsDocument:
    return {
        "older": pair.older,
        "newer": pair.newer,
        "similarity": pair.similarity,
        "differences": list(pair.differences),
    }


def _to_cluster_json(found: Cluster) -> documents.ClusterDocument:
    return {
        "members": list(found.refs),
        "shared-tags": list(found.tags),
        "patterns": list(found.patterns),
    }


def to_suggested_status_json(found: ProposedStatus) -> documents.SuggestedStatusDocument:
    """Return a change of status that follows from a rule alone."""
    document: documents.SuggestedStatusDocument = {
        "ref": found.ref,
        "path": found.path,
        "status": found.status,
        "reason": found.why,
    }
    if found.is_archival:
        document["archive"] = True
    return document


def to_memory_merge_json(found: MemoryMerge) -> documents.MemoryMergeFields:
    """Return the merge of memories with equal texts."""
    return {
        "kept": found.kept.record.ref,
        "importance": found.kept.importance,
        "merged": [
            {"ref": each.record.ref, "path": each.record.path, "importance": each.importance}
            for each in found.merged
        ],
    }


def to_maintenance_run_json(done: MaintenanceRun) -> documents.MaintenanceRunFields:
    """Return what a run changed, and what it left out."""
    document: documents.MaintenanceRunFields = {
        "marked": list(map(to_suggested_status_json, done.marks)),
        "merges": list(map(to_memory_merge_json, done.merges)),
    }
    if done.skipped_paths:
        document["skipped"] = list(done.skipped_paths)
    if done.restored_paths:
        document["restored"] = list(done.restored_paths)
    if done.report_path:
        document["report"] = done.report_path
    return document


def to_merge_proposal_json(found: MergeProposal) -> documents.MergeProposalDocument:
    """Return a proposal with both texts."""
    return {
        "id": found.id,
        "kind": found.kind,
        "similarity": found.pair.similarity,
        "found-by": found.pair.found_by,
        "differences": list(found.differences),
        "earlier": _to_memory_json(found.pair.earlier),
        "later": _to_memory_json(found.pair.later),
        "keeps": found.merge.kept.record.ref,
    }


def _to_memory_json(memory: WeighedMemory) -> documents.ProposedMemoryDocument:
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
