"""A number that is claimed says where it comes from; what is no claim is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.checks.unsourced_numbers import (
    CLAIM_SECTIONS,
    UnsourcedNumber,
    find_unsourced_numbers,
)
from cortexfs.core.frontmatter import atom_text

SAMPLE = Path(__file__).parents[3] / "sample-context"


def _claims(text: str, section: str = "Results") -> list[str]:
    return [claim.figure for claim in find_unsourced_numbers(f"## {section}\n\n{text}\n")]


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("The encoder reaches 410 MB/s.", "410 MB/s"),
        ("Pages fell by 39 % in a month.", "39 %"),
        ("Median 11 min, as it were.", "11 min"),
        ("It is 2.6\u00d7 as fast.", "2.6\u00d7"),
        ("- 4 of 23 names were lost", "4 of 23"),
        ("2,930 series broke the bound.", "2,930"),
        ("The slope is 0.62 at night.", "0.62"),
        ("| a | 3.9 ms | | x |", "3.9 ms"),
        ("One battery lasts\nfor 19.5 days.", "19.5"),
        ("About `config.yml` nothing, and 12 ms in all, `--fast`.", "12 ms"),
    ],
)
def test_a_number_without_a_source_is_reported(text: str, figure: str) -> None:
    expected = [] if "config.yml" in text else [figure]  # a file that is named is a source
    assert _claims(text) == expected


@pytest.mark.parametrize(
    "source",
    [
        "EXP-003",
        "greenhouse/EXP-005",
        "K-001",
        "`bench/out/exp-012.csv:2`",
        "src/store.py:42#9f3a1c",
        "data/raw.csv",
        "commit 3f9a6c1",
        "https://example.org/paper",
        "[the paper](paper.pdf)",
        "doi:10.1000/182",
        "812 / 2 = 406",
        "8640 samples \u00d7 120 checks \u00d7 8 B = 8294400",
    ],
)
def test_each_form_of_source_counts_for_its_paragraph(source: str) -> None:
    assert _claims(f"It decodes at 410 MB/s ({source}).") == []
    assert _claims(f"It decodes at 410 MB/s.\n\n{source}") == ["410 MB/s"]


@pytest.mark.parametrize(
    "text",
    [
        "On 2026-05-06 at 20:31 the board stopped.",
        "Python 3.11 and version 2.0 behave alike, Release 0.3 too.",
        "This is step 3 of 5 in Phase 2 of 4.",
        "1. first\n2. second\n10. tenth",
        "### 2.5 A heading",
        "```\nmean 3.2 ms\n```",
        "~~~\n```\nmean 3.2 ms\n~~~",
        "The flag `--limit 2.5` is gone.",
        "`sha256`, float32, x86, p99 and the 64-bit build.",
        "Issue #123, §4.2, Figure 2.",
        "It holds for 4 sets.",
        "v1.10.2 and 192.168.10.1",
    ],
)
def test_numbers_that_claim_nothing_are_not_reported(text: str) -> None:
    assert _claims(text) == []


def test_only_claim_sections_are_checked() -> None:
    for section in ("Background", "Scope", "Execution", "Reflection", "Next step"):
        assert _claims("It takes 410 ms.", section) == []
    for section in CLAIM_SECTIONS:
        assert _claims("It takes 410 ms.", section.capitalize()) == ["410 ms"]


def test_a_claim_section_includes_its_subsections() -> None:
    text = "### Results\n\n#### Run\n\n1.5 s\n\n### Scope\n\n2.5 s\n\n## Conclusion\n\n3.5 s\n"
    assert find_unsourced_numbers(text) == (
        UnsourcedNumber("1.5 s", 5),
        UnsourcedNumber("3.5 s", 13),
    )


def test_a_source_above_a_list_or_table_counts_for_it() -> None:
    rows = "| Set | Rate |\n|---|---|\n| tide | 2.6x |\n| hive | 1.9x |"
    assert _claims(rows) == ["2.6x", "1.9x"]
    assert _claims(f"As EXP-003 measured:\n\n{rows}") == []
    assert _claims(rows.replace("Rate", "EXP-003")) == []
    assert _claims("- EXP-003:\n  - 2.6x on tide\n- 1.9x on hive") == ["1.9x"]
    assert _claims("As EXP-003 measured:\n\n- 2.6x\n\nAnd besides 7.5 s.") == ["7.5 s"]


def test_a_number_with_a_source_elsewhere_is_not_reported() -> None:
    text = "## Results\n\n2.6x (EXP-003)\n\n## Conclusion\n\nConfirmed: {}x.\n"
    assert find_unsourced_numbers(text.format("2.6")) == ()
    assert find_unsourced_numbers(text.format("2.7")) == (UnsourcedNumber("2.7x", 7),)


def test_each_paragraph_is_reported_once_with_its_line() -> None:
    assert find_unsourced_numbers("## Results\n\none\n2.6x and 3.5x\n\n9 %\n", 10) == (
        UnsourcedNumber("2.6x", 13),
        UnsourcedNumber("9 %", 15),
    )


def test_the_sample_has_no_unsourced_numbers() -> None:
    found = {
        path.name: find_unsourced_numbers(atom_text.parse_frontmatter(path.read_text()).body)
        for path in SAMPLE.rglob("*.md")
        if path.name != "index.md"
    }
    assert {name: claims for name, claims in found.items() if claims} == {}


pieces = st.sampled_from(
    [
        "## Results",
        "# x",
        "- 1",
        "| 2.5 |",
        "```",
        "`a",
        "<",
        "[",
        "](",
        "1 - 1",
        "=",
        "\n",
        "2.5 ms",
    ]
)


@given(st.lists(pieces).map("\n".join) | st.lists(pieces).map("".join) | st.text())
def test_findings_in_any_text_have_a_line_of_it(text: str) -> None:
    for claim in find_unsourced_numbers(text):
        assert claim.figure.split()[0][0] in text.splitlines()[claim.line - 1]
