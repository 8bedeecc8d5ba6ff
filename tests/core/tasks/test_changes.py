"""What each change asks of a task, where it is refused; ids, locks, archives, evidence."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_task_readiness import TODAY, backlog

from cortexfs.core.frontmatter.yaml_scalar import NON_TEXT_SCALAR
from cortexfs.core.tasks import task_transitions
from cortexfs.core.tasks.archive import append_to_archive, find_archivable_tasks, parse_archived_ids
from cortexfs.core.tasks.completion_evidence import extract_paths, is_work_commit
from cortexfs.core.tasks.task_and_board import TaskBoard, parse_board
from cortexfs.core.tasks.task_ids import find_taken_ids, generate_task_id, is_task_id
from cortexfs.core.tasks.tasks_lock import (
    acquire_lock,
    find_lock_holder,
    require_unlocked,
    resolve_owner,
)
from cortexfs.errors import Refused, TasksLocked, TaskTaken

if TYPE_CHECKING:
    from cortexfs.core.tasks.task_fields import FieldChange

NOW = datetime(2026, 5, 6, 20, 31, 10, tzinfo=UTC)
FREE: dict[str, FieldChange] = {"claimed-by": None, "claimed-at": None}


def apply_transition(transition: str, entries: str) -> dict[str, FieldChange]:
    """Give what a change of a task with these entries asks for."""
    found = backlog(f"tasks:\n- id: 3fa9\n  {entries}\n")
    task = found.by_id["3fa9"]
    match transition:
        case "claim":
            return task_transitions.claim_task(task, "ada", found)
        case "unclaim" | "unclaim --force":
            return task_transitions.unclaim_task(task, "ada", TODAY, force="force" in transition)
        case "block":
            return task_transitions.block_task(task, "the\nboard")
        case "approve":
            return task_transitions.approve_task(task, TODAY)
        case "done":
            return task_transitions.finish_task(task, "", TODAY)
    return {"unblock": task_transitions.unblock_task, "pause": task_transitions.pause_task}.get(
        transition, task_transitions.resume_task
    )(task)


@pytest.mark.parametrize(
    ("transition", "entries", "changes"),
    [
        ("claim", "status: open", {"claimed-by": "ada", "claimed-at": "2026-05-06"}),
        ("unclaim", "claimed-by: ada", FREE),
        ("unclaim", "claimed-by: bob\n  claimed-at: 2026-05-02", FREE),
        ("unclaim --force", "claimed-by: bob", FREE),
        ("block", "status: open", {"blocked-by": "the board", **FREE, "pending-at": None}),
        (
            "block",
            "status: pending",
            {"status": "open", "blocked-by": "the board", **FREE, "pending-at": None},
        ),
        ("unblock", "blocked-by: x", {"blocked-by": None, "pending-at": None}),
        (
            "unblock",
            "status: pending",
            {"status": "open", "blocked-by": None, "pending-at": None},
        ),
        ("pause", "claimed-by: bob", {"paused": "true", **FREE}),
        ("resume", "paused: yes", {"paused": None}),
        ("approve", "approval-needed: true", {"approved-at": "2026-05-06"}),
        (
            "done",
            "claimed-by: bob",
            {"status": "done", "completed-at": "2026-05-06", **FREE, "pending-at": None},
        ),
    ],
)
def test_each_transition_changes_the_expected_fields(
    transition: str, entries: str, changes: dict[str, FieldChange]
) -> None:
    assert apply_transition(transition, entries) == changes


@pytest.mark.parametrize(
    ("transition", "entries"),
    [
        *(("claim", holder) for holder in ("status: done", "status: pending", "paused: true")),
        *(
            ("claim", holder)
            for holder in ("blocked-by: x", "depends-on: b07c", "not-before: 2099-1-1")
        ),
        *(("claim", holder) for holder in ("approval-needed: true", "status: DONE")),
        *(("unclaim", holder) for holder in ("status: open", "claimed-by: bob")),
        ("unclaim", "claimed-by: bob\n  claimed-at: 2026-05-03"),
        *(
            (transition, "status: done")
            for transition in ("block", "unblock", "pause", "approve", "done")
        ),
        ("unblock", "status: open"),
        ("pause", "paused: true"),
        ("resume", "status: open"),
        ("approve", "status: open"),
        ("approve", "approval-needed: true\n  approved-at: 2026-05-01"),
        ("done", "paused: true"),
        ("done", "blocked-by: x"),
    ],
)
def test_a_transition_that_does_not_fit_is_refused(transition: str, entries: str) -> None:
    with pytest.raises(Refused):
        apply_transition(transition, entries)


@pytest.mark.parametrize("claimant", ["bob", "ada"])
def test_claiming_a_claimed_task_is_a_conflict(claimant: str) -> None:
    with pytest.raises(TaskTaken, match=claimant) as refused:
        apply_transition("claim", f"claimed-by: {claimant}")
    assert refused.value.exit_code == 4


def test_a_pending_task_that_is_blocked_and_unblocked_can_be_claimed() -> None:
    text = "tasks:\n- {id: 3fa9, status: pending, blocked-by: x, pending-at: 2026-01-01}\n"
    task = backlog(text).by_id["3fa9"]
    fields = {**task.fields, **task_transitions.unblock_task(task)}
    kept = {key: value for key, value in fields.items() if value is not None}
    found = backlog(f"tasks: [{{{', '.join(f'{k}: {v}' for k, v in kept.items())}}}]")
    assert [ready.id for ready in found.list_ready_tasks(["p0"])] == ["3fa9"]


@given(st.text(), st.sets(st.sampled_from([f"{n:04x}" for n in range(65536)]), max_size=2000))
def test_a_new_id_is_free_and_not_a_number_in_yaml(seed: str, known: set[str]) -> None:
    ident = generate_task_id(seed, known)
    assert is_task_id(ident)
    assert ident not in known
    assert not NON_TEXT_SCALAR.fullmatch(ident)
    assert generate_task_id(seed, known | {ident}) != ident


@pytest.mark.soak
def test_a_task_is_refused_when_every_id_is_taken() -> None:
    with pytest.raises(Refused, match="every id is taken"):
        generate_task_id("x", {f"{number:04x}" for number in range(65536)})


def test_taken_ids_are_found_anywhere_in_a_text() -> None:
    texts = ["- id: 3fa9\n", "[id: b07c] [", "depends-on: ['51e0',c4d2]", "3FA9 12345 xb07c"]
    assert find_taken_ids(texts) == {"3fa9", "b07c", "51e0", "c4d2"}


def board(lock: str) -> TaskBoard:
    parsed = parse_board("p", f"lock: {lock}\ntasks: []\n")
    assert isinstance(parsed, TaskBoard)
    return parsed


@pytest.mark.parametrize(
    ("lock", "holder"),
    [
        ("{owner: bob, expires_at: 2026-05-06T20:31:11Z}", "bob"),
        ("{owner: bob, expires_at: '2026-05-06T22:31:11+02:00'}", "bob"),
        ("{owner: bob, expires_at: 2026-05-06T20:31:10Z}", ""),
        ("{owner: bob, expires_at: 2026-05-06 20:31:11}", "bob"),
        ("{owner: bob, expires_at: soon}", ""),
        ("{owner: bob}", ""),
        ("{owner: [bob], expires_at: 2099-01-01}", ""),
        ("bob", ""),
        ("", ""),
    ],
)
def test_a_lock_holds_until_it_expires(lock: str, holder: str) -> None:
    assert find_lock_holder(board(lock), NOW) == holder


def test_only_its_owner_passes_or_extends_a_lock() -> None:
    holder = board("{owner: bob, expires_at: 2099-01-01T00:00:00Z, note: sorting}")
    require_unlocked(holder, "bob", NOW)
    with pytest.raises(TasksLocked, match="bob until 2099"):
        require_unlocked(holder, "ada", NOW)
    with pytest.raises(TasksLocked):
        acquire_lock(holder, "ada", NOW, 20, "")
    extended = {"acquired_at": "2026-05-06T20:31:10Z", "expires_at": "2026-05-06T20:51:10Z"}
    assert acquire_lock(holder, "bob", NOW, 20, "") == {"owner": "bob", **extended, "note": None}
    expired = board("{owner: bob, expires_at: 2020-01-01T00:00:00Z}")
    assert acquire_lock(expired, "ada", NOW, 20, "mine") == {
        "owner": "ada",
        **extended,
        "note": "mine",
    }


def test_a_lock_lasts_a_week_at_most() -> None:
    with pytest.raises(Refused, match="a week at most"):
        acquire_lock(TaskBoard("p", ""), "ada", NOW, 10**40, "")


def test_every_process_of_a_session_has_the_same_owner() -> None:
    environ = {"CORTEXFS_OWNER": "", "CORTEX_EXECUTION_ID": "session 7"}
    assert resolve_owner(None, environ, "ada") == "session 7"
    assert resolve_owner(None, {**environ, "CORTEXFS_OWNER": "me"}, "ada") == "me"
    assert resolve_owner("x\ny", environ, "ada") == "x y"
    assert resolve_owner(None, {}, "ada") == "ada"
    with pytest.raises(Refused):
        resolve_owner(None, {}, "")


@pytest.mark.parametrize(
    ("when", "is_archived"),
    [
        *(("2026-05-02", True), ("2026-05-03", False), ("2026-05-06", False)),
        *(("2026-05-02T23:59:59Z", True), ("2026-05-02T23:59:59.999+00:00", True)),
        *(("2026-05-03T00:30:00+02:00", True), ("2026-05-03T00:00:00Z", False)),
        *(("", False), ("soon", False)),
    ],
)
def test_a_done_task_can_be_archived_after_three_days(when: str, is_archived: bool) -> None:
    parsed = parse_board("p", f"tasks:\n- id: 3fa9\n  status: done\n  completed-at: {when}\n")
    assert isinstance(parsed, TaskBoard)
    assert bool(find_archivable_tasks(parsed, TODAY)) is is_archived


@given(st.dates(date(2020, 1, 1), date(2030, 1, 1)))
def test_only_tasks_done_long_enough_ago_are_archived(when: date) -> None:
    text = "tasks:\n" + "".join(
        f"- {{id: {status[:1]}000, status: {status}, completed-at: {when}}}\n"
        for status in ("open", "done", "pending")
    )
    parsed = parse_board("p", text)
    assert isinstance(parsed, TaskBoard)
    names = [task.id for task in find_archivable_tasks(parsed, TODAY)]
    assert names == (["d000"] if when < TODAY - timedelta(days=3) else [])


BLOCK = """- [x] a b [id: 3fa9]
  Why: w
  Done when: d
  Priority: high
  Completed: 2026-05-01 (n)
  gpu: {"count": "2", "of": ["a"]}
