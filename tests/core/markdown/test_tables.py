"""Rows and cells are found where they stand, whatever is written in them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages_of_markdown import texts

from cortexfs.core.markdown.tables import find_cell_spans, find_tables, is_table_row, split_cells
from cortexfs.core.text.sanitize import format_cell

rows = st.text("| \\a-", max_size=12).map(lambda cells: f"|{cells}")


@given(rows | rows.map(lambda row: f"  {row}"))
def test_cell_spans_are_the_places_of_the_cells(row: str) -> None:
    assert [row[start:end].strip() for start, end in find_cell_spans(row)] == split_cells(row)


@given(st.lists(st.text("|\\ ab[`"), min_size=1, max_size=4))
def test_formatted_cells_parse_back(cells: list[str]) -> None:
    assert len(split_cells(f"| {' | '.join(map(format_cell, cells))} |")) == len(cells)


@given(st.lists(rows | st.sampled_from(["", "words", "|---|"])).map("\n".join) | texts())
def test_a_table_is_a_block_of_consecutive_rows(text: str) -> None:
    for table in find_tables(text):
        assert all(map(is_table_row, text[table.start : table.end].splitlines()))
        for row in table.rows:
            assert table.start < row.start < row.end <= table.end
            assert [text[start:end].strip() for start, end in row.cell_spans] == list(row.cells)


def test_a_table_has_headers_and_rows() -> None:
    text = "words\r\n| A | B |\r\n|:-:|---|\r\n| 1 | x \\| y |\r\n|  | |\r\n| 2\r\n\r\n| C |"
    first, second = find_tables(text)
    assert first.headers == ("A", "B")
    assert [row.cells for row in first.rows] == [("1", "x \\| y"), ("2",)]
    assert (second.headers, second.rows, second.end) == (("C",), (), len(text))


@pytest.mark.parametrize("text", ["```\n| a |\n```", "<!--\n| a |\n-->", "a | b", "|", ""])
def test_code_comments_and_text_are_not_tables(text: str) -> None:
    assert list(find_tables(text)) == []
