"""Read objects of a repository through one `git cat-file`, which answers one request at a time."""

from __future__ import annotations

import os
import select
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, cast

from cortexfs.errors import HistoryFailed
from cortexfs.history.git import timeout_error
from cortexfs.history.identity import build_identity_trace
from cortexfs.history.object_formats import GitObject, TreeEntry, parse_tree
from cortexfs.history.pipe_reader import PipeReader

if TYPE_CHECKING:
    from collections.abc import Iterator
    from subprocess import Popen

    from cortexfs.history.git import Git

_MAX_OBJECT_BYTES = 1 << 28
"""Maximum bytes of an object that is read: a few kilobytes on disk may unpack to any size."""

_MAX_WAIT_MS = 1000
"""Milliseconds that the process may take to end by itself."""


class ObjectReader:
    """One `git cat-file --batch` process, which returns one object per request."""

    def __init__(self, git: Git, child: Popen[bytes]) -> None:
        self._git = git
        self._child = child
        self._trees: dict[str, dict[bytes, TreeEntry]] = {}
        self._questions = cast("IO[bytes]", child.stdin).fileno()
        self._answers = PipeReader(cast("IO[bytes]", child.stdout).fileno())

    @property
    def is_usable(self) -> bool:
        """Return whether the process still runs, and has no answer that was not read."""
        return self._child.poll() is None

    def read_object(self, name: str) -> GitObject | None:
        """Return an object by id or revision; None if there is none."""
        if "\n" in name:
            return None
        try:
            with self._end_if_interrupted():
                return self._request_object(os.fsencode(name))
        except TimeoutError:
            raise timeout_error("cat-file") from None
        except (BrokenPipeError, EOFError, ValueError):
            self._git.check_output(
                "rev-parse", "--git-dir"
            )  # raises the error that git reports, if any
            raise HistoryFailed(
                f"git could not read `{name}`", hint="`git fsck` lists what is missing"
            ) from None

    def read_tree(self, name: str) -> dict[bytes, TreeEntry]:
        """Return the entries of a tree by its id; each tree is read once.

        Raises `HistoryFailed` if it is missing or damaged.
        """
        if name not in self._trees:
            found = self.read_object(name)
            if not found:
                raise HistoryFailed(
                    f"the repository lacks the tree {name}", hint="`git fsck` lists what is missing"
                )
            try:
                self._trees[name] = parse_tree(found.body, len(name) // 2)
            except ValueError:
                raise HistoryFailed(
                    f"the tree {name} is damaged", hint="`git fsck` lists what is damaged"
                ) from None
        return self._trees[name]

    def algorithm(self) -> str:
        """Return the object format when there is no id whose length shows it."""
        return self._git.check_output("rev-parse", "--show-object-format").decode("ascii").strip()

    def has_head_commit(self) -> bool:
        """Return whether HEAD names a commit, whether or not it can be read."""
        return not self._git.run_unchecked("rev-parse", "--quiet", "--verify", "HEAD").exit_code

    @contextmanager
    def _end_if_interrupted(self) -> Iterator[None]:
        """Kill the process if an answer is not read to its end."""
        try:
            yield
        except BaseException:
            self._child.kill()
            self._child.wait()
            raise

    def _request_object(self, name: bytes) -> GitObject | None:
        os.write(self._questions, name + b"\n")  # unbuffered: nothing to flush into a broken pipe
        head = self._answers.read_line()
        if head.endswith((b" missing\n", b" ambiguous\n")):
            return None
        found, kind, size = head.split()
        if int(size) > _MAX_OBJECT_BYTES:
            raise HistoryFailed(
                f"the object {found.decode('ascii')} is larger than {_MAX_OBJECT_BYTES} bytes"
            )
        return GitObject(
            kind.decode("ascii"),
            self._answers.read_bytes(int(size) + 1)[:-1],
            found.decode("ascii"),
        )


@contextmanager
def open_object_reader(git: Git) -> Iterator[ObjectReader]:
    """Yield an object reader for a repository."""
    with git.prepare() as ready:
        if shared := git.shared:
            unlocked = ready._replace(inherited_fds=())  # it may end after the lock is released
            if not shared.keep(ObjectReader, lambda: start_object_reader(unlocked)).is_usable:
                shared.drop(ObjectReader)
            yield shared.keep(ObjectReader, lambda: start_object_reader(unlocked))
        else:
            with start_object_reader(ready) as reader:
                yield reader


@contextmanager
def start_object_reader(git: Git) -> Iterator[ObjectReader]:
    """Start the process that reads objects, and end it."""
    env = build_identity_trace(git)
    with git.start_process("cat-file", "--batch", env=env) as child:
        try:
            yield ObjectReader(git, child)
        finally:
            _end_process(child)


def _end_process(child: Popen[bytes]) -> None:
    """End a process that waits for a request, though a fork of ours may hold its pipe open."""
    cast("IO[bytes]", child.stdin).close()
    ended = select.poll()
    ended.register(cast("IO[bytes]", child.stdout), 0)  # its end is always reported
    if not ended.poll(_MAX_WAIT_MS):
        child.kill()
