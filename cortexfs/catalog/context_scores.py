"""Score what surrounds the matches of a query: sessions, links, and the numbers of atoms."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import compress, repeat
from typing import TYPE_CHECKING, NamedTuple

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

    from cortexfs.catalog.known_surroundings import KnownSurroundings
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
    atoms = _Columns(*zip(*known.list_atoms(term_scores), strict=True))
    sorts = [_group_by_session(known, atoms), _group_by_link(known, atoms)]
    sorts += map(_group_neighbours, repeat(atoms), zip(*atoms.neighbours, strict=True))
    if not any(groups.sizes for groups in sorts):
        return {}
    outdated = set(compress(atoms.docs, atoms.is_outdated))
    share = 1.0 if only == AtomFilter() else estimate_passing_share(known.db, only)
    return score_context(Matches(term_scores, rarities, outdated, round(text_count * share)), sorts)


class _Columns(NamedTuple):
    """The fields of `AtomSurroundings`, each of all atoms: faster than one atom after another."""

    docs: Sequence[int] = ()
    paths: Sequence[str] = ()
    own_groups: Sequence[str] = ()
    is_outdated: Sequence[bool] = ()
    sessions: Sequence[str] = ()
    links: Sequence[str] = ()
    cited: Sequence[str] = ()
    neighbours: Sequence[tuple[str, str]] = ()


def _group_by_session(known: KnownSurroundings, atoms: _Columns) -> Groups:
    """Return the groups of atoms with the same session."""
    groups = _group_by_key(atoms, atoms.sessions)
    names = {key: key.removeprefix(PERSONAL) for key in groups.members}
    sizes = known.count(SESSION_SIZES_SQL, names.values()) if names else {}
    return groups._replace(sizes={key: sizes[name] for key, name in names.items()})


def _group_by_link(known: KnownSurroundings, atoms: _Columns) -> Groups:
    """Return the groups of atoms whose only link is to the same one, which belongs to its group.

    Atoms with more links belong to none of these: what they name is seldom what they are about.
    """
    linked = set(atoms.links)
    linked.discard("")
    places = zip(atoms.paths, atoms.own_groups, atoms.docs, atoms.links, strict=True)
    own = sorted(
        [(path, key, doc) for path, key, doc, link in places if key in linked and key != link]
    )
    groups = _group_by_key(atoms, atoms.links, {key for _, key, _ in own})
    if not groups.members:
        return groups
    members = {key: [*docs] for key, docs in groups.members.items()}
    for _, key, doc in own:
        members[key].append(doc)
    triples = zip(atoms.paths, atoms.links, atoms.cited, strict=True)
    names = {
        link: cited for _, link, cited in sorted([each for each in triples if each[1] in members])
    }
    sizes = known.count(LINKING_SQL, names.values())
    sizes_with_own = {key: 1 + sizes[cited] for key, cited in names.items()}
    return Groups(members, sizes_with_own, groups.ungrouped, [doc for _, _, doc in own], LINK_SHARE)


def _group_neighbours(atoms: _Columns, keys: Sequence[str]) -> Groups:
    """Return the groups of atoms with nearby numbers, divided in one of two ways."""
    groups = _group_by_key(atoms, keys)
    sizes = dict.fromkeys(groups.members, NEARBY_COUNT)
    return groups._replace(sizes=sizes, share=NEARBY_SHARE)


def _group_by_key(atoms: _Columns, keys: Sequence[str], needed: Collection[str] = ()) -> Groups:
    """Return the groups of atoms with the same key, without their sizes.

    There are those with several members, which are in the order of their paths, and the `needed`.
    """
    if not any(keys):
        return NO_GROUPS
    counts = Counter(keys)
    shared = {key for key, count in counts.items() if count > 1 and key}.union(needed)
    triples = zip(atoms.paths, keys, atoms.docs, strict=True)
    members: dict[str, list[int]] = defaultdict(list)
    for _, key, doc in sorted([each for each in triples if each[1] in shared]):
        members[key].append(doc)
    pairs = zip(keys, atoms.docs, strict=True) if "" in counts else ()
    return Groups(members, {}, [doc for key, doc in pairs if not key])
