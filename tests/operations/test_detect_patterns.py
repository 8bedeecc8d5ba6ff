"""A week of work gives the observations that the rules promise, and no others."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_to_soak

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.memory.emitted_text import wrap_emitted_text
from cortexfs.core.process_events.process_event import EventType, ProcessEvent, format_event_line
from cortexfs.operations.detect_patterns import detect_patterns
from cortexfs.operations.list_merge_proposals import list_merge_proposals
from cortexfs.operations.memory.delete_memory import delete_memory
from cortexfs.operations.memory.save_prompt import save_prompt
from cortexfs.operations.memory.update_memory import update_memory
from cortexfs.operations.shared.memory_types import MemoryChanges
from cortexfs.operations.undo import undo
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from place import Place

    from cortexfs.operations.detect_patterns import PatternReport

MONDAY = datetime(2026, 11, 2, 9, tzinfo=UTC)
Step = tuple[EventType, str]
PROMPT, FAILED, EDITED = EventType.PROMPT, EventType.TOOL_FAILED, EventType.FILE_EDITED

SCRIPT: dict[str, list[Step]] = {
    "mon": [
        (PROMPT, "The flange leaks again. How do I rebuild the search index?"),
        (FAILED, "uv run pytest tests/test_a.py"),
        (FAILED, "uv run pytest tests/test_a.py"),
        (EDITED, "src/flange.py"),
        (PROMPT, "No, use uv instead of pip"),
        (EDITED, "docs/monday.md"),
    ],
    "tue": [
        (PROMPT, "Calibrate the flange. Please always use uv instead of pip."),
        (FAILED, "cd src && uv run pytest -x"),
        (EDITED, "src/flange.py"),
        (PROMPT, "How can I rebuild the search index?"),
    ],
    "wed": [
        (PROMPT, "Use uv instead of pip for the release notes, flange included?"),
        (PROMPT, "use uv instead of pip"),
        (FAILED, "uv run pytest tests -q"),
        (EDITED, "src/flange.py"),
        (EDITED, "src/gauge.py"),
        (PROMPT, "rebuild the search index: how?"),
    ],
    "thu": [
        (PROMPT, "Why does the flange hum? From now on, use uv instead of pip."),
        (FAILED, "grep -r hum src"),
        (FAILED, "uv run pytest"),
        (EDITED, "src/flange.py"),
        (PROMPT, "how do i rebuild the search index"),
        (PROMPT, "no"),
    ],
    "fri": [
        (PROMPT, "Paint the flange. How do I rebuild the search index?"),
        (FAILED, "uv run pytest --lf"),
        (EDITED, "src/flange.py"),
        (PROMPT, "Actually, use uv instead of pip!"),
    ],
}
"""One session a day; what is in one day only is no habit."""
OTHER_WORK = ["Sweep", "Paint", "Weld", "Grind", "Polish", "Drill"]
PROMISED = [
    '"src/flange.py" was edited in 5 of 5 sessions since 2026-11-02',
    'Prompts mention "flange" in 5 of 5 sessions since 2026-11-02',
    'The command "uv run pytest" failed in 5 of 5 sessions since 2026-11-02',
    'The user asked "How do I rebuild the search index?" in 5 of 5 sessions since 2026-11-02',
    'The user said: "Actually, use uv instead of pip!" in 5 of 5 sessions since 2026-11-02',
]


class Clock:
    """The time that a session reads; the evening of the first Friday."""

    now = datetime(2026, 11, 6, 20, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def session(tree: Place, clock: Clock) -> Iterator[Session]:
    opened = Session.open(str(tree.root), clock)
    yield opened
    opened.close()


def work(tree: Place, project: str, days: Iterable[list[Step]], *, first: int = 0) -> None:
    """Log one session for each of some days, as the drain does."""
    for offset, steps in enumerate(days, first):
        start = MONDAY + timedelta(days=offset)
        path = tree.root / f".cortexfs/events/{start.date()}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a") as log:
            for number, (kind, text) in enumerate(steps):
                time = (start + timedelta(minutes=number)).isoformat(timespec="milliseconds")
                session, note = f"{project}-{offset}", f"{project}-{offset}-{number}"
                event = ProcessEvent(
                    time.replace("+00:00", "Z"),
                    kind,
                    "claude-code",
                    session,
                    "",
                    project,
                    text,
                    note,
                )
                log.write(format_event_line(event))


def titles(report: PatternReport) -> list[str]:
    return sorted(note.text.title for note in report.observations)


def test_a_week_gives_the_promised_observations_and_no_others(
    tree: Place, session: Session
) -> None:
    work(tree, "flywheel", SCRIPT.values())
    report = detect_patterns(session)
    assert titles(report) == PROMISED
    assert (report.session_count, report.proposals) == (5, ())
    assert tree.git("log", "-1", "--format=%s") == "patterns: 5 new\n"
    assert tree.git("status", "--porcelain") == ""
    assert tree.ok("check") == "0 errors, 0 warnings\n"


def test_what_could_not_be_committed_is_committed_by_the_next_run(
    tree: Place, session: Session
) -> None:
    work(tree, "flywheel", SCRIPT.values())
    lock = tree.root / ".git" / f"{tree.git('symbolic-ref', 'HEAD').strip()}.lock"
    lock.touch()
    outcome = detect_patterns(session).outcome
    assert outcome is not None
    assert not outcome.commits
    lock.unlink()
    detect_patterns(session, ExecutionMode.DRY_RUN)
    assert tree.git("status", "--porcelain") != ""
    detect_patterns(session)
    assert tree.git("log", "-1", "--format=%s") == "patterns: 5 new\n"
    assert tree.git("status", "--porcelain") == ""


def test_an_observation_shows_its_evidence_and_who_made_it(
    tree: Place, session: Session, clock: Clock
) -> None:
    clock.now += timedelta(days=2)
    days = list(SCRIPT.values())
    work(tree, "flywheel", [*days[:3], [(PROMPT, "Sweep")], *days[3:], days[4]])
    note = next(n for n in detect_patterns(session).observations if "was edited" in n.text.title)
    text = tree.read("projects/flywheel/observations/" + note.ref.rpartition("/")[2] + ".md")
    assert "type: pattern\n" in text
    assert "tool: cortexfs\n" in text
    assert text.partition("---\n\n")[2] == (
        'In 6 of 7 sessions since 2026-11-02, on 6 days: "src/flange.py" was edited.\n\n'
        "- with it: 2026-11-02 (flywheel-0), 2026-11-03 (flywheel-1), 2026-11-04 (flywheel-2), "
        "2026-11-06 (flywheel-4), 2026-11-07 (flywheel-5), 2026-11-08 (flywheel-6)\n"
        "- without it: 2026-11-05 (flywheel-3)\n"
        "- rate: at least 0.54 (95 %); by chance: 0.05\n\n"
        "Counted by cortexfs in the events of sessions.\n"
    )
    assert "prefers" not in text


def test_noted_patterns_are_no_proposals_to_merge(tree: Place, session: Session) -> None:
    """Their texts differ in a few words, but each is another fact."""
    work(tree, "flywheel", SCRIPT.values())
    assert len(detect_patterns(session).observations) > 1
    assert list_merge_proposals(session).total == 0


def test_a_week_of_another_project_gives_none_of_the_first_ones(
    tree: Place, session: Session
) -> None:
    tree.ok("project", "new", "orchard", "--goal", "Grow")
    work(tree, "flywheel", SCRIPT.values())
    detect_patterns(session)
    fruit = [[(PROMPT, f"Prune the apple tree {word}"), (EDITED, "beds.md")] for word in "abcde"]
    work(tree, "orchard", fruit)
    new = [note for note in detect_patterns(session).observations if note.action == "new"]
    assert sorted(note.text.title.partition(" in ")[0] for note in new) == [
        '"beds.md" was edited',
        'Prompts mention "apple"',
    ]
    assert {note.ref.partition("/")[0] for note in new} == {"orchard"}


def test_nothing_new_writes_nothing(tree: Place, session: Session, clock: Clock) -> None:
    work(tree, "flywheel", SCRIPT.values())
    detect_patterns(session)
    head = tree.git("rev-parse", "HEAD")
    clock.now += timedelta(days=10)
    again = detect_patterns(session)
    assert {note.action for note in again.observations} == {"unchanged"}
    assert (tree.git("rev-parse", "HEAD"), again.outcome) == (head, None)


def test_a_later_run_revises_the_same_observation(
    tree: Place, session: Session, clock: Clock
) -> None:
    work(tree, "flywheel", SCRIPT.values())
    refs = sorted(note.ref for note in detect_patterns(session).observations)
    work(tree, "flywheel", SCRIPT.values(), first=7)
    clock.now += timedelta(days=6)
    assert {note.action for note in detect_patterns(session).observations} == {"unchanged"}
    clock.now += timedelta(days=1)
    report = detect_patterns(session)
    assert sorted(note.ref for note in report.observations) == refs
    assert {note.action for note in report.observations} == {"updated"}
    assert "revision: 2\n" in tree.read(f"projects/flywheel/observations/{refs[0][9:]}.md")
    assert '"src/flange.py" was edited in 10 of 10 sessions since 2026-11-02' in titles(report)


def test_a_habit_that_ends_is_marked_once_and_may_begin_again(
    tree: Place, session: Session, clock: Clock
) -> None:
    work(tree, "flywheel", SCRIPT.values())
    detect_patterns(session)
    work(tree, "flywheel", [[(PROMPT, word)] for word in OTHER_WORK], first=7)
    clock.now += timedelta(days=7)
    ended = detect_patterns(session)
    assert {note.action for note in ended.observations} == {"ended"}
    assert titles(ended) == [f"Ended: {title}" for title in PROMISED]
    assert (
        "the last 6 sessions have none of it, since 2026-11-09"
        in ended.observations[0].text.content
    )
    assert {note.action for note in detect_patterns(session).observations} == {"unchanged"}
    clock.now += timedelta(days=28)
    work(tree, "flywheel", SCRIPT.values(), first=35)
    assert {note.action for note in detect_patterns(session).observations} == {"updated"}


def test_undo_gives_the_bytes_before(tree: Place, session: Session) -> None:
    before = tree.git("rev-parse", "HEAD^{tree}")
    work(tree, "flywheel", SCRIPT.values())
    detect_patterns(session)
    undo(session)
    assert tree.git("rev-parse", "HEAD^{tree}") == before
    assert len(detect_patterns(session, ExecutionMode.DRY_RUN).observations) == 5


@pytest.mark.parametrize("how", leave_to_soak(["delete", "hard", "rm", "edit", "mark"], every=2))
def test_what_the_user_deleted_or_changed_stays_so(
    tree: Place, session: Session, clock: Clock, how: str
) -> None:
    work(tree, "flywheel", SCRIPT.values())
    ref = detect_patterns(session).observations[0].ref
    path = f"projects/flywheel/observations/{ref[9:]}.md"
    if how in {"delete", "hard"}:
        delete_memory(session, ref, hard=how == "hard")
    elif how == "rm":
        tree.ok("rm", ref)
    elif how == "edit":
        update_memory(session, ref, MemoryChanges(None, "Only on Fridays", None, None, None, None))
    else:
        tree.ok("mark", ref, "stale")
    after = tree.read(path) if (tree.root / path).exists() else None
    work(tree, "flywheel", SCRIPT.values(), first=7)
    clock.now += timedelta(days=7)
    report = detect_patterns(session)
    assert not [
        note for note in report.observations if note.ref == ref and note.action != "unchanged"
    ]
    assert "new" not in {note.action for note in report.observations}
    assert (tree.read(path) if (tree.root / path).exists() else None) == after


def test_a_few_sessions_without_a_habit_do_not_end_it(
    tree: Place, session: Session, clock: Clock
) -> None:
    work(tree, "flywheel", SCRIPT.values())
    detect_patterns(session)
    work(tree, "flywheel", [[(PROMPT, word)] for word in OTHER_WORK[:4]], first=7)
    clock.now += timedelta(days=6)
    assert {each.action for each in detect_patterns(session).observations} == {"unchanged"}


def test_an_observation_with_uncommitted_changes_is_left_as_it_is(
    tree: Place, session: Session, clock: Clock
) -> None:
    work(tree, "flywheel", SCRIPT.values())
    path = f"projects/flywheel/observations/{detect_patterns(session).observations[0].ref[9:]}.md"
    edited = tree.read(path).replace("tags: [pattern,", "tags: [pattern, mine,")
    tree.write(path, edited)
    work(tree, "flywheel", SCRIPT.values(), first=7)
    clock.now += timedelta(days=7)
    assert {each.action for each in detect_patterns(session).observations} == {"updated"}
    assert "mine" in edited
    assert tree.read(path) == edited


def test_lines_of_the_log_that_are_no_events_do_no_harm(tree: Place, session: Session) -> None:
    work(tree, "flywheel", SCRIPT.values())
    with (tree.root / ".cortexfs/events/2026-11-03.jsonl").open("ab") as log:
        log.write(b'{"ts":"yesterday","event":"prompt","session":"s","project":"flywheel"}\n')
        log.write(b'{"ts":"2026-13-41","event":"prompt","session":"s","project":"flywheel"}\n')
        log.write(b'{"ts":"9999-01-01","event":"prompt","session":"s","project":"flywheel"}\n')
        log.write(b'{"ts":7}\n[]\n\xff\x00\n{"ts":"2026-11-03","event":"prompt"}\n')
    assert titles(detect_patterns(session)) == PROMISED


def test_a_dry_run_shows_the_same_and_writes_nothing(tree: Place, session: Session) -> None:
    work(tree, "flywheel", SCRIPT.values())
    head = tree.git("rev-parse", "HEAD")
    report = detect_patterns(session, ExecutionMode.DRY_RUN)
    assert titles(report) == PROMISED
    assert tree.git("rev-parse", "HEAD") == head
    assert not (tree.root / "projects/flywheel/observations").exists()


def test_sessions_before_the_window_and_of_no_project_of_the_tree_make_none(
    tree: Place, session: Session, clock: Clock
) -> None:
    work(tree, "elsewhere", SCRIPT.values())
    assert detect_patterns(session).observations == ()
    work(tree, "flywheel", SCRIPT.values())
    clock.now += timedelta(days=60)
    assert detect_patterns(session) == detect_patterns(session)._replace(observations=())


def test_prompts_of_the_memory_count_where_the_events_have_none(
    session: Session, clock: Clock
) -> None:
    clock.now = MONDAY
    for number in range(5):
        save_prompt(session, f"Oil the spindle {number}", f"s-{number}", "flywheel")
        save_prompt(session, f"Oil the valve {number}", "", "flywheel")
        clock.now += timedelta(days=1)
    report = detect_patterns(session)
    assert [title.partition(" in ")[0] for title in titles(report)] == ['Prompts mention "Oil"']
    assert report.session_count == 5  # prompts without a session make none


@pytest.mark.parametrize("setting", ["off", "{enabled: no}", "{min-sessions: 6}", "{min-days: 6}"])
def test_the_settings_are_respected(tree: Place, session: Session, setting: str) -> None:
    tree.write("cortexfs.yaml", f"patterns: {setting}\n")
    work(tree, "flywheel", SCRIPT.values())
    assert detect_patterns(session).observations == ()


def test_hostile_text_is_sanitized_and_what_was_emitted_is_no_evidence(
    tree: Place, session: Session
) -> None:
    token = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"
    hostile = f"Always\x1b[31m use <script>`|[[x]](y) {token} \u202e# ---\x00"
    emitted = wrap_emitted_text("Never trust the gearbox", "bulletin")
    secret = "<private>Always hide the sprocket</private>"
    days = [[(PROMPT, f"{hostile}\n{emitted}\n{secret}"), (EDITED, "a\x1b]0;x\x07`b|<i>.py")]] * 5
    work(tree, "flywheel", days)
    report = detect_patterns(session)
    assert len(report.observations) >= 2
    for note in report.observations:
        text = tree.read(f"projects/flywheel/observations/{note.ref[9:]}.md")
        assert not set(text) & set("\x1b\x07\x00\u202e<`|")
        assert not [word for word in ("gearbox", "sprocket", "ab3de5") if word in text.lower()]
    assert tree.run("check").code == 0
