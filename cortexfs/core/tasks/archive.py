"""The archive of a project: which tasks go into it, and how they read there."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING

from cortexfs.core.markdown.lines import newline
from cortexfs.core.tasks.task import DONE
from cortexfs.core.tasks.task_fields import ORDER
from cortexfs.core.tasks.task_times import day
from cortexfs.core.text.sanitize import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

    from cortexfs.core.atoms.atom import Value
    from cortexfs.core.tasks.task import Board, Task

KEPT_DAYS = 3
"""So long a finished task stays among the others."""

_IDENT = re.compile(r"^[^\S\n]*- \[[xX]\].*\[id: ([^\]\s]+)\][^\S\n]*$", re.MULTILINE)
_LINES = (("Why", "why"), ("Done when", "done-when"), ("Priority", "priority"))


def archivable(board: Board, today: date) -> tuple[Task, ...]:
    """Give the tasks that were finished more than three days ago."""
    limit = today - timedelta(days=KEPT_DAYS)
    return tuple(
        task
        for task in board.tasks
        if task.status == DONE and (when := day(task.text("completed-at"))) and when < limit
    )


def archived_ids(text: str) -> frozenset[str]:
    """Name the tasks that an archive holds."""
    return frozenset(_IDENT.findall(text))


def with_tasks(text: str, tasks: Iterable[Task]) -> str:
    """Add tasks at the end of an archive, each apart from the one above."""
    end = newline(text)
    body = text if not text or text.endswith("\n") else text + end
    for task in tasks:
        apart = "" if not body or body.endswith(end * 2) else end
        body += apart + "".join(f"{line}{end}" for line in _block(task))
    return body


def _block(task: Task) -> Iterator[str]:
    """Write a task; what the archive has no words for follows by its key."""
    ident = f" [id: {task.id}]" if task.id else ""
    yield f"- [x] {one_line(task.said) or '—'}{ident}"
    for name, key in _LINES:
        if said := one_line(task.text(key)):
            yield f"  {name}: {said}"
    note = one_line(task.text("completed-note"))
    yield f"  Completed: {one_line(task.text('completed-at'))}{f' ({note})' if note else ''}"
    for key, value in task.fields.items():
        if key not in ORDER and (said := one_line(_said(value))):
            yield f"  {one_line(key)}: {said}"


def _said(value: Value) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, default=_plain)


def _plain(value: Value) -> object:
    return dict(value) if isinstance(value, Mapping) else list(value)
