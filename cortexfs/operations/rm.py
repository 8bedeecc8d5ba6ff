"""Remove an atom; git keeps it, and `restore` brings it back."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.tree_paths import is_personal_path
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, Remove, attach_outcome
from cortexfs.core.renaming.name_meanings import Renaming
from cortexfs.core.renaming.rewrite import find_renamed_names
from cortexfs.errors import AtomRemoved, Refused, Unreadable
from cortexfs.operations.removed_atoms import find_removed_atoms
from cortexfs.operations.shared.refuse_loss_and_errors import refuse_loss
from cortexfs.operations.shared.rename_plan import (
    build_rename_context,
    iter_texts,
    plan_with_removals,
)
from cortexfs.operations.shared.resolve_names import resolve_ref

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

MAX_NAMED_FILES = 5
"""Maximum number of files that a refusal names."""


class RemoveResult(NamedTuple):
    """A removed atom, and the files that still name it."""

    ref: Ref
    path: str
    mentioning_files: tuple[str, ...]
    plan: Plan
    outcome: Outcome | None = None
    past_paths: tuple[str, ...] = ()
    """The paths that its file has had, from the top of the repository, if they were wanted."""
    was_removed: bool = False
    """Whether it was removed earlier; nothing is done then."""

    @property
    def is_personal(self) -> bool:
        """Whether git never had it, so that `restore` finds nothing."""
        return is_personal_path(self.path)


def rm(
    session: Session,
    typed: str,
    cwd: str,
    *,
    force: bool = False,
    with_past_paths: bool = False,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> RemoveResult:
    """Remove an atom's file and its row of the index.

    Raises `Refused` if another file names the atom, unless `force`, and if git does not hold the
    text. Of an atom that was removed earlier, the past paths are returned if they are wanted.
    """

    def decide(view: View) -> RemoveResult:
        try:
            result = _decide(view, typed, cwd, force=force, commit=mode is not ExecutionMode.WRITE)
        except AtomRemoved as error:
            if not with_past_paths:
                raise
            result = _find_removed(view, error)
        past_paths = _list_past_paths(view, result.path) if with_past_paths else ()
        return result._replace(past_paths=past_paths)

    return attach_outcome(session.execute(decide, mode))


def _decide(view: View, typed: str, cwd: str, *, force: bool, commit: bool) -> RemoveResult:
    ref, path = resolve_ref(view, typed, cwd)
    source = view.tree.read_text_or_flaw(path)
    if isinstance(source, Flaw):
        raise Unreadable(f"{path}: {source.message}", hint="remove the file by hand")
    mentioning = find_mentioning_files(view, ref, path)
    if mentioning and not force:
        more = (
            f" and {len(mentioning) - MAX_NAMED_FILES} more"
            if len(mentioning) > MAX_NAMED_FILES
            else ""
        )
        raise Refused(
            f"`{ref}` is named by {', '.join(mentioning[:MAX_NAMED_FILES])}{more}",
            hint=f"`cortexfs mark {ref} invalidated --reason TEXT` keeps a tombstone;"
            " --force removes it",
        )
    refuse_loss(view, path, source.text, commit=commit)
    plan = plan_with_removals(view, f"rm {ref}", [], [Remove(path, source.text)])
    return RemoveResult(ref, path, mentioning, plan._replace(is_from_git=True))


def _find_removed(view: View, error: AtomRemoved) -> RemoveResult:
    """Return an atom that was removed earlier, with a plan that changes nothing."""
    found = next(each for each in find_removed_atoms(view) if each.ref == error.ref)
    return RemoveResult(found.ref, found.path, (), Plan(f"rm {found.ref}"), was_removed=True)


def _list_past_paths(view: View, path: str) -> tuple[str, ...]:
    history = view.repository.history
    if history is None:
        return (path,)
    records = history.list_file_commits(path)
    past = (name for record in records for names in record.paths for name in names if name)
    return tuple(f"{history.prefix}{name}" for name in dict.fromkeys([path, *past]))


def find_mentioning_files(view: View, ref: Ref, path: str) -> tuple[str, ...]:
    """Return the files that name an atom, by ref, link or path."""
    if len(view.stored_atoms.list_by_ref(ref)) > 1:  # the refs will mean the other atom
        return ()
    context = build_rename_context(
        view, Renaming({ref: f"{ref}-removed"}, {path: f"{path}.removed"}), ()
    )
    needles = {ref.rpartition("/")[2], path.rpartition("/")[2].removesuffix(".md")}
    return tuple(
        other
        for other, text in iter_texts(view, needles)
        if other != path and find_renamed_names(_drop_contents_list(text), other, context)
    )


def _drop_contents_list(text: str) -> str:
    """Return a text without the contents list of a CORTEX.md, which is derived from the files."""
    from cortexfs.core.indexes.cortex_md_contents import replace_contents  # noqa: PLC0415 - one function of a module

    return replace_contents(text, "")
