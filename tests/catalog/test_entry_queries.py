"""Lists, counts and findings from SQLite are what a look at every atom gives."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tree_strategies import NOW, Files, apply_change, changes, open_session, trees, write_tree

from cortexfs.core.atoms.atom import Finding
from cortexfs.core.atoms.lifecycle import IndexMdSection
from cortexfs.core.checks.check_atoms import LoadedAtoms, find_atom_findings
from cortexfs.core.find.atom_criteria import AtomCriteria, SortKey
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.indexes.atom_with_reads import (
    HOT_READ_COUNT,
    date_ordinal_of_atom,
    second_of_atom,
)
from cortexfs.operations.check import check
from cortexfs.operations.list_atoms import list_atom_page
from cortexfs.operations.list_findings import list_findings
from cortexfs.operations.show import show

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_strategies import Change

    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

TODAY = NOW.date()
FILTERS = (
    AtomFilter(),
    AtomFilter(kinds=("experiment", "pattern")),
    AtomFilter(projects=("sundial",), excluded=(AtomFilter(kinds=("knowledge",)),)),
    AtomFilter(statuses=("active", "superseded", "nonsense")),
    AtomFilter(tags=("a",)),
    AtomFilter(tags=("one", "two"), excluded=(AtomFilter(statuses=("valid",)),)),
    AtomFilter(since=date(2026, 3, 1).toordinal(), until=date(2026, 4, 30).toordinal()),
    AtomFilter(until=date(2026, 4, 30).toordinal(), without_deleted=True),
    AtomFilter(types=("bugfix",)),
)
KEYS: dict[SortKey, Callable[[AtomWithReads], tuple[object, ...]]] = {
    SortKey.READS: lambda _: (),
    SortKey.DATE: lambda e: (-date_ordinal_of_atom(e.atom), -second_of_atom(e.atom)),
    SortKey.ID: lambda e: (e.atom.project, e.ident.partition("-")[0], e.sort_key[2], e.ident),
    SortKey.STATUS: lambda e: (list(IndexMdSection).index(e.status.section), e.status.word),
    SortKey.TITLE: lambda e: (e.atom.text_field("summary").casefold(),),
}


@given(trees(), st.lists(changes(), max_size=4), st.sampled_from(FILTERS))
def test_each_list_is_what_all_atoms_give(
    files: Files, steps: list[Change], only: AtomFilter
) -> None:
    with write_tree(files) as root, open_session(root) as session:
        for step in steps:
            session.refresh()
            apply_change(root, step)
        with session.read() as view:
            every = [each for each in view.queries.iter_all_entries() if only.matches(each)]
            for sort, make_key in KEYS.items():
                wanted = sorted(every, key=lambda e: (*make_key(e), *e.sort_key))
                assert list(view.entries.iter_entries(AtomCriteria(only), sort)) == wanted
                turned = list(view.entries.iter_entries(AtomCriteria(only), sort, reverse=True))
                assert turned == wanted[::-1]
            _compare_counts(view, only, every)


def _compare_counts(view: View, only: AtomFilter, every: list[AtomWithReads]) -> None:
    """Compare the counts with those of the atoms that match."""
    active = [each for each in every if each.status.section is IndexMdSection.ACTIVE]
    hot = [each for each in active if each.reads.read_count >= HOT_READ_COUNT]
    cold = [each for each in active if each.is_cold(TODAY)]
    assert view.entries.count(AtomCriteria(only, hot=True)) == len(hot)
    assert view.entries.count(AtomCriteria(only, cold=True)) == len(cold)
    cells = view.entries.count_cells(only)
    assert sum(cell.hot for cell in cells) == len(hot)
    assert sum(cell.cold for cell in cells) == len(cold)
    assert sum(cell.reads for cell in cells) == sum(each.reads.read_count for each in every)
    names = Counter((e.atom.kind, e.status.word, e.atom.project) for e in every)
    assert {cell[:3]: cell.atoms for cell in cells} == names
    tags = Counter[str]()
    for _, count, each in view.entries.iter_tags(only):
        tags.update(dict.fromkeys(each, count))
    assert tags == Counter(tag for e in every for tag in set(e.atom.list_field("tags")))


IDS = ("K-001", "K-002", "EXP-001", "EXP-777", "other/K-001", "flywheel/EXP-001", "IDEA-001")
refs = st.lists(st.sampled_from(IDS), max_size=2).map(lambda each: f"[{', '.join(each)}]")


@st.composite
def linked_atoms(draw: st.DrawFn, ident: str) -> bytes:
    """Write an atom whose status, evidence, reviews and text name others."""
    status = draw(
        st.sampled_from(["valid", "superseded:K-002", "invalidated:EXP-001", "stale", "refined:x"])
    )
    fields = {
        "id": draw(st.sampled_from([ident] * 5 + ["K-001", ""])),
        "date": "2026-03-01",
        "summary": draw(st.sampled_from(["plain", "a `tick", "ANTI-PATTERN: no"])),
        "status": status,
        "links": draw(refs),
        "evidence": draw(st.one_of(refs, st.just(r'"K\u002D002"'), st.just("see K-002 `"))),
        "reviewed": draw(st.sampled_from(["[]", "[K-001 2026-05-01]"])),
    }
    front = "".join(f"{key}: {value}\n" for key, value in fields.items())
    return f"---\n{front}---\n\nAs {draw(st.sampled_from(IDS))} says.\n".encode()


@st.composite
def linked_trees(draw: st.DrawFn) -> dict[str, bytes]:
    """Draw two projects and ideas with atoms that name each other."""
    paths = {
        "projects/flywheel/knowledge/K-001.md": "K-001",
        "projects/flywheel/knowledge/K-002.md": "K-002",
        "projects/flywheel/knowledge/K-003.md": "K-002",
        "projects/flywheel/experiments/EXP-001.md": "EXP-001",
        "projects/other/knowledge/K-001.md": "K-001",
        "ideas/IDEA-001.md": "IDEA-001",
        "projects/Bad Name/knowledge/K-001.md": "K-001",
    }
    chosen = draw(st.lists(st.sampled_from(sorted(paths)), unique=True))
    files = {path: draw(linked_atoms(paths[path])) for path in chosen}
    return {"CORTEX.md": b"# Tree\n", **files}


@given(linked_trees())
def test_only_doubtful_atoms_need_to_be_checked(files: Files) -> None:
    with write_tree(files) as root, open_session(root) as session:
        with session.read() as view:
            loaded = LoadedAtoms.from_atoms(view.queries.list_atoms())
            found = {*find_atom_findings(view.stored_atoms, view.kinds)}
            assert found == {*find_atom_findings(loaded, view.kinds)}
        _compare_findings(session)


def _compare_findings(session: Session) -> None:
    """Compare the findings of `check` with all parts of them."""
    every, parts, last = check(session, None), list[Finding](), None
    while (page := list_findings(session, None, after=last, limit=5)).findings:
        parts, last = [*parts, *page.findings], page.findings[-1]
    assert parts == list(every.findings)
    assert (page.counts, page.errors) == (every.count_codes(), every.errors)
    for code, count in page.counts:
        only = list_findings(session, ["flywheel"], code=code, limit=count).findings
        assert list(only) == [
            each for each in parts if each.code == code and each.path.startswith("projects/fly")
        ]


def test_current_atoms_that_name_current_ones_are_not_doubtful() -> None:
    text = "---\nid: {}\ndate: 2026-03-01\nsummary: s\nstatus: valid\nlinks: [{}]\n---\n"
    named = {"K-001": "K-002", "K-002": "flywheel/K-001", "K-003": "K-004", "K-004": "K-001"}
    files = {"CORTEX.md": b"# Tree\n"} | {
        f"projects/flywheel/knowledge/{one}.md": text.format(one, other).encode()
        for one, other in named.items()
    }
    stale = text.replace("valid", "stale").format("K-004", "K-001")
    files["projects/flywheel/knowledge/K-004.md"] = stale.encode()
    with write_tree(files) as root, open_session(root) as session, session.read() as view:
        doubtful = [atom.ref for atom in view.stored_atoms.iter_doubtful()]
        assert doubtful == ["flywheel/K-003", "flywheel/K-004"]


def _write_atoms(numbers: range) -> dict[str, bytes]:
    return {"CORTEX.md": b"# Tree\n"} | {
        f"projects/p/knowledge/K-{n:03d}.md": f"---\nid: K-{n:03d}\nsummary: s\n---\n".encode()
        for n in numbers
    }


PARTS = {
    "all are there": ((), 3, [4, 5, 6]),
    "it moved": ((1,), 2, [4, 5, 6]),
    "it has gone": ((3,), 2, [4, 5, 6]),
    "a later one has gone": ((5,), 3, [4, 6, 7]),
}


@pytest.mark.parametrize("case", PARTS)
def test_a_part_follows_the_atom_before_it_wherever_that_is(case: str) -> None:
    gone, start, wanted = PARTS[case]
    with write_tree(_write_atoms(range(1, 10))) as root, open_session(root) as session:
        first = list_atom_page(session, AtomCriteria(), SortKey.ID, limit=3)
        for number in gone:
            (root / f"projects/p/knowledge/K-{number:03d}.md").unlink()
        after = (first.atoms[-1].atom.path, 3)
        part = list_atom_page(session, AtomCriteria(), SortKey.ID, limit=3, after=after)
        assert [int(entry.ident[2:]) for entry in part.atoms] == wanted
        assert (part.start, part.total) == (start, 9 - len(gone))


def test_reads_are_those_of_log_frontmatter_and_index_at_each_step() -> None:
    path = "projects/p/knowledge/K-001.md"
    log = "projects/p/_meta/access-log.jsonl"
    event = {"file": "K-001.md", "tool": "Read", "ts": "2026-03-02T03:12:21.074Z"}
    with write_tree(_write_atoms(range(1, 3))) as root, open_session(root) as session:

        def write(name: str, text: str) -> tuple[int, str]:
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text(text)
            entry = show(session, "p/K-001", "/", track=False).entry
            assert entry
            return entry.reads

        assert write(log, json.dumps(event) + "\n") == (1, event["ts"])
        assert write(log, json.dumps(event) + "\n" + json.dumps({**event, "note": "1"})) == (
            2,
            event["ts"],
        )
        text = "---\nid: K-001\nsummary: s\nrefs: 9\nlast-ref: 2026-03-02T03:12:21Z\n---\n"
        assert write(path, text) == (9, event["ts"])
        assert write(path, text.replace("9", "1")) == (2, event["ts"])
        assert write(log, "") == (1, "2026-03-02T03:12:21Z")


def test_no_sort_key_repeats_an_atom_or_leaves_one_out() -> None:
    with write_tree(_write_atoms(range(1, 30))) as root, open_session(root) as session:
        for sort in SortKey:
            pages = [
                list_atom_page(session, AtomCriteria(), sort, limit=7, after=("", at)).atoms
                for at in range(0, 29, 7)
            ]
            paths = [entry.atom.path for page in pages for entry in page]
            assert len({*paths}) == len(paths) == 29
            assert all(len(page) == 7 for page, _ in pairwise(pages))
