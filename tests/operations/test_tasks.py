"""`task add`, `claim`, `done` and the others, on real trees."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from command_server import run_forked
from ruamel.yaml import YAML
from soak_cases import leave_rows_to_soak, leave_to_soak

if TYPE_CHECKING:
    from place import Place, Ran

TASKS = "projects/flywheel/TASKS.yaml"
ARCHIVE = "projects/flywheel/tasks-archive.md"
NOW = {"CORTEXFS_NOW": "2026-05-06T20:31:10Z", "CORTEXFS_OWNER": "ada"}
BOARD = """# what is next
tasks:   # in no order
- id: 3fa9   # the first
  text: "Spin: faster"
  why: because
  done-when: STATUS.md says so
  priority: high
  status: open
  x-unknown: {kept: [as, it, is]}

-   id: b07c
    text: Spin longer
    status: open
    depends-on: [3fa9]
"""


def commit_tasks(place: Place, text: str = BOARD, path: str = TASKS) -> Place:
    place.write(path, text)
    place.git("add", ".")
    place.git("commit", "-qm", "tasks by hand")
    return place


def run_json(place: Place, *words: str) -> dict[str, Any]:
    return json.loads(place.ok("task", *words, "--json", **NOW))


def read_tasks(place: Place, path: str = TASKS) -> list[dict[str, Any]]:
    """Read the tasks with another YAML library."""
    return YAML(typ="safe", pure=True).load(place.read(path))["tasks"]


def test_a_claim_adds_two_lines_and_makes_one_commit(tree: Place) -> None:
    commit_tasks(tree)
    assert run_json(tree, "claim", "3fa9")["tasks"][0]["claimed-by"] == "ada"
    claim = "  status: open\n  claimed-by: ada\n  claimed-at: 2026-05-06\n"
    assert tree.read(TASKS) == BOARD.replace("  status: open\n", claim, 1)
    assert tree.git("log", "-1", "--format=%s") == "task claim 3fa9: Spin: faster\n"
    assert tree.git("status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("there", "back"),
    leave_rows_to_soak(
        [
            ("claim 3fa9", "unclaim 3fa9"),
            ("block 3fa9 --by x", "unblock 3fa9"),
            ("pause 3fa9", "resume 3fa9"),
            ("lock -p flywheel", "unlock -p flywheel"),
        ],
        every=2,
    ),
)
def test_a_change_and_its_reverse_restore_the_same_bytes(
    tree: Place, there: str, back: str
) -> None:
    commit_tasks(tree)
    tree.ok("task", *there.split(), **NOW)
    assert tree.read(TASKS) != BOARD
    tree.ok("task", *back.split(), **NOW)
    assert tree.read(TASKS) == BOARD


def test_a_second_claim_is_a_conflict_and_changes_nothing(tree: Place) -> None:
    commit_tasks(tree)
    tree.ok("task", "claim", "3fa9", **NOW)
    before, head = tree.read(TASKS), tree.git("rev-parse", "HEAD")
    ran = tree.run("task", "claim", "3fa9", "--owner", "bob", "--json", **NOW)
    assert (ran.code, json.loads(ran.out)["error"]["kind"]) == (4, "task-taken")
    assert tree.run("task", "claim", "3fa9", **NOW).code == 4
    assert (tree.read(TASKS), tree.git("rev-parse", "HEAD")) == (before, head)


@pytest.mark.parametrize(
    "named", leave_to_soak([True, False], every=2), ids=["all the same task", "the next task"]
)
def test_ten_processes_that_claim_at_once_claim_each_task_once(tree: Place, named: bool) -> None:
    items = "".join(f"- id: a00{number}\n  text: t{number}\n" for number in range(6))
    commit_tasks(tree, f"tasks:\n{items}# end\n")
    words = ["task", "claim", "a000"] if named else ["task", "claim"]

    def claim(number: int) -> Ran:
        return tree.run(*words, "--json", CORTEXFS_OWNER=f"agent {number}")

    with ThreadPoolExecutor(10) as agents:
        ended = list(agents.map(claim, range(10)))
    outs, codes = [ran.out for ran in ended], [ran.code for ran in ended]
    won = [json.loads(out)["tasks"][0] for out, code in zip(outs, codes, strict=True) if not code]
    claimed = {task["id"]: task["claimed-by"] for task in read_tasks(tree) if "claimed-by" in task}
    assert {task["id"]: task["claimed-by"] for task in won} == claimed
    assert len(won) == len(claimed) == (1 if named else 6)
    assert set(codes) - {0} == ({4} if named else {3})
    assert tree.git("log", "--format=%s").count("task claim") == len(won)
    assert tree.git("status", "--porcelain") == ""


def test_ten_processes_that_add_at_once_get_ten_ids(tree: Place) -> None:
    with ThreadPoolExecutor(10) as agents:
        ended = list(agents.map(lambda _: tree.run("task", "add", "same", **NOW), range(10)))
    assert [ran.code for ran in ended] == [0] * 10
    assert len({task["id"] for task in read_tasks(tree)}) == 10
    assert tree.git("status", "--porcelain") == ""


@pytest.mark.parametrize(
    "words",
    leave_to_soak(
        [
            *("add x -p flywheel", "claim 3fa9", "unclaim 3fa9", "block 3fa9 --by x", "pause 3fa9"),
            *("done 3fa9", "split 3fa9 a b", "unblock 3fa9", "resume 3fa9", "approve 3fa9"),
            *("lock -p flywheel", "unlock -p flywheel"),
        ],
        every=3,
    ),
)
def test_a_broken_task_file_is_refused_and_untouched(tree: Place, words: str) -> None:
    broken = "tasks:\n- id: 3fa9\n  text: [never closed\n"
    commit_tasks(tree, broken)
    head = tree.git("rev-parse", "HEAD")
    ran = tree.run("task", *words.split(), **NOW)
    assert (ran.code, f"{TASKS}:" in ran.err) == (3, True), ran
    assert (tree.read(TASKS), tree.git("rev-parse", "HEAD")) == (broken, head)


def test_a_broken_file_stops_no_command_about_another_project(tree: Place) -> None:
    commit_tasks(tree)
    tree.ok("project", "new", "sundial", "--goal", "time")
    broken = "tasks: [\n- id: 51e1\n"
    commit_tasks(tree, broken, "projects/sundial/TASKS.yaml")
    tree.ok("task", "claim", "3fa9", **NOW)
    assert "unreadable: projects/sundial/TASKS.yaml:" in tree.run("task", "list").err
    assert tree.run("task", "lint", "-p", "sundial").code == 1
    assert tree.run("task", "lint", "-p", "flywheel").code == 0
    assert tree.run("task", "archive", **NOW).code == 0
    assert tree.read("projects/sundial/TASKS.yaml") == broken
    assert tree.run("task", "claim", "dead").code == 3


@pytest.mark.parametrize("path", ["projects/sundial/tasks-archive.md", "OVERVIEW.md"])
@pytest.mark.parametrize("what", leave_to_soak(["a link", "a folder"], every=2))
def test_an_unreadable_archive_or_overview_stops_no_command(
    tree: Place, path: str, what: str
) -> None:
    commit_tasks(tree)
    tree.ok("project", "new", "sundial", "--goal", "time")
    (tree.root / path).unlink()
    if what == "a link":
        (tree.root / path).symlink_to(tree.root.parent / "elsewhere")
    else:
        (tree.root / path).mkdir()
    ran = tree.run("task", "list", "--json")
    document = [finding["path"] for finding in json.loads(ran.out).get("findings", ())]
    assert (ran.code, document) == (0, [path] if path != "OVERVIEW.md" else [])
    tree.ok("task", "claim", "3fa9", **NOW)
    ran = tree.run("task", "archive", **NOW)
    assert (ran.code, ran.err.count(path)) == (0, len(document))


@pytest.mark.parametrize(
    "content",
    [
        b"tasks:\n- id: 3fa9\n  text: \xff\n",
        pytest.param(b"tasks: []\n" + b"#" * (17 << 20), id="too large"),
    ],
)
def test_a_task_file_that_is_not_text_is_refused_and_untouched(tree: Place, content: bytes) -> None:
    (tree.root / TASKS).write_bytes(content)
    assert tree.run("task", "add", "x", **NOW).code == 3
    assert (tree.root / TASKS).read_bytes() == content


def test_a_dry_run_shows_the_lines_and_touches_nothing(tree: Place) -> None:
    commit_tasks(tree)
    shown = tree.ok("task", "claim", "3fa9", "--dry-run", **NOW)
    assert "+  claimed-by: ada\n" in shown
    assert "\n-" not in shown.partition("@@")[2].partition("\n--- ")[0]
    assert tree.read(TASKS) == BOARD
    assert tree.git("status", "--porcelain") == ""


def test_without_a_commit_the_file_is_changed(tree: Place) -> None:
    commit_tasks(tree)
    tree.ok("task", "pause", "3fa9", "--no-commit", **NOW)
    assert "paused: true" in tree.read(TASKS)
    assert TASKS in tree.git("status", "--porcelain")


def test_uncommitted_changes_of_the_user_are_committed_with_a_message(tree: Place) -> None:
    commit_tasks(tree)
    tree.write(TASKS, BOARD.replace("because", "why not"))
    ran = tree.run("task", "claim", "3fa9", **NOW)
    assert (ran.code, "had uncommitted changes of your own" in ran.err) == (0, True)
    assert "why not" in tree.git("show", f"HEAD:{TASKS}")
    assert tree.git("status", "--porcelain") == ""


def test_a_new_task_has_a_free_id_its_keys_in_order_and_one_commit(tree: Place) -> None:
    commit_tasks(tree)
    words = [
        "--why",
        "w",
        "--done-when",
        "d",
        "--priority",
        "low",
        "--template",
        "experiment",
        "--plan",
        "p",
    ]
    more = [
        "--depends-on",
        "3fa9,b07c",
        "--not-before",
        "2026-06-01",
        "--approval-needed",
        "--parent",
        "3fa9",
    ]
    created = run_json(tree, "add", "Turn: it", "-p", "flywheel", *words, *more)
    task = read_tasks(tree)[2]
    assert created["tasks"][0]["id"] == task["id"] not in {"3fa9", "b07c"}
    assert list(task) == (
        [
            "id",
            "text",
            "why",
            "done-when",
            "priority",
            "status",
            "template",
            "plan",
            "parent",
            "depends-on",
            "approval-needed",
            "not-before",
        ]
    )
    assert task["depends-on"] == ["3fa9", "b07c"]
    assert tree.read(TASKS).startswith(BOARD)
    assert tree.git("status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("words", "code"),
    leave_rows_to_soak(
        [
            ("add", 2),
            ("add x --priority urgent", 2),
            ("add x --template epic", 3),
            ("add x --depends-on dead", 3),
            ("add x --parent dead", 3),
            ("add x --not-before soon", 3),
            ("add x -p nowhere", 3),
            ("claim dead", 3),
            ("claim sundial/3fa9", 3),
            ("block 3fa9", 2),
            ("split 3fa9", 2),
            ("split 3fa9 a --done-when x --done-when y", 2),
            ("lock --minutes 0", 2),
        ],
        every=3,
    ),
)
def test_an_impossible_task_change_is_refused(tree: Place, words: str, code: int) -> None:
    commit_tasks(tree)
    assert tree.run("task", *words.split(), **NOW).code == code
    assert tree.read(TASKS) == BOARD


def test_a_task_is_added_where_there_was_no_file(tree: Place) -> None:
    (tree.root / TASKS).unlink()
    tree.ok("task", "add", "begin", **NOW)
    assert [task["text"] for task in read_tasks(tree)] == ["begin"]
    assert tree.git("status", "--porcelain") == ""


def test_an_id_used_in_two_projects_must_be_given_in_full(tree: Place) -> None:
    commit_tasks(tree)
    tree.ok("project", "new", "sundial", "--goal", "time")
    commit_tasks(tree, BOARD, "projects/sundial/TASKS.yaml")
    ran = tree.run("task", "claim", "3fa9", **NOW)
    assert (ran.code, "`flywheel/3fa9`, `sundial/3fa9`" in ran.err) == (3, True)
    tree.ok("task", "claim", "sundial/3fa9", **NOW)
    tree.ok("task", "claim", "3fa9", "-p", "flywheel", **NOW)
    assert tree.run("task", "lint").out.count("duplicate-id") == 4


def test_parts_follow_their_task_which_waits_for_them(tree: Place) -> None:
    commit_tasks(tree)
    created = run_json(tree, "split", "3fa9", "one", "two", "--done-when", "a.csv")["tasks"]
    assert [task["id"] for task in read_tasks(tree)] == [
        "3fa9",
        *(t["id"] for t in created),
        "b07c",
    ]
    assert [(t["parent"], t["why"], t["priority"]) for t in created] == [
        ("3fa9", "because", "high")
    ] * 2
    assert [t.get("done-when") for t in created] == ["a.csv", None]
    assert tree.run("task", "claim", "3fa9", **NOW).code == 3
    for part in created:
        tree.ok("task", "claim", part["id"], **NOW)
        tree.ok("task", "done", part["id"], **NOW)
    tree.ok("task", "claim", "3fa9", **NOW)


def test_done_without_evidence_warns_and_finishes_the_task(tree: Place) -> None:
    commit_tasks(tree, BOARD.replace("STATUS.md", "bench/none.csv"))
    tree.ok("task", "claim", "3fa9", **NOW)
    ran = tree.run("task", "done", "3fa9", "--note", "so be it", **NOW)
    assert (ran.code, "note: no commit names `3fa9`" in ran.err) == (0, True)
    done = read_tasks(tree)[0]
    assert (done["status"], str(done["completed-at"])) == ("done", "2026-05-06")
    assert (done["completed-note"], "claimed-by" in done) == ("so be it", False)
    assert tree.run("task", "claim", "b07c", **NOW).code == 0  # what depended on it can begin


def test_done_of_a_task_of_another_owner_finishes_it_and_names_that_owner(tree: Place) -> None:
    commit_tasks(tree)
    tree.ok("task", "claim", "3fa9", "--owner", "bench-01", **NOW)
    ran = tree.run("task", "done", "3fa9", "--owner", "ada", **NOW)
    assert ran.code == 0
    assert "note: it was claimed by bench-01; you, ada, finished it\n" in ran.err
    assert "another owner" in tree.ok("task", "done", "-h")


def test_a_path_of_done_when_or_a_commit_that_names_the_task_is_evidence(tree: Place) -> None:
    commit_tasks(tree)
    assert run_json(tree, "done", "3fa9", "--dry-run")["plan"]
    assert run_json(tree, "done", "3fa9")["evidence"] == "STATUS.md"
    tree.git("commit", "--allow-empty", "-qm", "longer (b07c)")
    assert "longer (b07c)" in run_json(tree, "done", "b07c")["evidence"]


def test_the_claim_of_another_owner_is_cleared_only_by_force_or_when_stale(tree: Place) -> None:
    commit_tasks(tree)
    tree.ok("task", "claim", "3fa9", "--owner", "bob", **NOW)
    assert tree.run("task", "unclaim", "3fa9", **NOW).code == 3
    assert tree.run("task", "unclaim", "3fa9", "--dry-run", "--force", **NOW).code == 0
    later = {**NOW, "CORTEXFS_NOW": "2026-05-10T00:00:00Z"}
    assert "stale-claim" in tree.run("task", "lint", **later).out
    tree.ok("task", "unclaim", "3fa9", **later)
    assert tree.read(TASKS) == BOARD


def test_a_lock_excludes_others_until_it_expires(tree: Place) -> None:
    commit_tasks(tree)
    tree.ok("task", "lock", "--minutes", "20", "--note", "sorting", "--owner", "bob", **NOW)
    locked = tree.read(TASKS)
    for words in ("claim 3fa9", "add x", "split 3fa9 a b", "lock", "unlock", "pause 3fa9"):
        ran = tree.run("task", *words.split(), "--json", **NOW)
        assert (ran.code, json.loads(ran.out)["error"]["kind"]) == (4, "tasks-locked"), words
    assert tree.run("task", "claim", **NOW).code == 3
    assert "locked by bob" in tree.run("task", "archive", **NOW).err
    assert tree.read(TASKS) == locked
    tree.ok("task", "pause", "b07c", "--owner", "bob", **NOW)
    assert tree.ok("task", "claim", "--owner", "bob", **NOW).startswith("3fa9 ")
    later = {**NOW, "CORTEXFS_NOW": "2026-05-06T20:51:10Z"}
    tree.ok("task", "lock", **later)
    lock = YAML(typ="safe", pure=True).load(tree.read(TASKS))["lock"]
    assert lock == {
        "owner": "ada",
        "acquired_at": "2026-05-06T20:51:10Z",
        "expires_at": "2026-05-06T21:11:10Z",
    }
    assert tree.run("task", "unlock", "--owner", "bob", **later).code == 4
    tree.ok("task", "unlock", "--owner", "bob", "--force", **later)
    assert "lock:" not in tree.read(TASKS)


DONE = """lock: {owner: bob, expires_at: "2020-01-01T00:00:00Z"}   # stays
tasks:
- &t {id: 3fa9, text: old, status: done, completed-at: 2026-05-02, why: &w because}
# about b07c
- id: b07c
  text: older
  status: done
  completed-at: 2026-05-02T23:59:59Z
  completed-note: well
  gpu: 2
