"""Simulate users with and without habits, and time 100,000 events: `python -m bench.patterns`.

Every user has fifty candidate habits. Patterns are searched at the end of each day in the window
of the settings, and count from the first day on which they are found.
"""

from __future__ import annotations

import argparse
import random
import time
from datetime import date, timedelta
from statistics import mean
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.patterns.find_patterns import find_patterns
from cortexfs.core.patterns.habit import Habit, HabitKind, SessionHabits
from cortexfs.core.patterns.sessions_from_events import group_sessions
from cortexfs.core.process_events.process_event import EventType, ProcessEvent
from cortexfs.core.settings.pattern_settings import DEFAULT_PATTERN_SETTINGS

if TYPE_CHECKING:
    from collections.abc import Mapping

CANDIDATES = 50
MONTH_DAYS, TWO_WEEKS_DAYS = 30, 14
START = date(2026, 11, 1)
WORDS = ("valve", "pump", "flange", "torque", "gasket", "rotor", "bearing", "shaft", "seal", "gear")


class User(NamedTuple):
    """A simulated user: the rates of habits by number, of all others, and the sessions a day."""

    seed: int
    days: int
    base_rate: float
    habits: Mapping[int, float] = MappingProxyType({})
    sessions_a_day: int = 3


def list_found(user: User) -> set[str]:
    """Return the keys of all patterns that are found on any day."""
    window, found = DEFAULT_PATTERN_SETTINGS.window_days, set[str]()
    sessions = _make_sessions(user)
    per_day = user.sessions_a_day
    for day in range(1, user.days + 1):
        seen = sessions[max(0, day - window) * per_day : day * per_day]
        found |= {pattern.habit.key for pattern in find_patterns(seen).patterns}
    return found


def _make_sessions(user: User) -> list[SessionHabits]:
    chance = random.Random(user.seed)
    names = [Habit(HabitKind.EDIT, f"{number:02}.py") for number in range(CANDIDATES)]
    rates = [user.habits.get(number, user.base_rate) for number in range(CANDIDATES)]
    return [
        SessionHabits(
            f"s-{day:02}-{number}",
            "flywheel",
            (START + timedelta(days=day)).isoformat(),
            {n: n.key for n, rate in zip(names, rates, strict=True) if chance.random() < rate},
        )
        for day in range(user.days)
        for number in range(user.sessions_a_day)
    ]


def count_false(base_rate: float, seeds: int, sessions_a_day: int = 3) -> list[int]:
    """Return the number of patterns of users without habits in a month, sorted."""
    users = (
        User(seed, MONTH_DAYS, base_rate, sessions_a_day=sessions_a_day) for seed in range(seeds)
    )
    return sorted(len(list_found(user)) for user in users)


def measure_power(rate: float, seeds: int, sessions_a_day: int = 3) -> float:
    """Return the share of habits of a rate that are found within two weeks."""
    users = (User(seed, TWO_WEEKS_DAYS, 0.1, {0: rate}, sessions_a_day) for seed in range(seeds))
    return mean("00.py" in list_found(user) for user in users)


def make_events(count: int) -> list[ProcessEvent]:
    """Return events of a month: prompts, failures, edits, twenty to a session."""
    chance = random.Random(1)
    events: list[ProcessEvent] = []
    for number in range(count):
        session = number // 20
        day = START + timedelta(days=session * 28 * 20 // count)
        moment = f"{day}T{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}.000Z"
        kind, text = _make_text(chance, number)
        project = ("flywheel", "orchard", "driftwood")[session % 3]
        events.append(
            ProcessEvent(moment, kind, "x", f"s-{session}", "", project, text, str(number))
        )
    return sorted(events)


def _make_text(chance: random.Random, number: int) -> tuple[EventType, str]:
    words = " ".join(f"{chance.choice(WORDS)}{chance.randrange(400)}" for _ in range(30))
    match number % 4:
        case 0:
            return EventType.PROMPT, f"No, use uv here. How do I turn the {words}? Then {words}."
        case 1:
            return EventType.TOOL_FAILED, f"cd /home/ada/x && uv run pytest {words}"
        case _:
            return EventType.FILE_EDITED, f"src/{chance.randrange(3000)}.py"


def main() -> None:
    """Print the figures."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--seeds", type=int, default=200)
    seeds = asked.parse_args().seeds
    print(f"{CANDIDATES} candidates, searched daily, {seeds} users each\n")
    print("no habits, a month          mean   95th percentile   maximum")
    for rate in (0.05, 0.1, 0.2, 0.3, 0.5):
        for sessions in (1, 3, 10):
            found = count_false(rate, seeds if sessions < 10 else seeds // 4, sessions)
            row = f"{mean(found):6.3f} {found[int(0.95 * len(found))]:12} {found[-1]:12}"
            print(f"rate {rate:.0%}, {sessions:2} a day   {row}")
    print("\na habit of 60 to 90 % of the sessions, found within two weeks")
    for sessions in (1, 2, 3, 5):
        shares = ", ".join(f"{r:.0%}: {measure_power(r, seeds, sessions):.0%}" for r in RATES)
        print(f"{sessions} sessions a day: {shares}")
    for count in (25_000, 50_000, 100_000):
        events, start = make_events(count), time.process_time()
        sessions_found = group_sessions(events, {})
        middle = time.process_time()
        search = find_patterns(sessions_found)
        end = time.process_time()
        print(
            f"{count} events, {len(sessions_found)} sessions, {search.candidate_count} candidates: "
            f"grouped in {middle - start:.2f} s of CPU, searched in {end - middle:.2f} s"
        )


RATES = (0.6, 0.7, 0.8, 0.9)

if __name__ == "__main__":
    main()
