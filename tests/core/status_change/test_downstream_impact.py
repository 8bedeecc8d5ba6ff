"""The Downstream Impact section: put in or filled, row by row, and nothing else changed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.atoms.atom import Ref
from cortexfs.core.status_change.citing_lines import find_citing_lines
from cortexfs.core.status_change.downstream_impact import ImpactRow, add_impact_rows

HEAD = '---\nid: EXP-020\nsummary: "x"\n---\n'
BESIDE = ("Background", "Results", "Reflection")
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
    assert add_impact_rows(_text(body), [ROW, OTHER], BESIDE) == _text(
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
    assert add_impact_rows(_text(before), [ROW], BESIDE) == _text(after.replace("{new}", new))


def test_a_final_fence_without_newline_gets_one() -> None:
    said = add_impact_rows("---\nid: EXP-020\n---", [ROW], BESIDE)
    assert said == f"---\nid: EXP-020\n---\n## Downstream Impact\n\n{TABLE}{LINES[0]}"


OURS = (
    "| file | STATUS | Incorrect Reference | Corrected Value |\n"
    "|:--|---|---|---|\n"
    "| q/K-9 | x | y | z |\n"
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"{OURS}\n## Reflection\n", f"{OURS}NEW\n## Reflection\n"),
        (f"Why.\n\n{OURS}\nAnd more.\n", f"Why.\n\n{OURS}NEW\nAnd more.\n"),
        (OURS.rstrip(), f"{OURS}NEW"),
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
    filled = add_impact_rows(_text(f"{head}{before}"), [ROW], BESIDE)
    assert filled == _text(f"{head}{after.replace('NEW', LINES[0])}")


def test_a_row_written_by_hand_is_not_added_again() -> None:
    mine = "| p/K-001 | corrected | EXP-001: 40 % | 2.8 % |\n"
    text = _text(f"\n## Downstream Impact\n\n{TABLE}{mine}")
    assert add_impact_rows(text, [ROW], BESIDE) == text
    other = ROW._replace(incorrect="EXP-002 (line 8)")
    assert "| p/K-001 | needs-update | EXP-002 (line 8) |" in add_impact_rows(text, [other], BESIDE)


def test_new_lines_have_the_line_endings_of_the_file() -> None:
    text = _text("\n## Results\n").replace("\n", "\r\n")
    said = add_impact_rows(add_impact_rows(text, [ROW], BESIDE), [OTHER], BESIDE)
    assert said.count("\n") == said.count("\r\n") == text.count("\n") + 7


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
def test_rows_are_added_once_and_no_character_is_lost(body: str, wanted: list[ImpactRow]) -> None:
    text = _text(body)
    said = add_impact_rows(text, wanted, BESIDE)
    rest = iter(said)
    assert all(char in rest for char in text), "what was there is a subsequence of what is"
    assert add_impact_rows(said, wanted, BESIDE) == said
    assert "needs-update" in said or "no-impact" in said


def test_refs_in_an_impact_section_or_a_generated_list_are_not_citations() -> None:
    listing = "<!-- cortexfs:files -->\n| EXP-001 |\n<!-- /cortexfs:files -->\n"
    impact = "## Downstream Impact\n\n| q/K-1 | x | p/EXP-001 | z |\n"
    text = f"EXP-001\n{listing}p/EXP-001 and q/EXP-001\n{impact}## Next\n\nEXP-001\n"
    assert find_citing_lines(text, "p", Ref("p/EXP-001")) == (1, 5, 11)
    assert find_citing_lines(text, "q", Ref("p/EXP-001")) == (5,)
    assert find_citing_lines(text, "", Ref("p/EXP-001")) == (5,)
