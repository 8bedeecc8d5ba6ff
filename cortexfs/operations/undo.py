"""Undo the last change that was made through cortexfs, and only that."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import attach_outcome
from cortexfs.core.changes.undo import (
    CommittedFile,
    find_dangling_citations,
    format_undo_message,
    is_empty_undo,
    is_incomplete_undo,
    plan_undo,
)
from cortexfs.errors import OutsideTree, Refused
from cortexfs.operations.shared.resolve_revision import (
    require_committable_repository,
    require_repository,
    resolve_commit,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cortexfs.core.changes.plan import Outcome, Plan
    from cortexfs.session.annotation_types import CommitSummary, UndoableChange
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit, View


class UndoResult(NamedTuple):
    """The undone commit, the plan, and its outcome (None: nothing yet)."""

    commit: CommitSummary
    plan: Plan
    outcome: Outcome | None = None

    @property
    def subject(self) -> str:
        """Return the subject of the undo; the undo of an undo is a redo."""
        return format_undo_message(self.commit.subject)


def undo(
    session: Session, named: str = "", *, mode: ExecutionMode = ExecutionMode.COMMIT
) -> UndoResult:
    """Restore the bytes before the last change not yet undone, or before the given commit.

    Repeated, it goes one change further back. A killed undo is completed first.
    """

    def decide(view: View) -> UndoResult:
        return _plan_undo_of_commit(view, named) if named else _plan_next_undo(view)

    require_quiet_repository(session)
    return attach_outcome(session.execute(decide, mode))


def redo(session: Session, *, mode: ExecutionMode = ExecutionMode.COMMIT) -> UndoResult:
    """Undo the last undo; raise `Refused` if something was changed since."""
    require_quiet_repository(session)
    return attach_outcome(session.execute(_plan_redo, mode))


def require_quiet_repository(view: TreeFilesAndGit) -> None:
    """Raise `Refused` if nothing can be committed in the repository now."""
    if reason := require_committable_repository(view).busy_reason():
        raise Refused(reason, hint="finish it first")


def iter_changes_in_effect(view: TreeFilesAndGit, subject: str = "") -> Iterator[UndoableChange]:
    """Yield our changes that are in effect, newest first: not undone, and no redone undo.

    `subject` is a regular expression; it has to match an undo whenever it matches what is undone.
    """
    undone: set[str] = set()
    redone = ""
    for change in require_repository(view).find_undoable_changes(subject):
        if change.commit.commit in undone:
            redone = change.undone_commit
        elif not redone or change.undone_commit != redone:  # else it is a part of a killed undo
            redone = ""
            undone |= {change.undone_commit} if change.undone_commit else set()
            yield change


def _plan_next_undo(view: View) -> UndoResult:
    """Plan the undo of the last change in effect; a killed undo is completed first."""
    for number, change in enumerate(iter_changes_in_effect(view)):
        if not number and (plan := plan_rest_of_undo(view, change)):
            return plan
        if not change.undone_commit:
            return _plan_undo_result(view, change)
    raise Refused(
        "there is nothing to undo",
        hint="only commits of cortexfs can be undone; `cortexfs log` shows all",
    )


def _plan_redo(view: View) -> UndoResult:
    """Plan the redo of the last undo in effect, with only undos and redos after it."""
    for number, change in enumerate(iter_changes_in_effect(view)):
        if not number and (plan := plan_rest_of_undo(view, change)):
            return plan
        if not change.undone_commit:
            break
        if format_undo_message(change.commit.subject).startswith("redo: "):
            return _plan_undo_result(view, _complete_undo(view, change))
    raise Refused(
        "there is nothing to redo", hint="an undo can be redone if nothing has changed since"
    )


def _complete_undo(view: TreeFilesAndGit, change: UndoableChange) -> UndoableChange:
    """Return an undo with all its changes, including the part that a killed one made."""
    undone_change = _find_partly_undone_change(view, change)
    if undone_change is None:
        return change
    return change._replace(old=undone_change.new, new=undone_change.old)


def _find_partly_undone_change(
    view: TreeFilesAndGit, change: UndoableChange
) -> UndoableChange | None:
    """Return the change that a killed undo undid only in part; None for any other change."""
    if not change.undone_commit:
        return None
    undone_change = require_repository(view).find_change(change.undone_commit)
    if undone_change and is_incomplete_undo([*undone_change.old], [*change.old]):
        return undone_change
    return None


def _plan_undo_of_commit(view: View, named: str) -> UndoResult:
    commit = resolve_commit(view, named)
    change = require_repository(view).find_change(commit)
    if change is None:
        raise Refused(
            f"{commit[:10]} was not made by cortexfs, or was changed since",
            hint=f"`git revert {commit[:10]}` reverts it",
        )
    return _plan_undo_result(view, change)


def plan_rest_of_undo(view: View, change: UndoableChange) -> UndoResult | None:
    """Plan the remaining part of a killed undo; None if it is complete."""
    undone_change = _find_partly_undone_change(view, change)
    if undone_change is None:
        return None
    plan = plan_reversal(view, undone_change)
    return None if is_empty_undo(plan) else UndoResult(undone_change.commit, plan)


def _plan_undo_result(view: View, change: UndoableChange) -> UndoResult:
    plan = plan_reversal(view, change)
    if is_empty_undo(plan):
        raise Refused(
            f"already undone: {change.commit.subject}",
            hint="`cortexfs commit` commits changes made by hand",
        )
    return UndoResult(change.commit, plan)


def plan_reversal(
    view: View, change: UndoableChange, texts: Mapping[str, str | None] | None = None
) -> Plan:
    """Return the plan of an undo; `texts` are those that the undos before it will leave."""
    history = require_repository(view)
    changes = [_decode_file(*file) for file in history.read_changed_files(change)]
    message = history.format_undo_message(
        format_undo_message(change.commit.subject), change.commit.commit
    )
    plan = plan_undo(message, changes, {**_read_present_texts(view, changes), **(texts or {})})
    if plan.removes:
        _refuse_dangling(view, plan, change.commit.commit, texts or {})
    return plan


def _refuse_dangling(view: View, plan: Plan, commit: str, texts: Mapping[str, str | None]) -> None:
    """Refuse to remove an atom that another one has cited since."""
    citations = [
        (atom, cited)
        for atom, cited in find_dangling_citations(plan, view.stored_atoms, view.kinds)
        if cited in (texts.get(atom.path, cited) or "")
    ]
    old_contents = require_repository(view).read_contents(
        [(f"{commit}^", atom.path) for atom, _ in citations]
    )
    for (atom, cited), content in zip(citations, old_contents, strict=True):
        old_text = None if content is None else content.decode(errors="replace")
        if old_text is None or old_text != view.tree.read_text_lossy(atom.path):
            raise Refused(
                f"`{atom.ref}` cites `{cited}`, which would be removed",
                hint="remove that citation first, or keep both and `cortexfs mark` it",
            )


def _decode_file(path: str, before: bytes | None, after: bytes | None) -> CommittedFile:
    try:
        return CommittedFile(
            path, *(None if side is None else side.decode() for side in (before, after))
        )
    except UnicodeDecodeError:
        raise Refused(f"{path} is not text", hint="`git revert` reverts that commit") from None


def _read_present_texts(
    view: TreeFilesAndGit, changes: list[CommittedFile]
) -> dict[str, str | None]:
    """Return the current texts of the files; unreadable ones are left out."""
    texts = {}
    for change in changes:
        try:
            texts[change.path] = view.tree.read_text_lossy(change.path)
        except (OSError, OutsideTree):
            continue
    return texts
