"""Plan how a decision is settled: accepted, rejected, or superseded by a later one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import split_string_list
from cortexfs.core.atoms.lifecycle import (
    DECISION_TRANSITIONS,
    IndexMdSection,
    ParsedStatus,
    parse_atom_status,
)
from cortexfs.core.atoms.refs import can_refer_to, to_short_ref
from cortexfs.core.changes.plan import Write
from cortexfs.core.decisions import legacy_format
from cortexfs.core.decisions.alternatives import has_decision_text, refuse_without_alternatives
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.status_change.add_to_links_field import add_link
from cortexfs.core.status_change.allowed_status import require_active_cause
from cortexfs.core.status_change.status_change import FileChange
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.status_change.status_change import LoadedAtom

ACCEPTED, REJECTED, SUPERSEDED = "accepted", "rejected", "superseded"


def plan_verdict(decision: LoadedAtom, word: str, template: str) -> tuple[FileChange, ...]:
    """Return the writes that accept or reject a decision; none if it already has the status.

    Raises `Refused` for a status that may not follow, and for accepting a decision that lacks
    alternatives or the decision itself.
    """
    now = parse_atom_status(decision.atom.text_field("status"))
    if now.word == word:
        return ()
    refuse_transition(decision.atom, word)
    if word == ACCEPTED:
        refuse_unfinished(decision, template)
    return _make_changes(decision, set_decision_status(decision.text, word), word)


def plan_supersede(old: LoadedAtom, new: LoadedAtom, template: str) -> tuple[FileChange, ...]:
    """Return the writes that supersede an old decision by a later one; done steps are skipped.

    The later decision is accepted, and names what it supersedes. Raises `Refused` for a status
    that may not follow, and for a later decision that is not active or not finished.
    """
    status = make_superseded_status(old, new)
    now = parse_atom_status(old.atom.text_field("status"))
    is_superseded = now.word == SUPERSEDED and can_refer_to(
        now.cause, old.atom.project, new.atom.ref
    )
    if not is_superseded:
        refuse_transition(old.atom, SUPERSEDED)
    if new.atom.ref == old.atom.ref:
        raise Refused(f"`{old.atom.ref}` cannot be superseded by itself")
    require_active_cause(new.atom, "cannot supersede a decision")
    later = parse_atom_status(new.atom.text_field("status"))
    text, what = new.text, []
    if later.word != ACCEPTED:
        refuse_unfinished(new, template)
        text, what = set_decision_status(text, ACCEPTED), [ACCEPTED]
    linked = _link_predecessor(text, to_short_ref(old.atom.ref, new.atom.project))
    what += [f"supersedes {old.atom.ref}"] if linked != text else []
    before = (
        ()
        if is_superseded
        else _make_changes(old, set_decision_status(old.text, str(status)), str(status))
    )
    return (*before, *_make_changes(new, linked, ", ".join(what)))


def make_superseded_status(old: LoadedAtom, new: LoadedAtom) -> ParsedStatus:
    """Return the status of a decision that a later one supersedes."""
    return ParsedStatus(SUPERSEDED, to_short_ref(new.atom.ref, old.atom.project))


def refuse_transition(atom: Atom, word: str) -> None:
    """Raise `Refused` for a status that may not follow the present one, with a hint."""
    now = parse_atom_status(atom.text_field("status"))
    is_outdated = now.section is not IndexMdSection.ACTIVE
    if word in DECISION_TRANSITIONS.get(
        now.word, DECISION_TRANSITIONS[SUPERSEDED if is_outdated else "proposed"]
    ):
        return
    hint = f"`cortexfs decision supersede {atom.ref} --by REF` replaces it with a later one"
    if now.word == REJECTED:
        hint = f"`cortexfs decision accept {atom.ref}` reopens and accepts it"
    elif is_outdated:
        hint = "`cortexfs decision new` makes a new decision"
    raise Refused(f"`{atom.ref}` is {now.display_text}, and cannot become {word}", hint=hint)


def refuse_unfinished(decision: LoadedAtom, template: str) -> None:
    """Raise `Refused` for a decision that lacks alternatives or the decision itself."""
    path = decision.atom.path
    hint = f"list them in the section Alternatives of {path}"
    refuse_without_alternatives(decision.text, template, hint)
    if not has_decision_text(decision.text, template):
        raise Refused(
            f"`{decision.atom.ref}` does not state the decision",
            hint=f"write it in the section Decision of {path}; it cannot be edited once accepted",
        )


def set_decision_status(text: str, status: str) -> str:
    """Return a text with the status set in frontmatter or in the line of the legacy format."""
    if legacy_format.parse_legacy_decision(text) is not None:
        return legacy_format.set_legacy_field(text, "Status", status)
    return atom_text.edit_frontmatter(text, {"status": status})


def _link_predecessor(text: str, ref: str) -> str:
    """Return the later decision's text with `supersedes` set and a link back to the old one."""
    fields = legacy_format.parse_legacy_decision(text)
    said = split_string_list(
        (fields or atom_text.parse_frontmatter(text).fields).get("supersedes", ())
    )
    present = (*said, ref) if ref not in said else said
    if fields is not None:
        return (
            legacy_format.set_legacy_field(text, "Supersedes", ", ".join(present))
            if ref not in said
            else text
        )
    return add_link(atom_text.edit_frontmatter(text, {"supersedes": present}), ref)


def _make_changes(decision: LoadedAtom, text: str, description: str) -> tuple[FileChange, ...]:
    write = Write(decision.atom.path, text, decision.text)
    return (FileChange(write, decision.atom.ref, description),) if text != decision.text else ()
