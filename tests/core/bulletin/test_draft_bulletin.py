"""Which atoms and lines the bulletin of a project, and that of the tree, may have."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from cortexfs.core.bulletin.bulletin_line import SECTIONS
from cortexfs.core.bulletin.draft_bulletin import (
    MAX_SECTION_ATOMS,
    ProjectState,
    TreeState,
    draft_bulletin,
    select_atoms,
)
from cortexfs.core.bulletin.format_bulletin import format_line
from cortexfs.core.bulletin.open_work_links import link_second, list_open_links
from cortexfs.core.bulletin.project_lines import ProjectTexts, list_project_lines, split_entries
from cortexfs.core.bulletin.score_atoms import (
    OPEN_LINK,
    RECENT_LINK,
    SECOND_LINK,
    CurrentAtom,
    parse_day,
)
from cortexfs.core.bulletin.user_lines import list_user_lines
from cortexfs.core.tasks.task_and_board import TaskBoard, parse_board
from cortexfs.core.tasks.task_readiness import Backlog

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.bulletin.render_bulletin import BulletinDraft
    from cortexfs.core.tasks.task_and_board import Task
    from cortexfs.core.tasks.task_readiness import Readiness

STATUS = """# Status

Updated: 2026-05-05

## Current phase

Phase 3, streaming.

## Recent progress

- Measured (EXP-002).

## Open blockers

- None of the boards boots (EXP-003).

## Next steps

1. Judge K-001.
2. Write it up.
"""
ISSUES = """# Issues

## Old one (2026-03-05)

- Problem: it hurts.

## New one (2026-04-20)

- Problem: it hurts more.
"""
ROADMAP = """# Roadmap

## Phase 1

### M1.1 Begin

- [x] Done

### M1.2 Go on

- [ ] Current step

## Phase 2

### M2.1 Later

- [ ] Later step
"""
TASKS = """tasks:
  - id: 3fa9
    text: Build it after EXP-004
    priority: high
    status: open
    claimed-by: ada
    claimed-at: 2026-05-02
  - id: b07c
    text: Ship it
    blocked-by: the board
  - id: c0de
    text: Done already
    status: done
