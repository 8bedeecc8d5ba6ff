"""Decide all that a change of status asks for: of the atom, its heir, and those that rest on it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from cortexfs.core.atoms.grounds import RESTS_ON
from cortexfs.core.atoms.lifecycle import (
    BURIED,
    HEIRS,
    MARKED,
    OVERTURNED,
    Section,
    Status,
    read_status,
)
from cortexfs.core.atoms.refs import find_ref, may_name, short_ref
from cortexfs.core.atoms.reviews import KEY, is_answered, with_reviews
from cortexfs.core.changes.plan import Source, Write
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.status_change.add_link import with_link
from cortexfs.core.status_change.allowed_status import may_become, may_cause, may_review
from cortexfs.core.status_change.citing_lines import Citing, lines_citing, rests_on
from cortexfs.core.status_change.downstream_impact import (
    CORRECTED,
    NEEDS_UPDATE,
    NO_IMPACT,
    Row,
    with_rows,
)
from cortexfs.core.status_change.tombstone import entomb, is_tombstone
from cortexfs.errors import CortexError, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cortexfs.core.atoms.atom import Atom, Ref
    from cortexfs.core.atoms.kinds import Kind, Kinds

_LOG = re.compile(r"(?:.*/)?(?:tasks-archive\.md|(?:scans|retrospectives)/[^/]+)")


class Party(NamedTuple):
    """An atom with its text and the row of its kind."""

    atom: Atom
    text: str
    kind: Kind

    @property
    def source(self) -> Source:
        """The file as it was read."""
        return Source(self.atom.path, self.text)


class Mark(NamedTuple):
    """What is asked for: that `old` becomes `word`, because of `by`, for this reason, today.

    An empty `word` leaves the status as it is. `reviewed` are the full refs in the light of
    which `old` was read again, and still holds.
    """

    old: Party
    word: str
    by: Party | None
    reason: str
    date: str
    reviewed: tuple[Ref, ...] = ()

    def cause(self, project: str) -> str:
        """Name what caused it, as seen from a project; empty where no atom did."""
        return short_ref(self.by.atom.ref, project) if self.by else ""

    def find(self, cited: str, project: str) -> Atom | None:
        """Give the one of the two atoms that a ref means in a project."""
        parties = {str(party.atom.ref): party.atom for party in (self.old, self.by) if party}
        return parties.get(find_ref(cited, project, parties) or "")

    @property
    def status(self) -> Status:
        """What `old` is to bear; one that it bears already stays as it is."""
        now = read_status(self.old.atom.text("status"))
        return now if self.is_so else Status(self.word, self.cause(self.old.atom.project))

    @property
    def is_so(self) -> bool:
        """Tell whether the atom is that already."""
        atom = self.old.atom
        now = read_status(atom.text("status"))
        cause = may_name(now.cause, atom.project, self.by.atom.ref) if self.by else True
        same = bool(atom.text("status")) and now.word == self.word and cause
        return same or not self.word


class Touch(NamedTuple):
    """One file that changes: the write, whose it is, and what happens to it in a word."""

    write: Write
    ref: Ref
    what: str


class Marking(NamedTuple):
    """All that is to change, the marked atom first; `left_out` are paths and why."""

    touches: tuple[Touch, ...]
    left_out: Mapping[str, str]


def plan_mark(
    mark: Mark, citing: Sequence[Citing], kinds: Kinds, theirs: frozenset[str]
) -> Marking:
    """Plan a change of status; a file in `theirs`, but for the atom itself, is left alone.

    What has been done already is not done again: a mark that is repeated completes what was
    left out. Raises `Refused` for what the lifecycle does not allow.
    """
    if not mark.is_so:
        may_become(mark.old.atom, mark.word)
        may_cause(mark.old.atom, mark.by.atom if mark.by else None, mark.word)
    may_review(mark.old.atom, mark.reviewed, mark.word)
    doubts = {c.path: _doubt(mark, c) for c in citing if _rests(mark, c, kinds)}
    wanted = [_marked(mark), *doubts.values(), _overturning(mark, citing, doubts, theirs)]
    touches = [touch for touch in wanted if touch and touch.write.text != touch.write.replacing]
    own = mark.old.atom.path
    kept = tuple(t for t in touches if t.write.path == own or t.write.path not in theirs)
    left_out = {t.write.path: "it has changes that are not committed" for t in touches}
    left_out |= {path: "its frontmatter cannot be edited" for path in doubts if not doubts[path]}
    done = {touch.write.path for touch in kept}
    return Marking(kept, {path: why for path, why in left_out.items() if path not in done})


def _marked(mark: Mark) -> Touch:
    """Give the atom its status; an invalidated one becomes a tombstone."""
    atom, text, _ = mark.old
    if mark.word == BURIED and not is_tombstone(text):
        after = entomb(text, atom.ref, mark.status, mark.date, _why(mark))
        return Touch(Write(atom.path, after, text), atom.ref, str(mark.status))
    changes: dict[str, str | tuple[str, ...]] = {}
    if not mark.is_so:
        changes["status"] = str(mark.status)
    cited = [short_ref(ref, atom.project) for ref in dict.fromkeys(mark.reviewed)]
    if cited:
        changes[KEY] = with_reviews(atom.words(KEY), cited, mark.date)
    what = [str(mark.status), *([f"reviewed {', '.join(cited)}"] if cited else [])]
    return Touch(Write(atom.path, atom_text.edit(text, changes), text), atom.ref, ", ".join(what))


def _why(mark: Mark) -> str:
    """Say what a tombstone bears as its reason."""
    reason = mark.reason or (mark.by.atom.text("summary") if mark.by else "")
    if not reason:
        raise Refused("a tombstone says why", hint="add --by REF or --reason TEXT")
    return reason


def _rests(mark: Mark, citing: Citing, kinds: Kinds) -> bool:
    """Tell whether a citing atom has to be challenged: it must rest on others, and is active."""
    atom = citing.atom
    if mark.word not in OVERTURNED or atom is None or _is_party(mark, citing):
        return False
    if mark.is_so and is_answered(atom, mark.old.atom, mark.find):  # a challenge is made once
        return False
    kind = kinds.named(atom.kind)
    status = read_status(atom.text("status"))
    stands = status.section is Section.ACTIVE and status.word != "challenged"
    must_rest = kind is not None and bool(set(kind.required) & set(RESTS_ON))
    return must_rest and stands and rests_on(atom, mark.old.atom.ref)


def _doubt(mark: Mark, citing: Citing) -> Touch | None:
    """Challenge an atom, by what overturned its ground; None where it cannot be edited."""
    atom = citing.atom
    if atom is None:
        return None
    cause = mark.cause(atom.project) or short_ref(mark.old.atom.ref, atom.project)
    status = str(Status("challenged", cause))
    try:
        after = atom_text.edit(citing.text, {"status": status})
    except CortexError:
        return None
    return Touch(Write(atom.path, after, citing.text), atom.ref, status)


def _overturning(
    mark: Mark,
    citing: Sequence[Citing],
    doubts: Mapping[str, Touch | None],
    theirs: frozenset[str],
) -> Touch | None:
    """Give what overturns the link back, and the section that says who has to hear of it."""
    if mark.by is None:
        return None
    atom, text, kind = mark.by
    old = short_ref(mark.old.atom.ref, atom.project)
    linked = with_link(text, old) if mark.word in HEIRS else text
    after = linked
    if mark.word in OVERTURNED and kind.overturns:
        done = {p: touch for p, touch in doubts.items() if touch and p not in theirs}
        rows = list(_rows(mark, citing, done, old))
        none = Row("—", NO_IMPACT, old, "nothing cites it")
        after = with_rows(linked, rows or [none], kind.sections)
    what = ["linked back"] if linked != text else []
    what += ["Downstream Impact"] if after != linked else []
    return Touch(Write(atom.path, after, text), atom.ref, ", ".join(what))


def _rows(
    mark: Mark, citing: Sequence[Citing], doubts: Mapping[str, Touch], old: str
) -> Iterator[Row]:
    value = mark.reason or "see above"
    if mark.word == CORRECTED:
        yield Row(mark.old.atom.ref, CORRECTED, f"{old} (itself)", value)
    for each in citing:
        if _is_party(mark, each):
            continue
        doubt = doubts.get(each.path)
        lines = each.lines
        if doubt and each.atom:  # its new status may have moved them
            lines = lines_citing(doubt.write.text, each.atom.project, mark.old.atom.ref)
        where = f"{old} (line{'s' * (len(lines) > 1)} {', '.join(map(str, lines))})"
        status, said = _impact(each, doubt.what if doubt else value)
        file = each.atom.ref if each.atom else quote(each.path)  # a path is no ref of anything
        yield Row(file, status, where, said)


def _impact(citing: Citing, value: str) -> tuple[str, str]:
    """Judge one file: what no longer stands, and what only says how it was, need not change."""
    status = read_status(citing.atom.text("status") if citing.atom else "")
    if status.word in MARKED:
        return NEEDS_UPDATE, str(status)
    if status.section is not Section.ACTIVE:
        return NO_IMPACT, str(status)
    if _LOG.fullmatch(citing.path):
        return NO_IMPACT, "a log"
    return NEEDS_UPDATE, value


def _is_party(mark: Mark, citing: Citing) -> bool:
    return citing.path in {mark.old.atom.path, *({mark.by.atom.path} if mark.by else ())}
