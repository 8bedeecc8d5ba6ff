"""What is stuck: processes, tasks and issues."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from cortexfs.operations.find_stuck_work import find_stuck_work
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from place import Place

BEGIN = {"CORTEXFS_NOW": "2026-05-06T10:00:00Z"}


def find(tree: Place, hour: int = 11) -> list[tuple[str, str, str]]:
    session = Session.open(str(tree.root), lambda: datetime(2026, 5, 6, hour, tzinfo=UTC))
    found = find_stuck_work(session, ["flywheel"])
    return [(each.type, each.project, each.reason) for each in found]


def test_silent_processes_are_stuck_and_what_has_ended_is_not(tree: Place) -> None:
    tree.ok("event", "task-started", "--session", "s", "--agent", "b", "--text", "make", **BEGIN)
    tree.ok("event", "agent-started", "--session", "s", "--agent", "a", "-p", "engine", **BEGIN)
    assert find(tree, 10) == []
    assert find(tree) == [
        ("session", "engine", "silent since 2026-05-06 10:00"),
        ("sub-agent", "engine", "running for 60 min"),
        ("task", "", "no sign of life for 60 min: make"),
    ]
    tree.ok("event", "session-ended", "--session", "s", **BEGIN)
    assert find(tree) == []


def test_tasks_that_cannot_go_on_and_open_issues_are_stuck(tree: Place) -> None:
    tree.write("projects/flywheel/TASKS.yaml", """\
tasks:
- {id: a, text: Ready}
- {id: b, text: Blocked, blocked-by: the rain}
- {id: c, text: Behind another, depends-on: [a]}
- {id: d, text: Needs a yes, approval-needed: true}
- {id: e, text: Paused, paused: true}
""")  # fmt: skip
    tree.ok("issue", "add", "Clock drifts", "-p", "flywheel", **BEGIN)
    assert [reason for _, _, reason in find(tree)] == [
        "needs approval: `cortexfs task approve d`: Needs a yes",
        "is blocked by the rain: Blocked",
        "is paused: Paused",
        "open since 2026-05-06",
    ]
