"""What has changed in the tree since the last look, whoever changed it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.atoms.atom import Ref
    from cortexfs.session.session import Session


class TreeDigests(NamedTuple):
    """The ref and digest of each file; `version` is that of one thread's connection."""

    files: Mapping[str, tuple[Ref, bytes]]
    version: tuple[object, ...]


class ChangedFiles(NamedTuple):
    """The files that are new, changed or gone, and the refs of the atoms in them."""

    paths: tuple[str, ...]
    refs: tuple[Ref, ...]


def find_changed_files(
    session: Session, before: TreeDigests | None
) -> tuple[ChangedFiles, TreeDigests]:
    """Return what differs from an earlier state (None: nothing), and the present state.

    Called by one thread: what changed is then known without a look at each file.
    """
    with session.read() as view:
        version = (view.catalog.identity, *view.queries.read_version())
        if before and version == before.version:
            return ChangedFiles((), ()), before
        rows = view.queries.list_digests()
    now = TreeDigests({path: (ref, digest) for path, ref, digest in rows}, version)
    return _compare(before or now, now), now


def _compare(before: TreeDigests, now: TreeDigests) -> ChangedFiles:
    old, new = before.files, now.files
    paths = [path for path, file in new.items() if old.get(path) != file]
    paths += [path for path in old if path not in new]
    refs = {(new.get(path) or old[path])[0] for path in paths}
    return ChangedFiles(tuple(sorted(paths)), tuple(sorted(filter(None, refs))))
