"""What nobody has filled in says nothing; what somebody wrote stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.atoms.template_text import blank_template_lines, list_template_lines
from cortexfs.tree.package_files import read_template

KINDS = ("decision", "experiment", "idea", "knowledge", "pattern")
LINES = {kind: list_template_lines(read_template(f"{kind}.md") or "") for kind in KINDS}


@pytest.mark.parametrize("kind", KINDS)
def test_of_a_template_only_the_title_is_left(kind: str) -> None:
    template = read_template(f"{kind}.md") or ""
    assert blank_template_lines(template, LINES[kind]).split() == ["#", "{{id}}:", "{{summary}}"]


def test_a_section_and_a_table_that_are_filled_keep_their_titles() -> None:
    body = (read_template("pattern.md") or "").replace("|  |  |", "| EXP-001 | slow |")
    said = blank_template_lines(body, LINES["pattern"])
    assert "## Evidence\n\n| Experiment | Finding |\n|---|---|\n| EXP-001 | slow |\n" in said
    assert "What happens" not in said


@given(st.lists(st.sampled_from(sorted(LINES["experiment"])) | st.text(max_size=9), max_size=12))
def test_what_somebody_wrote_stays_on_its_line(written: list[str]) -> None:
    lines = "\n".join(written).split("\n")
    said = blank_template_lines("\n".join(lines), LINES["experiment"]).split("\n")
    assert len(said) == len(lines)
    for line, left in zip(lines, said, strict=True):
        assert left == line or (line.rstrip() in LINES["experiment"] and not left)
