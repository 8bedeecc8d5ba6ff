"""Atoms as JSON: listed, found, shown, created."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from cortexfs.core.text.sanitize import redact_secrets

if TYPE_CHECKING:
    from cortexfs.core.find.search_notes import SearchNotes
    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.interfaces.json.documents import atoms as documents
    from cortexfs.interfaces.json.documents import found_atoms
    from cortexfs.operations.access_log_reports import ProjectAccessEvent
    from cortexfs.operations.decision import ShownDecision
    from cortexfs.operations.find import PageHit, SearchHit
    from cortexfs.operations.new_atom import CreatedAtom
    from cortexfs.operations.show import PastAtom, ShownAtom
    from cortexfs.session.annotation_types import CommitSummary


def to_atom_json(entry: AtomWithReads) -> documents.AtomDocument:
    """Return one atom: its frontmatter as typed, and its reads as `refs` and `last-ref`."""
    fields = {key: value for key, value in entry.atom.fields.items() if value not in ("", ())}
    if tags := entry.atom.list_field("tags"):
        fields["tags"] = tags
    document: dict[str, Any] = {
        "ref": entry.atom.ref,
        "kind": entry.atom.kind,
        "path": entry.atom.path,
        **fields,
        "status": str(entry.status),
        "refs": entry.reads.read_count,
    }
    document.pop("last-ref", None)
    if entry.reads.last_read:
        document["last-ref"] = entry.reads.last_read
    return cast("documents.AtomDocument", document)


def to_found_atom_json(hit: SearchHit, *, explain: bool = False) -> found_atoms.FoundAtomDocument:
    """Return a search result: the atom, the part that matches, and its score.

    `highlights` are [start, end] offsets in `snippet`.
    """
    known, part = hit.match.atom, hit.snippet
    document: found_atoms.FoundAtomDocument = {
        "ref": known.ref,
        "kind": known.kind,
        "path": known.path,
        "status": known.status,
        "summary": known.summary,
        "refs": known.read_count,
        "score": round(hit.match.score, 4),
        "section": part.section,
        "snippet": part.text,
        "highlights": list(part.marks),
    }
    if explain:
        document["explanation"] = _to_explanation_json(hit)
    return document


def _to_explanation_json(hit: SearchHit) -> found_atoms.ExplanationDocument:
    factors = {name: round(value, 4) for name, value in hit.match.factors.items()}
    document: found_atoms.ExplanationDocument = {
        "relevance": round(hit.match.own_score, 4),
        "factors": factors,
    }
    if fit := hit.match.fused:
        document["lexical-score"] = round(fit.text_score, 4)
        if hit.match.context:
            document["context"] = round(1 + hit.match.context, 4)
        if fit.similarity is not None:
            document["similarity"] = round(fit.similarity, 4)
    return document


def to_found_page_json(hit: PageHit) -> found_atoms.FoundPageDocument:
    """Return a governance file or note that matches: its path, and the part that matches."""
    part = hit.snippet
    return {
        "path": hit.match.path,
        "project": hit.match.project,
        "score": round(hit.match.score, 4),
        "section": part.section,
        "snippet": part.text,
        "highlights": list(part.marks),
    }


def to_search_notes_json(notes: SearchNotes) -> found_atoms.SearchNotes:
    """Return what a search says beside its results; no key where there is nothing to say."""
    document: found_atoms.SearchNotes = {}
    if notes.corrections:
        document["corrections"] = [
            {"typed": each.typed, "searched": list(each.searched), "others": list(each.others)}
            for each in notes.corrections
        ]
    if notes.excluded:
        document["excluded"] = [
            {"text": each.text, "matches": each.removed} for each in notes.excluded
        ]
    if notes.is_shortened:
        document["shortened"] = True
    return document


def to_shown_atom_json(found: ShownAtom) -> documents.ShownAtomFields:
    """Return an atom with its content, its backlinks and its history."""
    name: documents.AtomNameDocument = {"ref": found.ref, "path": found.path}
    document: documents.ShownAtomFields = {
        "atom": to_atom_json(found.entry) if found.entry else name,
        "content": found.text,
        "backlinks": list(found.backlinks),
        "entities": [{"type": sort, "name": name} for sort, name in found.entities],
        "history": [to_commit_json(each) for each in found.commits],
    }
    if found.changed_citations:
        document["changed-citations"] = [
            {"line": flaw.line, "message": flaw.message} for flaw in found.changed_citations
        ]
    return document


def to_shown_decision_json(found: ShownDecision) -> documents.ShownDecisionFields:
    """Return a decision like `shown_atom`, its alternatives, and whether it was edited later."""
    document: documents.ShownDecisionFields = {
        **to_shown_atom_json(found.shown),  # type: ignore[typeddict-item] # the keys that may follow
        "alternatives": list(found.alternatives),
    }
    if found.acceptance:
        line = found.acceptance.changed_line
        accepted: documents.AcceptedDocument = {
            **to_commit_json(found.acceptance.commit),  # type: ignore[typeddict-item] # the keys that may follow
            "edited-since": bool(line),
        }
        if line:
            accepted["line"] = line
        document["accepted"] = accepted
    return document


def to_revision_json(found: PastAtom) -> documents.PastAtomFields:
    """Return an atom as it was at a commit."""
    about: documents.AtomNameDocument = {"ref": found.ref, "path": found.path}
    return {"atom": about, "content": found.text, "revision": to_commit_json(found.commit)}


def to_created_atom_json(created: CreatedAtom) -> documents.CreatedAtomFields:
    """Return a new atom's ref and path, and its near-duplicates, if any."""
    document: documents.CreatedAtomFields = {"ref": created.ref, "path": created.path}
    if created.near_duplicates:
        document["near-duplicates"] = [
            {"ref": each.ref, "summary": each.summary, "similarity": each.similarity}
            for each in created.near_duplicates
        ]
    return document


def to_access_event_json(found: ProjectAccessEvent) -> documents.AccessEventDocument:
    """Return one line of an access log, with its project."""
    event = found.event
    document: documents.AccessEventDocument = {
        "project": found.project,
        "file": event.file,
        "ts": event.ts,
    }
    if event.tool:
        document["tool"] = event.tool
    if event.session:
        document["session"] = event.session
    if event.note:
        document["note"] = event.note
    return document


def to_commit_json(found: CommitSummary) -> documents.CommitDocument:
    """Return one commit: id, time (ISO 8601), author and subject."""
    return {
        "commit": found.commit,
        "when": found.when,
        "author": found.author,
        "subject": redact_secrets(found.subject),
    }
