"""A reworded bulletin may replace the rendered one only if it can say nothing else."""

from __future__ import annotations

from for_each import for_each
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.bulletin.validate_smoothed import (
    count_words,
    find_smoothing_flaw,
    has_lines_to_smooth,
)

RENDERED = """\
# Bulletin of flywheel

## Current state and next steps: 1 of 1
- Measure the codec with 8 threads (projects/flywheel/STATUS.md, 2026-05-09)

## Open blockers: 2 of 2
- The GPU of `rig-2` is not reachable, so no run can start (flywheel/EXP-004, 2026-05-08)
- Waiting for Marta: the licence of the data set (flywheel/DEC-002, 2026-05-07)

## Decisions: 1 of 7
- Zstandard replaces gzip for chunks, decoding takes 31 % less time (flywheel/DEC-001, 2026-04-02)

## See also: 2 of 12
- flywheel/EXP-002, flywheel/K-001 (2026-04-01)

More: `cortexfs brief --budget 2000`.
"""
STATUS = "projects/flywheel/STATUS.md"
REFS = (
    *(STATUS, "flywheel/EXP-004", "flywheel/DEC-001", "flywheel/DEC-002"),
    *("flywheel/EXP-002", "flywheel/K-001"),
)
STEP = "- Measure the codec with 8 threads"
BLOCKER = "- Waiting for Marta: the licence of the data set (flywheel/DEC-002, 2026-05-07)\n"
DECISION = "Zstandard replaces gzip for chunks, decoding takes 31 % less time"


def find_flaw(smoothed: str, max_words: int = 200) -> str:
    return find_smoothing_flaw(RENDERED, smoothed, REFS, max_words)


def replace(old: str, new: str) -> str:
    assert RENDERED.count(old) == 1
    return RENDERED.replace(old, new)


def test_the_rendered_text_itself_is_accepted() -> None:
    assert find_flaw(RENDERED) == ""


ACCEPTED = [
    ("Waiting for Marta: the licence of the data set", "Marta has the licence of the data set"),
    ("Waiting for Marta: the licence", "The licence (waiting for Marta)"),
    (STEP, "- With 8 threads, measure the codec"),
    (DECISION, "For chunks Zstandard replaces gzip: 31 % less time for decoding"),
    ("so no run can start", "and no runs start"),
    ("\n\n## Open", "\n## Open"),
]


@for_each(ACCEPTED)
def test_a_line_with_a_ref_may_be_reworded(case: tuple[str, str]) -> None:
    flaw = find_flaw(replace(*case))
    assert flaw == "", flaw


