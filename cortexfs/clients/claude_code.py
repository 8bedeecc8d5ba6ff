"""What cortexfs puts into Claude Code's settings, and how it is taken out again.

Texts go in and out with every byte kept: read and write them without newline translation.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.clients import json_splice
from cortexfs.clients.claude_code_versions import check_events
from cortexfs.clients.hook_command import is_ours
from cortexfs.clients.json_splice import find, scan
from cortexfs.clients.settings_record import Record
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.clients.hook_settings import Wiring
    from cortexfs.clients.json_splice import Json, Node, Path

ALLOW: Path = ("permissions", "allow")
MOST_HOOKS = 50
"""Hooks of ours in one file: for each that is taken out the file is read again."""


class Installed(NamedTuple):
    """The settings to write, and the record to keep for the removal."""

    text: str
    record: Record


class Hooked(StrEnum):
    """How our hooks in a settings file compare with those that we would put there."""

    ABSENT = "absent"
    DIFFERENT = "different"
    PRESENT = "present"


class Status(NamedTuple):
    """What of ours is wired, and which rules are not; `disabled`: every hook is switched off."""

    hook: Hooked
    missing: tuple[str, ...]
    disabled: bool


def install(
    text: str | None,
    wiring: Wiring,
    prior: Record | None = None,
    *,
    version: tuple[int, ...] | None = None,
) -> Installed:
    """Put our entries into a settings text (None: no file), in place of older ones of ours.

    `prior` is the record of the last time. Raises `Refused` for an event that a client of this
    version may not know, and for a setting of a type that no client would take.
    """
    new = _content(text) or "{}\n"
    check_events(wiring.events, version)
    _check_types(scan(new), wiring)
    original = remove(text, prior)
    if prior:
        new = _without_rules(new, prior, keep=wiring.rules)
    new = _with_hooks(new, wiring, _kept(original))
    for rule in wiring.rules:
        if rule not in _allowed(scan(new)):
            new = json_splice.append(new, ALLOW, rule)
    return Installed(new, Record(original, new, wiring.rules))


def remove(text: str | None, record: Record | None) -> str | None:
    """Give the settings as if we had never been there; None: there should be no file.

    An unchanged text becomes the original byte for byte. Of a changed one only our entries go,
    with containers that we made and nobody else uses. Without a record the rules stay: nobody
    can say any more that they are not the user's own.
    """
    if record and text == record.written:
        return record.original
    if (new := _content(text)) is None:
        return text
    for place in reversed(_places(scan(new))):
        new = _drop(new, place, _kept(record.original if record else None))
    if record:
        new = _without_rules(new, record)
        if _content(record.original) is None and scan(new).value == {}:
            return record.original
    return new


def status(text: str | None, wiring: Wiring) -> Status:
    """Tell what of ours stands in a settings text."""
    root = scan(_content(text) or "{}")
    ours = [(place[1], node.value) for place in _places(root) if (node := find(root, place))]
    wanted = [(entry.event, entry.group) for entry in wiring.entries]
    same = len(ours) == len(wanted) and all(entry in ours for entry in wanted)
    hook = (Hooked.PRESENT if same else Hooked.DIFFERENT) if ours else Hooked.ABSENT
    disabled = find(root, ("disableAllHooks",))
    allowed = _allowed(root)
    missing = tuple(rule for rule in wiring.rules if rule not in allowed)
    return Status(hook, missing, bool(disabled and disabled.value))


def allowed_rules(text: str | None) -> list[Json]:
    """Give the rules that a settings text allows."""
    return _allowed(scan(_content(text) or "{}"))


def _with_hooks(text: str, wiring: Wiring, kept: Node | None) -> str:
    """Put the hooks on their events, and take ours from all others."""
    for place in reversed(_places(scan(text))):
        if place[1] not in wiring.events:
            text = _drop(text, place, kept)
    for event, groups in wiring.events.items():
        text = _with_groups(text, event, groups)
    return text


def _with_groups(text: str, event: str, groups: list[dict[str, Json]]) -> str:
    """Have our groups on an event once each: where they stand, else in place of older ones."""
    root = scan(text)
    missing, older = list(groups), []
    for place in [place for place in _places(root) if place[1] == event]:
        node = find(root, place)
        if node and node.value in missing:
            missing.remove(node.value)
        else:
            older.append(place)
    for place in [place for place in older if len(place) == len(("hooks", event, 0))]:
        if missing:
            text = json_splice.put(text, place, missing.pop(0))
            older.remove(place)
    for group in missing:
        text = json_splice.append(text, ("hooks", event), group)
    for place in reversed(older):
        text = json_splice.remove(text, place)
    return text


def _without_rules(text: str, record: Record, keep: Sequence[str] = ()) -> str:
    """Take our rules out again, unless the user had them before us, or they are to be kept."""
    kept = _kept(record.original)
    before = _allowed(kept) if kept else []
    for place, rule in reversed(list(enumerate(_allowed(scan(text))))):
        if rule in record.rules and rule not in keep and rule not in before:
            text = _drop(text, (*ALLOW, place), kept)
    return text


def _drop(text: str, path: Path, kept: Node | None) -> str:
    """Take an entry out, and what is left empty around it, unless it is to be kept."""
    text, around = json_splice.remove(text, path), path[:-1]
    left = find(scan(text), around)
    if not around or (left and left.entries) or (kept and find(kept, around)):
        return text
    return _drop(text, around, kept)


def _places(root: Node) -> list[Path]:
    """Find what is ours: whole groups, and hooks of ours that stand in a group of the user's."""
    hooks = find(root, ("hooks",))
    groups = (
        (("hooks", event, place), find(group, ("hooks",)))
        for event, list_of_groups in (hooks.entries.items() if hooks else ())
        for place, group in list_of_groups.entries.items()
    )
    places = [place for path, inner in groups if inner for place in _ours(path, inner)]
    if len(places) > MOST_HOOKS:
        said = f"over {MOST_HOOKS} hooks of cortexfs stand in these settings"
        raise Refused(said, hint="take all but one out by hand")
    return places


def _ours(group: Path, hooks: Node) -> Iterator[Path]:
    """Give the path of a group that is all ours, else of each hook in it that is."""
    ours = [place for place, hook in hooks.entries.items() if is_ours(hook.value)]
    if ours and len(ours) == len(hooks.entries):
        yield group
    else:
        yield from ((*group, "hooks", place) for place in ours)


def _allowed(root: Node) -> list[Json]:
    """Give the user's allow list, as far as it is one."""
    node = find(root, ALLOW)
    return node.value if node and isinstance(node.value, list) else []


def _kept(original: str | None) -> Node | None:
    """Read the original, whose containers stay even when they are empty."""
    content = _content(original)
    return scan(content) if content else None


def _content(text: str | None) -> str | None:
    """Give a text that says something; an empty file says as much as none."""
    return text if text and text.strip("\ufeff \t\r\n") else None


def _check_types(root: Node, wiring: Wiring) -> None:
    """Refuse settings in which our entries have no place."""
    lists: list[Path] = [ALLOW, *(("hooks", event) for event in wiring.events)]
    objects: list[Path] = [(), ("hooks",), ("permissions",)]
    for path in objects + lists:
        node, kind = find(root, path), list if path in lists else dict
        if node and not isinstance(node.value, kind):
            name = f"`{'.'.join(map(str, path))}`" if path else "the document"
            wanted = "a list" if kind is list else "an object"
            raise Refused(f"{name} is not {wanted} in these settings", hint="mend it by hand first")
