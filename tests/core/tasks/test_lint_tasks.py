from __future__ import annotations

import pytest
from test_task_readiness import TODAY

from cortexfs.core.checks.finding_code import ERROR, WARNING
from cortexfs.core.checks.finding_codes import get_severity
from cortexfs.core.tasks.lint_tasks import find_low_supply, lint_tasks
from cortexfs.core.tasks.task_and_board import TaskBoard, parse_board
from cortexfs.core.tasks.task_readiness import Backlog

COMPLETE = "why: w\n  done-when: d\n  template: experiment\n  plan: p"
KINDS = ("experiment", "decision")


def lint(*items: str, other: str = "", archived: tuple[str, ...] = ()) -> list[tuple[str, int]]:
    """Give the codes and lines of what is wrong with the tasks of one of two projects."""
    boards = [
        parse_board("p", "tasks:\n" + "".join(f"- {item}\n" for item in items)),
        parse_board("q", other),
    ]
    read = [board for board in boards if isinstance(board, TaskBoard)]
    tasks = [task for board in read for task in board.tasks]
    found = lint_tasks(read[:1], Backlog.from_tasks(tasks, frozenset(archived), {}, TODAY), KINDS)
    return [(finding.code, finding.line) for finding in found]


def test_a_complete_task_has_no_findings() -> None:
    assert lint(f"id: 3fa9\n  {COMPLETE}") == []
    assert lint("id: 3fa9\n  status: done") == []


@pytest.mark.parametrize(
    ("entries", "code", "severity"),
    [
        ("why: w", "missing-id", WARNING),
        ("id: 3FA9", "bad-id", ERROR),
        ("id: 3fa", "bad-id", ERROR),
        ("template: epic", "unknown-template", ERROR),
        ("priority: urgent", "bad-priority", WARNING),
        ("status: doing", "bad-status", ERROR),
        ("not-before: soon", "bad-date", ERROR),
        ("completed-at: 2026-13-01", "bad-date", ERROR),
        ("depends-on: [b07c]", "missing-dependency", ERROR),
        ("parent: b07c", "missing-parent", ERROR),
        ("depends-on: [3fa9]", "dependency-cycle", ERROR),
        ("parent: 3fa9", "parent-cycle", ERROR),
        ("claimed-by: ada\n  claimed-at: 2026-05-02", "stale-claim", WARNING),
    ],
)
def test_each_code_is_found_with_its_severity(entries: str, code: str, severity: str) -> None:
    key = entries.partition(":")[0]
    whole = [line for line in f"id: 3fa9\n  {COMPLETE}".split("\n  ") if not line.startswith(key)]
    if code == "missing-id":
        whole = [line for line in whole if not line.startswith(("id", "why"))]
    assert lint("\n  ".join([*entries.split("\n  "), *whole])) == [(code, 2)]
    assert get_severity(code) == severity


@pytest.mark.parametrize("key", ["why", "done-when", "template", "plan"])
def test_a_missing_optional_field_is_a_warning(key: str) -> None:
    other_lines = [line for line in COMPLETE.split("\n  ") if not line.startswith(f"{key}:")]
    assert lint("\n  ".join(["id: 3fa9", *other_lines])) == [(f"missing-{key}", 2)]
    assert lint("\n  ".join(["id: 3fa9", f"{key}: ' '", *other_lines])) == [(f"missing-{key}", 2)]
    assert get_severity(f"missing-{key}") == WARNING


def test_an_id_used_in_another_project_is_a_duplicate() -> None:
    assert lint(f"id: 3fa9\n  {COMPLETE}", other="tasks: [{id: 3fa9}]") == [("duplicate-id", 2)]


def test_a_cycle_is_reported_at_each_of_its_tasks_only() -> None:
    chain = {"aaaa": "bbbb", "bbbb": "cccc", "cccc": "bbbb", "dddd": "aaaa"}
    for key, code in (("depends-on", "dependency-cycle"), ("parent", "parent-cycle")):
        items = [f"id: {ident}\n  {key}: {on}\n  {COMPLETE}" for ident, on in chain.items()]
        assert lint(*items) == [(code, 8), (code, 14)]


def test_a_dependency_may_be_in_another_project_or_archived() -> None:
    item = f"id: 3fa9\n  depends-on: [b07c, c4d2]\n  parent: e81d\n  {COMPLETE}"
    assert lint(item, other="tasks: [{id: b07c}]", archived=("c4d2", "e81d")) == []


def test_an_item_that_is_not_a_task_is_reported_and_the_others_are_read() -> None:
    assert lint("just words", f"id: 3fa9\n  {COMPLETE}", "") == [("bad-tasks", 2), ("bad-tasks", 8)]


@pytest.mark.parametrize(("ready", "low"), [(0, 1), (1, 1), (2, 0), (3, 0)])
def test_fewer_than_two_ready_tasks_are_reported(ready: int, low: int) -> None:
    items = "".join(f"- id: a00{number}\n" for number in range(ready))
    board = parse_board("p", f"tasks:\n{items}- id: b07c\n  paused: true\n")
    assert isinstance(board, TaskBoard)
    found = list(find_low_supply("p", Backlog.from_tasks(board.tasks, frozenset(), {}, TODAY)))
    assert [finding.code for finding in found] == ["low-actionable-supply"] * low
