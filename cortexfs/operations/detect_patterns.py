"""Detect the habits of the last weeks, and write them as observations."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, attach_outcome
from cortexfs.core.governance.user_preferences import parse_preferences
from cortexfs.core.patterns.find_patterns import PatternSearch, find_patterns
from cortexfs.core.patterns.pattern import PatternRule
from cortexfs.core.patterns.pattern_answers import ANSWERS_PATH, parse_answers
from cortexfs.core.patterns.proposals import Proposal, find_proposals
from cortexfs.operations.shared.find_removed_patterns import find_removed_patterns
from cortexfs.operations.shared.load_process_events import load_process_events
from cortexfs.operations.shared.load_session_habits import load_session_habits
from cortexfs.operations.shared.plan_memory_files import plan_memory_writes
from cortexfs.operations.shared.plan_pattern_observations import (
    ObservationAction,
    PatternObservation,
    load_pattern_observations,
    plan_current_observation,
    plan_new_observation,
    plan_past_observation,
)
from cortexfs.operations.shared.read_text_or_empty import read_text_or_empty
from cortexfs.operations.user import USER_PATH

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cortexfs.core.changes.plan import Outcome
    from cortexfs.core.patterns.habit import SessionHabits
    from cortexfs.core.patterns.pattern import Pattern
    from cortexfs.operations.shared.plan_pattern_observations import StoredObservation
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

MAX_NEW_OBSERVATIONS = 20
"""Maximum number of new observations of one run."""


class PatternReport(NamedTuple):
    """The observations of patterns, and the proposals for USER.md.

    `since_day` is the first day of the window; `session_count` and `candidate_count` are the
    numbers of sessions and of candidate habits in it. `is_on` is False if the settings say so.
    """

    since_day: str
    session_count: int = 0
    candidate_count: int = 0
    observations: tuple[PatternObservation, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    plan: Plan = Plan("")
    outcome: Outcome | None = None
    is_on: bool = True


class _Window(NamedTuple):
    """The sessions of the window, and the patterns in it."""

    since_day: str
    sessions: list[SessionHabits]
    search: PatternSearch


def detect_patterns(session: Session, mode: ExecutionMode = ExecutionMode.COMMIT) -> PatternReport:
    """Write new patterns, revise those that changed or ended, in one commit; return all of them.

    A pattern that the user rejected, deleted, marked or edited is left as it is. Where nothing is
    new, nothing is written.
    """
    window = _search(session)
    if window is None:
        return PatternReport("", is_on=False)
    with session.read() as view:
        report = _plan_report(view, window)
    if not report.plan.writes:
        if not mode.is_dry_run and session.tree.is_writable():
            session.drain_spool(mode)  # commits what a killed run has written
        return report
    return attach_outcome(session.execute(lambda view: _plan_report(view, window), mode))


def _search(session: Session) -> _Window | None:
    """Return the patterns of the window; None if detection is switched off."""
    settings = session.settings.patterns
    if not settings.is_on:
        return None
    since = (session.clock().date() - timedelta(days=settings.window_days - 1)).isoformat()
    events = load_process_events(session, since)
    with session.read() as view:
        sessions = load_session_habits(view, events, since)
        known = frozenset(load_pattern_observations(view))
    rule = PatternRule(settings.min_sessions, settings.min_days)
    return _Window(since, sessions, find_patterns(sessions, rule, known))


def _plan_report(view: View, window: _Window) -> PatternReport:
    answers = parse_answers(read_text_or_empty(view, ANSWERS_PATH))
    preferences = parse_preferences(read_text_or_empty(view, USER_PATH))
    proposals = find_proposals(window.sessions, preferences)
    stored = load_pattern_observations(view)
    patterns = [each for each in window.search.patterns if each.id not in answers]
    past = stored.keys() - {each.id for each in window.search.patterns} - answers.keys()
    observations = [
        *_iter_current_observations(view, patterns, stored),
        *(_plan_past_observation(view, window, stored[ident]) for ident in stored if ident in past),
    ]
    return PatternReport(
        window.since_day,
        len({each.id for each in window.sessions}),
        window.search.candidate_count,
        tuple(observations),
        tuple(each for each in proposals if each.id not in answers),
        _make_plan(view, observations),
    )


def _iter_current_observations(
    view: View, patterns: Iterable[Pattern], stored: Mapping[str, StoredObservation]
) -> Iterator[PatternObservation]:
    """Yield the observations of patterns; of those without one, only for projects of the tree."""
    projects = set(view.tree.list_projects())
    new: list[Pattern] = []
    for pattern in patterns:
        if pattern.id in stored:
            yield plan_current_observation(view, pattern, stored[pattern.id])
        elif pattern.project in projects:
            new.append(pattern)
    removed = find_removed_patterns(view) if new else frozenset()
    wanted = [pattern for pattern in new if pattern.id not in removed][:MAX_NEW_OBSERVATIONS]
    for offset, pattern in enumerate(wanted):
        yield plan_new_observation(view, pattern, offset)


def _plan_past_observation(
    view: View, window: _Window, stored: StoredObservation
) -> PatternObservation:
    """Return the observation of a pattern that is none any more in the window."""
    found = window.search.known.get(stored.id)
    sessions = [each for each in window.sessions if each.project == stored.record.project]
    return plan_past_observation(view, stored, found, sessions, view.settings.patterns.min_sessions)


def _make_plan(view: View, observations: Sequence[PatternObservation]) -> Plan:
    """Return the plan of all; files with uncommitted changes of the user are left out."""
    writes = [observation.write for observation in observations if observation.write]
    changed = view.repository.find_user_changes([write.path for write in writes]).changed
    kept = [write for write in writes if write.path not in changed]
    counts = [
        f"{count} {action}"
        for action in ObservationAction
        if (
            count := sum(
                observation.action is action and observation.write in kept
                for observation in observations
            )
        )
    ]
    message = f"patterns: {', '.join(counts)}" if counts else ""
    return plan_memory_writes(view, message, kept) if kept else Plan(message)
