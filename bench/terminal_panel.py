"""Measure the terminal panel on a large tree, in a real terminal: `python -m bench.terminal_panel`.

Prints the time from the start of the process to the first frame and to the first page with its
figures, and the time from a key to what it changes on the screen, on several pages.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import re
import select
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bench.corpus import write_corpus
from bench.measure import make_environment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

STARTS = 7
PRESSES = 40
QUIET_S = 0.25
"""Seconds without output after which the screen is complete."""
PATIENCE_S = 30
PAGES = (("Home", ""), ("Recent", "3"), ("Projects", "5"), ("Graph", "8"))
ANSI = re.compile(rb"\x1b\[[0-9;?]*[a-zA-Z]")


class Terminal:
    """A panel in a terminal of 80 columns and 24 lines."""

    def __init__(self, command: Sequence[str], environ: Mapping[str, str]) -> None:
        self.began = time.perf_counter()
        self.child, self.ours = pty.fork()
        if not self.child:
            size = struct.pack("HHHH", 24, 80, 0, 0)
            fcntl.ioctl(0, termios.TIOCSWINSZ, size)
            os.execve(command[0], [*command], dict(environ))  # noqa: S606
        self.output = b""

    def wait_for(self, text: bytes) -> float:
        """Return the seconds from the start until a text is on the screen."""
        while text not in ANSI.sub(b"", self.output):
            self._read(PATIENCE_S)
        return time.perf_counter() - self.began

    def press(self, key: str) -> float:
        """Return the milliseconds from a key to the first thing that it changes."""
        began = time.perf_counter()
        os.write(self.ours, key.encode())
        self._read(PATIENCE_S)
        return (time.perf_counter() - began) * 1000

    def settle(self) -> None:
        """Wait until nothing changes any more."""
        while select.select([self.ours], [], [], QUIET_S)[0]:
            self._read(QUIET_S)

    def read_cpu_s(self) -> float:
        """Return the processor time of the panel up to now, in seconds."""
        fields = Path(f"/proc/{self.child}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        """End the panel."""
        os.kill(self.child, signal.SIGTERM)
        os.waitpid(self.child, 0)
        os.close(self.ours)

    def _read(self, patience_s: float) -> None:
        if not select.select([self.ours], [], [], patience_s)[0]:
            sys.exit(f"nothing is printed any more: {self.output[-500:]!r}")
        self.output += os.read(self.ours, 65536)


def measure_start(command: Sequence[str], environ: Mapping[str, str]) -> tuple[float, ...]:
    """Return the seconds to the first frame and to the first figures, each with the processor's."""
    terminal = Terminal(command, environ)
    frame, frame_cpu = terminal.wait_for(b"Search"), terminal.read_cpu_s()
    figures, figures_cpu = terminal.wait_for(b" atoms"), terminal.read_cpu_s()
    terminal.end()
    return frame, frame_cpu, figures, figures_cpu


def measure_keys(command: Sequence[str], environ: Mapping[str, str]) -> dict[str, list[float]]:
    """Return the milliseconds of each key on each page."""
    terminal, times = Terminal(command, environ), dict[str, list[float]]()
    terminal.wait_for(b" atoms")
    for name, key in PAGES:
        terminal.settle()
        if key:
            times[f"{name}: open"] = [terminal.press(key)]
            terminal.settle()
        times[f"{name}: j"] = []
        for _ in range(PRESSES):
            times[f"{name}: j"].append(terminal.press("j"))
            terminal.settle()
    terminal.press("/")
    terminal.settle()
    times["Search: a letter"] = []
    for letter in "latency":
        times["Search: a letter"].append(terminal.press(letter))
        terminal.settle()
    terminal.end()
    return times


def main() -> None:
    """Make a tree, and measure."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--atoms", type=int, default=10_000)
    options = asked.parse_args()
    with tempfile.TemporaryDirectory(prefix="cortexfs-panel-", ignore_cleanup_errors=True) as made:
        environ = {**make_environment(Path(made)), "TERM": "xterm-256color"}
        root, program = Path(made, "tree"), [sys.executable, "-m", "cortexfs"]
        subprocess.run([*program, "init", str(root)], env=environ, check=True, capture_output=True)
        write_corpus(root, options.atoms)
        command = [*program, "--root", str(root), "tui"]
        subprocess.run([*command[:-1], "stats"], env=environ, check=True, capture_output=True)
        starts = [measure_start(command, environ) for _ in range(STARTS)]
        names = ("first frame", "  of the processor", "first figures", "  of the processor")
        for what, seconds in zip(names, zip(*starts, strict=True), strict=True):
            print(f"{what:<20} {statistics.median(seconds):6.2f} s  (best {min(seconds):.2f})")
        for what, times in measure_keys(command, environ).items():
            print(
                f"{what:<20} {statistics.median(times):6.1f} ms"
                f"  (p95 {sorted(times)[int(0.95 * (len(times) - 1))]:.1f}, most {max(times):.1f})"
            )


if __name__ == "__main__":
    main()
