"""One list of everything: filters, orders, counts and origins come from the catalog."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.errors import Usage
from cortexfs.operations.browse_atoms import SORTS, BrowseRequest, browse_atoms, list_matching_refs
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from place import Place

NOW = datetime(2026, 5, 6, 20, 31, tzinfo=UTC)
OBSERVATION = """---
id: {ident}
date: 2026-05-0{day}
project: flywheel
summary: "{summary}"
tags: [oil, bearing]
type: bugfix
{more}---

The bearing.
"""


def open_session(place: Place) -> Session:
    return Session.open(str(place.root), lambda: NOW)


def write_memory(place: Place, number: int, summary: str, more: str = "") -> None:
    ident = f"OBS-{number:03d}"
    text = OBSERVATION.format(ident=ident, day=number, summary=summary, more=more)
    place.write(f"projects/flywheel/observations/{ident}.md", text)


@pytest.fixture
def place(tree: Place) -> Place:
    """Five observations: of an agent, imported, by hand, archived, and with a session's atom."""
    write_memory(tree, 1, "First", 'session: s-1\ntool: Bash\ncreated: "2026-05-01T10:00:00Z"\n')
    write_memory(tree, 2, "Second", "origin: engram:41\n")
    write_memory(tree, 3, "Third")
    write_memory(tree, 4, "Fourth", 'status: stale\ndeleted-at: "2026-05-05T00:00:00Z"\n')
    write_memory(tree, 5, "Fifth, whose summary has session: in it", "")
    tree.git("add", ".")
    tree.git("commit", "-qm", "five observations")
    return tree


def list_summaries(place: Place, **wanted: object) -> list[str]:
    page = browse_atoms(open_session(place), BrowseRequest(**wanted))  # type: ignore[arg-type]
    return [row.summary.partition(",")[0] for row in page.rows]


def test_the_newest_are_first_and_archived_ones_are_left_out(place: Place) -> None:
    assert list_summaries(place) == ["Fifth", "Third", "Second", "First"]
    assert list_summaries(place, archived=True) == ["Fourth"]


def test_an_origin_is_shown_filtered_and_counted(place: Place) -> None:
    page = browse_atoms(open_session(place), BrowseRequest())
    origins = {row.summary[:5]: page.origins[row.path] for row in page.rows}
    assert (origins["First"].named.sort, origins["First"].named.tool) == ("agent", "Bash")
    assert (origins["Secon"].named.sort, origins["Secon"].named.source) == ("import", "engram:41")
    assert origins["Third"].named.sort == "file"
    commit = origins["Third"].commit
    assert commit
    assert commit.subject == "five observations"
    assert dict(page.facets["origin"]) == {"agent": 1, "import": 1, "file": 2}
    assert list_summaries(place, origins=("file",)) == ["Fifth", "Third"]


def test_the_atom_of_the_session_is_one_click_away(place: Place) -> None:
    place.write(
        "projects/flywheel/sessions/SES-001.md",
        "---\nid: SES-001\ndate: 2026-05-01\nproject: flywheel\nsummary: Session s-1\ntags: []\n"
        "session: s-1\n---\n",
    )
    page = browse_atoms(open_session(place), BrowseRequest())
    first = next(row for row in page.rows if row.summary == "First")
    assert page.origins[first.path].session_ref == "flywheel/SES-001"


def test_the_counts_of_a_facet_leave_out_its_own_filter(sample: Place) -> None:
    only = AtomFilter(kinds=("decision",), projects=("driftwood",))
    page = browse_atoms(open_session(sample), BrowseRequest(only))
    assert page.total == 4
    assert dict(page.facets["kind"])["experiment"] == 16
    assert dict(page.facets["project"])["lighthouse"] == 2
    assert sum(count for _, count in page.facets["status"]) == 4
    assert page.stored == 70


def test_each_order_has_both_directions(sample: Place) -> None:
    session = open_session(sample)
    for sort in SORTS:
        ups, downs = (
            browse_atoms(session, BrowseRequest(sort=sort, descending=down, page_size=200)).rows
            for down in (False, True)
        )
        assert len(ups) == len(downs) == 70
    by_reads = browse_atoms(session, BrowseRequest(sort="reads")).rows
    counts = [row.read_count for row in by_reads]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] == 14


def test_reads_are_those_of_the_index(sample: Place) -> None:
    shown = {
        line.split("\t")[0]: int(line.split("\t")[2]) for line in sample.ok("list").splitlines()
    }
    page = browse_atoms(open_session(sample), BrowseRequest(page_size=200))
    assert {row.ref: row.read_count for row in page.rows} == shown


def test_words_are_parts_of_ref_summary_or_tag(place: Place) -> None:
    assert list_summaries(place, text="obs-002") == ["Second"]
    assert list_summaries(place, text="OIL thi") == ["Third"]
    assert list_summaries(place, text="100%_") == []


def test_an_unknown_order_or_page_is_refused(tree: Place) -> None:
    session = open_session(tree)
    for request in (BrowseRequest(sort="x"), BrowseRequest(page=0), BrowseRequest(page_size=1000)):
        with pytest.raises(Usage):
            browse_atoms(session, request)
    assert browse_atoms(session, BrowseRequest(page=99)).rows == []


def test_all_matches_can_be_listed_by_ref(place: Place) -> None:
    found = list_matching_refs(open_session(place), BrowseRequest(origins=("file",)))
    assert found == ["flywheel/OBS-003", "flywheel/OBS-005"]


def test_an_unreadable_file_is_counted_beside_the_list(place: Place) -> None:
    place.write("projects/flywheel/experiments/EXP-001.md", "---\nid: [\n---\n")
    assert browse_atoms(open_session(place), BrowseRequest()).unreadable == 1


def test_words_are_found_in_either_case_of_any_alphabet(place: Place) -> None:
    write_memory(place, 6, "\u00dcber die STRASSE")
    for typed in ("\u00fcber", "\u00dcBER die", "stra\u00dfe", "strasse"):
        assert list_summaries(place, text=typed) == ["\u00dcber die STRASSE"]
