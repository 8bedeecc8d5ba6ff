"""The commits of a file under each name that it has had."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.tree_paths import is_atom_name

if TYPE_CHECKING:
    from cortexfs.session.annotation_types import CommitRecord, TreeCommits
    from cortexfs.session.session import Session


def list_commits_of_file(session: Session, commits: TreeCommits, path: str) -> list[CommitRecord]:
    """Return the commits that changed a file, newest first; git is asked only after a rename.

    Each record has the path of the file before and after it.
    """
    found = [
        record._replace(paths=((path, path),))
        for record in (commits.records if path in commits.last else ())
        if any(path in pair for pair in record.paths)
    ]
    if not _may_be_renamed(commits, path) or session.repository.history is None:
        return found
    followed = session.repository.history.list_file_commits(path)
    known = {record.commit.commit for record in commits.records}
    return [each for each in followed if each.commit.commit in known] or found


def _may_be_renamed(commits: TreeCommits, path: str) -> bool:
    """Return whether the first commit of a file was the last one of an older atom."""
    first = commits.first.get(path)
    record = next((each for each in commits.records if each.commit == first), None)
    return record is not None and any(
        commits.last[other] == first and commits.first[other] != first and is_atom_name(name)
        for _, other in record.paths
        if (name := other.rpartition("/")[2])
    )
