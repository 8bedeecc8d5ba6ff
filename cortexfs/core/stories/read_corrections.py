"""What a person decided by editing or removing the files of entities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.stories.entities.entity import Corrections
from cortexfs.core.stories.kept_owners import KeptOwners
from cortexfs.core.stories.owner_state import digest_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cortexfs.core.stories.generated_lines import Lines


def read_corrections(
    generated: Mapping[str, Lines],
    present: Mapping[str, str | None],
    names: Iterable[str],
    owners: KeptOwners | None = None,
) -> Corrections:
    """Return what a person decided about `names`, which are those in the texts.

    `present` has the text of each file by id (None: it cannot be read).
    """
    owners = owners or KeptOwners()
    by_key: dict[str, list[str]] = {}
    for name in names:
        by_key.setdefault(digest_name(name), []).append(name)
    types: dict[str, str] = {}
    same: list[tuple[str, str]] = []
    different: list[tuple[str, str]] = []
    colours: list[tuple[str, str, str]] = []
    for owner in sorted(generated.keys() & present.keys()):
        state = owners.read(owner, generated[owner], present[owner])
        shown = state.shown
        if not shown.name:
            continue
        if state.has_own_type:
            types |= dict.fromkeys((shown.name, *shown.aliases), shown.type)
        if not (state.added or shown.colours or state.struck_names):
            continue
        anchor = next((each for each in state.called if digest_name(each) in by_key), shown.name)
        same += [(anchor, each) for each in state.added if each != anchor]
        colours += [(anchor, *each) for each in shown.colours]
        for key in state.struck_names:
            different += [(anchor, name) for name in by_key.get(key, ())]
    removed = _find_removed(generated, present, owners)
    gone = frozenset(name.lower() for key in removed for name in by_key.get(key, ()))
    return Corrections(gone, types, tuple(same), tuple(different), tuple(colours))


def read_own_names(
    generated: Mapping[str, Lines], present: Mapping[str, str | None], owners: KeptOwners
) -> dict[str, str]:
    """Return the names that a person has given to entities, by id."""
    states = {
        owner: owners.read(owner, generated[owner], present[owner])
        for owner in generated.keys() & present.keys()
    }
    return {owner: state.own_name for owner, state in states.items() if state.own_name}


def _find_removed(
    generated: Mapping[str, Lines], present: Mapping[str, str | None], owners: KeptOwners
) -> frozenset[str]:
    """Return the digests of names that only entities had whose files were removed."""
    names: dict[bool, set[str]] = {True: set(), False: set()}
    for owner, lines in generated.items():
        names[owner in present].update(owners.read(owner, lines, present.get(owner)).names)
    return frozenset(key.partition(":")[2] for key in names[False] - names[True])
