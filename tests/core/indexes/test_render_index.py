"""The index as text: one row an atom, columns by kind, and the same bytes in any order."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.access.access_log import ReadStats
from cortexfs.core.atoms.atom import Atom, Finding, Ref
from cortexfs.core.atoms.kinds import BUILT_IN, Kinds
from cortexfs.core.indexes.index_row import IndexRowWithReads, make_index_row
from cortexfs.core.indexes.parse_index import (
    parse_shown_reads,
    parse_update_time,
    remove_update_time,
)
from cortexfs.core.indexes.render_index import render_index

if TYPE_CHECKING:
    from random import Random

    from cortexfs.core.atoms.kind import Kind

NOW = datetime(2026, 5, 6, 20, 31, 10, tzinfo=UTC)
KINDS = Kinds()
INDEXED = [kind for kind in BUILT_IN if kind.indexed]
NEVER = ReadStats(0, "")
COLUMNS = {
    "experiment": "| ID | Date | Summary | Status | Tags | Refs | Last ref | Links |",
    "knowledge": "| ID | Date | Summary | Status | Tags | Evidence | Refs | Last ref |",
    "pattern": "| ID | Date | Summary | Status | Tags | Sources | Refs | Last ref |",
    "observation": "| ID | Date | Summary | Status | Tags | Refs | Last ref |",
    "chunk": "| ID | Date | Summary | Status | Tags | Salience | Core | Refs | Last ref |",
    "entity": "| ID | Date | Summary | Status | Tags | Type | Mentions | Refs | Last ref |",
    "scene": "| ID | Date | Summary | Status | Tags | Refs | Last ref |",
    "arc": "| ID | Date | Summary | Status | Tags | Refs | Last ref |",
}
CELLS = {
    "experiment": "0 | — | d",
    "knowledge": "a | 0 | —",
    "pattern": "b | 0 | —",
    "observation": "0 | —",
    "chunk": "0.7 | — | 0 | —",
    "entity": "— | — | 0 | —",
    "scene": "0 | —",
    "arc": "0 | —",
}
"""What stands in the columns of a kind's own, and those of its refs."""
EXPERIMENT = KINDS.find_by_name("experiment")


def _row(
    number: int,
    total: ReadStats = NEVER,
    name: str = "",
    kind: Kind = EXPERIMENT,
    **fields: object,
) -> IndexRowWithReads:
    ident = f"EXP-{number:03d}"
    path = f"projects/p/experiments/{name or ident}.md"
    fields_of_row = {"id": ident, "date": "2026-05-01", "summary": "s", **fields}
    atom = Atom(path=path, kind=kind.name, ref=Ref(f"p/{ident}"), project="p", fields=fields_of_row)
    return IndexRowWithReads(make_index_row(atom, kind), *total)


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)
TOTALS = st.builds(ReadStats, st.integers(0, 9), st.sampled_from(["", "2026-04-02T03:12:21.074Z"]))
NAMES = st.text("abc 🎛()%#?", min_size=1, max_size=9)
FIELDS = st.fixed_dictionaries(
    {
        "date": texts | st.just("2026-03-01"),
        "summary": texts,
        "tags": st.lists(texts, max_size=6).map(tuple) | texts,
        "status": st.sampled_from(["valid", "challenged", "refined: EXP-002", "invalidated: |"])
        | texts,
        "links": st.lists(texts, max_size=3).map(tuple),
    }
)
atoms = st.tuples(st.integers(1, 30), TOTALS, NAMES, FIELDS)
atom_lists = st.lists(atoms, max_size=25, unique_by=lambda atom: atom[2])


def _make_rows(found: list[Any], kind: Kind = EXPERIMENT) -> list[IndexRowWithReads]:
    return [
        _row(number, total, name, kind, **fields_of_row)
        for number, total, name, fields_of_row in found
    ]


@given(atom_lists, st.sampled_from(INDEXED))
def test_any_atom_is_one_row_with_a_cell_for_each_column(found: list[Any], kind: Kind) -> None:
    text, counts = render_index(kind, "p", _make_rows(found, kind), [], NOW)
    tables = [block for block in text.split("\n\n") if block.startswith("| ID |")]
    rows = [[oracle.split(line) for line in table.splitlines()] for table in tables]
    for table in rows:
        assert {len(row) for row in table} == {len(table[0])}
    assert sum(len(table) - 2 for table in rows) == len(found) == sum(counts)
    assert text.isprintable() or set(re.sub(r"[^\x00-\x1f\x7f-\x9f]", "", text)) <= {"\n"}


