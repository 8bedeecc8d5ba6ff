"""Kill commands, or fail them, at each system call that changes something: `python bench/kill.py`.

strace (a system package) lists these calls, of the command and of each git that it starts. For
each call in turn, the process is killed on entering it, or git and the command are both killed,
or the call fails with an error. Then the tree is checked, the same command is run again, and the
result is compared with that of an undisturbed run.
"""

from __future__ import annotations

import argparse
import re
import shutil
import stat
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from crash_law import (
    find_flaws_after_kill,
    find_flaws_after_next_command,
    find_flaws_in_refusal,
)
from crash_scene import COMMANDS, ProcessResult, Scene, memory_folder

TRACED_CALLS = (
    "open openat write pwrite64 fsync fdatasync rename renameat renameat2 link linkat"
    " unlink unlinkat mkdir mkdirat ftruncate"
)
ERRORS = {
    "write": ("ENOSPC", "EIO"),
    "pwrite64": ("ENOSPC", "EIO"),
    "fsync": ("EIO", "ENOSPC"),
    "fdatasync": ("EIO",),
    "ftruncate": ("EIO",),
    "unlink": ("EACCES", "EIO"),
    "unlinkat": ("EACCES", "EIO"),
}
OTHER_ERRORS = ("EACCES", "ENOSPC", "EIO")
SAMPLE_SIZE = 72
"""Number of points that are tried without --all."""
WORKERS = 2

_LINE = re.compile(r"(\d+) +(\w+)\((.*)")
_NO_FILE = ("/dev/null", "/dev/tty")


class Point(NamedTuple):
    """One call: of the command (git 0) or of the n-th git; its name, its number, what it does."""

    command: str
    git: int
    call: str
    number: int
    arguments: str

    def __str__(self) -> str:
        who = f"git {self.git}" if self.git else "cortexfs"
        return f"{self.command}: {who}: {self.call} {self.number}: {self.arguments}"


class Trial(NamedTuple):
    """A point, and how it is to end: `KILL`, `KILL-ALL`, or the name of an error."""

    point: Point
    end: str


