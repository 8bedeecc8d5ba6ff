"""Whether an atom may take a status, by the table of the lifecycle; a refusal says what may be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.lifecycle import (
    FOLLOWS,
    HEIRS,
    NAMING,
    SECTIONS,
    VERDICTS,
    Section,
    read_status,
)
from cortexfs.core.text.nearest_names import nearest_names
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.atoms.atom import Atom, Ref
    from cortexfs.core.atoms.kinds import Kind


def known_status(word: str, kind: Kind) -> None:
    """Refuse a word that is no status of this kind, and kinds that have a life of their own."""
    own = set(kind.statuses) - SECTIONS.keys()
    if own & {word, kind.initial}:
        raise Refused(
            f"{kind.name}s have a life of their own: {', '.join(sorted(own))}, …",
            hint=f"`cortexfs {kind.name} --help`",
        )
    if word not in kind.statuses:
        close = nearest_names(word, kind.statuses)
        hint = (
            f"did you mean `{close[0]}`?" if close else f"statuses are {', '.join(kind.statuses)}"
        )
        raise Refused(f"no status `{word}`", hint=hint)


def may_become(atom: Atom, word: str) -> None:
    """Refuse what the table does not let follow; an unknown status is one of an active atom."""
    now = read_status(atom.text("status"))
    ways = FOLLOWS.get(now.word, FOLLOWS["active"])
    if word in ways:
        return
    others = ", ".join(way for way in ways if way != now.word)
    hint = f"it may become {others}" + (f", or {now.word} by another" if now.word in ways else "")
    if not ways:
        hint = f"`cortexfs restore {atom.ref}` brings it back"
    raise Refused(f"`{atom.ref}` is {now.shown}, and cannot become {word}", hint=hint)


def may_cause(atom: Atom, by: Atom | None, word: str) -> None:
    """Refuse a cause that is missing where one must be named, or that can be none."""
    if by is None:
        if word in NAMING:
            raise Refused(f"`{word}` says by which atom", hint="add --by REF")
        return
    if by.ref == atom.ref:
        raise Refused(f"`{atom.ref}` cannot be {word} by itself")
    refuse_fallen(by, "overturns nothing")
    if word in HEIRS and by.kind != atom.kind:
        raise Refused(
            f"an heir of `{atom.ref}` is of kind {atom.kind}; `{by.ref}` is of kind {by.kind}",
            hint="what shows it to be wrong goes with challenged, corrected or invalidated",
        )


def may_review(atom: Atom, reviewed: Sequence[Ref], word: str) -> None:
    """Refuse a review of what does not stay in force, or in the light of itself."""
    status = read_status(word or atom.text("status"))
    holds = status.word in VERDICTS if word else status.section is Section.ACTIVE
    if reviewed and not holds:
        raise Refused(
            f"a review says that `{atom.ref}` still holds, and {status.word} says otherwise",
            hint=f"--reviewed goes with {', '.join(VERDICTS)}",
        )
    if atom.ref in reviewed:
        raise Refused(f"`{atom.ref}` cannot be reviewed in the light of itself")


def refuse_fallen(by: Atom, so: str) -> None:
    """Refuse as a cause what no longer stands, and `so` does nothing; the hint says what might."""
    status = read_status(by.text("status"))
    if status.section is not Section.ACTIVE:
        raise Refused(
            f"`{by.ref}` is {status}, and {so}",
            hint=f"say --by {status.cause}" if status.cause else "name one that stands",
        )
