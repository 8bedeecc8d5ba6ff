"""`story correct`: what a person decides about an entity, and that no build takes it back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from place import Place

FOLDER = "projects/flywheel/entities"
CHAT = (
    "Melina Vance: I am Melina Vance. Everyone calls me Mel.\n"
    "Kael: Mel, protect the gate! Then Kael betrayed Melina.\n"
    'Melina Vance: "Voss betrayed Kael," Melina sighed. Voss is a smuggler. Captain Voss laughed.\n'
    'Kael: Rook and Voss rode north. Rook smiled. "Rook!" cried Kael.\n'
    '<font color=#2e86c1>"Go,"</font> said Melina.\n'
)


@pytest.fixture
def road(tree: Place) -> Place:
    chat = tree.root.parent / "chat.txt"
    chat.write_text(CHAT)
    tree.ok("story", "import", str(chat), "--name", "road", "-p", "flywheel")
    return tree


def correct(place: Place, *words: str) -> str:
    """Correct an entity, and see that a rebuild changes nothing after it."""
    printed = place.ok("story", "correct", *words, "-p", "flywheel")
    after = place.git("rev-parse", "HEAD")
    place.ok("story", "rebuild", "road", "-p", "flywheel")
    assert place.git("rev-parse", "HEAD") == after
    assert place.git("status", "--porcelain") == ""
    return printed


def list_names(place: Place) -> dict[str, str]:
    rows = json.loads(place.ok("list", "entity", "-p", "flywheel", "--json"))["atoms"]
    return {row["id"]: row["summary"] for row in rows}


def read(place: Place, name: str) -> str:
    (ident,) = (ident for ident, each in list_names(place).items() if each == name)
    (path,) = (place.root / FOLDER).glob(f"{ident}-*.md")
    return path.read_text()


def test_a_renamed_entity_is_called_so_by_others_too_and_found_by_both_names(road: Place) -> None:
    correct(road, "Kael", "rename", "Kael the Grey")
    assert "aliases: [Kael]" in read(road, "Kael the Grey")
    assert "enemy: Kael the Grey ENT-" in read(road, "Voss")
    correct(road, "Kael", "status", "deceased")
    assert "status: deceased" in read(road, "Kael the Grey")


def test_an_entity_may_get_the_name_that_was_an_alias(road: Place) -> None:
    before = len(list_names(road))
    correct(road, "Melina Vance", "rename", "Melina")
    assert "aliases: [Mel, Melina Vance]" in read(road, "Melina")
    assert len(list_names(road)) == before


def test_two_entities_become_one_with_the_name_and_the_id_of_the_first(road: Place) -> None:
    names = list_names(road)
    (path,) = (road.root / FOLDER).glob("*-rook.md")
    path.write_text(f"{path.read_text()}\n## Facts\n\n- [i:8] snores\n")
    (kael,) = (road.root / FOLDER).glob("*-kael.md")
    (rook,) = (ident for ident, name in names.items() if name == "Rook")
    kael.write_text(f"{kael.read_text()}\n- ally: Rook {rook}, a bet\n")
    road.ok("commit", FOLDER)
    correct(road, "Voss", "merge", "Rook")
    assert list_names(road) == {ident: name for ident, name in names.items() if ident != rook}
    voss = read(road, "Voss")
    assert "aliases: [Captain Voss, Rook]" in voss
    assert "mentions: 7" in voss
    assert "- [i:8] snores" in voss
    assert rook not in read(road, "Kael")
    assert ", a bet" in read(road, "Kael")
    assert "dangling-ref" not in road.run("check").out
    road.ok("undo")
    assert list_names(road) == names


def test_a_renamed_entity_can_be_merged_and_split_like_any_other(road: Place) -> None:
    correct(road, "Voss", "strike-relation", "kael")
    correct(road, "Kael", "rename", "Kael the Grey")
    correct(road, "Kael the Grey", "merge", "Rook")
    assert "mentions: 8" in read(road, "Kael the Grey")
    assert "enemy: Kael" not in read(road, "Voss")
    correct(road, "Kael the Grey", "split", "Rook")
    assert {"Kael the Grey", "Rook"} <= set(list_names(road).values())
    assert "aliases: [Kael]" in read(road, "Kael the Grey")


def test_a_split_alias_has_an_entity_of_its_own_with_a_new_id(road: Place) -> None:
    correct(road, "Voss", "merge", "Rook")
    known = set(list_names(road))
    printed = correct(road, "Voss", "split", "Rook").strip()
    new = printed.rpartition("/")[2]
    assert list_names(road)[new] == "Rook"
    assert new not in known
    assert "Rook" not in read(road, "Voss").partition("## ")[0]
    correct(road, "Voss", "split", "Captain Voss")
    assert {"Voss", "Captain Voss", "Rook"} <= set(list_names(road).values())


def test_an_alias_that_no_chat_has_cannot_be_split_off(road: Place) -> None:
    correct(road, "Voss", "alias", "The Eel")
    assert "aliases: [Captain Voss, The Eel]" in read(road, "Voss")
    ran = road.run("story", "correct", "Voss", "split", "The Eel", "-p", "flywheel")
    assert (ran.code, "no chat names somebody so" in ran.err) == (3, True)
    correct(road, "Voss", "strike-alias", "The Eel")
    assert "The Eel" not in read(road, "Voss")


def test_facts_and_relations_are_struck_by_a_part_of_their_text(road: Place) -> None:
    correct(road, "Voss", "fact", "[i:9] Is left-handed")
    assert "- [i:9] Is left-handed" in read(road, "Voss")
    correct(road, "Voss", "strike-fact", "smuggler")
    assert "is a smuggler" not in read(road, "Voss")
    assert "enemy: Kael" in read(road, "Voss")
    correct(road, "Voss", "strike-relation", "kael")
    assert "enemy: Kael" not in read(road, "Voss")


def test_what_is_no_entity_does_not_come_back(road: Place) -> None:
    correct(road, "Rook", "remove")
    assert "Rook" not in list_names(road).values()


def test_a_colour_is_given_to_whom_it_belongs(road: Place) -> None:
    assert "#2e86c1" in read(road, "Melina Vance")
    correct(road, "Melina", "owner", "#2e86c1", "--to", "Kael")
    assert "#2e86c1" not in read(road, "Melina Vance")
    assert "- speech: #2e86c1\n" in read(road, "Kael")
    correct(road, "Kael", "usage", "#2e86c1", "--to", "thought")
    assert "- thought: #2e86c1\n" in read(road, "Kael")
    correct(road, "Kael", "strike-colour", "#2e86c1")
    assert "#2e86c1" not in read(road, "Kael")


def test_who_has_lost_a_colour_to_its_owner_gets_another_one_when_the_chat_shows_it(
    road: Place,
) -> None:
    correct(road, "Melina", "owner", "#2e86c1", "--to", "Kael")
    for text in ("Go on", "Stay"):
        said = f'<font color=#2e86c1>"{text},"</font> said Melina.'
        road.run(
            "story", "append", "road", "--speaker", "Melina Vance", "-p", "flywheel", feed=said
        )
    assert "#2e86c1" not in read(road, "Melina Vance")
    said = '<font color=#aa0000>"Wait,"</font> said Melina.'
    road.run("story", "append", "road", "--speaker", "Melina Vance", "-p", "flywheel", feed=said)
    assert "- speech: #aa0000 (confidence 0.85)" in read(road, "Melina Vance")
    assert "- speech: #2e86c1\n" in read(road, "Kael")


def test_a_dry_run_shows_all_files_and_touches_nothing(road: Place) -> None:
    before = road.git("rev-parse", "HEAD")
    plan = road.ok("story", "correct", "Kael", "rename", "Kay", "-p", "flywheel", "--dry-run")
    assert '+summary: "Kay"' in plan
    assert "+- enemy: Kay ENT-" in plan
    assert road.git("rev-parse", "HEAD") == before
    assert road.git("status", "--porcelain") == ""


def test_what_cannot_be_is_refused_with_what_can(road: Place) -> None:
    for words, code, part in (
        (("Kael", "rename", "Voss"), 3, "merge ENT-"),
        (("Kael", "alias", "Captain Voss"), 3, "is called 'Captain Voss'"),
        (("Kael", "merge", "Kael"), 3, "name the other one"),
        (("Kael", "rename"), 3, "needs a value"),
        (("Kael", "owner", "--to", "Voss"), 3, "name the colour"),
        (("Kael", "owner", "red", "--to", "Voss"), 3, "does not say `red`"),
        (("Kael", "type", "dragon"), 3, "character, location"),
        (("Kael", "type", "item", "--to", "event"), 2, "takes no --to"),
        (("Kael", "remove", "now"), 2, "takes no more words"),
        (("Kael", "strike-fact", "x", "--to", "y"), 2, "takes no --to"),
        (("Kael", "explode"), 2, "is not one of"),
        (("Nobody", "remove"), 3, "no atom named"),
        (("CH-0001", "remove"), 3, "is no entity"),
    ):
        ran = road.run("story", "correct", *words, "-p", "flywheel")
        assert (ran.code, part in ran.err) == (code, True), (words, ran)
    assert road.git("status", "--porcelain") == ""


def test_the_same_again_changes_nothing(road: Place) -> None:
    correct(road, "Kael", "type", "faction")
    before = road.git("rev-parse", "HEAD")
    road.ok("story", "correct", "Kael", "type", "faction", "-p", "flywheel")
    assert road.git("rev-parse", "HEAD") == before
