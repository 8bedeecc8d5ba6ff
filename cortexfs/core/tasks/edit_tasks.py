"""Change a TASKS.yaml by splices, and prove that it then says what was asked, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.tasks.document import read
from cortexfs.core.tasks.list_edits import added, dropped
from cortexfs.core.tasks.mapping_edits import begun, rewrite
from cortexfs.core.tasks.task_fields import pair
from cortexfs.core.tasks.text_spans import spliced
from cortexfs.errors import Refused, Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.core.atoms.atom import Value
    from cortexfs.core.tasks.document import Page
    from cortexfs.core.tasks.task_fields import Change, Given
    from cortexfs.core.tasks.text_spans import Splice


_MORE = "something else would change too"
_NOTHING: Mapping[str, str | None] = MappingProxyType({})


class Edit(NamedTuple):
    """What a file is to say: each by the task's index in it.

    `lock` are the changes of its lock, None takes that out whole; `added` are tasks that come
    behind the one of index `after`, or at the end; `dropped` are taken out.
    """

    changes: Mapping[int, Mapping[str, Change]] = MappingProxyType({})
    lock: Mapping[str, str | None] | None = _NOTHING
    added: Sequence[Mapping[str, Given]] = ()
    after: int | None = None
    dropped: frozenset[int] = frozenset()


def edit(path: str, text: str, asked: Edit) -> str:
    """Give the text with what was asked in it; every other byte is as its author wrote it.

    Raises `Unreadable` where it cannot be read, and `Refused` where the result could not be,
    or would say anything else than what was asked for.
    """
    page = read(text)
    if isinstance(page, Flaw):
        raise unreadable(path, page)
    expected = _expected(page.value, asked)
    why = ""
    for after in _endings(page.text, spliced(page.text, list(_splices(page, asked)))):
        then = read(page.head + after)
        if not isinstance(then, Flaw) and then.value == expected:
            return page.head + after
        why = f"line {then.line}: {then.message}" if isinstance(then, Flaw) else _MORE
    hint = "write out its anchors and odd spots, or make the change by hand"
    raise Refused(f"{path} cannot take this edit: {why}", hint=hint)


def unreadable(path: str, flaw: Flaw) -> Unreadable:
    """Refuse a file that cannot be read: it stays as it is."""
    return Unreadable(f"{path}:{flaw.line}: {flaw.message}", hint="mend the file by hand first")


def _endings(before: str, after: str) -> Iterator[str]:
    """Give a result with its last line open, as it was, where it can be, and as it is."""
    if before and not before.endswith("\n") and after.endswith("\n"):
        yield after.removesuffix("\n").removesuffix("\r")
    yield after


def _splices(page: Page, asked: Edit) -> Iterator[Splice]:
    tasks = page.entry("tasks")
    for index, changes in asked.changes.items():
        if tasks and index < len(tasks.node.items):
            yield from rewrite(page.text, tasks.node.items[index], changes)
    if asked.lock is not _NOTHING:
        yield from _lock_splices(page, asked.lock)
    if asked.added:
        yield from added(page, asked.added, asked.after)
    yield from dropped(page, asked.dropped)


def _lock_splices(page: Page, lock: Mapping[str, str | None] | None) -> Iterator[Splice]:
    present = page.entry("lock")
    if present and present.node.entries and lock is not None:
        yield from rewrite(page.text, present.node, lock)
        return
    whole = {key: value for key, value in (lock or {}).items() if value is not None}
    if page.root:
        yield from rewrite(page.text, page.root, {"lock": whole or None})
    elif whole:
        yield begun(page.text, pair("lock", whole))


def _expected(said: Mapping[str, Value], asked: Edit) -> Mapping[str, Value]:
    """Say what the file should say then, from what it said."""
    result = dict(said)
    if asked.changes or asked.added or asked.dropped:
        result["tasks"] = tuple(_expected_tasks(said.get("tasks") or (), asked))
    if asked.lock is None:
        result.pop("lock", None)
    elif asked.lock:
        result["lock"] = _changed(said.get("lock") or {}, asked.lock)
    return result


def _expected_tasks(said: Value, asked: Edit) -> Iterator[Value]:
    last = len(said) - 1 if asked.after is None else asked.after
    if not said:
        yield from map(_as_read, asked.added)
    for index, task in enumerate(said):
        if index not in asked.dropped:
            yield _changed(task, asked.changes.get(index, {}))
        if index == last:
            yield from map(_as_read, asked.added)


def _changed(said: Value, changes: Mapping[str, Change]) -> Value:
    if not changes:
        return said
    kept = {key: value for key, value in _as_mapping(said).items() if key not in changes}
    return {**kept, **{key: _as_read(value) for key, value in changes.items() if value is not None}}


def _as_mapping(value: Value) -> Mapping[str, Value]:
    return value if isinstance(value, Mapping) else {}


def _as_read(value: Given | Mapping[str, Given]) -> Value:
    if isinstance(value, Mapping):
        return {key: _as_read(inner) for key, inner in value.items()}
    return value if isinstance(value, str) else tuple(value)
