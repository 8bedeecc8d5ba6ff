"""Measure libraries that cortexfs uses or could use: start-up, speed, changes to a file.

First run `pip install '.[dev,bench]'`; the table omits libraries that are not installed.
"""

from __future__ import annotations

import io
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from bench.measure import Job, make_environment, time_in_turn
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.markdown.sections import parse_sections

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

REPOSITORY = Path(__file__).resolve().parent.parent
SAMPLE = REPOSITORY / "sample-context"
IMPORTS = (
    "typer",
    "yaml",
    "frontmatter",
    "ruamel.yaml",
    "git",
    "tree_sitter_bash",
    "markdown_it",
    "rich.table",
    "watchdog.observers",
    "Stemmer",
    "detect_secrets.core.scan",
)
HOOK = "#!/bin/sh\ntouch ran\n"


def main() -> None:
    """Print the three tables of docs/dependencies.md."""
    with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as made:
        folder = Path(made)
        print("| import | start-up beside an empty interpreter |\n|---|--:|")
        for row in time_imports(folder):
            print(row)
        print("\n| job | library | beside ours |\n|---|---|--:|")
        for row in (*time_frontmatter(), *time_headings()):
            print(row)
        print("\n| one change of a file or repository | what happened |\n|---|---|")
        for row in (*count_edits(), *check_commit_hook(folder)):
            print(row)


def time_imports(folder: Path) -> Iterator[str]:
    """Time the import of each library in a new process, in turn with an empty one."""
    found = [name for name in IMPORTS if is_installed(name)]
    jobs = {name: Job([sys.executable, "-c", f"import {name}"]) for name in found}
    times = time_in_turn(
        {"empty": Job([sys.executable, "-c", "pass"]), **jobs}, 15, make_environment(folder)
    )
    for name in found:
        extra = [a - b for a, b in zip(times[name], times["empty"], strict=True)]
        yield f"| `{name}` | {statistics.median(extra) * 1000:.0f} ms |"


def time_frontmatter() -> Iterator[str]:
    """Read the frontmatter of every atom of the sample tree."""
    texts = [path.read_text("utf-8") for path in SAMPLE.rglob("EXP-*.md")]
    blocks = [text.split("\n---\n", 1)[0][4:] for text in texts]
    ours = time_best(lambda: [atom_text.parse_frontmatter(text) for text in texts])
    if is_installed("frontmatter"):
        library = import_module("frontmatter")
        theirs = time_best(lambda: [library.loads(text) for text in texts])
        yield format_row("read the frontmatter of an atom", "python-frontmatter", theirs / ours)
    if is_installed("ruamel.yaml"):
        reader = import_module("ruamel.yaml").YAML()
        theirs = time_best(lambda: [reader.load(block) for block in blocks])
        yield format_row(
            "read the frontmatter of an atom", "ruamel.yaml, round trip", theirs / ours
        )


def time_headings() -> Iterator[str]:
    """Find the sections of every Markdown file of the sample tree."""
    texts = [path.read_text("utf-8") for path in SAMPLE.rglob("*.md")]
    ours = time_best(lambda: [list(parse_sections(text)) for text in texts])
    if is_installed("markdown_it"):
        parser = import_module("markdown_it").MarkdownIt()
        theirs = time_best(lambda: [parser.parse(text) for text in texts])
        yield format_row("find the sections of a page", "markdown-it-py", theirs / ours)


def count_edits() -> Iterator[str]:
    """Change one key of one file with each library, and count the lines that differ."""
    atoms = [path.read_text("utf-8") for path in sorted(SAMPLE.rglob("EXP-*.md"))]
    ours = sum(
        count_changed_lines(text, atom_text.edit_frontmatter(text, {"status": "stale"}))
        for text in atoms
    )
    yield f"| set `status` in {len(atoms)} atoms, ours | {ours} lines changed |"
    if is_installed("frontmatter"):
        library = import_module("frontmatter")
        total = 0
        for text in atoms:
            post = library.loads(text)
            post["status"] = "stale"
            total += count_changed_lines(text, library.dumps(post) + "\n")
        yield f"| the same, python-frontmatter | {total} lines changed |"
    if is_installed("ruamel.yaml"):
        board = (SAMPLE / "projects/driftwood/TASKS.yaml").read_text("utf-8")
        yaml, out = import_module("ruamel.yaml").YAML(), io.StringIO()
        value = yaml.load(board)
        value["tasks"][0]["priority"] = "low"
        yaml.dump(value, out)
        lines = count_changed_lines(board, out.getvalue())
        yield f"| set one priority in a TASKS.yaml, ruamel.yaml | {lines} lines changed |"


def check_commit_hook(folder: Path) -> Iterator[str]:
    """Commit in a repository whose `pre-commit` hook leaves a file."""
    if not is_installed("git"):
        return
    top = folder / "repository"
    shutil.copytree(SAMPLE, top)
    subprocess.run(["git", "init", "-q", str(top)], check=True)
    hook = top / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(HOOK)
    hook.chmod(0o755)
    repository = import_module("git").Repo(top)
    repository.index.add(["CORTEX.md"])
    repository.index.commit("one")
    ran = "the repository's hook ran" if (top / "ran").exists() else "the hook did not run"
    yield f"| commit one file, GitPython | {ran} |"


def count_changed_lines(before: str, after: str) -> int:
    """Count the lines of a text that an edit added."""
    old = before.splitlines()
    return sum(line not in old for line in after.splitlines())


def time_best(work: Callable[[], object]) -> float:
    """Time a piece of work; the best of seven runs."""
    taken = []
    for _ in range(7):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return min(taken)


def is_installed(name: str) -> bool:
    """Check whether a module can be imported."""
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def format_row(job: str, library: str, ratio: float) -> str:
    """Format a line of the second table."""
    return f"| {job} | {library} | {ratio:.1f} × |"


if __name__ == "__main__":
    main()