@given(atom_lists, st.randoms(use_true_random=False))
def test_the_index_does_not_depend_on_the_order_of_the_atoms(
    found: list[Any], shuffler: Random
) -> None:
    rows = _make_rows(found)
    shuffled = list(rows)
    shuffler.shuffle(shuffled)
    assert render_index(EXPERIMENT, "p", rows, [], NOW) == render_index(
        EXPERIMENT, "p", shuffled, [], NOW
    )


@given(atom_lists)
def test_read_counts_parse_back_from_the_index(found: list[Any]) -> None:
    rows = _make_rows(found)
    shown = parse_shown_reads(render_index(EXPERIMENT, "p", rows, [], NOW).text)
    assert {name: total.read_count for name, total in shown.items() if name != "---"} == {
        row.name: refs for row, refs, _ in rows
    }


EXPECTED_INDEX = """\
# Experiments Index — p

Use when: you are about to try something and want to know what was tried before, \
with which result, and what is still open.

> Auto-generated by cortexfs from YAML frontmatter. Do not edit manually.
> Last updated: 2026-05-06T20:31:10

## Active (3 entries)

| ID | Date | Summary | Status | Tags | Refs | Last ref | Links |
|---|---|---|---|---|---|---|---|
| [EXP-003](EXP-003.md) | 2026-05-01 | a \\| b | **challenged:EXP-002** | a | 7 | 2026-05-02 | K-1 |
| [EXP-001](EXP-001.md) | 2026-03-01 | s | active | — | 0 | — | — |
| [EXP-002](old%20name.md) | 2026-03-01 | — | **corrected:EXP-001** | — | 0 | — | — |

## Superseded / Deprecated (2 entries)

| ID | Date | Summary | Status | Refs |
|---|---|---|---|---|
| [EXP-005](EXP-005.md) | 2026-05-01 | s | stale | 2 |
| [EXP-004](EXP-004.md) | 2026-05-01 | s | refined:EXP-002 | 0 |

## Invalidated (1 entries)

> Shown to be wrong. Do not rely on these; they are kept so that nobody repeats them.

| ID | Date | Summary | Invalidated by | Refs |
|---|---|---|---|---|
| [EXP-006](EXP-006.md) | 2026-05-01 | s | EXP-009 | 1 |

## Unreadable (1 files)

| File | Line | Reason | Refs |
|---|---|---|---|
| EXP-007.md | 3 | no colon | 4 |

## Stats

- Total: 6 (3 active, 2 superseded/deprecated, 1 invalidated)
- Challenged: EXP-003
- Corrected: EXP-002
- Hot (refs >= 5): EXP-003
- Cold (refs = 0, age > 14 days): EXP-001, EXP-002
"""


def test_an_index_has_the_documented_format() -> None:
    old = {"date": "2026-03-01"}
    reads_of_row = ReadStats(7, "2026-05-02")
    fields_of_row = {"summary": "a | b", "tags": ("a",), "links": "K-1"}
    rows = [
        _row(1, **old),
        _row(2, name="old name", summary="", status="corrected:EXP-001", **old),
        _row(3, reads_of_row, status="Challenged: EXP-002", **fields_of_row),
        _row(4, status="refined:EXP-002"),
        _row(5, ReadStats(2, ""), status="stale"),
        _row(6, ReadStats(1, ""), status="invalidated: EXP-009"),
    ]
    flaw = Finding("projects/p/experiments/EXP-007.md", "bad-yaml", "no colon", 3)
    refs = {"EXP-007.md": ReadStats(4, "")}
    assert render_index(EXPERIMENT, "p", rows, [flaw], NOW, refs).text == EXPECTED_INDEX


