from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.tasks.priority_words import parse_project_ranks
from cortexfs.core.tasks.task_and_board import Task, TaskBoard, parse_board
from cortexfs.core.tasks.task_readiness import Backlog, TaskState

TODAY = date(2026, 5, 6)


def backlog(*texts: str, archived: tuple[str, ...] = (), overview: str = "") -> Backlog:
    boards = [parse_board(f"p{number}", text) for number, text in enumerate(texts)]
    tasks = [task for board in boards if isinstance(board, TaskBoard) for task in board.tasks]
    return Backlog.from_tasks(tasks, frozenset(archived), parse_project_ranks(overview), TODAY)


def assess_first_task(
    entries: str, *more: str, archived: tuple[str, ...] = ()
) -> tuple[TaskState, str]:
    """Tell how the first of some tasks stands."""
    items = [f"- id: 3fa9\n  {entries}\n", *(f"- {each}\n" for each in more)]
    found = backlog("tasks:\n" + "".join(items), archived=archived)
    readiness = found.assess_readiness(found.by_id["3fa9"])
    return readiness.state, readiness.reason


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ("status: open", TaskState.READY),
        ("status: nonsense", TaskState.READY),
        ("text: no status at all", TaskState.READY),
        ("status: done", TaskState.DONE),
        ("status: Done", TaskState.DONE),
        ("status: pending", TaskState.PENDING),
        ("paused: true", TaskState.PAUSED),
        ("paused: until spring", TaskState.PAUSED),
        ("paused: false", TaskState.READY),
        ("paused: no", TaskState.READY),
        ("claimed-by: ada", TaskState.CLAIMED),
        ("claimed-by:", TaskState.READY),
        ("blocked-by: the board", TaskState.BLOCKED),
        ("blocked-by: [b07c]", TaskState.BLOCKED),
        ("blocked-by: ''", TaskState.READY),
        ("approval-needed: true", TaskState.WAITING),
        ("approval-needed: true\n  approved-at: 2026-05-01", TaskState.READY),
        ("approval-needed: false", TaskState.READY),
        ("not-before: 2099-12-31", TaskState.WAITING),
        ("not-before: 2026-05-07", TaskState.WAITING),
        ("not-before: 2026-05-06", TaskState.READY),
        ("not-before: 2020-01-01T10:00:00Z", TaskState.READY),
        ("not-before: next week", TaskState.WAITING),
        ("depends-on: [b07c]", TaskState.WAITING),
        ("depends-on: p0/b07c", TaskState.WAITING),
        ("depends-on: []", TaskState.READY),
    ],
)
def test_a_task_has_the_state_that_its_fields_give(entries: str, expected: TaskState) -> None:
    assert assess_first_task(entries, "id: b07c")[0] is expected


def test_a_dependency_is_met_when_it_is_done_or_archived() -> None:
    assert assess_first_task("depends-on: [b07c]", "id: b07c\n  status: done")[0] is TaskState.READY
    assert assess_first_task("depends-on: [b07c]", archived=("b07c",))[0] is TaskState.READY
    assert assess_first_task("depends-on: [b07c, c4d2]", "id: b07c\n  status: done") == (
        TaskState.WAITING,
        "depends on `c4d2`",
    )


def test_a_task_waits_for_its_parts_and_they_for_its_blockers() -> None:
    part = "id: b07c\n  parent: 3fa9"
    assert assess_first_task("status: open", part) == (
        TaskState.WAITING,
        "waits for its parts `b07c`",
    )
    assert assess_first_task("status: open", f"{part}\n  status: done")[0] is TaskState.READY
    for blocker in ("paused: true", "approval-needed: true", "depends-on: [c4d2]", "blocked-by: x"):
        found = backlog(f"tasks:\n- id: 3fa9\n  {blocker}\n- {part}\n")
        assert found.assess_readiness(found.by_id["b07c"]).state is TaskState.WAITING, blocker
    claimed = backlog(f"tasks:\n- id: 3fa9\n  claimed-by: ada\n- {part}\n")
    assert claimed.assess_readiness(claimed.by_id["b07c"]).state is TaskState.READY


def test_tasks_that_are_parts_of_each_other_wait() -> None:
    found = backlog("tasks:\n- id: 3fa9\n  parent: b07c\n- id: b07c\n  parent: 3fa9\n")
    assert found.list_ready_tasks(["p0"]) == []


def test_tasks_are_sorted_by_project_then_done_when_then_priority() -> None:
    text = (
        "tasks:\n- {{id: {0}1, priority: high}}\n- {{id: {0}2, priority: low, done-when: x}}\n"
        "- {{id: {0}3, done-when: x, priority: nonsense}}\n"
        "- {{id: {0}4, done-when: x, priority: High}}\n"
    )
    overview = (
        "| Project | Status | Priority |\n|---|---|---|\n| p1 | x | high |\n| p0 | x | low |\n"
    )
    found = backlog(text.format("a"), text.format("b"), overview=overview)
    order = [task.id for task in found.list_ready_tasks(["p0", "p1"])]
    assert order == ["b4", "b3", "b2", "b1", "a4", "a3", "a2", "a1"]
    assert [task.id for task in found.list_ready_tasks(["p0"])] == order[4:]


@given(st.permutations(range(4)))
def test_the_order_does_not_depend_on_the_order_of_the_boards(order: list[int]) -> None:
    boards = [
        parse_board(f"p{n}", f"tasks:\n- id: a{n}\n- id: b{n}\n  done-when: x\n") for n in range(4)
    ]
    tasks = [task for n in order for task in getattr(boards[n], "tasks", ())]
    found = Backlog.from_tasks(tasks, frozenset(), {}, TODAY)
    ready = [task.id for task in found.list_ready_tasks(["p0", "p1", "p2", "p3"])]
    assert ready == ["b0", "b1", "b2", "b3", "a0", "a1", "a2", "a3"]


@pytest.mark.parametrize(
    ("cell", "rank"),
    [
        *(
            ("high", 3),
            ("High", 3),
            ("**HIGH**", 3),
            ("`high` until June", 3),
            ("主线", 3),
            ("高", 3),
        ),
        *(("medium", 2), ("中", 2), ("low", 1), ("低", 1), ("low, for now", 1)),
        *(("", 2), ("whatever", 2), ("—", 2), ("高 (暂定)", 3)),
    ],
)
def test_the_priority_of_a_project_is_read_in_more_than_one_language(cell: str, rank: int) -> None:
    head = "# Overview\n\n| Project | Status | Priority | Last activity |\n|---|---|---|---|\n"
    assert parse_project_ranks(f"{head}| [p](projects/p) | a \\| b | {cell} | x |\n")["p"] == rank


def test_the_priority_column_is_the_named_one_or_else_the_third() -> None:
    assert parse_project_ranks("| Priority | Project |\n|---|---|\n| low | p |\n") == {
        "---": 2,
        "low": 1,
    }
    assert parse_project_ranks("| p | x | low |\nno row | q | high\n| p | x | high |\n") == {"p": 1}


def test_scalars_of_a_task_are_read_as_typed() -> None:
    text = "tasks:\n- id: 0123\n  text: no\n  paused: off\n- 5\n-\n- id: [x]\n"
    board = parse_board("p", text)
    assert isinstance(board, TaskBoard)
    assert [(task.id, task.line) for task in board.tasks] == [("0123", 2), ("", 7)]
    assert board.stray_lines == (5, 6)
    first: Task = board.tasks[0]
    assert (first.description, first.has_flag("paused"), first.priority) == ("no", False, "medium")
