"""Whether the lifecycle table allows a change of status; a refusal lists what is allowed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.lifecycle import (
    STATUS_SECTIONS,
    STATUS_TRANSITIONS,
    STATUSES_WITH_CAUSE,
    SUCCESSOR_STATUSES,
    VERDICT_STATUSES,
    IndexMdSection,
    parse_atom_status,
)
from cortexfs.core.text.nearest_names import nearest_names
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.atoms.atom import Atom, Ref
    from cortexfs.core.atoms.kind import Kind


def require_known_status(word: str, kind: Kind) -> None:
    """Refuse a word that is no status of this kind, and kinds with a lifecycle of their own."""
    own = set(kind.statuses) - STATUS_SECTIONS.keys()
    if own & {word, kind.initial_status}:
        raise Refused(
            f"{kind.name}s have statuses of their own: {', '.join(sorted(own))}, …",
            hint=f"`cortexfs {kind.name} --help` lists the commands",
        )
    if word not in kind.statuses:
        similar = nearest_names(word, kind.statuses)
        hint = (
            f"did you mean `{similar[0]}`?"
            if similar
            else f"statuses are {', '.join(kind.statuses)}"
        )
        raise Refused(f"no status `{word}`", hint=hint)


def require_allowed_transition(atom: Atom, word: str) -> None:
    """Refuse a status that may not follow the current one; an unknown one counts as active."""
    current = parse_atom_status(atom.text_field("status"))
    allowed = STATUS_TRANSITIONS.get(current.word, STATUS_TRANSITIONS["active"])
    if word in allowed:
        return
    others = ", ".join(each for each in allowed if each != current.word)
    hint = f"it can become {others}" + (
        f", or {current.word} by another" if current.word in allowed else ""
    )
    if not allowed:
        hint = f"`cortexfs restore {atom.ref}` brings it back"
    raise Refused(f"`{atom.ref}` is {current.display_text}, and cannot become {word}", hint=hint)


def require_valid_cause(atom: Atom, by: Atom | None, word: str) -> None:
    """Refuse a missing cause if the status requires one, or an atom that cannot be one."""
    if by is None:
        if word in STATUSES_WITH_CAUSE:
            raise Refused(f"`{word}` needs the atom that caused it", hint="add --by REF")
        return
    if by.ref == atom.ref:
        raise Refused(f"`{atom.ref}` cannot be {word} by itself")
    require_active_cause(by, "cannot overturn another atom")
    if word in SUCCESSOR_STATUSES and by.kind != atom.kind:
        raise Refused(
            f"a successor of `{atom.ref}` is of kind {atom.kind}; `{by.ref}` is of kind {by.kind}",
            hint="to name contrary evidence, use challenged, corrected or invalidated",
        )


def require_valid_review(atom: Atom, reviewed: Sequence[Ref], word: str) -> None:
    """Refuse a review with a status that contradicts it, and a review against the atom itself."""
    status = parse_atom_status(word or atom.text_field("status"))
    holds = status.word in VERDICT_STATUSES if word else status.section is IndexMdSection.ACTIVE
    if reviewed and not holds:
        raise Refused(
            f"a review confirms `{atom.ref}`, and `{status.word}` contradicts that",
            hint=f"with --reviewed, use one of: {', '.join(VERDICT_STATUSES)}",
        )
    if atom.ref in reviewed:
        raise Refused(f"`{atom.ref}` cannot be reviewed against itself")


def require_active_cause(by: Atom, consequence: str) -> None:
    """Refuse a cause that is no longer current; the hint has its own cause, if it has one.

    `consequence` completes the message: what such an atom cannot do.
    """
    status = parse_atom_status(by.text_field("status"))
    if status.section is not IndexMdSection.ACTIVE:
        raise Refused(
            f"`{by.ref}` is {status}, and {consequence}",
            hint=f"use --by {status.cause}" if status.cause else "name an active atom",
        )
