"""How much of what it needs a fresh session learns, and what is missing where."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.fresh_session.criteria import PARTS
from cortexfs.core.fresh_session.page_facts import gives_reasons, told
from cortexfs.core.fresh_session.walk import walk
from cortexfs.core.text.plural import counted

if TYPE_CHECKING:
    from cortexfs.core.fresh_session.criteria import Part
    from cortexfs.core.fresh_session.tree_view import World
    from cortexfs.core.fresh_session.walk import Budget, Read, Walk

QUOTED = 60
"""Characters of a claim that are quoted."""


class Learnt(NamedTuple):
    """One part: its points of its weight, where it was found, and what is missing."""

    name: str
    weight: int
    points: int
    where: str
    missing: str


class Fresh(NamedTuple):
    """A project's score out of 100, its parts in the order of the table, and what was read."""

    project: str
    score: int
    parts: tuple[Learnt, ...]
    reads: tuple[Read, ...]
    tokens: int


class _Verdict(NamedTuple):
    """The share of a part that is learnt, where, and what is missing."""

    share: float
    where: str = ""
    missing: str = ""


def fresh(world: World, budget: Budget) -> Fresh:
    """Walk through a project as a session would that has never seen it, and count."""
    done = walk(world, budget)
    parts = tuple(_learnt(part, done, budget) for part in PARTS)
    score = sum(part.points for part in parts)
    return Fresh(world.project, score, parts, tuple(done.reads), done.tokens)


def _learnt(part: Part, done: Walk, budget: Budget) -> Learnt:
    match part.name:
        case "date":
            verdict = _date(done)
        case "decisions":
            verdict = _decisions(part, done)
        case "ground":
            verdict = _ground(part, done)
        case _:
            where = done.found.get(part.name, "")
            verdict = _Verdict(bool(where), where, "" if where else _why_not(part, done, budget))
    points = int(part.weight * verdict.share)
    return Learnt(part.name, part.weight, points, verdict.where, verdict.missing)


def _why_not(part: Part, done: Walk, budget: Budget) -> str:
    """Say why a part was not found: not written, not led to, cut off, or too late."""
    there = _written(part, done.world)
    if not there:
        return f"{part.learns}: write it in {_place(part, done.world)} {part.place}"
    if any(read.path == there for read in done.reads):
        return f"{there} says so, further down than {budget.tokens} tokens reach"
    if there in done.offered:
        spent = f"{counted(budget.reads, 'read')} and {budget.tokens} tokens"
        return f"{there} says so, and was not reached within {spent}"
    return f"{there} says so, and no link leads there from {done.world.start}"


def _written(part: Part, world: World) -> str:
    """Give the page that says a part, whether the walk has come there or not."""
    if part.name == "why":
        pages = [known.path for known in world.own().values() if known.decides]
        return next((path for path in pages if gives_reasons(world.read(path) or "")), "")
    path = _place(part, world)
    return path if part.name in told(path, world.read(path) or "") else ""


def _date(done: Walk) -> _Verdict:
    """Judge the day of the state: it is there, and no atom of the project is of a later one."""
    page = done.found.get("state", "").partition(" ")[0]
    if not page:
        return _Verdict(0, "", "the state was not found, and so not its day")
    if not done.date:
        return _Verdict(0, "", f"the day: write `Updated: YYYY-MM-DD` in {page}")
    dates = ((known.date[:10], ref) for ref, known in done.world.own().items())
    day, ref = max(dates, default=("", ""))
    if day > done.date:
        return _Verdict(0, "", f"{page} is of {done.date}, {ref} of {day}: say what is so now")
    return _Verdict(1, f"{page}, {done.date}")


def _decisions(part: Part, done: Walk) -> _Verdict:
    """Judge how many of the project's decisions the pages on the way lead to."""
    own = {known.path for known in done.world.own().values() if known.decides and known.stands}
    met = done.decisions & own if own else done.decisions
    if not met:
        missing = "no page on the way leads to one" if own else "none is on record"
        place = f"{_place(part, done.world)}, {part.place}"
        return _Verdict(0, "", f"{part.learns}: {missing}; {place}")
    hidden = sorted(own - met)
    said = f"no page on the way leads to {', '.join(hidden)}" if hidden else ""
    return _Verdict(len(met) / len(own or met), f"{counted(len(met), 'decision')} led to", said)


def _ground(part: Part, done: Walk) -> _Verdict:
    """Judge how many of the claims on the way say what they rest on."""
    if not done.claims:
        where = f"{_place(part, done.world)} {part.place}"
        return _Verdict(0, "", f"no page on the way says what was reached: {where}")
    loose = [(page, claim.text) for page, claim in done.claims if not claim.is_grounded]
    share = 1 - len(loose) / len(done.claims)
    where = f"{len(done.claims) - len(loose)} of {counted(len(done.claims), 'claim')}"
    quoted = [f"{page}: “{_short(text)}”" for page, text in loose]
    return _Verdict(share, where, f"cites nothing that stands: {quoted[0]}" if quoted else "")


def _place(part: Part, world: World) -> str:
    return f"projects/{world.project}/{part.file}"


def _short(text: str) -> str:
    return text if len(text) <= QUOTED else f"{text[: QUOTED - 1].rstrip()}…"
