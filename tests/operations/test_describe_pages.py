"""What pages about atoms, projects, files and activity say, on the sample."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.errors import NoSuchAtom, NoSuchProject, OutsideTree, Unreadable
from cortexfs.operations.check_text import check_text
from cortexfs.operations.describe_atom import describe_atom
from cortexfs.operations.describe_project import describe_project, list_described_projects
from cortexfs.operations.find_commit import find_commit
from cortexfs.operations.read_atom_change import read_atom_change
from cortexfs.operations.read_decision_chain import read_decision_chain
from cortexfs.operations.read_page import read_page
from cortexfs.operations.read_tree_state import TreeState
from cortexfs.operations.summarize_activity import summarize_activity
from cortexfs.operations.summarize_open_work import summarize_open_work
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from place import Place

NOW = datetime(2026, 5, 6, 20, 31, tzinfo=UTC)
REF, PATH = "driftwood/EXP-006", "projects/driftwood/experiments/EXP-006.md"
OTHER = "projects/driftwood/experiments/EXP-001.md"


@pytest.fixture
def session(sample: Place) -> Session:
    return Session.open(str(sample.root), lambda: NOW)


def test_an_atom_has_links_reads_and_commits(session: Session, sample: Place) -> None:
    sample.ok("mark", REF, "partial", "--reason", "two sets")
    found = describe_atom(session, REF)
    assert [link.target for link in found.links] == [
        "driftwood/EXP-001",
        "driftwood/EXP-002",
        "driftwood/EXP-003",
    ]
    assert len(found.backlinks) == 16
    assert found.nodes["driftwood/EXP-003"].summary.startswith("Grid + delta")
    assert found.entry
    assert found.entry.reads.read_count == 9
    assert [each.commit.subject for each in found.commits] == [
        "mark driftwood/EXP-006 partial: two sets",
        "start",
    ]
    assert found.flaws == ()
    assert "superseded" in found.next_statuses
    assert "partial" not in found.next_statuses


def test_an_atom_is_not_read_by_looking_at_its_page(session: Session, sample: Place) -> None:
    describe_atom(session, REF)
    assert not sample.git("status", "--short")
    assert "9\tpartial" in sample.ok("list") or "9\tvalid" in sample.ok("list")


def test_one_atom_is_read_without_those_beside_it(session: Session) -> None:
    statements: list[str] = []
    with session.read() as view:
        view.catalog.db.set_trace_callback(statements.append)
    assert describe_atom(session, REF).entry
    assert read_page(session, PATH).ref == REF
    assert not [
        each
        for each in statements
        if each.startswith("SELECT ref, path FROM atoms ORDER")
        or ("rows.folder =" in each and "name =" not in each)
    ]


def test_what_cannot_be_read_says_why(session: Session, sample: Place) -> None:
    sample.write(PATH, "\xff")
    (sample.root / PATH).write_bytes(b"---\nid: \xff\n")
    with pytest.raises(Unreadable):
        describe_atom(session, REF)
    with pytest.raises(NoSuchAtom):
        describe_atom(session, "driftwood/EXP-999")


def test_a_text_is_checked_without_being_written(session: Session, sample: Place) -> None:
    text = sample.read(PATH)
    assert check_text(session, PATH, text) == []
    wrong = text.replace("summary:", "summry:").replace("EXP-003]", "EXP-003, EXP-999]")
    assert wrong.count("EXP-999") <= 1
    codes = {flaw.code for flaw in check_text(session, PATH, wrong + "\nAs in K-999.\n")}
    assert {"missing-field", "dangling-ref"} <= codes
    assert sample.read(PATH) == text
    with pytest.raises(OutsideTree):
        check_text(session, "STATUS.md", text)


def test_a_project_has_its_pages_and_counts(session: Session) -> None:
    found = describe_project(session, "driftwood")
    assert found.status["phase"].startswith("Phase 3")
    assert sum(item.done for item in found.roadmap) == 12
    assert "projects/driftwood/STATUS.md" in found.pages
    with pytest.raises(NoSuchProject):
        describe_project(session, "driftwod")
    assert [(each.name, each.atoms) for each in list_described_projects(session)] == [
        ("driftwood", 32),
        ("greenhouse", 13),
        ("lighthouse", 20),
    ]


def test_a_page_is_read_and_an_atom_is_recognized(session: Session) -> None:
    page = read_page(session, "projects/driftwood/STATUS.md")
    assert page.ref == ""
    assert {REF, "DR-0001"} < set(page.refs)
    assert {ref.partition("/")[0] for ref in page.refs if "/" in ref} == {"driftwood"}
    assert page.last_commit
    assert page.last_commit.subject == "start"
    assert read_page(session, PATH).ref == REF
    for path in (".git/config.md", "projects/../../x.md", "/etc/passwd", ".cortexfs/lock"):
        with pytest.raises((OutsideTree, NoSuchAtom)):
            read_page(session, path)


def test_a_change_has_the_text_before_and_after(session: Session, sample: Place) -> None:
    sample.ok("mark", REF, "partial")
    commit = sample.git("rev-parse", "HEAD").strip()
    change = read_atom_change(session, REF, commit)
    assert "status: valid" in (change.old_text or "")
    assert "status: partial" in (change.new_text or "")
    with pytest.raises(NoSuchProject):
        read_atom_change(session, "flywheel/EXP-001", commit)


def test_a_commit_is_found_by_its_whole_id(session: Session, sample: Place) -> None:
    commit = sample.git("rev-parse", "HEAD").strip()
    found = find_commit(session, commit)
    assert found
    assert found.subject == "start"
    assert find_commit(session, commit[:9]) is None
    assert find_commit(session, "") is None


def test_activity_counts_reads_and_writes_by_day(session: Session) -> None:
    found = summarize_activity(session, "2026-05-01T00:00:00Z")
    assert found.days[0].day.weekday() == 0
    assert found.days[-1].day == NOW.date()
    assert sum(day.reads for day in found.days) == 202
    assert found.stored == 70
    assert found.hot[0].ref == "driftwood/K-005"
    assert found.cold[0].read_count == 0
    assert found.cold_count >= len(found.cold)
    assert found.changes[0].commit.subject == "start"
    assert found.changes[0].is_new == (found.changes[0].commit.when > "2026-05-01T00:00:00Z")


def test_only_own_changes_in_effect_can_be_undone(session: Session, sample: Place) -> None:
    sample.ok("mark", "driftwood/EXP-006", "stale", "--reason", "old")
    sample.ok("mark", "driftwood/EXP-004", "stale", "--reason", "old")
    sample.ok("undo")
    changes = summarize_activity(session, "").changes
    undoable = [(each.commit.subject.split(" driftwood/")[0], each.is_undoable) for each in changes]
    assert undoable == [("undo: mark", True), ("mark", False), ("mark", True), ("start", False)]


def test_work_that_waits_is_counted_beyond_what_is_listed(session: Session) -> None:
    found = summarize_open_work(session, AtomFilter(), limit=2)
    assert len(found.tasks) == 2
    assert found.task_count == 15
    assert [row.ref for row in found.decisions] == ["DR-0003"]
    assert found.challenged_count == 3
    assert summarize_open_work(session, AtomFilter(projects=("driftwood",))).decision_count == 0


def test_a_decision_names_what_it_rests_on_and_what_that_rests_on(session: Session) -> None:
    found = read_decision_chain(session, describe_atom(session, "DR-0003").ref)
    steps = {step.ref: step.next_refs for step in found.rests_on}
    assert "DR-0001" in steps
    assert "driftwood/EXP-004" in steps["driftwood/EXP-008"]
    assert found.nodes["driftwood/EXP-008"].summary.startswith("Size audit")
    back = read_decision_chain(session, describe_atom(session, "DR-0001").ref)
    assert "DR-0003" in [step.ref for step in back.leads_to]
    assert all("DR-0001" not in step.next_refs for step in (*back.leads_to, *back.rests_on))


def test_the_state_is_another_one_after_each_change(session: Session, sample: Place) -> None:
    tree = TreeState(session)
    first = tree.read()
    assert tree.read() == first
    sample.write(PATH, sample.read(PATH) + "\n")
    edited = tree.read()
    sample.ok("commit", PATH)
    assert len({first, edited, tree.read()}) == 3
    sample.write(PATH, sample.read(PATH) + "\n")
    assert tree.read() == TreeState(session).read()


def test_the_state_is_the_same_for_each_thread_where_catalogs_are_in_memory(
    sample: Place,
) -> None:
    sample.ok("list")
    (catalog,) = (sample.root / ".cortexfs").glob("catalog-v*.sqlite")
    catalog.rename(catalog.with_name("elsewhere"))
    catalog.symlink_to("elsewhere")  # which is never written through
    session = Session.open(str(sample.root), lambda: NOW)
    tree = TreeState(session)
    with ThreadPoolExecutor(1) as other:
        for _ in range(3):
            sample.write(PATH, sample.read(PATH) + "\n")
            sample.write(OTHER, sample.read(OTHER) + "\n")
            sample.write(PATH, sample.read(PATH) + "\n")
            first = tree.read()
            assert first == other.submit(tree.read).result() == tree.read()
    session.close()


@pytest.mark.parametrize(
    "path",
    [
        "projects/driftwood/STATUS.md",
        "projects/driftwood/TASKS.yaml",
        "projects/driftwood/experiments/notes.txt",
        "user/USER.md",
    ],
)
def test_the_state_knows_texts_that_are_not_atoms(
    session: Session, sample: Place, path: str
) -> None:
    tree = TreeState(session)
    states = [tree.read()]
    for text in ("one\n", "two\n", "six\n"):  # of one size, and within a moment
        sample.write(path, text)
        states += [tree.read()]
        assert states[-1] == tree.read()
    (sample.root / path).unlink()
    states.append(tree.read())
    assert all(one != other for one, other in pairwise(states))
