"""Give an atom another id, another project, or both, and update all references in one commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.refs import is_ref
from cortexfs.core.atoms.tree_paths import kind_folder, parse_atom_path
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import attach_outcome
from cortexfs.core.renaming.name_meanings import Renaming
from cortexfs.errors import NoSuchAtom, Refused, Unreadable
from cortexfs.operations.shared.rename_plan import (
    RenameResult,
    build_rename_context,
    plan_atom_move,
    plan_log_updates,
    plan_mention_updates,
    plan_with_removals,
)
from cortexfs.operations.shared.resolve_names import require_project, resolve_ref

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.atoms.kind import Kind
    from cortexfs.core.atoms.tree_paths import AtomPath
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


def rename(
    session: Session,
    typed: str,
    ident: str,
    cwd: str,
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> RenameResult:
    """Give an atom another id; raise `Refused` if it is taken, or not of the atom's kind."""

    def decide(view: View) -> RenameResult:
        atom, where = find_atom(view, typed, cwd)
        return plan_rename(view, atom, where, ident, atom.project, verb="rename")

    return attach_outcome(session.execute(decide, mode))


def move(
    session: Session,
    typed: str,
    project: str,
    cwd: str,
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> RenameResult:
    """Move an atom to another project; if its id is taken there, it gets the next one."""

    def decide(view: View) -> RenameResult:
        atom, where = find_atom(view, typed, cwd)
        require_project(view, project)
        if atom.project == project:
            raise Refused(f"`{atom.ref}` is already in {project}")
        if "project" not in where.kind.scopes:
            raise Refused(f"an atom of kind {where.kind.name} belongs to no project")
        ident = atom.ref.rpartition("/")[2]
        if is_id_taken(view, where.kind, ident, project, own=atom.ref):
            ident = find_next_id(view, where.kind, project)
        return plan_rename(view, atom, where, ident, project, verb="move")

    return attach_outcome(session.execute(decide, mode))


def find_atom(view: View, typed: str, cwd: str) -> tuple[Atom, AtomPath]:
    """Return the atom that a person names by ref or path, and its place."""
    _, path = resolve_ref(view, typed, cwd)
    atom = next(iter(view.stored_atoms.list_by_paths([path])), None)
    where = parse_atom_path(path, view.kinds)
    if atom is None or where is None:
        raise NoSuchAtom(typed)
    if not atom.fields or "id" not in atom.fields:
        raise Unreadable(f"{path} has no id that can be read", hint="`cortexfs edit` it first")
    return atom, where


def plan_rename(
    view: View, atom: Atom, where: AtomPath, ident: str, project: str, *, verb: str
) -> RenameResult:
    """Return the plan in which an atom becomes `project/ident`."""
    kind = where.kind
    new = f"{project}/{ident}" if project else ident
    if new == atom.ref:
        raise Refused(f"its name is already `{new}`")
    if not kind.id_pattern.fullmatch(ident):
        raise Refused(
            f"`{ident}` is not an id of kind {kind.name}",
            hint=_describe_valid_name(atom, ident, find_next_id(view, kind, project)),
        )
    if is_id_taken(view, kind, ident, project, own=atom.ref):
        raise Refused(f"`{new}` is taken", hint=f"next: {find_next_id(view, kind, project)}")
    path = make_new_path(atom, where, ident, project)
    renaming = Renaming({atom.ref: new}, {atom.path: path})
    if len(view.stored_atoms.list_by_ref(atom.ref)) > 1:
        raise Refused(f"two files have the id {atom.ref}", hint=f"`cortexfs renumber {atom.path}`")
    context = build_rename_context(view, renaming, {atom.path})
    write, remove = plan_atom_move(view, atom, context)
    needles = {atom.ref.rpartition("/")[2], atom.file_name.removesuffix(".md")}
    others = plan_mention_updates(view, context, needles)
    reads = plan_log_updates(view, atom.path, path)
    message = f"{verb} {atom.ref} to {new}"
    plan = plan_with_removals(view, message, [write, *others, *reads], [remove])
    return RenameResult(atom.ref, new, path, tuple(each.path for each in others), plan)


def _describe_valid_name(atom: Atom, typed: str, next_id: str) -> str:
    """Return a hint for a new name that is no id: a title perhaps, which `edit` changes."""
    hint = f"the next one is {next_id}"
    return (
        hint if is_ref(typed) else f"{hint}; `cortexfs edit {atom.ref} -s TEXT` changes its title"
    )


def make_new_path(atom: Atom, where: AtomPath, ident: str, project: str) -> str:
    """Return the path of an atom under another id; the title in its file name stays."""
    kind = where.kind
    name = f"{ident}.md"
    if kind.has_title_in_name:
        number = kind.format_file_number(ident, in_project=bool(project))
        title = atom.file_name.removeprefix(f"{kind.prefix}-").partition("-")[2]
        name = f"{number}-{title or 'untitled.md'}"
    folder = where.folder if project == atom.project else kind_folder(project, kind)
    return f"{folder}/{name}"


def is_id_taken(view: View, kind: Kind, ident: str, project: str, own: str = "") -> bool:
    """Return whether an id is that of an atom, or claimed by the name of a file.

    An id that counts in the whole tree may be that of the atom with the ref `own`.
    """
    if kind.has_tree_wide_ids:
        refs = (ref for ref, _ in view.queries.list_refs())
        if any(ref != own and ref.rpartition("/")[2] == ident for ref in refs):
            return True
    ref = f"{project}/{ident}" if project else ident
    files = view.tree.list_names(kind_folder(project, kind))
    claimed = {kind.parse_file_id(name.removesuffix(".md")) for name in files}
    return view.queries.find_ref(ref) is not None or ident in claimed


def find_next_id(view: View, kind: Kind, project: str) -> str:
    """Return the id after the highest that a file or an atom of a kind has."""
    projects = ["", *view.tree.list_projects()] if kind.has_tree_wide_ids else [project]
    files = (name for each in projects for name in view.tree.list_names(kind_folder(each, kind)))
    refs = (ref.rpartition("/") for ref, _ in view.queries.list_refs())
    ids = (
        ident for home, _, ident in refs if home in projects and kind.id_pattern.fullmatch(ident)
    )
    named = [f"{ident}-x" if kind.has_title_in_name else ident for ident in ids]
    return kind.next_id([*named, *(name.removesuffix(".md") for name in files)])
