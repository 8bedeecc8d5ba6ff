"""Change where an atom stands in its life, with all that this asks for, in one commit."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atom import Flaw
from cortexfs.core.clean import one_line
from cortexfs.core.lifecycle import BURIED, read_status
from cortexfs.core.marking.judge import known_status
from cortexfs.core.marking.mark import Mark, Marking, Party, plan_mark
from cortexfs.core.marking.tombstone import is_tombstone
from cortexfs.core.places import place
from cortexfs.core.plan import Plan
from cortexfs.errors import Unreadable
from cortexfs.verbs.citing import citing
from cortexfs.verbs.keeping import refuse_loss, refuse_new_errors
from cortexfs.verbs.listings import with_listings
from cortexfs.verbs.resolve import resolve

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.atom import Atom, Ref
    from cortexfs.core.plan import Outcome
    from cortexfs.cortex import Cortex


_IN_FULL = "in --reason say refs in full: `driftwood/EXP-001`"


class Asked(NamedTuple):
    """What a person typed, and where: an empty `by` names no atom."""

    ref: str
    status: str
    by: str
    reason: str
    cwd: str


class Marked(NamedTuple):
    """What became of an atom, what changed beside it, and what was left out.

    `own_changes` tells that changes that the user had made to the atom come into the commit.
    """

    ref: Ref
    path: str
    status: str
    marking: Marking
    own_changes: bool
    plan: Plan
    outcome: Outcome | None = None


def mark(cortex: Cortex, asked: Asked, *, dry_run: bool = False, commit: bool = True) -> Marked:
    """Give an atom a status; the heir, the impact and the challenges come in the same commit.

    Where a tombstone takes the place of a text that is not committed, that is committed first.
    Raises `Refused` for what the lifecycle does not allow.
    """
    cortex.refresh()
    if dry_run:
        return _decide(cortex, asked, commit=commit)
    kept = commit and _keep(cortex, asked)
    decided: list[Marked] = []

    def planner(view: Cortex) -> Plan:
        made = _decide(view, asked, commit=commit)
        if text := _buried(made):
            refuse_loss(view, made.path, text)
        decided.append(made)
        return made.plan

    outcome = cortex.carry_out(planner, commit=commit)
    made = decided[-1]
    return made._replace(outcome=outcome, own_changes=made.own_changes or kept)


def _keep(cortex: Cortex, asked: Asked) -> bool:
    """Commit a text that a tombstone is about to replace, where nobody has; tell whether so."""
    if read_status(asked.status).word != BURIED:
        return False
    planned = _decide(cortex, asked, commit=True)
    if planned.own_changes and _buried(planned):
        kept = Plan(f"keep {planned.ref} as it was", adopted=(planned.path,))
        cortex.carry_out(lambda _: kept)
        return True
    return False


def _decide(cortex: Cortex, asked: Asked, *, commit: bool) -> Marked:
    """Understand what was typed, look at who cites the atom, and plan."""
    atoms = {atom.path: atom for atom in cortex.facts.atoms()}
    wanted = _understood(cortex, asked, atoms)
    atom = wanted.old.atom
    around = citing(cortex, atom.ref, atoms)
    paths = [atom.path, *(each.path for each in around if each.atom)]
    paths += [wanted.by.atom.path] if wanted.by else []
    theirs = _theirs(cortex, paths) if commit else frozenset()
    marking = plan_mark(wanted, around, cortex.kinds, theirs)
    writes = [touch.write for touch in marking.touches]
    refuse_new_errors(cortex, list(atoms.values()), writes, _IN_FULL)
    if writes and not wanted.old.kind.indexed:  # its status stands in the CORTEX.md above it
        writes = with_listings(cortex, writes)
    said = f"mark {atom.ref} {wanted.status}" + (f": {wanted.reason}" if wanted.reason else "")
    own = atom.path in theirs
    return Marked(atom.ref, atom.path, str(wanted.status), marking, own, Plan(said, tuple(writes)))


def _understood(cortex: Cortex, asked: Asked, atoms: Mapping[str, Atom]) -> Mark:
    """Read the words; `superseded:EXP-020` says by which atom, as `--by EXP-020` does."""
    old = party(cortex, asked.ref, asked.cwd, atoms)
    status = read_status(asked.status)
    known_status(status.word, old.kind)
    now = read_status(old.atom.text("status"))
    known = now.cause if now.word == status.word else ""
    named = asked.by or status.cause
    by = party(cortex, named, asked.cwd, atoms) if named else None
    if known and not by:
        by = _known_cause(cortex, known, old.atom.project, atoms)
    date = cortex.clock().date().isoformat()
    return Mark(old, status.word, by, one_line(asked.reason), date)


def _known_cause(
    cortex: Cortex, cause: str, project: str, atoms: Mapping[str, Atom]
) -> Party | None:
    """Find the atom that a status names already."""
    wanted = {cause, f"{project}/{cause}"}
    path = next((atom.path for atom in atoms.values() if atom.ref in wanted), None)
    return party(cortex, path, cortex.tree.root, atoms) if path else None


def party(cortex: Cortex, typed: str, cwd: str, atoms: Mapping[str, Atom]) -> Party:
    """Find an atom that a person names, and read it; raises `Unreadable`, and as `resolve` does."""
    _, path = resolve(cortex, typed, cwd)
    source, where = cortex.tree.read(path), place(path, cortex.kinds)
    if isinstance(source, Flaw) or where is None:
        said = source.message if isinstance(source, Flaw) else "no atom can stand there"
        raise Unreadable(f"{path}: {said}", hint="`cortexfs check` tells what is wrong")
    return Party(atoms[path], source.text, where.kind)


def _theirs(cortex: Cortex, paths: list[str]) -> frozenset[str]:
    """Name those of some files that hold changes of the user's own, where we would commit."""
    if not cortex.ledger.commits:
        return frozenset()
    theirs = cortex.ledger.theirs(paths)
    return theirs.changed | theirs.untracked


def _buried(planned: Marked) -> str:
    """Give the text that a tombstone is to replace; empty where none is."""
    for touch in planned.marking.touches:
        before = touch.write.replacing or ""
        if touch.write.path == planned.path and is_tombstone(touch.write.text):
            return "" if is_tombstone(before) else before
    return ""
