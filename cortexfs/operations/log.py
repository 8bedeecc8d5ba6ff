"""Tell what changed when: the last changes of a tree, or the past of one atom."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.parse_atom import read_atom
from cortexfs.core.atoms.tree_paths import place
from cortexfs.core.changes.plan import BOOKKEEPING
from cortexfs.operations.shared.resolve_revision import history_of, ref_of, resolve_past

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.atoms.atom import Ref
    from cortexfs.history.past import Commit, Step
    from cortexfs.session.session import Session
    from cortexfs.session.view import FileView


class Turn(NamedTuple):
    """One commit: the refs and the other files that it touched.

    In the past of one atom also from where it was moved, and its status before and after,
    where that changed.
    """

    made: Commit
    refs: tuple[Ref, ...] = ()
    others: tuple[str, ...] = ()
    moved_from: str = ""
    status: tuple[str, str] | None = None


def log(view: FileView, limit: int, *, bookkeeping: bool = False) -> list[Turn]:
    """Give the last changes of the tree, newest first; with `bookkeeping` also what kept books."""
    steps = history_of(view).latest(limit, () if bookkeeping else BOOKKEEPING)
    return [_turn(view, step) for step in steps]


def log_of(
    session: Session, typed: str, cwd: str, limit: int, *, bookkeeping: bool = False
) -> tuple[Ref, list[Turn]]:
    """Give an atom's full ref and its past, newest first, under whatever name it stood."""
    history = history_of(session)
    with session.read() as view:
        ref, path = resolve_past(view, typed, cwd)
        steps = history.past(path, limit + 1, () if bookkeeping else BOOKKEEPING)
        said = _statuses(view, steps)
        before = [*said[1:], said[-1]] if said else []
        turns = [
            _turn(view, step)._replace(
                moved_from=old if old != new else "",
                status=(was, now) if was and now and was != now else None,
            )
            for step, now, was in zip(steps, said, before, strict=True)
            for old, new in step.paths[:1]
        ]
        return ref, turns[:limit]


def _turn(view: FileView, step: Step) -> Turn:
    paths = [new for _, new in step.paths]
    named = {path: ref_of(view, path) for path in paths}
    refs = dict.fromkeys(ref for ref in named.values() if ref)
    return Turn(step.made, tuple(refs), tuple(path for path in paths if not named[path]))


def _statuses(view: FileView, steps: Sequence[Step]) -> list[str]:
    """Read the status that the atom had after each step; empty where it was not there."""
    paths = [step.paths[0][1] if step.paths else "" for step in steps]
    wanted = [(step.made.commit, path) for step, path in zip(steps, paths, strict=True) if path]
    found = iter(history_of(view).contents(wanted))
    return [_status(view, path, next(found)) if path else "" for path in paths]


def _status(view: FileView, path: str, content: bytes | None) -> str:
    where = place(path, view.kinds)
    if where is None or content is None:
        return ""
    return read_atom(path, where, content.decode(errors="replace")).text("status") or "active"
