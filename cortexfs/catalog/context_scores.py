"""Score what surrounds the matches of a query: sessions, links, and the numbers of atoms."""

from __future__ import annotations

from collections import Counter, defaultdict
from operator import attrgetter
from typing import TYPE_CHECKING

from cortexfs.catalog.known_surroundings import LINKING_SQL, PERSONAL, SESSION_SIZES_SQL
from cortexfs.catalog.search_filters import estimate_passing_share
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.find.score_context import NEARBY_COUNT, NO_GROUPS, Groups, Matches, score_context

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cortexfs.catalog.known_surroundings import AtomSurroundings, KnownSurroundings
    from cortexfs.core.find.score_context import TermScores

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
    atoms = known.list_atoms(term_scores)
    sorts = [_group_by_session(known, atoms), _group_by_link(known, atoms)]
    sorts += [_group_neighbours(atoms, place) for place in range(2)]
    if not any(groups.sizes for groups in sorts):
        return {}
    outdated = {atom.doc for atom in atoms if atom.is_outdated}
    share = 1.0 if only == AtomFilter() else estimate_passing_share(known.db, only)
    return score_context(Matches(term_scores, rarities, outdated, round(text_count * share)), sorts)


def _group_by_session(known: KnownSurroundings, atoms: Sequence[AtomSurroundings]) -> Groups:
    """Return the groups of atoms with the same session."""
    groups = _group_by_key(atoms, [atom.session for atom in atoms])
    names = {key: key.removeprefix(PERSONAL) for key in groups.members}
    sizes = known.count(SESSION_SIZES_SQL, names.values()) if names else {}
    return groups._replace(sizes={key: sizes[name] for key, name in names.items()})


def _group_by_link(known: KnownSurroundings, atoms: Sequence[AtomSurroundings]) -> Groups:
    """Return the groups of atoms whose only link is to the same one, which belongs to its group.

    Atoms with more links belong to none of these: what they name is seldom what they are about.
    """
    linking = [atom for atom in atoms if atom.link]
    counts = Counter([atom.link for atom in linking])
    own = [atom for atom in atoms if atom.own_group in counts and atom.link != atom.own_group]
    shared = {key for key, count in counts.items() if count > 1} | {atom.own_group for atom in own}
    if not shared:
        return NO_GROUPS
    inside = sorted([atom for atom in linking if atom.link in shared], key=_get_path)
    alone = [atom.doc for atom in linking if atom.link not in shared]
    members = _collect([(atom.link, atom.doc) for atom in inside])
    for atom in sorted(own, key=_get_path):
        members[atom.own_group].append(atom.doc)
    names = {atom.link: atom.cited for atom in inside}
    sizes = known.count(LINKING_SQL, names.values())
    return Groups(members, {key: 1 + sizes[cited] for key, cited in names.items()}, alone)


def _group_neighbours(atoms: Sequence[AtomSurroundings], place: int) -> Groups:
    """Return the groups of atoms with nearby numbers, divided in one of two ways."""
    groups = _group_by_key(atoms, [atom.neighbours[place] for atom in atoms])
    return groups._replace(sizes=dict.fromkeys(groups.members, NEARBY_COUNT))


def _group_by_key(atoms: Sequence[AtomSurroundings], keys: Sequence[str]) -> Groups:
    """Return the groups of atoms with the same key, if any have the same; without their sizes.

    The members of a group are in the order of their paths.
    """
    counts = Counter(keys)
    del counts[""]
    shared = {key for key, count in counts.items() if count > 1}
    if not shared:
        return NO_GROUPS
    pairs = [*zip(keys, atoms, strict=True)]
    inside = sorted([(atom.path, key, atom.doc) for key, atom in pairs if key in shared])
    alone = [atom.doc for key, atom in pairs if key and key not in shared]
    return Groups(_collect([(key, doc) for _, key, doc in inside]), {}, alone)


def _collect(pairs: Iterable[tuple[str, int]]) -> dict[str, list[int]]:
    """Return the documents by key."""
    members: dict[str, list[int]] = defaultdict(list)
    for key, doc in pairs:
        members[key].append(doc)
    return members
