from __future__ import annotations

import json
import os
import shlex
import stat
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.errors import OutsideTree
from cortexfs.tree.spool import MAX_NOTES_READ, Spool

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place

names = st.builds("{}.{}".format, st.integers(1, 10**19), st.integers(1, 99_999))


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    return Spool(str(tmp_path))


def list_notes(spool: Spool) -> list[str]:
    entries = os.listdir(f"{spool.root}/.cortexfs/spool/new")
    return sorted(name for name in entries if name != ".gitignore")


def payload(place: Place, name: str, call: str) -> str:
    atom = place.root / "projects/flywheel/experiments" / name
    event = {"tool_name": "Read", "tool_input": {"file_path": str(atom)}, "tool_use_id": call}
    return json.dumps({**event, "hook_event_name": "PostToolUse", "cwd": str(place.root)})


def logged_calls(place: Place) -> list[str]:
    log = place.root / "projects/flywheel/_meta/access-log.jsonl"
    return [json.loads(line)["note"] for line in log.read_text().splitlines()]


def test_a_missing_spool_is_empty(spool: Spool) -> None:
    assert (spool.count_waiting(), spool.read_waiting()) == (0, [])
    spool.remove_old_token()
    spool.remove_notes(())


@given(st.sets(names, max_size=8))
def test_notes_are_read_in_the_order_of_their_time(
    tmp_path_factory: pytest.TempPathFactory, note_names: set[str]
) -> None:
    spool = Spool(str(tmp_path_factory.mktemp("tree")))
    for name in note_names:
        spool.add_note(name, name.encode())
    notes = spool.read_waiting()
    moments = [tuple(int(part) for part in note.name.split(".")) for note in notes]
    assert moments == sorted(moments)
    assert {(note.name, note.payload) for note in notes} == {(n, n.encode()) for n in note_names}
    assert spool.count_waiting() == len(note_names)


def test_files_with_other_names_are_ignored(spool: Spool) -> None:
    spool.add_note("10.1", b"ours")
    for name in ("10.1.draft", "README", ".hidden", "10", "x.1", "10.1\n"):
        spool.add_note(name, b"theirs")
    assert [note.name for note in spool.read_waiting()] == ["10.1"]
    spool.remove_notes(("10.1",))
    assert len(list_notes(spool)) == 6


def test_only_the_given_notes_are_removed_even_twice(spool: Spool) -> None:
    for name in ("1.1", "2.1", "3.1"):
        spool.add_note(name, b"x")
    spool.remove_notes(("1.1", "3.1"))
    spool.remove_notes(("1.1", "3.1"))
    assert list_notes(spool) == ["2.1"]


def test_a_note_is_written_once_and_private(spool: Spool) -> None:
    spool.add_note("1.1", b"first")
    with pytest.raises(FileExistsError):
        spool.add_note("1.1", b"second")
    assert spool.read_waiting()[0].payload == b"first"
    note = os.stat(f"{spool.root}/.cortexfs/spool/new/1.1")
    assert note.st_mode & 0o777 == 0o600


def test_a_limited_number_of_notes_is_read_oldest_first(spool: Spool) -> None:
    spool.add_note("1.1", b"x")
    for number in range(2, MAX_NOTES_READ + 3):
        with open(f"{spool.root}/.cortexfs/spool/new/{number}.1", "w") as note:
            note.write("x")
    names_read = [note.name for note in spool.read_waiting()]
    assert names_read == [f"{number}.1" for number in range(1, MAX_NOTES_READ + 1)]
    assert spool.count_waiting() == MAX_NOTES_READ + 2


def test_a_spool_that_is_a_link_is_not_followed(spool: Spool, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / ".cortexfs").mkdir()
    (tmp_path / ".cortexfs/spool").symlink_to("../outside")
    with pytest.raises(OutsideTree):
        spool.add_note("1.1", b"x")
    assert os.listdir(tmp_path / "outside") == []


def test_the_token_of_an_older_hook_is_removed(spool: Spool) -> None:
    spool.add_note("1.1", b"x")
    token = f"{spool.root}/.cortexfs/spool/awake"
    with open(token, "w"):
        pass
    spool.remove_old_token()
    assert not os.path.exists(token)
    spool.remove_old_token()


@pytest.mark.parametrize("what", ["10 MiB", "link", "pipe", "folder", "socket"])
def test_a_note_that_is_no_small_file_is_read_as_empty(spool: Spool, what: str) -> None:
    spool.add_note("1.1", b"x")
    note = f"{spool.root}/.cortexfs/spool/new/2.1"
    match what:
        case "10 MiB":
            with open(note, "wb") as file:
                file.truncate(10 << 20)
        case "link":
            os.symlink("1.1", note)
        case "pipe":
            os.mkfifo(note)
        case "folder":
            os.mkdir(note)
        case "socket":
            os.mknod(note, stat.S_IFSOCK | 0o600)
    assert [each.payload for each in spool.read_waiting()][:1] == [b"x"]
    assert all(each.payload == b"" for each in spool.read_waiting()[1:])


