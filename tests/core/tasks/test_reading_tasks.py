"""What keeps a TASKS.yaml from being read, and that nothing in it costs much."""

from __future__ import annotations

import pytest
from soak_cases import leave_rows_to_soak

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.tasks.edit_tasks import TasksEdit, edit_tasks
from cortexfs.core.tasks.parse_yaml_nodes import MAX_DEPTH, MAX_NODES
from cortexfs.core.tasks.task_and_board import TaskBoard, parse_board
from cortexfs.core.tasks.tasks_document import MAX_BYTES
from cortexfs.errors import Refused, Unreadable

BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{after}: &{after} [*{before}, *{before}, *{before}, *{before}, *{before}, *{before}]\n"
    for before, after in zip("abcdefgh", "bcdefghi", strict=True)
)
MERGES = "a: &a {k: v}\n" + "".join(
    f"{after}: &{after} {{<<: [*{before}, *{before}, *{before}, *{before}]}}\n"
    for before, after in zip("abcdefghij", "bcdefghijk", strict=True)
)
TOWER = "a: 1\nb: &b [[[[[[[[1]]]]]]]]\nc: &c [[[[[[[[*b]]]]]]]]\ntasks: []\n"
MANY = ", ".join(f"k{number}: 1" for number in range(20_000))
MERGED_AT_ONCE = f"a: &a {{{MANY}}}\ntasks:\n" + "- {<<: *a}\n" * 40_000
"""Each merge is small enough; all of them would be merged before the list is weighed."""


@pytest.mark.parametrize(
    ("text", "message", "line"),
    leave_rows_to_soak(
        [
            ("tasks:\n- id: [", "did not find", 2),
            ("tasks:\n\t- id: 1\n", "cannot start any token", 2),
            ("- id: 3fa9\n", "not a `key: value` mapping", 1),
            ("tasks: 3fa9\n", "`tasks` is not a list", 1),
            ("a: 1\ntasks: {id: 3fa9}\n", "`tasks` is not a list", 2),
            ("tasks: []\n---\ntasks: []\n", "second document", 2),
            ("tasks:\n- id: a\n  id: b\n", "second time", 3),
            ("tasks: []\ntasks: []\n", "second time", 2),
            ("tasks: [*nowhere]\n", "no anchor", 1),
            ("tasks: &a\n- *a\n", "no anchor", 2),
            ("tasks:\n- [a]: b\n", "as a key", 2),
            (f"tasks: {'[' * MAX_DEPTH}{']' * MAX_DEPTH}\n", "deeper", 1),
            (f"tasks: {'[' * 100_000}", "deeper", 1),
            (f"a: {'{b: ' * 100_000}", "deeper", 1),
            (BOMB, "more than", 6),
            (MERGES, "deeper", 8),
            (MERGED_AT_ONCE, "more than", 5),
            (TOWER, "deeper", 3),
            ("<<: {tasks: hello}\n", "`tasks` is not a list", 1),
            (f"tasks: [{'a, ' * MAX_NODES}]\n", "more than", 1),
            ("#" * (MAX_BYTES + 1), "more than", 1),
            ("é" * (MAX_BYTES // 2 + 1), "more than", 1),
            ("tasks: []\n# \x00\n", "YAML does not allow", 1),
            ('a: "\\U0011ffff"\n', "", 1),
        ],
        every=3,
    ),
)
def test_an_unreadable_file_has_a_flaw_with_its_line_and_is_not_edited(
    text: str, message: str, line: int
) -> None:
    parsed = parse_board("p", text)
    assert isinstance(parsed, Flaw)
    assert (parsed.code, parsed.line) == ("bad-tasks", line)
    assert message in parsed.message
    with pytest.raises(Unreadable, match=r"p/TASKS\.yaml:"):
        edit_tasks("p/TASKS.yaml", text, TasksEdit(added_tasks=[{"id": "3fa9"}]))


@pytest.mark.parametrize(
    "text", [None, "", "# c", "---\n", "tasks:", "tasks: ~", "tasks: []", "{}"]
)
def test_a_file_without_tasks_gives_an_empty_list(text: str | None) -> None:
    board = parse_board("p", text)
    assert isinstance(board, TaskBoard)
    assert board.tasks == ()


SHARED = "tasks:\n- &t\n  id: 3fa9\n  status: &s open\n- id: b07c\n  status: *s\n- *t\n"


def test_an_alias_is_replaced_and_editing_its_anchor_is_refused() -> None:
    edited = edit_tasks("p", SHARED, TasksEdit(task_changes={1: {"status": "done"}}))
    assert edited == SHARED.replace("*s", "done")
    for edit in (
        TasksEdit(task_changes={0: {"status": "done"}}),
        TasksEdit(task_changes={0: {"claimed-by": "ada"}}),
        TasksEdit(task_changes={2: {"claimed-by": "ada"}}),
        TasksEdit(removed_indexes=frozenset({0})),
    ):
        with pytest.raises(Refused, match="cannot be edited in this way"):
            edit_tasks("p", SHARED, edit)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("x: &t\n- {id: 3fa9, text: t}\ntasks: *t\n", 3),
        ("a: &a {tasks: [{id: 3fa9, text: t}]}\n<<: *a\n", 1),
    ],
)
def test_tasks_behind_an_alias_are_read_and_not_edited(text: str, line: int) -> None:
    board = parse_board("p", text)
    assert isinstance(board, TaskBoard)
    assert [(task.id, task.line) for task in board.tasks] == [("3fa9", line)]
    for edit in (
        TasksEdit(task_changes={0: {"status": "done"}}),
        TasksEdit(removed_indexes=frozenset({0})),
        TasksEdit(added_tasks=[{"id": "b07c", "text": "u"}]),
    ):
        with pytest.raises(Refused, match="cannot be edited in this way"):
            edit_tasks("p", text, edit)


