"""Change where an atom stands in its life, with all that this asks for, in one commit."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.lifecycle import CHALLENGED, VERDICTS, read_status
from cortexfs.core.atoms.parse_atom import read_atom
from cortexfs.core.atoms.refs import candidates
from cortexfs.core.atoms.tree_paths import place
from cortexfs.core.changes.plan import Mode, Plan, with_outcome
from cortexfs.core.status_change.allowed_status import known_status
from cortexfs.core.status_change.plan_mark import Mark, Marking, Party, plan_mark
from cortexfs.core.status_change.tombstone import is_tombstone
from cortexfs.core.text.sanitize import one_line
from cortexfs.errors import Unreadable, Usage
from cortexfs.operations.shared.citing_files import citing
from cortexfs.operations.shared.derived_files import with_listings
from cortexfs.operations.shared.preconditions import refuse_loss, refuse_new_errors
from cortexfs.operations.shared.resolve_names import resolve

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.session.session import Session
    from cortexfs.session.view import FileView, View


_IN_FULL = "in --reason say refs in full: `driftwood/EXP-001`"


class Asked(NamedTuple):
    """What a person typed, and where: an empty `by` names no atom.

    `reviewed` are refs in the light of which the atom was read again, and still holds.
    """

    ref: str
    status: str
    by: str
    reason: str
    cwd: str
    reviewed: tuple[str, ...] = ()


class Marked(NamedTuple):
    """What became of an atom, what changed beside it, and what was left out."""

    ref: Ref
    path: str
    status: str
    marking: Marking
    plan: Plan
    outcome: Outcome | None = None

    @property
    def own_changes(self) -> bool:
        """Tell whether changes that the user had made to the atom came along."""
        return self.outcome is not None and self.path in self.outcome.own_changes


def mark(session: Session, asked: Asked, *, mode: Mode = Mode.COMMIT) -> Marked:
    """Give an atom a status; the heir, the impact and the challenges come in the same commit.

    Raises `Refused` for what the lifecycle does not allow, and where a tombstone would take the
    place of a text that git does not get.
    """

    def decide(view: View) -> Marked:
        return _decide(view, asked, commit=mode.is_committing)

    return with_outcome(session.execute(decide, mode))


def _decide(view: View, asked: Asked, *, commit: bool) -> Marked:
    """Understand what was typed, look at who cites the atom, and plan."""
    atoms = {atom.path: atom for atom in view.facts.atoms()}
    wanted = _understood(view, asked)
    atom = wanted.old.atom
    around = citing(view, atom.ref, atoms)
    paths = [atom.path, *(each.path for each in around if each.atom)]
    paths += [wanted.by.atom.path] if wanted.by else []
    theirs = _theirs(view, paths) if commit else frozenset()
    marking = plan_mark(wanted, around, view.kinds, theirs)
    writes = [touch.write for touch in marking.touches]
    refuse_new_errors(view, list(atoms.values()), writes, _IN_FULL)
    if text := _buried(marking, atom.path):
        refuse_loss(view, atom.path, text, commit=commit)
    what = str(wanted.status) if wanted.word else "reviewed"
    said = f"mark {atom.ref} {what}" + (f": {wanted.reason}" if wanted.reason else "")
    plan = Plan(said, tuple(with_listings(view, writes)) if writes else ())
    return Marked(atom.ref, atom.path, str(wanted.status), marking, plan)


def _understood(view: View, asked: Asked) -> Mark:
    """Read the words; `superseded:EXP-020` says by which atom, as `--by EXP-020` does.

    Without a status only a review is recorded.
    """
    if not asked.status and (asked.by or not asked.reviewed):
        raise Usage("which status?", hint="name one, or only --reviewed REF")
    old = party(view, asked.ref, asked.cwd)
    status = read_status(asked.status)
    if asked.status:
        known_status(status.word, old.kind)
    now = read_status(old.atom.text("status"))
    known = now.cause if now.word == status.word else ""
    named = asked.by or status.cause
    by = party(view, named, asked.cwd) if named else None
    if known and not by:
        by = _known_cause(view, known, old.atom.project)
    date = view.clock().date().isoformat()
    reviewed = tuple(resolve(view, ref, asked.cwd)[0] for ref in asked.reviewed)
    challenger = _known_cause(view, now.cause, old.atom.project) if now.cause else None
    if challenger and now.word == CHALLENGED and status.word in VERDICTS:
        reviewed = (challenger.atom.ref, *reviewed)
    word = status.word if asked.status else ""
    return Mark(old, word, by, one_line(asked.reason), date, reviewed)


def _known_cause(view: View, cause: str, project: str) -> Party | None:
    """Find the atom that a status names already."""
    found = next(filter(None, map(view.facts.named, candidates(cause, project))), None)
    return party(view, found[1], view.tree.root) if found else None


def party(view: View, typed: str, cwd: str) -> Party:
    """Find an atom that a person names, and read it; raises `Unreadable`, and as `resolve` does."""
    _, path = resolve(view, typed, cwd)
    source, where = view.tree.read(path), place(path, view.kinds)
    if isinstance(source, Flaw) or where is None:
        said = source.message if isinstance(source, Flaw) else "no atom can stand there"
        raise Unreadable(f"{path}: {said}", hint="`cortexfs check` tells what is wrong")
    return Party(read_atom(path, where, source.text), source.text, where.kind)


def _theirs(view: FileView, paths: list[str]) -> frozenset[str]:
    """Name those of some files that hold changes of the user's own, where we would commit."""
    if not view.repository.commits:
        return frozenset()
    theirs = view.repository.theirs(paths)
    return theirs.changed | theirs.untracked


def _buried(marking: Marking, path: str) -> str:
    """Give the text that a tombstone is to replace; empty where none is."""
    for write in (touch.write for touch in marking.touches if touch.write.path == path):
        before = write.replacing or ""
        if is_tombstone(write.text) and not is_tombstone(before):
            return before
    return ""
