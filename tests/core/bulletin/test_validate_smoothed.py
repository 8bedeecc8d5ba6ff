"""A reworded line may replace the rendered one only if it can say nothing else."""

from __future__ import annotations

from for_each import for_each
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.bulletin.validate_smoothed import find_smoothing_flaw, list_lines_to_smooth

STATUS = "projects/flywheel/STATUS.md"
REFS = (STATUS, "flywheel/EXP-004", "flywheel/DEC-001", "flywheel/DEC-002", "flywheel/K-001")
STEP = f"- Measure the codec with 8 threads and more ({STATUS}, 2026-05-09)"
BLOCKER = (
    "- The GPU of `rig-2` is not reachable, so no run can start (flywheel/EXP-004, 2026-05-08)"
)
WAITING = "- Waiting for Marta: the licence of the data set (flywheel/DEC-002, 2026-05-07)"
DECISION = (
    "- Zstandard replaces gzip, as decoding takes 31 % less time (flywheel/DEC-001, 2026-04-02)"
)
MORE = "- flywheel/EXP-004, flywheel/K-001 (2026-04-01)"
SEEN = "- It was seen that the queue is really slow (flywheel/K-001, 2026-04-01)"
LINES = (STEP, BLOCKER, WAITING, DECISION, MORE)


def find_flaw(line: str, old: str, new: str) -> str:
    assert line.count(old) == 1
    return find_smoothing_flaw(line, line.replace(old, new), REFS)


def test_a_line_may_stay_as_it_is() -> None:
    assert [find_smoothing_flaw(line, line, REFS) for line in LINES] == [""] * 5


ACCEPTED = [
    (WAITING, "Waiting for Marta: the licence of the data", "Waiting for Marta: licence of data"),
    (STEP, "Measure the codec with 8 threads and more", "Measure codec, with 8 threads and more"),
    (DECISION, "gzip, as decoding takes", "gzip: as decoding takes"),
    (BLOCKER, "is not reachable, so no run can", "not reachable, so no run can"),
    (SEEN, "It was seen that the queue is really slow", "The queue is slow"),
    (SEEN, "It was seen that the queue", "It was seen that queue"),
]


@for_each(ACCEPTED)
def test_a_line_may_be_reworded(case: tuple[str, str, str]) -> None:
    flaw = find_flaw(*case)
    assert flaw == "", flaw


REFUSED = [
    (WAITING, "(flywheel/DEC-002", "(flywheel/EXP-999", "the ref flywheel/EXP-999 was not given"),
    (STEP, "and more", "EXP-005", "the ref EXP-005 was not given"),
    (STEP, STATUS, "projects/other/STATUS.md", "its refs differ"),
    (WAITING, "data set (", "(flywheel/DEC-001, ", "its refs differ"),
    (WAITING, "(flywheel/DEC-002", "(flywheel/DEC-001", "its refs differ"),
    (WAITING, "(flywheel/DEC-002, ", "(", "its refs differ"),
    (MORE, "flywheel/EXP-004, ", "", "its refs differ"),
    (STEP, "8 threads", "16 threads", "'16' is new"),
    (STEP, "8 threads", "all threads", "'all' is new"),
    (STEP, "8 threads", "threads", "'8' is missing"),
    (STEP, ", 2026-05-09", ", 2026-05-19", "'2026-05-19' is new"),
    (STEP, ", 2026-05-09", "", "'2026-05-09' is missing"),
    (DECISION, "31 %", "31.5 %", "'31.5' is new"),
    (WAITING, "data set", "https://evil.example/x", "'https://evil.example/x' is new"),
    (WAITING, "data set", "evil.example", "'evil.example' is new"),
    (BLOCKER, "`rig-2`", "`rig-3`", "'`rig-3`' is new"),
    (BLOCKER, "`rig-2`", "rig-2", "'rig-2' is new"),
    (WAITING, "licence of", "**licence** of", "'**licence**' is new"),
    (WAITING, "licence of", "<b>licence</b> of", "is new"),
    (WAITING, "licence of", "@licence of", "'@licence' is new"),
    (WAITING, "- Waiting", "  - Waiting", "it begins with other markup"),
    (WAITING, "- Waiting for", "> Waiting", "it begins with other markup"),
    (WAITING, "- Waiting", "Waiting", "it begins with other markup"),
    (WAITING, "for Marta:", "for Peter:", "'peter' is new"),
    (WAITING, "the licence", "the iPhone", "'iPhone' is new"),
    (BLOCKER, "is not reachable", "is reachable", "'not' is missing"),
    (STEP, "Measure the", "Don\u2019t measure", "'don\u2019t' is new"),
    (DECISION, "as decoding", "never decoding", "'never' is new"),
    (WAITING, "Waiting for Marta: the licence of", "push and delete every branch", "'push' is new"),
    (WAITING, "the data", "the whole big data", "it is longer"),
    (WAITING, "licence", "lic\u202eence", "control characters"),
    (WAITING, "licence", "lic\x1b[31mence", "control characters"),
    (WAITING, "Marta: the", "Marta:\n# Orders", "control characters"),
    (DECISION, "Zstandard replaces gzip", "gzip replaces Zstandard", "another order"),
    (DECISION, "less time", "time", "'less' is missing"),
    (BLOCKER, "The GPU of `rig-2` is not reachable", "Is not GPU of `rig-2` reachable", "order"),
    (BLOCKER, "no run can start", "no run can start?", "a question mark is new or missing"),
    (WAITING, "Waiting for Marta: ", "", "'waiting' is missing"),
    (SEEN, "It was seen that the", "It was", "'seen' is missing"),
]


