"""Edit a TASKS.yaml by splices, and verify that exactly the requested changes were made."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.tasks.list_edits import make_insert_splices, make_remove_splices
from cortexfs.core.tasks.mapping_edits import insert_into_empty, make_entry_splices
from cortexfs.core.tasks.task_fields import format_entry
from cortexfs.core.tasks.tasks_document import parse_tasks_document
from cortexfs.core.tasks.text_splices import apply_splices
from cortexfs.errors import Refused, Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.core.atoms.atom import FrontmatterValue
    from cortexfs.core.tasks.task_fields import FieldChange, FieldValue
    from cortexfs.core.tasks.tasks_document import TasksDocument
    from cortexfs.core.tasks.text_splices import Splice


_MORE = "something else would change too"
_NOTHING: Mapping[str, str | None] = MappingProxyType({})


class TasksEdit(NamedTuple):
    """The requested changes of a file, by the index of each task.

    `lock_changes` has the changes of the lock; None removes it. `added_tasks` are tasks to insert
    after the one
    with index `insert_after`, or at the end; `removed_indexes` are removed.
    """

    task_changes: Mapping[int, Mapping[str, FieldChange]] = MappingProxyType({})
    lock_changes: Mapping[str, str | None] | None = _NOTHING
    added_tasks: Sequence[Mapping[str, FieldValue]] = ()
    insert_after: int | None = None
    removed_indexes: frozenset[int] = frozenset()


def edit_tasks(path: str, text: str, asked: TasksEdit) -> str:
    """Return the text with the requested changes; every other byte is kept.

    Raises `Unreadable` if the text cannot be read, and `Refused` if the result could not be, or
    would differ from the requested changes.
    """
    page = parse_tasks_document(text)
    if isinstance(page, Flaw):
        raise make_unreadable_error(path, page)
    expected = _expected(page.content, asked)
    why = ""
    for after in _endings(page.text, apply_splices(page.text, list(_splices(page, asked)))):
        then = parse_tasks_document(page.byte_order_mark + after)
        if not isinstance(then, Flaw) and then.content == expected:
            return page.byte_order_mark + after
        why = f"line {then.line}: {then.message}" if isinstance(then, Flaw) else _MORE
    hint = "write out its anchors and odd spots, or make the change by hand"
    raise Refused(f"{path} cannot take this edit: {why}", hint=hint)


def make_unreadable_error(path: str, flaw: Flaw) -> Unreadable:
    """Return the error for a file that cannot be read."""
    return Unreadable(f"{path}:{flaw.line}: {flaw.message}", hint="fix the file by hand first")


def _endings(before: str, after: str) -> Iterator[str]:
    """Yield the result without a final line end, if there was none before, then with it."""
    if before and not before.endswith("\n") and after.endswith("\n"):
        yield after.removesuffix("\n").removesuffix("\r")
    yield after


def _splices(page: TasksDocument, asked: TasksEdit) -> Iterator[Splice]:
    tasks = page.find_entry("tasks")
    for index, changes in asked.task_changes.items():
        if tasks and index < len(tasks.node.items):
            yield from make_entry_splices(page.text, tasks.node.items[index], changes)
    if asked.lock_changes is not _NOTHING:
        yield from _lock_splices(page, asked.lock_changes)
    if asked.added_tasks:
        yield from make_insert_splices(page, asked.added_tasks, asked.insert_after)
    yield from make_remove_splices(page, asked.removed_indexes)


def _lock_splices(page: TasksDocument, lock: Mapping[str, str | None] | None) -> Iterator[Splice]:
    present = page.find_entry("lock")
    if present and present.node.entries and lock is not None:
        yield from make_entry_splices(page.text, present.node, lock)
        return
    whole = {key: value for key, value in (lock or {}).items() if value is not None}
    if page.root:
        yield from make_entry_splices(page.text, page.root, {"lock": whole or None})
    elif whole:
        yield insert_into_empty(page.text, format_entry("lock", whole))


def _expected(
    said: Mapping[str, FrontmatterValue], asked: TasksEdit
) -> Mapping[str, FrontmatterValue]:
    """Return the values that the file should have after the edit."""
    result = dict(said)
    if asked.task_changes or asked.added_tasks or asked.removed_indexes:
        result["tasks"] = tuple(_expected_tasks(said.get("tasks") or (), asked))
    if asked.lock_changes is None:
        result.pop("lock", None)
    elif asked.lock_changes:
        result["lock"] = _changed(said.get("lock") or {}, asked.lock_changes)
    return result


def _expected_tasks(said: FrontmatterValue, asked: TasksEdit) -> Iterator[FrontmatterValue]:
    last = len(said) - 1 if asked.insert_after is None else asked.insert_after
    if not said:
        yield from map(_as_read, asked.added_tasks)
    for index, task in enumerate(said):
        if index not in asked.removed_indexes:
            yield _changed(task, asked.task_changes.get(index, {}))
        if index == last:
            yield from map(_as_read, asked.added_tasks)


def _changed(said: FrontmatterValue, changes: Mapping[str, FieldChange]) -> FrontmatterValue:
    if not changes:
        return said
    kept = {key: value for key, value in _as_mapping(said).items() if key not in changes}
    return {**kept, **{key: _as_read(value) for key, value in changes.items() if value is not None}}


def _as_mapping(value: FrontmatterValue) -> Mapping[str, FrontmatterValue]:
    return value if isinstance(value, Mapping) else {}


def _as_read(value: FieldValue | Mapping[str, FieldValue]) -> FrontmatterValue:
    if isinstance(value, Mapping):
        return {key: _as_read(inner) for key, inner in value.items()}
    return value if isinstance(value, str) else tuple(value)
