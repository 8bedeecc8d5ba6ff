"""Detect the habits of the last weeks, and note them as observations."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.plan import ExecutionMode, Plan, attach_outcome
from cortexfs.core.governance.user_preferences import parse_preferences
from cortexfs.core.patterns.answers import ANSWERS_PATH, parse_answers
from cortexfs.core.patterns.find_patterns import PatternSearch, find_patterns
from cortexfs.core.patterns.pattern import PatternRule
from cortexfs.core.patterns.proposals import Proposal, find_proposals
from cortexfs.operations.shared.find_removed_patterns import find_removed_patterns
from cortexfs.operations.shared.load_session_habits import load_session_habits
from cortexfs.operations.shared.plan_memory_files import plan_memory_writes
from cortexfs.operations.shared.plan_pattern_notes import (
    NoteAction,
    PatternNote,
    load_noted_patterns,
    plan_current_note,
    plan_new_note,
    plan_past_note,
)
from cortexfs.operations.shared.read_text_or_empty import read_text_or_empty
from cortexfs.operations.user import USER_PATH

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cortexfs.core.changes.plan import Outcome
    from cortexfs.core.patterns.habit import SessionHabits
    from cortexfs.core.patterns.pattern import Pattern
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

MAX_NEW_NOTES = 20
"""Maximum number of new observations of one run."""


class PatternReport(NamedTuple):
    """The observations of patterns, and the proposals for USER.md.

    `since_day` is the first day of the window; `session_count` and `tried` are the numbers of
    sessions and of candidate habits in it. `is_enabled` is False if the settings say so.
    """

    since_day: str
    session_count: int = 0
    tried: int = 0
    notes: tuple[PatternNote, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    plan: Plan = Plan("")
    outcome: Outcome | None = None
    is_enabled: bool = True


class _Window(NamedTuple):
    """The sessions of the window, and the patterns in it."""

    since_day: str
    sessions: list[SessionHabits]
    search: PatternSearch


def detect_patterns(session: Session, mode: ExecutionMode = ExecutionMode.COMMIT) -> PatternReport:
    """Note new patterns, revise those that changed or ended, in one commit; return all of them.

    A pattern that the user rejected, deleted, marked or edited is left as it is. Where nothing is
    new, nothing is written.
    """
    window = _search(session)
    if window is None:
        return PatternReport("", is_enabled=False)
    with session.read() as view:
        report = _plan_report(view, window)
    if not report.plan.writes:
        if not mode.is_dry_run and session.tree.is_writable():
            session.drain_spool(mode)  # commits what a killed run has written
        return report
    return attach_outcome(session.execute(lambda view: _plan_report(view, window), mode))


def _search(session: Session) -> _Window | None:
    """Return the patterns of the window; None if detection is switched off."""
    from cortexfs.operations.shared.load_process_events import load_process_events  # noqa: PLC0415

    settings = session.settings.patterns
    if not settings.enabled:
        return None
    since = (session.clock().date() - timedelta(days=settings.window_days - 1)).isoformat()
    events = load_process_events(session, since)
    with session.read(drain=False) as view:
        sessions = load_session_habits(view, events, since)
        known = frozenset(load_noted_patterns(view))
    rule = PatternRule(settings.min_sessions, settings.min_days)
    return _Window(since, sessions, find_patterns(sessions, rule, known))


def _plan_report(view: View, window: _Window) -> PatternReport:
    answers = parse_answers(read_text_or_empty(view, ANSWERS_PATH))
    preferences = parse_preferences(read_text_or_empty(view, USER_PATH))
    proposals = find_proposals(window.sessions, preferences)
    notes = [
        *_iter_current_notes(view, window, answers),
        *_iter_past_notes(view, window, answers),
    ]
    return PatternReport(
        window.since_day,
        len({each.id for each in window.sessions}),
        window.search.tried,
        tuple(notes),
        tuple(each for each in proposals if each.id not in answers),
        _make_plan(view, notes),
    )


def _iter_current_notes(
    view: View, window: _Window, answers: Mapping[str, object]
) -> Iterator[PatternNote]:
    """Yield the notes of the patterns in the window, of projects in the tree."""
    noted, projects = load_noted_patterns(view), set(view.tree.list_projects())
    new: list[Pattern] = []
    for pattern in window.search.patterns:
        if pattern.id in noted and pattern.id not in answers:
            yield plan_current_note(view, pattern, noted[pattern.id])
        elif pattern.project in projects and pattern.id not in answers:
            new.append(pattern)
    removed = find_removed_patterns(view) if new else frozenset()
    wanted = [pattern for pattern in new if pattern.id not in removed][:MAX_NEW_NOTES]
    for offset, pattern in enumerate(wanted):
        yield plan_new_note(view, pattern, offset)


def _iter_past_notes(
    view: View, window: _Window, answers: Mapping[str, object]
) -> Iterator[PatternNote]:
    """Yield the notes of patterns that are none any more in the window."""
    current = {pattern.id for pattern in window.search.patterns}
    min_sessions = view.settings.patterns.min_sessions
    for ident, noted in load_noted_patterns(view).items():
        if ident not in current and ident not in answers:
            sessions = [each for each in window.sessions if each.project == noted.record.project]
            found = window.search.known.get(ident)
            yield plan_past_note(view, noted, found, sessions, min_sessions)


def _make_plan(view: View, notes: Sequence[PatternNote]) -> Plan:
    """Return the plan of all notes; files with uncommitted changes of the user are left out."""
    writes = [note.write for note in notes if note.write]
    changed = view.repository.find_user_changes([write.path for write in writes]).changed
    kept = [write for write in writes if write.path not in changed]
    counts = [
        f"{count} {action}"
        for action in NoteAction
        if (count := sum(note.action is action and note.write in kept for note in notes))
    ]
    message = f"patterns: {', '.join(counts)}" if counts else ""
    return plan_memory_writes(view, message, kept) if kept else Plan(message)
