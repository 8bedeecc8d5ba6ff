"""Add the entries of cortexfs to a client's JSON settings, and remove them.

Every byte of the text is kept: read and write it without newline translation.
"""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.clients import json_splice
from cortexfs.clients.client_entries import ALLOW_PATH
from cortexfs.clients.json_hooks import find_own_entries, set_hooks
from cortexfs.clients.json_nodes import WHOLE, find_node, parse_json, parse_jsonc
from cortexfs.clients.json_values import (
    format_path,
    has_value,
    list_strings,
    none_if_blank,
    parse_original,
    remove_rules,
    remove_values,
    remove_with_empty_parents,
    set_own_value,
)
from cortexfs.clients.settings_record import SettingsRecord
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.clients.client_entries import ClientEntries, KeyedValue
    from cortexfs.clients.json_nodes import JsonNode, JsonPath, JsonValue


class JsonFormat(NamedTuple):
    """How a client's file is written.

    `comments`: it may have comments and trailing commas. `is_state`: the client rewrites it all the
    time, and it may be large, so that only our own paths are parsed and recorded. `initial`: the
    text of a new file. `known_keys`: the client ignores a file with another key at its top.
    """

    comments: bool = False
    is_state: bool = False
    initial: str = "{}\n"
    known_keys: tuple[str, ...] = ()


PLAIN = JsonFormat()


class InstallResult(NamedTuple):
    """The settings to write, and the record to keep for the removal."""

    text: str
    record: SettingsRecord


class OwnHooksState(StrEnum):
    """How our hooks in a settings file compare with the ones that would be installed."""

    ABSENT = "absent"
    DIFFERENT = "different"
    PRESENT = "present"


class InstallStatus(NamedTuple):
    """The state of our hooks, the missing rules and values, and whether all hooks are disabled."""

    hook_state: OwnHooksState
    missing_rules: tuple[str, ...]
    hooks_disabled: bool
    missing_values: tuple[str, ...] = ()


def install_into_settings(
    text: str | None,
    wanted: ClientEntries,
    prior: SettingsRecord | None = None,
    form: JsonFormat = PLAIN,
) -> InstallResult:
    """Add our entries to a settings text (None: no file), replacing older ones of ours.

    `prior` is the record of the last installation. Raises `Refused` for a setting of a type that no
    client accepts, and for a value of somebody else's at the path of one of ours.
    """
    new = none_if_blank(text) or form.initial
    along = wanted.paths if form.is_state else WHOLE
    root = (parse_jsonc if form.comments else parse_json)(new, along)
    _check_types(root, wanted)
    _check_keys(root, form)
    original = remove_from_settings(text, prior, wanted.values, form)
    if prior:
        new = remove_rules(new, prior, keep=wanted.rules)
        kept = [each.path for each in wanted.values]
        new = remove_values(new, prior, [v for v in prior.values if v.path not in kept])
    new = set_hooks(new, wanted, parse_original(original, wanted.paths))
    for rule in wanted.rules:
        if rule not in list_strings(parse_jsonc(new, along), wanted.rules_path):
            new = json_splice.append_value(new, wanted.rules_path, rule)
    for each in wanted.values:
        new = set_own_value(new, each, prior)
    entries = wanted.rules, wanted.rules_path, wanted.values
    if form.is_state:
        return InstallResult(new, SettingsRecord(_reduce(original, wanted), "", *entries))
    return InstallResult(new, SettingsRecord(original, new, *entries))


def remove_from_settings(
    text: str | None,
    record: SettingsRecord | None,
    values: Sequence[KeyedValue] = (),
    form: JsonFormat = PLAIN,
) -> str | None:
    """Return the settings without our entries; None: there should be no file.

    An unchanged text becomes the original byte for byte. From a changed text only our entries are
    removed, with containers that cortexfs made and nobody else uses. Without a record the rules are
    kept, because they may be the user's own, and of `values` only our MCP servers are removed.
    """
    if record and text == record.written:
        return record.original
    if (new := none_if_blank(text)) is None:
        return text
    along = [("hooks",), *(each.path for each in values)] if form.is_state else WHOLE
    before = parse_original(record.original if record else None, along)
    if not form.comments:
        parse_json(new, along)
    for place in reversed(find_own_entries(parse_jsonc(new, along))):
        new = remove_with_empty_parents(new, place, before)
    new = remove_values(new, record, [*(record.values if record else ()), *values])
    if record:
        new = remove_rules(new, record)
        empty: tuple[JsonValue, ...] = ({}, parse_json(form.initial).value)
        if none_if_blank(record.original) is None and parse_jsonc(new, along).value in empty:
            return record.original
    return new


