"""A task, and the TASKS.yaml with it, as values."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw, split_string_list
from cortexfs.core.tasks.task_fields import is_flag_set
from cortexfs.core.tasks.tasks_document import parse_tasks_document

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import FrontmatterValue

TASKS_FILE = "TASKS.yaml"
ARCHIVE_FILE = "tasks-archive.md"
HIGH, MEDIUM, LOW = "high", "medium", "low"
OPEN, DONE, PENDING = "open", "done", "pending"


class Task(NamedTuple):
    """One task; `position` is its index in the list, `line` the number of its first line."""

    project: str
    position: int
    line: int
    fields: Mapping[str, FrontmatterValue]

    def text_field(self, key: str) -> str:
        """Return one field as text; empty if it is missing or no scalar."""
        value = self.fields.get(key, "")
        return value if isinstance(value, str) else ""

    def has_flag(self, key: str) -> bool:
        """Return whether a flag is set."""
        return is_flag_set(self.fields.get(key, ""))

    @property
    def id(self) -> str:
        """Its id; empty if it has none."""
        return self.text_field("id").strip()

    @property
    def description(self) -> str:
        """The text of the task: what is to be done."""
        return self.text_field("text")

    @property
    def priority(self) -> str:
        """Its priority; an unknown one is read as medium."""
        typed = self.text_field("priority").strip().lower()
        return typed if typed in {HIGH, LOW} else MEDIUM

    @property
    def status(self) -> str:
        """Its status: open, done or pending; an unknown one is read as open."""
        typed = self.text_field("status").strip().lower()
        return typed if typed in {DONE, PENDING} else OPEN

    @property
    def depends_on(self) -> tuple[str, ...]:
        """The ids of the tasks that it depends on; `driftwood/3fa9` is read as `3fa9`."""
        named = split_string_list(self.fields.get("depends-on", ""))
        return tuple(each.rpartition("/")[2] for each in named)

    @property
    def parent(self) -> str:
        """The id of its parent task."""
        return self.text_field("parent").strip().rpartition("/")[2]


class TaskBoard(NamedTuple):
    """One TASKS.yaml: its text (None: there is no file), its tasks, and its lock as written.

    `stray_lines` are the line numbers of items that are not tasks.
    """

    project: str
    text: str | None
    tasks: tuple[Task, ...] = ()
    lock: Mapping[str, FrontmatterValue] = MappingProxyType({})
    stray_lines: tuple[int, ...] = ()

    @property
    def path(self) -> str:
        """Its path below the root."""
        return tasks_path(self.project)


def tasks_path(project: str) -> str:
    """Return the path below the root of a project's TASKS.yaml."""
    return f"projects/{project}/{TASKS_FILE}"


def archive_path(project: str) -> str:
    """Return the path below the root of a project's task archive."""
    return f"projects/{project}/{ARCHIVE_FILE}"


def parse_board(project: str, text: str | None) -> TaskBoard | Flaw:
    """Parse a TASKS.yaml; returns a flaw if it cannot be read, and never raises."""
    document = parse_tasks_document(text or "")
    if isinstance(document, Flaw):
        return document
    entry = document.find_entry("tasks")
    values = document.content.get("tasks", ())
    lines = document.line_numbers(item.start for item in entry.node.items) if entry else []
    if not lines:  # the list is an alias, or merged by `<<`
        lines = [document.line_number(entry.key_start if entry else 0)] * len(values)
    tasks = tuple(
        Task(project, at, lines[at], value)
        for at, value in enumerate(values)
        if isinstance(value, Mapping)
    )
    known = {task.position for task in tasks}
    strays = tuple(line for at, line in enumerate(lines) if at not in known)
    lock = document.content.get("lock", {})
    return TaskBoard(project, text, tasks, lock if isinstance(lock, Mapping) else {}, strays)
