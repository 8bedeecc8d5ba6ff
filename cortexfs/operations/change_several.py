"""Mark, archive or restore several atoms in one commit, which one undo takes back."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.kinds import OBSERVATION_KIND
from cortexfs.core.atoms.lifecycle import TOMBSTONE_STATUS, parse_atom_status
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, Write
from cortexfs.core.memory.memory_text import change_memory_text
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.errors import CortexError, Refused, Usage
from cortexfs.operations.browse_atoms import MAX_SELECTED
from cortexfs.operations.decision import plan_decision_successor, plan_decision_verdict
from cortexfs.operations.mark import MarkRequest, plan_mark, resolve_atom
from cortexfs.operations.restore import plan_restore
from cortexfs.operations.shared.cortex_md_and_overview import add_derived_writes
from cortexfs.operations.shared.load_memories import resolve_memory
from cortexfs.operations.shared.plan_memory_changes import plan_soft_deletion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.changes.plan import Outcome
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

ARCHIVE, RESTORE, REVIEW = "archive", "restore", "review"
"""Changes beside the statuses."""
_ARCHIVED_STATUS = "deprecated"


class SeveralRequest(NamedTuple):
    """The atoms, and a status, `archive`, `restore` or `review`; `cause` and `reason` as in `mark`.

    The cause of a review is the atom that was looked at: the reviewed ones are still valid.
    """

    refs: tuple[str, ...]
    change: str
    cause: str = ""
    reason: str = ""


class ChangedAtom(NamedTuple):
    """The planned change of one atom; a plan without writes changes nothing."""

    ref: str
    plan: Plan


class SeveralResult(NamedTuple):
    """The changed atoms, the refused ones with the reason, and the commit (empty: none)."""

    changed: tuple[ChangedAtom, ...]
    refused: tuple[tuple[str, CortexError], ...]
    commit: str = ""
    outcome: Outcome | None = None


def change_several(
    session: Session, request: SeveralRequest, *, mode: ExecutionMode = ExecutionMode.COMMIT
) -> SeveralResult:
    """Change some atoms; a refused one does not stop the others.

    Archiving sets a memory aside, and deprecates any other atom; restoring takes that back, and
    gives a tombstone its text. Raises `Usage` without atoms, or with too many.
    """
    if not request.refs or len(request.refs) > MAX_SELECTED:
        raise Usage(f"select 1 to {MAX_SELECTED} atoms")
    decides = [partial(_decide, request=request, ref=ref, mode=mode) for ref in request.refs]
    results, outcome = session.execute_all(decides, _format_message(request), mode)
    return _collect(request, results, None if mode.is_dry_run else outcome)


def _collect(
    request: SeveralRequest, results: Sequence[ChangedAtom | CortexError], outcome: Outcome | None
) -> SeveralResult:
    pairs = list(zip(request.refs, results, strict=True))
    changed = tuple(each for _, each in pairs if isinstance(each, ChangedAtom) and each.plan.writes)
    refused = tuple((ref, each) for ref, each in pairs if isinstance(each, CortexError))
    commit = outcome.commits[-1] if outcome and outcome.commits and changed else ""
    return SeveralResult(changed, refused, commit, outcome)


def _format_message(request: SeveralRequest) -> str:
    """Return the message of the commit; which atoms were refused is not known before it."""
    is_mark = request.change not in {ARCHIVE, RESTORE, REVIEW}
    what = request.refs[0] if len(request.refs) == 1 else "selected atoms"
    message = f"mark {what} {request.change}" if is_mark else f"{request.change} {what}"
    return f"{message}: {to_one_line(request.reason)}" if request.reason else message


def _decide(view: View, request: SeveralRequest, ref: str, mode: ExecutionMode) -> ChangedAtom:
    if request.change == ARCHIVE:
        return ChangedAtom(ref, _plan_archive(view, request, ref, mode))
    if request.change == RESTORE:
        return ChangedAtom(ref, _plan_restore(view, ref, mode))
    if request.change == REVIEW:
        return ChangedAtom(ref, _plan_review(view, request, ref, mode))
    return ChangedAtom(ref, _plan_mark(view, request, ref, request.change, mode))


def _plan_archive(view: View, request: SeveralRequest, ref: str, mode: ExecutionMode) -> Plan:
    target = resolve_atom(view, ref, view.tree.root)
    if target.kind.name == OBSERVATION_KIND:
        return plan_soft_deletion(view, resolve_memory(view, target.atom.ref), "archive").plan
    return _plan_mark(view, request, ref, _ARCHIVED_STATUS, mode)


def _plan_restore(view: View, ref: str, mode: ExecutionMode) -> Plan:
    target = resolve_atom(view, ref, view.tree.root)
    atom, status = target.atom, parse_atom_status(target.atom.text_field("status")).word
    if status == TOMBSTONE_STATUS:
        return plan_restore(view, ref, None, view.tree.root).plan
    if atom.text_field("deleted-at"):
        text = change_memory_text(target.text, {"deleted-at": None, "status": None})
        writes = add_derived_writes(view, [Write(atom.path, text, target.text)])
        return Plan(f"restore {atom.ref}", tuple(writes))
    if status == _ARCHIVED_STATUS:
        return _plan_mark(view, SeveralRequest((ref,), "active"), ref, "active", mode)
    raise Refused(f"`{atom.ref}` is not archived", hint="it is as it was")


def _plan_review(view: View, request: SeveralRequest, ref: str, mode: ExecutionMode) -> Plan:
    project = resolve_atom(view, ref, view.tree.root).atom.project
    place = f"{view.tree.root}/projects/{project}" if project else view.tree.root
    wanted = MarkRequest(ref, "", "", request.reason, place, (request.cause,))
    return plan_mark(view, wanted, commit=mode.is_committing).plan


def _plan_mark(
    view: View, request: SeveralRequest, ref: str, status: str, mode: ExecutionMode
) -> Plan:
    root, reason = view.tree.root, request.reason
    if resolve_atom(view, ref, root).kind.is_decision:
        if request.cause:
            return plan_decision_successor(view, ref, request.cause, root, reason).plan
        return plan_decision_verdict(view, ref, status, root, reason).plan
    wanted = MarkRequest(ref, status, request.cause, reason, root)
    return plan_mark(view, wanted, commit=mode.is_committing).plan
