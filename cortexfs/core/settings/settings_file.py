"""Parse `cortexfs.yaml`. It is untrusted like the tree: it cannot name a program or a path."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cortexfs.core.atoms.atom import Flaw, split_string_list
from cortexfs.core.atoms.kind import Kind
from cortexfs.core.atoms.kinds import BUILT_IN, RESERVED_FOLDERS, Kinds
from cortexfs.core.checks.size_limits import DEFAULT_CAPS, Cap
from cortexfs.core.frontmatter import atom_text, safe_yaml
from cortexfs.core.frontmatter.safe_yaml import make_flaw_at
from cortexfs.core.settings.brief_settings import parse_brief
from cortexfs.core.settings.daemon_settings import parse_daemon
from cortexfs.core.settings.maintenance_settings import parse_maintenance
from cortexfs.core.settings.parse_story_settings import parse_stories
from cortexfs.core.settings.pattern_settings import parse_patterns
from cortexfs.core.settings.setting_section import (
    NO,
    YES,
    is_word_list,
    open_section,
    report_unknown_keys,
    require_mapping,
)
from cortexfs.core.settings.settings import MemorySettings, Settings, WriteBackMode
from cortexfs.core.settings.supervision_settings import parse_supervision
from cortexfs.core.text.sanitize import format_cell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from cortexfs.core.atoms.atom import FrontmatterValue
    from cortexfs.core.settings.setting_section import Keys, Report

_NAME = re.compile(r"[a-z][a-z0-9-]{0,31}", re.ASCII)
_PREFIX = re.compile(r"[A-Z]{1,8}", re.ASCII)
_COUNT = re.compile(r"[0-9]{1,9}", re.ASCII)
_TEXT_KEYS = ("folder", "prefix", "index", "use-when")
_LIST_KEYS = ("required", "fields", "sections")
_RESERVED_KEY = "index"
"""A section that may be present, and has no effect."""
_FENCE = "---\n"
MAX_HEADINGS = 32
"""Maximum number of headings of learnings that a tree adds."""


def parse_settings(text: str) -> Settings:
    """Return the settings. Never raises: an invalid setting is a flaw, and its default is used."""
    if text.startswith(_FENCE):  # a document marker, which editors add
        text = "\n" + text.removeprefix(_FENCE)
    framed = f"{_FENCE}{text}\n{_FENCE}"
    parsed = atom_text.parse_frontmatter(framed)
    problems: list[tuple[str, Keys]] = []

    def report(message: str, keys: Keys) -> None:
        problems.append((message, keys))

    report_unknown_keys(sorted({*_SECTIONS, _RESERVED_KEY}), parsed.fields, (), report)
    values = {
        field: parse(parsed.fields.get(name, ""), report)
        for name, (field, parse) in _SECTIONS.items()
    }
    flaws = [*parsed.flaws, *_make_flaws(framed, problems), *_find_ignored_text(framed, parsed)]
    last = text.count("\n") + 1
    located_flaws = (flaw._replace(line=min(max(flaw.line - 1, 1), last)) for flaw in flaws)
    all_flaws = tuple(sorted(located_flaws, key=lambda flaw: flaw.line))
    return Settings(flaws=all_flaws)._replace(**values)


def _parse_write_back(access: FrontmatterValue, report: Report) -> WriteBackMode:
    value = open_section(access, "access", ("write_back",), report).values.get("write_back", "")
    if isinstance(value, str) and value in {"", *WriteBackMode}:
        return WriteBackMode(value or WriteBackMode.PRESENT)
    report(f"`write_back` must be one of {', '.join(WriteBackMode)}", ("access", "write_back"))
    return WriteBackMode.PRESENT


def _parse_vectors(find: FrontmatterValue, report: Report) -> bool:
    return open_section(find, "find", ("vectors",), report).read_switch("vectors")


def _parse_memory(memory: FrontmatterValue, report: Report) -> MemorySettings:
    section = open_section(memory, "memory", ("learning-headings",), report)
    headings = section.read_words("learning-headings", "a list of headings")
    return MemorySettings(headings[:MAX_HEADINGS])


def _parse_caps(caps: FrontmatterValue, report: Report) -> Mapping[str, Cap]:
    """Return the caps that a tree sets; limits that it does not mention keep their default."""
    values = require_mapping(caps, ("caps",), report)
    report_unknown_keys(DEFAULT_CAPS, values, ("caps",), report)
    own: dict[str, Cap] = {}
    for name in DEFAULT_CAPS.keys() & values.keys():
        limits = require_mapping(values[name], ("caps", name), report)
        report_unknown_keys(Cap._fields, limits, ("caps", name), report)
        for key, value in limits.items():
            if key in Cap._fields and _is_count(value):
                own[name] = own.get(name, DEFAULT_CAPS[name])._replace(**{key: int(str(value))})
            elif key in Cap._fields:
                report(f"`{key}` must be a number; 0 means no cap", ("caps", name, key))
    return own


def _is_count(value: FrontmatterValue) -> bool:
    return isinstance(value, str) and bool(_COUNT.fullmatch(value))


def _parse_kinds(kinds: FrontmatterValue, report: Report) -> Kinds:
    """Return the built-in kinds and then the user's own; invalid ones are left out."""
    rows = list(BUILT_IN)
    for name, value in require_mapping(kinds, ("kinds",), report).items():
        keys = ("kinds", name)
        row = require_mapping(value, keys, report)
        report_unknown_keys((*_TEXT_KEYS, *_LIST_KEYS), row, keys, report)
        for key, message in _find_bad_values(row):
            report(message, (*keys, key))
        kind = _make_kind(name, row)
        problems = next(_find_kind_errors(kind, rows), None)
        if problems is None:
            rows.append(kind)
        else:
            report(f"kind `{name}`: {problems[1]}", (*keys, problems[0]))
    return Kinds(tuple(rows))


