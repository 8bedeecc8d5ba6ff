"""The generated part of a CORTEX.md, and that nothing around it changes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.indexes.cortex_md import BEGIN, END, fill, listing

texts = st.text().filter(lambda text: BEGIN not in text and END not in text)


@given(texts, texts, texts, texts)
def test_only_what_stands_between_the_markers_changes(
    head: str, old: str, tail: str, new: str
) -> None:
    text = f"{head}{BEGIN}\n{old}{END}{tail}"
    filled = fill(text, f"{new}\n")
    assert filled == f"{head}{BEGIN}\n{new}\n{END}{tail}"
    assert fill(filled, f"{new}\n") == filled


@given(texts)
def test_a_text_without_both_markers_stays_as_it_is(text: str) -> None:
    for whole in (text, f"{text}{BEGIN}{text}", f"{text}{END}{text}", f"{END}{text}{BEGIN}"):
        assert fill(whole, "new\n") == whole


def test_line_ends_are_those_of_the_file() -> None:
    assert fill(f"{BEGIN}\r\nold\r\n{END}\r\n", "a\nb\n") == f"{BEGIN}\r\na\r\nb\r\n{END}\r\n"


@given(
    st.sets(st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1))
)
def test_each_visible_name_is_one_row_in_order(names: set[str]) -> None:
    rows = listing(names, {}, {}).splitlines()
    visible = [name for name in sorted(names) if name[0] not in "._" and name != "CORTEX.md"]
    assert len(rows) == len(visible) + 2 or (not visible and rows == ["_Nothing yet._"])


def test_a_folder_leads_to_the_page_that_a_reader_should_open_first() -> None:
    pages = {"experiments": "experiments/index.md", "scans": "scans/CORTEX.md"}
    said = listing([*pages, "x y.md"], {"x y.md": "a | b"}, pages)
    assert "| [experiments/](experiments/index.md) |" in said
    assert "| [scans/](scans/CORTEX.md) |" in said
    assert "| [x y.md](x%20y.md) | a \\| b |" in said
