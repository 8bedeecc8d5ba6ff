"""List the findings of a tree: filtered, counted and sorted, each with what ends it.

The flaws of single atoms may be many: the catalog counts them, and only those of a page are read,
unless a text is looked for.
"""

from __future__ import annotations

from collections import Counter
from heapq import merge
from itertools import groupby, islice
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.tree_paths import project_from_path
from cortexfs.core.checks.finding_code import ERROR
from cortexfs.core.checks.finding_codes import get_severity
from cortexfs.core.checks.remedies import Remedy, find_atom_remedy, find_named, find_remedy
from cortexfs.core.find.count_facets import (
    choose_one,
    count_chosen,
    count_facets,
    has_chosen,
)
from cortexfs.errors import Usage
from cortexfs.operations.check import find_all_but_flaws
from cortexfs.operations.list_findings import make_sort_key
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.find.count_facets import Chosen, FacetCounts
    from cortexfs.session.session import Session
from cortexfs.session.view import View

SORTS = ("path", "code", "severity")


class FindingsRequest(NamedTuple):
    """Which findings; `text` is a part of path or message, empty fields are any.

    `page` counts from 1.
    """

    text: str = ""
    code: str = ""
    severity: str = ""
    project: str = ""
    remedy: str = ""
    sort: str = SORTS[0]
    page: int = 1
    page_size: int = 100


class FindingCell(NamedTuple):
    """What findings are counted by; an empty project is the tree."""

    code: str
    severity: str
    project: str
    remedy: Remedy


class ShownFinding(NamedTuple):
    """A finding with its cell; `named` is the ref or id that its message names first."""

    finding: Finding
    cell: FindingCell
    named: str


class BrowsedFindings(NamedTuple):
    """A page of the findings that match, the number of all matches, and their counts by facet.

    `errors` and `warnings` count all findings.
    """

    rows: Sequence[ShownFinding]
    total: int
    facets: FacetCounts
    errors: int
    warnings: int


class _Known(NamedTuple):
    """All findings, those with the text that is looked for, and the cells of both."""

    every: Mapping[FindingCell, int]
    matching: Mapping[FindingCell, int]
    others: Sequence[ShownFinding]
    """The matching findings that are not flaws of single atoms, in path order."""


def browse_findings(session: Session, request: FindingsRequest) -> BrowsedFindings:
    """Return a page of findings; raise `Usage` for an unknown order."""
    if request.sort not in SORTS:
        raise Usage("there is no such order", hint=f"orders are {', '.join(SORTS)}")
    chosen = choose_one(request, FindingCell._fields)
    with session.read(NeededContents.FINDINGS) as view:
        known = _find_known(view, request.text.strip().casefold())
        first = (request.page - 1) * request.page_size
        rows = islice(_iter_sorted(view, known, request, chosen), first, first + request.page_size)
        errors = sum(n for cell, n in known.every.items() if cell.severity == ERROR)
        return BrowsedFindings(
            list(rows),
            count_chosen(known.matching, chosen),
            count_facets(known.matching, chosen),
            errors,
            sum(known.every.values()) - errors,
        )


def _find_known(view: View, text: str) -> _Known:
    stored = view.store_findings(find_all_but_flaws(view, None, None))
    others = [_describe(each, view.kinds) for each in stored]
    matching = [each for each in others if _has_text(each.finding, text)]
    flaws = {_make_flaw_cell(*key): n for key, n in view.stored_atoms.count_flaws().items()}
    counts = Counter(each.cell for each in matching)
    counts.update(_count_flaws_with(view, text) if text else flaws)
    return _Known(Counter(each.cell for each in others) + Counter(flaws), counts, matching)


def _count_flaws_with(view: View, text: str) -> Counter[FindingCell]:
    flaws = view.stored_atoms.iter_flaws()
    keys = Counter((f.code, project_from_path(f.path)) for f in flaws if _has_text(f, text))
    return Counter({_make_flaw_cell(*key): count for key, count in keys.items()})


def _iter_sorted(
    view: View, known: _Known, request: FindingsRequest, chosen: Chosen
) -> Iterator[ShownFinding]:
    """Yield the findings that match, in order."""
    text = request.text.strip().casefold()
    prefixes = (f"projects/{request.project}/" if request.project else "",)
    chosen_others = [each for each in known.others if has_chosen(each.cell, chosen)]
    for codes in _group_codes(known.matching, request.sort, chosen):
        flaws = (
            ShownFinding(each, _make_flaw_cell(each.code, project_from_path(each.path)), "")
            for each in view.stored_atoms.iter_flaws(prefixes, codes)
            if _has_text(each, text)
        )
        found = (each for each in flaws if has_chosen(each.cell, chosen))
        others = (each for each in chosen_others if each.cell.code in codes)
        yield from map(_name, merge(others, found, key=lambda each: make_sort_key(each.finding)))


def _group_codes(cells: Iterable[FindingCell], sort: str, chosen: Chosen) -> Iterator[set[str]]:
    """Yield the codes that match, in groups that follow each other in an order."""
    wanted = {cell.code: cell for cell in cells if has_chosen(cell, chosen)}.values()
    if sort == "path":
        yield {cell.code for cell in wanted}
    else:
        ordered = sorted(wanted, key=lambda cell: getattr(cell, sort))
        for _, group in groupby(ordered, key=lambda cell: getattr(cell, sort)):
            yield {cell.code for cell in group}


def _describe(finding: Finding, kinds: Kinds) -> ShownFinding:
    code, project = finding.code, project_from_path(finding.path)
    cell = FindingCell(code, get_severity(code), project, find_remedy(finding, kinds))
    return ShownFinding(finding, cell, "")


def _name(shown: ShownFinding) -> ShownFinding:
    return shown._replace(named=find_named(shown.finding))


def _make_flaw_cell(code: str, project: str) -> FindingCell:
    return FindingCell(code, get_severity(code), project, find_atom_remedy(code))


def _has_text(finding: Finding, text: str) -> bool:
    return not text or text in f"{finding.path} {finding.message}".casefold()
