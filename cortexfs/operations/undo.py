"""Undo the last change that was made through cortexfs, and only that."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.plan import WriteMode, attach_outcome
from cortexfs.core.changes.undo import (
    CommittedFile,
    find_dangling_citations,
    format_undo_message,
    is_empty_undo,
    is_incomplete_undo,
    plan_undo,
)
from cortexfs.errors import OutsideTree, Refused
from cortexfs.operations.shared.resolve_revision import require_repository, resolve_commit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.changes.plan import Outcome, Plan
    from cortexfs.session.annotation_types import Commit
    from cortexfs.session.annotation_types import UndoableChange as Made
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeContext, View


class UndoResult(NamedTuple):
    """The undone commit, the plan, and its outcome (None: nothing yet)."""

    commit: Commit
    plan: Plan
    outcome: Outcome | None = None

    @property
    def subject(self) -> str:
        """Return the subject of the undo; the undo of an undo is a redo."""
        return format_undo_message(self.commit.subject)


def undo(session: Session, named: str = "", *, mode: WriteMode = WriteMode.COMMIT) -> UndoResult:
    """Restore the bytes before the last change not yet undone, or before the given commit.

    Repeated, it goes one change further back. A killed undo is completed first.
    """

    def decide(view: View) -> UndoResult:
        return _of_commit(view, named) if named else _last(view)

    _refuse_busy(session)
    return attach_outcome(session.execute(decide, mode))


def redo(session: Session, *, mode: WriteMode = WriteMode.COMMIT) -> UndoResult:
    """Undo the last undo; raise `Refused` if something was changed since."""
    _refuse_busy(session)
    return attach_outcome(session.execute(_last_undo, mode))


def _refuse_busy(view: TreeContext) -> None:
    history = require_repository(view)
    if not view.repository.can_commit:
        raise Refused(
            f"the repository begins higher up, at {history.top}: nothing is committed there",
            hint="see `cortexfs doctor`",
        )
    if why := history.busy_reason():
        raise Refused(why, hint="finish it first")


def _standing(view: TreeContext) -> Iterator[Made]:
    """Yield our changes that are in effect, newest first: not undone, and no redone undo."""
    undone: set[str] = set()
    redone = ""
    for made in require_repository(view).find_undoable_changes():
        if made.commit.commit in undone:
            redone = made.undone_commit
        elif (
            not made.undone_commit or made.undone_commit != redone
        ):  # else it is a part of a killed undo
            redone = ""
            undone |= {made.undone_commit} if made.undone_commit else set()
            yield made


def _last(view: View) -> UndoResult:
    """Plan the undo of the last change in effect; a killed undo is completed first."""
    for number, made in enumerate(_standing(view)):
        if not number and (rest := _rest(view, made)):
            return rest
        if not made.undone_commit:
            return _undone(view, made)
    raise Refused(
        "there is nothing to undo",
        hint="only what cortexfs has committed itself is undone; `cortexfs log` shows the rest",
    )


def _last_undo(view: View) -> UndoResult:
    """Plan the redo of the last undo in effect, with only undos and redos after it."""
    for number, made in enumerate(_standing(view)):
        if not number and (rest := _rest(view, made)):
            return rest
        if not made.undone_commit:
            break
        if format_undo_message(made.commit.subject).startswith("redo: "):
            return _undone(view, _whole(view, made))
    raise Refused("there is nothing to redo", hint="only an undo with no change after it is redone")


def _whole(view: TreeContext, made: Made) -> Made:
    """Return an undo with all its changes, including the part that a killed one made."""
    first = require_repository(view).find_change(made.undone_commit)
    if first is None or not is_incomplete_undo(_paths(first), _paths(made)):
        return made
    both = (file._replace(before=file.after, after=file.before) for file in first.files)
    return made._replace(files=tuple(both))


def _of_commit(view: View, named: str) -> UndoResult:
    commit = resolve_commit(view, named)
    made = require_repository(view).find_change(commit)
    if made is None:
        raise Refused(
            f"{commit[:10]} was not made by cortexfs, or was changed since",
            hint=f"`git revert {commit[:10]}` takes it back",
        )
    return _undone(view, made)


def _rest(view: View, made: Made) -> UndoResult | None:
    """Plan the remaining part of a killed undo; None if it is complete."""
    first = require_repository(view).find_change(made.undone_commit) if made.undone_commit else None
    if first is None or not is_incomplete_undo(_paths(first), _paths(made)):
        return None
    rest = _plan(view, first)
    return None if is_empty_undo(rest) else UndoResult(first.commit, rest)


def _undone(view: View, made: Made) -> UndoResult:
    plan = _plan(view, made)
    if is_empty_undo(plan):
        raise Refused(
            f"undone already: {made.commit.subject}",
            hint="`cortexfs commit` commits what git does not know yet",
        )
    return UndoResult(made.commit, plan)


def _plan(view: View, made: Made) -> Plan:
    changes = [_change(*file) for file in made.files]
    message = require_repository(view).format_undo_message(
        format_undo_message(made.commit.subject), made.commit.commit
    )
    plan = plan_undo(message, changes, _present(view, changes))
    if plan.removes:
        _refuse_dangling(view, plan, made.commit.commit)
    return plan


def _refuse_dangling(view: View, plan: Plan, commit: str) -> None:
    """Refuse to remove an atom that another one has cited since."""
    naming = find_dangling_citations(plan, view.queries.list_atoms(), view.kinds)
    before = require_repository(view).read_contents(
        [(f"{commit}^", atom.path) for atom, _ in naming]
    )
    for (atom, cited), then in zip(naming, before, strict=True):
        if then is None or then.decode(errors="replace") != view.tree.read_text_lossy(atom.path):
            raise Refused(
                f"`{atom.ref}` names `{cited}`, which would be gone",
                hint="take that out first, or keep both and `cortexfs mark` it",
            )


def _change(path: str, before: bytes | None, after: bytes | None) -> CommittedFile:
    try:
        return CommittedFile(
            path, *(None if side is None else side.decode() for side in (before, after))
        )
    except UnicodeDecodeError:
        raise Refused(f"{path} is no text", hint="`git revert` takes that back") from None


def _present(view: TreeContext, changes: list[CommittedFile]) -> dict[str, str | None]:
    """Return the current texts of the files; unreadable ones are left out."""
    present = {}
    for change in changes:
        try:
            present[change.path] = view.tree.read_text_lossy(change.path)
        except (OSError, OutsideTree):
            continue
    return present


def _paths(made: Made) -> list[str]:
    return [file.path for file in made.files]
