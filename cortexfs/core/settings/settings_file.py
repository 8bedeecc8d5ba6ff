"""Parse `cortexfs.yaml`. It is untrusted like the tree: it cannot name a program or a path."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw, parse_string_list
from cortexfs.core.atoms.kinds import BUILT_IN, RESERVED_FOLDERS, Kind, Kinds
from cortexfs.core.checks.size_limits import DEFAULT_CAPS, Cap
from cortexfs.core.frontmatter import atom_text, safe_yaml
from cortexfs.core.frontmatter.safe_yaml import make_flaw_at
from cortexfs.core.settings.settings import Settings, WriteBackMode
from cortexfs.core.text.sanitize import format_cell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from cortexfs.core.atoms.atom import FrontmatterValue

    Keys = tuple[str, ...]
    Complain = Callable[[str, Keys], None]

_NAME = re.compile(r"[a-z][a-z0-9-]{0,31}", re.ASCII)
_PREFIX = re.compile(r"[A-Z]{1,8}", re.ASCII)
_COUNT = re.compile(r"[0-9]{1,9}", re.ASCII)
_KNOWN = ("access", "caps", "find", "index", "kinds")
_TEXTS = ("folder", "prefix", "index", "use-when")
_LISTS = ("required", "fields", "sections")
_YES = ("", "yes", "true", "on")
_NO = ("no", "false", "off")
_FENCE = "---\n"


def parse_settings(text: str) -> Settings:
    """Return the settings. Never raises: an invalid setting is a flaw, and its default is used."""
    if text.startswith(_FENCE):  # a document's marker, as editors put it
        text = "\n" + text.removeprefix(_FENCE)
    framed = f"{_FENCE}{text}\n{_FENCE}"
    parsed = atom_text.parse_frontmatter(framed)
    wrong: list[tuple[str, Keys]] = []

    def complain(message: str, keys: Keys) -> None:
        wrong.append((message, keys))

    _only(_KNOWN, parsed.fields, (), complain)
    rows = _rows(parsed.fields.get("kinds", ""), complain)
    write_back = _write_back(parsed.fields.get("access", ""), complain)
    caps = _caps(parsed.fields.get("caps", ""), complain)
    vectors = _vectors(parsed.fields.get("find", ""), complain)
    flaws = [*parsed.flaws, *_placed(framed, wrong), *_unread(framed, parsed)]
    last = text.count("\n") + 1
    unframed = (flaw._replace(line=min(max(flaw.line - 1, 1), last)) for flaw in flaws)
    every = tuple(sorted(unframed, key=lambda flaw: flaw.line))
    return Settings(Kinds(rows), write_back, every, caps, vectors)


def _write_back(access: FrontmatterValue, complain: Complain) -> WriteBackMode:
    within = _mapping(access, ("access",), complain)
    _only(("write_back",), within, ("access",), complain)
    chosen = within.get("write_back", "")
    if isinstance(chosen, str) and chosen in {"", *WriteBackMode}:
        return WriteBackMode(chosen or WriteBackMode.PRESENT)
    complain(f"`write_back` is one of {', '.join(WriteBackMode)}", ("access", "write_back"))
    return WriteBackMode.PRESENT


def _vectors(find: FrontmatterValue, complain: Complain) -> bool:
    within = _mapping(find, ("find",), complain)
    _only(("vectors",), within, ("find",), complain)
    chosen = within.get("vectors", "")
    if str(chosen).lower() not in {*_YES, *_NO}:
        complain("`vectors` is yes or no", ("find", "vectors"))
    return str(chosen).lower() not in _NO


def _caps(caps: FrontmatterValue, complain: Complain) -> Mapping[str, Cap]:
    """Return the caps that a tree sets; limits that it does not mention keep their default."""
    within = _mapping(caps, ("caps",), complain)
    _only(DEFAULT_CAPS, within, ("caps",), complain)
    own: dict[str, Cap] = {}
    for name in DEFAULT_CAPS.keys() & within.keys():
        said = _mapping(within[name], ("caps", name), complain)
        _only(Cap._fields, said, ("caps", name), complain)
        for key, value in said.items():
            if key in Cap._fields and _number(value):
                own[name] = own.get(name, DEFAULT_CAPS[name])._replace(**{key: int(str(value))})
            elif key in Cap._fields:
                complain(f"`{key}` is a number; 0 is no cap", ("caps", name, key))
    return own


def _number(value: FrontmatterValue) -> bool:
    return isinstance(value, str) and bool(_COUNT.fullmatch(value))


def _rows(kinds: FrontmatterValue, complain: Complain) -> tuple[Kind, ...]:
    """Return the built-in kinds and then the user's own; invalid ones are left out."""
    rows = list(BUILT_IN)
    for name, value in _mapping(kinds, ("kinds",), complain).items():
        keys = ("kinds", name)
        row = _mapping(value, keys, complain)
        _only((*_TEXTS, *_LISTS), row, keys, complain)
        for key, message in _misshapen(row):
            complain(message, (*keys, key))
        kind = _kind(name, row)
        wrong = next(_impossible(kind, rows), None)
        if wrong is None:
            rows.append(kind)
        else:
            complain(f"kind `{name}`: {wrong[1]}", (*keys, wrong[0]))
    return tuple(rows)


