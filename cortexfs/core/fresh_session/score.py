"""The score of the Fresh Session Test, and what is missing where."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.fresh_session.criteria import CRITERIA
from cortexfs.core.fresh_session.page_facts import find_criteria, has_reasons
from cortexfs.core.fresh_session.walk import walk_pages
from cortexfs.core.text.plural import format_count

if TYPE_CHECKING:
    from cortexfs.core.fresh_session.criteria import Criterion
    from cortexfs.core.fresh_session.project_view import ProjectView
    from cortexfs.core.fresh_session.walk import PageRead, ReadBudget, Walk

MAX_QUOTE_CHARS = 60
"""Maximum characters quoted from a claim."""


class CriterionScore(NamedTuple):
    """One part: its points out of its weight, where it was found, and what is missing."""

    name: str
    weight: int
    points: int
    where: str
    missing: str


class FreshSessionScore(NamedTuple):
    """A project's score out of 100, its parts in order, the pages read, and their tokens."""

    project: str
    score: int
    criteria: tuple[CriterionScore, ...]
    reads: tuple[PageRead, ...]
    tokens: int


class _Verdict(NamedTuple):
    """The share of a part that is learnt (0 to 1), where it was found, and what is missing."""

    share: float
    where: str = ""
    missing: str = ""


def score_fresh_session(view: ProjectView, budget: ReadBudget) -> FreshSessionScore:
    """Return the result of a walk through a project as a session without prior knowledge."""
    done = walk_pages(view, budget)
    parts = tuple(_learnt(part, done, budget) for part in CRITERIA)
    score = sum(part.points for part in parts)
    return FreshSessionScore(view.project, score, parts, tuple(done.reads), done.tokens)


def _learnt(part: Criterion, done: Walk, budget: ReadBudget) -> CriterionScore:
    match part.name:
        case "date":
            verdict = _date(done)
        case "decisions":
            verdict = _decisions(part, done)
        case "ground":
            verdict = _ground(part, done)
        case _:
            where = done.found_criteria.get(part.name, "")
            verdict = _Verdict(bool(where), where, "" if where else _why_not(part, done, budget))
    points = int(part.weight * verdict.share)
    return CriterionScore(part.name, part.weight, points, verdict.where, verdict.missing)


def _why_not(part: Criterion, done: Walk, budget: ReadBudget) -> str:
    """Return why a part was not found: not written, not linked, cut off, or over budget."""
    there = _written(part, done.view)
    if not there:
        return f"{part.description}: write it in {_place(part, done.view)} {part.expected_section}"
    if any(read.path == there for read in done.reads):
        return f"{there} says so, further down than {budget.tokens} tokens reach"
    if there in done.link_lines:
        spent = f"{format_count(budget.reads, 'read')} and {budget.tokens} tokens"
        return f"{there} says so, and was not reached within {spent}"
    return f"{there} says so, and no link leads there from {done.view.start_page}"


def _written(part: Criterion, view: ProjectView) -> str:
    """Return the page that contains a part, reached or not; empty if there is none."""
    if part.name == "why":
        pages = [known.path for known in view.project_atoms().values() if known.is_decision]
        return next((path for path in pages if has_reasons(view.read_page(path) or "")), "")
    path = _place(part, view)
    return path if part.name in find_criteria(path, view.read_page(path) or "") else ""


def _date(done: Walk) -> _Verdict:
    """Return the verdict on the date of the state: present, and no atom is newer."""
    page = done.found_criteria.get("state", "").partition(" ")[0]
    if not page:
        return _Verdict(0, "", "the state was not found, and so not its day")
    if not done.date:
        return _Verdict(0, "", f"the day: write `Updated: YYYY-MM-DD` in {page}")
    dates = ((known.date[:10], ref) for ref, known in done.view.project_atoms().items())
    day, ref = max(dates, default=("", ""))
    if day > done.date:
        return _Verdict(0, "", f"{page} is of {done.date}, {ref} of {day}: say what is so now")
    return _Verdict(1, f"{page}, {done.date}")


def _decisions(part: Criterion, done: Walk) -> _Verdict:
    """Return the verdict on the decisions: the share that the pages read link to."""
    own = {
        known.path
        for known in done.view.project_atoms().values()
        if known.is_decision and known.is_current
    }
    met = done.decisions & own if own else done.decisions
    if not met:
        missing = "no page on the way leads to one" if own else "none is on record"
        place = f"{_place(part, done.view)}, {part.expected_section}"
        return _Verdict(0, "", f"{part.description}: {missing}; {place}")
    hidden = sorted(own - met)
    said = f"no page on the way leads to {', '.join(hidden)}" if hidden else ""
    return _Verdict(
        len(met) / len(own or met), f"{format_count(len(met), 'decision')} led to", said
    )


def _ground(part: Criterion, done: Walk) -> _Verdict:
    """Return the verdict on the evidence: the share of claims that cite some."""
    if not done.claims:
        where = f"{_place(part, done.view)} {part.expected_section}"
        return _Verdict(0, "", f"no page on the way says what was reached: {where}")
    loose = [(page, claim.text) for page, claim in done.claims if not claim.has_source]
    share = 1 - len(loose) / len(done.claims)
    where = f"{len(done.claims) - len(loose)} of {format_count(len(done.claims), 'claim')}"
    quoted = [f"{page}: “{_short(text)}”" for page, text in loose]
    return _Verdict(share, where, f"cites nothing that stands: {quoted[0]}" if quoted else "")


def _place(part: Criterion, view: ProjectView) -> str:
    return f"projects/{view.project}/{part.expected_file}"


def _short(text: str) -> str:
    return text if len(text) <= MAX_QUOTE_CHARS else f"{text[: MAX_QUOTE_CHARS - 1].rstrip()}…"
