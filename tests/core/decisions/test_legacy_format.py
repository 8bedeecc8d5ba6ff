"""Decisions without frontmatter: their lines are read, and changed without touching the rest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.decisions import legacy_format

TEXT = """# DR-0007: Use git

Date: 2026-01-01
Status:  accepted
Evidence: EXP-001

## Context

Status: nobody knew
"""


def test_title_and_lines_above_the_first_section_are_parsed() -> None:
    assert legacy_format.parse_legacy_decision(TEXT) == {
        "id": "DR-0007",
        "summary": "Use git",
        "date": "2026-01-01",
        "status": "accepted",
        "evidence": "EXP-001",
    }
    assert (
        legacy_format.parse_legacy_decision("---\nid: DR-0007\n---\n# DR-0007: Use git\n") is None
    )


def test_a_status_line_in_a_section_is_not_the_status() -> None:
    text = TEXT.replace("Status:  accepted\n", "")
    assert "status" not in (legacy_format.parse_legacy_decision(text) or {})
    added = legacy_format.set_legacy_field(text, "Status", "accepted")
    assert added == text.replace("EXP-001\n", "EXP-001\nStatus: accepted\n")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_setting_a_field_changes_only_the_value_of_its_line(end: str, bom: str) -> None:
    text = bom + TEXT.replace("\n", end)
    after = legacy_format.set_legacy_field(text, "Status", "superseded:DR-0009")
    assert after == text.replace("Status:  accepted", "Status:  superseded:DR-0009")
    later = legacy_format.set_legacy_field(text, "Supersedes", "DR-0001")
    assert later == text.replace(f"EXP-001{end}", f"EXP-001{end}Supersedes: DR-0001{end}")


@pytest.mark.parametrize("text", ["# DR-0007: Use git", "# DR-0007: Use git\n\n## Context\n"])
def test_a_new_field_of_a_decision_without_fields_goes_below_the_title(text: str) -> None:
    after = legacy_format.set_legacy_field(text, "Status", "accepted")
    assert after.startswith("# DR-0007: Use git\n\nStatus: accepted\n")
    assert after.endswith(text.partition("\n")[2])


fields = st.sampled_from(["Date", "Status", "Supersedes", "Evidence", "Author"])
lines = st.tuples(fields, st.sampled_from(["", "accepted", "DR-0001, DR-0002", " x: y "]))


@given(st.lists(lines), st.sampled_from(["\n", "\r\n"]), st.sampled_from(["Status", "Supersedes"]))
def test_setting_a_field_changes_no_other_field(
    above: list[tuple[str, str]], end: str, key: str
) -> None:
    text = f"# DR-0001: T{end}{end}" + "".join(f"{k}: {v}{end}" for k, v in above)
    text += f"{end}## Context{end}{end}Status: no{end}"
    after = legacy_format.set_legacy_field(text, key, "superseded:DR-0003")
    before = legacy_format.parse_legacy_decision(text) or {}
    assert legacy_format.parse_legacy_decision(after) == {
        **before,
        key.lower(): "superseded:DR-0003",
    }
    assert after.replace(end, "").count("\n") == 0
    assert legacy_format.set_legacy_field(after, key, "superseded:DR-0003") == after
