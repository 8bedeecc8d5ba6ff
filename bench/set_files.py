"""Read the files of published sets; an error names the file and the line."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Grades = dict[str, dict[str, int]]

ValueT = TypeVar("ValueT")
CHUNK_CHARS = 1 << 20
"""Number of characters that are read at once from a file that is one JSON array."""
_CUT_CHARS = 16
"""An error so near to the end of what was read may be due to the cut: `tru`, `\\u00`."""
_WHAT = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}


class BadSetFile(Exception):
    """A file of a set cannot be used."""

    def __init__(self, path: Path, line: int, problem: str) -> None:
        super().__init__(f"{path}:{line}: {problem}" if line else f"{path}: {problem}")


class Record(NamedTuple):
    """A JSON object of a file, and the line where it begins.

    `inside` is the place of an object in that of the line: `qa[2]: `.
    """

    path: Path
    line: int
    fields: dict[str, Any]
    inside: str = ""

    def get(self, key: str, kind: type[ValueT], default: ValueT | None = None) -> ValueT:
        """Return the value of a key; refuse one that is missing or of another kind."""
        value = self.fields.get(key)
        value = default if value is None else value
        if not isinstance(value, kind):
            problem = "is missing" if value is None else f"is not {_WHAT[kind]}"
            raise self.refuse(f"`{key}` {problem}")
        return value

    def get_objects(self, key: str) -> list[Record]:
        """Return the objects in a list."""
        return self.to_records(self.get(key, list), key)

    def to_records(self, values: list[Any], key: str) -> list[Record]:
        """Return the items of the list under a key as records."""
        for number, value in enumerate(values):
            if not isinstance(value, dict):
                raise self.refuse(f"`{key}[{number}]` is not an object")
        return [
            self._replace(fields=value, inside=f"{self.inside}{key}[{number}]: ")
            for number, value in enumerate(values)
        ]

    def get_texts(self, key: str, default: list[str] | None = None) -> list[str]:
        """Return the texts in a list."""
        values = self.get(key, list, default)
        if not all(isinstance(each, str) for each in values):
            raise self.refuse(f"an item of `{key}` is not a text")
        return values

    def get_id(self, key: str) -> str:
        """Return an id, which may be written as a number."""
        value = self.fields.get(key)
        return str(value) if isinstance(value, int) else self.get(key, str)

    def refuse(self, problem: str) -> BadSetFile:
        """Return the error about this record."""
        return BadSetFile(self.path, self.line, f"{self.inside}{problem}")


def run_program(program: Callable[[], None]) -> None:
    """Run a program; a file that cannot be used ends it with a message."""
    try:
        program()
    except BadSetFile as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)


def iter_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text file that are not empty, with their numbers."""
    if not path.is_file():
        raise BadSetFile(path, 0, "no such file")
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        yield from ((number, line) for number, line in enumerate(file, start=1) if line.strip())


def iter_json_lines(path: Path) -> Iterator[Record]:
    """Yield the objects of a file of JSON lines, without reading it as a whole."""
    for number, line in iter_lines(path):
        try:
            value = json.loads(line)
        except ValueError as error:
            raise BadSetFile(path, number, f"not JSON: {error}") from None
        if not isinstance(value, dict):
            raise BadSetFile(path, number, "not a JSON object")
        yield Record(path, number, value)


def read_json_object(path: Path) -> Record:
    """Read a file that is one JSON object."""
    if not path.is_file():
        raise BadSetFile(path, 0, "no such file")
    try:
        value = json.loads(path.read_text(encoding="utf-8-sig", errors="replace"))
    except json.JSONDecodeError as error:
        raise BadSetFile(path, error.lineno, f"not JSON: {error.msg}") from None
    if not isinstance(value, dict):
        raise BadSetFile(path, 1, "not a JSON object")
    return Record(path, 1, value)


def iter_json_array(path: Path) -> Iterator[Record]:
    """Yield the objects of a file that is one JSON array, without reading it as a whole."""
    if not path.is_file():
        raise BadSetFile(path, 0, "no such file")
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        buffer = _ArrayBuffer(path, file.read)
        buffer.take("[", "a JSON array")
        while buffer.peek() != "]":
            yield buffer.decode()
            if buffer.peek() != "]":
                buffer.take(",", "`,` or `]`")


class _ArrayBuffer:
    """What was read of an array and is not decoded yet."""

    def __init__(self, path: Path, read: Callable[[int], str]) -> None:
        self.path, self.read, self.text, self.line = path, read, "", 1

    def peek(self) -> str:
        """Return the next character that is not white space; empty at the end of the file."""
        while not (rest := self.text.lstrip()):
            self._skip(len(self.text))
            self.text = self.read(CHUNK_CHARS)
            if not self.text:
                return ""
        self._skip(len(self.text) - len(rest))
        return self.text[0]

    def take(self, character: str, name: str) -> None:
        """Skip a character that must come next."""
        if self.peek() != character:
            raise BadSetFile(self.path, self.line, f"{name} was expected")
        self._skip(1)

    def decode(self) -> Record:
        """Return the object that comes next, reading as much as it needs."""
        if self.peek() != "{":
            raise BadSetFile(self.path, self.line, "an object was expected")
        while True:
            try:
                value, end = json.JSONDecoder().raw_decode(self.text)
            except json.JSONDecodeError as error:
                if not (self._is_cut(error) and self._read_more()):
                    line = self.line + error.lineno - 1
                    raise BadSetFile(self.path, line, f"not JSON: {error.msg}") from None
            else:
                record = Record(self.path, self.line, value)
                self._skip(end)
                return record

    def _is_cut(self, error: json.JSONDecodeError) -> bool:
        near_end = error.pos >= len(self.text) - _CUT_CHARS
        return near_end or error.msg.startswith("Unterminated string")

    def _read_more(self) -> bool:
        """Read as much again as there is, so that a large object is not decoded too often."""
        more = self.read(max(CHUNK_CHARS, len(self.text)))
        self.text += more
        return bool(more)

    def _skip(self, count: int) -> None:
        self.line += self.text.count("\n", 0, count)
        self.text = self.text[count:]


def read_grades(
    path: Path, to_grade: Callable[[int], int] | None = None
) -> tuple[Grades, dict[str, int]]:
    """Read the judgments: return the grades by query and text, and the first line of each query.

    A line is `QUERY TEXT GRADE`, or in TREC's layout `QUERY 0 TEXT GRADE`. A first line without
    a grade is the head of a table. `to_grade` converts codes. Of several grades of the same text,
    the highest counts.
    """
    grades: Grades = {}
    lines: dict[str, int] = {}
    widths: set[int] = set()
    for number, line in iter_lines(path):
        columns = line.split("\t") if "\t" in line else line.split()
        if number == 1 and not _is_number(columns[-1]):
            continue
        widths.add(len(columns))
        if widths not in ({3}, {4}) or not _is_number(columns[-1]):
            raise BadSetFile(path, number, "not `QUERY TEXT GRADE` or `QUERY 0 TEXT GRADE`")
        query, text, grade = columns[0].strip(), columns[-2].strip(), int(columns[-1])
        grade = to_grade(grade) if to_grade else grade
        judged = grades.setdefault(query, {})
        judged[text] = max(grade, judged.get(text, grade))
        lines.setdefault(query, number)
    if not grades:
        raise BadSetFile(path, 0, "no grades")
    return grades, lines


def _is_number(column: str) -> bool:
    return column.strip().removeprefix("-").isdecimal()
