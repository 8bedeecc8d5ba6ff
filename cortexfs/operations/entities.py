"""What a tree names of the world outside, and who names it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.find.entities import SORTS
from cortexfs.core.text.sanitize import one_line
from cortexfs.errors import Usage
from cortexfs.operations.shared.resolve_names import project_named
from cortexfs.session.view import Intake

if TYPE_CHECKING:
    from cortexfs.catalog.entity_mentions import Mention, Named
    from cortexfs.session.session import Session
    from cortexfs.session.view import FileView


def entities(session: Session, sort: str = "", project: str = "", most: int = 50) -> list[Named]:
    """Give what is named in most atoms, of one sort and project or of all."""
    _check(session, sort, project)
    with session.read(Intake.TEXTS, drain=True) as view:
        return view.within().named(sort, project, most)


def mentions(session: Session, name: str, sort: str = "", project: str = "") -> list[Mention]:
    """Give the atoms that name a thing, or where there is none, whatever is named alike."""
    _check(session, sort, project)
    with session.read(Intake.TEXTS, drain=True) as view:
        said = one_line(name)
        return view.within().mentions(said, sort, project) if said else []


def _check(view: FileView, sort: str, project: str) -> None:
    if sort and sort not in SORTS:
        raise Usage(f"no sort of entity named `{sort}`", hint=f"one of: {', '.join(SORTS)}")
    if project:
        project_named(view, project)