def check_installation(
    text: str | None, wanted: ClientEntries, form: JsonFormat = PLAIN
) -> InstallStatus:
    """Return which of our entries a settings text contains."""
    parse = parse_jsonc if form.comments else parse_json
    root = parse(none_if_blank(text) or "{}", wanted.paths if form.is_state else WHOLE)
    ours = [
        (place[1], node.value)
        for place in find_own_entries(root)
        if (node := find_node(root, place))
    ]
    hooks = [(entry.event, entry.settings_group) for entry in wanted.entries]
    same = len(ours) == len(hooks) and all(entry in ours for entry in hooks)
    hook = (
        (OwnHooksState.PRESENT if same else OwnHooksState.DIFFERENT)
        if ours
        else OwnHooksState.ABSENT
    )
    disabled = find_node(root, ("disableAllHooks",))
    allowed = list_strings(root, wanted.rules_path)
    missing = tuple(rule for rule in wanted.rules if rule not in allowed)
    values = tuple(format_path(each.path) for each in wanted.values if not has_value(root, each))
    return InstallStatus(hook, missing, bool(disabled and disabled.value), values)


def keep_present_entries(
    text: str | None, entries: ClientEntries, form: JsonFormat = PLAIN
) -> ClientEntries:
    """Return those of the rules and values that a settings text has."""
    root = parse_jsonc(none_if_blank(text) or "{}", entries.paths if form.is_state else WHOLE)
    allowed = list_strings(root, entries.rules_path)
    return entries._replace(
        rules=tuple(rule for rule in entries.rules if rule in allowed),
        values=tuple(each for each in entries.values if has_value(root, each)),
    )


def list_allowed_rules(text: str | None) -> list[JsonValue]:
    """Return the permission rules that a settings text allows."""
    return list_strings(parse_json(none_if_blank(text) or "{}"), ALLOW_PATH)


def _reduce(original: str | None, wanted: ClientEntries) -> str | None:
    """Return of the original text only which containers of ours it has."""
    if (root := parse_original(original, wanted.paths)) is None:
        return original
    kept: dict[str, JsonValue] = {}
    for path in (each.path for each in wanted.values):
        inner = kept
        for length in range(1, len(path)):
            if find_node(root, path[:length]):
                inner = inner.setdefault(str(path[length - 1]), {})  # type: ignore[assignment]
    return json.dumps(kept)


def _check_types(root: JsonNode, wanted: ClientEntries) -> None:
    """Refuse settings whose types do not allow our entries."""
    lists: list[JsonPath] = [("hooks", event) for event in wanted.groups_by_event]
    objects: list[JsonPath] = [(), ("hooks",)]
    if wanted.rules:
        lists.append(wanted.rules_path)
        objects.append(wanted.rules_path[:-1])
    for path in objects + lists:
        node, kind = find_node(root, path), list if path in lists else dict
        if node and not isinstance(node.value, kind):
            name = f"`{format_path(path)}`" if path else "the document"
            kind_name = "a list" if kind is list else "an object"
            raise Refused(
                f"{name} is not {kind_name} in these settings", hint="fix it by hand first"
            )


def _check_keys(root: JsonNode, form: JsonFormat) -> None:
    """Refuse a file that the client ignores because of one key."""
    unknown = [str(key) for key in root.children if form.known_keys and key not in form.known_keys]
    if unknown:
        raise Refused(
            f"the client ignores the whole file because of the key `{unknown[0]}`",
            hint="remove it by hand first",
        )
