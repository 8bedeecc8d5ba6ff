"""Values as JSON documents: the shapes of docs/json.md, the same in every face."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.findings import hint, severity

if TYPE_CHECKING:
    from cortexfs.core.atom import Finding
    from cortexfs.core.entry import Entry
    from cortexfs.core.plan import IndexPlan
    from cortexfs.verbs.access import Seen
    from cortexfs.verbs.show import Shown

Document = dict[str, object]


def atom(entry: Entry) -> Document:
    """Give one atom: its frontmatter as typed, and what is known of its refs."""
    fields = {key: value for key, value in entry.atom.fields.items() if value not in ("", ())}
    if tags := entry.atom.words("tags"):
        fields["tags"] = tags
    said: Document = {
        "ref": entry.atom.ref,
        "kind": entry.atom.kind,
        "path": entry.atom.path,
        **fields,
        "status": str(entry.status),
        "refs": entry.total.refs,
    }
    said.pop("last-ref", None)
    return {**said, "last-ref": entry.total.last} if entry.total.last else said


def shown(found: Shown) -> Document:
    """Give an atom with its text, those that name it, and its past."""
    about = atom(found.entry) if found.entry else {"ref": found.ref, "path": found.path}
    past = [entry._asdict() for entry in found.past]
    return {"atom": about, "text": found.text, "backlinks": found.backlinks, "past": past}


def finding(found: Finding) -> Document:
    """Give one finding with its severity and hint."""
    return {
        "code": found.code,
        "severity": severity(found.code),
        "path": found.path,
        "line": found.line,
        "column": found.column,
        "message": found.message,
        "hint": hint(found.code),
    }


def index(planned: IndexPlan) -> Document:
    """Give one index: whether it changed, and what it counts."""
    changed = planned.write is not None
    return {"path": planned.path, "changed": changed, **planned.counts._asdict()}


def seen(look: Seen) -> Document:
    """Give one look as its line says it, with the project."""
    said = {key: value for key, value in look.look._asdict().items() if value}
    return {"project": look.project, **said}
