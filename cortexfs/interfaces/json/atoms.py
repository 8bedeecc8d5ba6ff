"""Atoms as JSON: listed, found, shown, created."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.text.sanitize import redact_secrets

if TYPE_CHECKING:
    from cortexfs.core.find.search_notes import SearchNotes
    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.operations.access_log_reports import ProjectAccessEvent
    from cortexfs.operations.decision import ShownDecision
    from cortexfs.operations.find import PageHit, SearchHit
    from cortexfs.operations.new_atom import CreatedAtom
    from cortexfs.operations.show import PastAtom, ShownAtom
    from cortexfs.session.annotation_types import CommitSummary

    Document = dict[str, object]


def to_atom_json(entry: AtomWithReads) -> Document:
    """Return one atom: its frontmatter as typed, and its reads as `refs` and `last-ref`."""
    fields = {key: value for key, value in entry.atom.fields.items() if value not in ("", ())}
    if tags := entry.atom.list_field("tags"):
        fields["tags"] = tags
    document: Document = {
        "ref": entry.atom.ref,
        "kind": entry.atom.kind,
        "path": entry.atom.path,
        **fields,
        "status": str(entry.status),
        "refs": entry.reads.read_count,
    }
    document.pop("last-ref", None)
    return {**document, "last-ref": entry.reads.last_read} if entry.reads.last_read else document


def to_found_atom_json(hit: SearchHit, *, explain: bool = False) -> Document:
    """Return a search result: the atom, the part that matches, and its score.

    `highlights` are [start, end] offsets in `snippet`.
    """
    known, part = hit.match.atom, hit.snippet
    document: Document = {
        "ref": known.ref,
        "kind": known.kind,
        "path": known.path,
        "status": known.status,
        "summary": known.summary,
        "refs": known.read_count,
        "score": round(hit.match.score, 4),
        "section": part.section,
        "snippet": part.text,
        "highlights": part.marks,
    }
    return {**document, "explanation": _to_explanation_json(hit)} if explain else document


def _to_explanation_json(hit: SearchHit) -> Document:
    document: Document = {"relevance": round(hit.match.own_score, 4)}
    if fit := hit.match.fused:
        document["lexical-score"] = round(fit.text_score, 4)
        if hit.match.context:
            document["context"] = round(1 + hit.match.context, 4)
        if fit.similarity is not None:
            document["similarity"] = round(fit.similarity, 4)
    factors = {name: round(value, 4) for name, value in hit.match.factors.items()}
    return {**document, "factors": factors}


def to_found_page_json(hit: PageHit) -> Document:
    """Return a governance file or note that matches: its path, and the part that matches."""
    part = hit.snippet
    return {
        "path": hit.match.path,
        "project": hit.match.project,
        "score": round(hit.match.score, 4),
        "section": part.section,
        "snippet": part.text,
        "highlights": part.marks,
    }


def to_search_notes_json(notes: SearchNotes) -> Document:
    """Return what a search says beside its results; no key where there is nothing to say."""
    document: Document = {}
    if notes.corrections:
        document["corrections"] = [
            {"typed": each.typed, "searched": each.searched, "others": each.others}
            for each in notes.corrections
        ]
    if notes.excluded:
        document["excluded"] = [
            {"text": each.text, "matches": each.removed} for each in notes.excluded
        ]
    if notes.is_shortened:
        document["shortened"] = True
    return document


def to_shown_atom_json(found: ShownAtom) -> Document:
    """Return an atom with its content, its backlinks and its history."""
    document: Document = {
        "atom": to_atom_json(found.entry)
        if found.entry
        else {"ref": found.ref, "path": found.path},
        "content": found.text,
        "backlinks": found.backlinks,
        "entities": [{"type": sort, "name": name} for sort, name in found.entities],
        "history": [to_commit_json(each) for each in found.commits],
    }
    lines = [{"line": flaw.line, "message": flaw.message} for flaw in found.changed_citations]
    return {**document, "changed-citations": lines} if lines else document


def to_shown_decision_json(found: ShownDecision) -> Document:
    """Return a decision like `shown_atom`, its alternatives, and whether it was edited later."""
    document: Document = {**to_shown_atom_json(found.shown), "alternatives": found.alternatives}
    if not found.acceptance:
        return document
    accepted: Document = {
        **to_commit_json(found.acceptance.commit),
        "edited-since": bool(found.acceptance.changed_line),
    }
    return {**document, "accepted": accepted | _line(found.acceptance.changed_line)}


def to_revision_json(found: PastAtom) -> Document:
    """Return an atom as it was at a commit."""
    about = {"ref": found.ref, "path": found.path}
    return {"atom": about, "content": found.text, "revision": to_commit_json(found.commit)}


def to_created_atom_json(created: CreatedAtom) -> Document:
    """Return a new atom's ref and path, and its near-duplicates, if any."""
    document: Document = {"ref": created.ref, "path": created.path}
    similar = [
        {"ref": each.ref, "summary": each.summary, "similarity": each.similarity}
        for each in created.near_duplicates
    ]
    return {**document, "near-duplicates": similar} if similar else document


def to_access_event_json(found: ProjectAccessEvent) -> Document:
    """Return one line of an access log, with its project."""
    event = found.event
    optional = {"tool": event.tool, "session": event.session, "note": event.note}
    document: Document = {"project": found.project, "file": event.file, "ts": event.ts}
    return document | {key: value for key, value in optional.items() if value}


def to_commit_json(found: CommitSummary) -> Document:
    """Return one commit: id, time (ISO 8601), author and subject."""
    return {
        "commit": found.commit,
        "when": found.when,
        "author": found.author,
        "subject": redact_secrets(found.subject),
    }


def _line(line: int) -> Document:
    return {"line": line} if line else {}
