from __future__ import annotations

import json
import os
import resource
import signal
import stat
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.tree import atomic_files

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DRAFT = ".cortexfs-draft."


@pytest.fixture
def folder_fd(tmp_path: Path) -> Iterator[int]:
    (tmp_path / "in").mkdir()
    folder = os.open(tmp_path / "in", os.O_RDONLY | os.O_DIRECTORY)
    yield folder
    os.close(folder)


@pytest.fixture
def place(tmp_path: Path, folder_fd: int) -> Path:
    assert folder_fd > 0
    return tmp_path / "in"


def run_with_file_limit(place: Path, size: int, code: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process whose files cannot grow beyond a size: the disk is full there."""

    def set_limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    names = "atomic_files, private_files"
    head = f"import os, sys; from cortexfs.tree import {names}; at = os.open({str(place)!r}, 0)\n"
    return subprocess.run(
        [sys.executable, "-B", "-c", head + code],
        preexec_fn=set_limit,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(("folder", "file"), [(0o700, 0o600), (0o755, 0o644), (0o770, 0o660)])
def test_a_new_file_is_as_private_as_its_folder(
    folder_fd: int, place: Path, folder: int, file: int
) -> None:
    before = os.umask(0)
    try:
        place.chmod(folder)
        atomic_files.create_file(folder_fd, "a.md", b"new")
        atomic_files.append_lines(folder_fd, "log", b"{}\n")
    finally:
        os.umask(before)
    assert stat.S_IMODE((place / "a.md").stat().st_mode) == file
    assert stat.S_IMODE((place / "log").stat().st_mode) == file


@pytest.mark.parametrize("taken", ["file", "folder", "link", "dangling link", "pipe"])
def test_creating_a_file_replaces_nothing(folder_fd: int, place: Path, taken: str) -> None:
    (place / "other").write_bytes(b"other")
    match taken:
        case "file":
            (place / "a.md").write_bytes(b"old")
        case "folder":
            (place / "a.md").mkdir()
        case "link":
            (place / "a.md").symlink_to("other")
        case "dangling link":
            (place / "a.md").symlink_to("nowhere")
        case "pipe":
            os.mkfifo(place / "a.md")
    before = os.lstat(place / "a.md")
    with pytest.raises(FileExistsError):
        atomic_files.create_file(folder_fd, "a.md", b"new")
    assert os.lstat(place / "a.md").st_ino == before.st_ino
    assert (place / "other").read_bytes() == b"other"
    assert sorted(os.listdir(folder_fd)) == ["a.md", "other"]


def test_one_of_many_creators_wins_with_complete_bytes(folder_fd: int, place: Path) -> None:
    start, won = threading.Barrier(8), list[bytes]()

    def create(number: int) -> None:
        body = bytes([65 + number]) * 100_000
        start.wait()
        try:
            atomic_files.create_file(folder_fd, "a.md", body)
            won.append(body)
        except FileExistsError:
            return

    threads = [threading.Thread(target=create, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert won == [(place / "a.md").read_bytes()]


@given(
    pieces=st.lists(st.lists(st.text("ab\u00fc", max_size=9), min_size=1, max_size=4), max_size=5),
    torn=st.sampled_from([b"", b'{"torn', b"whole\n", b"\n"]),
)
def test_lines_are_appended_whole_after_any_ending(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[list[str]], torn: bytes
) -> None:
    log = tmp_path_factory.mktemp("logs") / "log"
    log.write_bytes(torn)
    folder = os.open(log.parent, os.O_RDONLY)
    added = [json.dumps(line).encode() + b"\n" for piece in pieces for line in piece]
    for piece in pieces:
        atomic_files.append_lines(
            folder, "log", b"".join(json.dumps(line).encode() + b"\n" for line in piece)
        )
    os.close(folder)
    ended = torn if torn.endswith(b"\n") or not torn or not added else torn + b"\n"
    assert log.read_bytes() == ended + b"".join(added)


def test_concurrent_appends_do_not_mix_their_lines(folder_fd: int, place: Path) -> None:
    def append(name: bytes) -> None:
        for _ in range(200):
            atomic_files.append_lines(folder_fd, "log", name * 3000 + b"\n")

    threads = [threading.Thread(target=append, args=(name,)) for name in (b"a", b"b", b"c")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = (place / "log").read_bytes().split(b"\n")
    assert sorted(filter(None, lines)) == [
        name * 3000 for name in (b"a", b"b", b"c") for _ in range(200)
    ]


def test_a_partial_append_is_cut_back(place: Path) -> None:
    (place / "log").write_bytes(b"x" * 4999 + b"\n")
    ran = run_with_file_limit(
        place, 6000, "atomic_files.append_lines(at, 'log', b'y' * 2000 + b'\\n')"
    )
    assert "OSError: [Errno 27]" in ran.stderr
    assert (place / "log").read_bytes() == b"x" * 4999 + b"\n"


@pytest.mark.parametrize("deed", ["atomic_files.create_file", "private_files.replace_locked_file"])
def test_a_file_that_does_not_fit_changes_nothing(place: Path, deed: str) -> None:
    if "replace" in deed:
        (place / "a.md").write_bytes(b"old")
    before = [path.read_bytes() for path in place.iterdir()]
    ran = run_with_file_limit(place, 6000, f"{deed}(at, 'a.md', b'y' * 9000)")
    assert "OSError: [Errno 27]" in ran.stderr
    assert [path.read_bytes() for path in place.iterdir()] == before


def test_a_log_that_is_a_link_is_not_written_through(
    folder_fd: int, place: Path, tmp_path: Path
) -> None:
    (tmp_path / "outside").write_bytes(b"theirs\n")
    (place / "log").symlink_to(tmp_path / "outside")
    with pytest.raises(OSError, match="symbolic links"):
        atomic_files.append_lines(folder_fd, "log", b"ours\n")
    assert (tmp_path / "outside").read_bytes() == b"theirs\n"


@pytest.mark.parametrize("what", ["pipe", "device", "folder"])
def test_a_pipe_folder_or_device_is_refused_at_once(folder_fd: int, place: Path, what: str) -> None:
    folder, name = folder_fd, "EXP-001.md"
    match what:
        case "pipe":
            os.mkfifo(place / name)
        case "folder":
            (place / name).mkdir()
        case "device":  # to make one takes root; the system has one that never ends
            folder, name = os.open("/dev", os.O_RDONLY), "zero"
    with pytest.raises(atomic_files.NotRegularFile):
        atomic_files.read_file_bytes(folder, name)
    if folder != folder_fd:
        os.close(folder)


def test_a_file_above_the_limit_is_refused(folder_fd: int, place: Path) -> None:
    with open(place / "big", "wb") as big:
        big.truncate(atomic_files.MAX_FILE_BYTES)
        assert len(atomic_files.read_file_bytes(folder_fd, "big")) == atomic_files.MAX_FILE_BYTES
        big.truncate(atomic_files.MAX_FILE_BYTES + 1)
    with pytest.raises(atomic_files.FileTooLarge):
        atomic_files.read_file_bytes(folder_fd, "big")


def test_a_file_of_reported_size_0_is_read_to_its_end(folder_fd: int) -> None:
    # a size of nought says nothing here, as in all of /proc
    folder = (
        os.open("/proc/self", os.O_RDONLY) if os.path.exists("/proc/self/status") else folder_fd
    )
    if folder != folder_fd:
        assert b"\nPid:" in atomic_files.read_file_bytes(folder, "status")
        os.close(folder)


def test_removing_a_missing_file_raises(folder_fd: int, place: Path) -> None:
    (place / "a.md").write_bytes(b"old")
    atomic_files.remove_file(folder_fd, "a.md")
    assert os.listdir(folder_fd) == []
    with pytest.raises(FileNotFoundError):
        atomic_files.remove_file(folder_fd, "a.md")


def test_only_old_drafts_are_removed(folder_fd: int, place: Path) -> None:
    age_of = {f"{DRAFT}1.old": 601, f"{DRAFT}1.young": 60, "old.md": 601, ".hidden": 601}
    for name, age in age_of.items():
        (place / name).write_bytes(b"half")
        then = (place / name).stat().st_mtime - age
        os.utime(place / name, (then, then))
    (place / f"{DRAFT}folder").mkdir()
    atomic_files.remove_drafts(folder_fd, [*os.listdir(folder_fd), f"{DRAFT}gone"])
    assert sorted(os.listdir(folder_fd)) == sorted(
        age_of.keys() - {f"{DRAFT}1.old"} | {f"{DRAFT}folder"}
    )
