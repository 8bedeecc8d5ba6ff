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
from bench.corpus import PER_PROJECT, write_corpus
from bench.events import make_read_event, make_write_event, write_sound_atom
from bench.measure import (
    Figure,
    Job,
    format_ms,
    make_environment,
    make_ratio_figure,
    measure_peak_mib,
    subtract_times,
    time_in_turn,
    time_once,
)

REPOSITORY = Path(__file__).resolve().parent.parent
PAGE = REPOSITORY / "docs" / "benchmarks.md"
BEGIN, END = "<!-- bench:begin -->", "<!-- bench:end -->"
PYTHON = sys.executable
LOWER_LIMIT = "reading the files and parsing their frontmatter with PyYAML's C loader"


def main() -> None:
    """Run every benchmark in a temporary folder."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--quick", action="store_true", help="fewer runs, no 100,000 atoms")
    asked.add_argument("--write", action="store_true", help="put the table into the page")
    options = asked.parse_args()
    made = tempfile.TemporaryDirectory(prefix="cortexfs-bench-", ignore_cleanup_errors=True)
    with made as folder:  # the last drain may still run in it
        bench = Bench(Path(folder), quick=options.quick)
        figures = [
            *bench.time_start(),
            *bench.time_regen(),
            *bench.time_cold_regen(),
            *bench.time_edit(),
            *bench.time_checks(),
        ]
        figures += [*bench.time_hook(), *bench.time_guard(), *bench.time_find()]
        if not options.quick:
            figures += bench.measure_memory()
    rows = [f"| {f.name} | {f.value} | {f.baseline} |" for f in figures]
    table = "\n".join(["| | measured | beside |", "|---|--:|---|", *rows])
    print(f"\n{table}")
    if options.write:
        head, _, rest = PAGE.read_text().partition(BEGIN)
        PAGE.write_text(f"{head}{BEGIN}\n{table}\n{END}{rest.partition(END)[2]}")


class Bench:
    """The benchmarks, on trees under one folder."""

    def __init__(self, folder: Path, *, quick: bool) -> None:
        self.folder, self.quick = folder, quick
        self.world = make_environment(folder)
        self.runs = 10 if quick else 40

    def time_start(self) -> list[Figure]:
        """Time the start of the program beside the import of its command-line library."""
        jobs = {"help": self._make_job("--help"), "typer": Job([PYTHON, "-c", "import typer"])}
        times = time_in_turn(jobs, self.runs, self.world)
        return [make_ratio_figure("`cortexfs --help`", times, "help", "typer", "`import typer`")]

    def time_regen(self) -> list[Figure]:
        """Time a regeneration of 200 atoms with nothing to do."""
        tree = self._make_tree(200)
        idle = self._make_job("--root", str(tree), "index", "regen", "--all")
        jobs = {"regen": idle, "typer": Job([PYTHON, "-c", "import typer"])}
        times = time_in_turn(jobs, self.runs, self.world)
        what = "`index regen --all`, 200 atoms, nothing changed"
        return [make_ratio_figure(what, times, "regen", "typer", "`import typer`")]

    def time_cold_regen(self) -> list[Figure]:
        """Time a first regeneration of 10,000 atoms."""
        tree = self._make_tree(10_000)
        command = self._make_job("--root", str(tree), "index", "regen", "--all").command
        jobs = {
            "cold": Job(command, before=_drop_catalog_command(tree)),
            "peer": _make_peer_job(tree),
        }
        times = time_in_turn(jobs, 2 if self.quick else 5, self.world)
        what = "`index regen --all`, 10,000 atoms, no catalog"
        return [make_ratio_figure(what, times, "cold", "peer", LOWER_LIMIT)]

    def time_edit(self) -> list[Figure]:
        """Time a regeneration of 10,000 atoms idle, and after an edit, spread and in one folder."""
        spread = self._time_edited_tree(self._make_tree(10_000))
        heaped = self._time_edited_tree(self._make_tree(10_000, 10_000))
        return [
            Figure("… nothing changed", format_ms(spread["idle"]), "absolute"),
            Figure(
                "… one edit, in four folders, commit included",
                format_ms(spread["edit"]),
                "absolute",
            ),
            Figure("… one edit, all in one folder", format_ms(heaped["edit"]), "absolute"),
        ]

    def _time_edited_tree(self, tree: Path) -> dict[str, list[float]]:
        command = self._make_job("--root", str(tree), "index", "regen", "--all").command
        atom = str(tree / "projects/bench-000/experiments/EXP-077.md")
        edit = ["sed", "-i", 's/^summary: "/summary: "x/', atom]
        jobs = {"idle": Job(command), "edit": Job(command, before=edit)}
        return time_in_turn(jobs, self.runs // 5, self.world)

    def time_checks(self) -> list[Figure]:
        """Time `maintain` and `check` on 10,000 atoms in one folder."""
        tree = self._make_tree(10_000, 10_000)
        check = self._make_job("--root", str(tree), "check")
        jobs = {
            "maintain": self._make_job("--root", str(tree), "maintain"),
            "check": check,
            "peer": _make_peer_job(tree),
            "first": Job(check.command, before=_drop_catalog_command(tree)),
        }
        times = time_in_turn(jobs, 2 if self.quick else 5, self.world)
        return [
            make_ratio_figure(what, times, name, "peer", LOWER_LIMIT)
            for name, what in {
                "maintain": "`maintain`, 10,000 atoms in one folder",
                "check": "`check`, 10,000 atoms in one folder, nothing changed",
                "first": "… no catalog",
            }.items()
        ]

    def time_hook(self) -> list[Figure]:
        """Time the installed hook beside an empty Python and an empty Node."""
        tree = self._make_tree(200)
        command = self._install_hook(tree)
        ours = make_read_event(str(tree / "projects/bench-000/experiments/EXP-001.md"))
        jobs = {
            "pass": Job([PYTHON, "-I", "-S", "-c", "pass"]),
            "other": Job(command, stdin=make_read_event("/elsewhere/notes.md")),
            "ours": Job(command, stdin=ours),
        }
        if node := shutil.which("node"):
            jobs["node"] = Job([node, "-e", "0"])
        times = time_in_turn(jobs, 20 if self.quick else 200, self.world)
        with ThreadPoolExecutor(8) as eight:
            rushed = sorted(eight.map(lambda _: time_once(jobs["ours"], self.world), range(200)))
        empty = "an empty `python -I -S`"
        figures = [
            make_ratio_figure("hook, an event about other files", times, "other", "pass", empty),
            make_ratio_figure("hook, an event about the tree", times, "ours", "pass", empty),
        ]
        if node:
            figures.append(
                make_ratio_figure(
                    "hook, an event about the tree", times, "ours", "node", "`node -e 0`"
                )
            )
        p99 = f"{rushed[int(len(rushed) * 0.99)] * 1000:.0f} ms"
        figures.append(Figure("hook, eight at once, p99 of 200", p99, "absolute"))
        return figures

    def time_guard(self) -> list[Figure]:
        """Time the installed guard, when it prints nothing, beyond an empty Python."""
        tree = self._make_tree(200)
        command = self._install_hook(tree, "PreToolUse")
        project = f"{tree}/projects/bench-000"
        atom = write_sound_atom(Path(f"{project}/knowledge/K-9001.md"))
        jobs = {
            "pass": Job([PYTHON, "-I", "-S", "-c", "pass"]),
            "other": Job(command, stdin=make_write_event("PreToolUse", "/elsewhere/notes.md")),
            "status": Job(command, stdin=make_write_event("PreToolUse", f"{project}/STATUS.md")),
            "atom": Job(command, stdin=make_write_event("PostToolUse", atom)),
        }
        times = time_in_turn(jobs, 20 if self.quick else 200, self.world)
        return [
            Figure(
                f"guard, {what}",
                f"+{format_ms(subtract_times(times, name, 'pass'))}",
                "an empty `python -I -S`",
            )
            for name, what in {
                "other": "a write elsewhere",
                "status": "a STATUS.md within its cap",
                "atom": "an atom without findings, after a write",
            }.items()
        ]

    def time_find(self) -> list[Figure]:
        """Time `find`, within a process and as one."""
        folder = self.folder / "find"
        folder.mkdir()
        return list(find.measure_page_rows(folder, self.world, quick=self.quick))

    def measure_memory(self) -> list[Figure]:
        """Measure the memory of a first regeneration of 100,000 atoms."""
        tree = self._make_tree(100_000)
        command = self._make_job("--root", str(tree), "index", "regen", "--all").command
        peak = measure_peak_mib(command, self.world)
        return [
            Figure("memory, 100,000 atoms, no catalog", f"{peak:.0f} MiB", "peak of the process")
        ]

    def _make_tree(self, atoms: int, per_project: int = PER_PROJECT) -> Path:
        tree = self.folder / f"tree-{atoms}-{per_project}"
        if not tree.exists():
            self._run_cortexfs("init", str(tree))
            write_corpus(tree, atoms, per_project)
            git = ["git", "-C", str(tree)]
            subprocess.run([*git, "add", "."], check=True, env=self.world)
            subprocess.run([*git, "commit", "-qm", "corpus"], check=True, env=self.world)
            if atoms < 100_000:
                self._run_cortexfs("--root", str(tree), "index", "regen", "--all")
        return tree

    def _install_hook(self, tree: Path, event: str = "PostToolUse") -> list[str]:
        """Install the hooks, and return the command of the first one of an event as argv."""
        self._run_cortexfs("--root", str(tree), "setup", "claude-code", "--yes")
        settings = json.loads((Path(self.world["HOME"]) / ".claude/settings.json").read_text())
        command = settings["hooks"][event][0]["hooks"][0]["command"]
        return shlex.split(command.removesuffix(" || exit 0"))

    def _run_cortexfs(self, *words: str) -> None:
        command = self._make_job(*words).command
        subprocess.run(command, check=True, env=self.world, stdout=subprocess.DEVNULL)

    def _make_job(self, *words: str) -> Job:
        return Job([str(Path(PYTHON).parent / "cortexfs"), *words])


def _make_peer_job(tree: Path) -> Job:
    return Job([PYTHON, str(REPOSITORY / "bench" / "peer.py"), str(tree)])


def _drop_catalog_command(tree: Path) -> list[str]:
    return ["rm", "-rf", str(tree / ".cortexfs")]


if __name__ == "__main__":
    main()
