"""The task archive of a project: which tasks are moved to it, and their format there."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING

from cortexfs.core.markdown.lines import detect_line_ending
from cortexfs.core.tasks.task_and_board import DONE
from cortexfs.core.tasks.task_fields import TASK_KEYS
from cortexfs.core.tasks.task_times import parse_day_or_none
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

    from cortexfs.core.atoms.atom import FrontmatterValue
    from cortexfs.core.tasks.task_and_board import Task, TaskBoard

ARCHIVE_AFTER_DAYS = 3
"""Number of days for which a finished task stays in TASKS.yaml."""

_ARCHIVED_ID = re.compile(r"^[^\S\n]*- \[[xX]\].*\[id: ([^\]\s]+)\][^\S\n]*$", re.MULTILINE)
_LABELS = (("Why", "why"), ("Done when", "done-when"), ("Priority", "priority"))


def find_archivable_tasks(board: TaskBoard, today: date) -> tuple[Task, ...]:
    """Return the tasks that were finished more than `ARCHIVE_AFTER_DAYS` days ago."""
    limit = today - timedelta(days=ARCHIVE_AFTER_DAYS)
    return tuple(
        task
        for task in board.tasks
        if task.status == DONE
        and (when := parse_day_or_none(task.text_field("completed-at")))
        and when < limit
    )


def parse_archived_ids(text: str) -> frozenset[str]:
    """Return the ids of the tasks in an archive."""
    return frozenset(_ARCHIVED_ID.findall(text))


def append_to_archive(text: str, tasks: Iterable[Task]) -> str:
    """Return an archive with tasks added, each after a blank line."""
    end = detect_line_ending(text)
    body = text if not text or text.endswith("\n") else text + end
    for task in tasks:
        blank_line = "" if not body or body.endswith(end * 2) else end
        body += blank_line + "".join(f"{line}{end}" for line in _format_task(task))
    return body


def _format_task(task: Task) -> Iterator[str]:
    """Yield the lines of a task; fields without a label follow under their key."""
    ident = f" [id: {task.id}]" if task.id else ""
    yield f"- [x] {to_one_line(task.description) or '—'}{ident}"
    for name, key in _LABELS:
        if text := to_one_line(task.text_field(key)):
            yield f"  {name}: {text}"
    note = to_one_line(task.text_field("completed-note"))
    when = to_one_line(task.text_field("completed-at"))
    yield f"  Completed: {when}{f' ({note})' if note else ''}"
    for key, value in task.fields.items():
        if key not in TASK_KEYS and (text := to_one_line(_format_value(value))):
            yield f"  {to_one_line(key)}: {text}"


def _format_value(value: FrontmatterValue) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, default=_to_json_value)


def _to_json_value(value: FrontmatterValue) -> object:
    return dict(value) if isinstance(value, Mapping) else list(value)
