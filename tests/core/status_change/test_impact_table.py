"""The Downstream Impact section: put in or filled, row by row, and nothing else changed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.atoms.atom import Ref
from cortexfs.core.status_change.citing_lines import find_citing_lines
from cortexfs.core.status_change.impact_table import ImpactRow, add_impact_rows

HEAD = '---\nid: EXP-020\nsummary: "x"\n---\n'
SIBLING_TITLES = ("Background", "Results", "Reflection")
ROW = ImpactRow("p/K-001", "needs-update", "EXP-001 (line 7)", "see above")
OTHER = ImpactRow("projects/p/STATUS.md", "no-impact", "EXP-001 (lines 3, 9)", "a | log")
TABLE = "| File | Status | Incorrect reference | Corrected value |\n|---|---|---|---|\n"
LINES = (
    "| p/K-001 | needs-update | EXP-001 (line 7) | see above |\n",
    "| projects/p/STATUS.md | no-impact | EXP-001 (lines 3, 9) | a \\| log |\n",
)


def _text(body: str) -> str:
    return f"{HEAD}{body}"


@pytest.mark.parametrize("level", [1, 2, 4])
def test_a_new_section_comes_last_at_the_level_of_the_others(level: int) -> None:
    marks = "#" * level
    body = f"\n### Title\n\n{marks} Results\n\nSome.\n"
    assert add_impact_rows(_text(body), [ROW, OTHER], SIBLING_TITLES) == _text(
        f"{body}\n{marks} Downstream Impact\n\n{TABLE}{''.join(LINES)}"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "{new}"),
        ("\n## Results", "\n## Results\n\n{new}"),
        ("\n```\n## Downstream Impact\n```\n", "\n```\n## Downstream Impact\n```\n\n{new}"),
    ],
)
def test_a_section_is_added_to_a_body_with_any_ending(before: str, after: str) -> None:
    new = f"## Downstream Impact\n\n{TABLE}{LINES[0]}"
    assert add_impact_rows(_text(before), [ROW], SIBLING_TITLES) == _text(
        after.replace("{new}", new)
    )


def test_a_final_fence_without_newline_gets_one() -> None:
    after_edit = add_impact_rows("---\nid: EXP-020\n---", [ROW], SIBLING_TITLES)
    assert after_edit == f"---\nid: EXP-020\n---\n## Downstream Impact\n\n{TABLE}{LINES[0]}"


EXISTING_TABLE = (
    "| file | STATUS | Incorrect Reference | Corrected Value |\n"
    "|:--|---|---|---|\n"
    "| q/K-9 | x | y | z |\n"
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"{EXISTING_TABLE}\n## Reflection\n", f"{EXISTING_TABLE}NEW\n## Reflection\n"),
        (f"Why.\n\n{EXISTING_TABLE}\nAnd more.\n", f"Why.\n\n{EXISTING_TABLE}NEW\nAnd more.\n"),
        (EXISTING_TABLE.rstrip(), f"{EXISTING_TABLE}NEW"),
        ("\n## Reflection\n", f"\n{TABLE}NEW\n## Reflection\n"),
        ("Only words.\n\n## Reflection\n", f"Only words.\n\n{TABLE}NEW\n## Reflection\n"),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n", f"| a | b |\n|---|---|\n| 1 | 2 |\n\n{TABLE}NEW"),
        ("", f"\n{TABLE}NEW"),
    ],
)
def test_rows_are_added_to_an_existing_section_and_nothing_else_changes(
    before: str, after: str
) -> None:
    head = "\n## Results\n\n## downstream impact\n"
    edited = add_impact_rows(_text(f"{head}{before}"), [ROW], SIBLING_TITLES)
    assert edited == _text(f"{head}{after.replace('NEW', LINES[0])}")


def test_a_row_written_by_hand_is_not_added_again() -> None:
    own_row = "| p/K-001 | corrected | EXP-001: 40 % | 2.8 % |\n"
    text = _text(f"\n## Downstream Impact\n\n{TABLE}{own_row}")
    assert add_impact_rows(text, [ROW], SIBLING_TITLES) == text
    other = ROW._replace(incorrect="EXP-002 (line 8)")
    assert "| p/K-001 | needs-update | EXP-002 (line 8) |" in add_impact_rows(
        text, [other], SIBLING_TITLES
    )


def test_new_lines_have_the_line_endings_of_the_file() -> None:
    text = _text("\n## Results\n").replace("\n", "\r\n")
    after_edit = add_impact_rows(
        add_impact_rows(text, [ROW], SIBLING_TITLES), [OTHER], SIBLING_TITLES
    )
    assert after_edit.count("\n") == after_edit.count("\r\n") == text.count("\n") + 7


chunks = st.sampled_from(
    [
        *("Text.\n", "\n", "## Results\n", "#### Deep\n", "- item\n", "| a | b |\n", "# One\n"),
        *("```\n", "~~~\n", "## Downstream Impact\n", TABLE, "| q/K-9 | x | EXP-9 | z |\n"),
    ]
)
rows = st.builds(
    ImpactRow,
    st.sampled_from(["p/K-001", "p/PAT-002", "projects/p/CORTEX.md"]),
    st.sampled_from(["needs-update", "no-impact"]),
    st.sampled_from(["EXP-001 (line 7)", "EXP-002 (lines 1, 2)"]),
    st.text(max_size=8),
)


@given(st.lists(chunks, max_size=12).map("".join), st.lists(rows, min_size=1, max_size=4))
def test_rows_are_added_once_and_no_character_is_lost(body: str, new_rows: list[ImpactRow]) -> None:
    text = _text(body)
    after_edit = add_impact_rows(text, new_rows, SIBLING_TITLES)
    rest = iter(after_edit)
    assert all(char in rest for char in text), "what was there is a subsequence of what is"
    assert add_impact_rows(after_edit, new_rows, SIBLING_TITLES) == after_edit
    assert "needs-update" in after_edit or "no-impact" in after_edit


def test_refs_in_an_impact_section_or_a_generated_list_are_not_citations() -> None:
    listing = "<!-- cortexfs:files -->\n| EXP-001 |\n<!-- /cortexfs:files -->\n"
    impact = "## Downstream Impact\n\n| q/K-1 | x | p/EXP-001 | z |\n"
    text = f"EXP-001\n{listing}p/EXP-001 and q/EXP-001\n{impact}## Next\n\nEXP-001\n"
    assert find_citing_lines(text, "p", Ref("p/EXP-001")) == (1, 5, 11)
    assert find_citing_lines(text, "q", Ref("p/EXP-001")) == (5,)
    assert find_citing_lines(text, "", Ref("p/EXP-001")) == (5,)
