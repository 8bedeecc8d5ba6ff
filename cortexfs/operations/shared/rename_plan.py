"""Shared parts of renaming an atom and a project: references in texts, the logs, the plan."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.tree_paths import (
    LOG_FOLDER,
    is_access_log_name,
    is_personal_path,
    project_from_path,
)
from cortexfs.core.changes.plan import Plan, Remove, Write
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.indexes.atom_with_reads import merge_read_stats, parse_frontmatter_reads
from cortexfs.core.memory.memory_record import PROJECT_SCOPE
from cortexfs.core.renaming.logs import append_log_lines, rename_file_in_log, split_log_by_file
from cortexfs.core.renaming.name_meanings import NameMeanings, iter_names_after, iter_names_before
from cortexfs.core.renaming.rewrite import RenameContext, rewrite_names
from cortexfs.core.tasks.task_and_board import TASKS_FILE, parse_board
from cortexfs.core.tasks.tasks_lock import require_unlocked
from cortexfs.errors import Unreadable
from cortexfs.operations.shared.citing_files import iter_text_files
from cortexfs.operations.shared.cortex_md_and_overview import add_derived_writes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.core.renaming.name_meanings import Renaming
    from cortexfs.session.view import View


class RenameResult(NamedTuple):
    """The old and new name, and the files that were changed.

    `changed_paths` are the files that named it, `ambiguous_places` the names that may refer to it,
    as `path:line`, and `prose_mentions` the files with the old name of a project in prose.
    """

    old: str
    new: str
    path: str
    changed_paths: tuple[str, ...]
    plan: Plan
    ambiguous_places: tuple[str, ...] = ()
    prose_mentions: tuple[str, ...] = ()
    outcome: Outcome | None = None


def build_rename_context(
    view: View, renaming: Renaming, moved: Collection[str], first: Atom | None = None
) -> RenameContext:
    """Return the meaning of names before and after; `moved` are the paths of the renamed atoms.

    A ref that several atoms have means `first`, or else the first of them in path order.
    """
    ahead = {} if first is None else {first.path: first}

    def iter_atoms() -> Iterator[Atom]:
        others = (atom for atom in view.stored_atoms if atom.path not in ahead)
        return chain(ahead.values(), others)

    before = view.store_names(iter_names_before(iter_atoms()))
    after = view.store_names(iter_names_after(iter_atoms(), renaming, moved))
    return RenameContext(renaming, NameMeanings(before), NameMeanings(after))


def iter_texts(view: View, needles: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield each file that people write and that has one of the needles, or any wiki link."""
    with view.tree.open_batch_reader() as read:
        for path in iter_text_files(view):
            source = read(path)
            if isinstance(source, Flaw):
                continue
            if "[[" in source.text or any(n in source.text for n in needles):
                yield path, source.text


def plan_mention_updates(
    view: View, context: RenameContext, needles: Collection[str]
) -> list[Write]:
    """Return the writes that update every text that names the renamed atoms."""
    writes = []
    for path, text in iter_texts(view, needles):
        if context.renaming.new_path(path) == path:
            changed = rewrite_names(text, path, context)
            if changed != text:
                refuse_locked_tasks(view, path, text)
                writes.append(Write(path, changed, text))
    return writes


def plan_atom_move(view: View, atom: Atom, context: RenameContext) -> tuple[Write, Remove]:
    """Return the file of an atom under its new name, with its new id and project in it."""
    source = view.tree.read_text_or_flaw(atom.path)
    if isinstance(source, Flaw):
        raise Unreadable(f"{atom.path}: {source.message}", hint="`cortexfs check` shows more")
    new, path = context.renaming.new_ref(atom.ref), context.renaming.new_path(atom.path)
    project, _, ident = new.rpartition("/")
    text = rewrite_names(source.text, atom.path, context)
    fields = {"id": ident, **({"project": project} if project != atom.project else {})}
    if project and is_personal_path(atom.path):
        fields["scope"] = PROJECT_SCOPE
    text = atom_text.edit_frontmatter(text, {**fields, **_find_unlogged_reads(view, atom)})
    return Write(path, text), Remove(atom.path, source.text)