- {id: c4d2, text: young, status: done, completed-at: 2026-05-03, why: *w}
- {id: e81d, text: open, depends-on: [b07c]}
"""


def test_archiving_moves_finished_tasks_without_dependents_and_keeps_the_lock(tree: Place) -> None:
    commit_tasks(tree, DONE)
    moved = run_json(tree, "archive", "-p", "flywheel")
    assert [task["id"] for task in moved["tasks"]] == ["b07c"]  # others hang on 3fa9
    lines = DONE.splitlines(keepends=True)
    assert tree.read(TASKS) == "".join([*lines[:4], *lines[10:]])
    block = "- [x] older [id: b07c]\n  Completed: 2026-05-02T23:59:59Z (well)\n  gpu: 2\n"
    assert tree.read(ARCHIVE).endswith(f"\n\n{block}")
    assert tree.git("log", "-1", "--format=%s") == "task archive flywheel: 1\n"
    assert tree.git("status", "--porcelain") == ""
    assert tree.run("task", "lint", **NOW).out.count("missing-dependency") == 0
    tree.ok("task", "claim", "e81d", **NOW)
    assert run_json(tree, "archive")["tasks"] == []


def test_an_archive_that_is_not_text_is_untouched_and_tasks_stay(tree: Place) -> None:
    commit_tasks(tree, DONE)
    (tree.root / ARCHIVE).write_bytes(b"\xff")
    ran = tree.run("task", "archive", **NOW)
    assert (ran.code, ARCHIVE in ran.err) == (0, True)
    assert (tree.read(TASKS), (tree.root / ARCHIVE).read_bytes()) == (DONE, b"\xff")


def test_an_archived_id_is_not_used_again(tree: Place) -> None:
    first = run_json(tree, "add", "same")["tasks"][0]["id"]
    tree.write(TASKS, "tasks: []\n")
    commit_tasks(tree, f"- [x] same [id: {first}]\n", ARCHIVE)
    assert run_json(tree, "add", "same")["tasks"][0]["id"] != first


def test_the_list_shows_what_is_ready_first_and_next_the_most_urgent(sample: Place) -> None:
    listed = [line.split("\t")[:4] for line in sample.ok("task", "list", **NOW).splitlines()]
    assert listed[0][:4] == ["51e0", "driftwood", "medium", "ready"]
    assert ["b07c", "driftwood", "medium", "depends on `3fa9`"] in listed
    assert "9e6b" not in {row[0] for row in listed}
    done = sample.ok("task", "list", "--status", "done", **NOW)
    assert {row.split("\t")[0] for row in done.splitlines()} == {"9e6b", "8b35", "5d90"}
    assert sample.ok("task", "next", **NOW).startswith("51e0 ")
    sample.ok("task", "approve", "a2f4", **NOW)
    sample.ok("task", "unblock", "7e02", **NOW)
    ready = [task["id"] for task in run_json(sample, "next", "-n", "9")["tasks"]]
    by_project = ["51e0", "8d13", "a2f4", "d6b8", "3ea5", "7e02"]  # the more urgent first
    assert ready == by_project
    assert sample.run("task", "list", "-p", "greenhouse", "--status", "claimed").code == 1


def test_no_ready_task_exits_with_1(tree: Place) -> None:
    assert tree.run("task", "next").code == 1
    assert tree.run("task", "list").code == 1
    assert tree.run("task", "claim").code == 3


def test_the_default_project_is_that_of_the_working_directory(sample: Place) -> None:
    cwd = str(sample.root / "projects/greenhouse")
    done = run_forked(("task", "list"), cwd, dict(os.environ))
    assert {row.split("\t")[1] for row in done.stdout.splitlines()} == {"greenhouse"}


@pytest.mark.parametrize(
    "words",
    leave_to_soak(
        [
            *("list", "next", "claim", "add x -p driftwood", "approve a2f4", "split 51e0 a b"),
            *("done 51e0", "archive", "lock -p driftwood", "unlock -p driftwood", "lint"),
        ],
        every=3,
    ),
)
def test_every_answer_is_one_document(sample: Place, words: str) -> None:
    ran = sample.run("task", *words.split(), "--json", **NOW)
    assert json.loads(ran.out)["format"] == 1
    assert ran.err == ""


def _findings(place: Place) -> set[tuple[str, str]]:
    found = json.loads(place.run("check", "--json", **NOW).out)["findings"]
    return {(each["path"], each["code"]) for each in found}


def test_task_commands_leave_no_new_finding(sample: Place) -> None:
    before = _findings(sample)
    for words in ("claim 51e0", "done 51e0", "archive", "split b07c a b", "add x -p greenhouse"):
        sample.ok("task", *words.split(), **NOW)
    assert _findings(sample) <= before
    assert sample.git("status", "--porcelain") == ""
    assert sample.run("task", "lint", **NOW).code == 0


def test_listing_tasks_does_not_load_openssl() -> None:
    program = "import sys, cortexfs.operations.tasks.list_tasks; print('_hashlib' in sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout == "False\n"


def test_a_task_that_a_command_adds_is_no_finding_of_check_and_advice_of_lint(tree: Place) -> None:
    tree.ok("task", "add", "Press the oil", "-p", "flywheel", "--owner", "ada")
    assert json.loads(tree.ok("check", "--json"))["findings"] == []
    advice = json.loads(tree.ok("task", "lint", "--json"))["findings"]
    assert {each["code"] for each in advice} >= {"missing-why", "missing-done-when"}
