"""Give every text its vectors, so that `find` goes by what is meant as well as by what is said."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import Refused
from cortexfs.session.view import Intake

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.session.session import Session
    from cortexfs.session.types import Embedded, Meaning, Within
    from cortexfs.session.view import FileView, View

INSTALL = "pip install 'cortexfs[vectors]'"


class Done(NamedTuple):
    """How many texts were embedded now, and how many are."""

    now: int
    embedded: Embedded


def embed(session: Session, progress: Callable[[int, int], None] | None = None) -> Done:
    """Embed what has no vectors yet; raises `Refused` where there is nothing to embed with."""
    with session.read(Intake.TEXTS) as view:
        meaning = meaning_of(view, view.within())
        if meaning is None or not view.tree.is_writable():
            raise _refused(view)
    return Done(meaning.embed(progress), meaning.embedded())  # minutes: longer than any view


def meaning_of(view: View, within: Within) -> Meaning | None:
    """Give what the texts mean; None where no model is installed, or the tree wants none."""
    return within.meaning(view.model) if view.settings.vectors else None


def told(embedded: Embedded) -> str:
    """Say which way an answer was found, and how far the embedding has come."""
    if not embedded.done:
        return f"words ({embedded})"
    return "words and vectors" + (f" ({embedded})" if embedded.done < embedded.total else "")


def _refused(view: FileView) -> Refused:
    if not view.settings.vectors:
        return Refused("this tree wants no vectors", hint="cortexfs.yaml: `find: {vectors: no}`")
    if not view.tree.is_writable():
        return Refused("there is no place for vectors", hint=f"chmod u+w {view.tree.root}")
    return Refused("no model is installed", hint=INSTALL)
