"""Add the entries of cortexfs to Claude Code's settings, and remove them.

Every byte of the text is kept: read and write it without newline translation.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.clients import json_splice
from cortexfs.clients.claude_code_facts import check_events
from cortexfs.clients.hook_command import is_own_hook
from cortexfs.clients.json_nodes import find_node, parse_json
from cortexfs.clients.settings_record import SettingsRecord
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.clients.hook_entry_types import HookSettings
    from cortexfs.clients.json_nodes import JsonNode, JsonPath, JsonValue

ALLOW_PATH: JsonPath = ("permissions", "allow")
MAX_HOOKS = 50
"""Maximum number of our hooks in one file; the file is parsed again for each one removed."""


class InstallResult(NamedTuple):
    """The settings to write, and the record to keep for the removal."""

    text: str
    record: SettingsRecord


class HookState(StrEnum):
    """How our hooks in a settings file compare with the ones that would be installed."""

    ABSENT = "absent"
    DIFFERENT = "different"
    PRESENT = "present"


class InstallStatus(NamedTuple):
    """The state of our hooks, the missing rules, and whether all hooks are disabled."""

    hook_state: HookState
    missing_rules: tuple[str, ...]
    hooks_disabled: bool


def install_into_settings(
    text: str | None,
    hook_settings: HookSettings,
    prior: SettingsRecord | None = None,
    *,
    version: tuple[int, ...] | None = None,
) -> InstallResult:
    """Add our entries to a settings text (None: no file), replacing older ones of ours.

    `prior` is the record of the last installation. Raises `Refused` for an event that a client of
    this version may not know, and for a setting of a type that no client accepts.
    """
    new = _strip_empty(text) or "{}\n"
    check_events(hook_settings.groups_by_event, version)
    _check_types(parse_json(new), hook_settings)
    original = remove_from_settings(text, prior)
    if prior:
        new = _remove_rules(new, prior, keep=hook_settings.rules)
    new = _set_hooks(new, hook_settings, _parse_original(original))
    for rule in hook_settings.rules:
        if rule not in _list_allowed(parse_json(new)):
            new = json_splice.append_value(new, ALLOW_PATH, rule)
    return InstallResult(new, SettingsRecord(original, new, hook_settings.rules))


def remove_from_settings(text: str | None, record: SettingsRecord | None) -> str | None:
    """Return the settings without our entries; None: there should be no file.

    An unchanged text becomes the original byte for byte. From a changed text only our entries are
    removed, with containers that cortexfs made and nobody else uses. Without a record the rules are
    kept, because they may be the user's own.
    """
    if record and text == record.written:
        return record.original
    if (new := _strip_empty(text)) is None:
        return text
    for place in reversed(_find_own_entries(parse_json(new))):
        new = _remove_with_empty_parents(
            new, place, _parse_original(record.original if record else None)
        )
    if record:
        new = _remove_rules(new, record)
        if _strip_empty(record.original) is None and parse_json(new).value == {}:
            return record.original
    return new


def check_installation(text: str | None, hook_settings: HookSettings) -> InstallStatus:
    """Return which of our entries a settings text contains."""
    root = parse_json(_strip_empty(text) or "{}")
    ours = [
        (place[1], node.value)
        for place in _find_own_entries(root)
        if (node := find_node(root, place))
    ]
    wanted = [(entry.event, entry.settings_group) for entry in hook_settings.entries]
    same = len(ours) == len(wanted) and all(entry in ours for entry in wanted)
    hook = (HookState.PRESENT if same else HookState.DIFFERENT) if ours else HookState.ABSENT
    disabled = find_node(root, ("disableAllHooks",))
    allowed = _list_allowed(root)
    missing = tuple(rule for rule in hook_settings.rules if rule not in allowed)
    return InstallStatus(hook, missing, bool(disabled and disabled.value))


def list_allowed_rules(text: str | None) -> list[JsonValue]:
    """Return the rules that a settings text allows."""
    return _list_allowed(parse_json(_strip_empty(text) or "{}"))


def _set_hooks(text: str, hook_settings: HookSettings, original: JsonNode | None) -> str:
    """Add the hooks to their events, and remove ours from all other events."""
    for place in reversed(_find_own_entries(parse_json(text))):
        if place[1] not in hook_settings.groups_by_event:
            text = _remove_with_empty_parents(text, place, original)
    for event, groups in hook_settings.groups_by_event.items():
        text = _set_event_groups(text, event, groups)
    return text


def _set_event_groups(text: str, event: str, groups: list[dict[str, JsonValue]]) -> str:
    """Put each of our groups on an event once: at its present place, else replacing older ones."""
    root = parse_json(text)
    missing, older = list(groups), []
    for place in [place for place in _find_own_entries(root) if place[1] == event]:
        node = find_node(root, place)
        if node and node.value in missing:
            missing.remove(node.value)
        else:
            older.append(place)
    for place in [place for place in older if len(place) == len(("hooks", event, 0))]:
        if missing:
            text = json_splice.set_value(text, place, missing.pop(0))
            older.remove(place)
    for group in missing:
        text = json_splice.append_value(text, ("hooks", event), group)
    for place in reversed(older):
        text = json_splice.remove_entry(text, place)
    return text


def _remove_rules(text: str, record: SettingsRecord, keep: Sequence[str] = ()) -> str:
    """Remove our rules, unless the user had them before us, or they are in `keep`."""
    original = _parse_original(record.original)
    before = _list_allowed(original) if original else []
    for place, rule in reversed(list(enumerate(_list_allowed(parse_json(text))))):
        if rule in record.rules and rule not in keep and rule not in before:
            text = _remove_with_empty_parents(text, (*ALLOW_PATH, place), original)
    return text


def _remove_with_empty_parents(text: str, path: JsonPath, original: JsonNode | None) -> str:
    """Remove an entry, and containers that become empty, unless they are in `original`."""
    text, parent = json_splice.remove_entry(text, path), path[:-1]
    left = find_node(parse_json(text), parent)
    if not parent or (left and left.children) or (original and find_node(original, parent)):
        return text
    return _remove_with_empty_parents(text, parent, original)


def _find_own_entries(root: JsonNode) -> list[JsonPath]:
    """Return the paths of our entries: whole groups, and our hooks in a group of the user's."""
    hooks = find_node(root, ("hooks",))
    groups = (
        (("hooks", event, place), find_node(group, ("hooks",)))
        for event, list_of_groups in (hooks.children.items() if hooks else ())
        for place, group in list_of_groups.children.items()
    )
    places = [place for path, inner in groups if inner for place in _iter_own_paths(path, inner)]
    if len(places) > MAX_HOOKS:
        raise Refused(
            f"these settings have more than {MAX_HOOKS} hooks of cortexfs",
            hint="remove all but one by hand",
        )
    return places


