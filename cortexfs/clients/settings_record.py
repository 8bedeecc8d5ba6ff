"""The record of our entries in a settings file, which makes their removal exact."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class SettingsRecord:
    """The text without our entries, the text with them, and the rules that were requested.

    `original` None: there was no file. Settings may contain keys: save the record as 0600, one for
    each settings file.
    """

    original: str | None
    written: str
    rules: tuple[str, ...] = ()

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
            } if all(isinstance(rule, str) for rule in rules):
                return SettingsRecord(original, written, tuple(rules))
            case {  # of a version with one rule
                "original": str() | None as original,
                "written": str(written),
                "rule": str() | None as rule,
            }:
                return SettingsRecord(original, written, (rule,) if rule else ())
    except (ValueError, RecursionError):
        pass
    return None
