"""The record of what we put into a settings file: it makes the removal exact."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class SettingsRecord:
    """The text without us, the text with us, and the rules that we wanted.

    `original` None: there was no file. People keep keys in their settings: save it as 0600,
    one for each settings file.
    """

    original: str | None
    written: str
    rules: tuple[str, ...] = ()

    def to_json(self) -> str:
        """Write the record as JSON, for `read_record`."""
        return json.dumps(asdict(self), indent=2) + "\n"


def parse_record(text: str) -> SettingsRecord | None:
    """Read what `Record.dump` wrote; None when it is damaged, which is as good as lost."""
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
