"""`story rebuild` asks the language model: its cost is shown first, and somebody confirms it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from model_server import configure_model, serve_model
from story_model import NOTHING, StoryModel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from model_server import Scripted
    from place import Place, Ran

CHUNKS = "projects/flywheel/chunks"
SMALL = "messages-per-chunk: 2\n  consolidation: {waiting: 3, chunks: 2, scenes: 2}\n"
CHAT = "".join(
    f"Melina: Kael, wait for me at bridge {n}.\nKael: I promise that I will.\n" for n in range(5)
)
SCENE, ARC = "projects/flywheel/scenes/SCN-001.md", "projects/flywheel/arcs/ARC-001.md"


@pytest.fixture
def server() -> Iterator[Scripted]:
    with serve_model() as scripted:
        scripted.replies = StoryModel(
            lambda _: NOTHING | {"importance": 8, "summary": "Kael promises to wait."},
            lambda _: {"title": "The bridge", "summary": "Kael promised Melina to wait."},
        )
        yield scripted


class Story:
    """A tree with a chat and a preset, and the user's settings of a model."""

    def __init__(self, tree: Place, server: Scripted, preset: str, **more: object) -> None:
        self.tree = tree
        self.choose(preset)
        home = tree.root.parent / "home"
        self.environ = configure_model(home, endpoint=server.url, name="tiny", **more)
        chat = tree.write("chat.txt", CHAT)
        tree.ok("story", "import", str(chat), "--name", "road", "-p", "flywheel", **self.environ)

    def choose(self, preset: str) -> None:
        self.tree.write("cortexfs.yaml", f"stories:\n  preset: {preset}\n  {SMALL}")

    def rebuild(self, *options: str) -> Ran:
        words = ("story", "rebuild", "road", "-p", "flywheel", *options)
        return self.tree.run(*words, **self.environ)

    def list_scenes(self) -> list[str]:
        folder = self.tree.root / "projects/flywheel/scenes"
        return sorted(path.stem for path in folder.glob("SCN-*.md"))


def test_the_simple_preset_has_no_scenes_and_asks_no_model(tree: Place, server: Scripted) -> None:
    story = Story(tree, server, "simple")
    assert story.rebuild("--yes").code == 0
    assert (story.list_scenes(), server.requests) == ([], [])
    assert "salience-source: heuristic\n" in tree.read(f"{CHUNKS}/CH-0001.md")


def test_the_standard_preset_makes_scenes_without_a_model(tree: Place, server: Scripted) -> None:
    story = Story(tree, server, "standard")
    assert story.rebuild("--yes").code == 0
    assert (story.list_scenes(), server.requests) == (["SCN-001", "SCN-002"], [])
    assert "source: heuristic\n" in tree.read(SCENE)


def test_the_advanced_preset_asks_the_model_about_chunks_and_scenes(
    tree: Place, server: Scripted
) -> None:
    story = Story(tree, server, "advanced")
    assert server.requests == [], "an import asks nothing"
    done = story.rebuild("--yes", "--json")
    report = json.loads(done.out)["rebuilt"]["sidecar"]
    assert report == {"chunks": 5, "summaries": 3, "invalid": 0, "failed": 0, "failure": ""}
    assert "salience-source: sidecar\n" in tree.read(f"{CHUNKS}/CH-0001.md")
    assert "source: sidecar\n" in tree.read(SCENE)
    assert "\nKael promised Melina to wait.\n" in tree.read(ARC)
    assert tree.run("check").code == 0
    again = story.rebuild("--yes")
    assert "sidecar" not in again.err
    assert "0 written, 0 removed" in again.err


def test_without_a_terminal_nothing_is_asked_unless_yes_says_so(
    tree: Place, server: Scripted
) -> None:
    story = Story(tree, server, "standard")
    refused = story.rebuild("--sidecar")
    assert refused.code == 3
    assert "nobody can confirm the requests" in refused.err
    assert "--yes" in refused.err
    dry = story.rebuild("--sidecar", "--dry-run")
    assert dry.code == 0
    assert "sidecar: at most 4 requests (5 chunks, 3 summaries)" in dry.err
    assert "20 of 20 calls left today" in dry.err
    story.choose("advanced")
    alone = story.rebuild()
    assert alone.code == 0
    assert "is not asked: nobody can confirm" in alone.err
    assert story.rebuild("--no-sidecar", "--yes").code == 0
    assert server.requests == []


def test_what_the_budget_of_the_day_leaves_is_said(tree: Place, server: Scripted) -> None:
    story = Story(tree, server, "advanced", calls_per_day=1)
    done = story.rebuild("--yes")
    assert done.code == 0
    assert "1 of 1 call left today" in done.err
    assert "the rest stays for later: raise `calls-per-day`" in done.err
    assert "all calls of the day are used; what was said is kept" in done.err
    assert "salience-source: sidecar\n" in tree.read(f"{CHUNKS}/CH-0001.md")
    none = story.rebuild("--sidecar", "--yes")
    assert none.code == 3
    assert "all calls of the day are used" in none.err


def test_without_a_model_the_advanced_preset_is_the_standard_one(
    tree: Place, server: Scripted
) -> None:
    story = Story(tree, server, "advanced")
    (tree.root.parent / "home/config/cortexfs/config.yaml").unlink()
    done = story.rebuild("--yes")
    assert done.code == 0
    assert "the language model is not asked: none is configured" in done.err
    assert story.list_scenes() == ["SCN-001", "SCN-002"]
    assert story.rebuild("--sidecar").code == 3
