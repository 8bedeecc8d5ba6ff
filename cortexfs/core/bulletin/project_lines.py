"""The lines of a project's own files: status, issues, roadmap, mission, tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.bulletin.bulletin_line import BLOCKERS, GOALS, RECENT, STATE, TASKS, BulletinLine
from cortexfs.core.bulletin.clean_bulletin_text import clean_bulletin_text
from cortexfs.core.governance.checklist import parse_checklist
from cortexfs.core.governance.issues import parse_issues
from cortexfs.core.governance.project_status import EMPTY_SECTION, parse_status_sections
from cortexfs.core.markdown.lists import find_list_items
from cortexfs.core.markdown.sections import find_section_in_text
from cortexfs.core.tasks.task_readiness import TaskState
from cortexfs.core.tasks.task_times import parse_day_or_none

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cortexfs.core.governance.checklist import ChecklistItem
    from cortexfs.core.tasks.task_and_board import Task
    from cortexfs.core.tasks.task_readiness import Readiness

MAX_FILE_CHARS = 64 * 1024
"""Characters of a file that are parsed: what is newest or most urgent stands at the top."""
PHASE_SCORE, NEXT_SCORE, PROGRESS_SCORE = 1.0, 0.95, 0.62
BLOCKER_SCORE, ISSUE_SCORE, BLOCKED_TASK_SCORE = 0.85, 0.7, 0.65
GOAL_SCORE, SUCCESS_SCORE = 0.6, 0.45
TASK_SCORES = {"high": 0.65, "medium": 0.5, "low": 0.35}
CLAIMED_BONUS, NOT_READY_PENALTY = 0.1, 0.15
STEP = 0.02
"""What the score of each further line of the same file loses."""
_HIDDEN_STATES = frozenset({TaskState.DONE, TaskState.BLOCKED})
_DATES = ("claimed-at", "pending-at", "approved-at")


class ProjectTexts(NamedTuple):
    """The files of one project, empty where missing, and the day as of which they are read."""

    project: str
    as_of: str
    status: str = ""
    issues: str = ""
    roadmap: str = ""
    mission: str = ""

    def path(self, name: str) -> str:
        """Return the path of a file of the project."""
        return f"projects/{self.project}/{name}"


def list_project_lines(
    texts: ProjectTexts, tasks: Sequence[tuple[Task, Readiness]]
) -> list[BulletinLine]:
    """Return all lines of a project, in full detail."""
    short = texts._replace(**{name: getattr(texts, name)[:MAX_FILE_CHARS] for name in _FILES})
    return [
        *_iter_status_lines(short),
        *_iter_issue_lines(short),
        *_iter_goal_lines(short),
        *_iter_task_lines(short, tasks),
    ]


def summarize_project(texts: ProjectTexts) -> BulletinLine | None:
    """Return the one line of a project for the bulletin of the tree; None without a status."""
    found = parse_status_sections(texts.status[:MAX_FILE_CHARS])
    phase, step = (
        clean_bulletin_text(next(iter(split_entries(found.get(key, ""))), ""))
        for key in ("phase", "next")
    )
    if not phase and not step:
        return None
    text = "; next: ".join(filter(None, (phase.rstrip("."), step))) if phase else f"next: {step}"
    day = found.get("updated", "") or texts.as_of
    line = clean_bulletin_text(f"{texts.project}: {text}")
    return BulletinLine(STATE, line, texts.path("STATUS.md"), day, PHASE_SCORE)


def split_entries(body: str) -> list[str]:
    """Return the entries of a section: the items of its list, else its paragraphs."""
    items = [body[item.start : item.end].strip() for item in find_list_items(body)]
    entries = items or [part.strip() for part in body.split("\n\n")]
    return [entry for entry in entries if entry and entry != EMPTY_SECTION]


_FILES = ("status", "issues", "roadmap", "mission")


def _iter_status_lines(texts: ProjectTexts) -> Iterator[BulletinLine]:
    found = parse_status_sections(texts.status)
    day, path = found.get("updated", "") or texts.as_of, texts.path("STATUS.md")
    for key, section, score, prefix in (
        ("phase", STATE, PHASE_SCORE, ""),
        ("next", STATE, NEXT_SCORE, "next: "),
        ("blockers", BLOCKERS, BLOCKER_SCORE, ""),
        ("progress", RECENT, PROGRESS_SCORE, ""),
    ):
        entries = split_entries(found.get(key, ""))
        yield from _make_lines(section, entries, path, day, score, prefix)


def _iter_issue_lines(texts: ProjectTexts) -> Iterator[BulletinLine]:
    """Yield the issues, the newest first."""
    issues = sorted(parse_issues(texts.issues), key=lambda each: each.date, reverse=True)
    for number, issue in enumerate(issues):
        score, day = ISSUE_SCORE - STEP * number, issue.date or texts.as_of
        text = clean_bulletin_text(issue.title)
        yield BulletinLine(BLOCKERS, text, texts.path("ISSUES.md"), day, score)


def _iter_goal_lines(texts: ProjectTexts) -> Iterator[BulletinLine]:
    """Yield the goal, the open items of the current milestone, and open success conditions."""
    if section := find_section_in_text(texts.mission, ("Goal", "Mission")):
        goal = split_entries(texts.mission[section.body_start : section.end])[:1]
        path = texts.path("mission.md")
        yield from _make_lines(GOALS, goal, path, texts.as_of, GOAL_SCORE)
    current = [item for item in parse_checklist(texts.roadmap) if not item.done and item.text]
    current = [item for item in current if _name_milestone(item) == _name_milestone(current[0])]
    steps = [f"{_name_milestone(item)}: {item.text}" for item in current]
    yield from _make_lines(GOALS, steps, texts.path("roadmap.md"), texts.as_of, GOAL_SCORE - STEP)
    wanted = [item.text for item in parse_checklist(texts.mission) if not item.done and item.text]
    yield from _make_lines(GOALS, wanted, texts.path("mission.md"), texts.as_of, SUCCESS_SCORE)


def _name_milestone(item: ChecklistItem) -> str:
    return item.milestone or item.phase


def _iter_task_lines(
    texts: ProjectTexts, tasks: Iterable[tuple[Task, Readiness]]
) -> Iterator[BulletinLine]:
    for number, (task, readiness) in enumerate(tasks):
        source = f"{texts.project}/{task.id}" if task.id else texts.path("TASKS.yaml")
        day = next(filter(None, (_day(task.text_field(key)) for key in _DATES)), texts.as_of)
        small = STEP * number / 10
        if readiness.state is TaskState.BLOCKED:
            text = clean_bulletin_text(f"task {readiness.reason}: {task.description}")
            yield BulletinLine(BLOCKERS, text, source, day, BLOCKED_TASK_SCORE - small)
        if readiness.state not in _HIDDEN_STATES:
            text = clean_bulletin_text(f"{task.priority}, {readiness.state}: {task.description}")
            yield BulletinLine(TASKS, text, source, day, _score_task(task, readiness) - small)


def _score_task(task: Task, readiness: Readiness) -> float:
    score = TASK_SCORES[task.priority]
    if readiness.state is TaskState.CLAIMED:
        return score + CLAIMED_BONUS
    return score if readiness.state is TaskState.READY else score - NOT_READY_PENALTY


def _day(typed: str) -> str:
    """Return the day of a time as typed in TASKS.yaml; empty if it is none."""
    day = parse_day_or_none(typed)
    return day.isoformat() if day else ""


def _make_lines(  # noqa: PLR0917 - the fields of a line, in its order
    section: str, entries: Iterable[str], path: str, day: str, score: float, prefix: str = ""
) -> Iterator[BulletinLine]:
    for number, entry in enumerate(entries):
        text = clean_bulletin_text(entry)
        if text:
            yield BulletinLine(section, prefix + text, path, day, score - STEP * number)
