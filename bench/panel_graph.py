"""Measure the graph of the panel on a large tree, in Chromium: `python -m bench.panel_graph`.

Prints the time from a click on Graph to the picture, and for dragging and zooming the time that our
own code takes for a frame, the time between frames, and the processor time of the whole browser.
Needs the extra `server`, playwright and Chromium.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.linked_corpus import write_linked_corpus
from bench.measure import make_environment
from bench.panel_picture import SIZE, serve

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Page = Any
    """A page of playwright, which is not installed where types are checked."""

OPENINGS = 5
MOVES = 150
MOVE_MS = 8
REST_MS = 600
"""Milliseconds until a picture that has moved is painted anew."""
COUNT_FRAMES = """
const ask = window.requestAnimationFrame.bind(window);
let last = 0;
window.frames_seen = { draws: [], gaps: [] };
window.requestAnimationFrame = (draw) => ask((time) => {
  const began = performance.now();
  draw(time);
  window.frames_seen.draws.push(performance.now() - began);
});
const tick = (time) => { window.frames_seen.gaps.push(time - last); last = time; ask(tick); };
ask(tick);
"""
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
FORGET = "() => { window.frames_seen.draws.length = window.frames_seen.gaps.length = 0; }"


def main() -> None:
    """Make a tree, serve it, and measure."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--atoms", type=int, default=10_000)
    asked.add_argument("--links", type=int, default=30_000)
    asked.add_argument("--chromium", default=shutil.which("chromium"), help="path of the browser")
    options = asked.parse_args()
    with tempfile.TemporaryDirectory(prefix="cortexfs-graph-", ignore_cleanup_errors=True) as made:
        environ, root = make_environment(Path(made)), Path(made, "tree")
        program = [sys.executable, "-m", "cortexfs"]
        subprocess.run([*program, "init", str(root)], env=environ, check=True, capture_output=True)
        write_linked_corpus(root, options.atoms, options.links)
        with serve(root, environ) as link:
            measure(link, options.chromium)


def measure(link: str, browser: str) -> None:
    """Print how long the picture takes to open and to move."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only here

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page: Page = chromium.new_context(viewport=SIZE).new_page()
        page.add_init_script(COUNT_FRAMES)
        page.goto(link)
        times = [time_opening(page) for _ in range(OPENINGS + 1)]
        print(f"first opening        {times[0]:7.0f} ms, with the layout")
        print(f"opening              {min(times[1:]):7.0f} ms (most {max(times[1:]):.0f})")
        for name, act in (("drag, all in view", drag), ("zoom", zoom), ("drag, near", drag)):
            measure_frames(page, name, act)
        chromium.close()


def time_opening(page: Page) -> float:
    """Return the milliseconds from a click on Graph to its picture."""
    page.click("#nav [data-key=h]")
    page.wait_for_load_state("networkidle")
    page.click("#nav [data-key=n]", no_wait_after=True)
    page.wait_for_selector(".graph.is-drawn")
    page.evaluate(DRAWN)
    return float(page.evaluate("performance.now()"))


def measure_frames(page: Page, name: str, act: Callable[[Any], None]) -> None:
    """Print the frames of one movement."""
    page.wait_for_timeout(REST_MS)
    page.evaluate(FORGET)
    began = read_browser_s()
    act(page)
    used_s, seen = read_browser_s() - began, page.evaluate("window.frames_seen")
    draws, gaps = seen["draws"], seen["gaps"][1:]
    print(
        f"{name:<20} {len(gaps):4} frames; our code {take(draws, 0.5):.1f} ms "
        f"(p95 {take(draws, 0.95):.1f}, most {max(draws):.1f}); between frames "
        f"{take(gaps, 0.5):.0f} ms (p95 {take(gaps, 0.95):.0f}, most {max(gaps):.0f}); "
        f"processor {1000 * used_s / len(gaps):.0f} ms"
    )


def drag(page: Page) -> None:
    """Drag the picture to and fro."""
    x, y = find_middle(page)
    page.mouse.move(x, y)
    page.mouse.down()
    for number in range(MOVES):
        page.mouse.move(x + (number % 60 - 30) * 6, y + (number % 40) * 4)
        page.wait_for_timeout(MOVE_MS)
    page.mouse.up()


def zoom(page: Page) -> None:
    """Zoom out, then far in."""
    page.mouse.move(*find_middle(page))
    for number in range(MOVES // 2):
        page.mouse.wheel(0, 120 if number < MOVES // 6 else -90)
        page.wait_for_timeout(MOVE_MS)


def find_middle(page: Page) -> tuple[float, float]:
    """Return the middle of the picture, in pixels of the window."""
    box = page.locator("canvas").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def take(times: Sequence[float], share: float) -> float:
    """Return the time that a share of the times does not exceed."""
    return sorted(times)[int(share * (len(times) - 1))]


def read_browser_s() -> float:
    """Return the seconds of a processor that all processes below this one have used."""
    ticks, ours = 0, {os.getpid()}
    for number in sorted(int(each.name) for each in Path("/proc").iterdir() if each.name.isdigit()):
        try:
            fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) in ours:
            ours.add(number)
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
