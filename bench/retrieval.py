"""Measure the search quality of `find` on any set: `python -m bench.retrieval FOLDER QUERIES`.

FOLDER has Markdown files, each of which becomes an atom of a temporary tree, named by its path
without `.md`; or it is a tree, whose atoms are named by their refs. QUERIES are JSON lines:
{"query": "…", "gold": ["name", …]}. The questions of several pairs are pooled.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from bench.engines import score_engines
from bench.scores import Score, format_table
from bench.sets import load_folder, read_questions


def main() -> None:
    """Ask all, and print recall, MRR and nDCG of ours beside those of the engine alone."""
    asked = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    asked.add_argument("pairs", nargs="+", type=Path, metavar="FOLDER QUERIES")
    pairs = asked.parse_args().pairs
    if len(pairs) % 2:
        asked.error("a folder without a file of queries")
    print(format_table(score_sets(list(zip(pairs[::2], pairs[1::2], strict=True)))))


def score_sets(pairs: list[tuple[Path, Path]]) -> dict[str, list[Score]]:
    """Measure some sets, each with a tree of its own."""
    every: dict[str, list[Score]] = {}
    for folder, queries in pairs:
        with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as place:
            planted = load_folder(folder, Path(place, "tree"))
            for name, scores in score_engines(planted, read_questions(queries)).items():
                every.setdefault(name, []).extend(scores)
    return every


if __name__ == "__main__":
    main()
