"""Set and remove our rules and values in a client's JSON settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.clients import json_splice
from cortexfs.clients.hook_command import is_own_server
from cortexfs.clients.json_nodes import find_node, parse_jsonc
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.clients.client_entries import KeyedValue
    from cortexfs.clients.json_nodes import JsonNode, JsonPath, JsonValue
    from cortexfs.clients.settings_record import SettingsRecord


def has_value(root: JsonNode, wanted: KeyedValue) -> bool:
    """Return whether a value is there, or a wider one, as `"permission": "allow"`."""
    node = find_node(root, wanted.path)
    if node and node.value == wanted.value:
        return True
    above = (find_node(root, wanted.path[:length]) for length in range(1, len(wanted.path)))
    return any(node and node.value == wanted.value for node in above)


def set_own_value(text: str, wanted: KeyedValue, prior: SettingsRecord | None) -> str:
    """Set one of our values; raise `Refused` if there is one of somebody else's."""
    root = parse_jsonc(text, [wanted.path])
    node = find_node(root, wanted.path)
    if has_value(root, wanted):
        return text
    if node and not _is_own_value(node.value, wanted.path, prior.values if prior else ()):
        name = format_path(wanted.path)
        raise Refused(
            f"`{name}` has another value in these settings", hint="remove it by hand first"
        )
    return json_splice.set_value(text, wanted.path, wanted.value)


def _is_own_value(value: JsonValue, path: JsonPath, recorded: Sequence[KeyedValue]) -> bool:
    return is_own_server(value) or any(
        each.path == path and each.value == value for each in recorded
    )


def remove_values(text: str, record: SettingsRecord | None, values: Sequence[KeyedValue]) -> str:
    """Remove our values, and leave those that the user changed or had before us."""
    paths = list(dict.fromkeys(each.path for each in values))
    original = parse_original(record.original if record else None, paths)
    for path in paths:
        node = find_node(parse_jsonc(text, [path]), path)
        own = node and _is_own_value(node.value, path, record.values if record else ())
        if own and not (original and find_node(original, path)):
            text = remove_with_empty_parents(text, path, original)
    return text


def remove_rules(text: str, record: SettingsRecord, keep: Sequence[str] = ()) -> str:
    """Remove our rules, unless the user had them before us, or they are in `keep`."""
    path = record.rules_path
    original = parse_original(record.original, [path])
    before = list_strings(original, path) if original else []
    present = list_strings(parse_jsonc(text, [path]), path)
    for place, rule in reversed(list(enumerate(present))):
        if rule in record.rules and rule not in keep and rule not in before:
            text = remove_with_empty_parents(text, (*path, place), original)
    return text


def remove_with_empty_parents(text: str, path: JsonPath, original: JsonNode | None) -> str:
    """Remove an entry, and containers that become empty, unless they are in `original`."""
    text, parent = json_splice.remove_entry(text, path), path[:-1]
    left = find_node(parse_jsonc(text, [parent]), parent)
    if not parent or (left and left.children) or (original and find_node(original, parent)):
        return text
    return remove_with_empty_parents(text, parent, original)


def list_strings(root: JsonNode, path: JsonPath) -> list[JsonValue]:
    """Return the list that our rules are in; empty if it is not a list."""
    node = find_node(root, path)
    return node.value if node and isinstance(node.value, list) else []


def parse_original(original: str | None, along: Sequence[JsonPath]) -> JsonNode | None:
    """Parse the original text, whose containers are kept even when they are empty."""
    content = none_if_blank(original)
    return parse_jsonc(content, along) if content else None


def none_if_blank(text: str | None) -> str | None:
    """Return a text that is not empty; an empty file counts as no file."""
    return text if text and text.strip("\ufeff \t\r\n") else None


def format_path(path: JsonPath) -> str:
    """Return a path as people write it: `permissions.allow`."""
    return ".".join(map(str, path))
