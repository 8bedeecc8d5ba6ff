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


_NO_LOCK_CHANGE: Mapping[str, str | None] = MappingProxyType({})


class TasksEdit(NamedTuple):
    """The requested changes of a file, by the index of each task.

    `lock_changes` has the changes of the lock; None removes it. `added_tasks` are inserted after
    the task with index `insert_after`, or at the end; `removed_indexes` are removed.
    """

    task_changes: Mapping[int, Mapping[str, FieldChange]] = MappingProxyType({})
    lock_changes: Mapping[str, str | None] | None = _NO_LOCK_CHANGE
    added_tasks: Sequence[Mapping[str, FieldValue]] = ()
    insert_after: int | None = None
    removed_indexes: frozenset[int] = frozenset()


def edit_tasks(path: str, text: str, edit: TasksEdit) -> str:
    """Return the text with the requested changes; every other byte is kept.

    Raises `Unreadable` if the text cannot be read, and `Refused` if the result could not be, or
    would differ from the requested changes.
    """
    document = parse_tasks_document(text)
    if isinstance(document, Flaw):
        raise make_unreadable_error(path, document)
    expected = _compute_expected(document.content, edit)
    reason = ""
    edited = apply_splices(document.text, list(_make_splices(document, edit)))
    for after in _iter_line_end_variants(document.text, edited):
        result = parse_tasks_document(document.byte_order_mark + after)
        if isinstance(result, Flaw):
            reason = f"line {result.line}: {result.message}"
        elif result.content == expected:
            return document.byte_order_mark + after
        else:
            reason = "something else would change"
    hint = "replace its anchors with the values, or make the change by hand"
    raise Refused(f"{path} cannot be edited in this way: {reason}", hint=hint)


def make_unreadable_error(path: str, flaw: Flaw) -> Unreadable:
    """Return the error for a file that cannot be read."""
    return Unreadable(f"{path}:{flaw.line}: {flaw.message}", hint="fix the file by hand first")


def _iter_line_end_variants(before: str, after: str) -> Iterator[str]:
    """Yield the result without a final line end, if there was none before, then with it."""
    if before and not before.endswith("\n") and after.endswith("\n"):
        yield after.removesuffix("\n").removesuffix("\r")
    yield after


def _make_splices(document: TasksDocument, edit: TasksEdit) -> Iterator[Splice]:
    tasks = document.find_entry("tasks")
    for index, changes in edit.task_changes.items():
        if tasks and index < len(tasks.node.items):
            yield from make_entry_splices(document.text, tasks.node.items[index], changes)
    if edit.lock_changes is not _NO_LOCK_CHANGE:
        yield from _make_lock_splices(document, edit.lock_changes)
    if edit.added_tasks:
        yield from make_insert_splices(document, edit.added_tasks, edit.insert_after)
    yield from make_remove_splices(document, edit.removed_indexes)


def _make_lock_splices(
    document: TasksDocument, lock: Mapping[str, str | None] | None
) -> Iterator[Splice]:
    present = document.find_entry("lock")
    if present and present.node.entries and lock is not None:
        yield from make_entry_splices(document.text, present.node, lock)
        return
    whole = {key: value for key, value in (lock or {}).items() if value is not None}
    if document.root:
        yield from make_entry_splices(document.text, document.root, {"lock": whole or None})
    elif whole:
        yield insert_into_empty(document.text, format_entry("lock", whole))


def _compute_expected(
    values: Mapping[str, FrontmatterValue], edit: TasksEdit
) -> Mapping[str, FrontmatterValue]:
    """Return the values that the file should have after the edit."""
    result = dict(values)
    if edit.task_changes or edit.added_tasks or edit.removed_indexes:
        result["tasks"] = tuple(_compute_expected_tasks(values.get("tasks") or (), edit))
    if edit.lock_changes is None:
        result.pop("lock", None)
    elif edit.lock_changes:
        result["lock"] = _apply_changes(values.get("lock") or {}, edit.lock_changes)
    return result


def _compute_expected_tasks(
    values: FrontmatterValue, edit: TasksEdit
) -> Iterator[FrontmatterValue]:
    last = len(values) - 1 if edit.insert_after is None else edit.insert_after
    if not values:
        yield from map(_to_parsed_value, edit.added_tasks)
    for index, task in enumerate(values):
        if index not in edit.removed_indexes:
            yield _apply_changes(task, edit.task_changes.get(index, {}))
        if index == last:
            yield from map(_to_parsed_value, edit.added_tasks)


def _apply_changes(
    values: FrontmatterValue, changes: Mapping[str, FieldChange]
) -> FrontmatterValue:
    if not changes:
        return values
    kept = {key: value for key, value in _as_mapping(values).items() if key not in changes}
    return {
        **kept,
        **{key: _to_parsed_value(value) for key, value in changes.items() if value is not None},
    }


def _as_mapping(value: FrontmatterValue) -> Mapping[str, FrontmatterValue]:
    return value if isinstance(value, Mapping) else {}


def _to_parsed_value(value: FieldValue | Mapping[str, FieldValue]) -> FrontmatterValue:
    if isinstance(value, Mapping):
        return {key: _to_parsed_value(inner) for key, inner in value.items()}
    return value if isinstance(value, str) else tuple(value)
