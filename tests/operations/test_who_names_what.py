"""`entities` lists what atoms mention, and which atoms mention it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from place import Place


def _list_mentions(place: Place, *words: str) -> list[dict[str, Any]]:
    document = json.loads(place.run("entities", "--json", *words).out)
    return list(document.get("mentions", document.get("entities")))


def test_entities_lists_the_atoms_that_mention_a_file(sample: Place) -> None:
    found = _list_mentions(sample, "src/pack.rs")
    assert found
    for each in found:
        lines = sample.read(each["path"]).splitlines()
        assert "src/pack.rs" in lines[each["line"] - 1]
    assert {each["path"] for each in found} == {
        path.relative_to(sample.root).as_posix()
        for path in sample.root.glob("projects/*/*/*-*.md")
        if "src/pack.rs" in path.read_text()
    }


def test_part_of_a_name_matches_when_no_entity_has_that_name(sample: Place) -> None:
    assert {each["name"] for each in _list_mentions(sample, "pack.RS")} == {"src/pack.rs"}
    assert sample.run("entities", "no/such.thing").code == 1
    assert sample.run("entities", "\udcff").code == 1


def test_the_most_mentioned_entity_comes_first_and_counts_follow_the_files(tree: Place) -> None:
    front = "---\nid: EXP-00{0}\ndate: 2026-04-01\nproject: flywheel\nsummary: s\n---\n"
    atom = f"{front}\n`src/a.py` {{1}}\n"
    path = "projects/flywheel/experiments/EXP-00{}.md"
    tree.write(path.format(1), atom.format(1, "https://example.org"))
    tree.write(path.format(2), atom.format(2, ""))
    assert [(each["name"], each["atoms"]) for each in _list_mentions(tree)] == [
        ("src/a.py", 2),
        ("https://example.org", 1),
    ]
    assert [each["name"] for each in _list_mentions(tree, "--sort", "url")] == [
        "https://example.org"
    ]
    (tree.root / path.format(1)).unlink()
    assert [(each["name"], each["atoms"]) for each in _list_mentions(tree)] == [("src/a.py", 1)]
    assert tree.run("entities", "--sort", "colour").code == 2
