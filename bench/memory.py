"""Measure the peak memory and the time of commands: `python -m bench.memory --atoms N …`.

The tree has N short atoms with tags, links and an executor, a thousand in each project; some links
are broken. Each command runs as a process: memory at its peak, seconds of a processor, seconds. The
last column is the memory for each atom, beyond that of the smallest tree: caches grow up to 80 MiB.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from bench.changes import watcher
from bench.corpus import WORDS
from bench.mcp import Server, make_server_command, write_observations
from bench.measure import make_environment
from bench.process_memory import Usage, measure_process, read_peak_mib

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

PER_PROJECT = 1000
COMMANDS = (
    ("find residual drift", "the first, which builds the catalog"),
    ("find residual drift", ""),
    ("brief", ""),
    ("list", ""),
    ("list --json", ""),
    ("list --sort title -n 20", ""),
    ("show z0000/K-001", ""),
    ("backlinks z0000/K-001", ""),
    ("path z0000/K-001 z0000/K-009", ""),
    ("graph z0000/K-001 --depth 3", ""),
    ("related z0000/K-001", ""),
    ("entities", ""),
    ("stats", ""),
    ("tag list", ""),
    ("project list", ""),
    ("task list", ""),
    ("access top", ""),
    ("new knowledge -p z0000 -s new --evidence K-001 --dry-run", ""),
    ("mark z0000/K-001 invalidated --reason wrong --dry-run", ""),
    ("move z0000/K-002 z0001 --dry-run", ""),
    ("rename z0000/K-001 K-5001 --dry-run", ""),
    ("rename z0000 zeta --dry-run", "a project"),
    ("tag rename cache kache --dry-run", ""),
    ("index regen --all --no-commit", "the first, which writes all indexes"),
    ("index regen --all --no-commit", ""),
    ("index regen --all --check", ""),
    ("check", "the first, which examines all texts"),
    ("check", ""),
    ("check --all", ""),
    ("check --json", ""),
    ("doctor", ""),
    ("export", ""),
    ("export --format engram", ""),
    ("check --fix --dry-run", ""),
    ("maintain --dry-run", ""),
    ("audit", ""),
)
"""The commands in their order, and what is special about one of them."""


CALLS: dict[str, dict[str, object]] = {
    "cortex_find": {"query": "residual drift"},
    "cortex_brief": {},
    "cortex_check": {"project": "z0000"},
    "cortex_tasks": {},
    "mem_search": {"query": "residual drift"},
    "mem_search_hybrid": {"query": "residual drift"},
    "mem_context": {},
    "mem_stats": {},
    "cortex_proposals": {"project": "z0000"},
}
"""The calls of tools, which one server answers, with their arguments."""


def main() -> None:
    """Print a line for each command."""
    asked = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    asked.add_argument("--atoms", type=int, nargs="+", default=[10_000, 50_000])
    asked.add_argument("--folder", type=Path, help="where the trees are made, and removed")
    asked.add_argument("--keep", action="store_true", help="keep the trees, and use kept ones")
    asked.add_argument("--observations", action="store_true", help="all atoms are observations")
    asked.add_argument("--only", default="", help="measure only commands that begin with this")
    options = asked.parse_args()
    sizes: list[int] = sorted(options.atoms)
    used = dict[tuple[str, str], list[Usage]]()
    with tempfile.TemporaryDirectory(prefix="cortexfs-bench-", dir=options.folder) as folder:
        around = make_environment(Path(folder))
        for atoms in sizes:
            place = options.folder if options.keep and options.folder else folder
            root = Path(place, f"tree-{atoms}")
            if not root.exists():
                (write_observation_tree if options.observations else write_linked_atoms)(
                    root, atoms
                )
            for command, usage in measure_commands(root, around, options.only):
                used.setdefault(command, []).append(usage)
                print(f"{atoms:,} {' '.join(command)}: {usage}", file=sys.stderr, flush=True)
    for line in format_table(sizes, used):
        print(line)


def write_observation_tree(root: Path, atoms: int) -> None:
    """Write a tree of observations."""
    root.mkdir()
    write_observations(root, atoms)
    (root / "CORTEX.md").write_text("# Bench\n")


def write_linked_atoms(root: Path, atoms: int) -> None:
    """Write a tree of short atoms that link to each other."""
    chance = random.Random(atoms)
    for number in range(atoms):
        project, ident = f"z{number // PER_PROJECT:04d}", number % PER_PROJECT + 1
        folder = root / "projects" / project / "knowledge"
        if ident == 1:
            folder.mkdir(parents=True)
        (folder / f"K-{ident:03d}.md").write_text(_format_atom(chance, project, ident))
    (root / "CORTEX.md").write_text("# Bench\n")


def _format_atom(chance: random.Random, project: str, ident: int) -> str:
    summary = " ".join(chance.choices(WORDS, k=8))
    tags = ", ".join(chance.sample(WORDS, 3))
    body = "\n".join(" ".join(chance.choices(WORDS, k=14)) for _ in range(4))
    cited = 5000 if chance.random() < 0.05 else chance.randint(1, ident)
    status = chance.choice(("valid", "valid", "valid", "superseded"))
    return (
        f"---\nid: K-{ident:03d}\ndate: 2026-0{chance.randint(1, 5)}-{chance.randint(10, 28)}\n"
        f'project: {project}\nsummary: "{summary}"\ntags: [{tags}]\nstatus: {status}\n'
        f"executor: lab-2\nlinks: [K-{chance.randint(1, ident):03d}]\n---\n\n"
        f"# {ident}\n\n{body}\n\nAs in K-{cited:03d}, after 12.{ident % 100} s.\n"
    )


def measure_commands(
    root: Path, around: Mapping[str, str], only: str = ""
) -> Iterator[tuple[tuple[str, str], Usage]]:
    """Run each command, and yield what it used."""
    cortexfs = [sys.executable, "-m", "cortexfs", "--root", str(root)]
    is_linked = (root / "projects/z0000").exists()
    for command, remark in COMMANDS:
        if command.startswith(only) and (is_linked or "z0000" not in command):
            usage = measure_process([*cortexfs, *command.split()], around)
            yield ((command, remark), usage)
    if "mcp".startswith(only):
        yield ("mcp", "a call of each tool that lists or searches"), measure_server(root, around)
    if "watch".startswith(only):
        with watcher(root, around) as running:
            peak = read_peak_mib(running.pid)
        yield ("watch", "without its output"), Usage(peak, peak, 0.0, 0.0)


def measure_server(root: Path, around: Mapping[str, str]) -> Usage:
    """Start a server, call its tools, and return its memory and the seconds of the calls."""
    server = Server(make_server_command(root), around)
    taken_ms = sum(
        server.call(name, given) for name, given in CALLS.items() if name in server.tools
    )
    peak = read_peak_mib(server.process.pid)
    server.stop()
    return Usage(peak, peak, 0.0, taken_ms / 1000)


def format_table(
    sizes: Sequence[int], used: Mapping[tuple[str, str], Sequence[Usage]]
) -> Iterator[str]:
    """Yield the lines of a table in Markdown."""
    heads = "".join(f" {size:,} atoms |" for size in sizes)
    yield f"| command |{heads} KiB per atom |"
    yield f"|---|{'--:|' * (len(sizes) + 1)}"
    for (command, remark), each in used.items():
        cells = "".join(map(_format_usage, each))
        grown, more = each[-1].peak_mib - each[0].peak_mib, sizes[-1] - sizes[0]
        per_atom = f"{grown * 1024 / more:.2f}" if more else "-"
        yield f"| `{command}`{f' ({remark})' if remark else ''} |{cells} {per_atom} |"


def _format_usage(usage: Usage) -> str:
    several = usage.total_mib > usage.peak_mib
    total = f" (all processes: {usage.total_mib:.0f})" if several else ""
    return f" {usage.peak_mib:.0f} MiB{total}, {usage.processor_s:.1f} s, {usage.wall_s:.1f} s |"


if __name__ == "__main__":
    main()
