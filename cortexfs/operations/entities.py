"""What a tree names of the world outside, and who names it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.find.entities import SORTS
from cortexfs.core.find.filters import Only
from cortexfs.core.text.nearest_names import nearest_names
from cortexfs.core.text.sanitize import one_line
from cortexfs.errors import Usage
from cortexfs.operations.shared.filters import require_known
from cortexfs.session.view import Intake

if TYPE_CHECKING:
    from cortexfs.core.find.entities import Mention, Named
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


EVERY = Only()
"""No filter."""


def entities(session: Session, sort: str = "", only: Only = EVERY, most: int = 50) -> list[Named]:
    """Return what most of the matching atoms name, of one sort or of all."""
    with session.read(Intake.TEXTS, drain=True) as view:
        _check(view, sort, only)
        return view.within().named(sort, only, most)


def mentions(session: Session, name: str, sort: str = "", only: Only = EVERY) -> list[Mention]:
    """Return the matching atoms that name a thing; if none does, those that name a similar one."""
    with session.read(Intake.TEXTS, drain=True) as view:
        _check(view, sort, only)
        text = one_line(name)
        return view.within().mentions(text, sort, only) if text else []


def _check(view: View, sort: str, only: Only) -> None:
    if sort and sort not in SORTS:
        close = nearest_names(sort, SORTS)
        hint = f"did you mean `{close[0]}`?" if close else f"one of: {', '.join(SORTS)}"
        raise Usage(f"no sort of entity named `{sort}`", hint=hint)
    require_known(view, only)
