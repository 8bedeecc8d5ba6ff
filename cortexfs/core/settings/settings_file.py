"""Parse `cortexfs.yaml`. It is untrusted like the tree: it cannot name a program or a path."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw, split_string_list
from cortexfs.core.atoms.kinds import BUILT_IN, RESERVED_FOLDERS, Kind, Kinds
from cortexfs.core.checks.size_limits import DEFAULT_CAPS, Cap
from cortexfs.core.frontmatter import atom_text, safe_yaml
from cortexfs.core.frontmatter.safe_yaml import make_flaw_at
from cortexfs.core.settings.brief_settings import parse_brief_settings
from cortexfs.core.settings.settings import MemorySettings, Settings, WriteBackMode
from cortexfs.core.text.sanitize import format_cell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from cortexfs.core.atoms.atom import FrontmatterValue

    Keys = tuple[str, ...]
    Report = Callable[[str, Keys], None]

_NAME = re.compile(r"[a-z][a-z0-9-]{0,31}", re.ASCII)
_PREFIX = re.compile(r"[A-Z]{1,8}", re.ASCII)
_COUNT = re.compile(r"[0-9]{1,9}", re.ASCII)
_SCORE = re.compile(r"[0-4](?:\.[0-9]{1,4})?|5(?:\.0{1,4})?", re.ASCII)
_TOP_KEYS = ("access", "brief", "caps", "find", "index", "kinds", "memory")
_MEMORY_KEYS = ("learning-headings", "archive-days", "archive-score")
_TEXT_KEYS = ("folder", "prefix", "index", "use-when")
_LIST_KEYS = ("required", "fields", "sections")
_YES = ("", "yes", "true", "on")
_NO = ("no", "false", "off")
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

    _report_unknown_keys(_TOP_KEYS, parsed.fields, (), report)
    rows = _parse_kinds(parsed.fields.get("kinds", ""), report)
    write_back = _parse_write_back(parsed.fields.get("access", ""), report)
    caps = _parse_caps(parsed.fields.get("caps", ""), report)
    vectors = _parse_vectors(parsed.fields.get("find", ""), report)
    memory = _parse_memory(parsed.fields.get("memory", ""), report)
    brief = parse_brief_settings(parsed.fields.get("brief", ""), report)
    flaws = [*parsed.flaws, *_make_flaws(framed, problems), *_find_ignored_text(framed, parsed)]
    last = text.count("\n") + 1
    located_flaws = (flaw._replace(line=min(max(flaw.line - 1, 1), last)) for flaw in flaws)
    all_flaws = tuple(sorted(located_flaws, key=lambda flaw: flaw.line))
    return Settings(Kinds(rows), write_back, all_flaws, caps, vectors, memory, brief)


def _parse_write_back(access: FrontmatterValue, report: Report) -> WriteBackMode:
    values = _require_mapping(access, ("access",), report)
    _report_unknown_keys(("write_back",), values, ("access",), report)
    value = values.get("write_back", "")
    if isinstance(value, str) and value in {"", *WriteBackMode}:
        return WriteBackMode(value or WriteBackMode.PRESENT)
    report(f"`write_back` must be one of {', '.join(WriteBackMode)}", ("access", "write_back"))
    return WriteBackMode.PRESENT


def _parse_vectors(find: FrontmatterValue, report: Report) -> bool:
    values = _require_mapping(find, ("find",), report)
    _report_unknown_keys(("vectors",), values, ("find",), report)
    value = values.get("vectors", "")
    if str(value).lower() not in {*_YES, *_NO}:
        report("`vectors` must be yes or no", ("find", "vectors"))
    return str(value).lower() not in _NO


def _parse_memory(memory: FrontmatterValue, report: Report) -> MemorySettings:
    values = _require_mapping(memory, ("memory",), report)
    _report_unknown_keys(_MEMORY_KEYS, values, ("memory",), report)
    headings, days, score = (values.get(key, "") for key in _MEMORY_KEYS)
    found = MemorySettings()
    if _is_word_list(headings):
        found = found._replace(learning_headings=split_string_list(headings)[:MAX_HEADINGS])
    else:
        report("`learning-headings` must be a list of headings", ("memory", _MEMORY_KEYS[0]))
    if _is_count(days):
        found = found._replace(archive_rule=found.archive_rule._replace(days=int(str(days))))
    elif days:
        report("`archive-days` must be a number of days", ("memory", _MEMORY_KEYS[1]))
    if isinstance(score, str) and _SCORE.fullmatch(score):
        return found._replace(archive_rule=found.archive_rule._replace(score=float(score)))
    if score:
        report("`archive-score` must be a number from 0 to 5", ("memory", _MEMORY_KEYS[2]))
    return found


def _parse_caps(caps: FrontmatterValue, report: Report) -> Mapping[str, Cap]:
    """Return the caps that a tree sets; limits that it does not mention keep their default."""
    values = _require_mapping(caps, ("caps",), report)
    _report_unknown_keys(DEFAULT_CAPS, values, ("caps",), report)
    own: dict[str, Cap] = {}
    for name in DEFAULT_CAPS.keys() & values.keys():
        limits = _require_mapping(values[name], ("caps", name), report)
        _report_unknown_keys(Cap._fields, limits, ("caps", name), report)
        for key, value in limits.items():
            if key in Cap._fields and _is_count(value):
                own[name] = own.get(name, DEFAULT_CAPS[name])._replace(**{key: int(str(value))})
            elif key in Cap._fields:
                report(f"`{key}` must be a number; 0 means no cap", ("caps", name, key))
    return own


def _is_count(value: FrontmatterValue) -> bool:
    return isinstance(value, str) and bool(_COUNT.fullmatch(value))


def _parse_kinds(kinds: FrontmatterValue, report: Report) -> tuple[Kind, ...]:
    """Return the built-in kinds and then the user's own; invalid ones are left out."""
    rows = list(BUILT_IN)
    for name, value in _require_mapping(kinds, ("kinds",), report).items():
        keys = ("kinds", name)
        row = _require_mapping(value, keys, report)
        _report_unknown_keys((*_TEXT_KEYS, *_LIST_KEYS), row, keys, report)
        for key, message in _find_bad_values(row):
            report(message, (*keys, key))
        kind = _make_kind(name, row)
        problems = next(_find_kind_errors(kind, rows), None)
        if problems is None:
            rows.append(kind)
        else:
            report(f"kind `{name}`: {problems[1]}", (*keys, problems[0]))
    return tuple(rows)