def main() -> int:
    """Try the points; return 1 if one of them did harm."""
    chosen = _parse_arguments()
    if not shutil.which("strace"):
        print("strace is missing: it is a package of that name of your system", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="cortexfs-kill-", dir=memory_folder()) as folder:
        scenes: SimpleQueue[Scene] = SimpleQueue()
        with ThreadPoolExecutor(WORKERS) as workers:
            for scene in workers.map(_build_scene, [Path(folder, str(n)) for n in range(WORKERS)]):
                scenes.put(scene)
            scene = scenes.get()
            verbs = [chosen.command] if chosen.command else list(COMMANDS)
            trials = [trial for verb in verbs for trial in _make_trials(trace_points(scene, verb))]
            scenes.put(scene)
            step = 1 if chosen.all else max(1, len(trials) // SAMPLE_SIZE)
            return _report_trials(trials[::step], len(trials), workers, scenes)


def trace_points(scene: Scene, command: str) -> list[Point]:
    """Trace a command, and list the calls that change something, with their numbers."""
    scene.restore()
    traced = scene.folder / "trace"
    words = ["-f", "--seccomp-bpf", "-y", "-s", "16", "-o", str(traced)]
    words += ["-e", f"trace=execve,{TRACED_CALLS.replace(' ', ',')}", "-e", "signal=none"]
    ran = scene.run("strace", *words, sys.executable, "-m", "cortexfs", *scene.words(command))
    if ran.code:
        raise SystemExit(f"the trace of `{command}` failed: {ran.err}")
    found: list[Point] = []
    numbers: Counter[tuple[str, str]] = Counter()
    processes: dict[str, int] = {}
    for line in traced.read_text(errors="replace").splitlines():
        if not (match := _LINE.match(line)):
            continue
        process, call, rest = match.groups()
        if call == "execve":
            processes[process] = len(processes)
            continue
        numbers[process, call] += 1
        if process in processes and _changes_files(call, rest):
            shown = rest.replace(f"{scene.tree}/", "").partition(" = ")[0][:90]
            point = Point(command, processes[process], call, numbers[process, call], shown)
            found.append(point)
    return found


def run_trial(scene: Scene, trial: Trial) -> ProcessResult:
    """Run a command on the restored tree, with one of its calls killed or failed."""
    scene.restore()
    point, how = trial
    deed = "signal=KILL" if how.startswith("KILL") else f"error={how}"
    inject = f"inject={point.call}:{deed}:when={point.number}"
    strace = ["strace", "-o", "/dev/null", "-e", f"trace={point.call}", "-e", inject]
    program = [sys.executable, "-m", "cortexfs", *scene.words(point.command)]
    if not point.git:
        return scene.run(*strace, *program)
    return scene.run(
        *program, PATH=_install_git_wrapper(scene, point, strace, together=how == "KILL-ALL")
    )


def _install_git_wrapper(scene: Scene, point: Point, strace: list[str], *, together: bool) -> str:
    """Put a `git` first on the PATH that kills or fails the n-th call of git; return the PATH."""
    place, real = scene.folder / "bin", shutil.which("git")
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    words = " ".join(f"'{word}'" for word in strace)
    end = f'{words} {real} "$@"; kill -9 $PPID; exit 9' if together else f'exec {words} {real} "$@"'
    lines = (
        "#!/bin/sh",
        f"echo >>{place}/calls",
        f'[ "$(wc -l <{place}/calls)" -eq {point.git} ] || exec {real} "$@"',
        end,
    )
    script = place / "git"
    script.write_text("\n".join(lines) + "\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return f"{place}:{scene.environment['PATH']}"


def _changes_files(call: str, rest: str) -> bool:
    """Return whether a call changes a file, or tries to."""
    if call in {"open", "openat"}:
        writes = any(flag in rest for flag in ("O_WRONLY", "O_RDWR", "O_CREAT"))
        return writes and not any(name in rest for name in _NO_FILE)
    return True


def _make_trials(found: list[Point]) -> list[Trial]:
    """Return a kill and an error for each point; the errors take turns."""
    trials = []
    for turn, point in enumerate(found):
        errors = ERRORS.get(point.call, OTHER_ERRORS)
        trials.append(Trial(point, "KILL"))
        if point.git:
            trials.append(Trial(point, "KILL-ALL"))
        if "<pipe:" not in point.arguments:  # git ignores errors of its pipes
            trials.append(Trial(point, errors[turn % len(errors)]))
    return trials


def _run_and_check(trial: Trial, scenes: SimpleQueue[Scene]) -> list[str]:
    scene = scenes.get()
    try:
        verb, ended = trial.point.command, run_trial(scene, trial)
        wrong = find_flaws_after_kill(scene, verb, ended)
        if trial.end == "KILL" and not trial.point.git and ended.code != -9:
            wrong.append(f"it was not killed: {ended}")
        if ended.code != -9:
            wrong += find_flaws_in_refusal(ended)
        return wrong + find_flaws_after_next_command(scene, verb, ended)
    finally:
        scenes.put(scene)


def _report_trials(
    trials: list[Trial], known: int, workers: ThreadPoolExecutor, scenes: SimpleQueue[Scene]
) -> int:
    began, failed = time.monotonic(), 0
    counts: Counter[tuple[str, str, str, str]] = Counter()
    for trial, wrong in zip(
        trials, workers.map(lambda t: _run_and_check(t, scenes), trials), strict=True
    ):
        point = trial.point
        how = trial.end.lower() if trial.end.startswith("KILL") else "error"
        counts[point.command, "git" if point.git else "cortexfs", point.call, how] += 1
        if wrong:
            failed += 1
            print(f"FAILED {point}: {trial.end}", *wrong, sep="\n    ", flush=True)
    for (verb, who, call, how), count in sorted(counts.items()):
        print(f"{verb:6} {who:9} {call:10} {how:9} {count:4}")
    took = time.monotonic() - began
    print(f"{len(trials)} of {known} points, {failed} failed, {took:.0f} s")
    return 1 if failed else 0


def _build_scene(folder: Path) -> Scene:
    return Scene(folder).build()


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--all", action="store_true", help="every point, which takes minutes")
    parser.add_argument("--command", choices=COMMANDS, help="only one of the commands")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
