"""Take back the last change that was made through cortexfs, and only that."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.plan import Mode, with_outcome
from cortexfs.core.changes.undo import Change, is_cut_short, is_empty, left_naming, plan_undo, title
from cortexfs.errors import OutsideTree, Refused
from cortexfs.operations.shared.resolve_revision import history_of

if TYPE_CHECKING:
    from cortexfs.core.changes.plan import Outcome, Plan
    from cortexfs.session.session import Session
    from cortexfs.session.types import Change as Made
    from cortexfs.session.types import Commit
    from cortexfs.session.view import FileView, View


class Undone(NamedTuple):
    """The commit that is taken back, by which plan, and what came of it (None: nothing yet)."""

    made: Commit
    plan: Plan
    outcome: Outcome | None = None

    @property
    def subject(self) -> str:
        """Name the undoing: that of an undoing is a redo."""
        return title(self.made.subject)


def undo(session: Session, *, mode: Mode = Mode.COMMIT) -> Undone:
    """Put back the bytes before the last change, in one commit; undoing that is a redo."""
    history = history_of(session)
    if not session.repository.commits:
        raise Refused(
            f"the repository begins higher up, at {history.top}: nothing is committed there",
            hint="see `cortexfs doctor`",
        )
    if why := history.quiet():
        raise Refused(why, hint="finish it first")
    return with_outcome(session.execute(_way, mode))


def _way(view: View) -> Undone:
    """Find the last change and plan its undoing; an undoing that was killed is ended first."""
    history = history_of(view)
    last = history.last_change()
    if last is None:
        raise Refused(
            "there is nothing to undo",
            hint="only what cortexfs has committed itself is undone; `cortexfs log` shows the rest",
        )
    first = history.change(last.undoes) if last.undoes else None
    if first and is_cut_short(_paths(first), _paths(last)):
        rest = _plan(view, first)
        if not is_empty(rest):
            return Undone(first.made, rest)
        both = (file._replace(before=file.after, after=file.before) for file in first.files)
        last = last._replace(files=tuple(both))  # it was ended by another: here is all of it
    plan = _plan(view, last)
    if is_empty(plan):
        raise Refused(
            f"undone already: {last.made.subject}",
            hint="`cortexfs commit` commits what git does not know yet",
        )
    return Undone(last.made, plan)


def _plan(view: View, made: Made) -> Plan:
    changes = [_change(*file) for file in made.files]
    message = history_of(view).undoing(title(made.made.subject), made.made.commit)
    plan = plan_undo(message, changes, _present(view, changes))
    if plan.removes:
        _refuse_dangling(view, plan, made.made.commit)
    return plan


def _refuse_dangling(view: View, plan: Plan, commit: str) -> None:
    """Refuse to take away an atom that another one has come to name since."""
    naming = left_naming(plan, view.facts.atoms(), view.kinds)
    before = history_of(view).contents([(f"{commit}^", atom.path) for atom, _ in naming])
    for (atom, cited), then in zip(naming, before, strict=True):
        if then is None or then.decode(errors="replace") != view.tree.text(atom.path):
            raise Refused(
                f"`{atom.ref}` names `{cited}`, which would be gone",
                hint="take that out first, or keep both and `cortexfs mark` it",
            )


def _change(path: str, before: bytes | None, after: bytes | None) -> Change:
    try:
        return Change(path, *(None if side is None else side.decode() for side in (before, after)))
    except UnicodeDecodeError:
        raise Refused(f"{path} is no text", hint="`git revert` takes that back") from None


def _present(view: FileView, changes: list[Change]) -> dict[str, str | None]:
    """Read what the files say now; what cannot be read is left out."""
    present = {}
    for change in changes:
        try:
            present[change.path] = view.tree.text(change.path)
        except (OSError, OutsideTree):
            continue
    return present


def _paths(made: Made) -> list[str]:
    return [file.path for file in made.files]
