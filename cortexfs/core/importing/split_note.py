"""Read the frontmatter of a foreign note: through the gate first, then with its YAML types."""
# ruff: noqa: PLC0415 - YAML libraries are imported when a note is read, not at start-up

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.frontmatter import atom_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.frontmatter.yaml_reader import FrontmatterEntry

_AS_IT_IS = ("unclosed-frontmatter", "not-a-mapping")
"""With these the first `---` is most likely a rule, and the text is left as it stands."""
_NONE: Mapping[str, object] = MappingProxyType({})


class NoteParts(NamedTuple):
    """A foreign text in parts.

    `block` is the YAML with its line ends, `entries` what the gate reads of it, `values` the
    same with the types of YAML (dates, numbers). `first` is the line on which `body` begins.
    Where the frontmatter cannot be read there is a `flaw`, and `body` holds it as text.
    """

    body: str
    body_line: int = 1
    yaml_block: str = ""
    entries: tuple[FrontmatterEntry, ...] = ()
    typed_values: Mapping[str, object] = _NONE
    flaw: Flaw | None = None


def split_note(text: str) -> NoteParts:
    """Read a text of LF lines without a byte order mark. Never raises."""
    parts = atom_text.split_frontmatter(text)
    if isinstance(parts, Flaw):
        return _unsplit(text, parts)
    from cortexfs.core.frontmatter import safe_yaml

    body = parts.tail.partition("\n")[2]
    entries = safe_yaml.parse_safe_yaml(parts.block)
    if isinstance(entries, Flaw):
        if entries.code in _AS_IT_IS:
            return NoteParts(text, flaw=entries)
        return NoteParts(f"{_as_code(parts.block)}{body}", flaw=entries)
    first = text.count("\n", 0, len(text) - len(body)) + 1
    return NoteParts(body, first, parts.block, entries, _typed(parts.block, entries))


def keep_frontmatter_as_text(metadata: NoteParts, flaw: Flaw) -> NoteParts:
    """Take a frontmatter that was read for a part of the text all the same."""
    return NoteParts(f"{_as_code(metadata.yaml_block)}{metadata.body}", flaw=flaw)


def _unsplit(text: str, flaw: Flaw) -> NoteParts:
    if flaw.code == "no-frontmatter":
        return NoteParts(text)
    return NoteParts(text, flaw=flaw)


def _typed(block: str, entries: tuple[FrontmatterEntry, ...]) -> Mapping[str, object]:
    """Read a block that the gate has let in; `2026-13-45` and its like stay text."""
    from frontmatter.default_handlers import YAMLHandler

    try:
        read = YAMLHandler().load(block)
    except (ValueError, OverflowError):
        read = None
    if isinstance(read, dict) and all(isinstance(key, str) for key in read):
        return read
    return {entry.key: entry.value for entry in entries}


def _as_code(block: str) -> str:
    """Show a block that is no frontmatter for us as code, within a fence that it does not hold."""
    fence = "```"
    while fence in block:
        fence += "`"
    return f"{fence}yaml\n{block}{fence}\n\n"
