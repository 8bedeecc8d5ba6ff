"""What the texts of a tree name of the world outside, and which atom names it where."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cortexfs.catalog.catalog import Catalog
    from cortexfs.core.atoms.atom import Ref


class Named(NamedTuple):
    """One thing that is named, and in how many atoms."""

    sort: str
    name: str
    atoms: int


class Mention(NamedTuple):
    """One atom that names a thing, and the line on which it does so first."""

    sort: str
    name: str
    ref: Ref
    path: str
    line: int
    status: str
    summary: str


def named(catalog: Catalog, sort: str, project: str, most: int) -> list[Named]:
    """Give what is named in most atoms, of one sort and project or (empty) of all."""
    rows = catalog.db.execute(
        "SELECT sort, m.name, count(*) FROM mentions m JOIN texts USING (path)"
        " WHERE ? IN ('', sort) AND ? IN ('', project)"
        " GROUP BY sort, m.name ORDER BY count(*) DESC, m.name, sort LIMIT ?",
        (sort, project, most),
    )
    return [Named(*row) for row in rows]


def mentions(catalog: Catalog, name: str, sort: str, project: str) -> list[Mention]:
    """Give who names a thing, in path order; where nothing is named so, who names its like."""
    for fits in ("m.name = ?", "instr(lower(m.name), lower(?))"):
        rows = catalog.db.execute(
            "SELECT sort, m.name, ref, path, line, status, summary FROM mentions m"  # noqa: S608
            f" JOIN texts USING (path) WHERE {fits} AND ? IN ('', sort) AND ? IN ('', project)"
            " ORDER BY m.name, path, sort",
            (name, sort, project),
        )
        if found := [Mention(*row) for row in rows]:
            return found
    return []
