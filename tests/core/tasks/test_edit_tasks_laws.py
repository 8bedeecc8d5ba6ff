"""Whatever a TASKS.yaml looks like, a change of it changes what was asked, and no other byte."""

from __future__ import annotations

from typing import Any

import yaml
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML
from unusual_tasks_files import files

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.tasks.edit_tasks import TasksEdit, edit_tasks
from cortexfs.core.tasks.task_and_board import TaskBoard, parse_board
from cortexfs.errors import Refused

LOCK = {"owner": "ada", "expires_at": "2026-05-06T20:51:10Z"}
NEW = {"id": "f00d", "text": "new: one", "priority": "high", "depends-on": ["51e0", "b07c"]}


def read_with_other_libraries(text: str) -> list[Any]:
    """Read a file as two other readers do, every scalar as text."""
    readers = (YAML(typ="safe", pure=True).load, yaml.safe_load)
    return [_plain(reader(text)) for reader in readers]


def _plain(value: object) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return "" if value is None else str(value).lower()


def board(text: str) -> TaskBoard:
    read = parse_board("p", text)
    assume(not isinstance(read, Flaw))
    assert isinstance(read, TaskBoard)
    return read


def task_of(text: str, which: int) -> int:
    tasks = [task for task in board(text).tasks if task.id]
    assume(tasks)
    return tasks[which % len(tasks)].position


