"""The index as text: one row an atom, columns by kind, and the same bytes in any order."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.access import Total
from cortexfs.core.atom import Atom, Finding, Ref
from cortexfs.core.index import render, timeless, totals_shown, updated_at
from cortexfs.core.kinds import BUILT_IN, Kind, Kinds
from cortexfs.core.row import Listed, row_of

if TYPE_CHECKING:
    from random import Random

NOW = datetime(2026, 5, 6, 20, 31, 10, tzinfo=UTC)
KINDS = Kinds()
INDEXED = [kind for kind in BUILT_IN if kind.indexed]
NEVER = Total(0, "")
COLUMNS = {
    "experiment": "| ID | Date | Summary | Status | Tags | Refs | Last ref | Links |",
    "knowledge": "| ID | Date | Summary | Status | Tags | Evidence | Refs | Last ref |",
    "pattern": "| ID | Date | Summary | Status | Tags | Sources | Refs | Last ref |",
    "observation": "| ID | Date | Summary | Status | Tags | Refs | Last ref |",
}
EXPERIMENT = KINDS.named("experiment")


def _listed(
    number: int,
    total: Total = NEVER,
    name: str = "",
    kind: Kind = EXPERIMENT,
    **fields: object,
) -> Listed:
    ident = f"EXP-{number:03d}"
    path = f"projects/p/experiments/{name or ident}.md"
    said = {"id": ident, "date": "2026-05-01", "summary": "s", **fields}
    atom = Atom(path=path, kind=kind.name, ref=Ref(f"p/{ident}"), project="p", fields=said)
    return Listed(row_of(atom, kind), *total)


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)
TOTALS = st.builds(Total, st.integers(0, 9), st.sampled_from(["", "2026-04-02T03:12:21.074Z"]))
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
some = st.lists(atoms, max_size=25, unique_by=lambda atom: atom[2])


def _rows(found: list[Any], kind: Kind = EXPERIMENT) -> list[Listed]:
    return [_listed(number, total, name, kind, **said) for number, total, name, said in found]


@given(some, st.sampled_from(INDEXED))
def test_any_text_is_one_row_of_as_many_cells_as_the_head(found: list[Any], kind: Kind) -> None:
    text, counts = render(kind, "p", _rows(found, kind), [], NOW)
    tables = [block for block in text.split("\n\n") if block.startswith("| ID |")]
    rows = [[oracle.split(line) for line in table.splitlines()] for table in tables]
    for table in rows:
        assert {len(row) for row in table} == {len(table[0])}
    assert sum(len(table) - 2 for table in rows) == len(found) == sum(counts)
    assert text.isprintable() or set(re.sub(r"[^\x00-\x1f\x7f-\x9f]", "", text)) <= {"\n"}


@given(some, st.randoms(use_true_random=False))
def test_the_order_in_which_atoms_come_shows_nowhere(found: list[Any], chance: Random) -> None:
    rows = _rows(found)
    shuffled = list(rows)
    chance.shuffle(shuffled)
    assert render(EXPERIMENT, "p", rows, [], NOW) == render(EXPERIMENT, "p", shuffled, [], NOW)


@given(some)
def test_refs_are_read_back_as_they_were_shown(found: list[Any]) -> None:
    rows = _rows(found)
    shown = totals_shown(render(EXPERIMENT, "p", rows, [], NOW).text)
    assert {name: total.refs for name, total in shown.items() if name != "---"} == {
        row.name: refs for row, refs, _ in rows
    }


@pytest.mark.parametrize("kind", INDEXED, ids=lambda kind: kind.name)
def test_each_kind_has_its_columns_and_an_empty_folder_says_so(kind: Kind) -> None:
    assert COLUMNS[kind.name] in render(kind, "p", [_listed(1, kind=kind)], [], NOW).text
    empty = render(kind, "p", [], [], NOW).text
    assert "_No entries._" in empty
    assert "- Total: 0 (0 active, 0 superseded/deprecated, 0 invalidated)" in empty


def test_a_long_summary_ends_in_an_ellipsis_and_tags_are_four_at_most() -> None:
    text = render(
        EXPERIMENT, "p", [_listed(1, summary="x" * 121, tags=tuple("abcde"))], [], NOW
    ).text
    assert f"| {'x' * 119}… |" in text
    assert "| a, b, c, d |" in text
    assert (
        f"| {'x' * 120} |" in render(EXPERIMENT, "p", [_listed(1, summary="x" * 120)], [], NOW).text
    )


def test_numbers_order_as_numbers_and_letters_after_them() -> None:
    found = [_listed(1000), _listed(99), _listed(100, id="EXP-100a"), _listed(100)]
    shown = oracle.shown(render(EXPERIMENT, "p", found, [], NOW).text)
    ids = [row.id for row in shown.sections[oracle.ACTIVE]]
    assert ids == ["EXP-099", "EXP-100", "EXP-100a", "EXP-1000"]


def test_cold_begins_after_the_fourteenth_day() -> None:
    days = {0: "2026-04-22", 1: "2026-04-21"}
    found = [_listed(number, date=day) for number, day in days.items()]
    assert "(refs = 0, age > 14 days): EXP-001\n" in render(EXPERIMENT, "p", found, [], NOW).text


def test_ten_ids_are_named_and_the_others_counted() -> None:
    hot = [_listed(number, Total(5, "")) for number in range(1, 14)]
    assert "EXP-010 (+3 more)\n" in render(EXPERIMENT, "p", hot, [], NOW).text


def test_what_could_not_be_read_stands_with_file_line_and_reason() -> None:
    flaw = Finding("projects/p/experiments/EXP-9|.md", "bad-yaml", "no |\ncolon", 7)
    text, counts = render(EXPERIMENT, "p", [], [flaw], NOW)
    assert "| EXP-9\\|.md | 7 | no \\| colon |" in text
    assert counts.unreadable == 1


def test_the_time_line_is_utc_and_the_only_thing_that_time_changes() -> None:
    there = NOW.astimezone(timezone(timedelta(hours=9)))
    text = render(EXPERIMENT, "p", [_listed(1)], [], there).text
    assert "> Last updated: 2026-05-06T20:31:10\n" in text
    assert updated_at(text) == NOW
    later = render(EXPERIMENT, "p", [_listed(1)], [], NOW + timedelta(hours=1)).text
    assert later != text
    assert timeless(later) == timeless(text)


@pytest.mark.parametrize("said", ["", "> Last updated: soon\n", "Last updated: 2026-05-06\n"])
def test_an_index_that_does_not_say_when_is_of_no_time(said: str) -> None:
    assert updated_at(f"# Index\n{said}") is None


OLDER = """| ID | Date | Summary | Tags | Refs | Links |
|:---|---|---|---|--:|---|
| EXP-001 | 2026-03-01 | one | two | a | 7 | — |
|EXP-002|2026-03-01|one|a|8||
| [EXP-003](./EXP-003.md) | 2026-03-01 | one | a | 9 | |
| [[EXP-004]] | d | s | t | 3 | l |
| EXP-005 | d | s | t | many | l |
"""


def test_refs_are_read_out_of_other_layouts() -> None:
    shown = {name: total.refs for name, total in totals_shown(OLDER).items()}
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
def test_reading_refs_out_of_any_text_never_raises(text: str) -> None:
    totals_shown(f"| ID | Refs |\n|---|---|\n| {text}")
    updated_at(text)
