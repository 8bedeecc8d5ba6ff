"""The filters work alike in every command that lists or searches atoms."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_to_soak

if TYPE_CHECKING:
    from place import Place

LISTING = [
    ["list"],
    ["find", "drift"],
    ["graph", "driftwood/K-005", "--depth", "9"],
    ["related", "driftwood/K-005"],
    ["backlinks", "driftwood/K-005"],
    ["entities"],
    ["access", "log"],
    ["access", "top"],
]
EVERY = [*LISTING, ["decision", "list"], ["idea", "list"], ["log"], ["task", "list"]]


def _refs(place: Place, *words: str) -> list[str]:
    document = json.loads(place.run(*words, "--json").out)
    found = next(
        document[key] for key in ("atoms", "found", "related", "backlinks") if key in document
    )
    return [each["ref"] for each in found]


@pytest.mark.parametrize("words", leave_to_soak([*LISTING, ["log"]], every=3), ids=" ".join)
@pytest.mark.parametrize(
    ("option", "kind"),
    [
        (["--project", "driftwod"], "no-such-project"),
        (["--kind", "knowledge,experimnt"], "no-such-kind"),
        (["--status", "valdi"], "no-such-status"),
        (["--tag", "residual"], "no-such-tag"),
    ],
    ids=["project", "kind", "status", "tag"],
)
def test_an_unknown_value_is_refused_with_the_nearest(
    sample: Place, words: list[str], option: list[str], kind: str
) -> None:
    ran = sample.run(*words, *option, "--json")
    error = json.loads(ran.out)["error"]
    if words == ["log"] and option[0] in {"--status", "--tag"}:
        assert ran.code == 2
        return
    assert (ran.code, error["kind"]) == (3, kind)
    assert "did you mean" in error["hint"]


@pytest.mark.parametrize("words", [["list"], ["find", "drift"], ["log"], ["access", "log"]])
def test_an_invalid_date_is_a_usage_error(sample: Place, words: list[str]) -> None:
    for option in ("--since", "--until"):
        ran = sample.run(*words, option, "soon")
        assert (ran.code, ran.out) == (2, "")
        assert "`soon` is not a date" in ran.err


@pytest.mark.parametrize("words", leave_to_soak(LISTING[:5], every=6), ids=" ".join)
def test_each_filter_leaves_out_other_atoms(sample: Place, words: list[str]) -> None:
    matching = {
        "--project": set(_refs(sample, "list", "--project", "driftwood")),
        "--kind": set(_refs(sample, "list", "--kind", "experiment,knowledge")),
        "--status": set(_refs(sample, "list", "--status", "valid,active")),
        "--since": set(_refs(sample, "list", "--since", "2026-02")),
        "--until": set(_refs(sample, "list", "--until", "2026-02")),
    }
    given = {
        "--project": "driftwood",
        "--kind": "experiment,knowledge",
        "--status": "valid,active",
        "--since": "2026-02",
        "--until": "2026-02",
    }
    limit = [] if words[0] == "backlinks" else ["-n", "500"]
    every = set(_refs(sample, *words, *limit))
    for option, value in given.items():
        found = set(_refs(sample, *words, *limit, option, value)) - {"driftwood/K-005"}
        assert found <= matching[option], option
        assert found or option in {"--since", "--until"}, option
        assert words[0] == "graph" or found == every & matching[option] - {"driftwood/K-005"}


def test_filters_in_a_query_equal_the_options(sample: Place) -> None:
    for typed, options in {
        "series kind:experiment,pattern": ["--kind", "experiment", "--kind", "pattern"],
        "series project:driftwood until:2026-02": ["-p", "driftwood", "--until", "2026-02"],
        "series status:valid since:2026-02": ["--status", "VALID", "--since", "2026-02"],
    }.items():
        found = _refs(sample, "find", typed)
        assert found
        assert found == _refs(sample, "find", "series", *options)


def test_the_log_of_a_tree_is_filtered_by_project_kind_and_day(sample: Place) -> None:
    sample.ok("new", "idea", "-s", "A short thought", "-t", "time")
    sample.ok("new", "experiment", "-p", "greenhouse", "-s", "One more", "-t", "pots")
    changes = json.loads(sample.ok("log", "-p", "greenhouse", "--json"))["changes"]
    assert changes[0]["subject"].startswith("new experiment greenhouse/")
    assert not any("IDEA-" in change["subject"] for change in changes)
    ideas = json.loads(sample.ok("log", "--kind", "idea", "-n", "1", "--json"))["changes"]
    assert "IDEA-" in ideas[0]["subject"]
    assert sample.run("log", "--until", "2020").code == 1
    assert sample.run("log", "driftwood/K-005", "-p", "driftwood").code == 2


def test_reads_are_filtered_by_the_atom_and_by_the_day(sample: Place) -> None:
    def events(*words: str) -> list[dict[str, str]]:
        document = json.loads(sample.ok("access", "log", "-n", "999", "--json", *words))
        return document["access-events"]

    every = events()
    some = events("--kind", "knowledge", "-p", "driftwood,lighthouse")
    assert some == [
        each
        for each in every
        if each["file"].startswith("K-") and each["project"] in {"driftwood", "lighthouse"}
    ]
    assert some
    march = events("--since", "2026-03", "--until", "2026-03")
    assert march == [each for each in every if each["ts"].startswith("2026-03")]
    assert march


def test_tasks_are_filtered_by_several_projects_and_states(sample: Place) -> None:
    document = json.loads(sample.ok("task", "list", "-p", "driftwood,lighthouse", "--json"))
    assert {task["project"] for task in document["tasks"]} == {"driftwood", "lighthouse"}
    document = json.loads(sample.ok("task", "list", "--status", "claimed,waiting", "--json"))
    assert {task["state"] for task in document["tasks"]} == {"claimed", "waiting"}


def test_a_custom_status_can_be_filtered(sample: Place) -> None:
    text = "---\nid: EXP-090\ndate: 2026-01-01\nsummary: x\ntags: [a]\nstatus: brewing\n---\n"
    sample.write("projects/driftwood/experiments/EXP-090.md", text)
    assert _refs(sample, "list", "--status", "brewing") == ["driftwood/EXP-090"]
