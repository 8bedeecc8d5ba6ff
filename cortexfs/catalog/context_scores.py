"""Score what surrounds the matches of a query: sessions, links, and the numbers of atoms."""

from __future__ import annotations

from collections import defaultdict
from operator import attrgetter
from typing import TYPE_CHECKING

from cortexfs.catalog.known_surroundings import LINKING_SQL, PERSONAL, SESSION_SIZES_SQL
from cortexfs.catalog.search_filters import estimate_passing_share
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.find.score_context import (
    LINK_SHARE,
    NEARBY_COUNT,
    NEARBY_SHARE,
    NO_GROUPS,
    Groups,
    Matches,
    score_context,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cortexfs.catalog.known_surroundings import AtomSurroundings, KnownSurroundings
    from cortexfs.core.find.score_context import TermScores

    Atoms = Sequence[AtomSurroundings]

_get_path = attrgetter("path")


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
    atoms = sorted(known.list_atoms(term_scores), key=_get_path)
    sorts = [_group_by_session(known, atoms), _group_by_link(known, atoms)]
    neighbours = [each.neighbours for each in atoms]
    sorts += [_group_neighbours(atoms, keys) for keys in zip(*neighbours, strict=True)]
    if not any(groups.sizes for groups in sorts):
        return {}
    outdated = {each.doc for each in atoms if each.is_outdated}
    share = 1.0 if only == AtomFilter() else estimate_passing_share(known.db, only)
    return score_context(Matches(term_scores, rarities, outdated, round(text_count * share)), sorts)


def _group_by_session(known: KnownSurroundings, atoms: Atoms) -> Groups:
    """Return the groups of atoms with the same session."""
    groups = _group_by_key(atoms, [each.session for each in atoms])
    names = {key: key.removeprefix(PERSONAL) for key in groups.members}
    sizes = known.count(SESSION_SIZES_SQL, names.values()) if names else {}
    return groups._replace(sizes={key: sizes[name] for key, name in names.items()})


def _group_by_link(known: KnownSurroundings, atoms: Atoms) -> Groups:
    """Return the groups of atoms whose only link is to the same one, which belongs to its group.

    Atoms with more links belong to none of these: what they name is seldom what they are about.
    """
    links = [each.link for each in atoms]
    linked = {*links}
    linked.discard("")
    own = [each for each in atoms if each.own_group in linked and each.own_group != each.link]
    groups = _group_by_key(atoms, links, {each.own_group for each in own})
    if not groups.members:
        return groups
    members = {key: [*docs] for key, docs in groups.members.items()}
    for each in own:
        members[each.own_group].append(each.doc)
    names = {each.link: each.cited for each in atoms if each.link in members}
    sizes = known.count(LINKING_SQL, names.values())
    sizes_with_own = {key: 1 + sizes[cited] for key, cited in names.items()}
    return Groups(members, sizes_with_own, groups.ungrouped, [each.doc for each in own], LINK_SHARE)


def _group_neighbours(atoms: Atoms, keys: Sequence[str]) -> Groups:
    """Return the groups of atoms with nearby numbers, divided in one of two ways."""
    groups = _group_by_key(atoms, keys)
    sizes = dict.fromkeys(groups.members, NEARBY_COUNT)
    return groups._replace(sizes=sizes, share=NEARBY_SHARE)


def _group_by_key(atoms: Atoms, keys: Sequence[str], needed: Collection[str] = ()) -> Groups:
    """Return the groups of atoms with the same key, without their sizes.

    There are those with several members, in the order of the atoms, and the `needed`.
    """
    members: dict[str, list[int]] = defaultdict(list)
    for key, atom in zip(keys, atoms, strict=True):
        members[key].append(atom.doc)
    ungrouped = members.pop("", [])
    shared = {key: docs for key, docs in members.items() if len(docs) > 1 or key in needed}
    return Groups(shared, {}, ungrouped) if shared else NO_GROUPS