def plan_log_updates(view: View, old: str, new: str) -> list[Write]:
    """Return the logs in which the reads of one file are moved to its new path."""
    names = [path.rpartition("/")[2] for path in (old, new)]
    projects = [project_from_path(path) for path in (old, new)]
    if not all(projects):
        return []
    writes = []
    for path, log in _iter_logs(view, projects[0]):
        if projects[0] == projects[1]:
            changed = rename_file_in_log(log, names[0], names[1])
            writes += [Write(path, changed, log, is_derived=True)] if changed != log else []
        else:
            writes += _plan_moved_lines(view, path, log, names, projects[1])
    return writes


def plan_with_removals(
    view: View, message: str, writes: Sequence[Write], removes: Sequence[Remove]
) -> Plan:
    """Return one plan of writes and removes, with the lists derived from them."""
    paths = _add_emptied_folders(view, {each.path for each in removes})
    return Plan(message, tuple(add_derived_writes(view, writes, paths)), removes=tuple(removes))


def _add_emptied_folders(view: View, removed_paths: set[str]) -> set[str]:
    """Add the folders that become empty to the removed paths."""
    emptied, pending = set(removed_paths), [path.rpartition("/")[0] for path in removed_paths]
    for folder in sorted(pending, key=len, reverse=True):
        parent = folder
        while parent.count("/") and parent not in emptied:
            if not all(f"{parent}/{name}" in emptied for name in view.tree.list_names(parent)):
                break
            emptied.add(parent)
            parent = parent.rpartition("/")[0]
    return emptied


def _plan_moved_lines(
    view: View, path: str, log: str, names: list[str], project: str
) -> list[Write]:
    """Move the lines of one file from a log to that of another project of the same name."""
    kept, own = split_log_by_file(log, names[0])
    if not own:
        return []
    new_log_path = f"projects/{project}/{LOG_FOLDER}/{path.rpartition('/')[2]}"
    present = view.tree.read_text_lossy(new_log_path)
    added = append_log_lines(present or "", rename_file_in_log(own, names[0], names[1]))
    return [
        Write(new_log_path, added, present, is_derived=True),
        Write(path, kept, log, is_derived=True),
    ]


def _iter_logs(view: View, project: str) -> Iterator[tuple[str, str]]:
    """Yield the logs of a project; one that is not text is skipped."""
    folder = f"projects/{project}/{LOG_FOLDER}"
    for name in view.tree.list_names(folder):
        text = view.tree.read_text_lossy(f"{folder}/{name}") if is_access_log_name(name) else None
        if text is not None and "\ufffd" not in text:
            yield f"{folder}/{name}", text


def _find_unlogged_reads(view: View, atom: Atom) -> dict[str, str]:
    """Return the reads of an atom that are in no log, as fields; an index may have them."""
    entries = view.queries.list_entries(atom.path.rpartition("/")[0])
    stats = next((entry.reads for entry in entries if entry.atom.path == atom.path), None)
    logged = view.queries.count_reads(atom.project).get(atom.file_name)
    known_stats = merge_read_stats(
        *([logged] if logged and atom.project else []), parse_frontmatter_reads(atom)
    )
    if stats is None or stats.read_count <= known_stats.read_count:
        return {}
    return {
        "refs": str(stats.read_count),
        **({"last-ref": stats.last_read} if stats.last_read else {}),
    }


def refuse_locked_tasks(view: View, path: str, text: str) -> None:
    """Refuse to write a locked TASKS.yaml."""
    if path.endswith(f"/{TASKS_FILE}"):
        board = parse_board(project_from_path(path), text)
        if not isinstance(board, Flaw):
            require_unlocked(board, "", view.clock())
