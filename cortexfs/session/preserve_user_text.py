"""Preserve what only the user's files have before a plan overwrites them, and refuse secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.tree_paths import INDEX_MD, is_access_log, is_personal_path
from cortexfs.core.changes.plan import HOUSEKEEPING_MESSAGES, Write
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.errors import HistoryFailed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cortexfs.core.changes.plan import IndexPlan, Plan, Remove
    from cortexfs.history.repository import History
    from cortexfs.session.pending_commits import PendingCommits


class PreservedChanges(NamedTuple):
    """How the user's changes were preserved before a plan overwrote them.

    `commits` were made of them, `backups` are the paths of copies, and `own_changes` are files
    whose changes become part of the plan's commit.
    """

    commits: tuple[str, ...] = ()
    backups: tuple[str, ...] = ()
    own_changes: tuple[str, ...] = ()


def refuse_secrets(pending: PendingCommits, plan: Plan) -> None:
    """Raise if a plan would add a secret."""
    if plan.adds_content:
        from cortexfs.core.checks.secrets import refuse_new_secrets  # noqa: PLC0415 - only to write

        refuse_new_secrets(plan)
        _refuse_uncommitted_secrets(pending, plan)


def preserve_user_text(pending: PendingCommits, plan: Plan, *, commit: bool) -> PreservedChanges:
    """Preserve every line that git does not have, before a plan overwrites it.

    A file with such lines is committed as it is; if that is not possible, a copy is kept.
    """
    overwrites = _list_overwrites(plan)
    if not overwrites or plan.message in HOUSEKEEPING_MESSAGES:
        return PreservedChanges()
    from cortexfs.tree.write_files import back_up_file  # noqa: PLC0415 - only to write

    own = _filter_uncommitted(pending, overwrites, plan.commit_paths)
    losing = _filter_losing_lines(pending, own)
    made: tuple[str, ...] = ()
    if losing and commit:
        kept = [each for each in losing if each.path not in plan.uncommitted_paths]
        made = _commit_as_is(pending, kept)
        losing = _filter_losing_lines(pending, own)
    included = (
        {w.path for w in own if not is_personal_path(w.path)} - plan.uncommitted_paths
        if commit and pending.repository.can_commit
        else set()
    )
    return PreservedChanges(
        made,
        tuple(back_up_file(pending.tree.root, w.path) for w in losing),
        tuple(sorted(included)),
    )


def back_up_index_md(pending: PendingCommits, planned: Iterable[IndexPlan]) -> dict[str, str]:
    """Copy the indexes that were written by hand, or edited by hand and not committed.

    Returns the path of the copy by that of the index.
    """
    indexes = [index for index in planned if index.write]
    if not indexes:
        return {}
    from cortexfs.tree.write_files import back_up_file  # noqa: PLC0415 - only to write

    edited = [index.write for index in indexes if index.is_edited and index.write]
    losing = {write.path for write in _filter_losing_lines(pending, edited)}
    return {
        index.path: back_up_file(pending.tree.root, index.path)
        for index in indexes
        if index.is_handwritten or index.path in losing
    }


def _list_overwrites(plan: Plan) -> list[Write]:
    """Return what a plan overwrites or removes, as writes.

    Of a personal memory, which git never has, only the text counts, wherever it moves.
    """
    overwrites = [w for w in plan.writes if w.expected_text is not None and not w.is_derived]
    overwrites += [
        Write(remove.path, "", remove.expected_text)
        for remove in plan.removes
        if _may_hold_user_text(remove)
    ]
    created = "\n".join(write.text for write in plan.writes if write.expected_text is None)
    return [_keep_body(w, created) if is_personal_path(w.path) else w for w in overwrites]


def _keep_body(write: Write, created: str) -> Write:
    """Return a write of which only the body counts, and is kept if a new file has it."""
    from cortexfs.core.frontmatter.atom_text import split_front_and_body  # noqa: PLC0415 - seldom needed

    body = split_front_and_body(write.expected_text or "")[1]
    return Write(write.path, f"{write.text}\n{created}", body)


def _refuse_uncommitted_secrets(pending: PendingCommits, plan: Plan) -> None:
    """Refuse to commit a file in which the user has left a secret that git does not have."""
    from cortexfs.core.checks.secrets import find_secrets, refuse_uncommitted_secrets  # noqa: PLC0415

    writes = (w for w in plan.writes if not w.is_derived and w.path not in plan.uncommitted_paths)
    risky = [write for write in writes if find_secrets(write.text)]
    if risky and pending.repository.can_commit and pending.repository.history:
        paths = [write.path for write in risky]
        paths += [remove.path for remove in plan.removes]  # the source of a rename
        contents = _read_committed(pending.repository.history, paths)
        committed = "\n".join((known or b"").decode(errors="replace") for known in contents)
        for write in risky:
            refuse_uncommitted_secrets(write.path, write.text, committed)


def _filter_uncommitted(
    pending: PendingCommits, writes: Sequence[Write], expected: Sequence[str]
) -> list[Write]:
    """Return the writes that overwrite uncommitted changes of the user; without git all."""
    if pending.repository.history is None:
        return list(writes)
    changes = pending.repository.find_user_changes([write.path for write in writes], expected)
    return [write for write in writes if write.path in changes.changed | changes.untracked]


def _read_committed(history: History, paths: Sequence[str]) -> list[bytes | None]:
    """Return the committed contents of files; None of a new one, and of what git cannot read.

    A damaged object then stops no command: the file counts as if git did not have it.
    """

    def read(some: Sequence[str]) -> list[bytes | None]:
        return history.read_contents([("HEAD", path) for path in some])

    try:
        return read(paths)
    except HistoryFailed:
        if len(paths) == 1:
            return [None]
        return [content for path in paths for content in _read_committed(history, [path])]


def _filter_losing_lines(pending: PendingCommits, writes: Sequence[Write]) -> list[Write]:
    """Return the writes that remove lines which the last commit does not have."""
    if not writes:
        return []
    history, paths = pending.repository.history, [write.path for write in writes]
    committed = _read_committed(history, paths) if history else [None] * len(paths)
    return [
        write
        for write, known in zip(writes, committed, strict=True)
        if write.loses_lines((known or b"").decode(errors="replace"))
    ]


def _commit_as_is(pending: PendingCommits, writes: Iterable[Write]) -> tuple[str, ...]:
    """Commit files as they are, except one with a secret; return the commit, if any."""
    from cortexfs.core.checks.secrets import find_secrets  # noqa: PLC0415 - seldom needed

    paths = [write.path for write in writes if not find_secrets(write.expected_text or "")]
    done = pending.commit_paths(f"keep {to_one_line(', '.join(paths))} as it was", paths)
    return () if done is None or isinstance(done, str) else (done.id,)


def _may_hold_user_text(remove: Remove) -> bool:
    """Return whether a file that is to be removed may contain text that a person wrote."""
    is_derived = remove.path.endswith(f"/{INDEX_MD}") or is_access_log(remove.path)
    return remove.expected_text is not None and not is_derived and not remove.is_erased