def test_lines_are_added_above_the_end_marker_of_the_document() -> None:
    assert (
        edit_tasks("p", "---\n...\n", TasksEdit(lock_changes={"owner": "ada"}))
        == "---\nlock: {owner: ada}\n...\n"
    )
    added = edit_tasks("p", "# c\n---\n...", TasksEdit(added_tasks=[{"id": "3fa9"}]))
    assert added == "# c\n---\ntasks:\n  - id: 3fa9\n..."


def test_a_merged_value_is_read_and_overridden_but_not_removed() -> None:
    text = "d: &d {status: open, paused: true}\ntasks:\n- <<: *d\n  id: 3fa9\n"
    board = parse_board("p", text)
    assert isinstance(board, TaskBoard)
    assert board.tasks[0].has_flag("paused")
    edited = edit_tasks("p", text, TasksEdit(task_changes={0: {"status": "done"}}))
    assert edited == f"{text}  status: done\n"
    with pytest.raises(Refused):
        edit_tasks("p", text, TasksEdit(task_changes={0: {"paused": None}}))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("tasks:\n- id: a\n  text: b\n  why: c   # d\n", "  done-when: x\n"),
        ("tasks:\n- id: a\n  text: b\n  why: c\n  zzz: d\n", "  done-when: x\n"),
    ],
)
def test_a_new_key_goes_to_its_place_in_the_format(before: str, after: str) -> None:
    edited = edit_tasks("p", before, TasksEdit(task_changes={0: {"done-when": "x"}}))
    at = before.index("why")
    assert (
        edited
        == before[: before.index("\n", at) + 1] + after + before[before.index("\n", at) + 1 :]
    )


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("tasks: []\n", 'tasks:\n  - id: f00d\n    text: "a: b"\n'),
        ("tasks: []   # none\n", 'tasks:   # none\n  - id: f00d\n    text: "a: b"\n'),
        ("tasks: [ # none\n]\n", 'tasks: [ # none\n{id: f00d, text: "a: b"}]\n'),
        ("", 'tasks:\n  - id: f00d\n    text: "a: b"\n'),
        (
            "tasks:\n-   id: a\n\n-   id: b\n",
            'tasks:\n-   id: a\n\n-   id: b\n\n-   id: f00d\n    text: "a: b"\n',
        ),
        ('{"tasks": [{"id": "a"}]}', '{"tasks": [{"id": "a"}, {"id": "f00d", "text": "a: b"}]}'),
        ('{"tasks": []}', '{"tasks": [{"id": "f00d", "text": "a: b"}]}'),
        ("{a: b}", '{a: b, tasks: [{id: f00d, text: "a: b"}]}'),
        ("a: b\r\n", 'a: b\r\ntasks:\r\n  - id: f00d\r\n    text: "a: b"\r\n'),
    ],
)
def test_a_new_task_has_the_layout_of_its_neighbours(text: str, after: str) -> None:
    assert edit_tasks("p", text, TasksEdit(added_tasks=[{"id": "f00d", "text": "a: b"}])) == after


@pytest.mark.parametrize(
    ("text", "dropped", "after"),
    [
        ("tasks:   # all\n- id: a\n# end\n", {0}, "tasks: []   # all\n# end\n"),
        ("tasks: &x\n- id: a\n", {0}, "tasks: &x []\n"),
        ("tasks: [{id: a}, {id: b},]\n", {0, 1}, "tasks: []\n"),
        ("tasks: [{id: a}, {id: b}]\n", {1}, "tasks: [{id: a}]\n"),
        ("tasks: [{id: a}, # c\n {id: b}]\n", {0}, "tasks: [ # c\n {id: b}]\n"),
        ("tasks:\n- id: a\n\n- id: b\n", {0}, "tasks:\n- id: b\n"),
        ("tasks:\n- id: a\n\n- id: b\n", {1}, "tasks:\n- id: a\n"),
        (
            "tasks:\n- id: a\n# of b\n- id: b\n  # in b\n# end\n",
            {1},
            "tasks:\n- id: a\n# of b\n# end\n",
        ),
        ("tasks:\n- id: a\n- id: b", {1}, "tasks:\n- id: a"),
        (
            "tasks:\n- id: a\n  x: |+\n    t\n\n\n- id: b\n",
            {1},
            "tasks:\n- id: a\n  x: |+\n    t\n\n\n",
        ),
    ],
)
def test_removing_a_task_removes_only_its_own_lines(
    text: str, dropped: set[int], after: str
) -> None:
    assert edit_tasks("p", text, TasksEdit(removed_indexes=frozenset(dropped))) == after
