"""Begin to embed a query before its vector is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.catalog.folder_digests import count_scanned_files
from cortexfs.tree.scan_folders import MIN_SHARED_FILES

if TYPE_CHECKING:
    from cortexfs.session.session import Session


def start_query(session: Session, text: str) -> None:
    """Embed a query in a thread while the tree is refreshed, if the installed model is used.

    A large tree is scanned by several processes, which no process with threads can start.
    """
    if not session.settings.use_embeddings or session.reader.model is not None:
        return
    from cortexfs.catalog.embeddings import embedding_model  # noqa: PLC0415 - few have a model

    model = embedding_model.find_installed_model()
    if model and count_scanned_files(session.catalog.db) < MIN_SHARED_FILES:
        from cortexfs.catalog.embeddings import text_embeddings  # noqa: PLC0415 - as above

        text_embeddings.start_query(session.tree, model, text)
