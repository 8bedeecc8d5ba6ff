"""Measure the peak memory and the processor time of commands: `python -m bench.memory --atoms N …`.

The tree has N short atoms with tags, links and an executor, a thousand in each project; some links
are broken. Each command runs as a process. The last column is the memory for each atom, beyond that
of the smallest tree.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench.corpus import WORDS
from bench.measure import make_environment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

PER_PROJECT = 1000
COMMANDS = (
    ("find residual drift", "the first, which builds the catalog"),
    ("find residual drift", ""),
    ("index regen --all --no-commit", "the first, which writes all indexes"),
    ("index regen --all --no-commit", ""),
    ("index regen --all --check", ""),
    ("check", "the first, which examines all texts"),
    ("check", ""),
    ("check --all", ""),
    ("check --json", ""),
    ("check --fix --dry-run", ""),
    ("audit", ""),
    ("mark z0000/K-001 invalidated --reason wrong --dry-run", ""),
    ("rename z0000/K-001 K-5001 --dry-run", ""),
    ("list", ""),
    ("list --json", ""),
    ("list --sort title -n 20", ""),
    ("graph z0000/K-001 --depth 3", ""),
    ("related z0000/K-001", ""),
    ("maintain --dry-run", ""),
    ("brief", ""),
    ("stats", ""),
    ("tag list", ""),
    ("entities", ""),
    ("doctor", ""),
)
"""The commands in their order, and what is special about one of them."""


class Usage(NamedTuple):
    """What a process used: MiB of memory at its peak, and seconds of a processor."""

    peak_mib: float
    seconds: float


def main() -> None:
    """Print a line for each command."""
    asked = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    asked.add_argument("--atoms", type=int, nargs="+", default=[10_000, 50_000])
    asked.add_argument("--folder", type=Path, help="where the trees are made, and removed")
    asked.add_argument("--only", default="", help="measure only commands that begin with this")
    options = asked.parse_args()
    sizes: list[int] = sorted(options.atoms)
    used = dict[tuple[str, str], list[Usage]]()
    for atoms in sizes:
        with tempfile.TemporaryDirectory(prefix="cortexfs-bench-", dir=options.folder) as folder:
            root = Path(folder, "tree")
            write_linked_atoms(root, atoms)
            for command, usage in measure_commands(root, make_environment(Path(folder))):
                used.setdefault(command, []).append(usage)
                print(f"{atoms:,} {' '.join(command)}: {usage}", file=sys.stderr, flush=True)
    for line in format_table(sizes, used):
        print(line)


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
    root: Path, around: Mapping[str, str]
) -> Iterator[tuple[tuple[str, str], Usage]]:
    """Run each command, and yield what it used."""
    for command, remark in COMMANDS:
        yield (
            (command, remark),
            measure_process(
                [sys.executable, "-m", "cortexfs", "--root", str(root), *command.split()], around
            ),
        )


def measure_process(command: Sequence[str], around: Mapping[str, str]) -> Usage:
    """Run a command without its output; it may exit with 1, as `check` does."""
    child = os.fork()
    if not child:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.execvpe(command[0], list(command), dict(around))  # noqa: S606 - argv, no shell
    _, status, used = os.wait4(child, 0)
    if os.waitstatus_to_exitcode(status) not in {0, 1}:
        print(f"failed: {status} {command}", file=sys.stderr)
    return Usage(used.ru_maxrss / 1024, used.ru_utime + used.ru_stime)


def format_table(
    sizes: Sequence[int], used: Mapping[tuple[str, str], Sequence[Usage]]
) -> Iterator[str]:
    """Yield the lines of a table in Markdown."""
    heads = "".join(f" {size:,} atoms |" for size in sizes)
    yield f"| command |{heads} KiB per atom |"
    yield f"|---|{'--:|' * (len(sizes) + 1)}"
    for (command, remark), each in used.items():
        cells = "".join(f" {one.peak_mib:.0f} MiB, {one.seconds:.1f} s |" for one in each)
        grown, more = each[-1].peak_mib - each[0].peak_mib, sizes[-1] - sizes[0]
        per_atom = f"{grown * 1024 / more:.2f}" if more else "-"
        yield f"| `{command}`{f' ({remark})' if remark else ''} |{cells} {per_atom} |"


if __name__ == "__main__":
    main()
