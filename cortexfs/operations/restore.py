"""Restore an atom from git: its text before it became a tombstone, or in a commit."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.lifecycle import parse_atom_status
from cortexfs.core.atoms.refs import can_refer_to, list_candidate_refs
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, Write, attach_outcome
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.status_change.citing_lines import is_based_on
from cortexfs.core.status_change.tombstone import is_tombstone, restore_from_tombstone
from cortexfs.errors import Refused
from cortexfs.operations.shared.cortex_md_and_overview import add_derived_writes
from cortexfs.operations.shared.refuse_loss_and_errors import refuse_new_errors
from cortexfs.operations.shared.resolve_revision import (
    iter_contents,
    read_text_at,
    require_repository,
    resolve_commit,
    resolve_past_ref,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.atoms.atom import Atom, Ref
    from cortexfs.core.atoms.lifecycle import ParsedStatus
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit, View


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
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> RestoredAtom:
    """Restore the text of an atom in a commit; by default before it became a tombstone.

    A removed atom is restored with its last text. Raises `Refused` if git has no such text.
    """

    def decide(view: View) -> RestoredAtom:
        return plan_restore(view, ref, at, cwd)

    return attach_outcome(session.execute(decide, mode))


def plan_restore(view: View, typed: str, at: str | None, cwd: str) -> RestoredAtom:
    """Find the text to restore, and plan; see `restore`."""
    commit = resolve_commit(view, at) if at else ""
    ref, path = resolve_past_ref(view, typed, cwd)
    present = view.tree.read_text_lossy(path)
    if commit:
        source_commit, text = commit, read_text_at(view, ref, path, commit)[1]
    else:
        source_commit, text = _find_original_text(view, ref, path, present)
    writes = (Write(path, text, present),) if text != present else ()
    refuse_new_errors(view, writes, "restore the atoms that it cites first")
    message = f"restore {ref}" + (f" as of {source_commit[:10]}" if commit else "")
    every = tuple(add_derived_writes(view, writes)) if writes else ()
    plan = Plan(message, every, is_from_git=True)
    challenged = _find_challenged_atoms(view.stored_atoms, ref, present)
    return RestoredAtom(ref, path, str(_parse_status_of(text)), source_commit, challenged, plan)


def _find_original_text(
    view: TreeFilesAndGit, ref: Ref, path: str, present: str | None
) -> tuple[str, str]:
    """Return the last original text of an atom, and the commit that has it."""
    if present is not None and not is_tombstone(present):
        raise Refused(
            f"`{ref}` is not a tombstone", hint="--at COMMIT restores its text of that commit"
        )
    history = require_repository(view)
    versions = [
        (record.commit.commit, record.paths[0][1])
        for record in history.list_file_commits(path)
        if record.paths
    ]
    tombstone = present or ""
    for (commit, _), content in zip(versions, iter_contents(history, versions), strict=True):
        text = (content or b"").decode(errors="replace")
        if text and present is None:
            return commit, text
        if text and not is_tombstone(text):
            return commit, restore_from_tombstone(present or "", text, tombstone)
        tombstone = text or tombstone
    raise Refused(
        f"git has no earlier text of `{ref}`", hint="its first commit is already a tombstone"
    )


def _find_challenged_atoms(atoms: Iterable[Atom], ref: Ref, present: str | None) -> tuple[Ref, ...]:
    """Return the atoms that depend on an atom and were challenged by its tombstone's cause."""
    if present is None or not is_tombstone(present):
        return ()
    cause = _parse_status_of(present).cause
    project = ref.rpartition("/")[0]
    causes = {ref, *list_candidate_refs(cause, project)}
    return tuple(
        atom.ref
        for atom in atoms
        if (status := parse_atom_status(atom.text_field("status"))).word == "challenged"
        and any(can_refer_to(status.cause, atom.project, wanted) for wanted in causes)
        and is_based_on(atom, ref)
    )


def _parse_status_of(text: str) -> ParsedStatus:
    """Return the status in an atom's text."""
    message = atom_text.parse_frontmatter(text).fields.get("status", "")
    return parse_atom_status(message if isinstance(message, str) else "")
