"""Our own export of memories: every field, body and logged read, so that nothing is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.access.access_log import parse_access_log
from cortexfs.core.atoms.tree_paths import is_project_name
from cortexfs.core.checks.secrets import find_secrets
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.stores.json_fields import BadEntry, parse_entries
from cortexfs.core.stores.stored_values import BrokenEntry
from cortexfs.core.text.sanitize import truncate_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from cortexfs.core.atoms.atom import FrontmatterValue
    from cortexfs.core.stores.json_fields import Json

EXPORT_KEY = "cortexfs-export"
"""The field of an export with its version."""
EXPORT_VERSION = 1
MAX_PATH_CHARS = 300
MAX_LOG_LINE_CHARS = 4096
"""Maximum characters of a line of an access log that is imported."""


class ExportedFile(NamedTuple):
    """The path below the root of a memory, a session or a prompt, and its whole text."""

    path: str
    text: str


class ExportDocument(NamedTuple):
    """An export: files, the lines of access logs by project, and what cannot be read."""

    files: tuple[ExportedFile, ...]
    log_lines: Mapping[str, tuple[str, ...]]
    broken: tuple[BrokenEntry, ...] = ()


def format_export(
    files: Iterable[ExportedFile], log_lines: Mapping[str, Sequence[str]], exported_at: str
) -> dict[str, object]:
    """Return an export as JSON, with an iterator of its files."""
    return {
        EXPORT_KEY: EXPORT_VERSION,
        "exported_at": exported_at,
        "atoms": map(_format_file, files),
        "reads": {project: list(lines) for project, lines in log_lines.items()},
    }


def parse_export(document: Mapping[str, Json]) -> ExportDocument:
    """Return the contents of an export; never raises for a broken entry."""
    broken: list[BrokenEntry] = []
    files = parse_entries(document.get("atoms"), "atoms", _parse_file, broken)
    if document.get(EXPORT_KEY) != EXPORT_VERSION:
        broken.append(BrokenEntry(EXPORT_KEY, f"its version is not {EXPORT_VERSION}"))
        files = []
    reads = document.get("reads")
    logs = {
        project: tuple(select_log_lines(lines, {file.path.rpartition("/")[2] for file in files}))
        for project, lines in (reads if isinstance(reads, dict) else {}).items()
        if isinstance(lines, list) and is_project_name(project)
    }
    return ExportDocument(tuple(files), logs, tuple(broken))


def _format_file(file: ExportedFile) -> dict[str, Json]:
    """Return a file as its fields and its body; with the frontmatter, if its form is not ours."""
    parsed = atom_text.parse_frontmatter(file.text)
    front, body = atom_text.split_front_and_body(file.text)
    entry: dict[str, Json] = {
        "path": file.path,
        "fields": {key: _to_json(value) for key, value in parsed.fields.items()},
        "body": body,
    }
    if _format_front(parsed.fields) != front:
        entry["frontmatter"] = front
    return entry


def _format_front(fields: Mapping[str, FrontmatterValue]) -> str:
    """Return frontmatter in our own form; empty if a value is neither text nor a list of texts."""
    own: dict[str, str | list[str]] = {}
    for key, value in fields.items():
        if isinstance(value, str):
            own[key] = value
        elif isinstance(value, tuple):
            own[key] = [item for item in value if isinstance(item, str)]
            if len(own[key]) != len(value):
                return ""
        else:
            return ""
    return f"---\n{atom_text.format_frontmatter(own)}---\n"


def _parse_file(entry: Mapping[str, Json], _number: int) -> ExportedFile:
    path, body, front = entry.get("path"), entry.get("body"), entry.get("frontmatter")
    if not (isinstance(path, str) and 0 < len(path) <= MAX_PATH_CHARS):
        raise BadEntry("`path` is not a path")
    if not isinstance(body, str):
        raise BadEntry("`body` is not text")
    if front is None:
        front = _format_front(_parse_fields(entry.get("fields")))
    if not isinstance(front, str):
        raise BadEntry("`frontmatter` is not text")
    try:
        (text := f"{front}{body}").encode()
    except UnicodeEncodeError:
        raise BadEntry("the text cannot be written as UTF-8") from None
    return ExportedFile(path, text)


def _parse_fields(fields: Json) -> dict[str, FrontmatterValue]:
    if not isinstance(fields, dict):
        raise BadEntry("`fields` is not an object")
    found: dict[str, FrontmatterValue] = {}
    for key, value in fields.items():
        items = value if isinstance(value, list) else [value]
        if not (str(key).replace("-", "").isalnum() and all(isinstance(i, str) for i in items)):
            raise BadEntry(
                f"the field `{truncate_line(key, 64)}` is neither text nor a list of texts"
            )
        found[key] = tuple(items) if isinstance(value, list) else value
    return found


def _to_json(value: FrontmatterValue) -> Json:
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return [_to_json(item) for item in value]
    return {key: _to_json(item) for key, item in value.items()}


def select_log_lines(lines: Iterable[Json], names: Collection[str]) -> Iterator[str]:
    """Yield the lines of an access log that are about files of these names, each once.

    Left out are lines that are no events, are too long, or have control characters or a secret.
    """
    for line in dict.fromkeys(line for line in lines if isinstance(line, str)):
        is_clean = len(line) <= MAX_LOG_LINE_CHARS and line.isprintable() and not find_secrets(line)
        if is_clean and _read_file_name(line) in names:
            yield line


def _read_file_name(line: str) -> str:
    """Return the file that a line of an access log is about; empty if it is no event."""
    entries, _ = parse_access_log(line)
    return entries[0].file if entries else ""
