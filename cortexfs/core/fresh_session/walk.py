"""Simulate a fresh session: follow the best links from CORTEX.md, within a budget."""

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
"""Characters that count as one token."""


class ReadBudget(NamedTuple):
    """The maximum number of reads and of tokens in a walk."""

    reads: int = 8
    tokens: int = 8000


class PageRead(NamedTuple):
    """One page that was read, its tokens, and whether the budget allowed only its beginning."""

    path: str
    tokens: int
    is_cut: bool = False


@dataclass(slots=True)
class Walk:
    """The state of a walk: pages read, facts learnt, and pages that can be opened next.

    `found_criteria` has the page and heading of each part, `link_lines` the lines of the links to
    each page.
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
        """The tokens of all reads."""
        return sum(read.tokens for read in self.reads)


def walk_pages(view: ProjectView, budget: ReadBudget) -> Walk:
    """Return a walk that ends when the budget is spent or no page is worth opening."""
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
    """Return the page with the highest promise; an empty string if none is worth opening.

    Of the atoms, only decisions are opened. A page without a promise is opened only while a part
    with a heading in `SECTIONS` is missing.
    """
    unopened = done.link_lines.keys() - atoms - {each.path for each in done.reads}
    promises = {path: _promise(done, path) for path in done.link_lines if path in unopened}
    is_lost = bool(CRITERION_TITLES.keys() - done.found_criteria.keys())
    worth = [path for path, promise in promises.items() if promise or is_lost]
    return max(worth, key=lambda path: promises[path], default="")


def _promise(done: Walk, path: str) -> int:
    """Return the weight of the missing parts that a page suggests: path double, lines single."""
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
    """Add the facts and links of a page to the walk."""
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
