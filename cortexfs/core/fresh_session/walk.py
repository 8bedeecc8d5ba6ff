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
MAX_LINE_CHARS = 1000
"""Maximum characters of a line that are kept for each link in it."""


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
    """The state of a walk: pages read, facts found, and pages that can be opened next.

    `found_criteria` has the page and heading of each part, `link_lines` the lines of the links to
    each page, `atom_pages` those of them that are atoms, each with whether it is a decision.
    """

    view: ProjectView
    reads: list[PageRead] = field(default_factory=list)
    found_criteria: dict[str, str] = field(default_factory=dict)
    link_lines: dict[str, str] = field(default_factory=dict)
    atom_pages: dict[str, bool] = field(default_factory=dict)
    decisions: set[str] = field(default_factory=set)
    claims: list[tuple[str, PageClaim]] = field(default_factory=list)
    date: str = ""

    @property
    def tokens(self) -> int:
        """The tokens of all reads."""
        return sum(read.tokens for read in self.reads)


def walk_pages(view: ProjectView, budget: ReadBudget) -> Walk:
    """Return a walk that ends when the budget is spent or no page is worth opening."""
    walk = Walk(view, link_lines={view.start_page: ""})
    own_decisions = {atom.path for atom in view.list_decisions()}
    while len(walk.reads) < budget.reads and walk.tokens < budget.tokens:
        path = _choose_page(walk)
        text = view.read_page(path) if path else None
        if text is None:
            break
        max_chars = (budget.tokens - walk.tokens) * CHARS_PER_TOKEN
        read_text = text[:max_chars]
        tokens = -(-len(read_text) // CHARS_PER_TOKEN)
        walk.reads.append(PageRead(path, tokens, is_cut=len(text) > max_chars))
        _add_page(walk, path, read_text)
        if own_decisions and own_decisions <= walk.decisions:
            walk.found_criteria.setdefault("decisions", path)
    return walk


def _choose_page(walk: Walk) -> str:
    """Return the page with the highest expected gain; empty if none is worth opening.

    Of the atoms, only decisions are opened. A page without an expected gain is opened only while
    a part with a heading in `CRITERION_TITLES` is missing.
    """
    other_atoms = {page for page, is_decision in walk.atom_pages.items() if not is_decision}
    unopened = walk.link_lines.keys() - other_atoms - {read.path for read in walk.reads}
    gains = {path: _estimate_gain(walk, path) for path in walk.link_lines if path in unopened}
    opens_any = bool(CRITERION_TITLES.keys() - walk.found_criteria.keys())
    candidates = [path for path, gain in gains.items() if gain or opens_any]
    return max(candidates, key=lambda path: gains[path], default="")


def _estimate_gain(walk: Walk, path: str) -> int:
    """Return the weight of the missing parts that a page suggests: path double, lines single."""
    name = path.removeprefix(f"projects/{walk.view.project}/").lower()
    lines = walk.link_lines[path].lower()
    missing = [part for part in CRITERIA if part.name not in walk.found_criteria]
    by_name = sum(
        part.weight for part in missing if any(word in name for word in part.link_keywords)
    )
    by_line = sum(
        part.weight for part in missing if any(word in lines for word in part.link_keywords)
    )
    return 2 * by_name + by_line


def _add_page(walk: Walk, path: str, text: str) -> None:
    """Add the facts and links of a page to the walk."""
    links = dict.fromkeys(find_page_links(path, text, walk.view))
    walk.atom_pages.update(walk.view.atoms.tell_decisions({target for target, _ in links}))
    for target, line in links:
        lines = walk.link_lines.get(target, "")
        walk.link_lines[target] = f"{lines} {line[:MAX_LINE_CHARS]}"
        if walk.atom_pages.get(target):
            walk.decisions.add(target)
    if walk.atom_pages.get(path):
        walk.decisions.add(path)
        if has_reasons(text):
            walk.found_criteria.setdefault("why", path)
    elif path not in walk.atom_pages:
        walk.claims += [(path, claim) for claim in find_claims(text, walk.view)]
        for criterion, place in find_criteria(path, text).items():
            if criterion == "state" and criterion not in walk.found_criteria:
                walk.date = parse_update_date(text)
            walk.found_criteria.setdefault(criterion, f"{path} {place}")
