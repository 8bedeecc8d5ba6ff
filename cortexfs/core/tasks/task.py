"""What a task is, and the TASKS.yaml that it stands in, as values."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw, parse_string_list
from cortexfs.core.tasks.task_fields import is_flag_set
from cortexfs.core.tasks.tasks_document import parse_tasks_document

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import FrontmatterValue

TASKS_FILE = "TASKS.yaml"
ARCHIVE_FILE = "tasks-archive.md"
HIGH, MEDIUM, LOW = "high", "medium", "low"
OPEN, DONE, PENDING = "open", "done", "pending"


class Task(NamedTuple):
    """One task; `position` is its place in the list, `line` the one on which it begins."""

    project: str
    position: int
    line: int
    fields: Mapping[str, FrontmatterValue]

    def text_field(self, key: str) -> str:
        """One field as text; empty where it is absent or no scalar."""
        value = self.fields.get(key, "")
        return value if isinstance(value, str) else ""

    def has_flag(self, key: str) -> bool:
        """Tell whether a field says yes."""
        return is_flag_set(self.fields.get(key, ""))

    @property
    def id(self) -> str:
        """Its id; empty where it has none."""
        return self.text_field("id").strip()

    @property
    def description(self) -> str:
        """What is to be done."""
        return self.text_field("text")

    @property
    def priority(self) -> str:
        """How urgent it is; what is no priority counts as medium."""
        typed = self.text_field("priority").strip().lower()
        return typed if typed in {HIGH, LOW} else MEDIUM

    @property
    def status(self) -> str:
        """Whether it is open, done or pending; what is none of these is open."""
        typed = self.text_field("status").strip().lower()
        return typed if typed in {DONE, PENDING} else OPEN

    @property
    def depends_on(self) -> tuple[str, ...]:
        """The ids of what must be done before; `driftwood/3fa9` is `3fa9`."""
        named = parse_string_list(self.fields.get("depends-on", ""))
        return tuple(each.rpartition("/")[2] for each in named)

    @property
    def parent(self) -> str:
        """The id of the task that it is a part of."""
        return self.text_field("parent").strip().rpartition("/")[2]


class TaskBoard(NamedTuple):
    """One TASKS.yaml: its text (None: there is no file), its tasks, and its lock as typed.

    `strays` are the lines of items that are no tasks.
    """

    project: str
    text: str | None
    tasks: tuple[Task, ...] = ()
    lock: Mapping[str, FrontmatterValue] = MappingProxyType({})
    stray_lines: tuple[int, ...] = ()

    @property
    def path(self) -> str:
        """Where it stands below the root."""
        return tasks_path(self.project)


def tasks_path(project: str) -> str:
    """Where a project's tasks stand below the root."""
    return f"projects/{project}/{TASKS_FILE}"


def archive_path(project: str) -> str:
    """Where a project's finished tasks are kept."""
    return f"projects/{project}/{ARCHIVE_FILE}"


def parse_board(project: str, text: str | None) -> TaskBoard | Flaw:
    """Read a TASKS.yaml. Never raises: one that cannot be read is a flaw."""
    page = parse_tasks_document(text or "")
    if isinstance(page, Flaw):
        return page
    entry = page.find_entry("tasks")
    values = page.content.get("tasks", ())
    lines = page.line_numbers(item.start for item in entry.node.items) if entry else []
    lines = lines or [page.line_number(entry.key_start if entry else 0)] * len(
        values
    )  # by alias or `<<`
    tasks = tuple(
        Task(project, at, lines[at], value)
        for at, value in enumerate(values)
        if isinstance(value, Mapping)
    )
    known = {task.position for task in tasks}
    strays = tuple(line for at, line in enumerate(lines) if at not in known)
    lock = page.content.get("lock", {})
    return TaskBoard(project, text, tasks, lock if isinstance(lock, Mapping) else {}, strays)
