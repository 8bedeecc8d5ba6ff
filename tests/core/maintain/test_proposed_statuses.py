"""Statuses proposed by rule, and the commands that a report suggests."""

from __future__ import annotations

import shlex

from maintenance_projects import TODAY, make_entry, make_project

from cortexfs.core.maintain.maintenance_report import (
    ProposedStatus,
    build_maintenance_report,
    propose_statuses,
)
from cortexfs.core.maintain.suggestions import list_suggestions


def _proposed(*args: object, **words: object) -> list[tuple[str, str]]:
    project = make_project(*args, **words)  # type: ignore[arg-type]
    return [
        (mark.ref, mark.status)
        for mark in propose_statuses(project, build_maintenance_report(project, TODAY))
    ]


def test_only_a_claim_without_current_evidence_is_challenged_by_rule() -> None:
    atoms = [
        make_entry("EXP-001", status="invalidated:EXP-002"),
        make_entry("EXP-002"),
        make_entry("EXP-003", status="superseded"),
        make_entry("K-001", evidence=("EXP-001",)),
        make_entry("K-002", evidence=("EXP-001", "EXP-002")),
        make_entry("K-003", evidence=("EXP-003",)),
        make_entry("K-004", evidence=("EXP-001",), status="challenged:EXP-002"),
        make_entry("K-005", evidence=("EXP-001",), summary="ANTI-PATTERN: x"),
        make_entry("DR-0001", evidence=("EXP-001",), status="accepted"),
    ]
    assert _proposed(*atoms) == [("p/K-001", "challenged:EXP-002")]


def test_a_challenger_of_another_project_has_a_full_ref() -> None:
    elsewhere = [
        make_entry("EXP-001", project="q", status="superseded:EXP-002"),
        make_entry("EXP-002", project="q"),
    ]
    assert _proposed(*elsewhere, make_entry("K-001", evidence=("q/EXP-001",))) == [
        ("p/K-001", "challenged:q/EXP-002")
    ]


def test_only_an_atom_that_nothing_cites_is_stale_by_rule() -> None:
    old = [make_entry(ref, date="2026-01-01") for ref in ("EXP-001", "EXP-002")]
    named = {"EXP-003": "As in EXP-002."}
    assert _proposed(*old, make_entry("EXP-003"), bodies=named) == [("p/EXP-001", "stale")]


def test_nothing_is_stale_while_reads_have_been_logged_for_a_short_time() -> None:
    old = make_entry("EXP-001", date="2026-01-01")
    assert _proposed(old, logged_since=0) == []
    assert _proposed(old, logged_since=TODAY.toordinal() - 30) == []
    assert _proposed(old, logged_since=TODAY.toordinal() - 31) == [("p/EXP-001", "stale")]


def test_a_proposed_status_has_a_reason() -> None:
    project = make_project(make_entry("EXP-001", date="2026-01-01"))
    (mark,) = propose_statuses(project, build_maintenance_report(project, TODAY))
    assert mark == ProposedStatus(
        "p/EXP-001",
        "projects/p/experiments/EXP-001.md",
        "stale",
        "125 days old, never read, nothing links to it",
    )


def test_a_suggested_command_quotes_any_tag() -> None:
    tags = ("$(touch x)", "a\nb; rm *")
    project = make_project(*(make_entry(f"EXP-00{n}", tags=tags) for n in (1, 2, 3)))
    (line,) = list_suggestions(build_maintenance_report(project, TODAY))
    assert shlex.split(line.command) == [
        *("cortexfs", "new", "pattern", "-p", "p", "-t", "$(touch x)", "-t", "a b; rm *"),
        *("--source-experiments", "EXP-001,EXP-002,EXP-003", "-s", "…"),
    ]


def test_the_most_urgent_suggestion_comes_first() -> None:
    atoms = [
        make_entry("EXP-001", status="invalidated:EXP-002", tags=("a", "b")),
        make_entry("EXP-002", date="2026-01-01", tags=("a", "b"), refs=1),
        make_entry("EXP-003", date="2026-01-01", tags=("a", "b")),
        make_entry("EXP-004", tags=("a", "b"), refutes="EXP-002"),
        make_entry("K-001", evidence=("EXP-001",)),
    ]
    found = build_maintenance_report(make_project(*atoms), TODAY)
    assert [(line.category, line.command) for line in list_suggestions(found)][:3] == [
        ("contradiction", "cortexfs mark p/K-001 challenged --by p/EXP-002"),
        ("contradicted", "cortexfs mark p/EXP-002 challenged --by p/EXP-004"),
        ("stale", "cortexfs mark p/EXP-003 stale"),
    ]
