"""Create memories from the store of another program, in one commit; nothing is imported twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.tree_paths import kind_folder
from cortexfs.core.changes.plan import ExecutionMode, Plan, attach_outcome
from cortexfs.core.memory.extract_learnings import extract_learnings
from cortexfs.core.stores.clean_contents import clean_contents
from cortexfs.core.stores.known_memories import KnownMemory
from cortexfs.core.stores.parse_store import parse_store
from cortexfs.core.stores.plan_memories import PERSONAL_FOLDER, NewMemories, plan_memories
from cortexfs.core.stores.plan_sessions_and_prompts import plan_prompts, plan_sessions
from cortexfs.core.text.plural import format_count
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.operations.shared.cortex_md_and_overview import add_derived_writes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from cortexfs.core.atoms.kinds import Kind
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.core.stores.plan_memories import ImportedEntry
    from cortexfs.core.stores.stored_values import BrokenEntry, StoreContents, StoreFormat
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

ValueT = TypeVar("ValueT")

DEFAULT_PROJECT = "general"
"""The project of entries that name none, in a tree without a current project."""
MEMORY_KIND, SESSION_KIND, PROMPT_KIND = "observation", "session", "prompt"


class StoreImport(NamedTuple):
    """What became of each entry, and the outcome of the plan (None: it was a dry run)."""

    source: str
    format: StoreFormat
    entries: tuple[ImportedEntry, ...]
    broken: tuple[BrokenEntry, ...]
    plan: Plan
    outcome: Outcome | None = None


def read_store(text: str, form: StoreFormat | None) -> StoreContents:
    """Return the contents of a store; None means that its format is recognized."""
    return parse_store(text, form, extract_learnings)


def import_store(
    session: Session,
    contents: StoreContents,
    source: str,
    project: str = "",
    default_project: str = DEFAULT_PROJECT,
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> StoreImport:
    """Create an observation for each memory of a store, and its sessions and prompts.

    A memory that was imported before is updated if it has changed in the store and not here.
    `project` is the project of everything; empty means that of each entry, else the default.
    """
    cleaned = clean_contents(contents, project, default_project)

    def decide(view: View) -> StoreImport:
        return _decide(view, cleaned, source)

    return attach_outcome(session.execute(decide, mode))


def _decide(view: View, contents: StoreContents, source: str) -> StoreImport:
    entries = [
        *_plan_kind(view, MEMORY_KIND, contents.memories, plan_memories),
        *_plan_kind(view, SESSION_KIND, contents.sessions, plan_sessions),
        *_plan_kind(view, PROMPT_KIND, contents.prompts, plan_prompts),
    ]
    writes = [entry.write for entry in entries if entry.write]
    counts = [
        format_count(number, name)
        for name in (MEMORY_KIND, SESSION_KIND, PROMPT_KIND)
        if (number := _count_written(view, entries, name))
    ]
    message = f"import {to_one_line(source)}: {', '.join(counts)}"
    personal = frozenset(w.path for w in writes if w.path.startswith(f"{PERSONAL_FOLDER}/"))
    plan = Plan(
        message,
        tuple(add_derived_writes(view, writes)) if writes else (),
        uncommitted_paths=personal,
    )
    return StoreImport(source, contents.format, tuple(entries), contents.broken, plan)


def _plan_kind(
    view: View,
    name: str,
    values: Sequence[ValueT],
    plan: Callable[[Sequence[ValueT], Iterable[KnownMemory], NewMemories], list[ImportedEntry]],
) -> list[ImportedEntry]:
    """Return what becomes of the entries of one kind; none if the tree has no such kind."""
    kind = view.kinds.find_by_name(name)
    if not values or kind is None:
        return []
    known = list(iter_known_memories(view, kind))
    new = NewMemories(kind, _find_next_number(view, kind), view.clock().date().isoformat())
    return plan(values, known, new)


def iter_known_memories(view: View, kind: Kind) -> Iterator[KnownMemory]:
    """Yield the atoms of a kind, personal ones included; unreadable files are left out."""
    for project, folder in _list_folders(view, kind):
        for name in view.tree.list_names(folder):
            ident = kind.parse_file_id(name.removesuffix(".md"))
            if ident is None or not name.endswith(".md"):
                continue
            file = view.tree.read_text_or_flaw(path := f"{folder}/{name}")
            if not isinstance(file, Flaw):
                ref = f"{project}/{ident}" if project else ident
                yield KnownMemory(ref, path, project, file.text)


def _list_folders(view: View, kind: Kind) -> list[tuple[str, str]]:
    """Return each folder with atoms of a kind, and its project (empty: personal)."""
    projects = [(name, kind_folder(name, kind)) for name in view.tree.list_projects()]
    return [*projects, ("", f"{PERSONAL_FOLDER}/{kind.folder}")]


def _find_next_number(view: View, kind: Kind) -> int:
    names = [
        name for _, folder in _list_folders(view, kind) for name in view.tree.list_names(folder)
    ]
    last = kind.next_id(name.removesuffix(".md") for name in names)
    return int(last.rpartition("-")[2])


def _count_written(view: View, entries: Sequence[ImportedEntry], name: str) -> int:
    kind = view.kinds.find_by_name(name)
    return sum(bool(each.write) for each in entries if kind and f"/{kind.folder}/" in each.path)
