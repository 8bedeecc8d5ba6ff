"""Give one of two atoms with the same id another one, for example after a merge of two clones."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Remove, Write, attach_outcome
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.renaming.name_meanings import Renaming
from cortexfs.core.renaming.project_titles import replace_project_title
from cortexfs.errors import AmbiguousRef, Refused, Unreadable
from cortexfs.operations.rename import (
    find_atom,
    find_next_id,
    is_id_taken,
    make_new_path,
    plan_rename,
)
from cortexfs.operations.shared.rename_plan import (
    RenameResult,
    build_rename_context,
    plan_log_updates,
    plan_with_removals,
    refuse_locked_tasks,
)
from cortexfs.operations.shared.twin_refs import rewrite_twin_refs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.atoms.kind import Kind
    from cortexfs.core.atoms.tree_paths import AtomPath
    from cortexfs.operations.shared.twin_refs import RewrittenText
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


def renumber(
    session: Session,
    typed: str,
    ident: str,
    cwd: str,
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> RenameResult:
    """Give an atom the next free id, or `ident`; its file, id and heading change.

    References are updated where the history of their line tells that they mean it; each place that
    may refer to either atom is returned. Raises `AmbiguousRef` with the paths if a ref fits both.
    """

    def decide(view: View) -> RenameResult:
        atom, where = find_atom(view, _resolve_path(view, typed, cwd), cwd)
        return _decide(view, atom, where, ident)

    return attach_outcome(session.execute(decide, mode))


def _decide(view: View, atom: Atom, where: AtomPath, ident: str) -> RenameResult:
    ident = _choose_id(view, atom, where.kind, ident)
    if where.kind.has_tree_wide_ids and _has_only_number_twins(view, atom):
        return plan_rename(view, atom, where, ident, atom.project, verb="renumber")
    new = f"{atom.project}/{ident}" if atom.project else ident
    path = make_new_path(atom, where, ident, atom.project)
    texts = _rewrite_refs(view, atom, new, path)
    writes = [
        Write(place, text.new, text.old)
        for place, text in texts.items()
        if place != atom.path and text.new != text.old
    ]
    for write in writes:
        refuse_locked_tasks(view, write.path, write.expected_text or "")
    own = _plan_own_file(view, atom, path, ident, texts)
    reads = plan_log_updates(view, atom.path, path)
    message = f"renumber {atom.ref} to {new}"
    plan = plan_with_removals(view, message, [own[0], *writes, *reads], [own[1]])
    changed = tuple(write.path for write in writes)
    places = tuple(
        f"{path if place == atom.path else place}:{line}"
        for place, text in texts.items()
        for line in text.open_lines
    )
    return RenameResult(atom.ref, new, path, changed, plan, ambiguous_places=places)


def _choose_id(view: View, atom: Atom, kind: Kind, typed: str) -> str:
    """Return the id that a person typed, or the next one; raise `Refused` if it is not free."""
    following = find_next_id(view, kind, atom.project)
    ident = typed or following
    is_valid = bool(kind.id_pattern.fullmatch(ident))
    if not is_valid or is_id_taken(view, kind, ident, atom.project):
        problem = "is taken" if is_valid else f"is not an id of kind {kind.name}"
        raise Refused(f"`{ident}` {problem}", hint=f"the next one is {following}")
    return ident


def _has_only_number_twins(view: View, atom: Atom) -> bool:
    """Return whether atoms of other projects have the same id, and none has the same ref."""
    ident = atom.ref.rpartition("/")[2]
    refs = [ref for ref, _ in view.queries.list_refs() if ref.rpartition("/")[2] == ident]
    return refs.count(atom.ref) == 1 and len(refs) > 1


def _rewrite_refs(view: View, atom: Atom, new: str, path: str) -> dict[str, RewrittenText]:
    """Return the texts that name the atom or a twin; names that mean the atom have its new id."""
    same_ref = view.stored_atoms.list_by_ref(atom.ref)
    twins = sorted(same_ref, key=lambda other: other.path != atom.path)
    if len(twins) < 2:  # noqa: PLR2004 - it has no twin
        raise Refused(
            f"no other atom has the id {atom.ref}", hint=f"`cortexfs rename {atom.ref} NEW-ID`"
        )
    renaming = Renaming({atom.ref: new}, {atom.path: path})
    context = build_rename_context(view, renaming, {atom.path}, first=atom)
    return rewrite_twin_refs(view, atom, twins, context)


def _plan_own_file(
    view: View, atom: Atom, path: str, ident: str, texts: Mapping[str, RewrittenText]
) -> tuple[Write, Remove]:
    """Return the file of the atom under its new path, with its new id and heading."""
    source = view.tree.read_text_or_flaw(atom.path)
    if isinstance(source, Flaw):
        raise Unreadable(f"{atom.path}: {source.message}", hint="`cortexfs check` shows more")
    text = texts[atom.path].new if atom.path in texts else source.text
    front, body = atom_text.split_front_and_body(atom_text.edit_frontmatter(text, {"id": ident}))
    text = front + replace_project_title(body, atom.ref.rpartition("/")[2], ident)
    return Write(path, text), Remove(atom.path, source.text)


def _resolve_path(view: View, typed: str, cwd: str) -> str:
    """Return the path of a file typed by a person, below the root or the working directory."""
    tree_path = os.path.relpath(
        os.path.realpath(os.path.join(cwd, typed)), os.path.realpath(view.tree.root)
    )
    refs = view.queries.list_refs()
    by_path = [path for _, path in refs if path in {tree_path, typed}]
    by_ref = [p for ref, p in refs if typed in {ref, ref.rpartition("/")[2]}]
    if not by_path and len(by_ref) > 1:
        raise AmbiguousRef(typed, by_ref)
    return by_path[0] if by_path else typed
