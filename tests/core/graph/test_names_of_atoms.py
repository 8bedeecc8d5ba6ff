"""Which atom a ref or a wiki name means."""

from __future__ import annotations

from typing import Any

import pytest

from cortexfs.core.atoms.atom import Ref
from cortexfs.core.graph.resolve_links import (
    LinkedAtom,
    NameLookup,
    RawLink,
    list_candidate_names,
    resolve_link,
    resolve_links,
)

NODES = [
    LinkedAtom(Ref("flywheel/K-001"), "projects/flywheel/knowledge/K-001.md"),
    LinkedAtom(Ref("sundial/K-001"), "projects/sundial/knowledge/K-001.md"),
    LinkedAtom(Ref("sundial/DR-0001"), "projects/sundial/decisions/0001-shade.md"),
    LinkedAtom(Ref("DR-0001"), "decisions/DR-0001.md"),
    LinkedAtom(Ref("IDEA-001"), "ideas/IDEA-001.md"),
]
NODES_BY_NAME = {
    "k-001": NODES[:2],
    "dr-0001": NODES[2:4],
    "idea-001": NODES[4:],
    "0001-shade": [NODES[2]],
    "a title": [NODES[0], NODES[4]],
    "two of it": NODES[:2],
    "k-001 is wrong": [NODES[4]],
    "tcp/ip": [NODES[4]],
}
NAMES = NameLookup({node.ref for node in NODES}, NODES_BY_NAME)


@pytest.mark.parametrize(
    ("source", "kind", "name", "expected"),
    [
        ("flywheel/EXP-001", "links", "K-001", "flywheel/K-001"),
        ("flywheel/EXP-001", "links", "sundial/K-001", "sundial/K-001"),
        ("flywheel/EXP-001", "text", "IDEA-001", "IDEA-001"),
        ("flywheel/EXP-001", "text", "DR-0001", "DR-0001"),
        ("sundial/EXP-001", "text", "DR-0001", "sundial/DR-0001"),
        ("IDEA-002", "text", "K-001", None),
        ("flywheel/EXP-001", "links", "flywheel/IDEA-001", None),
        ("flywheel/EXP-001", "wiki", "k-001", "flywheel/K-001"),
        ("flywheel/EXP-001", "wiki", "sundial/k-001", "sundial/K-001"),
        ("flywheel/EXP-001", "wiki", "a title", "flywheel/K-001"),
        ("sundial/EXP-001", "wiki", "a title", "IDEA-001"),
        ("flywheel/EXP-001", "wiki", "0001-shade", "sundial/DR-0001"),
        ("flywheel/EXP-001", "wiki", "tcp/ip", "IDEA-001"),
        ("IDEA-002", "wiki", "two of it", None),
        ("flywheel/EXP-001", "wiki", "nobody", None),
        ("flywheel/EXP-001", "wiki", "nowhere/k-001", None),
    ],
)
def test_a_name_means_the_nearest_atom(
    source: str, kind: str, name: str, expected: str | None
) -> None:
    assert resolve_link(RawLink(Ref(source), kind, name, 1), NAMES) == expected


def test_of_several_atoms_in_a_project_the_exact_name_wins() -> None:
    by_title = LinkedAtom(Ref("p/K-001"), "projects/p/knowledge/K-001.md")
    by_file = LinkedAtom(Ref("p/DR-0007"), "projects/p/decisions/k-002.md")
    by_ref = LinkedAtom(Ref("p/K-002"), "projects/p/knowledge/K-002.md")
    for known, expected in (
        ([by_title, by_file, by_ref], by_ref),
        ([by_title, by_file], by_file),
        ([by_title], by_title),
    ):
        names = NameLookup(set(), {"k-002": known})
        assert resolve_link(RawLink(Ref("p/EXP-001"), "wiki", "k-002", 1), names) == expected.ref


def test_candidate_names_include_those_of_the_own_project_and_the_root() -> None:
    raw_links = RawLink(Ref("flywheel/EXP-001"), "links", "K-001", 1)
    assert list_candidate_names(raw_links) == ("flywheel/K-001", "K-001")
    assert list_candidate_names(raw_links._replace(kind="wiki", cited="sundial/k-001")) == (
        "sundial/k-001",
        "k-001",
    )


def test_several_links_between_two_atoms_are_one_link_with_several_kinds() -> None:
    source, target = Ref("flywheel/EXP-001"), Ref("flywheel/K-001")
    raw_links = [
        RawLink(source, "text", "K-001", 9),
        RawLink(source, "links", "flywheel/K-001", 4),
        RawLink(source, "links", "EXP-001", 4),
        RawLink(Ref("sundial/EXP-001"), "links", "K-001", 4),
    ]
    names = NameLookup({source, target, Ref("sundial/K-001")}, {})
    (link,) = resolve_links(raw_links, names, {target})
    assert link == (source, target, ("links", "text"), 4)


class CountingLookup(dict[str, list[LinkedAtom]]):
    """Bearers of names, and how often they were asked for."""

    asked = 0

    def get(self, key: str, default: Any = None) -> Any:
        """Count, and give them."""
        self.asked += 1
        return super().get(key, default)


def test_a_name_is_looked_up_once_for_each_project() -> None:
    lookup = CountingLookup(NODES_BY_NAME)
    sources = [Ref(f"{project}/EXP-{n}") for project in ("flywheel", "sundial") for n in range(9)]
    raw_links = [RawLink(source, "wiki", "k-001", 1) for source in sources]
    found = resolve_links(raw_links, NameLookup(set(), lookup), frozenset(sources))
    assert {(link.source[0], link.target[0]) for link in found} == {("f", "f"), ("s", "s")}
    assert (len(found), lookup.asked) == (18, 2)
