"""`find` on a real tree: the best atom first, and no query is an error."""

from __future__ import annotations

import json
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from soak_cases import leave_rows_to_soak
from unprivileged import CORTEXFS, run_unprivileged

from cortexfs.errors import NoSuchKind, NoSuchProject, NoSuchStatus, NoSuchTag
from cortexfs.interfaces.cli.process_context import read_clock
from cortexfs.interfaces.cli.rich_results import render_results
from cortexfs.operations.find import find
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from place import Place

pytestmark = pytest.mark.usefixtures("full_text")
RECALL = """
from cortexfs.session.session import Session
from cortexfs.errors import NoSuchKind, NoSuchProject, NoSuchStatus, NoSuchTag
from cortexfs.interfaces.cli.process_context import read_clock
print(Session.open(".", read_clock).catalog.get_value("mark"))
"""
ATOM = """---
id: {id}
date: 2026-04-01
project: flywheel
summary: {summary}
tags: [{tags}]
status: {status}
---

## Background

{body}
"""


def _write(tree: Place, ident: str, summary: str, body: str = "", **more: str) -> str:
    fields = {"tags": "a", "status": "valid", **more}
    path = f"projects/flywheel/experiments/{ident}.md"
    tree.write(path, ATOM.format(id=ident, summary=summary, body=body, **fields))
    return path


def _found(place: Place, *words: str) -> list[dict[str, Any]]:
    ran = place.run("find", "--json", *words)
    document = json.loads(ran.out)
    assert ran.code == (0 if document["found"] or document["pages"] else 1), ran.err
    return list(document["found"])


def _refs(place: Place, *words: str) -> list[str]:
    return [hit["ref"].rpartition("/")[2] for hit in _found(place, *words)]


@pytest.mark.parametrize(
    ("asked", "best"),
    leave_rows_to_soak(
        [
            ("why does the probe read wetter when it is warm", "greenhouse/EXP-003a"),
            ("gaps as a presence bitmap only in blocks that have any", "driftwood/EXP-012"),
            ('"single-precision intermediates"', "driftwood/EXP-009"),
            ("EXP-009 kind:experiment project:driftwood", "driftwood/EXP-009"),
            ("src/swing.rs:49", "driftwood/EXP-007"),
            ("greenhouse lettuce kind:idea", "IDEA-002"),
        ],
        every=3,
    ),
)
def test_typical_questions_find_the_right_atom_first(sample: Place, asked: str, best: str) -> None:
    assert _found(sample, asked)[0]["ref"] == best


def test_a_ref_or_a_path_finds_its_atom_first(sample: Place, soak: bool) -> None:
    atoms = json.loads(sample.ok("list", "--json"))["atoms"]
    every = 1 if soak else 25
    chosen = [*atoms[::every], *(atom for atom in atoms if "/" not in atom["ref"])]
    for number, atom in enumerate(chosen):
        forms = (atom["ref"], f"({atom['ref']})", f"./{atom['path']}:12")
        for asked in forms if soak else forms[number % 3 :][:1]:
            assert _found(sample, asked)[0]["ref"] == atom["ref"], asked
    assert "driftwood/EXP-006" not in _refs(sample, "driftwood/EXP-006 -residuals")
    assert "driftwood/EXP-006" not in _refs(sample, "driftwood/EXP-006 KIND:knowledge")


def test_unreadable_files_are_counted_with_the_answer(tree: Place) -> None:
    _write(tree, "EXP-001", "walrus")
    for command in (("find", "walrus"), ("list",)):
        assert "unreadable" not in json.loads(tree.ok(*command, "--json"))
    tree.write("projects/flywheel/experiments/EXP-002.md", "---\nid: [walrus\n---\n")
    for command in (("find", "walrus"), ("list",)):
        assert tree.run(*command).err.startswith("1 unreadable file left out")
        assert json.loads(tree.ok(*command, "--json"))["unreadable"] == 1


def test_an_atom_is_found_as_soon_as_it_is_written_changed_moved_and_gone(tree: Place) -> None:
    path = _write(tree, "EXP-001", "the walrus sings")
    assert _refs(tree, "walrus") == ["EXP-001"]
    _write(tree, "EXP-001", "the otter sings")
    assert _refs(tree, "walrus") == []
    assert _refs(tree, "otters") == ["EXP-001"]
    (tree.root / path).rename((tree.root / path).with_name("EXP-002.md"))
    assert _found(tree, "otter")[0]["path"].endswith("EXP-002.md")
    (tree.root / path).with_name("EXP-002.md").unlink()
    assert _refs(tree, "otter") == []