def _make_kind(name: str, row: Mapping[str, FrontmatterValue]) -> Kind:
    """Return one kind defined by the user."""
    return Kind(
        name=name,
        folder=_text_value(row, "folder") or f"{name}s",
        prefix=_text_value(row, "prefix") or name[:3].upper(),
        indexed=_text_value(row, "index").lower() not in _NO,
        required_fields=split_string_list(row.get("required", "")),
        sections=split_string_list(row.get("sections", "")),
        use_when=format_cell(_text_value(row, "use-when")),
    )


def _find_bad_values(row: Mapping[str, FrontmatterValue]) -> Iterator[tuple[str, str]]:
    """Yield key and message for each entry of a kind with a value of the wrong type."""
    for key, value in row.items():
        if key in _TEXT_KEYS and not isinstance(value, str):
            yield key, f"`{key}` must be a single text"
        elif key == "index" and str(value).lower() not in {*_YES, *_NO}:
            yield key, "`index` must be yes or no"
        elif key in _LIST_KEYS and not _is_word_list(value):
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


def _report_unknown_keys(
    known: Iterable[str], limits: Iterable[str], keys: Keys, report: Report
) -> None:
    """Report each key that is not a known one."""
    for key in limits:
        if key not in known:
            report(f"no setting `{key}` here; known are {', '.join(known)}", (*keys, key))


def _require_mapping(
    value: FrontmatterValue, keys: Keys, report: Report
) -> Mapping[str, FrontmatterValue]:
    """Return a mapping; any other value gives an empty one, and is reported unless empty."""
    if isinstance(value, Mapping):
        return value
    if value:
        report(f"`{keys[-1]}` needs indented `key: value` lines below it", keys)
    return {}


def _is_word_list(value: FrontmatterValue) -> bool:
    return isinstance(value, str | tuple) and all(isinstance(item, str) for item in value)


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