def _make_kind(name: str, row: Mapping[str, FrontmatterValue]) -> Kind:
    """Return one kind defined by the user."""
    return Kind(
        name=name,
        folder=_text_value(row, "folder") or f"{name}s",
        prefix=_text_value(row, "prefix") or name[:3].upper(),
        indexed=_text_value(row, "index").lower() not in NO,
        required_fields=split_string_list(row.get("required", "")),
        sections=split_string_list(row.get("sections", "")),
        use_when=format_cell(_text_value(row, "use-when")),
    )


def _find_bad_values(row: Mapping[str, FrontmatterValue]) -> Iterator[tuple[str, str]]:
    """Yield key and message for each entry of a kind with a value of the wrong type."""
    for key, value in row.items():
        if key in _TEXT_KEYS and not isinstance(value, str):
            yield key, f"`{key}` must be a single text"
        elif key == "index" and str(value).lower() not in {"", *YES, *NO}:
            yield key, "`index` must be yes or no"
        elif key in _LIST_KEYS and not is_word_list(value):
            yield key, f"`{key}` must be a list of words"


def _find_kind_errors(kind: Kind, rows: Iterable[Kind]) -> Iterator[tuple[str, str]]:
    """Yield key and message for each reason why a kind is invalid."""
    if not _NAME.fullmatch(kind.name):
        yield "", "its name may contain only a-z, 0-9 and `-`"
    if not _NAME.fullmatch(kind.folder) or kind.folder in RESERVED_FOLDERS:
        yield "folder", "its folder may contain only a-z, 0-9 and `-`, and some names are reserved"
    if not _PREFIX.fullmatch(kind.prefix):
        yield "prefix", "its prefix must have one to eight capital letters"
    for key in ("name", "folder", "prefix"):
        if any(getattr(kind, key) == getattr(row, key) for row in rows):
            yield key, f"its {key} is taken"


def _text_value(row: Mapping[str, FrontmatterValue], key: str) -> str:
    value = row.get(key, "")
    return value if isinstance(value, str) else ""


def _find_ignored_text(framed: str, parsed: atom_text.ParsedText) -> Iterator[Flaw]:
    """Yield a flaw if a line `---` ends the settings before the end of the file."""
    if parsed.fields and parsed.body.strip() not in {"", "---"}:
        line = framed.count("\n", 0, len(framed) - len(parsed.body)) + 1
        yield Flaw("bad-setting", "the text below a line `---` is ignored", line)


def _make_flaws(framed: str, problems: Sequence[tuple[str, Keys]]) -> Iterator[Flaw]:
    """Yield each problem as a flaw at its key, or at the nearest key above that exists."""
    parts = atom_text.split_frontmatter(framed)
    if not problems or isinstance(parts, Flaw):
        return
    offsets = dict(_iter_key_offsets(parts.block, 0, len(parts.block)))
    for message, keys in problems:
        nearest = (keys[:deep] for deep in range(len(keys), 0, -1) if keys[:deep] in offsets)
        yield make_flaw_at(parts.block, offsets.get(next(nearest, ()), 0), "bad-setting", message)


def _iter_key_offsets(
    text: str, start: int, end: int, above: Keys = ()
) -> Iterator[tuple[Keys, int]]:
    """Yield each key path, at every depth, with its index in the text."""
    block = f"{text[start:end]}\n"
    entries = safe_yaml.parse_safe_yaml(block)
    for entry in () if isinstance(entries, Flaw) else entries:
        keys = (*above, entry.key)
        yield keys, start + entry.key_start
        if isinstance(entry.value, Mapping):
            line = block.rfind("\n", 0, entry.start) + 1  # with its indentation
            inner = entry.start if entry.style == "[" else line
            yield from _iter_key_offsets(text, start + inner, start + entry.end, keys)


_SECTIONS: Mapping[str, tuple[str, Callable[[FrontmatterValue, Report], Any]]] = {
    "access": ("write_back", _parse_write_back),
    "brief": ("brief", parse_brief),
    "caps": ("caps", _parse_caps),
    "daemon": ("daemon", parse_daemon),
    "find": ("use_embeddings", _parse_vectors),
    "kinds": ("kinds", _parse_kinds),
    "maintenance": ("maintenance", parse_maintenance),
    "memory": ("memory", _parse_memory),
    "patterns": ("patterns", parse_patterns),
    "stories": ("stories", parse_stories),
    "supervision": ("supervision", parse_supervision),
}
"""The field of each section in `Settings`, and its parser."""
