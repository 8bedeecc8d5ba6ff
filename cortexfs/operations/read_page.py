"""Read a file of the tree that is not an atom, or learn which atom a file is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.tree_paths import project_from_path
from cortexfs.errors import NoSuchAtom, OutsideTree, Unreadable
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from cortexfs.session.annotation_types import CommitSummary
    from cortexfs.session.session import Session

SHOWN_ENDINGS = (".md", ".yaml", ".jsonl")


class TreePage(NamedTuple):
    """One file: its text, its last commit, and the refs of its project; `ref` if it is an atom."""

    path: str
    project: str
    text: str
    ref: str = ""
    refs: tuple[str, ...] = ()
    last_commit: CommitSummary | None = None


def read_page(session: Session, path: str) -> TreePage:
    """Return a page; raise `NoSuchAtom` if there is no such file, and `OutsideTree`."""
    if any(step.startswith(".") for step in path.split("/")) or not path.endswith(SHOWN_ENDINGS):
        raise OutsideTree(f"{path!a} is not a file that is shown")
    commits = session.list_commits()
    project = project_from_path(path)
    with session.read(NeededContents.TEXTS) as view:
        if not view.tree.is_file(path):
            raise NoSuchAtom(path)
        source = view.tree.read_text_or_flaw(path)
        if isinstance(source, Flaw):
            raise Unreadable(f"{path}: {source.message}")
        known = {at: ref for ref, at in view.queries.list_refs_of_project(project)}
        last_commit = commits.last.get(path)
        ref = known.get(path, "")
        return TreePage(path, project, source.text, ref, tuple(known.values()), last_commit)
