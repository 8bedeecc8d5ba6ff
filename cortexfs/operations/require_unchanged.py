"""Let a change happen only while an atom has the text that its author saw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.errors import AtomChanged, CortexError
from cortexfs.operations.shared.resolve_names import resolve_ref
from cortexfs.session.change_observer import ChangeObserver

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.session.session import Session
    from cortexfs.session.view import View


def require_unchanged(
    session: Session, typed: str, cwd: str, is_expected: Callable[[str], bool]
) -> Session:
    """Return a session that checks the text of an atom before each of its plans.

    The check has the view of the planner: nothing comes between the two. A plan of another text
    raises `AtomChanged`, and so does one where the atom has gone.
    """

    def check(view: View) -> None:
        try:
            _, path = resolve_ref(view, typed, cwd)
        except CortexError:
            raise AtomChanged(typed) from None
        if not is_expected(view.tree.read_text_lossy(path) or ""):
            raise AtomChanged(path)

    return session.with_observer(ChangeObserver(check))
