"""Gather from a tree what bulletins are made of, in a few queries and a few small files each."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from cortexfs.core.atoms.refs import find_ref
from cortexfs.core.atoms.tree_paths import OVERVIEW_MD, is_project_name
from cortexfs.core.bulletin.draft_bulletin import (
    ProjectState,
    TreeState,
    draft_bulletin,
    select_atoms,
)
from cortexfs.core.bulletin.open_work_links import link_second, list_open_links
from cortexfs.core.bulletin.project_lines import ProjectTexts, list_project_lines
from cortexfs.core.bulletin.render_bulletin import render_bulletin
from cortexfs.core.bulletin.score_atoms import find_newest_day, format_day, parse_day
from cortexfs.core.bulletin.user_lines import USER_MD_PATH
from cortexfs.core.governance.edit_overview import is_archived
from cortexfs.core.governance.project_status import parse_updated_day
from cortexfs.core.tasks.priority_words import parse_project_ranks
from cortexfs.core.tasks.task_readiness import Backlog
from cortexfs.operations.shared.read_text_or_empty import read_text_or_empty
from cortexfs.operations.tasks.read_boards import read_boards

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cortexfs.core.bulletin.draft_bulletin import Selection
    from cortexfs.core.bulletin.measure_text import Budget
    from cortexfs.core.bulletin.render_bulletin import Bulletin
    from cortexfs.core.bulletin.score_atoms import CurrentAtom, DayReads
    from cortexfs.core.tasks.task_and_board import Task
    from cortexfs.core.tasks.task_readiness import Readiness
    from cortexfs.session.view import View

READ_DAYS = 240
"""Days before the last read within which reads count by their day."""
_TEXT_FILES = {
    "status": "STATUS.md",
    "issues": "ISSUES.md",
    "roadmap": "roadmap.md",
    "mission": "mission.md",
}


def gather_tree_state(view: View) -> TreeState:
    """Return what the bulletins of a tree are made of; archived projects, and ones off, not."""
    atoms, reads = view.bulletin.list_current_atoms(), list_recent_reads(view)
    overview = read_text_or_empty(view, OVERVIEW_MD)
    names = [name for name in list_brief_projects(view) if not is_archived(overview, name)]
    texts = {name: _read_texts(view, name) for name in names}
    days = _find_days(atoms, reads, texts)
    tasks = _group_tasks(_read_backlog(view, find_newest_day(days.values())), names)
    texts = {name: each._replace(as_of=format_day(days[name])) for name, each in texts.items()}
    groups: dict[str, list[CurrentAtom]] = {name: [] for name in ("", *names)}
    for atom in atoms:
        if atom.about in groups:
            groups[atom.about].append(atom)
    links = _find_links(view, texts, tasks, groups)
    ranks = parse_project_ranks(overview)
    states = {
        name: ProjectState(
            texts[name],
            tuple(list_project_lines(texts[name], tasks[name])),
            links[name],
            ranks.get(name, 0),
        )
        for name in names
    }
    read_groups: dict[str, list[DayReads]] = {}
    for each in reads:
        read_groups.setdefault(each.project, []).append(each)
    return TreeState(states, groups, read_groups, read_text_or_empty(view, USER_MD_PATH))


def list_recent_reads(view: View) -> list[DayReads]:
    """Return the reads of the last `READ_DAYS` before the last one."""
    last = view.bulletin.find_last_read_day()
    return view.bulletin.list_day_reads(format_day(max(last - READ_DAYS, 1))) if last else []


def list_brief_projects(view: View) -> list[str]:
    """Return the projects that have a bulletin."""
    is_off = view.settings.brief.is_off
    return [p for p in view.tree.list_projects() if is_project_name(p) and not is_off(p)]


def render_bulletins(
    view: View, state: TreeState, projects: Iterable[str], budget: Budget
) -> dict[str, Bulletin]:
    """Return the bulletins of some projects; an empty name is that of the tree."""
    selections: dict[str, Selection] = {name: select_atoms(state, name) for name in projects}
    paths = {atom.path for each in selections.values() for atom in each.shown_atoms}
    fields = view.bulletin.read_fields(paths)
    return {
        name: render_bulletin(draft_bulletin(state, selection, fields), budget)
        for name, selection in selections.items()
    }


def _read_texts(view: View, project: str) -> ProjectTexts:
    """Return the files of a project; its day is not known yet."""
    texts = {
        key: read_text_or_empty(view, f"projects/{project}/{name}")
        for key, name in _TEXT_FILES.items()
    }
    return ProjectTexts(project, "", **texts)


def _find_days(
    atoms: Iterable[CurrentAtom], reads: Iterable[DayReads], texts: Mapping[str, ProjectTexts]
) -> dict[str, int]:
    """Return the newest day of each project: of its atoms, its reads, and its status."""
    days = {name: {parse_day(parse_updated_day(each.status))} for name, each in texts.items()}
    for atom in atoms:
        if atom.about in days:
            days[atom.about].add(atom.day)
    for each in reads:
        if each.project in days:
            days[each.project].add(each.day)
    return {name: find_newest_day(found) for name, found in days.items()}


def _read_backlog(view: View, newest: int) -> Backlog:
    """Return all tasks as of the newest day: by the clock, the same tree would give other bytes."""
    read = read_boards(view).backlog
    today = date.fromordinal(max(newest, 1))
    return Backlog.from_tasks(read.tasks, read.archived_ids, read.project_ranks, today)


def _group_tasks(backlog: Backlog, names: Sequence[str]) -> dict[str, list[tuple[Task, Readiness]]]:
    """Return the tasks of each project that are not done, the most urgent first."""
    found: dict[str, list[tuple[Task, Readiness]]] = {name: [] for name in names}
    for task in sorted(backlog.tasks, key=backlog.urgency_key):
        readiness = backlog.assess_readiness(task)
        if task.project in found and readiness.state.is_open:
            found[task.project].append((task, readiness))
    return found


def _find_links(
    view: View,
    texts: Mapping[str, ProjectTexts],
    tasks: Mapping[str, Sequence[tuple[Task, Readiness]]],
    atoms: Mapping[str, Sequence[CurrentAtom]],
) -> dict[str, dict[str, float]]:
    """Return what the open work of each project links to, and what those atoms cite."""
    known = {atom.ref for group in atoms.values() for atom in group}
    links = {
        name: list_open_links(each, (task for task, _ in tasks[name]), atoms[name], known)
        for name, each in texts.items()
    }
    seeds = {ref for found in links.values() for ref in found}
    cited = {
        ref: [full for each in names if (full := find_ref(each, project, known))]
        for ref, project, names in view.bulletin.list_citations(seeds)
    }
    return {name: link_second(found, cited) for name, found in links.items()}
