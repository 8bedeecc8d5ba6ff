"""What may be written is what the cap allows, or what brings a file nearer to it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.checks.size_limits import Cap, is_edit_allowed, is_over_cap
from cortexfs.core.guards.judge_size_and_secrets import ALLOWED, MAX_HINT_CHARACTERS, judge_size

CAP = Cap(lines=8, bytes=40)
TEXTS = st.lists(st.text("ab- #", max_size=9), max_size=14).map("\n".join)


@given(st.none() | TEXTS, TEXTS)
def test_only_an_edit_that_is_not_allowed_is_denied(before: str | None, after: str) -> None:
    verdict = judge_size("STATUS.md", before, after, CAP)
    assert bool(verdict.denial) is not is_edit_allowed(before, after, CAP)
    assert not (verdict.denial and verdict.notice)
    if is_over_cap(after, CAP):
        assert verdict != ALLOWED


@given(TEXTS)
def test_a_file_above_three_quarters_of_its_cap_gets_a_notice(after: str) -> None:
    notice = judge_size("STATUS.md", None, after, CAP).notice
    lines, size = len(after.splitlines()), len(after.encode())
    if not is_over_cap(after, CAP) and not after.endswith("\n"):
        assert bool(notice) is (lines >= 6 or size >= 30)


def test_a_denial_names_file_sizes_cap_and_trim_hints() -> None:
    text = "# S\n\n## Old (2026-01-02)\n\n- one\n- two, which is longer\n- three\n- four\n- five\n"
    reason = judge_size("projects/p/STATUS.md", None, text, CAP).denial
    for expected_part in ("projects/p/STATUS.md", "9 lines", "77 bytes", "8 lines and 40 bytes"):
        assert expected_part in reason, reason
    for expected_part in ("`Old (2026-01-02)`", "`two, which is longer`", "makes the file smaller"):
        assert expected_part in reason, reason


def test_a_cap_in_lines_does_not_limit_bytes_nor_the_reverse() -> None:
    assert judge_size("x", None, "long " * 99, Cap(lines=4)) == ALLOWED
    assert judge_size("x", None, "\n" * 99, Cap(bytes=200)) == ALLOWED


def test_hints_use_only_the_beginning_of_a_long_text() -> None:
    short = "# a\n" * (MAX_HINT_CHARACTERS // 4)
    reasons = [judge_size("x", None, t, CAP).denial for t in (short, short + "# zz\n- b\n" * 10**6)]
    assert (
        reasons[0].partition("What could be removed")[2] == reasons[1].partition("What could go")[2]
    )