"""
TEXTS = ProjectTexts("p", "2026-05-05", STATUS, ISSUES, ROADMAP)


def _atom(ref: str, kind: str, day: str, about: str = "p", **more: object) -> CurrentAtom:
    name = f"{ref.rpartition('/')[2]}.md"
    path = f"projects/{ref}.md"
    return CurrentAtom(path, ref, name, "p", kind, parse_day(day), about)._replace(**more)


def _list_tasks() -> list[tuple[Task, Readiness]]:
    board = parse_board("p", TASKS)
    assert isinstance(board, TaskBoard)
    backlog = Backlog.from_tasks(board.tasks, frozenset(), {}, date(2026, 5, 5))
    found = ((task, backlog.assess_readiness(task)) for task in board.tasks)
    return [(task, readiness) for task, readiness in found if readiness.state != "done"]


def _project(texts: ProjectTexts = TEXTS) -> ProjectState:
    return ProjectState(texts, tuple(list_project_lines(texts, _list_tasks())))


def group_atoms(atoms: Iterable[CurrentAtom]) -> dict[str, list[CurrentAtom]]:
    groups: dict[str, list[CurrentAtom]] = {}
    for atom in atoms:
        groups.setdefault(atom.about, []).append(atom)
    return groups


def _draft(state: TreeState, project: str) -> BulletinDraft:
    selection = select_atoms(state, project)
    fields = {atom.path: {"summary": f"about {atom.ref}"} for atom in selection.shown_atoms}
    return draft_bulletin(state, selection, fields)


def _texts(draft: BulletinDraft, section: str) -> list[str]:
    lines = sorted(draft.lines, key=lambda line: -line.score)
    return [line.text for line in lines if line.section == section]


def test_a_project_is_given_in_full() -> None:
    draft = _draft(TreeState({"p": _project()}, {}), "p")
    assert draft.title == "p, as of 2026-05-05"
    assert _texts(draft, "state") == [
        "Phase 3, streaming.",
        "next: Judge K-001.",
        "next: Write it up.",
    ]
    assert _texts(draft, "blockers") == [
        "None of the boards boots (EXP-003).",
        "New one",
        "Old one",
        "task is blocked by the board: Ship it",
    ]
    assert _texts(draft, "goals") == ["M1.2 Go on: Current step"]
    assert _texts(draft, "tasks") == ["high, claimed: Build it after EXP-004"]
    days = {line.text: (line.source, line.day) for line in draft.lines}
    assert days["New one"] == ("projects/p/ISSUES.md", "2026-04-20")
    assert days["high, claimed: Build it after EXP-004"] == ("p/3fa9", "2026-05-02")


def test_the_tree_has_a_line_for_each_project_and_the_recent_one_comes_first() -> None:
    old = TEXTS._replace(project="q", as_of="2026-01-01", status=STATUS.replace("05-05", "01-01"))
    state = TreeState({"q": _project(old), "p": _project()}, {})
    assert _texts(_draft(state, ""), "state") == [
        "p: Phase 3, streaming; next: Judge K-001.",
        "q: Phase 3, streaming; next: Judge K-001.",
    ]


def test_each_kind_of_atom_has_its_section_and_prompts_have_none() -> None:
    kinds = ("experiment", "recipe", "session", "decision", "knowledge", "pattern", "observation")
    atoms = [
        _atom(f"p/X-{at:03d}", kind, "2026-05-01") for at, kind in enumerate((*kinds, "prompt"))
    ]
    draft = _draft(TreeState({"p": ProjectState(TEXTS)}, group_atoms(atoms)), "p")
    sections = {line.source: line.section for line in draft.lines if line.source.startswith("p/X")}
    assert set(sections.values()) <= set(SECTIONS)
    assert [sections[f"p/X-{at:03d}"] for at in range(7)] == [
        *("recent", "recent", "recent", "decisions", "knowledge", "knowledge", "observations")
    ]
    assert "p/X-007" not in {line.source for line in (*draft.lines, *draft.named_atoms)}
    assert draft.atom_count == 7


def test_a_project_sees_its_own_atoms_and_those_that_concern_all() -> None:
    atoms = [
        _atom("p/K-001", "knowledge", "2026-05-01"),
        _atom("q/K-001", "knowledge", "2026-05-01", "q"),
        _atom("DR-0001", "decision", "2026-05-01", ""),
        _atom("IDEA-001", "idea", "2026-05-01", ""),
        _atom("OBS-001", "observation", "2026-05-01", ""),
    ]
    state = TreeState({"p": ProjectState(TEXTS), "q": ProjectState(TEXTS)}, group_atoms(atoms))
    assert {each.ref for each in select_atoms(state, "p").named} == {
        "p/K-001",
        "DR-0001",
        "OBS-001",
    }
    assert len(select_atoms(state, "").named) == 5


def test_what_needs_care_is_marked() -> None:
    atoms = [_atom("p/K-001", "knowledge", "2026-05-01")]
    state = TreeState({"p": ProjectState(TEXTS)}, group_atoms(atoms))
    fields = {atoms[0].path: {"summary": "It holds", "status": "challenged:EXP-009"}}
    draft = draft_bulletin(state, select_atoms(state, "p"), fields)
    assert _texts(draft, "knowledge") == ["challenged:EXP-009: It holds"]


def test_of_many_atoms_the_best_are_lines_and_all_are_counted() -> None:
    atoms = [_atom(f"p/K-{at:03d}", "knowledge", "2026-05-01") for at in range(60)]
    atoms[50] = atoms[50]._replace(is_pinned=True)
    draft = _draft(TreeState({"p": ProjectState(TEXTS)}, group_atoms(atoms)), "p")
    assert _texts(draft, "knowledge")[0] == "about p/K-050"
    assert len(_texts(draft, "knowledge")) == MAX_SECTION_ATOMS
    assert draft.uncounted == {"knowledge": 60 - MAX_SECTION_ATOMS}


def test_open_work_links_to_atoms_and_they_to_others() -> None:
    atoms = [_atom(f"p/EXP-{at:03d}", "experiment", f"2026-04-0{at + 1}") for at in range(8)]
    known = {*(atom.ref for atom in atoms), "p/K-001", "p/K-002"}
    links = list_open_links(TEXTS, (task for task, _ in _list_tasks()), atoms, known)
    assert links == {
        **dict.fromkeys(("p/K-001", "p/EXP-003", "p/EXP-004"), OPEN_LINK),
        **dict.fromkeys(("p/EXP-002", "p/EXP-007", "p/EXP-006"), RECENT_LINK),
    }
    wider = link_second(links, {"p/EXP-002": ["p/K-002"], "p/EXP-003": ["p/K-002", "p/K-001"]})
    assert wider == {**links, "p/K-002": SECOND_LINK}


def test_preferences_come_by_category_and_those_of_the_project_first() -> None:
    text = "# User\n\nlast-updated: 2026-04-30\n\n## Working style\n\n- Sundays: off\n- p: Rust\n"
    text += "\n## Identity\n\n- Role: one person\n"
    lines = list_user_lines(text, "2026-05-05", ("p",))
    ranked = sorted(lines, key=lambda line: -line.score)
    assert [line.text for line in ranked] == ["p: Rust", "Role: one person", "Sundays: off"]
    assert {line.day for line in lines} == {"2026-04-30"}


def test_a_preference_without_a_value_and_a_missing_day_are_left_out() -> None:
    text = "# User\n\n## Communication\n\n- Language:\n- Spelling: British\n"
    (line,) = list_user_lines(text, "")
    assert format_line(line) == "- Spelling: British (user/USER.md)"
    state = TreeState({}, {}, user=text)
    assert draft_bulletin(state, select_atoms(state, ""), {}).title == "All projects"


def test_entries_are_items_or_paragraphs_and_none_is_none() -> None:
    assert split_entries("- a\n  more\n- b") == ["- a\n  more", "- b"]
    assert split_entries("First.\n\nSecond.") == ["First.", "Second."]
    assert split_entries("None.") == []


def test_a_project_without_files_has_no_lines() -> None:
    assert list_project_lines(ProjectTexts("p", "2026-05-05"), ()) == []


def test_in_the_bulletin_of_the_tree_a_project_of_a_higher_rank_counts_more() -> None:
    scores = []
    for rank in (0, 2):
        state = TreeState({"p": _project()._replace(rank=rank)}, {})
        scores.append(max(line.score for line in _draft(state, "").lines))
    assert scores[1] > scores[0]
