"""The record of our entries in a settings file, which makes their removal exact."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from cortexfs.clients.client_entries import ALLOW_PATH, KeyedValue

if TYPE_CHECKING:
    from cortexfs.clients.json_nodes import JsonPath


@dataclass(frozen=True, slots=True)
class SettingsRecord:
    """The text without our entries, the text with them, and the requested rules and values.

    `original` None: there was no file. Settings may contain keys: save the record as 0600, one for
    each settings file.
    """

    original: str | None
    written: str
    rules: tuple[str, ...] = ()
    rules_path: JsonPath = ALLOW_PATH
    values: tuple[KeyedValue, ...] = ()

    def to_json(self) -> str:
        """Return the record as JSON, for `parse_record`."""
        return json.dumps(asdict(self), indent=2) + "\n"


def parse_record(text: str) -> SettingsRecord | None:
    """Parse the output of `SettingsRecord.to_json`; None if it is damaged."""
    try:
        match json.loads(text):
            case {
                "original": str() | None as original,
                "written": str(written),
                "rules": list(rules),
                **more,
            } if all(isinstance(rule, str) for rule in rules):
                path = _parse_path(more.get("rules_path")) or ALLOW_PATH
                values = _parse_values(more.get("values"))
                return SettingsRecord(original, written, tuple(rules), path, values)
            case {  # of a version with one rule
                "original": str() | None as original,
                "written": str(written),
                "rule": str() | None as rule,
            }:
                return SettingsRecord(original, written, (rule,) if rule else ())
    except (ValueError, RecursionError):
        pass
    return None


def _parse_path(steps: object) -> JsonPath:
    """Return a path of keys; empty if it is none."""
    known = isinstance(steps, list) and all(isinstance(step, str) for step in steps)
    return tuple(steps) if known and isinstance(steps, list) else ()


def _parse_values(values: object) -> tuple[KeyedValue, ...]:
    pairs = (pair for pair in values if isinstance(pair, list)) if isinstance(values, list) else ()
    return tuple(
        KeyedValue(path, pair[1])
        for pair in pairs
        if len(pair) == len(KeyedValue._fields) and (path := _parse_path(pair[0]))
    )