def test_filters_may_be_words_of_the_query_or_options(tree: Place) -> None:
    _write(tree, "EXP-001", "walrus one", tags="sea, cold")
    _write(tree, "EXP-002", "walrus two", tags="sea", status="challenged")
    assert set(_refs(tree, "walrus tag:sea")) == {"EXP-001", "EXP-002"}
    assert _refs(tree, "walrus tag:sea tag:cold") == ["EXP-001"]
    assert _refs(tree, "walrus", "--tag", "Cold") == ["EXP-001"]
    assert _refs(tree, "walrus status:challenged") == ["EXP-002"]
    assert _refs(tree, "walrus", "--status", "challenged") == ["EXP-002"]
    assert _refs(tree, "status:challenged") == ["EXP-002"]
    assert _refs(tree, "walrus kind:knowledge") == []
    assert _refs(tree, "walrus since:2026-04-02") == []
    assert _refs(tree, "walrus", "--without", "two") == ["EXP-001"]
    assert _refs(tree, "walrus -one") == ["EXP-002"]
    assert _refs(tree, "walrus -tag:cold -kind:pattern") == ["EXP-002"]
    assert _refs(tree, "--", "-status:challenged") == ["EXP-001"]
    assert _refs(tree, "walrus -since:2020") == []
    assert _refs(tree, '"walrus two"') == ["EXP-002"]
    assert _refs(tree, '"two walrus"') == []


def test_the_tags_of_several_filters_are_looked_up_once(tree: Place) -> None:
    _write(tree, "EXP-001", "walrus", tags="sea")
    session, statements = Session.open(str(tree.root), read_clock), list[str]()
    find(session, "walrus")
    session.catalog.db.set_trace_callback(statements.append)
    with suppress(NoSuchTag):
        find(session, "walrus -tag:sea -tag:seas tag:sea")
    assert sum("fields LIKE '%\"tags" in each for each in statements) == 1
    session.close()


def test_filters_of_any_number_are_no_error(tree: Place) -> None:
    tags = [chr(0x4E00 + number) for number in range(1900)]  # short: all are in one query
    _write(tree, "EXP-001", "walrus", tags=", ".join(tags))
    assert _refs(tree, f"walrus tag:{','.join(tags)}") == ["EXP-001"]


def test_an_entity_that_is_no_valid_text_finds_nothing(tree: Place) -> None:
    _write(tree, "EXP-001", "walrus in src/ice.rs")
    assert _refs(tree, "walrus entity:\udc80") == []
    assert _refs(tree, "walrus", "--entity", "src/\udc80") == []
    assert _refs(tree, "walrus -entity:\udc80") == ["EXP-001"]


def test_an_entity_finds_the_atoms_that_mention_it(tree: Place) -> None:
    _write(tree, "EXP-001", "s", "walrus in src/sea/ice.rs, see https://example.org/a,b")
    _write(tree, "EXP-002", "s", "walrus in src/sea/ice.rs.orig, not in src/land.rs")
    _write(tree, "EXP-003", "s", "walrus in src/land.rs")
    assert _refs(tree, "walrus", "--entity", "src/sea/ice.rs") == ["EXP-001"]
    assert _refs(tree, "walrus entity:src/sea/ice.rs") == ["EXP-001"]
    assert _refs(tree, "entity:https://example.org/a,b") == ["EXP-001"]
    assert set(_refs(tree, "--entity", "LAND.rs")) == {"EXP-002", "EXP-003"}
    assert _refs(tree, "--entity", "src/land.rs", "--", "walrus -entity:src/sea/ice.rs.orig") == [
        "EXP-003"
    ]
    assert tree.run("find", "--entity", "nobody.rs").code == 1
    assert _refs(tree, "walrus", "--entity", "%") == []
    ran = tree.run("find")
    assert (ran.code, "there is no query" in ran.err) == (2, True)


def test_an_unknown_option_value_is_refused_with_the_nearest(sample: Place) -> None:
    assert "driftwood" in sample.run("find", "x", "--project", "driftwod").err
    assert sample.run("find", "x", "--kind", "experimnt").code == 3
    assert sample.run("find", "x", "--since", "soon").code == 2
    assert sample.run("find", "x", "--limit", "9223372036854775800").code == 2


def test_overturned_atoms_are_ranked_last_and_labelled(tree: Place) -> None:
    _write(tree, "EXP-001", "walrus", status="invalidated: EXP-002")
    _write(tree, "EXP-002", "walrus", status="superseded: EXP-003")
    _write(tree, "EXP-003", "walrus")
    assert _refs(tree, "walrus") == ["EXP-003", "EXP-002", "EXP-001"]
    lines = tree.ok("find", "walrus").splitlines()
    assert "flywheel/EXP-002 (superseded)  walrus" in lines
    assert "flywheel/EXP-001 (invalidated)  walrus" in lines


