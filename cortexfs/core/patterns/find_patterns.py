"""Find the habits of each project that chance does not explain."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import date
from itertools import accumulate
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.patterns.chance import (
    MAX_BASE_RATE,
    compute_binomial_tail,
    compute_decay_weight,
    compute_wilson_bound,
    estimate_base_rate,
    find_discovery_threshold,
)
from cortexfs.core.patterns.drop_redundant import drop_redundant
from cortexfs.core.patterns.parse_prompt import shorten_wording
from cortexfs.core.patterns.pattern import DEFAULT_RULE, Pattern, PatternRule, make_pattern_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cortexfs.core.patterns.habit import Habit, HabitKind, SessionHabits

MIN_BOUND = 0.5
"""Minimum lower bound of the rate of a pattern."""
MIN_FOR_MEDIAN = 20
"""Number of candidates of a kind from which their median rate is a lower limit of the base rate."""
OWN_PRIOR_TRIALS, OTHER_PRIOR_TRIALS = 10, 2
"""Weight of the assumed rate beside other habits of the project, and beside other projects."""


class PatternSearch(NamedTuple):
    """The patterns, strongest first, the number of candidates, and all of them by id if wanted."""

    patterns: list[Pattern]
    candidate_count: int
    known: dict[str, Pattern]


class _Candidates(NamedTuple):
    """The sessions of a project, and the positions of those with each habit.

    `weights` has the weight of each session, `later_weights` the sum from each session to the last.
    """

    sessions: list[SessionHabits]
    positions: dict[Habit, list[int]]
    weights: list[float]
    later_weights: list[float]

    def compute_bound(self, at: Sequence[int]) -> float:
        """Return the lower bound of the rate of a habit since its first session."""
        hits = sum(self.weights[i] for i in at)
        return compute_wilson_bound(hits, self.later_weights[at[0]])


def find_patterns(
    sessions: Sequence[SessionHabits],
    rule: PatternRule = DEFAULT_RULE,
    known_ids: frozenset[str] = frozenset(),
) -> PatternSearch:
    """Return the patterns in sessions, which are in order of time.

    `known_ids` names the patterns whose present numbers are wanted, whatever they are.
    """
    projects = _collect_candidates(sessions)
    totals: Counter[Habit] = Counter()
    for found in projects.values():
        totals.update({habit: len(at) for habit, at in found.positions.items()})
    candidate_count = sum(len(each.positions) for each in projects.values())
    promising: list[Pattern] = []
    known: dict[str, Pattern] = {}
    for found in projects.values():
        chance = _Chance(found, rule, totals, len(sessions))
        for pattern, is_promising in _iter_measured(found, chance, known_ids):
            promising += [pattern] if is_promising else []
            known |= {pattern.id: pattern} if pattern.id in known_ids else {}
    limit = find_discovery_threshold([each.probability for each in promising], candidate_count)
    current = [each for each in promising if each.probability <= limit]
    current.sort(key=lambda each: (each.project, -each.bound, each.habit))
    return PatternSearch(drop_redundant(current), candidate_count, known)


def _iter_measured(
    found: _Candidates, chance: _Chance, known_ids: frozenset[str]
) -> Iterator[tuple[Pattern, bool]]:
    """Yield each promising or known habit with its numbers, and whether it is promising."""
    for habit, at in found.positions.items():
        base_rate = chance.estimate(habit, at)
        is_promising = _is_promising(found, at, chance.rule, base_rate)
        project = found.sessions[0].project
        if is_promising or (known_ids and make_pattern_id(project, habit) in known_ids):
            yield _measure(found, habit, at, base_rate), is_promising


def _collect_candidates(sessions: Sequence[SessionHabits]) -> dict[str, _Candidates]:
    """Return the candidates of each project."""
    by_project: defaultdict[str, list[SessionHabits]] = defaultdict(list)
    for session in sessions:
        by_project[session.project].append(session)
    return {project: _index_habits(group) for project, group in by_project.items()}


def _index_habits(sessions: list[SessionHabits]) -> _Candidates:
    """Return the candidates of the sessions of one project.

    Sessions age with those after them and not with the clock: a project at rest keeps its patterns.
    """
    positions: defaultdict[Habit, list[int]] = defaultdict(list)
    for index, session in enumerate(sessions):
        for habit in session.wordings:
            positions[habit].append(index)
    days = [date.fromisoformat(session.day).toordinal() for session in sessions]
    weights = [compute_decay_weight(days[-1] - day) for day in days]
    later = list(accumulate(reversed(weights)))[::-1]
    return _Candidates(sessions, dict(positions), weights, later)


def _is_promising(
    found: _Candidates, at: Sequence[int], rule: PatternRule, base_rate: float
) -> bool:
    """Return whether a habit is frequent enough, with its lower bound above chance."""
    if len(at) < rule.min_sessions or len({found.sessions[i].day for i in at}) < rule.min_days:
        return False
    return found.compute_bound(at) >= max(MIN_BOUND, base_rate)


class _Chance:
    """How often habits of a project recur by chance.

    After its first session a habit that is none recurs at the rate of the others of its kind in the
    project; or at the rate that the same has in other projects, if that is higher. Candidates that
    recur in most sessions are not part of the rate: they may be habits. Of many candidates not half
    are habits: then it is at least their median.
    """

    def __init__(
        self, found: _Candidates, rule: PatternRule, totals: Mapping[Habit, int], all_sessions: int
    ) -> None:
        self.count = len(found.sessions)
        self.rule, self.totals = rule, totals
        self.other_sessions = all_sessions - self.count
        self.again: Counter[HabitKind] = Counter()
        self.chances: Counter[HabitKind] = Counter()
        rates: defaultdict[HabitKind, list[float]] = defaultdict(list)
        for habit, at in found.positions.items():
            if later := self._later(at):
                rates[habit.kind].append((len(at) - 1) / later)
            if self._is_background(at):
                self.again[habit.kind] += len(at) - 1
                self.chances[habit.kind] += later
        self.medians = {k: median(each) for k, each in rates.items() if len(each) >= MIN_FOR_MEDIAN}

    def estimate(self, habit: Habit, at: Sequence[int]) -> float:
        """Return the base rate of a habit, from all other habits."""
        is_part = self._is_background(at)
        again = self.again[habit.kind] - (len(at) - 1 if is_part else 0)
        chances = self.chances[habit.kind] - (self._later(at) if is_part else 0)
        own = estimate_base_rate(again, chances, OWN_PRIOR_TRIALS)
        own = min(max(own, self.medians.get(habit.kind, 0.0)), MAX_BASE_RATE)
        elsewhere = self.totals[habit] - len(at)
        if habit.kind.is_wish or not elsewhere:
            return own
        return max(own, estimate_base_rate(elsewhere, self.other_sessions, OTHER_PRIOR_TRIALS))

    def _later(self, at: Sequence[int]) -> int:
        """Return the number of sessions after the first with a habit."""
        return self.count - at[0] - 1

    def _is_background(self, at: Sequence[int]) -> bool:
        return len(at) < self.rule.min_sessions or 2 * (len(at) - 1) <= self._later(at)


def _measure(found: _Candidates, habit: Habit, at: Sequence[int], base_rate: float) -> Pattern:
    """Return a candidate with its numbers.

    Its first session chose where counting begins, and is no evidence: the test leaves it out.
    """
    present, total = set(at), len(found.sessions)
    hits = tuple(found.sessions[i] for i in at)
    return Pattern(
        hits[0].project,
        habit,
        shorten_wording(hits[-1].wordings[habit]),
        hits,
        tuple(found.sessions[i] for i in range(at[0], total) if i not in present),
        found.compute_bound(at),
        base_rate,
        compute_binomial_tail(len(at) - 1, total - at[0] - 1, base_rate),
    )
