"""Each page looks as it should; `pytest --accept` writes the frames.

The text of all pages is in one file for each size; of one page there are pictures in both themes.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from panel_driver import drive

from cortexfs.interfaces.tui.themes import DARK, LIGHT

if TYPE_CHECKING:
    from panel_driver import Panel
    from place import Place

FOLDER = Path(__file__).parent / "frames"
STEPS = (
    ("Home", (), " Merges  "),
    ("Search", ("/", *"gaps", "enter"), "driftwood/K-008"),
    ("Page", ("G", "enter"), "Recent progress"),
    ("Recent", ("3",), "by date"),
    ("Sessions", ("4",), "no summary"),
    ("Session", ("enter",), "session     b07c55d1-1234"),
    ("Memory", ("j", "enter"), "See driftwood/EXP-014."),
    ("Timeline", ("t",), "▶ Zstd"),
    ("Projects", ("5",), "Latest"),
    ("Project", ("enter",), "by reads"),
    ("Tasks", ("6",), "51e0"),
    ("Task", ("enter",), "done-when"),
    ("Decisions", ("7",), "to be made"),
    ("Graph", ("8",), "├ driftwood/EXP-005"),
    ("Health", ("9",), "failed"),
    ("Merges", ("p",), "OBS-001 → "),
    ("Stories", ("e",), "No stories yet"),
    ("Setup", ("0",), "windsurf"),
    ("Keys", ("?",), "accept a decision"),
    ("Setup again", ("escape",), "windsurf"),
    ("Decisions again", ("7",), "to be made"),
    ("Change", ("a",), "+status: accepted"),
)
"""What each page is called, the keys that lead to it from the one before, and a text on it."""


def hide_changing(frame: str, root: Path) -> str:
    """Return a frame without what differs: the folder, times of commits, what is installed."""
    frame = re.sub(r"(?m)[ \u2581-\u2588]+$", "", frame)  # the scroll bar moves a moment later
    begin = re.escape(str(root)[:24])  # a long path is cut
    shown = re.sub(rf"{begin}\S* +", "/the/tree ", frame)
    shown = re.sub(
        r"(?m)^( changed .*?)(?: +Ada)? +(?:\d\d \w{3}|\d\d:\d\d|\w{3} \d\d)(?: \W)?$", r"\1", shown
    )
    shown = re.sub(r"(?m)^( ok +(?:tree|python|git|vectors|model)) .*", r"\1", shown)
    return re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC( +Ada)", r"(a time)\1", shown)


def test_each_page_shows_what_it_should(
    worked_in: Place, soak: bool, request: pytest.FixtureRequest
) -> None:
    async def act(panel: Panel) -> str:
        frames = []
        for name, keys, text in STEPS:
            await panel.press(*keys)
            await panel.until(text)
            await panel.until_loaded()
            frames.append(f"===== {name}\n{hide_changing(panel.frame, worked_in.root)}\n")
        return "".join(frames)

    is_complete = soak or request.config.getoption("--accept")
    for size in [(80, 24), (130, 40)] if is_complete else [(80, 24)]:
        shown = drive(worked_in, act, size=size)
        compare(FOLDER / f"{size[0]}x{size[1]}.txt", shown, request)


@pytest.mark.soak
@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_a_page_has_the_colours_of_its_theme(
    worked_in: Place, theme: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR")

    async def act(panel: Panel) -> str:
        await panel.press("7")
        await panel.until("to be made")
        return panel.app.export_screenshot(title="cortexfs")

    picture = drive(worked_in, act, theme=theme)
    picture = re.sub(
        r"@font-face \{.*?\}\n", "", picture, flags=re.DOTALL
    )  # has addresses of others
    compare(FOLDER / f"{theme}.svg", picture, request)


def compare(path: Path, shown: str, request: pytest.FixtureRequest) -> None:
    """Compare with what was accepted, or accept it."""
    if request.config.getoption("--accept"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8"), "`pytest --accept` writes the frames"