def test_a_drain_is_not_started_while_one_waits(spool: Spool, tmp_path: Path) -> None:
    spool.add_note("1.1", b"x")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    command = ["/bin/sh", "-c", f'echo "$CORTEXFS_DRAIN_QUIET $SECRET" > {shlex.quote(str(pipe))}']
    environ = {"CORTEXFS_DRAIN_QUIET": "5", "SECRET": "x"}
    assert spool.start_drain(command, environ)
    assert pipe.read_text() == "5 \n"
    assert not spool.start_drain(command, {"CORTEXFS_DRAIN_QUIET": "off"})
    lock = os.open(f"{spool.root}/.cortexfs/spool/drain.lock", os.O_RDWR)
    hold = [sys.executable, "-c", f"import os; os.lockf({lock}, os.F_LOCK, 0); print(); input()"]
    waiting = subprocess.Popen(hold, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=[lock])
    assert waiting.stdout
    waiting.stdout.readline()
    assert not spool.start_drain(command, environ)
    waiting.kill()
    waiting.communicate()
    assert spool.start_drain(command, environ)
    assert pipe.read_text() == "5 \n"
    os.close(lock)


def test_a_bad_note_stops_no_other_and_is_removed(tree: Place) -> None:
    tree.ok("new", "experiment", "-s", "To be read", "-t", "x")
    new = tree.root / ".cortexfs/spool/new"
    new.mkdir(parents=True, exist_ok=True)
    good = payload(tree, "EXP-001.md", "toolu_first").encode()
    poison = {
        "1.1": b"",
        "3.1": b"\x00\xff\xfe garbage",
        "4.1": b"[" * 100_000,
        "5.1": b'{"tool_name": "Read", "tool_input": 7}',
        "6.1": good[:40],
        "7.1": b"x" * (1 << 20),
    }
    for name, body in {**poison, "2.1": good, "8.1": good.replace(b"first", b"last")}.items():
        (new / name).write_bytes(body)
    (new / "9.1").mkdir()
    (new / "10.1").symlink_to(tree.root / "CORTEX.md")
    os.mkfifo(new / "11.1")
    ran = tree.run("hook", "drain")
    assert ran.code == 0, ran
    assert logged_calls(tree) == ["toolu_first", "toolu_last"]
    again = tree.run("hook", "drain")
    assert (again.code, again.out) == (0, "0 notes, 0 events\n"), again
    assert {path.name for path in new.iterdir()} <= {"9.1", ".gitignore"}
    assert (tree.root / "CORTEX.md").exists()


def test_a_repeated_note_is_logged_once(tree: Place) -> None:
    tree.ok("new", "experiment", "-s", "To be read", "-t", "x")
    new = tree.root / ".cortexfs/spool/new"
    new.mkdir(parents=True, exist_ok=True)
    for name in ("1.1", "2.1"):
        (new / name).write_text(payload(tree, "EXP-001.md", "toolu_same"))
        tree.ok("hook", "drain")
    (new / "3.1").write_text(payload(tree, "EXP-001.md", "toolu_same"))
    (new / "4.1").write_text(payload(tree, "EXP-001.md", "toolu_same"))
    tree.ok("hook", "drain")
    assert logged_calls(tree) == ["toolu_same"]


def test_a_change_is_marked_until_it_is_rendered_and_a_later_one_is_not_lost(spool: Spool) -> None:
    assert not spool.has_change_mark()
    spool.take_change_mark()
    spool.add_change_mark()
    spool.add_change_mark()
    assert spool.has_change_mark()
    spool.take_change_mark()
    assert spool.has_change_mark(), "a process that is killed now has rendered nothing"
    spool.add_change_mark()
    spool.remove_taken_mark()
    assert spool.has_change_mark()
    spool.take_change_mark()
    spool.remove_taken_mark()
    assert not spool.has_change_mark()
    assert spool.count_waiting() == 0


@pytest.mark.parametrize("name", ["tree-changed", "tree-changed.taken"])
def test_a_link_in_place_of_the_mark_is_not_followed(
    spool: Spool, tmp_path: Path, name: str
) -> None:
    spool.add_change_mark()
    above, outside = tmp_path / ".cortexfs/spool", tmp_path / "outside"
    outside.write_text("theirs")
    (above / "tree-changed").unlink()
    (above / name).symlink_to(outside)
    with suppress(OSError):
        spool.add_change_mark()
    spool.take_change_mark()
    spool.remove_taken_mark()
    assert outside.read_text() == "theirs"
