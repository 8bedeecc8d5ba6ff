"""Find removed atoms in the git history."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Ref
from cortexfs.core.atoms.tree_paths import parse_atom_path
from cortexfs.errors import AtomRemoved, HistoryFailed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.session.view import TreeFilesAndGit

_RENAME_MESSAGE = re.compile(r"(?:rename|move|renumber) (\S+) to (\S+)")


class AtomRemoval(NamedTuple):
    """An atom that was removed: its ref, its last path, and the commit that removed it."""

    ref: Ref
    path: str
    commit: str
    subject: str
    when: str = ""
    author: str = ""

    @property
    def new_name(self) -> str:
        """The new name of an atom that was renamed, if the message of the commit states it."""
        found = _RENAME_MESSAGE.fullmatch(self.subject)
        return found[2] if found and found[1] == self.ref else ""


def find_removed_atoms(view: TreeFilesAndGit) -> Iterator[AtomRemoval]:
    """Yield every atom that was removed or renamed at some time, the latest first."""
    history = view.repository.history
    for path, commit in history.list_removals() if history else ():
        if ref := ref_from_path(view, path):
            yield AtomRemoval(ref, path, commit.commit, commit.subject, commit.when, commit.author)


def refuse_removed(view: TreeFilesAndGit, typed: str, project: str | None) -> None:
    """Raise `AtomRemoved` if a ref is that of a removed atom."""
    if view.kinds.find_by_id(typed.rpartition("/")[2]) is None:
        return  # no file was ever called so: git need not be asked
    wanted = {typed, f"{project}/{typed}"} if project else {typed}
    try:
        removed = list(
            {each.ref: each for each in reversed(list(find_removed_atoms(view)))}.values()
        )
    except HistoryFailed:  # an unreadable repository: the history is unknown
        return
    found = [each for each in removed if each.ref in wanted]
    if not found:
        same_id = [each.ref for each in removed if each.ref.rpartition("/")[2] == typed]
        preferred = set(prefer_present_projects(view, same_id))
        found = [each for each in removed if each.ref in preferred]
    if len(found) == 1:
        raise AtomRemoved(found[0].ref, found[0].commit, found[0].new_name)


def prefer_present_projects(view: TreeFilesAndGit, refs: Sequence[Ref]) -> Sequence[Ref]:
    """Return the refs in projects that exist; all if there is none, as after a project's removal.

    A renamed project leaves the refs that its atoms had under the old name.
    """
    projects = {"", *view.tree.list_projects()}
    return [ref for ref in refs if ref.rpartition("/")[0] in projects] or refs


def ref_from_path(view: TreeFilesAndGit, path: str) -> Ref | None:
    """Return the ref of a path; None if the path cannot be that of an atom."""
    where = parse_atom_path(path, view.kinds)
    if where is None or not where.claimed_id:
        return None
    return Ref(f"{where.project}/{where.claimed_id}" if where.project else where.claimed_id)
