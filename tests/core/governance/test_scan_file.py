"""Reports of a scan: one file a day, and what comes later goes below."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.governance.scan_report import extract_scope, parse_report_day, render_scan_report
from cortexfs.errors import Refused

bodies = st.sampled_from(["All is well.\n", "## Found\n\n- a\n", "one\r\ntwo"])


def test_a_scan_report_has_a_title_a_scope_and_its_body() -> None:
    expected = "# Scan of 2026-05-06\n\nScope: all of it\n\n## Found\n\n- a\n"
    assert (
        render_scan_report(None, "2026-05-06", "20:31 UTC", " all of\nit ", "## Found\n\n- a\n")
        == expected
    )
    own_text = "# My scan\n\nWords.\n"
    assert render_scan_report(None, "2026-05-06", "20:31 UTC", "", own_text) == own_text


@given(bodies, bodies)
def test_the_second_report_of_a_day_is_appended_to_the_first(one: str, other: str) -> None:
    first = render_scan_report(None, "2026-05-06", "08:00 UTC", "a", one)
    combined = render_scan_report(first, "2026-05-06", "20:31 UTC", "b", other)
    assert combined.startswith(first)
    assert combined.replace("\r\n", "\n").count("## At 20:31 UTC\n\nScope: b\n\n") == 1
    assert extract_scope(combined) == "a"


def test_an_empty_report_is_refused() -> None:
    with pytest.raises(Refused):
        render_scan_report(None, "2026-05-06", "20:31 UTC", "all", " \n")


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("# Scan\n\n**Scope:** all projects.\n", "all projects"),
        ("# Scan\n\nFirst words\nmore\n", "First words"),
        ("# Scan\n\n<!-- a\nnote -->\nScope: " + "-" * 100_000 + "it\n", "it"),
        ("```\nScope: not this\n```\n", ""),
        ("", ""),
    ],
)
def test_the_scope_is_its_line_or_else_the_first_line(text: str, scope: str) -> None:
    assert extract_scope(text) == scope


def test_only_file_names_that_are_days_are_reports() -> None:
    names = ("2026-05-06.md", "CORTEX.md", "2026-05-06.txt", "2026-05-06-b.md")
    assert [parse_report_day(name) for name in names] == ["2026-05-06", "", "", ""]
