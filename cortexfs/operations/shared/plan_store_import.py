"""Plan what is imported from a store or from clients: its files, and the one commit of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from cortexfs.core.atoms.kinds import MEMORY_KINDS, OBSERVATION_KIND, PROMPT_KIND, SESSION_KIND
from cortexfs.core.atoms.tree_paths import is_personal_path, project_from_path
from cortexfs.core.changes.plan import Plan
from cortexfs.core.stores.plan_memories import plan_memories
from cortexfs.core.stores.plan_sessions_and_prompts import plan_prompts, plan_sessions
from cortexfs.core.text.plural import format_count
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.operations.project import plan_project
from cortexfs.operations.shared.cortex_md_and_overview import add_derived_writes
from cortexfs.operations.shared.memory_files import find_next_number, iter_memory_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cortexfs.core.changes.plan import Outcome, Write
    from cortexfs.core.stores.known_memories import KnownMemory
    from cortexfs.core.stores.plan_memories import ImportedEntry, NextNumber
    from cortexfs.core.stores.stored_values import BrokenEntry, StoreContents, StoreFormat
    from cortexfs.session.view import View

    ValueT = TypeVar("ValueT")
    PlanKind = Callable[[Sequence[ValueT], Iterable[KnownMemory], NextNumber], list[ImportedEntry]]


class StoreImport(NamedTuple):
    """What became of each entry, and the outcome of the plan (None: it was a dry run)."""

    source: str
    format: StoreFormat
    entries: tuple[ImportedEntry, ...]
    broken: tuple[BrokenEntry, ...]
    plan: Plan
    outcome: Outcome | None = None


def plan_entries(
    view: View, contents: StoreContents, planned_paths: Sequence[str] = ()
) -> tuple[ImportedEntry, ...]:
    """Return what becomes of each entry; the numbers of `planned_paths` are taken too."""

    def plan(
        name: str, values: Sequence[ValueT], plan_kind: PlanKind[ValueT]
    ) -> list[ImportedEntry]:
        kind = view.kinds.find_by_name(name)
        if not values or kind is None:
            return []
        new = find_next_number(view, kind, planned_paths)
        return plan_kind(values, list(iter_memory_files(view, kind)), new)

    return (
        *plan(OBSERVATION_KIND, contents.memories, plan_memories),
        *plan(SESSION_KIND, contents.sessions, plan_sessions),
        *plan(PROMPT_KIND, contents.prompts, plan_prompts),
    )


def plan_store_import(
    view: View,
    source: str,
    contents: StoreContents,
    entries: Sequence[ImportedEntry],
    verb: str = "import",
) -> StoreImport:
    """Return the import with its plan: one commit; personal files are left out of it.

    The commit message begins with `verb`.
    """
    writes = [entry.write for entry in entries if entry.write]
    counts = [
        format_count(number, name)
        for name in MEMORY_KINDS
        if (number := _count_written(view, entries, name))
    ]
    personal = frozenset(each.path for each in writes if is_personal_path(each.path))
    message = f"{verb} {to_one_line(source)}: {', '.join(counts)}"
    plan = Plan(message, tuple(_add_other_writes(view, source, writes)), uncommitted_paths=personal)
    return StoreImport(source, contents.format, tuple(entries), contents.broken, plan)


def _add_other_writes(view: View, source: str, writes: Sequence[Write]) -> Sequence[Write]:
    """Return the writes with those of new projects, and with the files derived from them."""
    projects = {project_from_path(write.path) for write in writes} - {""}
    if not (new := sorted(projects.difference(view.tree.list_projects()))):
        return add_derived_writes(view, writes) if writes else ()
    for project in new:
        goal = f"Memories imported from {to_one_line(source)}"
        writes = plan_project(view, project, goal, other_writes=writes).writes
    return writes


def _count_written(view: View, entries: Sequence[ImportedEntry], name: str) -> int:
    kind = view.kinds.find_by_name(name)
    return sum(bool(each.write) for each in entries if kind and f"/{kind.folder}/" in each.path)
