"""The lock of a TASKS.yaml: until it expires, only its owner may change the file."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from cortexfs.core.tasks.task_times import format_time, parse_time
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.errors import Refused, TasksLocked

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from cortexfs.core.tasks.task_and_board import TaskBoard

DEFAULT_MINUTES = 20
"""Default duration of a lock in minutes."""

MAX_MINUTES = 7 * 24 * 60
"""Maximum duration of a lock in minutes: a forgotten lock excludes others for that long."""

OWNER_VARIABLES = ("CORTEXFS_OWNER", "CORTEX_EXECUTION_ID")
"""Environment variables with the identity of a session, the same for all its processes."""


def resolve_owner(requested: str | None, environ: Mapping[str, str], login: str) -> str:
    """Return the owner: the requested name, else that of the session, else the login."""
    candidates = (requested, *(environ.get(name) for name in OWNER_VARIABLES), login)
    owner = next((name for each in candidates if each and (name := to_one_line(each))), "")
    if not owner:
        raise Refused("no owner is known", hint=f"use --owner NAME, or set {OWNER_VARIABLES[0]}")
    return owner


def find_lock_holder(board: TaskBoard, now: datetime) -> str:
    """Return the holder of the lock; empty if there is none, or if it has expired."""
    owner, expires = board.lock.get("owner", ""), board.lock.get("expires_at", "")
    ends = parse_time(expires) if isinstance(expires, str) else None
    return owner if isinstance(owner, str) and ends and ends > now else ""


def require_unlocked(board: TaskBoard, owner: str, now: datetime) -> None:
    """Raise `TasksLocked` if someone else holds the lock."""
    holder = find_lock_holder(board, now)
    if holder and holder != owner:
        raise TasksLocked(board.path, holder, str(board.lock["expires_at"]))


def acquire_lock(
    board: TaskBoard, owner: str, now: datetime, minutes: int, note: str
) -> dict[str, str | None]:
    """Return the fields of the new lock; the owner's own lock is extended.

    Raises `TasksLocked` if someone else holds the lock, and `Refused` above `MAX_MINUTES` minutes.
    """
    require_unlocked(board, owner, now)
    if minutes > MAX_MINUTES:
        raise Refused("a lock lasts a week at most", hint=f"use --minutes {MAX_MINUTES} or less")
    until = now + timedelta(minutes=minutes)
    fields = {"owner": owner, "acquired_at": format_time(now), "expires_at": format_time(until)}
    return {**fields, "note": to_one_line(note) or None}
