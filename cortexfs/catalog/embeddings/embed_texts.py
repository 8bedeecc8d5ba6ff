"""Embed the texts that have no vectors yet, one process at a time, and tell which are near."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.catalog.database_file import leads_away
from cortexfs.catalog.embeddings.vector_file import opened, path_in
from cortexfs.catalog.text_ingest import said_in
from cortexfs.core.find.passages import content as content_of
from cortexfs.tree.atomic_files import open_own
from cortexfs.tree.safe_open import own

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.catalog.embeddings.embedding_model import Model
    from cortexfs.catalog.embeddings.vector_file import Store
    from cortexfs.tree.tree import Tree

    Progress = Callable[[int, int], None]

LOCK = "embedding"
"""Held by the process that embeds; the system lets go of it for one that is killed."""
AGAIN_S = 0.5
"""So often is looked how far another process has come."""
_DETACHED = 'nice -n 10 "$@" </dev/null >/dev/null 2>&1 &'


class Embedded(NamedTuple):
    """How many texts have vectors, of how many."""

    done: int
    total: int

    def __str__(self) -> str:
        return f"{self.done:,} of {self.total:,} embedded"


class Near(NamedTuple):
    """How near texts are to a question, by what they say; and how many could be asked."""

    cosines: dict[str, float]
    embedded: Embedded


class Meaning(NamedTuple):
    """What a model makes of the texts of a tree; all of them have been taken in."""

    catalog: Catalog
    tree: Tree
    model: Model

    def near(self, said: str) -> Near:
        """Tell how near each text is that has vectors; the model is loaded only for them."""
        with self._opened() as store:
            embedded = self._embedded(store)
            if not (embedded.done and said):
                return Near({}, embedded)
            (row,) = self.model.load(False)([said])  # noqa: FBT003 - one text
            return Near(store.cosines(row), embedded)

    def embedded(self) -> Embedded:
        """Count the texts that have vectors."""
        with self._opened() as store:
            return self._embedded(store)

    def embed(self, progress: Progress | None = None) -> int:
        """Embed what has no vectors yet, forget those of texts that are gone; give how many.

        Where another process does so, wait until it has.
        """
        while (now := self._embed_alone(progress)) is None:
            time.sleep(AGAIN_S)
        if progress:
            progress(1, 1)  # the last of it another process may have done
        return now

    def wake(self) -> None:
        """Have a process embed in the background, unless one does; nobody waits for it."""
        if not self.tree.is_writable():
            return
        with _alone(self.tree.root) as free:
            pass
        if free:
            start([sys.executable, "-I", "-m", "cortexfs", "--root", self.tree.root, "embed"])

    def _opened(self) -> AbstractContextManager[Store]:
        return opened(self.tree.own, self.model.name)

    def _embedded(self, store: Store) -> Embedded:
        texts = [said for (said,) in self.catalog.db.execute("SELECT content FROM texts")]
        return Embedded(sum(map(store.contents().__contains__, texts)), len(texts))

    def _embed_alone(self, progress: Progress | None) -> int | None:
        """Embed, or tell how far the process has come that does; None then."""
        with _alone(self.tree.root) as won, self._opened() as store:
            if won:
                return self._embed(store, progress)
            if progress:
                progress(*self._embedded(store))
        return None

    def _embed(self, store: Store, progress: Progress | None) -> int:
        known, wanted = store.contents(), self._wanted()
        store.drop(known - wanted.keys())
        missing = sorted(wanted.keys() - known, key=wanted.__getitem__)
        embed = self.model.load(True) if missing else None  # noqa: FBT003 - many texts
        for done, content in enumerate(missing, start=1):
            said = said_in(self.catalog.db, self.tree, wanted[content])
            if embed and content_of(said) == content:  # else it has changed since
                store.put(content, embed(said))
            if progress:
                progress(done, len(missing))
        return len(missing)

    def _wanted(self) -> dict[str, str]:
        """Name what the texts say, each with one path where it is said."""
        return dict(self.catalog.db.execute("SELECT content, path FROM texts ORDER BY path DESC"))


def meaning(catalog: Catalog, tree: Tree, model: Model) -> Meaning | None:
    """Give what a model makes of a tree; None where there is no place to keep it."""
    usable = os.path.isdir(tree.own) and not leads_away(path_in(tree.own))
    return Meaning(catalog, tree, model) if usable else None


def start(command: list[str]) -> None:
    """Start a command that nobody waits for: no terminal, no pipe, and no child of ours."""
    shell = ["/bin/sh", "-c", _DETACHED, "sh", *command]
    subprocess.run(shell, cwd="/", start_new_session=True, check=False)


@contextmanager
def _alone(root: str) -> Iterator[bool]:
    """Keep others from embedding, or tell that another does."""
    with own(root) as at:
        lock = open_own(at, LOCK, os.O_RDWR | os.O_CREAT)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(lock)
