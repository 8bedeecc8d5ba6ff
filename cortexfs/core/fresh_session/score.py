"""The score of the Fresh Session Test, and what is missing where."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.fresh_session.criteria import CRITERIA
from cortexfs.core.fresh_session.page_facts import find_criteria, has_reasons
from cortexfs.core.fresh_session.walk import walk_pages
from cortexfs.core.text.plural import format_count
from cortexfs.core.text.sanitize import truncate_line

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
    found_at: str
    missing: str


class FreshSessionScore(NamedTuple):
    """A project's score out of 100, its parts in order, the pages read, and their tokens."""

    project: str
    score: int
    criteria: tuple[CriterionScore, ...]
    reads: tuple[PageRead, ...]
    tokens: int


class _Verdict(NamedTuple):
    """The share of a part that was found (0 to 1), where it was found, and what is missing."""

    share: float
    found_at: str = ""
    missing: str = ""


def score_fresh_session(view: ProjectView, budget: ReadBudget) -> FreshSessionScore:
    """Return the result of a walk through a project as a session without prior knowledge."""
    walk = walk_pages(view, budget)
    parts = tuple(_score_criterion(part, walk, budget) for part in CRITERIA)
    score = sum(part.points for part in parts)
    return FreshSessionScore(view.project, score, parts, tuple(walk.reads), walk.tokens)


def _score_criterion(criterion: Criterion, walk: Walk, budget: ReadBudget) -> CriterionScore:
    match criterion.name:
        case "date":
            verdict = _judge_date(walk)
        case "decisions":
            verdict = _judge_decisions(criterion, walk)
        case "ground":
            verdict = _judge_evidence(criterion, walk)
        case _:
            found_at = walk.found_criteria.get(criterion.name, "")
            missing = "" if found_at else _explain_missing(criterion, walk, budget)
            verdict = _Verdict(bool(found_at), found_at, missing)
    points = int(criterion.weight * verdict.share)
    return CriterionScore(
        criterion.name, criterion.weight, points, verdict.found_at, verdict.missing
    )


def _explain_missing(criterion: Criterion, walk: Walk, budget: ReadBudget) -> str:
    """Return why a part was not found: not written, not linked, cut off, or over budget."""
    page = _find_page_with(criterion, walk.view)
    if not page:
        place = f"{_expected_path(criterion, walk.view)} {criterion.expected_section}"
        return f"{criterion.description}: write it in {place}"
    if any(read.path == page for read in walk.reads):
        return f"{page} has it, beyond the budget of {budget.tokens} tokens"
    if page in walk.link_lines:
        spent = f"{format_count(budget.reads, 'read')} and {budget.tokens} tokens"
        return f"{page} has it, but was not reached within {spent}"
    return f"{page} has it, but no link leads there from {walk.view.start_page}"


def _find_page_with(criterion: Criterion, view: ProjectView) -> str:
    """Return the page that contains a criterion, reached or not; empty if there is none."""
    if criterion.name == "why":
        pages = [atom.path for atom in view.list_decisions()]
        return next((path for path in pages if has_reasons(view.read_page(path) or "")), "")
    path = _expected_path(criterion, view)
    return path if criterion.name in find_criteria(path, view.read_page(path) or "") else ""


def _judge_date(walk: Walk) -> _Verdict:
    """Return the verdict on the date of the state: present, and no atom is newer."""
    page = walk.found_criteria.get("state", "").partition(" ")[0]
    if not page:
        return _Verdict(0, "", "the state was not found, so its date is unknown")
    if not walk.date:
        return _Verdict(0, "", f"the date: write `Updated: YYYY-MM-DD` in {page}")
    day, ref = walk.view.atoms.find_newest(walk.view.project)
    if day > walk.date:
        return _Verdict(0, "", f"{page} is dated {walk.date}, {ref} {day}: update {page}")
    return _Verdict(1, f"{page}, {walk.date}")


def _judge_decisions(criterion: Criterion, walk: Walk) -> _Verdict:
    """Return the verdict on the decisions: the share that the pages read link to."""
    own = {atom.path for atom in walk.view.list_decisions() if atom.is_current}
    linked = walk.decisions & own if own else walk.decisions
    if not linked:
        missing = "no page that was read links to one" if own else "there is none yet"
        place = f"{_expected_path(criterion, walk.view)}, {criterion.expected_section}"
        return _Verdict(0, "", f"{criterion.description}: {missing}; {place}")
    unlinked = sorted(own - linked)
    missing = f"no page that was read links to {', '.join(unlinked)}" if unlinked else ""
    found_at = f"{format_count(len(linked), 'linked decision')}"
    return _Verdict(len(linked) / len(own or linked), found_at, missing)


def _judge_evidence(criterion: Criterion, walk: Walk) -> _Verdict:
    """Return the verdict on the evidence: the share of claims that cite some."""
    if not walk.claims:
        place = f"{_expected_path(criterion, walk.view)} {criterion.expected_section}"
        return _Verdict(0, "", f"no page that was read has claims; {place}")
    unsourced = [(page, claim.text) for page, claim in walk.claims if not claim.has_source]
    count = len(walk.claims) - len(unsourced)
    found_at = f"{count} of {format_count(len(walk.claims), 'claim')}"
    missing = ""
    if unsourced:
        page, text = unsourced[0]
        missing = f"cites no current evidence: {page}: “{truncate_line(text, MAX_QUOTE_CHARS)}”"
    return _Verdict(count / len(walk.claims), found_at, missing)


def _expected_path(criterion: Criterion, view: ProjectView) -> str:
    return f"projects/{view.project}/{criterion.expected_file}"