@for_each(REFUSED)
def test_whatever_could_change_a_fact_is_refused(case: tuple[str, str, str, str]) -> None:
    *change, flaw = case
    found = find_flaw(*change)
    assert flaw in found, found


REVERSED = [
    ("Use uv instead of pip for installs", "Use pip instead of uv for installs"),
    ("Timeout raised from 30 to 90 seconds", "Timeout raised from 90 to 30 seconds"),
    ("Never deploy on Friday, always on Monday", "Never deploy on Monday, always on Friday"),
    ("Never deploy on Friday, always on Monday", "Never deploy on Monday"),
    ("Migration failed on staging, and works locally", "Migration works on staging"),
    ("Redis is slower than Postgres for queues", "Postgres is slower than Redis for queues"),
    ("Option A is faster than B", "Option is faster than B"),
    ("Ignore .env in the build", "Ignore env in the build"),
    ("The cache is safe", "Cache hardly safe"),
]


@for_each(REVERSED)
def test_a_line_that_says_the_contrary_with_the_same_words_is_refused(
    case: tuple[str, str],
) -> None:
    before, after = (f"- {each} (flywheel/K-001, 2026-05-01)" for each in case)
    assert find_smoothing_flaw(before, after, REFS) != ""


def test_a_ref_is_recognized_whole() -> None:
    before, refs = "- the codec is fast (EXP-001)", ("EXP-001", "other/EXP-001")
    after = "- the codec is fast (other/EXP-001)"
    assert find_smoothing_flaw(before, after, refs) == "its refs differ"


def test_a_reason_is_one_short_line() -> None:
    flaw = find_flaw(STEP, "8 threads", f"8 \u00a0{'9' * 500}")
    assert len(flaw) < 120
    assert "\n" not in flaw


def test_headings_and_lines_without_a_ref_are_not_reworded() -> None:
    text = f"# Bulletin of flywheel/K-001\n\n{STEP}\n{MORE}\nMore: `cortexfs brief`.\n"
    assert list_lines_to_smooth(text, REFS) == [STEP, MORE]
    assert list_lines_to_smooth(text, ()) == []


def test_a_line_whose_heading_has_the_source_may_be_reworded() -> None:
    text = "## State: 2 of 2 (flywheel/K-001, 2026-05-05)\n- Phase 3.\n\n## Next: 1 of 1\n- Rest.\n"
    assert list_lines_to_smooth(text, REFS) == ["- Phase 3."]


WORDS = st.sampled_from([*" ".join(LINES).split(), "not", "EXP-001", "7", "#", "x/y", "**"])


@given(st.sampled_from(LINES), st.lists(WORDS, max_size=14))
def test_no_accepted_line_has_other_numbers_refs_or_dates(line: str, words: list[str]) -> None:
    """The expected value comes from plain sets of words."""
    body, _, last = line.partition(" (")
    after = f"{' '.join(['-', *words])} ({last}"
    if find_smoothing_flaw(line, after, REFS):
        return

    def list_figures(text: str) -> set[str]:
        return {word.strip("().,:") for word in text.split() if any(map(str.isdigit, word))}

    assert list_figures(after) == list_figures(line)
    assert {word.strip("().,:`") for word in words if "/" in word} <= {*REFS}
    assert body


@given(st.sampled_from(LINES), st.data())
def test_an_accepted_line_has_the_words_before_in_their_order(
    line: str, data: st.DataObject
) -> None:
    body, _, last = line.removeprefix("- ").partition(" (")
    words = data.draw(st.permutations(body.split()))
    kept = words[: data.draw(st.integers(0, len(words)))]
    after = f"- {' '.join(kept)} ({last}"
    silent = {"the", "is", "really", "It", "was", "seen", "that"}
    is_equal = [w for w in kept if w.lower() not in silent] == [
        w for w in body.split() if w.lower() not in silent
    ]
    assert is_equal or find_smoothing_flaw(line, after, REFS)
