"""Each sort of thing that maintenance finds, and what it leaves alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from cost import cost_of
from hypothesis import given
from hypothesis import strategies as st
from maintenance_projects import TODAY, make_entry, make_project
from pages import page, section, words

from cortexfs.core.indexes.atom_with_reads import COLD_DAYS
from cortexfs.core.maintain.contradicted_experiments import (
    CONTRADICTION_FIELDS,
    find_contradicted_experiments,
)
from cortexfs.core.maintain.experiment_clusters import (
    MAX_TAG_CLUSTERS,
    MIN_SHARED,
    find_link_clusters,
    find_tag_clusters,
)
from cortexfs.core.maintain.experiment_clusters import MIN_CLUSTER_SIZE as SMALLEST
from cortexfs.core.maintain.maintenance_report import build_maintenance_report
from cortexfs.core.maintain.project_atoms import MAX_TAGS
from cortexfs.core.maintain.successor_chains import MAX_CHAIN_LENGTH, find_successor_chains
from cortexfs.core.maintain.successor_chains import MIN_CHAIN_LENGTH as LEAST_CHAIN
from cortexfs.core.maintain.unread_atoms import STALE_DAYS, find_cold_atoms, find_unread_atoms
from cortexfs.core.maintain.unsupported_claims import UNRELIABLE_STATUSES, find_unsupported_claims

if TYPE_CHECKING:
    from random import Random

REFS = [f"EXP-{number:03d}" for number in range(1, 7)]


def test_three_current_experiments_that_share_two_tags_are_a_cluster() -> None:
    tags_of_atoms = [("a", "B", "c"), ("b", "A"), ("a", "b", "d"), ("a", "c")]
    experiments = [
        make_entry(ref, tags=tags) for ref, tags in zip(REFS, tags_of_atoms, strict=False)
    ]
    gone = make_entry("EXP-006", tags=("a", "c"), status="superseded:EXP-001")
    both = make_entry("PAT-001", tags=("x", "B", "a"))
    one = make_entry("PAT-002", tags=("a",))
    (cluster,) = find_tag_clusters(make_project(*experiments, gone, both, one))
    assert cluster == (("p/EXP-001", "p/EXP-002", "p/EXP-003"), ("a", "b"), ("p/PAT-001",))


def test_pairs_of_tags_with_the_same_experiments_are_one_cluster() -> None:
    found = find_tag_clusters(
        make_project(*(make_entry(ref, tags=("a", "b", "c")) for ref in REFS[:3]))
    )
    assert [cluster.tags for cluster in found] == [("a", "b", "c")]


@given(st.lists(st.sets(st.sampled_from("abcd")), min_size=6, max_size=6), st.randoms())
def test_a_tag_cluster_holds_all_experiments_with_its_tags_in_any_order(
    tags_of_atoms: list[set[str]], shuffler: Random
) -> None:
    experiments = [
        make_entry(ref, tags=tuple(sorted(tags)))
        for ref, tags in zip(REFS, tags_of_atoms, strict=True)
    ]
    found = find_tag_clusters(make_project(*experiments))
    shuffler.shuffle(experiments)
    assert find_tag_clusters(make_project(*experiments)) == found
    for cluster in found:
        experiments_with_tags = {
            f"p/{ref}"
            for ref, tags in zip(REFS, tags_of_atoms, strict=True)
            if tags.issuperset(cluster.tags)
        }
        assert set(cluster.refs) == experiments_with_tags
        assert len(cluster.refs) >= 3
        assert len(cluster.tags) >= 2
    assert len({cluster.refs for cluster in found}) == len(found)


@pytest.mark.soak
def test_clusters_of_hostile_tags_are_found_quickly_and_only_the_largest() -> None:
    numbers = [[at * 31 + n * (at % 97 + 1) * 13 for n in range(MAX_TAGS)] for at in range(6000)]
    tags = [tuple({f"t{number % 300}" for number in each}) for each in numbers]
    experiments = [make_entry(f"EXP-{at:04d}", tags=each) for at, each in enumerate(tags[:3000])]
    patterns = [make_entry(f"PAT-{at:04d}", tags=each) for at, each in enumerate(tags[3000:])]
    project = make_project(*experiments, *patterns)
    assert (cost := cost_of(lambda: find_tag_clusters(project))).is_allowed, cost
    found = find_tag_clusters(project)
    assert len(found) == MAX_TAG_CLUSTERS
    for cluster in found[:3]:
        assert cluster.patterns == tuple(
            f"p/PAT-{at:04d}"
            for at, each in enumerate(tags[3000:])
            if len(set(each) & set(cluster.tags)) >= MIN_SHARED
        )


def test_links_tie_experiments_together_either_way() -> None:
    tied = [
        make_entry("EXP-001", links=("EXP-002",)),
        make_entry("EXP-002", links=("K-001",)),
        make_entry("EXP-003", links=("p/EXP-002",)),
        make_entry("EXP-004", links=("q/EXP-001",)),
        make_entry("EXP-005"),
        make_entry("EXP-006", links=("EXP-001",), status="invalidated:EXP-002"),
        make_entry("PAT-001", source_experiments=("EXP-001", "EXP-003")),
    ]
    (cluster,) = find_link_clusters(make_project(*tied))
    assert cluster == (("p/EXP-001", "p/EXP-002", "p/EXP-003"), (), ("p/PAT-001",))


def test_an_experiment_without_links_of_its_own_is_in_no_cluster() -> None:
    assert not find_link_clusters(
        make_project(
            make_entry("EXP-001"), *(make_entry(ref, links=("EXP-001",)) for ref in REFS[1:3])
        )
    )


def test_a_successor_chain_runs_from_the_oldest_to_the_newest() -> None:
    chain = [
        make_entry("EXP-001", status="superseded:EXP-002"),
        make_entry("EXP-002", status="Refined: p/EXP-003"),
        make_entry("EXP-003"),
        make_entry("EXP-004", status="superseded:EXP-003"),
    ]
    assert find_successor_chains(make_project(*chain)) == [("p/EXP-001", "p/EXP-002", "p/EXP-003")]


def test_a_circular_successor_chain_ends() -> None:
    circular = [
        make_entry("EXP-001", status="superseded:EXP-002"),
        make_entry("EXP-002", status="superseded:EXP-003"),
        make_entry("EXP-003", status="superseded:EXP-002"),
    ]
    assert find_successor_chains(make_project(*circular)) == [
        ("p/EXP-001", "p/EXP-002", "p/EXP-003")
    ]
    assert find_successor_chains(make_project(*circular[1:])) == []


def test_the_length_of_a_successor_chain_is_limited() -> None:
    long = [make_entry(f"EXP-{n:03d}", status=f"superseded:EXP-{n + 1:03d}") for n in range(1, 40)]
    assert [len(chain) for chain in find_successor_chains(make_project(*long))] == [
        MAX_CHAIN_LENGTH
    ]


def test_a_claim_with_outdated_evidence_is_reported_with_the_cause() -> None:
    atoms = [
        make_entry("EXP-001", status="invalidated: EXP-003"),
        make_entry("EXP-002", status="superseded"),
        make_entry("EXP-003"),
        make_entry("EXP-004", status="refined:EXP-003"),
        make_entry("EXP-001", project="q", status="deprecated:EXP-002"),
        make_entry("EXP-002", project="q"),
        make_entry("K-001", evidence=("EXP-001", "EXP-002")),
        make_entry("K-002", evidence=("EXP-002",), source="as in EXP-003"),
        make_entry("K-003", evidence="q/EXP-001"),
        make_entry("K-004", evidence=("EXP-004",)),
        make_entry("K-005", evidence=("EXP-099",)),
        make_entry("K-006", evidence=("EXP-001",), status="stale"),
        make_entry("PAT-001", source_experiments=("EXP-003",), evidence=("EXP-001", "EXP-099")),
    ]
    found = [
        (c.ref, c.severity.value, c.unreliable_refs, c.by)
        for c in find_unsupported_claims(make_project(*atoms))
    ]
    assert found == [
        ("p/K-001", "all-compromised", ("p/EXP-001", "p/EXP-002"), "p/EXP-003"),
        ("p/K-003", "all-compromised", ("q/EXP-001",), "q/EXP-002"),
        ("p/K-002", "partial", ("p/EXP-002",), ""),
        ("p/PAT-001", "partial", ("p/EXP-001",), "p/EXP-003"),
    ]


def test_an_outdated_atom_is_not_named_as_the_cause() -> None:
    atoms = [
        make_entry("EXP-001", status="superseded:EXP-002"),
        make_entry("EXP-002", status="invalidated:EXP-003"),
        make_entry("K-001", evidence=("EXP-001",)),
    ]
    assert [c.by for c in find_unsupported_claims(make_project(*atoms))] == [""]


def test_an_unread_atom_becomes_cold_and_then_stale() -> None:
    days = {"EXP-001": "2026-04-05", "EXP-002": "2026-04-06", "EXP-003": "2026-04-21"}
    days |= {"EXP-004": "2026-04-22", "K-001": "2026-01-01", "PAT-001": "2026-01-01"}
    atoms = [make_entry(ref, date=day) for ref, day in days.items()]
    atoms += [
        make_entry("EXP-005", date="2026-01-01", refs=1),
        make_entry("EXP-006", date="2026-01-01", status="challenged:EXP-001"),
        make_entry("EXP-007", date="2026-01-01", status="superseded:EXP-001"),
        make_entry("EXP-008", date="soon"),
        make_entry("DR-0001", date="2026-01-01", status="accepted"),
        make_entry("OBS-001", date="2026-01-01", type="fact"),
    ]
    project = make_project(*atoms)
    assert [(u.ref, u.days) for u in find_unread_atoms(project, TODAY)] == [
        ("p/K-001", 125),
        ("p/PAT-001", 125),
        ("p/EXP-001", 31),
    ]
    assert find_cold_atoms(project, TODAY) == [
        f"p/{ref}"
        for ref in ("EXP-001", "EXP-002", "EXP-003", "K-001", "PAT-001", "EXP-006", "OBS-001")
    ]


@pytest.mark.parametrize("field", CONTRADICTION_FIELDS)
def test_a_newer_atom_contradicts_the_experiments_in_its_overturning_fields(field: str) -> None:
    older = make_entry("EXP-001", date="2026-01-01")
    for newer in (
        make_entry("EXP-002", **{field: ("EXP-001", "EXP-099")}),
        make_entry("K-001", summary="ANTI-PATTERN: like that", **{field: "EXP-001"}),
    ):
        assert find_contradicted_experiments(make_project(older, newer)) == [
            ("p/EXP-001", older.atom.path, str(newer.atom.ref), field)
        ]
    assert not find_contradicted_experiments(
        make_project(older, make_entry("EXP-002", date="2025-01-01", **{field: "EXP-001"}))
    )
    assert not find_contradicted_experiments(
        make_project(older, make_entry("K-001", **{field: "EXP-001"}))
    )


def test_a_marked_experiment_is_not_reported_as_contradicted() -> None:
    new = make_entry("EXP-002", refutes="EXP-001")
    for marked in ("challenged:EXP-002", "corrected:EXP-002", "superseded:EXP-002", "stale"):
        known = make_entry("EXP-001", date="2026-01-01", status=marked)
        assert not find_contradicted_experiments(make_project(known, new)), marked


def test_a_reviewed_contradiction_is_not_reported() -> None:
    for reviewed, count in [("EXP-002 2026-05-01", 0), ("p/EXP-002 2026-05-06", 0)] + [
        (late, 1) for late in ("EXP-002 2026-04-30", "EXP-003 2026-05-06", "EXP-002")
    ]:
        older = make_entry("EXP-001", date="2026-01-01", reviewed=(reviewed,))
        assert (
            len(
                find_contradicted_experiments(
                    make_project(older, make_entry("EXP-002", refutes="EXP-001"))
                )
            )
            == count
        ), reviewed


def test_prose_contradicts_nothing() -> None:
    """Of 17 sentences with such a verb 5 meant it; the one recurring word was `set`."""
    older = make_entry("EXP-001", date="2026-01-01", tags=("a", "b"))
    new = make_entry("EXP-002", summary="Corrects the earlier figure", tags=("a", "b"))
    assert not find_contradicted_experiments(
        make_project(older, new, bodies={"EXP-002": "It refutes EXP-001."})
    )


def test_an_anti_pattern_needs_no_maintenance() -> None:
    outdated = make_entry("EXP-001", status="invalidated:EXP-002")
    warning = make_entry(
        "K-001", date="2026-01-01", summary="ANTI-PATTERN: so", evidence=("EXP-001",), refs=0
    )
    project = make_project(outdated, make_entry("EXP-002"), warning)
    assert find_unsupported_claims(project) == []
    assert find_unread_atoms(project, TODAY) == []
    assert find_cold_atoms(project, TODAY) == []


def test_reviewed_evidence_counts_as_current() -> None:
    outdated = make_entry("EXP-001", status="superseded:EXP-003")
    later = make_entry("EXP-002", status="invalidated:EXP-003", invalidated_date="2026-05-05")
    for reviewed, found in {
        "EXP-003 2026-05-04": [("partial", ("p/EXP-002",))],
        "EXP-001 2026-05-06": [("partial", ("p/EXP-002",))],
        "EXP-003 2026-05-05": [],
        "EXP-003 2026-04-30": [("all-compromised", ("p/EXP-001", "p/EXP-002"))],
    }.items():
        claim = make_entry("K-001", evidence=("EXP-001", "EXP-002"), reviewed=(reviewed,))
        project = make_project(outdated, later, make_entry("EXP-003"), claim)
        assert [
            (c.severity.value, c.unreliable_refs) for c in find_unsupported_claims(project)
        ] == found, reviewed


def test_a_project_without_problems_has_an_empty_report() -> None:
    assert build_maintenance_report(
        make_project(make_entry("EXP-001"), make_entry("K-001", evidence=("EXP-001",))), TODAY
    ).is_empty


def test_the_page_gives_the_limits_of_the_code() -> None:
    text_of_page = " ".join(section(page("docs/commands.md"), "## `cortexfs maintain`").split())
    figures = (
        f"without reads, older than {STALE_DAYS} days",
        f"without reads, older than {COLD_DAYS} days",
        f"logged for more than {STALE_DAYS} days",
    )
    assert [figure for figure in figures if figure not in text_of_page] == []
    assert (SMALLEST, LEAST_CHAIN, MIN_SHARED) == (3, 3, 2)
    limits_in_words = ("three or more current experiments", "three or more atoms", "share two tags")
    assert [word for word in limits_in_words if word not in text_of_page] == []
    assert set(CONTRADICTION_FIELDS) <= set(words(text_of_page))
    assert all(status in text_of_page for status in UNRELIABLE_STATUSES)
