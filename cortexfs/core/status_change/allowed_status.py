"""Whether the lifecycle table allows a change of status; a refusal lists what is allowed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.lifecycle import (
    STATUS_SECTIONS,
    STATUS_TRANSITIONS,
    STATUSES_WITH_CAUSE,
    SUCCESSOR_STATUSES,
    VERDICT_STATUSES,
    IndexTableName,
    parse_atom_status,
)
from cortexfs.core.text.nearest_names import nearest_names
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.atoms.atom import Atom, Ref
    from cortexfs.core.atoms.kinds import Kind


def require_known_status(word: str, kind: Kind) -> None:
    """Refuse a word that is no status of this kind, and kinds with a lifecycle of their own."""
    own = set(kind.statuses) - STATUS_SECTIONS.keys()
    if own & {word, kind.initial_status}:
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


def require_allowed_transition(atom: Atom, word: str) -> None:
    """Refuse a status that may not follow the current one; an unknown one counts as active."""
    now = parse_atom_status(atom.text_field("status"))
    ways = STATUS_TRANSITIONS.get(now.word, STATUS_TRANSITIONS["active"])
    if word in ways:
        return
    others = ", ".join(way for way in ways if way != now.word)
    hint = f"it may become {others}" + (f", or {now.word} by another" if now.word in ways else "")
    if not ways:
        hint = f"`cortexfs restore {atom.ref}` brings it back"
    raise Refused(f"`{atom.ref}` is {now.display_text}, and cannot become {word}", hint=hint)


def require_valid_cause(atom: Atom, by: Atom | None, word: str) -> None:
    """Refuse a missing cause if the status requires one, or an atom that cannot be one."""
    if by is None:
        if word in STATUSES_WITH_CAUSE:
            raise Refused(f"`{word}` says by which atom", hint="add --by REF")
        return
    if by.ref == atom.ref:
        raise Refused(f"`{atom.ref}` cannot be {word} by itself")
    require_active_cause(by, "overturns nothing")
    if word in SUCCESSOR_STATUSES and by.kind != atom.kind:
        raise Refused(
            f"an heir of `{atom.ref}` is of kind {atom.kind}; `{by.ref}` is of kind {by.kind}",
            hint="what shows it to be wrong goes with challenged, corrected or invalidated",
        )


def require_valid_review(atom: Atom, reviewed: Sequence[Ref], word: str) -> None:
    """Refuse a review with a status that says the atom does not hold, or against itself."""
    status = parse_atom_status(word or atom.text_field("status"))
    holds = status.word in VERDICT_STATUSES if word else status.section is IndexTableName.ACTIVE
    if reviewed and not holds:
        raise Refused(
            f"a review says that `{atom.ref}` still holds, and {status.word} says otherwise",
            hint=f"--reviewed goes with {', '.join(VERDICT_STATUSES)}",
        )
    if atom.ref in reviewed:
        raise Refused(f"`{atom.ref}` cannot be reviewed in the light of itself")


def require_active_cause(by: Atom, consequence: str) -> None:
    """Refuse a cause that is no longer current; the hint has its own cause, if it has one.

    `consequence` completes the message: what such an atom cannot do.
    """
    status = parse_atom_status(by.text_field("status"))
    if status.section is not IndexTableName.ACTIVE:
        raise Refused(
            f"`{by.ref}` is {status}, and {consequence}",
            hint=f"say --by {status.cause}" if status.cause else "name one that stands",
        )