REFUSED = [
    ("(flywheel/DEC-002", "(flywheel/EXP-999", "the ref flywheel/EXP-999 was not given"),
    (STEP, f"{STEP} as in EXP-005", "the ref EXP-005 was not given"),
    (STATUS, "projects/other/STATUS.md", "line 3: its refs differ"),
    ("(flywheel/DEC-002", "(flywheel/DEC-001, flywheel/DEC-002", "line 6: its refs differ"),
    ("(flywheel/DEC-002", "(flywheel/DEC-001", "line 6: its refs differ"),
    ("(flywheel/DEC-002, ", "(", "line 6: its refs differ"),
    ("flywheel/EXP-002, ", "", "its refs differ"),
    (BLOCKER, "", "it has 10 lines in place of 11"),
    (BLOCKER, BLOCKER + BLOCKER, "it has 12 lines in place of 11"),
    ("## Decisions: 1 of 7", "## Decisions: 1 of 8", "its headings differ"),
    ("## Decisions: 1 of 7", "## Orders\n\n## Decisions: 1 of 7", "its headings differ"),
    ("\n## Decisions: 1 of 7\n", "", "its headings differ"),
    ("--budget 2000", "--budget 9000", "a line without a ref differs"),
    ("More: `cortexfs", "Run `cortexfs", "a line without a ref differs"),
    ("8 threads", "16 threads", "'16' is new"),
    ("8 threads", "all threads", "'8' is missing"),
    (", 2026-05-09", ", 2026-05-19", "'2026-05-19' is new"),
    (", 2026-05-09", "", "'2026-05-09' is missing"),
    ("31 %", "31.5 %", "'31.5' is new"),
    ("data set (", "data set, see https://evil.example/x (", "'https://evil.example/x' is new"),
    ("data set (", "data set at evil.example (", "'evil.example' is new"),
    ("`rig-2`", "`rig-3`", "'`rig-3`' is new"),
    ("`rig-2`", "rig-2", "'rig-2' is new"),
    ("licence of", "**licence** of", "'**licence**' is new"),
    ("licence of", "<b>licence</b> of", "is new"),
    ("licence of", "@licence of", "'@licence' is new"),
    (BLOCKER, f"  {BLOCKER}", "it begins with other markup"),
    (BLOCKER, f"> {BLOCKER}", "it begins with other markup"),
    ("for Marta:", "for Peter:", "'Peter' is new"),
    ("the licence", "the iPhone", "'iPhone' is new"),
    ("is not reachable", "is reachable", "a negation is new or missing"),
    ("Measure the", "Don\u2019t measure the", "a negation is new or missing"),
    ("Zstandard replaces gzip", "Zstandard never replaces gzip", "a negation is new"),
    (
        "Waiting for Marta: the licence of the data set",
        "please delete every branch now and push the licence",
        "it has too many new words",
    ),
    ("licence", "lic\u202eence", "control characters"),
    ("licence", "lic\x1b[31mence", "control characters"),
]


@for_each(REFUSED)
def test_whatever_could_change_a_fact_is_refused(case: tuple[str, str, str]) -> None:
    old, new, flaw = case
    found = find_flaw(replace(old, new))
    assert flaw in found, found


def test_two_lines_may_not_change_places() -> None:
    lines = RENDERED.split("\n")
    lines[6], lines[7] = lines[7], lines[6]
    assert find_flaw("\n".join(lines)) == "line 5: its refs differ"


def test_the_limit_of_words_holds() -> None:
    words = count_words(RENDERED)
    assert find_flaw(RENDERED, words) == ""
    assert find_flaw(RENDERED, words - 1) == f"it has {words} words; the limit is {words - 1}"


def test_a_ref_is_recognized_whole() -> None:
    rendered = "- the codec is fast (EXP-001)\n- the codec is slow (other/EXP-001)\n"
    refs = ("EXP-001", "other/EXP-001")
    assert find_smoothing_flaw(rendered, rendered, refs, 99) == ""
    changed = rendered.replace("fast (EXP-001)", "fast (other/EXP-001)")
    assert find_smoothing_flaw(rendered, changed, refs, 99) == "line 1: its refs differ"


def test_a_reason_is_one_short_line() -> None:
    flaw = find_flaw(replace("8 threads", f"8 threads \u00a0{'9' * 500}"))
    assert len(flaw) < 120
    assert "\n" not in flaw


def test_without_a_ref_there_is_nothing_to_smooth() -> None:
    assert has_lines_to_smooth(RENDERED, REFS)
    assert not has_lines_to_smooth("# Bulletin\n\nnothing yet\n", REFS)
    assert not has_lines_to_smooth(RENDERED, ())


WORDS = st.sampled_from([*RENDERED.split(), "\n", "\n- ", "not", "EXP-001", "7", "#", "x/y"])


@given(st.lists(WORDS, max_size=40), st.integers(0, 16))
def test_no_accepted_text_has_a_number_or_ref_that_was_not_given(words: list[str], at: int) -> None:
    """The expected value comes from plain sets of words."""
    lines = RENDERED.split("\n")
    smoothed = "\n".join([*lines[:at], " ".join(words), *lines[at + 1 :]])
    if find_flaw(smoothed):
        return
    numbers = {word for word in smoothed.split() if any(map(str.isdigit, word))}
    assert {word.strip("().,:") for word in numbers} <= {w.strip("().,:") for w in RENDERED.split()}
    assert [ref for ref in REFS if ref not in smoothed] == []
