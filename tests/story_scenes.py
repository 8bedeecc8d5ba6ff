"""The scene of tests about stories: a chat of four characters, with what people did to it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from place import build_sample, build_tree

if TYPE_CHECKING:
    from place import Place

CHAT = Path(__file__).parent / "chats/ferry.jsonl"
PROJECT, STORY = "flywheel", "ferry"
FOLDER = f"projects/{PROJECT}"
PAGE = f"/stories/{PROJECT}/{STORY}"
STORY_PATHS = (
    "/stories",
    "/stories?q=fer&project=flywheel&state=current&sort=messages&order=up",
    PAGE,
    f"{PAGE}?from=1&to=16",
    f"{PAGE}/chat",
    f"{PAGE}/chat?q=ferry&speaker=Corin&mark=swiped",
    f"{PAGE}/chat?message=57",
    f"{PAGE}/chat?whole=3",
    f"{PAGE}/chunks",
    f"{PAGE}/chunks?core=yes&flag=promise&sort=salience",
    f"{PAGE}/chunks?q=nothing-like-this",
    f"{PAGE}/recall",
    f"{PAGE}/recall?q=What+did+Corin+promise%3F",
    "/stories/entities",
    "/stories/entities?type=character&sort=name&q=corin",
    "/stories/relations",
    "/stories/relations?project=flywheel&tone=bad&sort=sentiment",
    "/stories/colours",
    "/stories/colours?usage=thought&sort=confidence",
    "/salience/flywheel/CH-0003",
    "/atom/flywheel/CH-0003",
    "/atom/flywheel/ENT-001",
    "/atom/flywheel/SCN-001",
    "/atom/flywheel/ARC-001",
)
"""The pages of stories, for the tests of all pages."""
SETTINGS = (
    "stories:\n  messages-per-chunk: 4\n  consolidation: {waiting: 6, chunks: 3, scenes: 2}\n"
)


def build_story(place: Place) -> None:
    """Make a tree with the chat in the project `flywheel`, and one edited message."""
    build_tree(place)
    add_story(place)


def build_sample_with_story(place: Place) -> None:
    """Make a copy of the sample tree, and the chat in a project `flywheel`."""
    build_sample(place)
    place.ok("project", "new", PROJECT, "--goal", "Spin, and keep spinning")
    add_story(place)


def add_story(place: Place) -> None:
    """Import the chat, then a version with one edited message; commit all."""
    settings = place.root / "cortexfs.yaml"
    place.write("cortexfs.yaml", (settings.read_text() if settings.exists() else "") + SETTINGS)
    place.ok("story", "import", str(CHAT), "--name", STORY, "-p", PROJECT)
    lines = CHAT.read_text().splitlines()
    changed = {**json.loads(lines[8]), "mes": "The bell of Saltgate rings twice on the far bank."}
    second = place.root.parent / "edited.jsonl"
    second.write_text("\n".join([*lines[:8], json.dumps(changed), *lines[9:]]))
    place.ok("story", "import", str(second), "--name", STORY, "-p", PROJECT)
    second.unlink()
    place.git("add", ".")
    place.git("commit", "-qm", "a story")
    place.ok("find", "ferry")  # a copy need not read all texts again
