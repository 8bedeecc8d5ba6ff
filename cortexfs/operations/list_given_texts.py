"""List what hooks and tools gave to agents."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.injection.given_text import parse_given_line
from cortexfs.session.injection_files import iter_given_days

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cortexfs.core.injection.given_text import GivenText
    from cortexfs.session.view import TreeFilesAndGit

MAX_TEXTS = 1000
"""Maximum number of texts that are looked at, the latest ones."""
PAGE_SIZE = 50
FACETS = ("session", "client", "event")
SORTS = ("time", "tokens")


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
    `has_more` says that there are earlier ones, which nobody looked at.
    """

    texts: tuple[GivenText, ...]
    total: int
    tokens: int
    facets: Mapping[str, Sequence[tuple[str, int]]]
    known: int
    has_more: bool


def list_given_texts(view: TreeFilesAndGit, request: GivenRequest) -> GivenTexts:
    """Return what agents were given, newest or longest first, among the texts still kept."""
    known = read_given_texts(view)
    return select_given_texts(known, request)


def read_given_texts(view: TreeFilesAndGit) -> tuple[GivenText, ...]:
    """Return the latest texts, newest first: one more than are looked at, if there are more."""
    found: list[GivenText] = []
    for lines in iter_given_days(view.tree):
        texts = list(filter(None, map(parse_given_line, reversed(lines))))
        texts.sort(key=lambda each: each.time, reverse=True)
        found += texts
        if len(found) > MAX_TEXTS:
            break
    return tuple(found[: MAX_TEXTS + 1])


def select_given_texts(known: Sequence[GivenText], request: GivenRequest) -> GivenTexts:
    """Return a page of some texts, with counts."""
    looked_at = known[:MAX_TEXTS]
    chosen = [each for each in looked_at if _matches(each, request)]
    if request.sort == "tokens":
        chosen.sort(key=lambda each: each.tokens, reverse=True)
    start = (request.page - 1) * PAGE_SIZE
    return GivenTexts(
        tuple(chosen[start : start + PAGE_SIZE]),
        len(chosen),
        sum(each.tokens for each in chosen),
        {name: _count(looked_at, request, name) for name in FACETS},
        len(looked_at),
        len(known) > MAX_TEXTS,
    )


def _matches(text: GivenText, request: GivenRequest, without: str = "") -> bool:
    for name in FACETS:
        wanted = getattr(request, name)
        if wanted and name != without and getattr(text, name) != wanted:
            return False
    return request.text.casefold() in text.text.casefold()


def _count(texts: Iterable[GivenText], request: GivenRequest, name: str) -> list[tuple[str, int]]:
    counts = Counter(getattr(each, name) for each in texts if _matches(each, request, name))
    return sorted(counts.items(), key=lambda each: (-each[1], each[0]))
