"""Score what surrounds the matches of a query: sessions, links, and the numbers of atoms."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from cortexfs.catalog.known_surroundings import LINKING_SQL, PERSONAL, SESSION_SIZES_SQL
from cortexfs.catalog.search_filters import estimate_passing_share
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.find.score_context import (
    LINK_SHARE,
    NEARBY_COUNT,
    NEARBY_SHARE,
    Groups,
    Matches,
    score_context,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cortexfs.catalog.known_surroundings import AtomSurroundings, KnownSurroundings
    from cortexfs.core.find.score_context import TermScores


def find_context_scores(
    known: KnownSurroundings,
    only: AtomFilter,
    text_count: int,
    term_scores: TermScores,
    rarities: Sequence[float],
) -> dict[int, float]:
    """Return what its surroundings add to the score of each match; only matches are looked at.

    A match has a score for each term, at most as high as its rarity. Personal atoms are surrounded
    by personal ones only. `text_count` is the number of texts before the filter.
    """
    atoms = known.list_atoms(term_scores)
    sorts = [_group_by_session(known, atoms), _group_by_link(known, atoms)]
    sorts += [_group_neighbours(atoms, place) for place in range(2)]
    if not any(groups.sizes for groups in sorts):
        return {}
    outdated = {atom.doc for atom in atoms if atom.is_outdated}
    share = 1.0 if only == AtomFilter() else estimate_passing_share(known.db, only)
    return score_context(Matches(term_scores, rarities, outdated, round(text_count * share)), sorts)


def _group_by_session(known: KnownSurroundings, atoms: Iterable[AtomSurroundings]) -> Groups:
    """Return the groups of atoms with the same session."""
    members = _collect([(atom.session, atom.doc) for atom in atoms if atom.session])
    names = {key: key.removeprefix(PERSONAL) for key, docs in members.items() if len(docs) > 1}
    sizes = known.count(SESSION_SIZES_SQL, names.values())
    return Groups(members, {key: sizes[name] for key, name in names.items()})


def _group_by_link(known: KnownSurroundings, atoms: Sequence[AtomSurroundings]) -> Groups:
    """Return the groups of atoms whose only link is to the same one, which belongs to its group.

    Atoms with more links belong to none of these: what they name is seldom what they are about.
    """
    linking = [atom for atom in atoms if atom.link]
    members = _collect([(atom.link, atom.doc) for atom in linking])
    for atom in atoms if members else ():
        if atom.own_group in members and atom.link != atom.own_group:
            members[atom.own_group].append(atom.doc)
    names = {atom.link: atom.cited for atom in linking if len(members[atom.link]) > 1}
    sizes = known.count(LINKING_SQL, names.values())
    return Groups(members, {key: 1 + sizes[cited] for key, cited in names.items()}, LINK_SHARE)


def _group_neighbours(atoms: Iterable[AtomSurroundings], place: int) -> Groups:
    """Return the groups of atoms with nearby numbers, divided in one of two ways."""
    members = _collect([(atom.neighbours[place], atom.doc) for atom in atoms])
    members.pop("", None)
    sizes = {key: NEARBY_COUNT for key, docs in members.items() if len(docs) > 1}
    return Groups(members, sizes, NEARBY_SHARE)


def _collect(pairs: Iterable[tuple[str, int]]) -> dict[str, list[int]]:
    """Return the documents by key."""
    members: dict[str, list[int]] = defaultdict(list)
    for key, doc in pairs:
        members[key].append(doc)
    return members
