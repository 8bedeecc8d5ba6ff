"""Restore an atom from git: its text before it became a tombstone, or in a commit."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.lifecycle import parse_atom_status
from cortexfs.core.atoms.refs import can_refer_to, list_candidate_refs
from cortexfs.core.changes.plan import Plan, Write, WriteMode, attach_outcome
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.status_change.citing_lines import is_based_on
from cortexfs.core.status_change.tombstone import is_tombstone, restore_from_tombstone
from cortexfs.errors import Refused
from cortexfs.operations.shared.derived_files import add_derived_writes
from cortexfs.operations.shared.refuse_harm import refuse_new_errors
from cortexfs.operations.shared.resolve_revision import (
    read_text_at,
    require_repository,
    resolve_commit,
    resolve_past_ref,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.atoms.atom import Atom, Ref
    from cortexfs.core.atoms.lifecycle import AtomStatus
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeContext, View


class RestoredAtom(NamedTuple):
    """A restored atom: its status, and the commit that its text comes from.

    `challenged` are the atoms that its tombstone challenged, and that still are challenged.
    """

    ref: Ref
    path: str
    status: str
    source_commit: str
    challenged: tuple[Ref, ...]
    plan: Plan
    outcome: Outcome | None = None


def restore(
    session: Session,
    ref: str,
    *,
    at: str | None,
    cwd: str,
    mode: WriteMode = WriteMode.COMMIT,
) -> RestoredAtom:
    """Restore the text of an atom in a commit; by default before it became a tombstone.

    A removed atom is restored with its last text. Raises `Refused` if git has no such text.
    """

    def decide(view: View) -> RestoredAtom:
        return _decide(view, ref, at, cwd)

    return attach_outcome(session.execute(decide, mode))


def _decide(view: View, typed: str, at: str | None, cwd: str) -> RestoredAtom:
    then = resolve_commit(view, at) if at else ""
    ref, path = resolve_past_ref(view, typed, cwd)
    present = view.tree.read_text_lossy(path)
    source, text = (then, read_text_at(view, ref, path, then)[1]) if then else ("", "")
    if not then:
        source, text = _before(view, ref, path, present)
    writes = (Write(path, text, present),) if text != present else ()
    atoms = view.queries.list_atoms()
    refuse_new_errors(view, atoms, writes, "restore what it names first")
    said = f"restore {ref}" + (f" as of {source[:10]}" if then else "")
    plan = Plan(said, tuple(add_derived_writes(view, writes) if writes else ()), is_from_git=True)
    status = str(_status_of(text))
    return RestoredAtom(ref, path, status, source, _doubters(atoms, ref, present), plan)


def _before(view: TreeContext, ref: Ref, path: str, present: str | None) -> tuple[str, str]:
    """Return the last original text of an atom, and the commit that holds it."""
    if present is not None and not is_tombstone(present):
        raise Refused(f"`{ref}` is no tombstone", hint="--at COMMIT brings back what it said then")
    history = require_repository(view)
    stood = [
        (step.commit.commit, step.paths[0][1])
        for step in history.list_file_commits(path)
        if step.paths
    ]
    grave = present or ""
    for (commit, _), content in zip(stood, history.read_contents(stood), strict=True):
        text = None if content is None else content.decode(errors="replace")
        if text and (present is None or not is_tombstone(text)):
            return commit, text if present is None else restore_from_tombstone(present, text, grave)
        grave = text or grave
    raise Refused(
        f"git does not know what `{ref}` said before", hint="it came into the tree as a tombstone"
    )


def _doubters(atoms: Sequence[Atom], ref: Ref, present: str | None) -> tuple[Ref, ...]:
    """Return the atoms that depend on it and were challenged by the cause of its tombstone."""
    if present is None or not is_tombstone(present):
        return ()
    cause = _status_of(present).cause
    project = ref.rpartition("/")[0]
    causes = {ref, *list_candidate_refs(cause, project)}
    return tuple(
        atom.ref
        for atom in atoms
        if (status := parse_atom_status(atom.text_field("status"))).word == "challenged"
        and any(can_refer_to(status.cause, atom.project, wanted) for wanted in causes)
        and is_based_on(atom, ref)
    )


def _status_of(text: str) -> AtomStatus:
    """Return the status in an atom's text."""
    said = atom_text.parse_frontmatter(text).fields.get("status", "")
    return parse_atom_status(said if isinstance(said, str) else "")
