"""Routes that change atoms; each can be tried with `dry-run`, and takes `If-Match`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import Query

from cortexfs.core.atoms.create_atom import AtomDraft
from cortexfs.core.atoms.edit_atom import AtomEdit
from cortexfs.interfaces.json.documents import atoms as documents
from cortexfs.interfaces.json.documents import changes
from cortexfs.interfaces.rest import bodies
from cortexfs.interfaces.rest import parameters as given
from cortexfs.interfaces.rest.answers import Answer, make_etag, make_result
from cortexfs.interfaces.rest.endpoint import NOWHERE, Call, Effect, Endpoint
from cortexfs.interfaces.rest.read_atoms import ATOM

if TYPE_CHECKING:
    from cortexfs.operations.edit import EditResult
    from cortexfs.operations.shared.rename_plan import RenameResult
    from cortexfs.operations.undo import UndoResult

REF_FIELDS = ("evidence", "source-experiments", "links")


def create_atom(call: Call, body: bodies.NewAtomBody) -> Answer:
    """Create an atom: it gets the next id, a line in the index, and a commit."""
    from cortexfs.interfaces.json.atoms import to_created_atom_json
    from cortexfs.operations.new_atom import new_atom
    from cortexfs.operations.shared.resolve_names import require_kind, resolve_atom_project

    kind = require_kind(call.session, body["kind"])
    named = body.get("project")
    refs = {key: tuple(body[key]) for key in REF_FIELDS if body.get(key)}  # type: ignore[literal-required]
    draft = AtomDraft(
        kind=kind,
        project=resolve_atom_project(call.session, kind, named, NOWHERE),
        summary=body["summary"],
        tags=tuple(body.get("tags", ())),
        fields={**refs, **body.get("fields", {})},
        body=body.get("body"),
    )
    made = new_atom(call.session, draft, mode=call.mode)
    return make_result(made.outcome, {"created": to_created_atom_json(made)})


def replace_atom(call: Call, ref: given.Ref, body: bodies.AtomTextBody) -> Answer:
    """Replace the text of an atom; refused if `check` would find a new error in it."""
    from cortexfs.operations.edit import edit

    return _make_edited(edit(call.session, ref, NOWHERE, AtomEdit(body["text"]), mode=call.mode))


def change_fields(call: Call, ref: given.Ref, body: bodies.AtomFieldsBody) -> Answer:
    """Change fields and tags of an atom; every other byte stays."""
    from cortexfs.operations.edit import edit

    summary = {"summary": body["summary"]} if "summary" in body else {}
    edits = AtomEdit(
        None,
        summary,
        added_tags=tuple(body.get("add-tags", ())),
        removed_tags=tuple(body.get("remove-tags", ())),
    )
    return _make_edited(
        edit(call.session, ref, NOWHERE, edits, body.get("fields", {}), mode=call.mode)
    )


def _make_edited(done: EditResult) -> Answer:
    about = {"ref": done.ref, "path": done.path, "changed": done.changed}
    answer = make_result(done.outcome, {"edited": about}, changed=done.changed)
    texts = [write.text for write in done.plan.writes if write.path == done.path]
    return answer._replace(headers={"etag": make_etag(texts[-1])} if texts else {})


def remove_atom(
    call: Call,
    ref: given.Ref,
    force: Annotated[bool, Query(description="Even if other files mention it.")] = False,
) -> Answer:
    """Remove an atom; `restore` brings it back."""
    from cortexfs.operations.rm import rm

    done = rm(call.session, ref, NOWHERE, force=force, mode=call.mode)
    document = {"removed": {"ref": done.ref, "path": done.path}, "named-by": done.mentioning_files}
    return make_result(done.outcome, document)


def mark_atom(call: Call, ref: given.Ref, body: bodies.MarkBody) -> Answer:
    """Change the status of an atom, and of the atoms that depend on it."""
    from cortexfs.interfaces.json.history_and_status import to_status_change_json
    from cortexfs.operations.mark import MarkRequest, mark

    request = MarkRequest(
        ref,
        body.get("status", ""),
        body.get("by", ""),
        body.get("reason", ""),
        NOWHERE,
        tuple(body.get("reviewed", ())),
    )
    done = mark(call.session, request, mode=call.mode)
    document = to_status_change_json(done)
    return make_result(done.outcome, document, changed=bool(done.plan.writes))


def move_atom(call: Call, ref: given.Ref, body: bodies.MoveBody) -> Answer:
    """Move an atom to another project, and update every reference to it."""
    from cortexfs.operations.rename import move

    return _make_renamed(move(call.session, ref, body["project"], NOWHERE, mode=call.mode))


def rename_atom(call: Call, ref: given.Ref, body: bodies.RenameBody) -> Answer:
    """Give an atom another id, and update every reference to it."""
    from cortexfs.operations.rename import rename

    return _make_renamed(rename(call.session, ref, body["to"], NOWHERE, mode=call.mode))


def renumber_atom(call: Call, ref: given.Ref, body: bodies.RenameBody) -> Answer:
    """Give one of two atoms with the same id another id; the ref is its path."""
    from cortexfs.operations.renumber import renumber

    return _make_renamed(renumber(call.session, ref, body["to"], NOWHERE, mode=call.mode))


def _make_renamed(done: RenameResult) -> Answer:
    from cortexfs.interfaces.json.projects import to_renamed_json

    return make_result(done.outcome, to_renamed_json(done))


def restore_atom(call: Call, ref: given.Ref, body: bodies.RestoreBody) -> Answer:
    """Restore a tombstone, a removed atom, or an earlier text."""
    from cortexfs.interfaces.json.history_and_status import to_restored_atom_json
    from cortexfs.operations.restore import restore

    done = restore(call.session, ref, at=body.get("at"), cwd=NOWHERE, mode=call.mode)
    document = to_restored_atom_json(done)
    return make_result(done.outcome, document, changed=bool(done.plan.writes))


def undo_change(call: Call, body: bodies.UndoBody) -> Answer:
    """Undo the last change made through cortexfs, or that of a commit."""
    from cortexfs.operations.undo import undo

    return _make_undone(undo(call.session, body.get("commit", ""), mode=call.mode))


def redo_change(call: Call) -> Answer:
    """Redo the last undo."""
    from cortexfs.operations.undo import redo

    return _make_undone(redo(call.session, mode=call.mode))


def _make_undone(done: UndoResult) -> Answer:
    from cortexfs.interfaces.json.projects import to_undone_json

    document = {"undone": [to_undone_json(done)], "message": done.subject}
    plan = done.plan._replace(message=done.subject)
    return make_result(done.outcome, document)._replace(plan=plan)


def rename_tag(call: Call, body: bodies.RenameTagBody) -> Answer:
    """Rename a tag in every atom; if the new one exists, the two are merged."""
    from cortexfs.operations.list_and_rename_tags import rename_tag_in_atoms
    from cortexfs.operations.shared.filters import parse_filters

    only = parse_filters(call.session, projects=body.get("projects", []))
    old, new = body["old"], body["new"]
    done = rename_tag_in_atoms(call.session, old, new, only, mode=call.mode)
    return make_result(done.outcome, {"renamed": {"old": old, "new": new, "paths": done.paths}})


_ATOM, _CHANGE = Effect.CHANGE_ATOM, Effect.CHANGE
ENDPOINTS = (
    Endpoint("POST", "/api/v1/atoms", create_atom, documents.CreatedAtomDocument, _CHANGE, 201),
    Endpoint("POST", "/api/v1/tags/rename", rename_tag, documents.RenamedTagDocument, _CHANGE),
    Endpoint("POST", "/api/v1/undo", undo_change, changes.UndoneDocument, _CHANGE),
    Endpoint("POST", "/api/v1/redo", redo_change, changes.UndoneDocument, _CHANGE),
    Endpoint("POST", f"{ATOM}/mark", mark_atom, changes.MarkDocument, _ATOM),
    Endpoint("POST", f"{ATOM}/move", move_atom, changes.RenamedDocument, _ATOM),
    Endpoint("POST", f"{ATOM}/rename", rename_atom, changes.RenamedDocument, _ATOM),
    Endpoint("POST", f"{ATOM}/renumber", renumber_atom, changes.RenamedDocument, _CHANGE),
    Endpoint("POST", f"{ATOM}/restore", restore_atom, changes.RestoredAtomDocument, _CHANGE),
    Endpoint("PUT", ATOM, replace_atom, documents.EditedAtomDocument, _ATOM),
    Endpoint("PATCH", ATOM, change_fields, documents.EditedAtomDocument, _ATOM),
    Endpoint("DELETE", ATOM, remove_atom, changes.RemovedAtomDocument, _ATOM),
)
