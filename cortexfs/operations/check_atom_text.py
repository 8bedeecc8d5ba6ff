"""Let a change happen only while an atom has the text that its author saw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.errors import AtomChanged, CortexError
from cortexfs.operations.shared.resolve_names import resolve_ref

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.session.view import View


def make_text_check(
    typed: str, cwd: str, is_expected: Callable[[str], bool]
) -> Callable[[View], None]:
    """Return a check of an atom's text for a `ChangeObserver`.

    It has the view of the planner: nothing comes between the two. Raises `AtomChanged` for another
    text, and where the atom has gone.
    """

    def check(view: View) -> None:
        try:
            _, path = resolve_ref(view, typed, cwd)
        except CortexError:
            raise AtomChanged(typed) from None
        if not is_expected(view.tree.read_text_lossy(path) or ""):
            raise AtomChanged(path)

    return check
