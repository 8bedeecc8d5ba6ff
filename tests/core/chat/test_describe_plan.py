"""A plan as a person confirms it."""

from __future__ import annotations

from cortexfs.core.changes.plan import Plan, Remove, Write
from cortexfs.core.chat.describe_plan import MAX_DIFF_LINES, describe_plan

PLAN = Plan("mark a\n\ntrailer: 1", (Write("a.md", "one\n", "two\n"),))


def test_a_plan_is_its_subject_and_its_differences() -> None:
    assert describe_plan(PLAN) == "plan: mark a\n--- a.md\n+++ a.md\n@@ -1 +1 @@\n-two\n+one"


def test_lists_are_counted_and_a_long_text_is_cut() -> None:
    derived = (Write("b/index.md", "x\n"), Write("c.md", "y\n", is_derived=True))
    removes = (Remove("b.md", "text\n"), Remove("d/index.md", ""))
    shown = describe_plan(Plan("mark a", derived, removes=removes))
    assert shown == "plan: mark a\nremoved: b.md\nand 3 lists of atoms or projects"
    lines = describe_plan(Plan("new a", (Write("a.md", "line\n" * 99 + "\n"),))).splitlines()
    assert lines[:3] == ["plan: new a", "new: a.md", "+line"]
    assert lines[-1] == "… 40 more lines"
    assert len(lines) == MAX_DIFF_LINES + 2
