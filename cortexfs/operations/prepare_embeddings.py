"""Whether the embeddings of a tree are complete; missing ones are computed in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.operations.embed import open_embeddings
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from cortexfs.session.session import Session


class EmbeddingReadiness(NamedTuple):
    """Whether the tree uses embeddings, and whether each text has one."""

    is_needed: bool = False
    is_ready: bool = False


def prepare_embeddings(session: Session) -> EmbeddingReadiness:
    """Return whether embeddings are complete; start the process that computes missing ones.

    The model is loaded by that process only, which ends: it needs more memory than the daemon.
    """
    with session.read(NeededContents.TEXTS) as view:
        embeddings = open_embeddings(view, view.text_queries())
        if embeddings is None:
            return EmbeddingReadiness()
        done, total = embeddings.count_embedded()
    if done < total:
        embeddings.start_in_background()
    return EmbeddingReadiness(is_needed=True, is_ready=done >= total)
