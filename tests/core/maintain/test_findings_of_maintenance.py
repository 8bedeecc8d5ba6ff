"""Each sort of thing that maintenance finds, and what it leaves alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grown import TODAY, entry, study
from hypothesis import given
from hypothesis import strategies as st
from pages import page, section, words

from cortexfs.core.indexes.index_entry import COLD_DAYS
from cortexfs.core.maintain.clusters import LEAST as SMALLEST
from cortexfs.core.maintain.clusters import SHARED, link_clusters, tag_clusters
from cortexfs.core.maintain.recurring_defects import LEAST, STOP_WORDS, TOP, recurring
from cortexfs.core.maintain.refuted_experiments import FEW, FIELDS, contradicted
from cortexfs.core.maintain.report import report
from cortexfs.core.maintain.successor_chains import LEAST as LEAST_CHAIN
from cortexfs.core.maintain.successor_chains import LONGEST, supersede_chains
from cortexfs.core.maintain.unread_atoms import STALE_DAYS, cold, unread
from cortexfs.core.maintain.unsupported_claims import FELL, contradictions

if TYPE_CHECKING:
    from random import Random

REFS = [f"EXP-{number:03d}" for number in range(1, 7)]


def test_two_tags_that_three_standing_experiments_share_are_a_cluster() -> None:
    borne = [("a", "B", "c"), ("b", "A"), ("a", "b", "d"), ("a", "c")]
    experiments = [entry(ref, tags=tags) for ref, tags in zip(REFS, borne, strict=False)]
    gone = entry("EXP-006", tags=("a", "c"), status="superseded:EXP-001")
    both = entry("PAT-001", tags=("x", "B", "a"))
    one = entry("PAT-002", tags=("a",))
    (cluster,) = tag_clusters(study(*experiments, gone, both, one))
    assert cluster == (("p/EXP-001", "p/EXP-002", "p/EXP-003"), ("a", "b"), ("p/PAT-001",))


def test_pairs_of_tags_with_the_same_bearers_are_one_cluster() -> None:
    found = tag_clusters(study(*(entry(ref, tags=("a", "b", "c")) for ref in REFS[:3])))
    assert [cluster.tags for cluster in found] == [("a", "b", "c")]


@given(st.lists(st.sets(st.sampled_from("abcd")), min_size=6, max_size=6), st.randoms())
def test_a_tag_cluster_is_all_experiments_with_its_tags_whatever_their_order(
    borne: list[set[str]], chance: Random
) -> None:
    experiments = [
        entry(ref, tags=tuple(sorted(tags))) for ref, tags in zip(REFS, borne, strict=True)
    ]
    found = tag_clusters(study(*experiments))
    chance.shuffle(experiments)
    assert tag_clusters(study(*experiments)) == found
    for cluster in found:
        bearers = {
            f"p/{ref}"
            for ref, tags in zip(REFS, borne, strict=True)
            if tags.issuperset(cluster.tags)
        }
        assert set(cluster.refs) == bearers
        assert len(cluster.refs) >= 3
        assert len(cluster.tags) >= 2
    assert len({cluster.refs for cluster in found}) == len(found)


def test_links_tie_experiments_together_either_way() -> None:
    tied = [
        entry("EXP-001", links=("EXP-002",)),
        entry("EXP-002", links=("K-001",)),
        entry("EXP-003", links=("p/EXP-002",)),
        entry("EXP-004", links=("q/EXP-001",)),
        entry("EXP-005"),
        entry("EXP-006", links=("EXP-001",), status="invalidated:EXP-002"),
        entry("PAT-001", source_experiments=("EXP-001", "EXP-003")),
    ]
    (cluster,) = link_clusters(study(*tied))
    assert cluster == (("p/EXP-001", "p/EXP-002", "p/EXP-003"), (), ("p/PAT-001",))


def test_an_experiment_without_links_is_in_no_cluster_though_others_link_to_it() -> None:
    assert not link_clusters(
        study(entry("EXP-001"), *(entry(ref, links=("EXP-001",)) for ref in REFS[1:3]))
    )


def test_a_chain_is_followed_from_its_oldest_to_its_end() -> None:
    chain = [
        entry("EXP-001", status="superseded:EXP-002"),
        entry("EXP-002", status="Refined: p/EXP-003"),
        entry("EXP-003"),
        entry("EXP-004", status="superseded:EXP-003"),
    ]
    assert supersede_chains(study(*chain)) == [("p/EXP-001", "p/EXP-002", "p/EXP-003")]


def test_a_chain_that_bites_its_tail_ends() -> None:
    ring = [
        entry("EXP-001", status="superseded:EXP-002"),
        entry("EXP-002", status="superseded:EXP-003"),
        entry("EXP-003", status="superseded:EXP-002"),
    ]
    assert supersede_chains(study(*ring)) == [("p/EXP-001", "p/EXP-002", "p/EXP-003")]
    assert supersede_chains(study(*ring[1:])) == []


def test_a_chain_is_followed_so_far_and_no_further() -> None:
    long = [entry(f"EXP-{n:03d}", status=f"superseded:EXP-{n + 1:03d}") for n in range(1, 40)]
    assert [len(chain) for chain in supersede_chains(study(*long))] == [LONGEST]


def test_a_claim_whose_ground_has_fallen_is_told_with_who_brought_it_down() -> None:
    atoms = [
        entry("EXP-001", status="invalidated: EXP-003"),
        entry("EXP-002", status="superseded"),
        entry("EXP-003"),
        entry("EXP-004", status="refined:EXP-003"),
        entry("EXP-001", project="q", status="deprecated:EXP-002"),
        entry("EXP-002", project="q"),
        entry("K-001", evidence=("EXP-001", "EXP-002")),
        entry("K-002", evidence=("EXP-002",), source="as in EXP-003"),
        entry("K-003", evidence="q/EXP-001"),
        entry("K-004", evidence=("EXP-004",)),
        entry("K-005", evidence=("EXP-099",)),
        entry("K-006", evidence=("EXP-001",), status="stale"),
        entry("PAT-001", source_experiments=("EXP-003",), evidence=("EXP-001", "EXP-099")),
    ]
    found = [(c.ref, c.severity.value, c.fallen, c.by) for c in contradictions(study(*atoms))]
    assert found == [
        ("p/K-001", "all-compromised", ("p/EXP-001", "p/EXP-002"), "p/EXP-003"),
        ("p/K-003", "all-compromised", ("q/EXP-001",), "q/EXP-002"),
        ("p/K-002", "partial", ("p/EXP-002",), ""),
        ("p/PAT-001", "partial", ("p/EXP-001",), "p/EXP-003"),
    ]


def test_nobody_is_challenged_by_an_atom_that_has_fallen_itself() -> None:
    atoms = [
        entry("EXP-001", status="superseded:EXP-002"),
        entry("EXP-002", status="invalidated:EXP-003"),
        entry("K-001", evidence=("EXP-001",)),
    ]
    assert [c.by for c in contradictions(study(*atoms))] == [""]


def test_what_nobody_looks_at_grows_cold_and_then_stale() -> None:
    days = {"EXP-001": "2026-04-05", "EXP-002": "2026-04-06", "EXP-003": "2026-04-21"}
    days |= {"EXP-004": "2026-04-22", "K-001": "2026-01-01", "PAT-001": "2026-01-01"}
    atoms = [entry(ref, date=day) for ref, day in days.items()]
    atoms += [
        entry("EXP-005", date="2026-01-01", refs=1),
        entry("EXP-006", date="2026-01-01", status="challenged:EXP-001"),
        entry("EXP-007", date="2026-01-01", status="superseded:EXP-001"),
        entry("EXP-008", date="soon"),
        entry("DR-0001", date="2026-01-01", status="accepted"),
        entry("OBS-001", date="2026-01-01", type="fact"),
    ]
    seen = study(*atoms)
    assert [(u.ref, u.days) for u in unread(seen, TODAY)] == [
        ("p/K-001", 125),
        ("p/PAT-001", 125),
        ("p/EXP-001", 31),
    ]
    assert cold(seen, TODAY) == [
        f"p/{ref}"
        for ref in ("EXP-001", "EXP-002", "EXP-003", "K-001", "PAT-001", "EXP-006", "OBS-001")
    ]


def test_a_newer_experiment_contradicts_what_its_words_overturn() -> None:
    old = entry("EXP-001", date="2026-01-01")
    new = entry("EXP-002", date="2026-02-01")
    said = {"EXP-002": "It refutes EXP-001 and EXP-099. EXP-002 is wrong."}
    assert contradicted(study(old, new, bodies=said)) == [
        ("p/EXP-001", old.atom.path, "p/EXP-002", "refutes")
    ]
    assert not contradicted(study(old, new, bodies={"EXP-001": "It refutes EXP-002."}))
    for marked in ("challenged:EXP-002", "corrected:EXP-002", "superseded:EXP-002", "stale"):
        known = entry("EXP-001", date="2026-01-01", status=marked)
        assert not contradicted(study(known, new, bodies=said)), marked


def test_a_field_an_anti_pattern_or_a_summary_alone_can_say_so() -> None:
    old = entry("EXP-001", date="2026-01-01", tags=("a", "b", "c"))
    for newer in (
        entry("EXP-002", contradicts=("EXP-001",)),
        entry("EXP-002", summary="Corrects the earlier figure", tags=("c", "a")),
        entry("EXP-002", summary="Corrects the earlier figure", links=("EXP-001",)),
        entry("K-001", summary="ANTI-PATTERN: like that", tags=("anti-pattern", "a", "b")),
    ):
        assert [(c.ref, c.by) for c in contradicted(study(old, newer))] == [
            ("p/EXP-001", str(newer.atom.ref))
        ]
    for silent in (
        entry("EXP-002", summary="Corrects the earlier figure", tags=("a",)),
        entry("EXP-002", summary="Corrects EXP-009", tags=("a", "b")),
        entry("EXP-002", summary="Builds on the earlier figure", tags=("a", "b")),
        entry("K-001", summary="ANTI-PATTERN: x", tags=("a", "b"), evidence=("EXP-001",)),
        entry("K-001", summary="It supersedes all", tags=("a", "b")),
    ):
        assert not contradicted(study(old, silent)), silent


def test_a_correction_that_could_mean_many_means_none() -> None:
    older = [entry(ref, date="2026-01-01", tags=("a", "b")) for ref in REFS[:4]]
    newer = entry("EXP-006", summary="Corrects what came before", tags=("a", "b"))
    assert len(contradicted(study(*older[:3], newer))) == 3
    assert not contradicted(study(*older, newer))


def test_words_that_three_experiments_share_as_defects_recur() -> None:
    """The original looked for a Chinese label only, and never found an English one."""
    defects = ["the clocks drifted", "a clock, not set", "Clocks again; `drifted`", "set by hand"]
    bodies = {
        ref: f"## Reflection\n\n- Process defects: {said}.\n- Behavioral adjustments: clock\n"
        for ref, said in zip(REFS, defects, strict=False)
    }
    found = recurring(study(*map(entry, REFS), bodies=bodies))
    assert found == [("clocks", ("p/EXP-001", "p/EXP-002", "p/EXP-003"))]


def test_stop_words_short_words_and_refs_recur_nowhere() -> None:
    said = f"{' '.join(sorted(STOP_WORDS))} ab EXP-001 `latency` 12345 https://example.org"
    bodies = dict.fromkeys(REFS, f"- Process defects: {said}\n")
    assert recurring(study(*map(entry, REFS), bodies=bodies)) == []


def test_only_the_commonest_words_are_told() -> None:
    words = " ".join(f"word{chr(97 + n)}" for n in range(15))
    bodies = dict.fromkeys(REFS, f"- Process defects: {words}\n")
    assert len(recurring(study(*map(entry, REFS), bodies=bodies))) == TOP


def test_a_quiet_project_needs_nobody() -> None:
    assert report(study(entry("EXP-001"), entry("K-001", evidence=("EXP-001",))), TODAY).is_empty


def test_the_page_gives_the_figures_of_the_code() -> None:
    said = " ".join(section(page("docs/commands.md"), "## `cortexfs maintain`").split())
    figures = (
        f"without refs that is older than {STALE_DAYS} days",
        f"without refs that are older than {COLD_DAYS} days",
        f"logged for more than {STALE_DAYS} days",
    )
    assert [figure for figure in figures if figure not in said] == []
    assert (SMALLEST, LEAST, LEAST_CHAIN, FEW, SHARED, TOP) == (3, 3, 3, 3, 2, 10)
    worded = (
        *("three standing experiments or more", "Process defects of three experiments"),
        *("three atoms or more", "three candidates at the most", "two shared tags", "ten"),
    )
    assert [word for word in worded if word not in said] == []
    assert set(FIELDS) <= set(words(said))
    assert all(status in said for status in FELL)