def test_often_read_atoms_rank_before_equals(tree: Place) -> None:
    for number in range(1, 4):
        _write(tree, f"EXP-00{number}", "walrus")
    for _ in range(3):
        tree.ok("show", "EXP-003")
    assert _refs(tree, "walrus") == ["EXP-003", "EXP-001", "EXP-002"]
    assert "reads +5.0%" in tree.ok("find", "walrus", "--explain")


def test_what_surrounds_an_atom_is_explained(tree: Place) -> None:
    for number in range(1, 60):
        _write(tree, f"EXP-{10 * number:03d}", f"filler {number}")
    _write(tree, "EXP-611", "walrus")
    together = [f"EXP-{number}" for number in range(700, 706)]
    for ident in together:
        _write(tree, ident, "walrus")
    assert set(_refs(tree, "walrus")[:6]) == set(together)
    near, *_, far = [hit["explanation"]["factors"] for hit in _found(tree, "walrus", "--explain")]
    assert near["context"] > 1
    assert "context" not in far
    assert f"context +{near['context'] - 1:.1%}" in tree.ok("find", "walrus", "--explain")


def test_a_full_result_counts_as_a_read_and_a_preview_does_not(tree: Place) -> None:
    path = _write(tree, "EXP-001", "walrus", "the whole of it")
    tree.ok("find", "walrus")
    assert "EXP-001" not in tree.ok("access", "top")
    assert tree.ok("find", "walrus", "--full") == tree.read(path)
    assert "EXP-001" in tree.ok("access", "top")


def test_hostile_text_is_printed_without_effect(tree: Place) -> None:
    body = "walrus \x1b[31mred \x1b]8;;http://x\x07 [bold]b[/bold] [/] \u202e <b> `"
    _write(tree, "EXP-001", r'"walrus [red]\e[31m"', body)
    for words in (
        ["find", "walrus"],
        ["find", "walrus", "--explain"],
        ["find", "--full", "walrus"],
    ):
        out = tree.ok(*words)
        assert "\x1b" not in out
        assert "\u202e" not in out
        assert "[bold]" in out


def test_more_than_32_tags_are_refused(tree: Place) -> None:
    many = [word for number in range(1500) for word in ("--tag", f"t{number}")]
    refused = tree.run("find", "walrus", *many)
    assert (refused.code, refused.out) == (2, "")
    assert "more than 32 tags" in refused.err


def test_a_file_is_found_by_its_name_alone(tree: Place) -> None:
    _write(tree, "EXP-001", "one", "what `src/pack.rs` does")
    _write(tree, "EXP-002", "two", "rs pack: what `src/unpack.rs` does")
    assert _refs(tree, "pack.rs") == ["EXP-001", "EXP-002"]


def test_a_read_only_tree_can_be_searched(tree: Place) -> None:
    _write(tree, "EXP-001", "walrus")
    (tree.root / ".cortexfs" / "lock").unlink(missing_ok=True)
    for path in (tree.root / ".cortexfs").glob("catalog-*"):
        path.unlink()
    (tree.root / ".cortexfs").chmod(0o500)
    try:
        assert _refs(tree, "walrus") == ["EXP-001"]
    finally:
        (tree.root / ".cortexfs").chmod(0o700)


def test_a_read_only_catalog_is_updated_in_memory(tree: Place) -> None:
    path = _write(tree, "EXP-001", "walrus")
    _write(tree, "EXP-002", "walrus")
    tree.ok("find", "walrus")
    catalog = Session.open(str(tree.root), read_clock).catalog
    catalog.set_value("mark", "left")
    catalog.close()
    tree.write(path, tree.read(path).replace("walrus", "otter"))
    (tree.root / ".cortexfs").chmod(0o500)
    program = [sys.executable, "-c", RECALL]
    assert run_unprivileged(tree, *program).stdout == "left\n"
    for sought, found in {"walrus": "EXP-002", "otter": "EXP-001"}.items():
        ran = run_unprivileged(tree, *CORTEXFS, "find", sought, "--json")
        assert [hit["ref"].rpartition("/")[2] for hit in json.loads(ran.stdout)["found"]] == [found]
    (tree.root / ".cortexfs").chmod(0o700)


questions = st.text(max_size=120) | st.text('"-:*^()~{}[]+\\/#@ aNDEARotg量', max_size=60)


def test_no_query_is_an_error_or_slow(sample: Place, soak: bool) -> None:
    session = Session.open(str(sample.root), read_clock)

    @settings(max_examples=10_000 if soak else 40)
    @given(questions)
    def ask(question: str) -> None:
        began = time.thread_time()  # no other process makes it longer
        with suppress(NoSuchKind, NoSuchProject, NoSuchStatus, NoSuchTag):  # `PROJECT:0`
            find(session, question)
        assert time.thread_time() - began < 1

    find(session, "all is taken in before")
    ask()
    session.close()


