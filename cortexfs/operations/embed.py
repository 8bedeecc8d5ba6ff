"""Compute the embeddings of all texts, which `find` uses beside full text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import Refused
from cortexfs.session.view import IngestContents

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.session.annotation_types import EmbeddingProgress, TextEmbeddings, TextQueries
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeContext, View

INSTALL_HINT = "pip install 'cortexfs[vectors]'"


class EmbedResult(NamedTuple):
    """How many texts were embedded now, and how many are in total."""

    new_count: int
    embedded: EmbeddingProgress


def embed(session: Session, progress: Callable[[int, int], None] | None = None) -> EmbedResult:
    """Embed texts without vectors; raise `Refused` if no model is installed."""
    with session.read(IngestContents.TEXTS) as view:
        meaning = open_embeddings(view, view.text_queries())
        if meaning is None or not view.tree.is_writable():
            raise _refused(view)
    return EmbedResult(
        meaning.embed_missing(progress), meaning.count_embedded()
    )  # minutes: longer than any view


def open_embeddings(view: View, within: TextQueries) -> TextEmbeddings | None:
    """Return the embeddings; None if no model is installed, or the tree disables them."""
    model = view.find_model() if view.settings.use_embeddings else None
    return within.open_embeddings(model) if model else None


def describe_search_method(embedded: EmbeddingProgress) -> str:
    """Return how a search was done, and how far the embedding has come."""
    if not embedded.done:
        return f"words ({embedded})"
    return "words and vectors" + (f" ({embedded})" if embedded.done < embedded.total else "")


def _refused(view: TreeContext) -> Refused:
    if not view.settings.use_embeddings:
        return Refused("this tree wants no vectors", hint="cortexfs.yaml: `find: {vectors: no}`")
    if not view.tree.is_writable():
        return Refused("there is no place for vectors", hint=f"chmod u+w {view.tree.root}")
    return Refused("no model is installed", hint=INSTALL_HINT)
