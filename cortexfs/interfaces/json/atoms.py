"""Atoms as JSON: listed, found, shown, created."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cortexfs.core.indexes.index_entry import Entry
    from cortexfs.operations.access import Seen
    from cortexfs.operations.decision import Told
    from cortexfs.operations.find import Hit, PageHit
    from cortexfs.operations.new_atom import Created
    from cortexfs.operations.show import Shown, ShownThen
    from cortexfs.session.types import Commit

    Document = dict[str, object]


def atom(entry: Entry) -> Document:
    """Return one atom: its frontmatter as typed, and its reads as `refs` and `last-ref`."""
    fields = {key: value for key, value in entry.atom.fields.items() if value not in ("", ())}
    if tags := entry.atom.words("tags"):
        fields["tags"] = tags
    document: Document = {
        "ref": entry.atom.ref,
        "kind": entry.atom.kind,
        "path": entry.atom.path,
        **fields,
        "status": str(entry.status),
        "refs": entry.total.refs,
    }
    document.pop("last-ref", None)
    return {**document, "last-ref": entry.total.last} if entry.total.last else document


def found_atom(hit: Hit, *, explain: bool = False) -> Document:
    """Return a search result: the atom, the part that matches, and its score.

    `highlights` are [start, end] offsets in `snippet`.
    """
    known, part = hit.found.known, hit.snippet
    document: Document = {
        "ref": known.ref,
        "kind": known.kind,
        "path": known.path,
        "status": known.status,
        "summary": known.summary,
        "refs": known.refs,
        "score": round(hit.found.score, 4),
        "section": part.section,
        "snippet": part.text,
        "highlights": part.marks,
    }
    return {**document, "explanation": _explanation(hit)} if explain else document


def _explanation(hit: Hit) -> Document:
    document: Document = {"relevance": round(hit.found.lexical, 4)}
    if fit := hit.found.fit:
        document["lexical-score"] = round(fit.words, 4)
        if fit.meaning is not None:
            document["similarity"] = round(fit.meaning, 4)
    factors = {name: round(value, 4) for name, value in hit.found.factors.items()}
    return {**document, "factors": factors}


def found_page(hit: PageHit) -> Document:
    """Return a governance file or note that matches: its path, and the part that matches."""
    part = hit.snippet
    return {
        "path": hit.found.path,
        "project": hit.found.project,
        "score": round(hit.found.score, 4),
        "section": part.section,
        "snippet": part.text,
        "highlights": part.marks,
    }


def shown_atom(found: Shown) -> Document:
    """Return an atom with its content, its backlinks and its history."""
    document: Document = {
        "atom": atom(found.entry) if found.entry else {"ref": found.ref, "path": found.path},
        "content": found.text,
        "backlinks": found.backlinks,
        "history": [commit(each) for each in found.past],
    }
    lines = [{"line": flaw.line, "message": flaw.message} for flaw in found.changed]
    return {**document, "changed-citations": lines} if lines else document


def shown_decision(found: Told) -> Document:
    """Return a decision like `shown_atom`, its alternatives, and whether it was edited later."""
    document: Document = {**shown_atom(found.shown), "alternatives": found.alternatives}
    if not found.held:
        return document
    accepted: Document = {**commit(found.held.made), "edited-since": bool(found.held.line)}
    return {**document, "accepted": accepted | _line(found.held.line)}


def shown_revision(found: ShownThen) -> Document:
    """Return an atom as it was at a commit."""
    about = {"ref": found.ref, "path": found.path}
    return {"atom": about, "content": found.text, "revision": commit(found.at)}


def created_atom(made: Created) -> Document:
    """Return a new atom's ref and path, and the atoms that say nearly the same, if any."""
    document: Document = {"ref": made.ref, "path": made.path}
    similar = [
        {"ref": each.ref, "summary": each.summary, "similarity": each.similarity}
        for each in made.near
    ]
    return {**document, "near-duplicates": similar} if similar else document


def access_event(seen: Seen) -> Document:
    """Return one line of an access log, with its project."""
    event = seen.look
    optional = {"tool": event.tool, "session": event.session, "note": event.note}
    document: Document = {"project": seen.project, "file": event.file, "ts": event.ts}
    return document | {key: value for key, value in optional.items() if value}


def commit(made: Commit) -> Document:
    """Return one commit: id, time (ISO 8601), author and subject."""
    return {
        "commit": made.commit,
        "when": made.when,
        "author": made.author,
        "subject": made.subject,
    }


def _line(line: int) -> Document:
    return {"line": line} if line else {}