@pytest.mark.parametrize(
    ("query", "without"),
    leave_rows_to_soak(
        [("walrus", "two"), ('"walrus', "two"), ("walrus " * 900, "two"), ("walrus", 'x"two')],
        every=2,
    ),
    ids=["plain", "an open quote", "a long query", "a quote"],
)
def test_excluded_words_are_left_out_of_any_query(tree: Place, query: str, without: str) -> None:
    _write(tree, "EXP-001", "walrus one x")
    _write(tree, "EXP-002", "walrus x two")
    assert _refs(tree, query, "--without", without) == ["EXP-001"]


def test_an_unquoted_minus_is_refused_with_the_right_option(tree: Place) -> None:
    for option in ("-draft", "--draft", "-notes"):  # the last is `-n otes` for Typer
        ran = tree.run("find", "walrus", option)
        assert (ran.code, "--without" in ran.err) == (2, True)
    assert "did you mean `--limit`?" in tree.run("find", "walrus", "--lmit").err
    assert "`cortexfs list --help`" in tree.run("list", "-d").err


def test_markup_of_an_atom_is_plain_text_on_a_terminal(tree: Place) -> None:
    body = "## [b]A\n\nthe walrus [/] \x1b[31m\u202e sings"
    _write(tree, "EXP-001", r'"[red]one[/]\e[31m"', body)
    hits = find(Session.open(str(tree.root), read_clock), "walrus").hits
    assert [line.rstrip() for line in render_results(hits, ["because"]).splitlines()] == [
        "flywheel/EXP-001  [red]one[/][31m",
        "    [b]A: the walrus [/] [31m sings",
        "    because",
    ]


def test_a_first_search_of_atoms_builds_no_page_index(tree: Place) -> None:
    _write(tree, "EXP-001", "The zirconium probe", "zirconium")
    assert tree.ok("find", "zirconium", "--atoms").startswith("flywheel/EXP-001")


def test_governance_files_and_loose_notes_are_found_below_the_atoms(tree: Place) -> None:
    _write(tree, "EXP-001", "The zirconium probe", "zirconium")
    tree.write("projects/flywheel/STATUS.md", "# Status\n\n## Current phase\n\nzirconium phase\n")
    tree.write("notes/lab.md", "# Lab\n\nzirconium in the lab\n")
    tree.write("notes/large.md", "zirconium " * 150_000)
    out = tree.ok("find", "zirconium").splitlines()
    assert out[0].startswith("flywheel/EXP-001")
    pages = out[out.index("pages:") + 1 :]
    assert "projects/flywheel/STATUS.md  Current phase: zirconium phase" in pages
    assert sorted(line.partition(" ")[0] for line in pages) == [
        "notes/lab.md",
        "projects/flywheel/STATUS.md",
    ]
    assert "pages:" not in tree.ok("find", "zirconium", "--atoms")
    assert "pages:" not in tree.ok("find", "zirconium kind:experiment")
    assert "notes/lab.md" not in tree.ok("find", "zirconium project:flywheel")
    assert "STATUS.md" not in tree.ok("find", "zirconium -project:flywheel")
    tree.write("notes/lab.md", "# Lab\n\nhafnium\n")
    assert tree.ok("find", "hafnium").startswith("pages:\nnotes/lab.md  Lab: hafnium")


def test_a_new_atom_without_a_text_is_not_found_by_its_template(tree: Place) -> None:
    tree.ok("new", "experiment", "-p", "flywheel", "-s", "Cold bearings are loud", "-t", "noise")
    session = Session.open(str(tree.root), read_clock)
    (hit, *_) = find(session, "bearings", with_pages=False).hits
    assert "Background" not in hit.snippet.text + hit.snippet.section
    for word in ("attainment", "behavioral", "commands", "observed", "reflection"):
        found = find(session, word, with_pages=False)
        assert hit.match.atom.ref not in [each.match.atom.ref for each in found.hits], word


def test_a_full_ref_finds_its_atom_and_what_mentions_it(sample: Place) -> None:
    session = Session.open(str(sample.root), read_clock)
    found = find(session, "driftwood/EXP-004", limit=50)
    first, *others = [hit.match.atom.ref for hit in found.hits]
    assert first == "driftwood/EXP-004"
    assert {"driftwood/EXP-008", "driftwood/PAT-001", "lighthouse/EXP-003"} <= {*others}
    assert not {"lighthouse/EXP-004", "greenhouse/EXP-004", "driftwood/EXP-001"} & {*others}
    assert [page.match.path for page in found.pages] == ["CORTEX.md"]
    both = find(session, "driftwood/EXP-004 header", limit=50)
    assert len(both.hits) > len(found.hits), "with other words a ref is one of them"
    only = find(session, "driftwood/EXP-004 project:lighthouse", limit=50)
    assert {hit.match.atom.project for hit in only.hits} == {"lighthouse"}