"""


@pytest.mark.parametrize("before", ["", "# A\n", "# A", "# A\n\n", "- [x] x [id: b07c]\n"])
def test_an_archived_task_keeps_all_its_fields(before: str) -> None:
    text = (
        "tasks:\n- {id: 3fa9, text: 'a\n\n    b', why: w, done-when: d, priority: high, plan: p,"
        " completed-at: 2026-05-01, completed-note: n, gpu: {count: 2, of: [a]}}\n"
    )
    parsed = parse_board("p", text)
    assert isinstance(parsed, TaskBoard)
    archive = append_to_archive(before, parsed.tasks)
    assert archive.startswith(before)
    assert archive.endswith(f"\n\n{BLOCK}" if before else BLOCK)
    assert parse_archived_ids(archive) >= {"3fa9"}


@pytest.mark.parametrize(
    ("message", "is_evidence"),
    [
        ("a frame for many series (3fa9)", True),
        ("codec: shared frame\n\nTask: 3fa9\n", True),
        ("task 3fa9: shared frame", True),
        ("claims of the README corrected, for 3fa9", False),
        ("task claim 3fa9: shared frame", False),
        ("task done 3fa9: shared frame", False),
        ("task archive driftwood: 3fa9", False),
        ("claim 3fa9", False),
        ("chore: unclaim 3fa9", False),
        ("frame 3fa90", False),
        ("frame a3fa9", False),
        ("frame", False),
    ],
)
def test_a_work_commit_that_names_the_task_is_evidence(message: str, is_evidence: bool) -> None:
    assert is_work_commit(message, "3fa9") is is_evidence


def test_paths_in_a_text_are_found_except_those_that_lead_upwards() -> None:
    text = "`bench/out/x.csv` is there, README.md, src/ too; see ../../etc/passwd, /etc/x, 0.3"
    assert extract_paths(text) == ["bench/out/x.csv", "README.md", "etc/x"]
