"""Give entities their ids: the same as in the last build, and none to those that were removed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.generated_lines import Lines, make_key

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from cortexfs.core.stories.story_entity import StoryEntity

NAME = "name"
"""The kind of the keys by which an owner is known again: one for each of its names, ever."""
KNOWN = "known"
"""In place of the digest of a name, which is no line."""
MERGED = "merged"
"""The key of what an owner says that was found to be the same as another: the id of that one."""
_PREFIX = f"{NAME}:"


class AssignedEntities(NamedTuple):
    """Each entity with its id, and those that are not generated because a person removed them.

    `former` has, by id, the other ids that had one of its names: the entity is now theirs too.
    """

    entities: tuple[tuple[str, StoryEntity], ...]
    removed: tuple[StoryEntity, ...]
    former: Mapping[str, tuple[str, ...]] = {}


def assign_entity_ids(
    names: Mapping[str, Iterable[str]],
    present: Collection[str],
    entities: Iterable[StoryEntity],
    find_number: Callable[[], int],
) -> AssignedEntities:
    """Return the ids of entities, in their order; `present` are the ids that have a file.

    `names` has the keys that `remember_names` returns, by id; other keys do not matter. An entity
    is known by its name, else by an alias. New ones are numbered from what `find_number` returns.
    """
    owners = _index_names(names)
    assigned: list[tuple[str, StoryEntity]] = []
    removed: list[StoryEntity] = []
    taken = set[str]()
    number = 0
    every: dict[str, Sequence[str]] = {}
    for entity in entities:
        keys = (make_key(NAME, name) for name in (entity.name, *entity.aliases))
        known = [owners[key] for key in keys if key in owners]
        owner = next((each for each in known if each not in taken), None)
        if owner is not None and owner not in present:
            removed.append(entity)
            continue
        if owner is None:
            number = (number or find_number()) + 1
            owner = f"ENT-{number - 1:03d}"
        taken.add(owner)
        assigned.append((owner, entity))
        if len(set(known)) > 1:
            every[owner] = known
    former = {
        owner: tuple(dict.fromkeys(each for each in known if each not in taken and each in present))
        for owner, known in every.items()
    }
    return AssignedEntities(tuple(assigned), tuple(removed), former)


def remember_names(before: Lines, entity: StoryEntity) -> Lines:
    """Return the keys of all names of an entity, by which the next build knows it again."""
    earlier = {key: KNOWN for key in before if key.startswith(_PREFIX)}
    names = (entity.name, *entity.aliases)
    return earlier | {make_key(NAME, name): KNOWN for name in names}


def give_names(generated: Mapping[str, Lines], giver: str, taker: str) -> dict[str, Lines]:
    """Return what was generated after two entities were found to be one: the taker.

    Its id is that of the names of both; nobody gets the id of the giver again.
    """
    names = {key: KNOWN for key in generated.get(giver, {}) if key.startswith(f"{NAME}:")}
    given = {giver: {MERGED: taker}, taker: {**generated.get(taker, {}), **names}}
    return {**generated, **given}


def _index_names(names: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """Return the owner of each name; of several the first by id."""
    found: dict[str, str] = {}
    for owner in sorted(names, reverse=True):
        found.update(dict.fromkeys(names[owner], owner))
    return found