def common_prefix_length(one: str, other: str) -> int:
    """Tell how many characters two texts have in common at their beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def is_one_insertion(before: str, after: str) -> bool:
    """Tell whether nothing was taken out, and all that was put in stands in one place."""
    prefix_length = common_prefix_length(before, after)
    remaining = len(before) - prefix_length
    return after[len(after) - remaining :] == before[prefix_length:]


@given(files(), st.integers(0, 3))
def test_a_claim_is_one_insertion_and_unclaiming_restores_the_bytes(text: str, which: int) -> None:
    at = task_of(text, which)
    claim = {"claimed-by": "ada: x, y", "claimed-at": "2026-05-06"}
    after = edit_tasks("p", text, TasksEdit(task_changes={at: claim}))
    assert is_one_insertion(text, after)
    for value_before, value_after in zip(
        read_with_other_libraries(text), read_with_other_libraries(after), strict=True
    ):
        value_before["tasks"][at] |= claim
        assert value_after == value_before
    assert edit_tasks("p", after, TasksEdit(task_changes={at: dict.fromkeys(claim)})) == text


@given(files(), st.integers(0, 3))
def test_finishing_a_task_replaces_one_word_and_inserts_one_line(text: str, which: int) -> None:
    at = task_of(text, which)
    status, when = {"status": "done"}, {"completed-at": "2026-05-06"}
    halfway = edit_tasks("p", text, TasksEdit(task_changes={at: status}))
    after = edit_tasks("p", halfway, TasksEdit(task_changes={at: when}))
    assert edit_tasks("p", text, TasksEdit(task_changes={at: status | when})) == after
    prefix_length = common_prefix_length(text, halfway)
    remaining = common_prefix_length(text[prefix_length:][::-1], halfway[prefix_length:][::-1])
    assert text[prefix_length : len(text) - remaining] in {"open", ""}
    assert is_one_insertion(halfway, after)
    for value_before, value_after in zip(
        read_with_other_libraries(text), read_with_other_libraries(after), strict=True
    ):
        value_before["tasks"][at] |= status | when
        assert value_after == value_before


@given(files(), st.integers(0, 3), st.booleans())
@example(
    text="tasks:\n- id: a1\n\n- id: b2\n  why: |+\n    its last lines are blank\n\n",
    which=0,
    is_inserted=False,
)
def test_new_tasks_are_inserted_at_their_place(text: str, which: int, is_inserted: bool) -> None:
    tasks = board(text).tasks
    after = task_of(text, which) if is_inserted and tasks else None
    asked = TasksEdit(added_tasks=[NEW, {**NEW, "id": "beef"}], insert_after=after)
    result = edit_tasks("p", text, asked)
    for value_before, value_after in zip(
        read_with_other_libraries(text), read_with_other_libraries(result), strict=True
    ):
        data_before = value_before or {}
        items = list(data_before.get("tasks") or ())
        place = len(items) if after is None else after + 1
        items[place:place] = [_plain(one_item) for one_item in asked.added_tasks]
        assert value_after == {**data_before, "tasks": items}
    if tasks:
        assert is_one_insertion(text, result)


@given(files(), st.sets(st.integers(0, 3), min_size=1))
def test_removing_tasks_removes_nothing_else(text: str, chosen: set[int]) -> None:
    tasks = board(text).tasks
    assume(tasks)
    dropped = frozenset(tasks[which % len(tasks)].position for which in chosen)
    result = edit_tasks("p", text, TasksEdit(removed_indexes=dropped))
    for value_before, value_after in zip(
        read_with_other_libraries(text), read_with_other_libraries(result), strict=True
    ):
        value_before["tasks"] = [
            one_item for at, one_item in enumerate(value_before["tasks"]) if at not in dropped
        ]
        assert value_after == {**value_before, "tasks": value_before["tasks"]}
    if len(dropped) == len(tasks):
        result = result.replace(" []", "", 1)
    flow = "tasks: [" in text  # then parts of lines go, else whole ones
    before, kept_parts = (list(t) if flow else t.splitlines() for t in (text, result))
    remaining = iter(before)
    assert all(
        any(one_item == one for one in remaining)
        for one_item in kept_parts
        if flow or "tasks:" not in one_item
    )


@given(files())
def test_a_lock_is_one_insertion_and_releasing_it_restores_the_bytes(text: str) -> None:
    assume(not board(text).lock)
    after = edit_tasks("p", text, TasksEdit(lock_changes=LOCK))
    assert is_one_insertion(text, after)
    for value_before, value_after in zip(
        read_with_other_libraries(text), read_with_other_libraries(after), strict=True
    ):
        assert value_after == {**(value_before or {}), "lock": _plain(LOCK)}
    if board(text).text and read_with_other_libraries(text)[0]:
        assert edit_tasks("p", after, TasksEdit(lock_changes=None)) == text


@given(files())
def test_an_empty_edit_changes_no_byte(text: str) -> None:
    board(text)
    assert edit_tasks("p", text, TasksEdit()) == text


@given(files())
def test_tasks_are_read_as_by_two_yaml_libraries(text: str) -> None:
    read = parse_board("p", text)
    if isinstance(read, Flaw):
        return
    for data_before in read_with_other_libraries(text):
        assert [one_item["id"] for one_item in (data_before or {}).get("tasks") or ()] == [
            t.id for t in read.tasks
        ]


NEAR = st.text("ab:- #'\"[]{},|>&*!?%@`~<\\tasks\n\r\t é\x85\u2028\ufeff\0\ud800", max_size=80)


@settings(max_examples=3 * settings().max_examples)
@given(NEAR | NEAR.map("tasks:\n- id: 3fa9\n  {}".format) | NEAR.map("tasks: [{}".format))
@example("\ud800")
@example('a: "\\UFFFFFFFF"')
@example(text="tasks:\n- &a [*a]\n")
def test_any_text_is_parsed_and_edited_correctly_or_refused(text: str) -> None:
    read = parse_board("p", text)
    if isinstance(read, Flaw) or not read.tasks:
        return
    try:
        after = edit_tasks(
            "p", text, TasksEdit(task_changes={read.tasks[0].position: {"claimed-by": "ada"}})
        )
    except Refused:
        return
    then = parse_board("p", after)
    assert isinstance(then, TaskBoard)
    assert then.tasks[0].fields == {**read.tasks[0].fields, "claimed-by": "ada"}
