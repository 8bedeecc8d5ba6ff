"""Give every text its vectors, so that `find` goes by what is meant as well as by what is said."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.catalog.embeddings.embed_texts import Embedded, Meaning
    from cortexfs.catalog.text_queries import Within
    from cortexfs.cortex import Cortex

INSTALL = "pip install 'cortexfs[vectors]'"


class Done(NamedTuple):
    """How many texts were embedded now, and how many are."""

    now: int
    embedded: Embedded


def embed(cortex: Cortex, progress: Callable[[int, int], None] | None = None) -> Done:
    """Embed what has no vectors yet; raises `Refused` where there is nothing to embed with."""
    cortex.refresh()
    meaning = meaning_of(cortex, cortex.within())
    if meaning is None or not cortex.tree.is_writable():
        raise _refused(cortex)
    return Done(meaning.embed(progress), meaning.embedded())


def meaning_of(cortex: Cortex, within: Within) -> Meaning | None:
    """Give what the texts mean; None where no model is installed, or the tree wants none."""
    return within.meaning(cortex.model) if cortex.settings.vectors else None


def told(embedded: Embedded) -> str:
    """Say which way an answer was found, and how far the embedding has come."""
    if not embedded.done:
        return f"words ({embedded})"
    return "words and vectors" + (f" ({embedded})" if embedded.done < embedded.total else "")


def _refused(cortex: Cortex) -> Refused:
    if not cortex.settings.vectors:
        return Refused("this tree wants no vectors", hint="cortexfs.yaml: `find: {vectors: no}`")
    if not cortex.tree.is_writable():
        return Refused("there is no place for vectors", hint=f"chmod u+w {cortex.tree.root}")
    return Refused("no model is installed", hint=INSTALL)
