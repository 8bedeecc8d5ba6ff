"""Compute the embeddings of all texts, which `find` uses beside full text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import Refused
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.session.annotation_types import EmbeddingProgress, TextEmbeddings, TextQueries
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


class EmbedResult(NamedTuple):
    """How many texts were embedded now, and how many are in total."""

    new_count: int
    embedded: EmbeddingProgress


def embed(session: Session, progress: Callable[[int, int], None] | None = None) -> EmbedResult:
    """Embed texts without vectors; raise `Refused` if there is no model."""
    with session.read(NeededContents.TEXTS) as view:
        embeddings = open_embeddings(view, view.text_queries())
        if embeddings is None or not view.tree.is_writable():
            raise _make_refusal(view)
    new_count = embeddings.embed_missing(progress)  # it takes minutes: longer than any view
    return EmbedResult(new_count, embeddings.count_embedded())


def open_embeddings(view: View, queries: TextQueries) -> TextEmbeddings | None:
    """Return the embeddings; None if no model is installed, or the tree disables them."""
    model = view.find_model() if view.settings.use_embeddings else None
    return queries.open_embeddings(model) if model else None


def describe_search_method(embedded: EmbeddingProgress) -> str:
    """Return how a search was done, and how far the embedding has come."""
    if not embedded.done:
        return f"words ({embedded})"
    return "words and vectors" + (f" ({embedded})" if embedded.done < embedded.total else "")


def _make_refusal(view: View) -> Refused:
    if not view.settings.use_embeddings:
        return Refused(
            "vectors are switched off in this tree",
            hint="remove `vectors: no` from `find:` in cortexfs.yaml",
        )
    if not view.tree.is_writable():
        return Refused(
            "the tree is read-only: vectors cannot be stored", hint=f"chmod u+w {view.tree.root}"
        )
    reason, hint = view.describe_missing_model()
    return Refused(reason, hint=hint)
