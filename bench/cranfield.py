"""Measure the search quality of `find` on Cranfield: `python -m bench.cranfield FOLDER`.

FOLDER has the classic files (`cran.all.1400`, `cran.qry`, `cranqrel`) or those in TREC's layout
(`cran.all.1400.xml`, `cran.qry.xml`, `cranqrel.trec.txt`). The collection's codes of relevance
count down: 1 is a complete answer, 4 of minimum interest; 5 and -1 are not relevant. For a copy
with grades that count up, use `--higher-is-better`.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, NamedTuple

from bench.graded_sets import GradedQuery, make_parser, parse_choice, print_graded_set
from bench.set_files import BadSetFile, iter_lines, read_grades, run_program
from bench.sets import Document

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TEXTS = ("cran.all.1400.xml", "cran.all.1400", "cran.all")
QUERIES = ("cran.qry.xml", "cran.qry")
GRADES = ("cranqrel.trec.txt", "cranqrel")
LEAST_CODE = 4
"""The code of the least relevance: grade 1."""
_MARK = re.compile(r"\.(?:I(?:\s+(?P<id>\S+))?|(?P<field>[A-Z]))\s*")
_TAG = re.compile(
    r"<(/?)(docno|doc|topic|top|num|title|author|biblio|bib|text|desc|narr)>", re.IGNORECASE
)
_ITEMS = {"doc", "top", "topic"}
_FIELDS = {"docno": "I", "num": "I", "title": "T", "text": "W", "desc": "W"}
"""Tags of TREC's layout, and the marks of the same fields in the classic one."""


class Item(NamedTuple):
    """A text or query: the line where it begins, and its fields by their mark."""

    line: int
    fields: dict[str, str]


def main() -> None:
    """Print the table of the collection."""
    parser = make_parser(__doc__)
    parser.add_argument("--higher-is-better", action="store_true", help="the grades count up")
    options, choice = parse_choice(parser)
    asked = read_queries(options.folder, codes=not options.higher_is_better)
    print_graded_set(options.folder, iter_documents(options.folder), asked, choice)


def iter_documents(folder: Path) -> Iterator[Document]:
    """Yield the abstracts. Most begin with their title, which is then not repeated."""
    path = find_file(folder, TEXTS)
    known: set[str] = set()
    for item in iter_items(path):
        ident = _get_id(path, item)
        if ident in known:
            raise BadSetFile(path, item.line, f"a second text with the id {ident!r}")
        known.add(ident)
        title, text = (" ".join(item.fields.get(mark, "").split()) for mark in "TW")
        text = text.removeprefix(title).strip()
        yield Document(ident, f"# {title}\n\n{text}\n" if title else f"{text}\n")


def read_queries(folder: Path, *, codes: bool = True) -> list[GradedQuery]:
    """Read the queries that have grades.

    The classic judgments number the queries from 1, whatever ids the file of queries gives them.
    """
    path = find_file(folder, QUERIES)
    items = list(iter_items(path))
    judged = find_file(folder, GRADES)
    grades, lines = read_grades(judged, to_grade if codes else None)
    texts = {_get_id(path, item): _get_query(path, item) for item in items}
    grades = {_strip_zeros(ident): some for ident, some in grades.items()}
    if not grades.keys() <= texts.keys():
        texts = {str(number): _get_query(path, item) for number, item in enumerate(items, start=1)}
    for ident, line in lines.items():
        if _strip_zeros(ident) not in texts:
            raise BadSetFile(judged, line, f"{path.name} has no query {ident!r}")
    return [
        GradedQuery("", text, {_strip_zeros(name): grade for name, grade in some.items()})
        for ident, text in texts.items()
        if (some := grades.get(ident))
    ]


def to_grade(code: int) -> int:
    """Return a grade that counts up: 4 for the code 1, 0 for what is not relevant."""
    return LEAST_CODE + 1 - code if 1 <= code <= LEAST_CODE else 0


def find_file(folder: Path, names: tuple[str, ...]) -> Path:
    """Return the first of some files that exists."""
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise BadSetFile(folder, 0, f"none of the files {', '.join(names)}")


def iter_items(path: Path) -> Iterator[Item]:
    """Yield the texts or queries of a file in either layout."""
    _, first = next(iter_lines(path), (0, ""))
    if not first.lstrip().startswith(("<", ".I")):
        raise BadSetFile(path, 1, "neither `.I` nor a tag at the beginning")
    yield from _iter_tagged(path) if first.lstrip().startswith("<") else _iter_marked(path)


def _iter_marked(path: Path) -> Iterator[Item]:
    """Yield the items of the classic layout: `.I 1`, then fields that begin with `.T` and so on."""
    item, field = Item(0, {}), ""
    for number, line in iter_lines(path):
        mark = _MARK.fullmatch(line)
        if not mark:
            item.fields[field] = item.fields.get(field, "") + line
        elif mark["field"]:
            field = mark["field"]
        else:
            if item.line:
                yield item
            item, field = Item(number, {"I": mark["id"] or ""}), ""
    if item.line:
        yield item


def _iter_tagged(path: Path) -> Iterator[Item]:
    """Yield the items of TREC's layout: `<doc>` or `<top>` with a tag for each field."""
    item, field = Item(0, {}), ""
    for number, line in iter_lines(path):
        start = 0
        for tag in _TAG.finditer(line):
            _add_text(item, field, line[start : tag.start()])
            start, name, is_end = tag.end(), tag[2].lower(), bool(tag[1])
            if name in _ITEMS and is_end:
                yield item
                item = Item(0, {})
            elif name in _ITEMS:
                if item.line:
                    raise BadSetFile(path, item.line, f"<{name}> is not closed")
                item = Item(number, {})
            field = "" if is_end else _FIELDS.get(name, "")
        _add_text(item, field, line[start:])
    if item.line:
        raise BadSetFile(path, item.line, "the last item is not closed")


def _add_text(item: Item, field: str, text: str) -> None:
    if field:
        item.fields[field] = item.fields.get(field, "") + html.unescape(text)


def _get_id(path: Path, item: Item) -> str:
    words = item.fields.get("I", "").split()
    if not words:
        raise BadSetFile(path, item.line, "no id")
    return _strip_zeros(words[-1])  # some write `Number: 7`


def _get_query(path: Path, item: Item) -> str:
    """Return the words of a query, which TREC's layout calls a title."""
    words = " ".join(" ".join(item.fields.get(mark, "") for mark in "TW").split())
    if not words:
        raise BadSetFile(path, item.line, "no words")
    return words


def _strip_zeros(ident: str) -> str:
    return ident.lstrip("0") or "0"


if __name__ == "__main__":
    run_program(main)
