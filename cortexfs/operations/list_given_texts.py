"""List what hooks and tools gave to agents."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.count_facets import choose_one, count_facets, has_chosen
from cortexfs.core.injection.given_text import parse_given_line
from cortexfs.session.injection_files import iter_given_days

if TYPE_CHECKING:
    from cortexfs.core.find.count_facets import FacetCounts
    from cortexfs.core.injection.given_text import GivenText
    from cortexfs.session.view import TreeFilesAndGit

MAX_TEXTS = 1000
"""Maximum number of texts that are looked at, the latest ones."""
PAGE_SIZE = 50
SORTS = ("time", "tokens")


class GivenCell(NamedTuple):
    """What the texts are counted by."""

    session: str
    client: str
    event: str


FACETS = GivenCell._fields


class GivenRequest(NamedTuple):
    """Which texts; empty fields are any. `page` counts from 1."""

    session: str = ""
    client: str = ""
    event: str = ""
    text: str = ""
    sort: str = SORTS[0]
    page: int = 1


class GivenTexts(NamedTuple):
    """A page of the texts that match, the number and tokens of all that do, and the counts.

    The counts of a facet leave out its own condition. `known` is the number of all texts;
    `has_more` says that there are earlier ones, which nobody looked at. `unreadable` are the paths
    of files that cannot be read.
    """

    texts: tuple[GivenText, ...]
    total: int
    tokens: int
    facets: FacetCounts
    known: int
    has_more: bool
    unreadable: tuple[str, ...] = ()


class KnownTexts(NamedTuple):
    """The latest texts, newest first, and the paths of files that cannot be read.

    The texts are one more than are looked at, if there are more.
    """

    texts: tuple[GivenText, ...]
    unreadable: tuple[str, ...] = ()


def list_given_texts(view: TreeFilesAndGit, request: GivenRequest) -> GivenTexts:
    """Return what agents were given, newest or longest first, among the texts still kept."""
    known = read_given_texts(view)
    return select_given_texts(known, request)


def read_given_texts(view: TreeFilesAndGit) -> KnownTexts:
    """Return the latest texts; raise `OSError` or `OutsideTree` if their folder cannot be read."""
    found: list[GivenText] = []
    unreadable: list[str] = []
    for day in iter_given_days(view.tree):
        unreadable += day.unreadable
        texts = list(filter(None, map(parse_given_line, reversed(day.lines))))
        texts.sort(key=lambda each: each.time, reverse=True)
        found += texts
        if len(found) > MAX_TEXTS:
            break
    return KnownTexts(tuple(found[: MAX_TEXTS + 1]), tuple(unreadable))


def select_given_texts(known: KnownTexts, request: GivenRequest) -> GivenTexts:
    """Return a page of some texts, with counts."""
    looked_at, chosen_values = known.texts[:MAX_TEXTS], choose_one(request, FACETS)
    wanted = request.text.casefold()
    matching = [each for each in looked_at if wanted in each.text.casefold()]
    chosen = [each for each in matching if has_chosen(each, chosen_values)]
    if request.sort == "tokens":
        chosen.sort(key=lambda each: each.tokens, reverse=True)
    start = (request.page - 1) * PAGE_SIZE
    return GivenTexts(
        tuple(chosen[start : start + PAGE_SIZE]),
        len(chosen),
        sum(each.tokens for each in chosen),
        count_facets(Counter(map(_make_cell, matching)), chosen_values),
        len(looked_at),
        len(known.texts) > MAX_TEXTS,
        known.unreadable,
    )


def _make_cell(text: GivenText) -> GivenCell:
    return GivenCell(*(getattr(text, facet) for facet in FACETS))
