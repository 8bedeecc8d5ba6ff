"""`check --fresh` on real trees."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from place import Place

DECISION = (
    "---\nid: DR-0001\ndate: 2026-05-01\nproject: flywheel\nsummary: s\ntags: [a]\n"
    "status: accepted\n---\n\n## Context\n\nx\n\n## Alternatives\n\n1. a\n2. b\n\n"
    "## Decision\n\na\n\n## Consequences\n\nnone\n"
)


def _score(place: Place, *words: str) -> list[dict[str, Any]]:
    return json.loads(place.ok("check", "--fresh", "--json", *words))["fresh-session"]


def test_a_new_project_answers_all_but_decisions_and_results(tree: Place) -> None:
    (found,) = _score(tree)
    assert [p["name"] for p in found["criteria"] if p["points"] < p["weight"]] == [
        *("decisions", "why", "ground")
    ]
    assert found["pages"][0]["path"] == "projects/flywheel/CORTEX.md"


def test_a_decision_raises_the_score_once_a_page_links_to_it(tree: Place) -> None:
    before = _score(tree)[0]["score"]
    tree.write("projects/flywheel/decisions/0001-plain.md", DECISION)
    tree.write("projects/flywheel/decisions/CORTEX.md", "# Decisions\n\n- [Plain](0001-plain.md)\n")
    tree.write(
        "projects/flywheel/CORTEX.md",
        tree.read("projects/flywheel/CORTEX.md") + "\n- Decided: [here](decisions/CORTEX.md)\n",
    )
    assert _score(tree)[0]["score"] == before + 20


def test_only_a_score_below_the_minimum_exits_with_1(tree: Place) -> None:
    score = _score(tree)[0]["score"]
    assert tree.run("check", "--fresh", "--min", str(score)).code == 0
    ran = tree.run("check", "--fresh", "--min", str(score + 1))
    assert (ran.code, ran.err) == (1, f"below {score + 1}: flywheel\n")


def test_a_smaller_budget_reads_less(tree: Place) -> None:
    assert len(_score(tree, "--reads", "2")[0]["pages"]) == 2
    assert _score(tree, "--tokens", "50")[0]["tokens"] == 50


def test_the_fresh_session_test_writes_nothing(tree: Place) -> None:
    tree.ok("check", "--fresh")
    assert not tree.git("status", "--porcelain")
    assert tree.read("projects/flywheel/_meta/access-log.jsonl") == ""


def test_a_link_out_of_the_tree_is_not_followed(tree: Place) -> None:
    (tree.root.parent / "secret.md").write_text("## Goal\n\nTo be found.\n")
    (tree.root / "projects/flywheel/there.md").symlink_to(tree.root.parent / "secret.md")
    tree.write("projects/flywheel/CORTEX.md", "[a](../../../secret.md) [goal](there.md)\n")
    (found,) = _score(tree)
    assert [read["path"] for read in found["pages"]] == ["projects/flywheel/CORTEX.md"]


def test_invalid_combinations_with_fresh_are_usage_errors(tree: Place) -> None:
    for words in (("--fix", "--fresh"), ("--strict", "--fresh"), ("--min", "5")):
        assert tree.run("check", *words).code == 2, words


def test_control_characters_of_a_page_do_not_reach_the_terminal(tree: Place) -> None:
    text = "# f\n\n## Recent progress\n\n- \x1b]0;Spun\x07 round.\n\n## Current phase\n\nx\n"
    tree.write("projects/flywheel/STATUS.md", text)
    shown = tree.ok("check", "--fresh")
    assert "\x1b" not in shown
    assert "Spun round." in shown
