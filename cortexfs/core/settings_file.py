"""What `cortexfs.yaml` may say. It is as untrusted as the tree: it names no program or path."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from cortexfs.core import codec
from cortexfs.core.atom import Flaw, words
from cortexfs.core.clean import cell
from cortexfs.core.kinds import BUILT_IN, RESERVED, Kind, Kinds
from cortexfs.core.settings import Settings, WriteBack

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.atom import Value

_NAME = re.compile(r"[a-z][a-z0-9-]{0,31}", re.ASCII)
_PREFIX = re.compile(r"[A-Z]{1,8}", re.ASCII)
_KNOWN = ("access", "caps", "index", "kinds")
_NO = ("no", "false", "off")


def read_settings(text: str) -> Settings:
    """Read the settings. Never raises: what cannot be is a flaw, and its default holds."""
    if text.startswith("---\n"):  # a document's marker, as editors put it
        text = "\n" + text.removeprefix("---\n")
    parsed = codec.parse(f"---\n{text}\n---\n")
    flaws = [Flaw(f.code, f.message, max(f.line - 1, 1), f.column) for f in parsed.flaws]
    rows: list[Kind] = list(BUILT_IN)

    def complain(key: str, message: str) -> None:
        flaws.append(Flaw("bad-setting", message, max(parsed.lines.get(key, 2) - 1, 1)))

    for key in parsed.fields.keys() - set(_KNOWN):
        complain(key, f"no setting `{key}`; there are {', '.join(_KNOWN)}")
    for name, row in _mapping(parsed.fields.get("kinds")).items():
        kind = _kind(name, _mapping(row), rows)
        if isinstance(kind, Kind):
            rows.append(kind)
        else:
            complain("kinds", f"kind `{name}`: {kind}")
    chosen = _mapping(parsed.fields.get("access")).get("write_back", WriteBack.PRESENT)
    if chosen not in set(WriteBack):
        complain("access", f"write_back is {', '.join(WriteBack)}, not `{chosen}`")
        chosen = WriteBack.PRESENT
    return Settings(Kinds(tuple(rows)), WriteBack(str(chosen)), tuple(flaws))


def _kind(name: str, row: Mapping[str, Value], rows: list[Kind]) -> Kind | str:
    """Read one kind of the user's own; what is wrong with it comes back as a sentence."""
    folder, prefix = _text(row, "folder", f"{name}s"), _text(row, "prefix", name[:3].upper())
    if wrong := next(_wrong(name, folder, prefix, rows), None):
        return wrong
    return Kind(
        name=name,
        folder=folder,
        prefix=prefix,
        indexed=_text(row, "index", "yes").lower() not in _NO,
        required=words(row.get("required", "")),
        fields=words(row.get("fields", "")),
        sections=words(row.get("sections", "")),
        use_when=cell(_text(row, "use-when", "")),
    )


def _wrong(name: str, folder: str, prefix: str, rows: list[Kind]) -> Iterator[str]:
    if not _NAME.fullmatch(name) or not _NAME.fullmatch(folder) or folder in RESERVED:
        yield "names and folders are a-z, 0-9 and `-`"
    if not _PREFIX.fullmatch(prefix):
        yield "the prefix is one to eight capital letters"
    if any(name == row.name or folder == row.folder or prefix == row.prefix for row in rows):
        yield "its name, folder or prefix is taken"


def _mapping(value: Value | None) -> Mapping[str, Value]:
    return value if isinstance(value, Mapping) else {}


def _text(row: Mapping[str, Value], key: str, default: str) -> str:
    value = row.get(key, default)
    return value if isinstance(value, str) else default
