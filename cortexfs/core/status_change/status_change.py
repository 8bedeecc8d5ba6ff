"""A change of status as a value: what is requested, and the files that it changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import FileText
from cortexfs.core.atoms.lifecycle import ParsedStatus, parse_atom_status
from cortexfs.core.atoms.refs import can_refer_to, find_ref, to_short_ref

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.atoms.atom import Atom, Ref
    from cortexfs.core.atoms.kind import Kind
    from cortexfs.core.changes.plan import Write


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

    An empty `status_word` leaves the status unchanged. `reviewed` are the full refs of the atoms
    after which `target` was reviewed and found valid.
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
    def new_status(self) -> ParsedStatus:
        """The new status of `target`; its current status if that is the same."""
        now = parse_atom_status(self.target.atom.text_field("status"))
        return (
            now
            if self.is_already_set
            else ParsedStatus(self.status_word, self.cause_ref(self.target.atom.project))
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
