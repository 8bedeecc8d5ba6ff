"""The generated part of a CORTEX.md, and that nothing around it changes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.indexes.cortex_md_contents import (
    CONTENTS_BEGIN,
    CONTENTS_END,
    render_contents,
    replace_contents,
)

texts = st.text().filter(lambda text: CONTENTS_BEGIN not in text and CONTENTS_END not in text)


@given(texts, texts, texts, texts)
def test_only_the_text_between_the_markers_changes(
    head: str, old: str, tail: str, new: str
) -> None:
    text = f"{head}{CONTENTS_BEGIN}\n{old}{CONTENTS_END}{tail}"
    replaced = replace_contents(text, f"{new}\n")
    assert replaced == f"{head}{CONTENTS_BEGIN}\n{new}\n{CONTENTS_END}{tail}"
    assert replace_contents(replaced, f"{new}\n") == replaced


@given(texts)
def test_a_text_without_both_markers_does_not_change(text: str) -> None:
    for whole in (
        text,
        f"{text}{CONTENTS_BEGIN}{text}",
        f"{text}{CONTENTS_END}{text}",
        f"{CONTENTS_END}{text}{CONTENTS_BEGIN}",
    ):
        assert replace_contents(whole, "new\n") == whole


def test_contents_have_the_line_endings_of_the_file() -> None:
    assert (
        replace_contents(f"{CONTENTS_BEGIN}\r\nold\r\n{CONTENTS_END}\r\n", "a\nb\n")
        == f"{CONTENTS_BEGIN}\r\na\r\nb\r\n{CONTENTS_END}\r\n"
    )


@given(
    st.sets(st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1))
)
def test_each_visible_name_is_one_row_in_sorted_order(names: set[str]) -> None:
    rows = render_contents(names, {}, {}).splitlines()
    visible = [name for name in sorted(names) if name[0] not in "._" and name != "CORTEX.md"]
    assert len(rows) == len(visible) + 2 or (not visible and rows == ["_Nothing yet._"])


def test_a_folder_links_to_its_index_or_cortex_md() -> None:
    pages = {"experiments": "experiments/index.md", "scans": "scans/CORTEX.md"}
    contents = render_contents([*pages, "x y.md"], {"x y.md": "a | b"}, pages)
    assert "| [experiments/](experiments/index.md) |" in contents
    assert "| [scans/](scans/CORTEX.md) |" in contents
    assert "| [x y.md](x%20y.md) | a \\| b |" in contents


def test_the_list_of_a_folder_shows_no_secret() -> None:
    token = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"
    listed = render_contents([f"{token}.md", "IDEA-001.md"], {"IDEA-001.md": f"Use {token}"}, {})
    assert r"| \[secret\] |  |" in listed
    assert r"| [IDEA-001.md](IDEA-001.md) | Use \[secret\] |" in listed
    assert token not in listed
