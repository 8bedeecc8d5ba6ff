"""List some of the findings of `check`, and count all: a page at a time."""

from __future__ import annotations

from collections import Counter
from heapq import merge
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.checks.finding_codes import is_error
from cortexfs.operations.check import find_all_but_flaws
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.atoms.atom import Finding
    from cortexfs.session.session import Session


class FindingPage(NamedTuple):
    """Some findings in path and line order, and each code with the number of all, most first."""

    findings: Sequence[Finding]
    counts: Sequence[tuple[str, int]]

    @property
    def errors(self) -> int:
        """Number of errors."""
        return sum(count for code, count in self.counts if is_error(code))

    @property
    def warnings(self) -> int:
        """Number of warnings."""
        return sum(count for _, count in self.counts) - self.errors


def list_findings(
    session: Session,
    projects: Sequence[str] | None,
    *,
    code: str = "",
    after: Finding | None = None,
    limit: int,
) -> FindingPage:
    """Return the findings of some projects or of all, at most `limit` of those after one.

    With a code only its findings are returned; all are counted. The flaws of single atoms, which
    may be many, are read from the catalog as far as they are returned.
    """
    prefixes = ("",) if projects is None else tuple(f"projects/{name}/" for name in projects)
    with session.read(NeededContents.FINDINGS) as view:
        every = find_all_but_flaws(view, projects, None)
        others = view.store_findings(each for each in every if each.path.startswith(prefixes))
        counts = Counter(others.count_by_code())
        for (flaw_code, _), count in view.stored_atoms.count_flaws(prefixes).items():
            counts[flaw_code] += count
        codes = (code,) if code else None
        flaws = view.stored_atoms.iter_flaws(prefixes, codes, after.path if after else "")
        merged = merge(others.filter_code(code) if code else others, flaws, key=make_sort_key)
        last = make_sort_key(after) if after else None
        found = (each for each in merged if last is None or make_sort_key(each) > last)
        ranked = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
        return FindingPage(list(islice(found, limit)), ranked)


def make_sort_key(finding: Finding) -> tuple[str, int, str, str, int]:
    """Return what orders findings by path and line."""
    return finding.path, finding.line, finding.code, finding.message, finding.column
