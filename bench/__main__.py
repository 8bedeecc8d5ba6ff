"""Measure the table of docs/benchmarks.md and print it; `--write` updates the page."""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench import find
from bench.corpus import PER_PROJECT, make
from bench.events import reading, sound_atom, writing
from bench.measure import Figure, Job, beside, beyond, in_turn, ms, once, peak_mib, world

REPOSITORY = Path(__file__).resolve().parent.parent
PAGE = REPOSITORY / "docs" / "benchmarks.md"
BEGIN, END = "<!-- bench:begin -->", "<!-- bench:end -->"
PYTHON = sys.executable
PEER = "reading the files and parsing their frontmatter with PyYAML's C loader"


def main() -> None:
    """Run every benchmark in a folder that is gone afterwards."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--quick", action="store_true", help="fewer runs, no 100,000 atoms")
    asked.add_argument("--write", action="store_true", help="put the table into the page")
    options = asked.parse_args()
    made = tempfile.TemporaryDirectory(prefix="cortexfs-bench-", ignore_cleanup_errors=True)
    with made as folder:  # the last drain may still be at work in it
        bench = Bench(Path(folder), quick=options.quick)
        figures = [*bench.start(), *bench.regen(), *bench.cold(), *bench.edit(), *bench.look()]
        figures += [*bench.hook(), *bench.guard(), *bench.find()]
        if not options.quick:
            figures += bench.large()
    rows = [f"| {f.what} | {f.figure} | {f.beside} |" for f in figures]
    table = "\n".join(["| | measured | beside |", "|---|--:|---|", *rows])
    print(f"\n{table}")
    if options.write:
        head, _, rest = PAGE.read_text().partition(BEGIN)
        PAGE.write_text(f"{head}{BEGIN}\n{table}\n{END}{rest.partition(END)[2]}")


class Bench:
    """The benchmarks, on trees under one folder."""

    def __init__(self, folder: Path, *, quick: bool) -> None:
        self.folder, self.quick = folder, quick
        self.world = world(folder)
        self.runs = 10 if quick else 40

    def start(self) -> list[Figure]:
        """Time the start of the program beside the import of its command-line library."""
        jobs = {"help": self._cortexfs("--help"), "typer": Job([PYTHON, "-c", "import typer"])}
        times = in_turn(jobs, self.runs, self.world)
        return [beside("`cortexfs --help`", times, "help", "typer", "`import typer`")]

    def regen(self) -> list[Figure]:
        """Time a regeneration of 200 atoms with nothing to do."""
        tree = self._tree(200)
        idle = self._cortexfs("--root", str(tree), "index", "regen", "--all")
        jobs = {"regen": idle, "typer": Job([PYTHON, "-c", "import typer"])}
        times = in_turn(jobs, self.runs, self.world)
        what = "`index regen --all`, 200 atoms, nothing changed"
        return [beside(what, times, "regen", "typer", "`import typer`")]

    def cold(self) -> list[Figure]:
        """Time a first regeneration of 10,000 atoms."""
        tree = self._tree(10_000)
        command = self._cortexfs("--root", str(tree), "index", "regen", "--all").command
        jobs = {"cold": Job(command, before=_no_catalog(tree)), "peer": _peer(tree)}
        times = in_turn(jobs, 2 if self.quick else 5, self.world)
        what = "`index regen --all`, 10,000 atoms, no catalog"
        return [beside(what, times, "cold", "peer", PEER)]

    def edit(self) -> list[Figure]:
        """Time a regeneration of 10,000 atoms idle, and after an edit, spread and in one folder."""
        spread = self._edited(self._tree(10_000))
        heaped = self._edited(self._tree(10_000, 10_000))
        return [
            Figure("… nothing changed", ms(spread["idle"]), "absolute"),
            Figure("… one edit, in four folders, commit included", ms(spread["edit"]), "absolute"),
            Figure("… one edit, all in one folder", ms(heaped["edit"]), "absolute"),
        ]

    def _edited(self, tree: Path) -> dict[str, list[float]]:
        command = self._cortexfs("--root", str(tree), "index", "regen", "--all").command
        atom = str(tree / "projects/bench-000/experiments/EXP-077.md")
        edit = ["sed", "-i", 's/^summary: "/summary: "x/', atom]
        jobs = {"idle": Job(command), "edit": Job(command, before=edit)}
        return in_turn(jobs, self.runs // 5, self.world)

    def look(self) -> list[Figure]:
        """Time what looks at all of 10,000 atoms in one folder: `maintain` and `check`."""
        tree = self._tree(10_000, 10_000)
        check = self._cortexfs("--root", str(tree), "check")
        jobs = {
            "maintain": self._cortexfs("--root", str(tree), "maintain"),
            "check": check,
            "peer": _peer(tree),
            "first": Job(check.command, before=_no_catalog(tree)),
        }
        times = in_turn(jobs, 2 if self.quick else 5, self.world)
        return [
            beside(what, times, name, "peer", PEER)
            for name, what in {
                "maintain": "`maintain`, 10,000 atoms in one folder",
                "check": "`check`, 10,000 atoms in one folder, nothing changed",
                "first": "… no catalog",
            }.items()
        ]

    def hook(self) -> list[Figure]:
        """Time the installed hook beside an empty Python and an empty Node."""
        tree = self._tree(200)
        command = self._installed(tree)
        ours = reading(str(tree / "projects/bench-000/experiments/EXP-001.md"))
        jobs = {
            "pass": Job([PYTHON, "-I", "-S", "-c", "pass"]),
            "other": Job(command, feed=reading("/elsewhere/notes.md")),
            "ours": Job(command, feed=ours),
        }
        if node := shutil.which("node"):
            jobs["node"] = Job([node, "-e", "0"])
        times = in_turn(jobs, 20 if self.quick else 200, self.world)
        with ThreadPoolExecutor(8) as eight:
            rushed = sorted(eight.map(lambda _: once(jobs["ours"], self.world), range(200)))
        empty = "an empty `python -I -S`"
        figures = [
            beside("hook, a payload that is none of ours", times, "other", "pass", empty),
            beside("hook, a payload that is", times, "ours", "pass", empty),
        ]
        if node:
            figures.append(beside("hook, a payload that is", times, "ours", "node", "`node -e 0`"))
        p99 = f"{rushed[int(len(rushed) * 0.99)] * 1000:.0f} ms"
        figures.append(Figure("hook, eight at once, p99 of 200", p99, "absolute"))
        return figures

    def guard(self) -> list[Figure]:
        """Time the installed guard, where it has nothing to say, beyond an empty Python."""
        tree = self._tree(200)
        command = self._installed(tree, "PreToolUse")
        project = f"{tree}/projects/bench-000"
        atom = sound_atom(Path(f"{project}/knowledge/K-9001.md"))
        jobs = {
            "pass": Job([PYTHON, "-I", "-S", "-c", "pass"]),
            "other": Job(command, feed=writing("PreToolUse", "/elsewhere/notes.md")),
            "status": Job(command, feed=writing("PreToolUse", f"{project}/STATUS.md")),
            "atom": Job(command, feed=writing("PostToolUse", atom)),
        }
        times = in_turn(jobs, 20 if self.quick else 200, self.world)
        return [
            Figure(
                f"guard, {what}", f"+{ms(beyond(times, name, 'pass'))}", "an empty `python -I -S`"
            )
            for name, what in {
                "other": "a write that is none of ours",
                "status": "a STATUS.md within its cap",
                "atom": "an atom just written, nothing wrong",
            }.items()
        ]

    def find(self) -> list[Figure]:
        """Time `find`, within a process and as one."""
        folder = self.folder / "find"
        folder.mkdir()
        return list(find.table(folder, self.world, quick=self.quick))

    def large(self) -> list[Figure]:
        """Take the memory of a first regeneration of 100,000 atoms."""
        tree = self._tree(100_000)
        command = self._cortexfs("--root", str(tree), "index", "regen", "--all").command
        peak = peak_mib(command, self.world)
        return [
            Figure("memory, 100,000 atoms, no catalog", f"{peak:.0f} MiB", "peak of the process")
        ]

    def _tree(self, atoms: int, per_project: int = PER_PROJECT) -> Path:
        tree = self.folder / f"tree-{atoms}-{per_project}"
        if not tree.exists():
            self._run("init", str(tree))
            make(tree, atoms, per_project)
            git = ["git", "-C", str(tree)]
            subprocess.run([*git, "add", "."], check=True, env=self.world)
            subprocess.run([*git, "commit", "-qm", "corpus"], check=True, env=self.world)
            if atoms < 100_000:
                self._run("--root", str(tree), "index", "regen", "--all")
        return tree

    def _installed(self, tree: Path, event: str = "PostToolUse") -> list[str]:
        """Install the hooks, and give the command of the first one of an event as argv."""
        self._run("--root", str(tree), "setup", "claude-code", "--yes")
        settings = json.loads((Path(self.world["HOME"]) / ".claude/settings.json").read_text())
        command = settings["hooks"][event][0]["hooks"][0]["command"]
        return shlex.split(command.removesuffix(" || exit 0"))

    def _run(self, *words: str) -> None:
        command = self._cortexfs(*words).command
        subprocess.run(command, check=True, env=self.world, stdout=subprocess.DEVNULL)

    def _cortexfs(self, *words: str) -> Job:
        return Job([str(Path(PYTHON).parent / "cortexfs"), *words])


def _peer(tree: Path) -> Job:
    return Job([PYTHON, str(REPOSITORY / "bench" / "peer.py"), str(tree)])


def _no_catalog(tree: Path) -> list[str]:
    return ["rm", "-rf", str(tree / ".cortexfs")]


if __name__ == "__main__":
    main()
