"""Decide what settles a decision: accepting it, rejecting it, putting a later one in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import words
from cortexfs.core.atoms.lifecycle import DECIDED, Section, Status, read_status
from cortexfs.core.atoms.refs import may_name, short_ref
from cortexfs.core.changes.plan import Write
from cortexfs.core.decisions import legacy_format
from cortexfs.core.decisions.alternatives import decides, refuse_unweighed
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.status_change.add_link import with_link
from cortexfs.core.status_change.allowed_status import refuse_fallen
from cortexfs.core.status_change.plan_mark import Touch
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.status_change.plan_mark import Party

ACCEPTED, REJECTED, SUPERSEDED = "accepted", "rejected", "superseded"


def plan_verdict(one: Party, word: str, template: str) -> tuple[Touch, ...]:
    """Accept or reject a decision; nothing changes where it is so already.

    Raises `Refused` for what may not follow, and for one that is to be accepted and weighs or
    decides nothing.
    """
    now = read_status(one.atom.text("status"))
    if now.word == word:
        return ()
    may_become(one.atom, word)
    if word == ACCEPTED:
        refuse_unfinished(one, template)
    return _touched(one, with_status(one.text, word), word)


def plan_supersede(old: Party, new: Party, template: str) -> tuple[Touch, ...]:
    """Put a later decision in the place of an old one; what is done already is not done again.

    The later one is accepted thereby, and says what it supersedes. Raises `Refused`.
    """
    status = superseded_by(old, new)
    now = read_status(old.atom.text("status"))
    is_so = now.word == SUPERSEDED and may_name(now.cause, old.atom.project, new.atom.ref)
    if not is_so:
        may_become(old.atom, SUPERSEDED)
    if new.atom.ref == old.atom.ref:
        raise Refused(f"`{old.atom.ref}` cannot be superseded by itself")
    refuse_fallen(new.atom, "takes nobody's place")
    later = read_status(new.atom.text("status"))
    text, what = new.text, []
    if later.word != ACCEPTED:
        refuse_unfinished(new, template)
        text, what = with_status(text, ACCEPTED), [ACCEPTED]
    linked = _with_forebear(text, short_ref(old.atom.ref, new.atom.project))
    what += [f"supersedes {old.atom.ref}"] if linked != text else []
    before = () if is_so else _touched(old, with_status(old.text, str(status)), str(status))
    return (*before, *_touched(new, linked, ", ".join(what)))


def superseded_by(old: Party, new: Party) -> Status:
    """Give the status of what a later decision has taken the place of."""
    return Status(SUPERSEDED, short_ref(new.atom.ref, old.atom.project))


def may_become(atom: Atom, word: str) -> None:
    """Refuse what may not follow in the life of a decision; the hint says what may be done."""
    now = read_status(atom.text("status"))
    fallen = now.section is not Section.ACTIVE
    if word in DECIDED.get(now.word, DECIDED[SUPERSEDED if fallen else "proposed"]):
        return
    hint = f"`cortexfs decision supersede {atom.ref} --by REF` puts a later one in its place"
    if now.word == REJECTED:
        hint = f"`cortexfs decision accept {atom.ref}` takes it up again"
    elif fallen:
        hint = "`cortexfs decision new` decides anew"
    raise Refused(f"`{atom.ref}` is {now.shown}, and cannot become {word}", hint=hint)


def refuse_unfinished(one: Party, template: str) -> None:
    """Refuse to accept what has weighed no alternatives, or does not say what is decided."""
    where = f"in {one.atom.path}"
    refuse_unweighed(one.text, template, f"write them {where}, under Alternatives")
    if not decides(one.text, template):
        raise Refused(
            f"`{one.atom.ref}` does not say what is decided",
            hint=f"write it {where}, under Decision: once accepted it stays as it is",
        )


def with_status(text: str, status: str) -> str:
    """Set the status, in frontmatter or in the line of the older style; all else stays."""
    if legacy_format.read(text) is not None:
        return legacy_format.with_field(text, "Status", status)
    return atom_text.edit(text, {"status": status})


def _with_forebear(text: str, ref: str) -> str:
    """Name in the later decision what it supersedes, and link back to it."""
    fields = legacy_format.read(text)
    said = words((fields or atom_text.parse(text).fields).get("supersedes", ()))
    present = (*said, ref) if ref not in said else said
    if fields is not None:
        return (
            legacy_format.with_field(text, "Supersedes", ", ".join(present))
            if ref not in said
            else text
        )
    return with_link(atom_text.edit(text, {"supersedes": present}), ref)


def _touched(one: Party, text: str, what: str) -> tuple[Touch, ...]:
    write = Write(one.atom.path, text, one.text)
    return (Touch(write, one.atom.ref, what),) if text != one.text else ()
