"""Rename a project: its folder, its atoms, and all references, in one commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.tree_paths import (
    INDEX_MD,
    OVERVIEW_MD,
    is_access_log,
    parse_atom_path,
)
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Remove, Write, attach_outcome
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.governance.edit_overview import update_activity_days
from cortexfs.core.renaming.name_meanings import Renaming
from cortexfs.core.renaming.project_titles import (
    project_name_pattern,
    replace_project_row,
    replace_project_title,
)
from cortexfs.core.renaming.rewrite import rewrite_names
from cortexfs.errors import Refused
from cortexfs.operations.shared.rename_plan import (
    RenameResult,
    build_rename_context,
    iter_texts,
    plan_mention_updates,
    plan_with_removals,
)
from cortexfs.operations.shared.resolve_names import require_project, require_valid_project_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.renaming.rewrite import RenameContext
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

TEXT_SUFFIXES = (".md", ".yaml", ".yml")
MAX_DEPTH = 16
"""Maximum depth of folders below a project."""


def rename_project(
    session: Session, old: str, new: str, *, mode: ExecutionMode = ExecutionMode.COMMIT
) -> RenameResult:
    """Rename a project; raise `Refused` if the new name is taken."""

    def decide(view: View) -> RenameResult:
        return _decide(view, old, new)

    return attach_outcome(session.execute(decide, mode))


def _decide(view: View, old: str, new: str) -> RenameResult:
    require_project(view, old)
    require_valid_project_name(new)
    if view.tree.is_path_taken(f"projects/{new}"):
        raise Refused(f"project `{new}` already exists", hint="choose another name")
    moved = {atom.path for atom in view.stored_atoms if atom.project == old}
    context = build_rename_context(view, Renaming({}, {}, (old, new)), moved)
    moves = list(_plan_file_moves(view, context))
    other_writes = plan_mention_updates(view, context, {old})
    other_writes = [
        *(w for w in other_writes if w.path != OVERVIEW_MD),
        *_plan_overview(view, context),
    ]
    writes = [write for write, _ in moves] + other_writes
    plan = plan_with_removals(
        view, f"rename project {old} to {new}", writes, [remove for _, remove in moves]
    )
    changed = tuple(each.path for each in other_writes)
    prose_mentions = _find_prose_mentions(
        view, old, {each.path: each.text for each in writes}, context
    )
    return RenameResult(old, new, f"projects/{new}", changed, plan, prose_mentions=prose_mentions)


def _plan_file_moves(view: View, context: RenameContext) -> Iterator[tuple[Write, Remove]]:
    """Yield each file of the project under its new path."""
    old, new = context.renaming.projects
    for path in _iter_files(view, f"projects/{old}"):
        text = _read_text(view, path)
        changed = text
        if path.endswith(TEXT_SUFFIXES) and not path.endswith(f"/{INDEX_MD}"):
            changed = rewrite_names(text, path, context)
            changed = _update_project_name(view, path, changed, old, new)
        is_derived = is_access_log(path) or path.endswith(f"/{INDEX_MD}")
        yield (
            Write(context.renaming.new_path(path), changed, is_derived=is_derived),
            Remove(path, text),
        )


def _update_project_name(view: View, path: str, text: str, old: str, new: str) -> str:
    """Return a text with the new name in the fields that state the project."""
    if parse_atom_path(path, view.kinds) is None:
        return replace_project_title(text, old, new)
    if atom_text.parse_frontmatter(text).fields.get("project") == old:
        return atom_text.edit_frontmatter(text, {"project": new})
    return text


def _plan_overview(view: View, context: RenameContext) -> list[Write]:
    """Return OVERVIEW.md with the row of the project under its new name."""
    read = view.tree.read_text_or_flaw(OVERVIEW_MD)
    if isinstance(read, Flaw):
        return []
    old, new = context.renaming.projects
    text = replace_project_row(rewrite_names(read.text, OVERVIEW_MD, context), old, new)
    text = update_activity_days(text, {new: view.clock().date().isoformat()})
    return [Write(OVERVIEW_MD, text, read.text, is_derived=True)]


def _iter_files(view: View, folder: str, depth: int = 0) -> Iterator[str]:
    """Yield every file below a folder; refuse entries that are neither file nor folder."""
    for name in view.tree.list_names(folder):
        path = f"{folder}/{name}"
        if view.tree.is_file(path):
            yield path
        elif view.tree.is_folder(path) and depth < MAX_DEPTH and name != ".git":
            yield from _iter_files(view, path, depth + 1)
        else:
            raise Refused(f"{path} cannot be moved", hint="it is not a file; move it by hand first")


def _read_text(view: View, path: str) -> str:
    """Return a file that is moved unchanged; raise `Refused` if it is not text."""
    try:
        return view.tree.read_bytes(path).decode()
    except UnicodeDecodeError:
        raise Refused(
            f"{path} is not UTF-8 text", hint="move it out of the project first"
        ) from None


def _find_prose_mentions(
    view: View, old: str, written: dict[str, str], context: RenameContext
) -> tuple[str, ...]:
    """Return the files in which the old name remains alone in prose, by their new paths."""
    pattern = project_name_pattern(old)
    texts = {
        context.renaming.new_path(path): text for path, text in iter_texts(view, {old})
    } | written
    mentioning = (
        path
        for path, text in texts.items()
        if path.endswith(TEXT_SUFFIXES) and pattern.search(text)
    )
    return tuple(sorted(path for path in mentioning if not path.endswith(f"/{INDEX_MD}")))
