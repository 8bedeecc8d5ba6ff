"""Measure a first catalog with tantivy beside tantivy alone, from the same files.

Tantivy alone is the engine as its manual shows it: each file is read and its whole text, with the
frontmatter, goes into one field with positions; the path is stored, the text is not. There is one
commit. Its memory, and its one indexing thread, are those of our index.

Its tokenizer is the one that the engine has for English, `en_stem`: it splits at each character
that is neither letter nor digit, and stems the words, as our index does. The same without stems
(`default`, which finds fewer texts) is measured, too.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench.level import make_tree_once
from bench.measure import Figure, make_environment
from cortexfs.catalog.full_text_backend import LARGE_TREE_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ALONE, UNSTEMMED, OURS = "tantivy alone", "tantivy alone, without stems", "ours"
TOKENIZERS = {ALONE: "en_stem", UNSTEMMED: "default"}
LAPS = 3


class Usage(NamedTuple):
    """What a process and its copies have used: wall and processor seconds."""

    wall: float
    processor: float


def measure_first_build(folder: Path, atoms: int) -> Iterator[Figure]:
    """Build in turn with all, each in its own process, after a lap that is not counted.

    All read the files, which the lap that is not counted has brought into memory. Starting the
    process counts.
    """
    tree, around = make_tree_once(folder, atoms), make_environment(folder)
    around |= {LARGE_TREE_VARIABLE: "1", "PYTHONPATH": str(Path(__file__).parent.parent)}
    taken: dict[str, list[Usage]] = {way: [] for way in (*TOKENIZERS, OURS)}
    for lap in range(LAPS + 1):
        for name, usages in taken.items():
            shutil.rmtree(tree / ".cortexfs", ignore_errors=True)
            shutil.rmtree(folder / "alone", ignore_errors=True)
            (folder / "alone").mkdir()
            used = _run([name, str(tree), str(folder / "alone")], around)
            if lap:
                usages.append(used)
    named = f"first catalog with tantivy, {atoms:,} atoms"
    for part in Usage._fields:
        for way in TOKENIZERS:
            ours, alone = ([getattr(each, part) for each in taken[name]] for name in (OURS, way))
            ratio = statistics.median(a / b for a, b in zip(ours, alone, strict=True))
            figure = f"{ratio:.2f} × ({statistics.median(ours):.1f} s)"
            beside = f"{way}, same files: {statistics.median(alone):.1f} s"
            yield Figure(f"{named}, {part} time", figure, beside)


def _run(arguments: Sequence[str], around: Mapping[str, str]) -> Usage:
    """Run this module in a process of its own."""
    command = [sys.executable, "-m", __spec__.name, *arguments]
    began = time.perf_counter()
    child = os.posix_spawn(sys.executable, command, dict(around))
    _, status, used = os.wait4(child, 0)
    if status:
        raise SystemExit(f"{' '.join(command)} failed")
    return Usage(time.perf_counter() - began, used.ru_utime + used.ru_stime)


def build_alone(tree: Path, folder: Path, tokenizer: str) -> None:
    """Index the whole text of each file in one field, and store its path."""
    import tantivy  # noqa: PLC0415 - the other process must not pay for it

    from cortexfs.catalog.tantivy_writer import WRITER_HEAP_BYTES  # noqa: PLC0415

    fields = tantivy.SchemaBuilder().add_text_field("said", tokenizer_name=tokenizer)
    schema = fields.add_text_field("path", stored=True, tokenizer_name="raw").build()
    writer = tantivy.Index(schema, str(folder)).writer(WRITER_HEAP_BYTES, 1)
    for above, _, names in os.walk(tree):
        for name in names:
            path = os.path.join(above, name)
            with open(path, encoding="utf-8") as file:
                writer.add_document(tantivy.Document(said=file.read(), path=path))
    writer.commit()
    writer.wait_merging_threads()


def build_ours(tree: Path) -> None:
    """Make the catalog of a tree that has none, and ingest all its texts."""
    from cortexfs.session.session import Session  # noqa: PLC0415 - as above

    session = Session.open(str(tree), lambda: datetime.now(UTC))
    session.refresh()
    session.ingest_texts()
    session.close()


def main() -> None:
    """Build once: `measure_first_build` starts this in a process."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("way", choices=(*TOKENIZERS, OURS))
    asked.add_argument("tree", type=Path)
    asked.add_argument("folder", type=Path)
    options = asked.parse_args()
    if options.way == OURS:
        build_ours(options.tree)
    else:
        build_alone(options.tree, options.folder, TOKENIZERS[options.way])


if __name__ == "__main__":
    main()
