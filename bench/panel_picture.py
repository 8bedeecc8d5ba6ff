"""Take the pictures of the panel for docs/panel.md: `python -m bench.panel_picture`.

Needs the extra `server`, playwright, pillow and Chromium. The sample is served from a copy; each
picture is taken in the light and in the dark theme, and stored in few colours.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.measure import make_environment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

REPOSITORY = Path(__file__).resolve().parent.parent
PROGRAM = str(Path(sys.executable).parent / "cortexfs")
SIZE = {"width": 1280, "height": 800}
SELECT_ATOM = """
const search = document.querySelector("[data-graph-search]");
search.value = "EXP-006 blocks";
search.dispatchEvent(new Event("input"));
search.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
"""
STORY = "/stories/dunmere/ferry"
STORY_SETTINGS = """
stories:
  messages-per-chunk: 4
  consolidation: {waiting: 6, chunks: 3, scenes: 2}
"""
PICTURES = {
    "all": ("/all?project=driftwood", ""),
    "atom": ("/atom/driftwood/EXP-006", ""),
    "graph": ("/graph", SELECT_ATOM),
    "story": (STORY, ""),
    "chat": (f"{STORY}/chat?message=37#m37", ""),
    "people": ("/stories/entities?project=dunmere", ""),
    "relations": ("/stories/relations?project=dunmere", ""),
}
"""The page and a script for each picture."""
COLOURS = 256
REST_MS = 1000
"""Milliseconds until the scripts of a page have drawn."""


def main() -> None:
    """Write the pictures."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--chromium", default=shutil.which("chromium"), help="path of the browser")
    asked.add_argument("--only", nargs="*", choices=list(PICTURES), help="names of pictures")
    options = asked.parse_args()
    with tempfile.TemporaryDirectory(prefix="cortexfs-pictures-") as folder:
        environ = make_environment(Path(folder))
        root = Path(folder, "context")
        shutil.copytree(REPOSITORY / "sample-context", root)
        for words in (("init", "-qb", "main"), ("add", "-A"), ("commit", "-qm", "start")):
            subprocess.run(["git", *words], cwd=root, env=environ, check=True)
        add_story(root, environ)
        with serve(root, environ) as link:
            take_pictures(link, options.chromium, options.only or list(PICTURES))


@contextmanager
def serve(root: Path, environ: Mapping[str, str]) -> Iterator[str]:
    """Serve a tree, and yield a link to its panel."""
    command = [PROGRAM, "--root", str(root), "serve", "--port", "0"]
    with subprocess.Popen(command, env=environ, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr  # noqa: S101 - a pipe
            found = re.search(r"127\.0\.0\.1:(\d+)", server.stderr.readline())
            assert found  # noqa: S101 - its first line
            ui = [PROGRAM, "--root", str(root), "ui", "--link", "--port", found[1]]
            ran = subprocess.run(ui, env=environ, check=True, capture_output=True, text=True)
            yield ran.stdout.strip()
        finally:
            server.terminate()


def add_story(root: Path, environ: Mapping[str, str]) -> None:
    """Add a project with the chat that the tests use."""
    settings = root / "cortexfs.yaml"
    settings.write_text((settings.read_text() if settings.exists() else "") + STORY_SETTINGS)
    chat = str(REPOSITORY / "tests/chats/ferry.jsonl")
    for words in (
        ("project", "new", "dunmere", "--goal", "Find out what became of Edric Vale"),
        ("story", "import", chat, "--name", "ferry", "-p", "dunmere"),
    ):
        command = [PROGRAM, "--root", str(root), *words]
        subprocess.run(command, env=environ, check=True, capture_output=True)


def take_pictures(link: str, browser: str, names: Sequence[str]) -> None:
    """Write the pictures with some names, each in both themes."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only here

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page: Any = chromium.new_context(viewport=SIZE).new_page()
        page.goto(link)
        home = link.partition("/login")[0]
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            for name, (path, script) in ((each, PICTURES[each]) for each in names):
                page.goto(f"{home}{path}")
                page.wait_for_timeout(REST_MS)
                page.evaluate(f"() => {{ {script} }}")
                page.wait_for_timeout(REST_MS)
                store(page.screenshot(), REPOSITORY / f"docs/panel-{name}-{theme}.png")
        chromium.close()


def store(picture: bytes, path: Path) -> None:
    """Write a picture in its most frequent colours: a third of the bytes, the same to the eye."""
    from PIL import Image  # noqa: PLC0415 - only here

    full = Image.open(BytesIO(picture)).convert("RGB")
    counts = sorted(full.getcolors(full.width * full.height), reverse=True)[:COLOURS]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for _, colour in counts for part in colour])
    full.quantize(palette=palette, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":
    main()
