"""The private folder of a user with what is remembered between calls: limits, answers, the log.

It is in the user's home and not in a tree: the limits hold for all trees together, and no tree can
bring answers of its own.
"""

from __future__ import annotations

import json
import os
import stat
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from cortexfs.core.language_model.call_limits import CallState, format_call_state, parse_call_state
from cortexfs.tree import atomic_files
from cortexfs.tree.safe_open import create_folders
from cortexfs.tree.try_lock import try_lock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager

LOG_NAME, OLD_LOG_NAME = "calls.jsonl", "calls.1.jsonl"
MAX_LOG_BYTES = 1 << 20
"""Size above which the log is put aside; of those put aside one is kept."""
MAX_ANSWERS = 200
MAX_ANSWER_BYTES = 1 << 20
"""Limits of the stored answers: their number, and the size of one."""
MAX_ITEMS = 2000
MAX_ITEMS_BYTES = 1 << 22
"""Limits of the stored answers about items: their number, and the size of their file."""
MAX_STATE_BYTES = 1 << 16
_STATE_NAME, _LOCK_NAME, _ITEMS_NAME, _ANSWERS = "state.json", "lock", "items.json", "answers"
_STATE_LOCK = threading.RLock()
"""Held while a thread changes the state, the answers or the log: a process may ask in several."""
_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def state_folder_path(environ: Mapping[str, str]) -> str:
    """Return the path of the folder."""
    above = environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return os.path.join(above, "cortexfs", "language-model")


@contextmanager
def open_state_folder(environ: Mapping[str, str], *, create: bool = True) -> Iterator[int]:
    """Open the folder, which only its owner may use, and yield its descriptor."""
    path = state_folder_path(environ)
    if create:
        create_folders(path, 0o700)
    folder_fd = os.open(path, _FOLDER_FLAGS)
    try:
        _refuse_shared(folder_fd, path)
        yield folder_fd
    finally:
        os.close(folder_fd)


def lock_calls(folder_fd: int) -> AbstractContextManager[bool]:
    """Take the lock that one call at a time has; the value is False if another process has it."""
    return try_lock(folder_fd, _LOCK_NAME)


def read_call_state(folder_fd: int) -> CallState:
    """Return the stored state; a new one if there is none."""
    try:
        content = atomic_files.read_file_bytes(folder_fd, _STATE_NAME, MAX_STATE_BYTES)
    except (FileNotFoundError, atomic_files.FileTooLarge):
        return CallState()
    return parse_call_state(content)


def write_call_state(folder_fd: int, state: CallState) -> None:
    """Replace the stored state, durably."""
    _write(folder_fd, _STATE_NAME, format_call_state(state))


def change_call_state(
    folder_fd: int, change: Callable[[CallState], CallState | None]
) -> CallState | None:
    """Replace the state by what `change` makes of it, and return that; None: it stays."""
    with _STATE_LOCK:
        state = change(read_call_state(folder_fd))
        if state is not None:
            write_call_state(folder_fd, state)
        return state


def read_stored_answer(folder_fd: int, key: str) -> object:
    """Return the stored value with this key, or None; the answers read last are kept longest."""
    try:
        with _open_answers(folder_fd) as answers:
            content = atomic_files.read_file_bytes(answers, key, MAX_ANSWER_BYTES)
            os.utime(key, dir_fd=answers, follow_symlinks=False)
            return json.loads(content)
    except (OSError, ValueError, RecursionError):
        return None


def store_answer(folder_fd: int, key: str, value: object) -> None:
    """Store a value under a key, and remove the oldest ones above the limit."""
    content = json.dumps(value).encode()
    if len(content) > MAX_ANSWER_BYTES:
        return
    with _STATE_LOCK, _open_answers(folder_fd) as answers:
        _write(answers, key, content)
        names = os.listdir(answers)
        if len(names) > MAX_ANSWERS:
            times = {
                name: os.stat(name, dir_fd=answers, follow_symlinks=False).st_mtime_ns
                for name in names
            }
            for name in sorted(names, key=times.__getitem__)[: len(names) - MAX_ANSWERS]:
                os.unlink(name, dir_fd=answers)


def read_items(folder_fd: int) -> dict[str, str]:
    """Return the stored answers about items by their keys, the newest last."""
    try:
        content = atomic_files.read_file_bytes(folder_fd, _ITEMS_NAME, MAX_ITEMS_BYTES)
        items = json.loads(content)
    except (OSError, ValueError, RecursionError):
        return {}
    is_valid = isinstance(items, dict) and all(isinstance(item, str) for item in items.values())
    return items if is_valid else {}


def add_items(folder_fd: int, items: Mapping[str, str]) -> None:
    """Store answers about items as the newest, and remove the oldest ones above the limit."""
    kept = {key: item for key, item in read_items(folder_fd).items() if key not in items}
    newest = list({**kept, **items}.items())[-MAX_ITEMS:]
    _write(folder_fd, _ITEMS_NAME, json.dumps(dict(newest)).encode())


def append_to_log(folder_fd: int, record: Mapping[str, object]) -> None:
    """Append one line to the log; a log that is too long is put aside first."""
    with _STATE_LOCK, suppress(FileNotFoundError):
        if os.stat(LOG_NAME, dir_fd=folder_fd, follow_symlinks=False).st_size > MAX_LOG_BYTES:
            os.rename(LOG_NAME, OLD_LOG_NAME, src_dir_fd=folder_fd, dst_dir_fd=folder_fd)
    line = json.dumps(record, ensure_ascii=False)
    atomic_files.append_lines(folder_fd, LOG_NAME, f"{line}\n".encode("utf-8", "replace"))


@contextmanager
def _open_answers(folder_fd: int) -> Iterator[int]:
    with suppress(FileExistsError):
        os.mkdir(_ANSWERS, 0o700, dir_fd=folder_fd)
    answers = os.open(_ANSWERS, _FOLDER_FLAGS, dir_fd=folder_fd)
    try:
        yield answers
    finally:
        os.close(answers)


def _refuse_shared(folder_fd: int, path: str) -> None:
    """Take the folder from others; raises `PermissionError` if it belongs to somebody else."""
    status = os.fstat(folder_fd)
    if status.st_uid != os.geteuid():
        raise PermissionError(1, "it belongs to another user", path)
    if stat.S_IMODE(status.st_mode) & 0o077:
        os.fchmod(folder_fd, 0o700)


def _write(folder_fd: int, name: str, content: bytes) -> None:
    with atomic_files.write_draft(folder_fd, content, 0o600) as draft:
        os.rename(draft, name, src_dir_fd=folder_fd, dst_dir_fd=folder_fd)
    os.fsync(folder_fd)
