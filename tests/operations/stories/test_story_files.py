"""Commands about one story as a whole: show, colours, rename, rm, and how they are undone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from place import Place

PROJECT = ("-p", "flywheel")
FOLDER = "projects/flywheel"
ROAD = """Narrator: <font color=#d8bfd8>Melina stepped through the arch.</font> \
<font color=#e6e6fa>"We should not be here,"</font> Melina said.
Narrator: <font color=#87ceeb>"And yet we are,"</font> Kael replied. Kael wields the Starblade.
Narrator: <font color=#87ceeb>"Look, Melina,"</font> said Kael.
"""
HILL = "Orin: Hello, Kael.\nKael: Orin! Where is Orin's ship?\nOrin: I sold it. Orin laughed.\n"


def add(tree: Place, name: str, text: str) -> None:
    path = tree.write(f"../{name}.txt", text)
    tree.ok("story", "import", str(path), "--name", name, *PROJECT)


def snapshot(tree: Place) -> dict[str, str]:
    """Read all that a project's stories have."""
    folders = ("chats", "chunks", "entities")
    found = [path for each in folders for path in (tree.root / FOLDER).glob(f"{each}/*")]
    return {str(path.relative_to(tree.root)): path.read_text() for path in sorted(found)}


def test_colours_are_listed_and_corrected_in_the_file(tree: Place) -> None:
    add(tree, "road", ROAD)
    path = next(iter((tree.root / FOLDER / "entities").glob("ENT-*-melina.md")))
    assert (
        "## Colours\n\n- speech: #e6e6fa (confidence 0.85)\n- narration: #d8bfd8"
        in path.read_text()
    )
    found = json.loads(tree.ok("story", "colours", "--json", *PROJECT))["colours"]
    seen = {(each["name"], each["usage"], each["colour"], each["shown"]) for each in found}
    assert seen == {
        ("Melina", "speech", "#e6e6fa", True),
        ("Melina", "narration", "#d8bfd8", True),
        ("Kael", "speech", "#87ceeb", True),
    }
    text = path.read_text().replace("- speech: #e6e6fa (confidence 0.85)", "- speech: red")
    path.write_text(text)
    tree.run("story", "append", "road", "--speaker", "Narrator", *PROJECT, feed=ROAD)
    assert "\tMelina\tspeech\t#ff0000\t1.00\n" in tree.ok("story", "colours", "road", *PROJECT)
    assert path.read_text().count("speech:") == 1
    add(tree, "hill", HILL)
    assert "Melina" not in tree.ok("story", "colours", "hill", *PROJECT)
    assert tree.run("story", "colours", "moor", *PROJECT).code == 3
    assert tree.run("check").code == 0, tree.run("check").out


def test_a_story_is_shown_as_text_without_what_a_terminal_would_obey(tree: Place) -> None:
    add(tree, "road", ROAD)
    record = tree.root / FOLDER / "chats/road.jsonl"
    line = {"n": 4, "id": "x", "speaker": "E\x1b[2J\n", "role": "user", "text": "a\x1b]0;b\x07\nc"}
    record.write_text(record.read_text() + json.dumps(line) + "\n")
    shown = tree.ok("story", "show", "road", *PROJECT)
    assert shown.startswith("#1 Narrator\n    Melina stepped")
    assert shown.endswith("\n#4 E[2J\n    a\n    c\n")
    assert tree.ok("story", "show", "road", "-n", "1", *PROJECT).startswith("#4 E")
    part = json.loads(tree.ok("story", "show", "road", "--from", "2", "--to", "3", "--json"))
    assert [each["n"] for each in part["messages"]] == [2, 3]
    assert part["total"] == 4
    assert tree.run("story", "show", "road", "--from", "9", *PROJECT).code == 1


def test_an_inserted_message_is_shown_in_its_place(tree: Place) -> None:
    add(tree, "road", "Ada: one\nBo: two\nAda: three\n")
    add(tree, "road", "Ada: one\nBo: and a half\nBo: two\nAda: three\n")
    part = json.loads(tree.ok("story", "show", "road", "--to", "1", "--json"))["messages"]
    assert [each["text"] for each in part] == ["one", "and a half"]


