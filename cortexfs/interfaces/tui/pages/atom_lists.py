"""Lists of atoms: the newest of the tree, those of a project, and decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.kinds import DECISION_KIND
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.interfaces.tui.atom_rows import ATOM_COLUMNS, make_atom_row
from cortexfs.interfaces.tui.shown_content import TableContent

if TYPE_CHECKING:
    from cortexfs.interfaces.tui.page import PanelContext, Request

ATOM_SORTS = ("reads", "date", "id", "status", "title")
NO_ATOMS = "No atoms yet: `cortexfs new` creates one, and agents save them over MCP."
NO_DECISIONS = "No decisions yet: `cortexfs decision new` proposes one."


def load_recent(context: PanelContext, request: Request) -> TableContent:
    """Return all atoms of the tree."""
    return _load_atoms(context, request, AtomFilter())


def load_project(context: PanelContext, request: Request) -> TableContent:
    """Return the atoms of a project."""
    return _load_atoms(context, request, AtomFilter(projects=(request.argument,)))


def load_decisions(context: PanelContext, request: Request) -> TableContent:
    """Return the decisions: those to be made first, then by project."""
    from cortexfs.operations.decision import list_decisions

    found = list_decisions(context.session, AtomFilter(kinds=(DECISION_KIND,)), system=False)
    found.sort(key=lambda entry: entry.status.word != "proposed")
    waiting = sum(entry.status.word == "proposed" for entry in found)
    now = context.session.clock()
    rows = tuple(make_atom_row(each, now) for each in found[: request.limit])
    about = f"{waiting} to be made" if waiting else ""
    return TableContent(ATOM_COLUMNS, rows, len(found), NO_DECISIONS, about=about)


def _load_atoms(context: PanelContext, request: Request, only: AtomFilter) -> TableContent:
    from cortexfs.core.find.atom_criteria import AtomCriteria, SortKey
    from cortexfs.operations.list_atoms import list_atom_page

    sort = SortKey(request.sort)
    found = list_atom_page(context.session, AtomCriteria(only), sort, limit=request.limit)
    now, is_one = context.session.clock(), bool(only.projects)
    rows = tuple(make_atom_row(each, now, is_one_project=is_one) for each in found.atoms)
    return TableContent(ATOM_COLUMNS, rows, found.total, NO_ATOMS, about=f"by {sort}")
