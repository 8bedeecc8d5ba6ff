"""Change the status of an atom, with all that this requires, in one commit."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.lifecycle import CHALLENGED, VERDICT_STATUSES, parse_atom_status
from cortexfs.core.atoms.parse_atom import parse_atom
from cortexfs.core.atoms.refs import list_candidate_refs
from cortexfs.core.atoms.tree_paths import is_personal_path, parse_atom_path
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, attach_outcome
from cortexfs.core.status_change.allowed_status import require_known_status
from cortexfs.core.status_change.plan_status_change import plan_status_change
from cortexfs.core.status_change.status_change import LoadedAtom, StatusChange, StatusChangePlan
from cortexfs.core.status_change.tombstone import is_tombstone
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.errors import Unreadable, Usage
from cortexfs.operations.shared.citing_files import find_citing_files
from cortexfs.operations.shared.cortex_md_and_overview import add_derived_writes
from cortexfs.operations.shared.refuse_loss_and_errors import refuse_loss, refuse_new_errors
from cortexfs.operations.shared.resolve_names import resolve_ref

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit, View


_FULL_REF_HINT = "in --reason write refs in full: `driftwood/EXP-001`"


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
    changes: StatusChangePlan
    plan: Plan
    outcome: Outcome | None = None

    @property
    def own_changes(self) -> bool:
        """Return whether the commit includes the user's own changes to the atom."""
        return self.outcome is not None and self.path in self.outcome.own_changes


def mark(
    session: Session, request: MarkRequest, *, mode: ExecutionMode = ExecutionMode.COMMIT
) -> MarkResult:
    """Set the status of an atom; successor, impact and challenges come in the same commit.

    Raises `Refused` if the lifecycle does not allow it, and if a tombstone would replace a text
    that git does not hold.
    """

    def decide(view: View) -> MarkResult:
        return plan_mark(view, request, commit=mode.is_committing)

    return attach_outcome(session.execute(decide, mode))


def plan_mark(view: View, request: MarkRequest, *, commit: bool) -> MarkResult:
    """Parse the arguments, find the citations of the atom, and plan."""
    change = _parse_request(view, request)
    atom = change.target.atom
    citing_files = find_citing_files(view, atom.ref)
    paths = [atom.path, *(file.path for file in citing_files if file.atom)]
    paths += [change.cause.atom.path] if change.cause else []
    uncommitted = _find_uncommitted_files(view, paths) if commit else frozenset()
    status_plan = plan_status_change(change, citing_files, view.kinds, uncommitted)
    writes = [file_change.write for file_change in status_plan.file_changes]
    refuse_new_errors(view, writes, _FULL_REF_HINT)
    if text := _find_replaced_text(status_plan, atom.path):
        refuse_loss(view, atom.path, text, commit=commit)
    result = str(change.new_status) if change.status_word else "reviewed"
    message = f"mark {atom.ref} {result}"
    if change.reason and not is_personal_path(atom.path):
        message += f": {change.reason}"
    plan = Plan(message, tuple(add_derived_writes(view, writes)) if writes else ())
    return MarkResult(atom.ref, atom.path, str(change.new_status), status_plan, plan)


def _parse_request(view: View, request: MarkRequest) -> StatusChange:
    """Return the status change; `superseded:EXP-020` names the successor, as `--by EXP-020` does.

    Without a status only a review is recorded.
    """
    if not request.status and (request.cause or not request.reviewed):
        raise Usage("no status is given", hint="give a status, or only --reviewed REF")
    target = resolve_atom(view, request.ref, request.cwd)
    status = parse_atom_status(request.status)
    if request.status:
        require_known_status(status.word, target.kind)
    now = parse_atom_status(target.atom.text_field("status"))
    known_cause = now.cause if now.word == status.word else ""
    cause = None
    if typed_cause := request.cause or status.cause:
        cause = resolve_atom(view, typed_cause, request.cwd)
    elif known_cause:
        cause = _load_cause(view, known_cause, target.atom.project)
    date = view.clock().date().isoformat()
    reviewed = tuple(resolve_ref(view, ref, request.cwd)[0] for ref in request.reviewed)
    if now.word == CHALLENGED and now.cause and status.word in VERDICT_STATUSES:
        challenger = _load_cause(view, now.cause, target.atom.project)
        reviewed = (challenger.atom.ref, *reviewed) if challenger else reviewed
    word = status.word if request.status else ""
    return StatusChange(target, word, cause, to_one_line(request.reason), date, reviewed)


def _load_cause(view: View, cause: str, project: str) -> LoadedAtom | None:
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
        message = source.message if isinstance(source, Flaw) else "an atom cannot have this path"
        raise Unreadable(f"{path}: {message}", hint="`cortexfs check` shows what is wrong")
    return LoadedAtom(parse_atom(path, where, source.text), source.text, where.kind)


def _find_uncommitted_files(view: TreeFilesAndGit, paths: list[str]) -> frozenset[str]:
    """Return the files with uncommitted changes of the user, if cortexfs may commit there."""
    if not view.repository.can_commit:
        return frozenset()
    uncommitted = view.repository.find_user_changes(paths)
    return uncommitted.changed | uncommitted.untracked


def _find_replaced_text(status_plan: StatusChangePlan, path: str) -> str:
    """Return the text that a tombstone replaces; empty if there is none."""
    writes = (file_change.write for file_change in status_plan.file_changes)
    for write in (write for write in writes if write.path == path):
        before = write.expected_text or ""
        if is_tombstone(write.text) and not is_tombstone(before):
            return before
    return ""
