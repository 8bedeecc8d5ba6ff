"""The report of findings: errors first, by rule, twenty by default, in 70 columns."""

from __future__ import annotations

from cortexfs.core.atoms.atom import Finding
from cortexfs.interfaces.cli.findings_text import MAX_SHOWN, format_counts, format_findings

STALE = [Finding(f"p/K-{n:03d}.md", "stale-evidence", "`EXP-001` is stale", n) for n in range(30)]
ERROR = Finding("p/z.md", "bad-date", "`x` is not\x1b[31m YYYY-MM-DD", 3)


def test_errors_come_first_and_each_rule_is_named_once_with_its_count() -> None:
    lines = list(format_findings([*STALE[:2], ERROR]))
    assert lines[:4] == [
        "error: bad-date (1)",
        "  p/z.md:3: `x` is not[31m YYYY-MM-DD",
        "  hint: correct the date",
        "warning: stale-evidence (2)",
    ]
    assert max(map(len, lines)) <= 70


def test_twenty_findings_are_shown_and_the_others_counted() -> None:
    lines = list(format_findings([*STALE, ERROR]))
    assert sum(".md:" in line for line in lines) == MAX_SHOWN == 20
    assert "warning: stale-evidence (30)" in lines
    assert lines[-1] == "11 more findings; --all shows all"
    every = list(format_findings([*STALE, ERROR], every=True))
    assert sum(".md:" in line for line in every) == 31
    assert "more" not in every[-1]


def test_no_findings_print_no_line_and_nouns_agree_with_their_counts() -> None:
    assert list(format_findings([])) == []
    assert format_counts(0, 1) == "0 errors, 1 warning"
    assert format_counts(1, 2) == "1 error, 2 warnings"
