"""Set and find our hooks in a client's JSON settings, in the shape of Claude Code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.clients import json_splice
from cortexfs.clients.hook_command import is_own_hook
from cortexfs.clients.json_nodes import find_node, parse_jsonc
from cortexfs.clients.json_values import remove_with_empty_parents
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.clients.client_entries import ClientEntries
    from cortexfs.clients.json_nodes import JsonNode, JsonPath, JsonValue

MAX_HOOKS = 50
"""Maximum number of our hooks in one file; the file is parsed again for each one removed."""


def set_hooks(text: str, wanted: ClientEntries, original: JsonNode | None) -> str:
    """Add the hooks to their events, and remove ours from all other events."""
    for place in reversed(find_own_entries(parse_jsonc(text, [("hooks",)]))):
        if place[1] not in wanted.groups_by_event:
            text = remove_with_empty_parents(text, place, original)
    for event, groups in wanted.groups_by_event.items():
        text = _set_event_groups(text, event, groups)
    return text


def _set_event_groups(text: str, event: str, groups: list[dict[str, JsonValue]]) -> str:
    """Put each of our groups on an event once: at its present place, else replacing older ones."""
    root = parse_jsonc(text, [("hooks",)])
    missing, older = list(groups), []
    for place in [place for place in find_own_entries(root) if place[1] == event]:
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


def find_own_entries(root: JsonNode) -> list[JsonPath]:
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
