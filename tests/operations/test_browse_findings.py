"""The list of findings: its filters, orders and counts, compared with those of all findings."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from cortexfs.core.checks.finding_codes import get_severity
from cortexfs.errors import Usage
from cortexfs.operations.browse_findings import (
    SORTS,
    BrowsedFindings,
    FindingCell,
    FindingsRequest,
    ShownFinding,
    browse_findings,
)
from cortexfs.operations.check import check
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from place import Place


TEXTS = ("", "EXP-00", "no such text")


@pytest.fixture
def session(sample: Place) -> Session:
    for number, line in enumerate(("status: VALID", "stutus: valid", "status: valid: 3")):
        path = f"projects/driftwood/experiments/EXP-00{number + 5}.md"
        sample.write(path, sample.read(path).replace("status: valid", line))
    sample.write("projects/driftwood/experiments/index.md", "old\n")
    return Session.open(str(sample.root), lambda: datetime.now(UTC))


def _list_all(session: Session, page_size: int = 3, **wanted: str) -> list[ShownFinding]:
    rows: list[ShownFinding] = []
    page = 1
    while found := _browse(session, page=page, page_size=page_size, **wanted).rows:
        rows += found
        page += 1
    return rows


def _browse(
    session: Session, page: int = 1, sort: str = "path", page_size: int = 3, **wanted: str
) -> BrowsedFindings:
    request = FindingsRequest(sort=sort, page=page, page_size=page_size)._replace(**wanted)
    return browse_findings(session, request)


def test_all_pages_together_have_each_finding_once(session: Session) -> None:
    rows = _list_all(session)
    every = list(check(session, None).findings)
    assert [row.finding for row in rows] == every
    assert len({row.cell.code for row in rows}) > 3
    found = _browse(session)
    severities = Counter(get_severity(each.code) for each in every)
    assert (found.errors, found.warnings) == (severities["error"], severities["warning"])
    assert found.total == len(every)


@pytest.mark.parametrize("sort", SORTS)
def test_each_filter_leaves_what_it_names_in_order_and_counts_it(
    session: Session, sort: str, soak: bool
) -> None:
    every = _list_all(session, sort=sort)
    keys = [getattr(row.cell, sort, "") for row in every]
    assert keys == sorted(keys)
    texts = TEXTS if soak else TEXTS[SORTS.index(sort) % len(TEXTS) :][:1]
    for text in texts:
        rows = [r for r in every if text in f"{r.finding.path} {r.finding.message}"]
        facets = _browse(session, text=text).facets
        for facet in FindingCell._fields:
            counts = Counter(getattr(row.cell, facet) for row in rows)
            assert dict(facets[facet]) == counts
            for value in filter(None, counts):
                wanted = {"text": text, "sort": sort, facet: value}
                expected = [row for row in rows if getattr(row.cell, facet) == value]
                # all on one page: the pages of a list are another test's
                assert _list_all(session, page_size=len(every), **wanted) == expected
                assert _browse(session, **wanted).total == len(expected)


def test_an_unknown_order_is_refused(session: Session) -> None:
    with pytest.raises(Usage, match="no such order"):
        _browse(session, sort="colour")
