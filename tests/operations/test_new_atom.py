"""`new` creates an atom of any kind in one commit, or refuses and changes nothing."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import frontmatter
import pytest
from soak_cases import leave_rows_to_soak, leave_to_soak
from terminal import talk

if TYPE_CHECKING:
    from place import Place

KINDS = """kinds:
  recipe:
    folder: recipes
    prefix: RCP
    required: [source, serves]
    sections: [Ingredients, Steps]
  memo: {index: no}
"""
ASKED = ("-p", "driftwood", "-s", "A summary | with `marks`", "-t", "a,b", "-t", "c")
EVIDENCE = ("--evidence", "EXP-001,EXP-006")
CREATED = {
    "experiment": ((), "experiments", "EXP"),
    "knowledge": (EVIDENCE, "knowledge", "K"),
    "pattern": (("--source-experiments", "EXP-001", *EVIDENCE), "patterns", "PAT"),
    "observation": (("--set", "type=fact"), "observations", "OBS"),
    "recipe": (("--set", "source=grandmother", "--set", "serves=4"), "recipes", "RCP"),
}

CHOICES = ("--alternative", "git", "--alternative", "a server")


def _status(place: Place) -> str:
    return place.git("status", "--porcelain")


def _head(place: Place) -> str:
    return place.git("rev-parse", "HEAD")


@pytest.mark.parametrize("kind", leave_to_soak(CREATED, every=2))
def test_each_kind_gets_the_next_id_its_fields_its_index_and_one_commit(
    sample: Place, kind: str
) -> None:
    more, folder, prefix = CREATED[kind]
    sample.write("cortexfs.yaml", KINDS)
    sample.git("add", ".")
    sample.git("commit", "-qm", "kinds")
    before = _head(sample).strip()
    above = sample.root / "projects/driftwood" / folder
    taken = [int(re.findall(r"\d+", path.name)[0]) for path in above.glob(f"{prefix}-*.md")]
    document = json.loads(sample.ok("new", kind, *ASKED, *more, "--json"))
    ident = f"{prefix}-{max(taken, default=0) + 1:03d}"
    assert document["created"]["ref"] == f"driftwood/{ident}"
    path = document["created"]["path"]
    assert path == f"projects/driftwood/{folder}/{ident}.md"
    fields = frontmatter.loads(sample.read(path)).metadata
    assert fields["id"] == ident
    assert fields["summary"] == ASKED[3]
    assert fields["tags"] == ["a", "b", "c"]
    assert "refs" not in fields
    assert f"[{ident}]({ident}.md)" in sample.read(f"projects/driftwood/{folder}/index.md")
    assert sample.git("rev-list", f"{before}..HEAD").split() == [document["commit"]]
    assert _status(sample) == ""
    assert not [
        found
        for found in json.loads(sample.run("check", "driftwood", "--json").out)["findings"]
        if found["path"] == path
    ]


@pytest.mark.parametrize(
    ("words", "ref", "path"),
    [
        (["new", "idea", "-s", "Tides as a clock"], "IDEA-003", "ideas/IDEA-003.md"),
        (
            ["decision", "new", "-p", "lighthouse", "-s", "Use git, not a server!", *CHOICES],
            "lighthouse/DR-0003",
            "projects/lighthouse/decisions/0003-use-git-not-a-server.md",
        ),
        (["decision", "new", "-s", "Ünï", *CHOICES], "DR-0004", "decisions/DR-0004-n.md"),
    ],
)
def test_ideas_and_decisions_are_listed_in_their_folder(
    sample: Place, words: list[str], ref: str, path: str
) -> None:
    assert sample.ok(*words, "-t", "a") == f"{ref}\t{path}\n"
    listing = f"{path.rpartition('/')[0]}/CORTEX.md"
    assert path.rpartition("/")[2] in sample.read(listing)
    assert _status(sample) == ""


def test_an_atom_of_a_kind_without_projects_is_refused_in_a_project(sample: Place) -> None:
    head = _head(sample)
    ran = sample.run("new", "idea", "-p", "driftwood", "-s", "a tide table on paper")
    assert (ran.code, ran.out) == (3, "")
    assert "the kind `idea` belongs to no project" in ran.err
    assert (_head(sample), _status(sample)) == (head, "")


@pytest.mark.parametrize(
    ("words", "message"),
    leave_rows_to_soak(
        [
            (["knowledge", "-s", "x", "-t", "a"], "--evidence"),
            (["pattern", "-s", "x", "-t", "a"], "--source-experiments"),
            (["experiment", "-t", "a"], "--summary"),
            (["experiment", "-t", "a", "-s", " "], "--summary"),
            (["observation", "-s", "x"], "--set type="),
            (["knowledge", "-s", "x", "-t", "a", "--evidence", "EXP-998"], "no atom named"),
            (["experiment", "-s", "x", "-t", "a", "--link", "greenhouse/EXP-099"], "no atom named"),
            (["knowledge", "-s", "x", "-t", "a", "--evidence", "nothing"], "no atom named"),
            (["experiment", "-s", "x" * 301, "-t", "a"], "300"),
            (["experiment", "-s", "x", "-t", "a", "--set", "id=EXP-001"], "`id`"),
            (["experiment", "-s", "x", "-t", "a", "--set", "project=other"], "`project`"),
            (["experiment", "-s", "x", "-t", "a", "--set", "status=sleepy"], "bad-status"),
            (["experiment", "-s", "x", "-t", "a", "--set", "date=soon"], "bad-date"),
            (["experiment", "-s", "x", "-t", "a", "--set", "b\nad=1"], "not a valid field name"),
        ],
        every=3,
    ),
)
def test_an_atom_that_would_have_a_finding_is_refused(
    sample: Place, words: list[str], message: str
) -> None:
    head = _head(sample)
    ran = sample.run("new", *words, "-p", "driftwood")
    assert (ran.code, ran.out) == (3, "")
    assert message in ran.err
    assert (_head(sample), _status(sample)) == (head, "")


@pytest.mark.parametrize(
    ("twice", "message"),
    [
        (["-s", "x", "--set", "summary=y"], "--summary"),
        (["--set", "summary=y"], "--summary"),
        (["-s", "x", "--set", "tags=a"], "--tag"),
        (["-s", "x", "--evidence", "EXP-001", "--set", "evidence=EXP-006"], "--evidence"),
        (["-s", "x", "--set", "source-experiments=EXP-006"], "--source-experiments"),
        (["-s", "x", "--set", " links =EXP-006"], "--link"),
        (["-s", "x", "--set", "executor=a", "--set", "executor=a"], "twice"),
    ],
)
def test_options_that_repeat_or_contradict_each_other_are_refused(
    sample: Place, twice: list[str], message: str
) -> None:
    ran = sample.run("new", "experiment", "-p", "driftwood", *twice)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert " hint: " in ran.err
    assert _status(sample) == ""


def test_an_empty_tag_is_dropped(sample: Place) -> None:
    empty = ("-t", "", "-t", " , ", "--link", "", "--evidence", ",")
    path = sample.ok("new", "experiment", "-p", "driftwood", "-s", "x", *empty).split()[1]
    fields = frontmatter.loads(sample.read(path)).metadata
    assert fields["tags"] == []
    assert {"links", "evidence"}.isdisjoint(fields)
    found = json.loads(sample.run("check", "driftwood", "--json").out)["findings"]
    assert path not in [each["path"] for each in found]


@pytest.mark.parametrize(
    ("kind", "more", "second"),
    leave_rows_to_soak(
        [
            ("experiment", (), "sundial/EXP-001"),
            ("knowledge", ("--evidence", "flywheel/EXP-001"), "sundial/K-001"),
            ("decision", ("--body-file", "body.md"), "sundial/DR-0001"),
            ("observation", ("--set", "type=fact"), "sundial/OBS-002"),
        ],
        every=2,
    ),
)
def test_only_observations_are_numbered_across_projects(
    tree: Place, kind: str, more: tuple[str, ...], second: str
) -> None:
    tree.ok("project", "new", "sundial", "--goal", "Tell the time")
    tree.write("body.md", "## Alternatives\n\n1. Left\n2. Right\n")
    tree.ok("new", "experiment", "-p", "flywheel", "-s", "One", "-t", "a")
    if kind != "experiment":
        tree.ok("new", kind, "-p", "flywheel", "-s", "One", "-t", "a", *more)
    created = tree.ok("new", kind, "-p", "sundial", "-s", "Two", "-t", "a", *more)
    assert created.startswith(f"{second}\t")


def test_a_summary_of_300_characters_is_allowed(sample: Place) -> None:
    sample.ok("new", "experiment", "-p", "driftwood", "-s", "x" * 300, "-t", "a")


def test_a_user_kind_without_its_required_fields_is_refused_with_the_options_to_add(
    sample: Place,
) -> None:
    sample.write("cortexfs.yaml", KINDS)
    ran = sample.run("new", "recipe", *ASKED, "--set", "serves=4")
    assert (ran.code, "source" in ran.err) == (3, True)
    assert "serves" not in ran.err


def test_a_user_kind_without_an_index_has_none(sample: Place) -> None:
    sample.write("cortexfs.yaml", KINDS)
    sample.ok("new", "memo", *ASKED)
    folder = sample.root / "projects/driftwood/memos"
    assert [path.name for path in folder.iterdir()] == ["MEM-001.md"]


def test_an_anti_pattern_gets_its_tag(sample: Place) -> None:
    summary = "ANTI-PATTERN: trusting one run"
    path = sample.ok("new", "knowledge", "-p", "driftwood", "-s", summary, "-t", "a", *EVIDENCE)
    fields = frontmatter.loads(sample.read(path.split()[1])).metadata
    assert fields["tags"] == ["anti-pattern", "a"]


def test_the_body_comes_from_stdin_or_a_file_byte_for_byte(sample: Place) -> None:
    body = "\n# Mine\r\n\n{{summary}} — ünï\n\n---\nno: fence\n"
    piped = sample.run("new", "experiment", *ASKED, "--body-file", "-", feed=body)
    assert sample.read(piped.out.split()[1]).partition("---\n")[2].partition("---\n")[2] == body
    sample.write("../body.md", body)
    read = sample.ok("new", "experiment", *ASKED, "--body-file", "../body.md")
    assert sample.read(read.split()[1]).endswith(f"---\n{body}")


def test_a_body_that_is_not_utf8_is_refused(sample: Place) -> None:
    (sample.root.parent / "body.md").write_bytes(b"\xff\xfe")
    ran = sample.run("new", "experiment", *ASKED, "--body-file", "../body.md")
    assert (ran.code, "not UTF-8" in ran.err) == (3, True)


def test_a_dry_run_touches_nothing(sample: Place) -> None:
    head = _head(sample)
    output = sample.ok("new", "experiment", *ASKED, "--dry-run")
    assert "+id: EXP-017" in output
    assert (_head(sample), _status(sample)) == (head, "")


def test_an_atom_created_without_a_commit_is_not_part_of_the_next_commit(
    sample: Place,
) -> None:
    head = _head(sample)
    path = sample.ok("new", "experiment", *ASKED, "--no-commit").split()[1]
    assert _head(sample) == head
    assert path in sample.git("status", "--porcelain", "-uall")
    sample.ok("new", "idea", "-s", "another", "-t", "a")
    assert path in sample.git("status", "--porcelain", "-uall")


def test_the_editor_supplies_the_body_and_its_failure_creates_nothing(sample: Place) -> None:
    created = ("new", "experiment", *ASKED, "--edit")
    path = talk(sample, *created, EDITOR="sed -i s/Background/Edited/").output.split()[-1]
    assert "## Edited" in sample.read(path)
    head = _head(sample)
    assert (talk(sample, *created, EDITOR="false").code, _head(sample)) == (3, head)


def test_the_only_project_need_not_be_named(tree: Place) -> None:
    assert tree.ok("new", "experiment", "-s", "x", "-t", "a").startswith("flywheel/EXP-001\t")


def test_among_several_projects_one_must_be_named(sample: Place) -> None:
    ran = sample.run("new", "experiment", "-s", "x", "-t", "a")
    assert (ran.code, "driftwood, greenhouse, lighthouse" in ran.err) == (3, True)


def test_an_atom_of_a_project_may_cite_one_of_the_whole_tree(tree: Place) -> None:
    tree.ok("new", "idea", "-s", "Tides as a clock", "-t", "a")
    path = tree.ok("new", "experiment", "-s", "Tides", "-t", "a", "--link", "IDEA-001").split()[1]
    assert "links: [IDEA-001]" in tree.read(path)


def test_evidence_of_knowledge_may_be_other_than_atoms(sample: Place) -> None:
    words = ("--evidence", "Knuth, TAOCP 3, §6.4", "--evidence", "https://example.org/a|b")
    words += ("--evidence", "src/store.py:42", "--evidence", "EXP-001,EXP-006")
    words += ("--evidence", "table 2 of lighthouse/EXP-004")
    created = sample.ok("new", "knowledge", "-p", "driftwood", "-s", "So it is", "-t", "a", *words)
    ref, path = created.split()
    fields = frontmatter.loads(sample.read(path)).metadata
    assert fields["evidence"] == [
        *("Knuth, TAOCP 3, §6.4", "https://example.org/a|b", "src/store.py:42"),
        *("EXP-001", "EXP-006", "table 2 of lighthouse/EXP-004"),
    ]
    errors = json.loads(sample.run("check", "--json").out)["errors"]
    assert errors == 0
    named = sample.ok("graph", ref, "--json")
    assert "lighthouse/EXP-004" in named
    assert "Knuth" not in named
    index = sample.read("projects/driftwood/knowledge/index.md")
    assert "Knuth, TAOCP 3, §6.4, https://example.org/a\\|b" in index


def test_a_ref_among_words_must_name_an_atom(sample: Place) -> None:
    ran = sample.run(
        *("new", "knowledge", "-p", "driftwood", "-s", "x", "-t", "a"),
        *("--evidence", "table 2 of EXP-998"),
    )
    assert ran.code == 3
    assert "no atom named `" in ran.err
    assert (
        sample.run(
            "new",
            "pattern",
            "-p",
            "driftwood",
            "-s",
            "x",
            "-t",
            "a",
            "--source-experiments",
            "a book",
        ).code
        == 3
    )
