"""Embed the texts without vectors, one process at a time, and find similar texts."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from array import array
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.catalog.catalog_files import has_symlink
from cortexfs.catalog.embeddings.vector_copy import open_copy, write_copy
from cortexfs.catalog.embeddings.vector_file import open_vectors, vectors_path
from cortexfs.catalog.schema import read_data_version
from cortexfs.tree.try_lock import try_private_lock

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from collections.abc import Set as AbstractSet
    from contextlib import AbstractContextManager

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.catalog.embeddings.embedding_model import EmbeddingModel
    from cortexfs.catalog.embeddings.vector_copy import VectorCopy
    from cortexfs.catalog.embeddings.vector_file import VectorStore
    from cortexfs.tree.tree import Tree

    Progress = Callable[[int, int], None]

LOCK_FILE = "embedding"
"""Name of the file locked by the process that embeds; the system releases it if that is killed."""
POLL_INTERVAL_S = 0.5
"""Seconds between two checks of another process's progress."""
_BACKGROUND_SCRIPT = 'nice -n 10 "$@" </dev/null >/dev/null 2>&1 &'


class EmbeddingProgress(NamedTuple):
    """The number of texts with vectors, and of all texts."""

    done: int
    total: int

    def __str__(self) -> str:
        return f"{self.done:,} of {self.total:,} embedded"


class Similarities(NamedTuple):
    """The cosine similarity of texts to a query, and the number of texts that have vectors."""

    cosines: dict[str, float]
    progress: EmbeddingProgress


