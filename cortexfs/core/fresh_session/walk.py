"""A walk of a fresh session: from CORTEX.md along the links that promise most, within a budget."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.fresh_session.criteria import PARTS
from cortexfs.core.fresh_session.page_facts import SECTIONS, claims, dated, gives_reasons, told
from cortexfs.core.fresh_session.page_links import links

if TYPE_CHECKING:
    from cortexfs.core.fresh_session.page_facts import Claim
    from cortexfs.core.fresh_session.tree_view import World

CHARACTERS = 4
"""Characters that are reckoned as one token."""


class Budget(NamedTuple):
    """What a session may spend before it has to know."""

    reads: int = 8
    tokens: int = 8000


class Read(NamedTuple):
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

    world: World
    reads: list[Read] = field(default_factory=list)
    found: dict[str, str] = field(default_factory=dict)
    offered: dict[str, str] = field(default_factory=dict)
    decisions: set[str] = field(default_factory=set)
    claims: list[tuple[str, Claim]] = field(default_factory=list)
    date: str = ""

    @property
    def tokens(self) -> int:
        """What the reads have cost."""
        return sum(read.tokens for read in self.reads)


def walk(world: World, budget: Budget) -> Walk:
    """Walk until everything is known, the budget is spent, or no link promises more."""
    done = Walk(world, offered={world.start: ""})
    decided = {known.path for known in world.atoms.values() if known.decides}
    own = {known.path for known in world.own().values() if known.decides}
    atoms = {known.path for known in world.atoms.values()} - decided
    while len(done.reads) < budget.reads and done.tokens < budget.tokens:
        path = _next(done, atoms)
        text = world.read(path) if path else None
        if text is None:
            break
        room = (budget.tokens - done.tokens) * CHARACTERS
        seen = text[:room]
        cost = -(-len(seen) // CHARACTERS)
        done.reads.append(Read(path, cost, is_cut=len(text) > room))
        _learn(done, path, seen, decided, atoms)
        if own and own <= done.decisions:
            done.found.setdefault("decisions", path)
    return done


def _next(done: Walk, atoms: set[str]) -> str:
    """Choose the page that promises most of what is missing; empty where none is worth it.

    An atom that decides nothing promises nothing. A page that promises nothing is opened only
    while something is missing that has a heading.
    """
    unopened = done.offered.keys() - atoms - {each.path for each in done.reads}
    promises = {path: _promise(done, path) for path in done.offered if path in unopened}
    is_lost = bool(SECTIONS.keys() - done.found.keys())
    worth = [path for path, promise in promises.items() if promise or is_lost]
    return max(worth, key=lambda path: promises[path], default="")


def _promise(done: Walk, path: str) -> int:
    """Weigh what a page promises of what is missing: by its path twice, by lines about it once."""
    name = path.removeprefix(f"projects/{done.world.project}/").lower()
    about = done.offered[path].lower()
    missing = [part for part in PARTS if part.name not in done.found]
    by_name = sum(part.weight for part in missing if any(word in name for word in part.scents))
    by_line = sum(part.weight for part in missing if any(word in about for word in part.scents))
    return 2 * by_name + by_line


def _learn(done: Walk, path: str, text: str, decided: set[str], atoms: set[str]) -> None:
    """Take in what a page says, and where it leads."""
    for link in links(path, text, done.world):
        lines = done.offered.get(link.path, "")
        done.offered[link.path] = f"{lines} {link.line}"
        done.decisions |= {link.path} & decided
    if path in decided:
        done.decisions.add(path)
        if gives_reasons(text):
            done.found.setdefault("why", path)
    elif path not in atoms:
        done.claims += [(path, claim) for claim in claims(text, done.world)]
        for part, where in told(path, text).items():
            if part == "state" and part not in done.found:
                done.date = dated(text)
            done.found.setdefault(part, f"{path} {where}")
