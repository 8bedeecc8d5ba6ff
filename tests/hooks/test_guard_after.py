"""The message to an agent about the file that it has just written."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING

import pytest
from guarding import AFTER, Guard

from cortexfs.operations.guards.check_written_file import check_written_file
from cortexfs.tree.tree import Tree

if TYPE_CHECKING:
    from place import Place

EXPERIMENT = "projects/driftwood/experiments/EXP-050.md"
KNOWLEDGE = "projects/driftwood/knowledge/K-050.md"
SECTIONS = ("Background", "Execution", "Results", "Conclusion", "Reflection")
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def experiment(body: str = "", **fields: str) -> str:
    """Return an experiment without flaws, except the given fields."""
    document = {
        "id": "EXP-050",
        "date": "2026-05-06",
        "project": "driftwood",
        "summary": '"Frames of one second"',
        "tags": "[frames]",
        **fields,
    }
    front = "".join(f"{key}: {value}\n" for key, value in document.items() if value)
    return f"---\n{front}---\n" + "".join(f"\n## {name}\n" for name in SECTIONS) + body


def test_an_atom_without_findings_gets_no_message(sample: Place, guard: Guard) -> None:
    named = "EXP-001, K-001, lighthouse/EXP-001, lighthouse/DR-0001, DR-0001, IDEA-001 and EXP-050"
    sample.write(EXPERIMENT, experiment(f"\nSee {named}.\n"))
    assert guard.answer(AFTER, EXPERIMENT) == {}


def test_the_guard_reports_what_check_reports(sample: Place) -> None:
    for number, text in enumerate(WRONG, 60):
        ident = f"EXP-{number:03}"
        sample.write(f"projects/driftwood/experiments/{ident}.md", text.replace("EXP-050", ident))
    sample.write(KNOWLEDGE, experiment(id="K-050", evidence="[EXP-001, EXP-061]"))
    sample.write("projects/driftwood/STATUS.md", "- x\n" * 121)
    checked = defaultdict(set)
    for found in json.loads(sample.run("check", "--json").out)["findings"]:
        checked[found["path"]].add((found["line"], found["code"], found["message"]))
    texts = [str(p.relative_to(sample.root)) for p in sorted(sample.root.rglob("*.md"))]
    for path in texts:
        document = {
            (f.line, f.code, f.message) for f in check_written_file(Tree(str(sample.root)), path)
        }
        assert document == {f for f in checked[path] if f[1] not in OF_THE_TREE}, path
    assert sum(map(len, checked.values())) > len(WRONG)


WRONG = [
    experiment(status="superseded:EXP-001"),
    experiment("\nSee EXP-999, EXP-062 and lighthouse/EXP-060.\n"),
    experiment("\n>>>>>>> other\n", tags="", date="yesterday"),
    experiment("\n27.4 s\n", summary="ANTI-PATTERN: this", links="[K-050, EXP-998]"),
    experiment().replace("## Results\n", "## Results\n\nIt took 27.4 s.\n").replace("\n", "\r\n"),
    "---\nid: [\n---\n",
    "nothing\n",
]
OF_THE_TREE = {"index-stale", "listing-stale", "overview-stale", "one-way-link", "duplicate-id"}
"""Findings that need the whole tree."""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            experiment(status="wonderful"),
            ("line 7: error: unknown status `wonderful`", "[bad-status]"),
        ),
        (experiment(date=""), ("[missing-field]", "add the field")),
        (experiment(id="EXP-051"), ("[name-mismatch]",)),
        (experiment("\nSee EXP-999.\n"), ("error: no atom named `EXP-999` [dangling-ref]",)),
        (experiment("\nSee nowhere/EXP-001.\n"), ("no atom named `nowhere/EXP-001`",)),
        (experiment("\n<<<<<<< HEAD\n"), ("[conflict-marker]",)),
        (experiment(f"\nToken {SECRET}.\n"), ("error: a token of GitHub", "[secret]")),
        (experiment().replace("## Results\n", "## Results\n\nIt took 27.4 s.\n"), ("warning:",)),
        (experiment().replace("## Background\n", ""), ("no section Background",)),
        ("no frontmatter\n", ("[no-frontmatter]",)),
        ("---\nid: *x\n---\n", ("[yaml-feature]",)),
    ],
)
def test_findings_of_an_atom_are_reported_at_once(
    sample: Place, guard: Guard, text: str, says: tuple[str, ...]
) -> None:
    sample.write(EXPERIMENT, text)
    found = guard.read_agent_message(EXPERIMENT)
    assert found.startswith(f"cortexfs has checked {EXPERIMENT}:\n- line ")
    for part in says:
        assert part in found, found


def test_a_secret_is_not_repeated(sample: Place, guard: Guard) -> None:
    sample.write(EXPERIMENT, experiment(f"\nToken {SECRET}.\n"))
    assert SECRET not in guard.read_agent_message(EXPERIMENT)


def test_an_atom_written_a_moment_ago_can_be_cited(sample: Place, guard: Guard) -> None:
    text = experiment("\nSee EXP-051.\n")
    sample.write(EXPERIMENT, text)
    assert "dangling-ref" in guard.read_agent_message(EXPERIMENT)
    sample.write(EXPERIMENT.replace("050", "051"), experiment(id="EXP-051"))
    assert guard.read_agent_message(EXPERIMENT) == ""


def test_overturned_evidence_is_reported(sample: Place, guard: Guard) -> None:
    sample.write(EXPERIMENT, experiment(status="invalidated:EXP-001"))
    sample.write(
        KNOWLEDGE,
        experiment(id="K-050", evidence="[EXP-050]").replace("Background", "Statement, Scope"),
    )
    assert "`EXP-050` is invalidated [stale-evidence]" in guard.read_agent_message(KNOWLEDGE)


def test_a_second_decision_with_one_number_is_reported(sample: Place, guard: Guard) -> None:
    names = sorted(path.name for path in sample.root.glob("projects/lighthouse/decisions/0*.md"))
    twin = f"projects/lighthouse/decisions/{names[0][:4]}-another.md"
    text = sample.read(f"projects/lighthouse/decisions/{names[0]}")
    sample.write(twin, text)
    finding = f"is also the id of projects/lighthouse/decisions/{names[0]} [duplicate-id]"
    assert finding in guard.read_agent_message(twin)


def test_a_user_kind_is_checked_too(sample: Place, guard: Guard) -> None:
    sample.write("cortexfs.yaml", "kinds:\n  recipe:\n    required: [yield]\n")
    path = "projects/driftwood/recipes/REC-001.md"
    sample.write(path, experiment(id="REC-001"))
    assert "`yield` is required" in guard.read_agent_message(path)


@pytest.mark.parametrize(
    ("path", "text", "says"),
    [
        ("projects/driftwood/STATUS.md", "- x\n" * 121, "[over-cap]"),
        ("projects/driftwood/roadmap.md", "# R\n\n## Phase 1: A\n\nText.\n", "[bare-milestone]"),
        ("projects/driftwood/notes/plan.md", f"{SECRET}\n", "[secret]"),
        ("projects/driftwood/TASKS.yaml", "tasks: [\n", "[bad-tasks]"),
        ("cortexfs.yaml", "cap: 7\n", "no setting `cap` here"),
    ],
)
def test_governance_files_are_checked_by_their_own_rules(
    sample: Place, guard: Guard, path: str, text: str, says: str
) -> None:
    sample.write(path, text)
    assert says in guard.read_agent_message(path)


@pytest.mark.parametrize(
    "path",
    ["gone.md", ".obsidian/x.md", "projects/driftwood/.drafts/x.md", "notes.txt", "projects"],
)
def test_removed_hidden_and_foreign_files_get_no_message(
    sample: Place, guard: Guard, path: str
) -> None:
    if path not in {"gone.md", "projects"}:
        sample.write(path, f"{SECRET}\n<<<<<<< HEAD\n")
    assert guard.answer(AFTER, path) == {}


def test_a_symlink_is_reported_and_its_target_is_not_read(sample: Place, guard: Guard) -> None:
    outside = sample.root.parent / "outside.md"
    outside.write_text(f"{SECRET}\n")
    (sample.root / EXPERIMENT).symlink_to(outside)
    found = guard.read_agent_message(EXPERIMENT)
    assert "[symlink]" in found
    assert "GitHub" not in found


def test_more_than_twenty_findings_are_counted(sample: Place, guard: Guard) -> None:
    cited = "".join(f"See EXP-{number}.\n" for number in range(900, 925))
    sample.write(EXPERIMENT, experiment(f"\n{cited}"))
    found = guard.read_agent_message(EXPERIMENT)
    assert found.count("[dangling-ref]") == 20
    assert found.endswith("- and 5 more: run `cortexfs check`")


def test_at_most_a_hundred_refs_are_looked_up(sample: Place, guard: Guard) -> None:
    cited = "".join(f"See EXP-{number}.\n" for number in range(1000, 9000))
    sample.write(EXPERIMENT, experiment(f"\n{cited}"))
    of_all = guard.read_agent_message(EXPERIMENT)  # its own id is the hundredth
    assert of_all.endswith("- and 79 more: run `cortexfs check`")


def test_an_answer_fits_the_limit_of_clients(sample: Place, guard: Guard) -> None:
    long = "[" + ", ".join(f"EXP-{'9' * 700}{n}" for n in range(20)) + "]"
    sample.write(EXPERIMENT, experiment(status="\x1b[31m" + "w" * 20000, links=long))
    found = guard.read_agent_message(EXPERIMENT)
    assert len(found) <= 10_000
    assert "\x1b" not in found


def test_the_agent_is_told_how_full_a_file_is(sample: Place, guard: Guard) -> None:
    path = "projects/driftwood/STATUS.md"
    sample.write(path, "- a line\n" * 89)
    assert "nearly full" not in guard.read_agent_message(path)
    sample.write(path, "- a line\n" * 90)
    message = f"{path} is nearly full: 90 lines and 810 bytes; its cap is 120 lines"
    assert message in guard.read_agent_message(path)
    sample.write(path, "- a line\n" * 121)
    found = guard.read_agent_message(path)
    assert "nearly full" not in found
    assert "[over-cap]" in found
    sample.write("cortexfs.yaml", "caps:\n  STATUS.md:\n    lines: 200\n")
    assert "nearly full" not in guard.read_agent_message(path)
    sample.write("projects/driftwood/notes.md", "- a line\n" * 900)
    assert guard.answer(AFTER, "projects/driftwood/notes.md") == {}