@pytest.mark.parametrize("kind", INDEXED, ids=lambda kind: kind.name)
def test_each_kind_has_its_columns_and_an_index_without_entries_says_so(kind: Kind) -> None:
    fields_of_row = {"evidence": "a", "source-experiments": "b", "source": "c", "links": "d"}
    fields_of_row["salience"] = "0.7"
    text = render_index(kind, "p", [_row(1, kind=kind, **fields_of_row)], [], NOW).text
    assert f"{COLUMNS[kind.name]}\n" in text
    assert f" | active | — | {CELLS[kind.name]} |\n" in text
    empty = render_index(kind, "p", [], [], NOW).text
    assert empty.startswith(text.partition("## ")[0]), "it has the same head"
    assert "_No entries._" in empty
    assert "- Total: 0 (0 active, 0 superseded/deprecated, 0 invalidated)" in empty


def test_a_long_summary_is_cut_and_at_most_four_tags_are_shown() -> None:
    text = render_index(
        EXPERIMENT, "p", [_row(1, summary="x" * 121, tags=tuple("abcde"))], [], NOW
    ).text
    assert f"| {'x' * 119}… |" in text
    assert "| a, b, c, d |" in text
    assert (
        f"| {'x' * 120} |"
        in render_index(EXPERIMENT, "p", [_row(1, summary="x" * 120)], [], NOW).text
    )


def test_ids_are_sorted_by_number_then_letter() -> None:
    found = [_row(1000), _row(99), _row(100, id="EXP-100a"), _row(100)]
    shown = oracle.shown(render_index(EXPERIMENT, "p", found, [], NOW).text)
    ids = [row.id for row in shown.sections[oracle.ACTIVE]]
    assert ids == ["EXP-099", "EXP-100", "EXP-100a", "EXP-1000"]


def test_cold_begins_after_the_fourteenth_day() -> None:
    days = {0: "2026-04-22", 1: "2026-04-21"}
    found = [_row(number, date=day) for number, day in days.items()]
    assert (
        "(refs = 0, age > 14 days): EXP-001\n" in render_index(EXPERIMENT, "p", found, [], NOW).text
    )


def test_at_most_ten_ids_are_named_in_the_stats() -> None:
    hot = [_row(number, ReadStats(5, "")) for number in range(1, 14)]
    assert "EXP-010 (+3 more)\n" in render_index(EXPERIMENT, "p", hot, [], NOW).text


def test_an_unreadable_file_is_listed_with_line_and_reason() -> None:
    flaw = Finding("projects/p/experiments/EXP-9|.md", "bad-yaml", "no |\ncolon", 7)
    text, counts = render_index(EXPERIMENT, "p", [], [flaw], NOW)
    assert "| EXP-9\\|.md | 7 | no \\| colon |" in text
    assert counts.unreadable == 1


def test_only_the_update_time_in_utc_depends_on_the_clock() -> None:
    local_time = NOW.astimezone(timezone(timedelta(hours=9)))
    text = render_index(EXPERIMENT, "p", [_row(1)], [], local_time).text
    assert "> Last updated: 2026-05-06T20:31:10\n" in text
    assert parse_update_time(text) == NOW
    later = render_index(EXPERIMENT, "p", [_row(1)], [], NOW + timedelta(hours=1)).text
    assert later != text
    assert remove_update_time(later) == remove_update_time(text)


@pytest.mark.parametrize(
    "fields_of_row", ["", "> Last updated: soon\n", "Last updated: 2026-05-06\n"]
)
def test_an_index_without_an_update_time_has_none(fields_of_row: str) -> None:
    assert parse_update_time(f"# Index\n{fields_of_row}") is None


OLDER = """| ID | Date | Summary | Tags | Refs | Links |
|:---|---|---|---|--:|---|
| EXP-001 | 2026-03-01 | one | two | a | 7 | — |
|EXP-002|2026-03-01|one|a|8||
| [EXP-003](./EXP-003.md) | 2026-03-01 | one | a | 9 | |
| [[EXP-004]] | d | s | t | 3 | l |
| EXP-005 | d | s | t | many | l |
"""


def test_read_counts_are_parsed_from_older_layouts() -> None:
    shown = {name: total.read_count for name, total in parse_shown_reads(OLDER).items()}
    assert shown | {"---": 0, ":---": 0} == {
        "EXP-001": 7,
        "EXP-002": 8,
        "EXP-003.md": 9,
        "EXP-004": 3,
        "EXP-005": 0,
        "---": 0,
        ":---": 0,
    }


@given(st.text())
def test_read_counts_can_be_parsed_from_any_text(text: str) -> None:
    parse_shown_reads(f"| ID | Refs |\n|---|---|\n| {text}")
    parse_update_time(text)
