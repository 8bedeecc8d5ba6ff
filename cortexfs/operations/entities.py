"""What a tree names of the world outside, and who names it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.find.entities import SORTS
from cortexfs.core.text.sanitize import one_line
from cortexfs.errors import Usage
from cortexfs.operations.shared.resolve_names import project_named

if TYPE_CHECKING:
    from cortexfs.catalog.entity_mentions import Mention, Named
    from cortexfs.cortex import Cortex


def entities(cortex: Cortex, sort: str = "", project: str = "", most: int = 50) -> list[Named]:
    """Give what is named in most atoms, of one sort and project or of all."""
    _check(cortex, sort, project)
    cortex.catch_up()
    return cortex.within().named(sort, project, most)


def mentions(cortex: Cortex, name: str, sort: str = "", project: str = "") -> list[Mention]:
    """Give the atoms that name a thing, or where there is none, whatever is named alike."""
    _check(cortex, sort, project)
    cortex.catch_up()
    said = one_line(name)
    return cortex.within().mentions(said, sort, project) if said else []


def _check(cortex: Cortex, sort: str, project: str) -> None:
    if sort and sort not in SORTS:
        raise Usage(f"no sort of entity named `{sort}`", hint=f"one of: {', '.join(SORTS)}")
    if project:
        project_named(cortex, project)
