"""Plan a change of status: of the atom, its successor, and the atoms that depend on it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from cortexfs.core.atoms.lifecycle import (
    CAUTION_STATUSES,
    OVERTURNED_STATUSES,
    SUCCESSOR_STATUSES,
    TOMBSTONE_STATUS,
    AtomStatus,
    IndexTableName,
    parse_atom_status,
)
from cortexfs.core.atoms.refs import can_refer_to, find_ref, to_short_ref
from cortexfs.core.atoms.reviews import REVIEWED_KEY, is_reviewed_since_change, merge_reviews
from cortexfs.core.changes.plan import FileText, Write
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.status_change.add_link import add_link
from cortexfs.core.status_change.allowed_status import (
    require_allowed_transition,
    require_valid_cause,
    require_valid_review,
)
from cortexfs.core.status_change.citing_lines import CitingFile, find_citing_lines, is_based_on
from cortexfs.core.status_change.downstream_impact import (
    CORRECTED,
    NEEDS_UPDATE,
    NO_IMPACT,
    ImpactRow,
    add_impact_rows,
)
from cortexfs.core.status_change.tombstone import is_tombstone, make_tombstone
from cortexfs.errors import CortexError, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cortexfs.core.atoms.atom import Atom, Ref
    from cortexfs.core.atoms.kinds import Kind, Kinds

_LOG = re.compile(r"(?:.*/)?(?:tasks-archive\.md|(?:scans|retrospectives)/[^/]+)")


class LoadedAtom(NamedTuple):
    """An atom with its text and its kind."""

    atom: Atom
    text: str
    kind: Kind

    @property
    def file(self) -> FileText:
        """The file as it was read."""
        return FileText(self.atom.path, self.text)


class StatusChange(NamedTuple):
    """A requested status change: `target` becomes `status_word` because of `cause`.

    An empty `status_word` leaves the status unchanged. `reviewed` are the full refs of atoms after
    which
    `target` was reviewed and still holds.
    """

    target: LoadedAtom
    status_word: str
    cause: LoadedAtom | None
    reason: str
    date: str
    reviewed: tuple[Ref, ...] = ()

    def cause_ref(self, project: str) -> str:
        """Return the ref of the cause, as seen from a project; empty if there is none."""
        return to_short_ref(self.cause.atom.ref, project) if self.cause else ""

    def find_atom(self, cited: str, project: str) -> Atom | None:
        """Return the one of the two atoms that a ref refers to in a project, or None."""
        parties = {str(party.atom.ref): party.atom for party in (self.target, self.cause) if party}
        return parties.get(find_ref(cited, project, parties) or "")

    @property
    def new_status(self) -> AtomStatus:
        """The new status of `target`; its current status if that is the same."""
        now = parse_atom_status(self.target.atom.text_field("status"))
        return (
            now
            if self.is_already_set
            else AtomStatus(self.status_word, self.cause_ref(self.target.atom.project))
        )

    @property
    def is_already_set(self) -> bool:
        """Whether the atom has the requested status already."""
        atom = self.target.atom
        now = parse_atom_status(atom.text_field("status"))
        cause = can_refer_to(now.cause, atom.project, self.cause.atom.ref) if self.cause else True
        same = bool(atom.text_field("status")) and now.word == self.status_word and cause
        return same or not self.status_word


class FileChange(NamedTuple):
    """One file that changes: its write, its ref, and a short description of the change."""

    write: Write
    ref: Ref
    summary: str


class StatusChangePlan(NamedTuple):
    """All changes, that of the marked atom first; `left_out` maps paths to reasons."""

    file_changes: tuple[FileChange, ...]
    left_out: Mapping[str, str]


def plan_status_change(
    change: StatusChange, citing: Sequence[CitingFile], kinds: Kinds, uncommitted: frozenset[str]
) -> StatusChangePlan:
    """Plan a change of status; files in `uncommitted` are not changed, except the atom itself.

    Changes that were already made are not repeated, so marking again completes what was left out.
    Raises `Refused` for a change that the lifecycle does not allow.
    """
    if not change.is_already_set:
        require_allowed_transition(change.target.atom, change.status_word)
        require_valid_cause(
            change.target.atom, change.cause.atom if change.cause else None, change.status_word
        )
    require_valid_review(change.target.atom, change.reviewed, change.status_word)
    doubts = {c.path: _doubt(change, c) for c in citing if _rests(change, c, kinds)}
    wanted = [_marked(change), *doubts.values(), _overturning(change, citing, doubts, uncommitted)]
    touches = [touch for touch in wanted if touch and touch.write.text != touch.write.expected_text]
    own = change.target.atom.path
    kept = tuple(t for t in touches if t.write.path == own or t.write.path not in uncommitted)
    left_out = {t.write.path: "it has changes that are not committed" for t in touches}
    left_out |= {path: "its frontmatter cannot be edited" for path in doubts if not doubts[path]}
    done = {touch.write.path for touch in kept}
    return StatusChangePlan(kept, {path: why for path, why in left_out.items() if path not in done})


def _marked(mark: StatusChange) -> FileChange:
    """Return the change of the marked atom: its status; an invalidated atom becomes a tombstone."""
    atom, text, _ = mark.target
    if mark.status_word == TOMBSTONE_STATUS and not is_tombstone(text):
        after = make_tombstone(text, atom.ref, mark.new_status, mark.date, _why(mark))
        return FileChange(Write(atom.path, after, text), atom.ref, str(mark.new_status))
    changes: dict[str, str | tuple[str, ...]] = {}
    if not mark.is_already_set:
        changes["status"] = str(mark.new_status)
    cited = [to_short_ref(ref, atom.project) for ref in dict.fromkeys(mark.reviewed)]
    if cited:
        changes[REVIEWED_KEY] = merge_reviews(atom.list_field(REVIEWED_KEY), cited, mark.date)
    what = [str(mark.new_status), *([f"reviewed {', '.join(cited)}"] if cited else [])]
    return FileChange(
        Write(atom.path, atom_text.edit_frontmatter(text, changes), text), atom.ref, ", ".join(what)
    )


def _why(mark: StatusChange) -> str:
    """Return the reason of a tombstone; raises `Refused` if there is none."""
    reason = mark.reason or (mark.cause.atom.text_field("summary") if mark.cause else "")
    if not reason:
        raise Refused("a tombstone says why", hint="add --by REF or --reason TEXT")
    return reason


def _rests(mark: StatusChange, citing: CitingFile, kinds: Kinds) -> bool:
    """Return whether a citing atom has to be challenged: it is active and must have evidence."""
    atom = citing.atom
    if mark.status_word not in OVERTURNED_STATUSES or atom is None or _is_party(mark, citing):
        return False
    if mark.is_already_set and is_reviewed_since_change(
        atom, mark.target.atom, mark.find_atom
    ):  # a challenge is made once
        return False
    kind = kinds.find_by_name(atom.kind)
    status = parse_atom_status(atom.text_field("status"))
    stands = status.section is IndexTableName.ACTIVE and status.word != "challenged"
    return (
        kind is not None
        and kind.needs_evidence
        and stands
        and is_based_on(atom, mark.target.atom.ref)
    )


def _doubt(mark: StatusChange, citing: CitingFile) -> FileChange | None:
    """Return the change that challenges an atom for its refuted evidence, or None.

    The cause is the atom that refuted it. None means that the text cannot be edited.
    """
    atom = citing.atom
    if atom is None:
        return None
    cause = mark.cause_ref(atom.project) or to_short_ref(mark.target.atom.ref, atom.project)
    status = str(AtomStatus("challenged", cause))
    try:
        after = atom_text.edit_frontmatter(citing.text, {"status": status})
    except CortexError:
        return None
    return FileChange(Write(atom.path, after, citing.text), atom.ref, status)


def _overturning(
    mark: StatusChange,
    citing: Sequence[CitingFile],
    doubts: Mapping[str, FileChange | None],
    theirs: frozenset[str],
) -> FileChange | None:
    """Return the change of the causing atom: the link back, and its Downstream Impact section."""
    if mark.cause is None:
        return None
    atom, text, kind = mark.cause
    old = to_short_ref(mark.target.atom.ref, atom.project)
    linked = add_link(text, old) if mark.status_word in SUCCESSOR_STATUSES else text
    after = linked
    if mark.status_word in OVERTURNED_STATUSES and kind.has_downstream_impact:
        done = {p: touch for p, touch in doubts.items() if touch and p not in theirs}
        rows = list(_rows(mark, citing, done, old))
        none = ImpactRow("—", NO_IMPACT, old, "nothing cites it")
        after = add_impact_rows(linked, rows or [none], kind.sections)
    what = ["linked back"] if linked != text else []
    what += ["Downstream Impact"] if after != linked else []
    return FileChange(Write(atom.path, after, text), atom.ref, ", ".join(what))


def _rows(
    mark: StatusChange, citing: Sequence[CitingFile], doubts: Mapping[str, FileChange], old: str
) -> Iterator[ImpactRow]:
    value = mark.reason or "see above"
    if mark.status_word == CORRECTED:
        yield ImpactRow(mark.target.atom.ref, CORRECTED, f"{old} (itself)", value)
    for each in citing:
        if _is_party(mark, each):
            continue
        doubt = doubts.get(each.path)
        lines = each.lines
        if doubt and each.atom:  # its new status may have moved them
            lines = find_citing_lines(doubt.write.text, each.atom.project, mark.target.atom.ref)
        where = f"{old} (line{'s' * (len(lines) > 1)} {', '.join(map(str, lines))})"
        status, said = _impact(each, doubt.summary if doubt else value)
        file = each.atom.ref if each.atom else quote(each.path)  # a path is no ref of anything
        yield ImpactRow(file, status, where, said)


def _impact(citing: CitingFile, value: str) -> tuple[str, str]:
    """Return the impact on one file; atoms that are not current, and logs, need not change."""
    status = parse_atom_status(citing.atom.text_field("status") if citing.atom else "")
    if status.word in CAUTION_STATUSES:
        return NEEDS_UPDATE, str(status)
    if status.section is not IndexTableName.ACTIVE:
        return NO_IMPACT, str(status)
    if _LOG.fullmatch(citing.path):
        return NO_IMPACT, "a log"
    return NEEDS_UPDATE, value


def _is_party(mark: StatusChange, citing: CitingFile) -> bool:
    return citing.path in {mark.target.atom.path, *({mark.cause.atom.path} if mark.cause else ())}