def test_a_removed_story_takes_what_only_it_has_and_undo_brings_all_back(tree: Place) -> None:
    add(tree, "road", ROAD)
    add(tree, "hill", HILL)
    before = snapshot(tree)
    dry = tree.ok("story", "rm", "road", "--dry-run", *PROJECT)
    assert "road.jsonl" in dry
    assert snapshot(tree) == before
    done = json.loads(tree.ok("story", "rm", "road", "--json", *PROJECT))["removed"]
    assert done["records"] == [f"{FOLDER}/chats/road.jsonl"]
    assert done["atoms"] == [f"{FOLDER}/chunks/CH-0001.md"]
    names = {path.name[8:] for path in (tree.root / FOLDER / "entities").glob("ENT-*")}
    assert {"kael.md", "orin.md"} <= names
    assert "melina.md" not in names
    assert tree.git("status", "--porcelain") == ""
    assert tree.run("story", "show", "road", *PROJECT).code == 3
    tree.ok("undo")
    assert snapshot(tree) == before
    assert tree.run("check").code == 0, tree.run("check").out
    assert json.loads(tree.ok("story", "rebuild", "road", "--json"))["rebuilt"]["written"] == 0
    tree.ok("story", "rm", "road", *PROJECT)
    add(tree, "road", ROAD)
    names = {path.name[8:] for path in (tree.root / FOLDER / "entities").glob("ENT-*")}
    assert "melina.md" in names


def test_an_entity_that_a_person_edited_stays_when_its_story_goes(tree: Place) -> None:
    add(tree, "road", ROAD)
    path = next(iter((tree.root / FOLDER / "entities").glob("ENT-*-melina.md")))
    path.write_text(path.read_text() + "\nMine.\n")
    tree.ok("story", "rm", "road", *PROJECT)
    assert path.read_text().endswith("\nMine.\n")
    assert {each.name[8:] for each in path.parent.glob("ENT-*")} == {"melina.md"}


def test_an_import_is_undone(tree: Place) -> None:
    add(tree, "hill", HILL)
    before = snapshot(tree)
    add(tree, "road", ROAD)
    tree.ok("undo")
    assert snapshot(tree) == before
    add(tree, "road", ROAD)
    assert "Melina" in tree.ok("list", "entity", *PROJECT)


def test_a_story_is_renamed_with_its_chunks_and_back(tree: Place) -> None:
    add(tree, "road", ROAD)
    before = snapshot(tree)
    edited = tree.root / FOLDER / "chunks/CH-0001.md"
    assert tree.run("story", "rename", "road", "../x", *PROJECT).code == 3
    assert tree.run("story", "rename", "road", "road", *PROJECT).code == 3
    tree.ok("story", "rename", "road", "north", *PROJECT)
    assert "\nstory: north\n" in edited.read_text()
    assert "# CH-0001: north, messages 1 to 3" in edited.read_text()
    assert tree.ok("story", "list", *PROJECT).startswith("north\t3\t1\t")
    rebuilt = json.loads(tree.ok("story", "rebuild", "north", "--json"))["rebuilt"]
    assert (rebuilt["written"], rebuilt["edited"]) == (0, [])
    entities = {path: text for path, text in snapshot(tree).items() if "/entities/" in path}
    assert entities == {path: text for path, text in before.items() if "/entities/" in path}
    tree.ok("undo")
    assert snapshot(tree) == before
    edited.write_text(edited.read_text() + "\nMine.\n")
    tree.ok("story", "rename", "road", "north", *PROJECT)
    assert edited.read_text().endswith("\nMine.\n")
    rebuilt = json.loads(tree.ok("story", "rebuild", "north", "--json"))["rebuilt"]
    assert rebuilt["edited"] == [f"{FOLDER}/chunks/CH-0001.md"]
    assert tree.run("check").code == 0, tree.run("check").out
