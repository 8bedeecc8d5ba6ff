"""Give one of two atoms with the same id another one, as after a merge of two clones."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.changes.plan import Remove, Write, WriteMode, attach_outcome
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.renaming.name_meanings import Renaming
from cortexfs.core.renaming.project_titles import replace_project_title
from cortexfs.core.renaming.rewrite import renamed_in
from cortexfs.errors import AmbiguousRef, Refused, Unreadable
from cortexfs.operations.rename import find_atom, is_id_taken, new_path, next_id
from cortexfs.operations.shared.rename_plan import (
    RenameResult,
    build_worlds,
    plan_log_updates,
    plan_with_removals,
    read_texts,
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
    mode: WriteMode = WriteMode.COMMIT,
) -> RenameResult:
    """Give an atom the next free id, or `ident`; its file, id and heading change.

    A reference in another text may mean either atom: each such place is returned. Raises
    `AmbiguousRef` with the paths if a ref fits both.
    """

    def decide(view: View) -> RenameResult:
        atom, where = find_atom(view, _path(view, typed, cwd), cwd)
        return _decide(view, atom, where, ident)

    return attach_outcome(session.execute(decide, mode))


def _decide(view: View, atom: Atom, where: AtomPath, ident: str) -> RenameResult:
    kind = where.kind
    ident = ident or next_id(view, kind, atom.project)
    new = f"{atom.project}/{ident}" if atom.project else ident
    if not kind.id_pattern.fullmatch(ident) or is_id_taken(view, kind, ident, atom.project):
        why = "is taken" if kind.id_pattern.fullmatch(ident) else f"is no id of kind {kind.name}"
        raise Refused(f"`{ident}` {why}", hint=f"next: {next_id(view, kind, atom.project)}")
    source = view.tree.read_text_or_flaw(atom.path)
    if isinstance(source, Flaw):
        raise Unreadable(f"{atom.path}: {source.message}", hint="`cortexfs check` tells more")
    path = new_path(atom, where, ident, atom.project)
    text = atom_text.edit_frontmatter(source.text, {"id": ident})
    front, body = atom_text.split_front_and_body(text)
    text = front + replace_project_title(body, atom.ref.rpartition("/")[2], ident)
    reads = plan_log_updates(view, atom.path, path)
    message = f"renumber {atom.ref} to {new}"
    plan = plan_with_removals(
        view, message, [Write(path, text), *reads], [Remove(atom.path, source.text)]
    )
    return RenameResult(
        atom.ref, new, path, (), plan, ambiguous_places=_unsure(view, atom, path, text)
    )


def _unsure(view: View, atom: Atom, path: str, text: str) -> tuple[str, ...]:
    """Return the places that may mean either of the two atoms, as `path:line`."""
    atoms = view.queries.list_atoms()
    if sum(other.ref == atom.ref for other in atoms) < 2:  # noqa: PLR2004 - it has no twin
        raise Refused(
            f"no other atom has the id {atom.ref}", hint=f"`cortexfs rename {atom.ref} NEW-ID`"
        )
    ident = atom.ref.rpartition("/")[2]
    worlds = build_worlds(atoms, Renaming({atom.ref: f"{atom.ref}-twin"}, {}), ())
    every = {**dict(read_texts(view, {ident})), path: text}
    twins = {other.path for other in atoms if other.ref == atom.ref}
    return tuple(
        f"{place}:{line}"
        for place, said in sorted(every.items())
        if place not in twins
        for line in sorted(
            {said.count("\n", 0, name.start) + 1 for name in renamed_in(said, place, worlds)}
        )
    )


def _path(view: View, typed: str, cwd: str) -> str:
    """Return the path of a file typed by a person, below the root or the working directory."""
    below = os.path.relpath(
        os.path.realpath(os.path.join(cwd, typed)), os.path.realpath(view.tree.root)
    )
    refs = view.queries.list_refs()
    named = [path for _, path in refs if path in {below, typed}]
    fitting = [p for ref, p in refs if typed in {ref, ref.rpartition("/")[2]}]
    if not named and len(fitting) > 1:
        raise AmbiguousRef(typed, fitting)
    return named[0] if named else typed
