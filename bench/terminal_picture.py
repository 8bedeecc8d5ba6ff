"""Draw the picture of docs/tui.md: `python -m bench.terminal_picture`.

It opens the panel on a copy of the sample tree and writes docs/tui.svg, without fonts or anything
else from other sites.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from bench.measure import make_environment
from cortexfs.interfaces.tui.app import PanelApp
from cortexfs.interfaces.tui.page import PanelContext
from cortexfs.interfaces.tui.themes import DARK
from cortexfs.session.session import Session

REPOSITORY = Path(__file__).resolve().parent.parent
PICTURE = REPOSITORY / "docs" / "tui.svg"
NOW = datetime(2026, 5, 6, 20, 31, tzinfo=UTC)
SIZE = (100, 24)


async def draw(root: Path) -> str:
    """Return the picture of the decisions."""
    session = Session.open(str(root), lambda: NOW)
    app = PanelApp(PanelContext(session, str(root), os.environ, "ada"), DARK)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("7")
        await app.workers.wait_for_complete()
        await pilot.pause()
        picture = app.export_screenshot(title="cortexfs tui")
    session.close()
    return picture


def main() -> None:
    """Write the picture."""
    with tempfile.TemporaryDirectory(prefix="cortexfs-picture-") as folder:
        os.environ.clear()
        os.environ.update(make_environment(Path(folder)))
        root = Path(folder, "tree")
        shutil.copytree(REPOSITORY / "sample-context", root)
        for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "start"]):
            subprocess.run(["git", *words], cwd=root, check=True)
        picture = asyncio.run(draw(root))
    picture = re.sub(r"\s*@font-face \{.*?\}(?=\n)", "", picture, flags=re.DOTALL)
    PICTURE.write_text(picture.replace("Fira Code, monospace", "ui-monospace, monospace"))


if __name__ == "__main__":
    main()