class TextEmbeddings(NamedTuple):
    """The embeddings of the texts of a tree; the text index must be up to date."""

    catalog: Catalog
    tree: Tree
    model: EmbeddingModel

    def compute_similarities(self, text: str) -> Similarities:
        """Return the similarity of each text with vectors; without any, no model is loaded."""
        with open_copy(self.tree.root, self.model.name) as copy:
            if copy:
                return self._compute_similarities_to(copy, text)
        with self._open_store() as store:
            copy = write_copy(self.tree.root, store, self.model.name)
        return self._compute_similarities_to(copy, text)

    def _compute_similarities_to(self, rows: VectorCopy, text: str) -> Similarities:
        embedded = self._count_embedded_in_copy(rows)
        if not (embedded.done and text):
            return Similarities({}, embedded)
        (row,) = self.model.load(False)([text])  # noqa: FBT003 - one text
        return Similarities(rows.compute_cosines(row, self.model.multiply), embedded)

    def find_similar_paths(
        self, paths: Collection[str], least: float, limit: int
    ) -> list[tuple[str, str, float]]:
        """Return the pairs of some files whose texts have a cosine from `least` on.

        No model is loaded: texts without vectors are left out. At most `limit` pairs of one file.
        """
        contents = dict(self.catalog.db.execute("SELECT path, content FROM texts"))
        path_by_content = {contents[path]: path for path in paths if path in contents}
        with self._open_store() as store:
            found = list(store.find_similar_contents(path_by_content.keys(), least, limit))
        return [(path_by_content[one], path_by_content[other], cos) for one, other, cos in found]

    def count_embedded(self) -> EmbeddingProgress:
        """Return the number of texts with vectors, and of all texts."""
        with self._open_store() as store:
            return self._count_embedded_in(store.list_contents())

    def embed_missing(self, progress: Progress | None = None) -> int:
        """Embed the texts without vectors, and return their number; obsolete vectors are deleted.

        If another process is embedding, wait until it has finished.
        """
        while (count := self._try_embed(progress)) is None:
            time.sleep(POLL_INTERVAL_S)
        if progress:
            progress(1, 1)  # another process may have embedded the last texts
        with self._open_store() as store:
            write_copy(self.tree.root, store, self.model.name)
        return count

    def start_in_background(self) -> None:
        """Start embedding in the background, unless a process is already doing so."""
        if not self.tree.is_writable():
            return
        with try_private_lock(self.tree.root, LOCK_FILE) as is_free:
            pass
        if is_free:
            start_detached(
                [sys.executable, "-I", "-m", "cortexfs", "--root", self.tree.root, "embed"]
            )

    def _open_store(self) -> AbstractContextManager[VectorStore]:
        return open_vectors(self.tree.private_folder, self.model.name)

    def _count_embedded_in(self, embedded: AbstractSet[str]) -> EmbeddingProgress:
        contents = [content for (content,) in self.catalog.db.execute("SELECT content FROM texts")]
        return EmbeddingProgress(sum(map(embedded.__contains__, contents)), len(contents))

    def _count_embedded_in_copy(self, rows: VectorCopy) -> EmbeddingProgress:
        """Return the numbers, which are kept until the catalog or the copy changes."""
        db = self.catalog.db
        state = (read_data_version(db), db.total_changes, rows.known)
        if not (kept := self.catalog.embedding_progress) or kept[0] != state:
            kept = (state, self._count_embedded_in(rows.known))
            self.catalog.embedding_progress = kept
        return EmbeddingProgress(*kept[1])

    def _try_embed(self, progress: Progress | None) -> int | None:
        """Embed the texts and return their number; None if another process is embedding.

        `progress` is then called with that process's progress.
        """
        with try_private_lock(self.tree.root, LOCK_FILE) as is_free, self._open_store() as store:
            if is_free:
                return self._embed_texts(store, progress)
            if progress:
                progress(*self._count_embedded_in(store.list_contents()))
        return None

    def _embed_texts(self, store: VectorStore, progress: Progress | None) -> int:
        from cortexfs.catalog.ingest_texts import read_passages  # noqa: PLC0415 - `find` needs no parsers
        from cortexfs.core.find.embedding_passages import hash_passages  # noqa: PLC0415

        known, wanted = store.list_contents(), self._map_contents_to_paths()
        store.delete_contents(known - wanted.keys())
        missing = sorted(wanted.keys() - known, key=wanted.__getitem__)
        embed = self.model.load(True) if missing else None  # noqa: FBT003 - many texts
        for done, content in enumerate(missing, start=1):
            passages = read_passages(self.catalog.db, self.tree, wanted[content])
            if embed and hash_passages(passages) == content:  # else it has changed meanwhile
                store.put_vectors(content, embed(passages))
            if progress:
                progress(done, len(missing))
        return len(missing)

    def _map_contents_to_paths(self) -> dict[str, str]:
        """Return the content keys of all texts, each with one path of a text with that content."""
        return dict(self.catalog.db.execute("SELECT content, path FROM texts ORDER BY path DESC"))


def open_embeddings(catalog: Catalog, tree: Tree, model: EmbeddingModel) -> TextEmbeddings | None:
    """Return the embeddings of a tree; None if there is no place to store them."""
    usable = os.path.isdir(tree.private_folder) and not has_symlink(
        vectors_path(tree.private_folder)
    )
    return TextEmbeddings(catalog, tree, model) if usable else None


def start_query(tree: Tree, model: EmbeddingModel, text: str) -> None:
    """Embed a query in a thread, if there are vectors: its vector is kept until it is needed.

    The library works while the calling thread reads the tree.
    """
    if text and os.path.isfile(vectors_path(tree.private_folder)):
        threading.Thread(target=_embed_query, args=(model, text), name="cortexfs-embed").start()


def _embed_query(model: EmbeddingModel, text: str) -> None:
    with suppress(OSError, ImportError):  # who needs the vector tries again
        (row,) = model.load(False)([text])  # noqa: FBT003 - one text
        # what compares rows is loaded too
        model.multiply(bytearray(len(row)), array("f", [1]), row)


def start_detached(command: list[str]) -> None:
    """Start a detached command: no terminal, no pipe, and not a child of this process."""
    shell = ["/bin/sh", "-c", _BACKGROUND_SCRIPT, "sh", *command]
    subprocess.run(shell, cwd="/", start_new_session=True, check=False)
