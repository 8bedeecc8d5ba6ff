"""The map of all atoms: what was on it stays where it was, until much has been added."""

from __future__ import annotations

from datetime import UTC, datetime
from math import dist
from typing import TYPE_CHECKING

from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.operations.map_links import LinkMap, lay_out, map_links
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from place import Place

FOLDER = "projects/driftwood/experiments"
ATOM = "---\nid: {0}\nsummary: x\nstatus: valid\nlinks: [{1}]\n---\n\n## Results\n\nNone.\n"


def _open(place: Place) -> Session:
    return Session.open(str(place.root), lambda: datetime.now(UTC))


def _drawn(found: LinkMap) -> dict[str, tuple[float, float]]:
    return {node.ref: place for node, place in zip(found.nodes, found.layout.places, strict=True)}


def _colours(found: LinkMap) -> dict[str, int]:
    return {n.ref: each for n, each in zip(found.nodes, found.layout.communities, strict=True)}


def test_an_atom_that_is_added_moves_no_other_and_nothing_is_laid_out_anew(sample: Place) -> None:
    first = map_links(_open(sample))
    before = _drawn(first)
    lay_out.cache_clear()
    sample.write(f"{FOLDER}/EXP-090.md", ATOM.format("EXP-090", "EXP-006"))
    sample.write(f"{FOLDER}/EXP-091.md", ATOM.format("EXP-091", "EXP-090"))
    sample.write(f"{FOLDER}/EXP-092.md", ATOM.format("EXP-092", ""))
    found = map_links(_open(sample))
    after = _drawn(found)
    assert lay_out.cache_info().misses == 0
    assert len(after) == len(before) + 3
    assert all(dist(after[ref], place) < 1e-3 for ref, place in before.items())
    assert dist(after["driftwood/EXP-090"], after["driftwood/EXP-006"]) < 1
    colours = _colours(found)
    same = {"driftwood/EXP-006", "driftwood/EXP-090", "driftwood/EXP-091"}
    assert len({colours[ref] for ref in same}) == 1
    again = _drawn(map_links(_open(sample)))  # from the catalog, as another process has it
    assert all(dist(again[ref], place) < 1e-3 for ref, place in after.items())


def test_a_part_is_drawn_as_it_is_on_the_whole_map(sample: Place) -> None:
    whole = _drawn(map_links(_open(sample)))
    part = _drawn(map_links(_open(sample), AtomFilter(projects=("greenhouse",))))
    assert part
    assert all(dist(place, whole[ref]) < 1e-3 for ref, place in part.items())
    map_links(_open(sample), limit=3)
    assert _drawn(map_links(_open(sample))).keys() == whole.keys()
    assert all(
        dist(each, whole[ref]) < 1e-3 for ref, each in _drawn(map_links(_open(sample))).items()
    )


def test_all_are_laid_out_anew_when_many_were_added(sample: Place) -> None:
    before = _drawn(map_links(_open(sample)))
    for number in range(100, 160):
        name = f"EXP-{number}"
        sample.write(f"{FOLDER}/{name}.md", ATOM.format(name, f"EXP-{max(number - 1, 100)}"))
    after = _drawn(map_links(_open(sample)))
    assert any(dist(after[ref], place) > 1 for ref, place in before.items())
