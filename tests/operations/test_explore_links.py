"""`graph`, `backlinks`, `path`, `related`: the links of an atom, on real trees."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from place import build_tree

if TYPE_CHECKING:
    from pathlib import Path

    from place import CopyTree, Place

FOLDERS = {"EXP": "experiments", "K": "knowledge", "PAT": "patterns"}


def _write(place: Place, ref: str, body: str = "", **more: str) -> None:
    project, _, ident = ref.partition("/")
    fields = {"id": ident, "date": "2026-03-01", "project": project, "summary": f"Of {ident}"}
    lines = "".join(f"{key}: {value}\n" for key, value in {**fields, "tags": "[a]", **more}.items())
    folder = FOLDERS[ident.partition("-")[0]]
    place.write(f"projects/{project}/{folder}/{ident}.md", f"---\n{lines}---\n\n{body}\n")


def _build_place(tree: Place) -> None:
    build_tree(tree)
    _write(tree, "flywheel/EXP-001", status="superseded:EXP-002")
    _write(tree, "flywheel/EXP-002", "better than EXP-001", links="[EXP-001]")
    _write(tree, "flywheel/EXP-003", "see [[of exp-002]]")
    _write(tree, "flywheel/K-001", evidence="[EXP-003]")
    _write(tree, "flywheel/K-002")
    tree.ok("project", "new", "sundial", "--goal", "x")
    _write(tree, "sundial/K-001", "borrowed from flywheel/EXP-001")


@pytest.fixture
def place(tmp_path: Path, copy_tree: CopyTree) -> Place:
    """A chain EXP-001 ← EXP-002 ← EXP-003 ← K-001, an atom without links, and another project."""
    return copy_tree(tmp_path / "tree", _build_place)


def _run_json(place: Place, *words: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(place.ok(*words, "--json"))
    return document


def test_a_deeper_graph_has_more_atoms(place: Place) -> None:
    near = _run_json(place, "graph", "flywheel/EXP-002")
    assert {atom["ref"]: atom["distance"] for atom in near["atoms"]} == {
        "flywheel/EXP-002": 0,
        "flywheel/EXP-001": 1,
        "flywheel/EXP-003": 1,
    }
    assert near["edges"] == [
        {
            "from": "flywheel/EXP-001",
            "to": "flywheel/EXP-002",
            "link-kinds": ["status"],
            "line": 7,
        },
        {
            "from": "flywheel/EXP-002",
            "to": "flywheel/EXP-001",
            "link-kinds": ["links", "text"],
            "line": 7,
        },
        {"from": "flywheel/EXP-003", "to": "flywheel/EXP-002", "link-kinds": ["wiki"], "line": 9},
    ]
    far = _run_json(place, "graph", "flywheel/EXP-002", "--depth", "2")
    assert [atom["ref"] for atom in far["atoms"]][3:] == ["flywheel/K-001", "sundial/K-001"]


def test_a_graph_is_a_table_a_tree_a_flowchart_or_dot(place: Place) -> None:
    graph = ("graph", "EXP-002")
    assert place.ok(*graph).splitlines()[0].split("\t") == [
        *("flywheel/EXP-001", "1", "flywheel/EXP-002", "→ links ← status", "superseded"),
        "Of EXP-001",
    ]
    assert place.ok(*graph, "--format", "tree").splitlines() == [
        "flywheel/EXP-002: Of EXP-002",
        "├─ → links ← status flywheel/EXP-001 (superseded): Of EXP-001",
        "└─ ← wiki flywheel/EXP-003: Of EXP-003",
    ]
    assert '    n2 -->|"wiki"| n0' in place.ok(*graph, "--format", "mermaid").splitlines()
    assert '    n2 -> n0 [label="wiki"];' in place.ok(*graph, "--format", "dot").splitlines()
    assert place.run(*graph, "--format", "png").code == 2


def test_a_graph_states_what_it_leaves_out(place: Place) -> None:
    ran = place.run("graph", "EXP-002", "--limit", "1")
    assert (ran.code, len(ran.out.splitlines())) == (0, 1)
    assert ran.err == "1 more linked atom; -n N shows more\n"
    assert _run_json(place, "graph", "EXP-002", "--limit", "1")["omitted"] == 1


def test_an_atom_without_links_exits_with_1(place: Place) -> None:
    for words in (
        ("graph", "flywheel/K-002"),
        ("backlinks", "flywheel/K-002"),
        ("path", "flywheel/K-002", "EXP-001"),
    ):
        assert place.run(*words).code == 1, words
        assert place.run(*words, "--json").code == 1, words


def test_backlinks_name_the_kind_and_line_and_follow_every_change(place: Place) -> None:
    named = place.ok("backlinks", "EXP-001").splitlines()
    assert [line.split("\t")[:4] for line in named] == [
        ["flywheel/EXP-002", "links, text", "7", "active"],
        ["sundial/K-001", "text", "9", "active"],
    ]
    _write(place, "flywheel/EXP-002", "nothing any more")
    (place.root / "projects/sundial/knowledge/K-001.md").unlink()
    _write(place, "flywheel/K-002", links="[EXP-001]")
    assert [one["ref"] for one in _run_json(place, "backlinks", "EXP-001")["backlinks"]] == [
        "flywheel/K-002"
    ]
    assert _run_json(place, "show", "EXP-001", "--no-track")["backlinks"] == ["flywheel/K-002"]


def test_backlinks_are_limited_on_request(place: Place) -> None:
    every = _run_json(place, "backlinks", "flywheel/EXP-001")["backlinks"]
    assert len(every) > 1
    assert _run_json(place, "backlinks", "flywheel/EXP-001", "-n", "1")["backlinks"] == every[:1]


def test_a_path_names_each_step(place: Place) -> None:
    way = place.ok("path", "flywheel/K-001", "sundial/K-001").splitlines()
    assert [line.split("\t")[:2] for line in way] == [
        ["flywheel/K-001", ""],
        ["flywheel/EXP-003", "→ evidence"],
        ["flywheel/EXP-002", "→ wiki"],
        ["flywheel/EXP-001", "→ links ← status"],
        ["sundial/K-001", "← text"],
    ]
    document = _run_json(place, "path", "flywheel/K-001", "sundial/K-001")
    assert [atom["ref"] for atom in document["chain"]] == [line.split("\t")[0] for line in way]
    assert len(document["edges"]) == 5
    assert len(_run_json(place, "path", "EXP-001", "EXP-001")["chain"]) == 1


def test_a_broken_atom_has_backlinks(place: Place) -> None:
    place.write("projects/flywheel/experiments/EXP-009.md", "---\nid: [\n---\nafter EXP-001\n")
    _write(place, "flywheel/K-002", "after EXP-009")
    assert place.ok("backlinks", "EXP-009").startswith("flywheel/K-002\ttext")
    assert place.ok("graph", "EXP-009", "--format", "tree").startswith(
        "flywheel/EXP-009\n└─ ← text"
    )
    assert "flywheel/K-002" in place.ok("related", "EXP-009")


def test_related_atoms_are_listed_with_every_reason(place: Place) -> None:
    _write(place, "flywheel/K-002", "about gyroscopes and bearings", evidence="[EXP-003]")
    _write(place, "flywheel/PAT-001", "gyroscopes bearings", status="invalidated")
    log = place.root / "projects/flywheel/_meta/access-log.jsonl"
    events = [("K-002.md", "one"), ("EXP-001.md", "one"), ("EXP-002.md", "other")]
    lines = [
        {"file": file, "tool": "Read", "ts": "2026-03-01T10:00:00.000Z", "session": session}
        for file, session in events
    ]
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = _run_json(place, "related", "flywheel/K-002")["related"]
    reasons = {one["ref"]: one["reasons"] for one in found}
    assert reasons["flywheel/EXP-003"]["links"] == {"share": 1.0, "detail": "→ evidence"}
    assert reasons["flywheel/K-001"]["shared-evidence"]["detail"] == "flywheel/EXP-003"
    assert reasons["flywheel/EXP-001"]["shared-reads"]["detail"] == "1 session"
    assert reasons["flywheel/PAT-001"]["similar-text"]["share"] > 0
    assert "shared-reads" not in reasons.get("flywheel/EXP-002", {})
    scores = [one["score"] for one in found]
    assert scores == sorted(scores, reverse=True)
    assert _run_json(place, "related", "flywheel/K-002", "-n", "1")["related"] == found[:1]
    row = place.ok("related", "flywheel/K-002").splitlines()[0].split("\t")
    assert row[2].startswith("links 1.00 (→ evidence)")
    assert place.git("status", "--porcelain", "--", ".cortexfs") == ""


def test_field_names_do_not_count_as_shared_words(place: Place) -> None:
    _write(place, "flywheel/K-002", "gyroscopes")
    for ident in ("PAT-001", "PAT-002"):
        _write(place, f"flywheel/{ident}", "a summary and tags, the date of the project")
    found = _run_json(place, "related", "flywheel/K-002").get("related", [])
    assert not {"flywheel/PAT-001", "flywheel/PAT-002"} & {one["ref"] for one in found}


def test_the_text_of_an_atom_is_not_interpreted_by_the_terminal(place: Place) -> None:
    evil = '"\\e]0;owned\\a\\e[31m\\"]; n9[\\"red"'
    _write(place, "flywheel/K-002", "after EXP-003", **{"summary": evil, '"a|b\\e[1m"': "EXP-003"})
    for words in (
        *(("graph", "EXP-003", "--format", form) for form in ("table", "tree", "mermaid", "dot")),
        ("backlinks", "EXP-003"),
        ("path", "EXP-003", "flywheel/K-002"),
        ("related", "EXP-003"),
    ):
        output = place.ok(*words)
        assert "owned" in output
        assert not {"\x1b", "\x07"} & set(output)


def test_the_graph_of_a_read_only_tree_can_be_queried(place: Place) -> None:
    state = place.root / ".cortexfs"
    place.ok("list")
    for path in state.glob("catalog*"):
        path.unlink()
    state.chmod(0o500)
    try:
        assert "flywheel/EXP-002" in place.ok("backlinks", "EXP-001")
    finally:
        state.chmod(0o700)


def test_a_map_has_all_atoms_with_their_links_and_filters_apply(place: Place) -> None:
    whole = _run_json(place, "graph")
    refs = [atom["ref"] for atom in whole["atoms"]]
    assert sorted(refs) == [
        "flywheel/EXP-001",
        "flywheel/EXP-002",
        "flywheel/EXP-003",
        "flywheel/K-001",
        "flywheel/K-002",
        "sundial/K-001",
    ]
    linked = {(refs[source], refs[target]) for source, target in whole["edges"]}
    assert ("flywheel/K-001", "flywheel/EXP-003") in linked
    assert ("sundial/K-001", "flywheel/EXP-001") in linked
    counts = {atom["ref"]: atom["links"] for atom in whole["atoms"]}
    assert counts["flywheel/K-002"] == 0
    part = _run_json(place, "graph", "--kind", "knowledge")
    assert {atom["ref"] for atom in part["atoms"]} == {ref for ref in refs if "/K-" in ref}
    assert part["edges"] == []


def test_a_map_with_a_limit_keeps_the_atoms_with_most_links(place: Place) -> None:
    part = _run_json(place, "graph", "-n", "3")
    assert len(part["atoms"]) == 3
    assert part["omitted"] == 3
    assert "flywheel/K-002" not in {atom["ref"] for atom in part["atoms"]}


def test_a_picture_is_of_one_atom_or_of_all(place: Place) -> None:
    whole, near = (place.ok("graph", *ref, "--format", "svg") for ref in ((), ("flywheel/K-001",)))
    assert [picture.count("<circle") for picture in (whole, near)] == [6, 2]
    assert place.run("graph", "--format", "tree").code == 2


def test_atoms_stay_where_they_were_on_the_map(place: Place) -> None:
    before = {atom["ref"]: atom["place"] for atom in _run_json(place, "graph")["atoms"]}
    _write(place, "sundial/EXP-001", links="[sundial/K-001]")
    after = {atom["ref"]: atom["place"] for atom in _run_json(place, "graph")["atoms"]}
    assert before.items() <= after.items()
    part = {
        atom["ref"]: atom["place"]
        for atom in _run_json(place, "graph", "--kind", "knowledge")["atoms"]
    }
    assert part.items() <= after.items()


def test_a_map_that_has_grown_much_is_laid_out_anew(place: Place) -> None:
    before = {atom["ref"]: atom["place"] for atom in _run_json(place, "graph")["atoms"]}
    for number in range(10):
        _write(place, f"sundial/EXP-{number:03d}", links="[sundial/K-001]")
    after = {atom["ref"]: atom["place"] for atom in _run_json(place, "graph")["atoms"]}
    assert any(after[ref] != before[ref] for ref in before)
