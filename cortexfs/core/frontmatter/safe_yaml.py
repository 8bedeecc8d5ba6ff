"""Parse frontmatter as a safe subset of YAML: a block becomes entries, or one flaw."""
# ruff: noqa: PLC0415 - the parser is imported where a block needs one: most commands need none

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.frontmatter.yaml_scalar import UNPRINTABLE

if TYPE_CHECKING:
    from cortexfs.core.frontmatter.yaml_reader import FrontmatterEntry

_FORBIDDEN = re.compile(rf"\A\ufeff|{UNPRINTABLE}")
_STATUS_WITH_CAUSE = re.compile(
    r"^status:[ \t]+[A-Za-z]+:"
    r"(?= (?:[a-z0-9][a-z0-9._-]*/)?[A-Z]+-[0-9]+[a-z]?[ \t]*(?:#.*)?\r?$)",
    re.MULTILINE,
)


def parse_safe_yaml(block: str) -> tuple[FrontmatterEntry, ...] | Flaw:
    """Return the entries of a block in order, each scalar as typed, or the flaw found first.

    `status: invalidated: EXP-009` is not YAML, but existing trees contain it, so it is accepted.
    """
    found = _STATUS_WITH_CAUSE.search(block)
    if found is None:
        return _parse_block(block)
    at = found.end()
    entries = _parse_block(
        f"{block[:at]}_{block[at + 1 :]}"
    )  # of the same length: places stay true
    if isinstance(entries, Flaw):
        return entries
    return tuple(_restore_cause(entry) if entry.key == "status" else entry for entry in entries)


def _restore_cause(entry: FrontmatterEntry) -> FrontmatterEntry:
    value = entry.value.replace(":_", ": ", 1) if isinstance(entry.value, str) else entry.value
    return entry._replace(value=value)


def _parse_block(block: str) -> tuple[FrontmatterEntry, ...] | Flaw:
    import yaml

    from cortexfs.core.frontmatter.yaml_reader import DisallowedYaml, FrontmatterReader

    if block.startswith("\ufeff"):  # parsers skip it, some without counting it
        return _make_unprintable_flaw(block)
    try:
        return FrontmatterReader(block).read_entries()
    except DisallowedYaml as error:
        return make_flaw_at(block, error.index, error.code, str(error))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        message = " ".join((error.problem or "not YAML").split())
        return make_flaw_at(block, mark.index if mark else 0, "bad-yaml", message)
    # an escape beyond Unicode is a chr() that fails where PyYAML was built without its C library
    except (yaml.reader.ReaderError, ValueError, OverflowError):
        return _make_unprintable_flaw(block)


def make_flaw_at(block: str, index: int, code: str, message: str) -> Flaw:
    """Return a flaw at an index of the block; the block begins on line 2 of the file."""
    line = block.count("\n", 0, index) + 2
    return Flaw(code, message, line, index - block.rfind("\n", 0, index))


def _make_unprintable_flaw(block: str) -> Flaw:
    found = _FORBIDDEN.search(block)
    if found is None:
        return Flaw("bad-yaml", "an escape is not a valid character", 2)
    return make_flaw_at(
        block, found.start(), "bad-yaml", f"character U+{ord(found[0]):04X} is not allowed here"
    )
