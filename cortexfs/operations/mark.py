"""Change the status of an atom, with all that this requires, in one commit."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.lifecycle import CHALLENGED, VERDICT_STATUSES, parse_atom_status
from cortexfs.core.atoms.parse_atom import parse_atom
from cortexfs.core.atoms.refs import list_candidate_refs
from cortexfs.core.atoms.tree_paths import parse_atom_path
from cortexfs.core.changes.plan import Plan, WriteMode, attach_outcome
from cortexfs.core.status_change.allowed_status import require_known_status
from cortexfs.core.status_change.plan_status_change import (
    LoadedAtom,
    StatusChange,
    StatusChangePlan,
    plan_status_change,
)
from cortexfs.core.status_change.tombstone import is_tombstone
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.errors import Unreadable, Usage
from cortexfs.operations.shared.citing_files import find_citing_files
from cortexfs.operations.shared.derived_files import add_derived_writes
from cortexfs.operations.shared.refuse_harm import refuse_loss, refuse_new_errors
from cortexfs.operations.shared.resolve_names import resolve_ref

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeContext, View


_IN_FULL = "in --reason say refs in full: `driftwood/EXP-001`"


class MarkRequest(NamedTuple):
    """The arguments as a person typed them; an empty `cause` names no atom.

    `reviewed` are refs after which the atom was reviewed and still holds.
    """

    ref: str
    status: str
    cause: str
    reason: str
    cwd: str
    reviewed: tuple[str, ...] = ()


class MarkResult(NamedTuple):
    """The new status of an atom, the other changes, and the files that were skipped."""

    ref: Ref
    path: str
    status: str
    marking: StatusChangePlan
    plan: Plan
    outcome: Outcome | None = None

    @property
    def own_changes(self) -> bool:
        """Return whether the commit includes the user's own changes to the atom."""
        return self.outcome is not None and self.path in self.outcome.own_changes


def mark(session: Session, asked: MarkRequest, *, mode: WriteMode = WriteMode.COMMIT) -> MarkResult:
    """Set the status of an atom; successor, impact and challenges come in the same commit.

    Raises `Refused` if the lifecycle does not allow it, and if a tombstone would replace a text
    that git does not hold.
    """

    def decide(view: View) -> MarkResult:
        return _decide(view, asked, commit=mode.is_committing)

    return attach_outcome(session.execute(decide, mode))


def _decide(view: View, asked: MarkRequest, *, commit: bool) -> MarkResult:
    """Parse the arguments, find the citations of the atom, and plan."""
    atoms = {atom.path: atom for atom in view.queries.list_atoms()}
    wanted = _understood(view, asked)
    atom = wanted.target.atom
    around = find_citing_files(view, atom.ref, atoms)
    paths = [atom.path, *(each.path for each in around if each.atom)]
    paths += [wanted.cause.atom.path] if wanted.cause else []
    theirs = _theirs(view, paths) if commit else frozenset()
    marking = plan_status_change(wanted, around, view.kinds, theirs)
    writes = [touch.write for touch in marking.file_changes]
    refuse_new_errors(view, list(atoms.values()), writes, _IN_FULL)
    if text := _buried(marking, atom.path):
        refuse_loss(view, atom.path, text, commit=commit)
    what = str(wanted.new_status) if wanted.status_word else "reviewed"
    said = f"mark {atom.ref} {what}" + (f": {wanted.reason}" if wanted.reason else "")
    plan = Plan(said, tuple(add_derived_writes(view, writes)) if writes else ())
    return MarkResult(atom.ref, atom.path, str(wanted.new_status), marking, plan)


def _understood(view: View, asked: MarkRequest) -> StatusChange:
    """Return the status change; `superseded:EXP-020` names the successor, as `--by EXP-020` does.

    Without a status only a review is recorded.
    """
    if not asked.status and (asked.cause or not asked.reviewed):
        raise Usage("which status?", hint="name one, or only --reviewed REF")
    old = resolve_atom(view, asked.ref, asked.cwd)
    status = parse_atom_status(asked.status)
    if asked.status:
        require_known_status(status.word, old.kind)
    now = parse_atom_status(old.atom.text_field("status"))
    known = now.cause if now.word == status.word else ""
    named = asked.cause or status.cause
    by = resolve_atom(view, named, asked.cwd) if named else None
    if known and not by:
        by = _known_cause(view, known, old.atom.project)
    date = view.clock().date().isoformat()
    reviewed = tuple(resolve_ref(view, ref, asked.cwd)[0] for ref in asked.reviewed)
    challenger = _known_cause(view, now.cause, old.atom.project) if now.cause else None
    if challenger and now.word == CHALLENGED and status.word in VERDICT_STATUSES:
        reviewed = (challenger.atom.ref, *reviewed)
    word = status.word if asked.status else ""
    return StatusChange(old, word, by, to_one_line(asked.reason), date, reviewed)


def _known_cause(view: View, cause: str, project: str) -> LoadedAtom | None:
    """Return the atom that a status already names."""
    found = next(
        filter(None, map(view.queries.find_ref, list_candidate_refs(cause, project))), None
    )
    return resolve_atom(view, found[1], view.tree.root) if found else None


def resolve_atom(view: View, typed: str, cwd: str) -> LoadedAtom:
    """Return the atom that a person names; raise `Unreadable`, and as `resolve_ref` does."""
    _, path = resolve_ref(view, typed, cwd)
    source, where = view.tree.read_text_or_flaw(path), parse_atom_path(path, view.kinds)
    if isinstance(source, Flaw) or where is None:
        said = source.message if isinstance(source, Flaw) else "no atom can stand there"
        raise Unreadable(f"{path}: {said}", hint="`cortexfs check` tells what is wrong")
    return LoadedAtom(parse_atom(path, where, source.text), source.text, where.kind)


def _theirs(view: TreeContext, paths: list[str]) -> frozenset[str]:
    """Return the files with uncommitted changes of the user, if cortexfs may commit there."""
    if not view.repository.can_commit:
        return frozenset()
    theirs = view.repository.find_user_changes(paths)
    return theirs.changed | theirs.untracked


def _buried(marking: StatusChangePlan, path: str) -> str:
    """Return the text that a tombstone replaces; empty if there is none."""
    for write in (touch.write for touch in marking.file_changes if touch.write.path == path):
        before = write.expected_text or ""
        if is_tombstone(write.text) and not is_tombstone(before):
            return before
    return ""
