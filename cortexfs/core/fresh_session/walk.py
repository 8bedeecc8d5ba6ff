"""A walk of a fresh session: from CORTEX.md along the links that promise most, within a budget."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.fresh_session.criteria import CRITERIA
from cortexfs.core.fresh_session.page_facts import (
    CRITERION_TITLES,
    find_claims,
    find_criteria,
    has_reasons,
    parse_update_date,
)
from cortexfs.core.fresh_session.page_links import find_page_links

if TYPE_CHECKING:
    from cortexfs.core.fresh_session.page_facts import PageClaim
    from cortexfs.core.fresh_session.project_view import ProjectView

CHARS_PER_TOKEN = 4
"""Characters that are reckoned as one token."""


class ReadBudget(NamedTuple):
    """What a session may spend before it has to know."""

    reads: int = 8
    tokens: int = 8000


class PageRead(NamedTuple):
    """One page that was opened, its cost, and whether the budget allowed only its beginning."""

    path: str
    tokens: int
    is_cut: bool = False


@dataclass(slots=True)
class Walk:
    """What has been read, what is known from it, and what could be opened next.

    `found` gives of each part the page and the heading, `offered` of each page that a link
    leads to the lines that name it.
    """

    view: ProjectView
    reads: list[PageRead] = field(default_factory=list)
    found_criteria: dict[str, str] = field(default_factory=dict)
    link_lines: dict[str, str] = field(default_factory=dict)
    decisions: set[str] = field(default_factory=set)
    claims: list[tuple[str, PageClaim]] = field(default_factory=list)
    date: str = ""

    @property
    def tokens(self) -> int:
        """What the reads have cost."""
        return sum(read.tokens for read in self.reads)


def walk_pages(view: ProjectView, budget: ReadBudget) -> Walk:
    """Walk until everything is known, the budget is spent, or no link promises more."""
    done = Walk(view, link_lines={view.start_page: ""})
    decided = {known.path for known in view.atoms.values() if known.is_decision}
    own = {known.path for known in view.project_atoms().values() if known.is_decision}
    atoms = {known.path for known in view.atoms.values()} - decided
    while len(done.reads) < budget.reads and done.tokens < budget.tokens:
        path = _next(done, atoms)
        text = view.read_page(path) if path else None
        if text is None:
            break
        room = (budget.tokens - done.tokens) * CHARS_PER_TOKEN
        seen = text[:room]
        cost = -(-len(seen) // CHARS_PER_TOKEN)
        done.reads.append(PageRead(path, cost, is_cut=len(text) > room))
        _learn(done, path, seen, decided, atoms)
        if own and own <= done.decisions:
            done.found_criteria.setdefault("decisions", path)
    return done


def _next(done: Walk, atoms: set[str]) -> str:
    """Choose the page that promises most of what is missing; empty where none is worth it.

    An atom that decides nothing promises nothing. A page that promises nothing is opened only
    while something is missing that has a heading.
    """
    unopened = done.link_lines.keys() - atoms - {each.path for each in done.reads}
    promises = {path: _promise(done, path) for path in done.link_lines if path in unopened}
    is_lost = bool(CRITERION_TITLES.keys() - done.found_criteria.keys())
    worth = [path for path, promise in promises.items() if promise or is_lost]
    return max(worth, key=lambda path: promises[path], default="")


def _promise(done: Walk, path: str) -> int:
    """Weigh what a page promises of what is missing: by its path twice, by lines about it once."""
    name = path.removeprefix(f"projects/{done.view.project}/").lower()
    about = done.link_lines[path].lower()
    missing = [part for part in CRITERIA if part.name not in done.found_criteria]
    by_name = sum(
        part.weight for part in missing if any(word in name for word in part.link_keywords)
    )
    by_line = sum(
        part.weight for part in missing if any(word in about for word in part.link_keywords)
    )
    return 2 * by_name + by_line


def _learn(done: Walk, path: str, text: str, decided: set[str], atoms: set[str]) -> None:
    """Take in what a page says, and where it leads."""
    for link in find_page_links(path, text, done.view):
        lines = done.link_lines.get(link.path, "")
        done.link_lines[link.path] = f"{lines} {link.line}"
        done.decisions |= {link.path} & decided
    if path in decided:
        done.decisions.add(path)
        if has_reasons(text):
            done.found_criteria.setdefault("why", path)
    elif path not in atoms:
        done.claims += [(path, claim) for claim in find_claims(text, done.view)]
        for part, where in find_criteria(path, text).items():
            if part == "state" and part not in done.found_criteria:
                done.date = parse_update_date(text)
            done.found_criteria.setdefault(part, f"{path} {where}")
