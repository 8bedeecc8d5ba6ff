"""Parse a TASKS.yaml into values with offsets, or a flaw if it cannot be read."""
# ruff: noqa: PLC0415 - the parser is imported where a file is read: most commands need none

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.atoms.atom import FrontmatterValue
    from cortexfs.core.tasks.parse_yaml_nodes import YamlNode, YamlNodeEntry

MAX_BYTES = 1024 * 1024
"""Maximum size of a TASKS.yaml in bytes of UTF-8."""

_BOM = "\ufeff"


class TasksDocument(NamedTuple):
    """A parsed file, which is `byte_order_mark + text`; `root` is None if it has no values."""

    byte_order_mark: str
    text: str
    root: YamlNode | None

    @property
    def content(self) -> Mapping[str, FrontmatterValue]:
        """All values of the file, every scalar as text."""
        value = self.root.value if self.root else {}
        return value if isinstance(value, Mapping) else {}

    def find_entry(self, key: str) -> YamlNodeEntry | None:
        """Return a top-level entry, or None."""
        entries = self.root.entries if self.root else ()
        return next((entry for entry in entries if entry.key == key), None)

    def line_number(self, index: int) -> int:
        """Return the line number in the file of an offset in the text."""
        return self.text.count("\n", 0, index) + 1

    def line_numbers(self, indexes: Iterable[int]) -> list[int]:
        """Return the line numbers of some rising offsets."""
        found, line, counted = [], 1, 0
        for index in indexes:
            line, counted = line + self.text.count("\n", counted, index), index
            found.append(line)
        return found


def parse_tasks_document(text: str) -> TasksDocument | Flaw:
    """Parse a text; returns a flaw with its position if it cannot be read, and never raises."""
    if len(text) > MAX_BYTES or len(text.encode(errors="replace")) > MAX_BYTES:
        return Flaw("bad-tasks", f"more than {MAX_BYTES} bytes")
    head = _BOM if text.startswith(_BOM) else ""  # parsers skip it, some without counting it
    return _parse_yaml(head, text[len(head) :])


def _parse_yaml(head: str, text: str) -> TasksDocument | Flaw:
    import yaml

    from cortexfs.core.tasks.parse_yaml_nodes import UnsupportedYaml, YamlNodeReader

    try:
        document = TasksDocument(head, text, YamlNodeReader(text).read_root())
    except UnsupportedYaml as stopped:
        return _make_flaw(text, stopped.index, str(stopped))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = " ".join((error.problem or "it is not YAML").split())
        return _make_flaw(text, mark.index if mark else 0, problem)
    # an escape beyond Unicode is a chr() that fails where PyYAML was built without its C library
    except (yaml.reader.ReaderError, ValueError, OverflowError):
        return Flaw("bad-tasks", "it has a character that YAML does not allow")
    return _check_shape(document)


def _check_shape(document: TasksDocument) -> TasksDocument | Flaw:
    """Return the page if `tasks` is a list or empty, else a flaw."""
    if document.root and not isinstance(document.root.value, Mapping):
        return _make_flaw(
            document.text, document.root.start, "it is not a `key: value` mapping with `tasks:`"
        )
    value, tasks = document.content.get("tasks"), document.find_entry("tasks")
    if value and not isinstance(value, tuple):
        return _make_flaw(document.text, tasks.node.start if tasks else 0, "`tasks` is not a list")
    return document


def _make_flaw(text: str, index: int, message: str) -> Flaw:
    line = text.count("\n", 0, index) + 1
    return Flaw("bad-tasks", message, line, index - text.rfind("\n", 0, index))