def _iter_own_paths(group: JsonPath, hooks: JsonNode) -> Iterator[JsonPath]:
    """Yield the path of a group with only our hooks, else of each hook of ours in it."""
    ours = [place for place, hook in hooks.children.items() if is_own_hook(hook.value)]
    if ours and len(ours) == len(hooks.children):
        yield group
    else:
        yield from ((*group, "hooks", place) for place in ours)


def _list_allowed(root: JsonNode) -> list[JsonValue]:
    """Return the user's allow list; empty if it is not a list."""
    node = find_node(root, ALLOW_PATH)
    return node.value if node and isinstance(node.value, list) else []


def _parse_original(original: str | None) -> JsonNode | None:
    """Parse the original text, whose containers are kept even when they are empty."""
    content = _strip_empty(original)
    return parse_json(content) if content else None


def _strip_empty(text: str | None) -> str | None:
    """Return a text that is not empty; an empty file counts as no file."""
    return text if text and text.strip("\ufeff \t\r\n") else None


def _check_types(root: JsonNode, hook_settings: HookSettings) -> None:
    """Refuse settings whose types do not allow our entries."""
    lists: list[JsonPath] = [
        ALLOW_PATH,
        *(("hooks", event) for event in hook_settings.groups_by_event),
    ]
    objects: list[JsonPath] = [(), ("hooks",), ("permissions",)]
    for path in objects + lists:
        node, kind = find_node(root, path), list if path in lists else dict
        if node and not isinstance(node.value, kind):
            name = f"`{'.'.join(map(str, path))}`" if path else "the document"
            wanted = "a list" if kind is list else "an object"
            raise Refused(f"{name} is not {wanted} in these settings", hint="fix it by hand first")
