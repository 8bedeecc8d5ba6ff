"""Give one of two atoms with the same id another one, for example after a merge of two clones."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.changes.plan import ExecutionMode, Remove, Write, attach_outcome
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.renaming.name_meanings import Renaming
from cortexfs.core.renaming.project_titles import replace_project_title
from cortexfs.core.renaming.rewrite import find_renamed_names
from cortexfs.errors import AmbiguousRef, Refused, Unreadable
from cortexfs.operations.rename import find_atom, find_next_id, is_id_taken, make_new_path
from cortexfs.operations.shared.rename_plan import (
    RenameResult,
    build_rename_context,
    iter_texts,
    plan_log_updates,
    plan_with_removals,
)

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.atoms.tree_paths import AtomPath
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

    A reference in another text may refer to either atom: each such place is returned. Raises
    `AmbiguousRef` with the paths if a ref fits both.
    """

    def decide(view: View) -> RenameResult:
        atom, where = find_atom(view, _resolve_path(view, typed, cwd), cwd)
        return _decide(view, atom, where, ident)

    return attach_outcome(session.execute(decide, mode))


def _decide(view: View, atom: Atom, where: AtomPath, ident: str) -> RenameResult:
    kind = where.kind
    ident = ident or find_next_id(view, kind, atom.project)
    new = f"{atom.project}/{ident}" if atom.project else ident
    if not kind.id_pattern.fullmatch(ident) or is_id_taken(view, kind, ident, atom.project):
        is_valid = bool(kind.id_pattern.fullmatch(ident))
        problem = "is taken" if is_valid else f"is not an id of kind {kind.name}"
        hint = f"the next one is {find_next_id(view, kind, atom.project)}"
        raise Refused(f"`{ident}` {problem}", hint=hint)
    source = view.tree.read_text_or_flaw(atom.path)
    if isinstance(source, Flaw):
        raise Unreadable(f"{atom.path}: {source.message}", hint="`cortexfs check` shows more")
    path = make_new_path(atom, where, ident, atom.project)
    text = atom_text.edit_frontmatter(source.text, {"id": ident})
    front, body = atom_text.split_front_and_body(text)
    text = front + replace_project_title(body, atom.ref.rpartition("/")[2], ident)
    reads = plan_log_updates(view, atom.path, path)
    message = f"renumber {atom.ref} to {new}"
    plan = plan_with_removals(
        view, message, [Write(path, text), *reads], [Remove(atom.path, source.text)]
    )
    return RenameResult(
        atom.ref,
        new,
        path,
        (),
        plan,
        ambiguous_places=_find_ambiguous_places(view, atom, path, text),
    )


def _find_ambiguous_places(view: View, atom: Atom, path: str, text: str) -> tuple[str, ...]:
    """Return the places that may refer to either of the two atoms, as `path:line`."""
    atoms = view.queries.list_atoms()
    if sum(other.ref == atom.ref for other in atoms) < 2:  # noqa: PLR2004 - it has no twin
        raise Refused(
            f"no other atom has the id {atom.ref}", hint=f"`cortexfs rename {atom.ref} NEW-ID`"
        )
    ident = atom.ref.rpartition("/")[2]
    context = build_rename_context(atoms, Renaming({atom.ref: f"{atom.ref}-twin"}, {}), ())
    texts = {**dict(iter_texts(view, {ident})), path: text}
    twins = {other.path for other in atoms if other.ref == atom.ref}
    return tuple(
        f"{place}:{line}"
        for place, content in sorted(texts.items())
        if place not in twins
        for line in sorted(
            {
                content.count("\n", 0, name.start) + 1
                for name in find_renamed_names(content, place, context)
            }
        )
    )


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