def _kind(name: str, row: Mapping[str, FrontmatterValue]) -> Kind:
    """Return one kind defined by the user."""
    return Kind(
        name=name,
        folder=_text(row, "folder") or f"{name}s",
        prefix=_text(row, "prefix") or name[:3].upper(),
        indexed=_text(row, "index").lower() not in _NO,
        required_fields=parse_string_list(row.get("required", "")),
        sections=parse_string_list(row.get("sections", "")),
        use_when=format_cell(_text(row, "use-when")),
    )


def _misshapen(row: Mapping[str, FrontmatterValue]) -> Iterator[tuple[str, str]]:
    """Yield key and message for each entry of a kind with a value of the wrong type."""
    for key, value in row.items():
        if key in _TEXTS and not isinstance(value, str):
            yield key, f"`{key}` is one text"
        elif key == "index" and str(value).lower() not in {*_YES, *_NO}:
            yield key, "`index` is yes or no"
        elif key in _LISTS and not _is_list(value):
            yield key, f"`{key}` is a list of words"


def _impossible(kind: Kind, rows: Iterable[Kind]) -> Iterator[tuple[str, str]]:
    """Yield key and message for each reason why a kind is invalid."""
    if not _NAME.fullmatch(kind.name):
        yield "", "its name is not a-z, 0-9 and `-`"
    if not _NAME.fullmatch(kind.folder) or kind.folder in RESERVED_FOLDERS:
        yield "folder", "its folder is not a-z, 0-9 and `-`, or reserved"
    if not _PREFIX.fullmatch(kind.prefix):
        yield "prefix", "its prefix is not one to eight capital letters"
    for key in ("name", "folder", "prefix"):
        if any(getattr(kind, key) == getattr(row, key) for row in rows):
            yield key, f"its {key} is taken"


def _only(known: Iterable[str], said: Iterable[str], keys: Keys, complain: Complain) -> None:
    """Report each key that is not a known one."""
    for key in said:
        if key not in known:
            complain(f"no setting `{key}` here; there are {', '.join(known)}", (*keys, key))


def _mapping(
    value: FrontmatterValue, keys: Keys, complain: Complain
) -> Mapping[str, FrontmatterValue]:
    """Return a mapping; any other value gives an empty one, and is reported unless empty."""
    if isinstance(value, Mapping):
        return value
    if value:
        complain(f"`{keys[-1]}` holds `key: value` lines, deeper than itself", keys)
    return {}


def _is_list(value: FrontmatterValue) -> bool:
    return isinstance(value, str | tuple) and all(isinstance(item, str) for item in value)


def _text(row: Mapping[str, FrontmatterValue], key: str) -> str:
    value = row.get(key, "")
    return value if isinstance(value, str) else ""


def _unread(framed: str, parsed: atom_text.ParsedText) -> Iterator[Flaw]:
    """Yield a flaw if a line `---` ends the settings before the end of the file."""
    if parsed.fields and parsed.body.strip() not in {"", "---"}:
        line = framed.count("\n", 0, len(framed) - len(parsed.body)) + 1
        yield Flaw("bad-setting", "below a line `---` nothing is read", line)


def _placed(framed: str, wrong: Sequence[tuple[str, Keys]]) -> Iterator[Flaw]:
    """Yield each problem as a flaw at its key, or at the nearest key above that exists."""
    parts = atom_text.split_frontmatter(framed)
    if not wrong or isinstance(parts, Flaw):
        return
    places = dict(_places(parts.block, 0, len(parts.block)))
    for message, keys in wrong:
        nearest = (keys[:deep] for deep in range(len(keys), 0, -1) if keys[:deep] in places)
        yield make_flaw_at(parts.block, places.get(next(nearest, ()), 0), "bad-setting", message)


def _places(text: str, start: int, end: int, above: Keys = ()) -> Iterator[tuple[Keys, int]]:
    """Yield each key path, at every depth, with its index in the text."""
    block = f"{text[start:end]}\n"
    entries = safe_yaml.parse_safe_yaml(block)
    for entry in () if isinstance(entries, Flaw) else entries:
        keys = (*above, entry.key)
        yield keys, start + entry.key_start
        if isinstance(entry.value, Mapping):
            line = block.rfind("\n", 0, entry.start) + 1  # with its indentation
            inner = entry.start if entry.style == "[" else line
            yield from _places(text, start + inner, start + entry.end, keys)
