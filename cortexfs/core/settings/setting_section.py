"""Read one section of `cortexfs.yaml`: an invalid value is reported, and its default is used."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import split_string_list

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import FrontmatterValue

Keys = tuple[str, ...]
Report = Callable[[str, Keys], None]
"""What is called with a message and the keys that lead to the value."""

YES, NO = ("yes", "true", "on"), ("no", "false", "off")

_NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)
_SHARE = re.compile(r"0(?:\.[0-9]{1,4})?|1(?:\.0{1,4})?|\.[0-9]{1,4}", re.ASCII)
_SECONDS = re.compile(r"([0-9]{1,8})([smhd]?)", re.ASCII)
_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86_400}


class SettingSection(NamedTuple):
    """The values of one section, and where its problems are reported."""

    name: str
    values: Mapping[str, FrontmatterValue]
    report: Report

    def read_switch(self, key: str, *, default: bool = True) -> bool:
        """Return whether a key is on."""
        value = self.values.get(key, "")
        if value != "" and not is_switch(value):
            self.report(f"`{key}` must be on or off", (self.name, key))
        return parse_switch(value, default=default)

    def read_number(self, key: str, default: int, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`."""
        text = self._read_text(key)
        if text and _NUMBER.fullmatch(text) and low <= int(text) <= high:
            return int(text)
        self._report_unless_empty(key, f"a number from {low} to {high}")
        return default

    def read_numbers(
        self, ranges: Mapping[str, tuple[int, int]], defaults: Iterable[int]
    ) -> tuple[int, ...]:
        """Return the whole number of each key of `ranges`, which has the lowest and highest."""
        return tuple(
            self.read_number(key, default, low, high)
            for (key, (low, high)), default in zip(ranges.items(), defaults, strict=True)
        )

    def read_share(self, key: str, default: float) -> float:
        """Return a number from 0 to 1."""
        text = self._read_text(key)
        if text and _SHARE.fullmatch(text):
            return float(text)
        self._report_unless_empty(key, "a number from 0 to 1")
        return default

    def read_seconds(self, key: str, default: int, low: int, high: int) -> int:
        """Return an interval in seconds, typed as `90`, `15m` or `1d`; 0 is always allowed."""
        found = _SECONDS.fullmatch(self._read_text(key) or "-")
        seconds = int(found[1]) * _UNITS[found[2]] if found else -1
        if seconds == 0 or low <= seconds <= high:
            return seconds
        days = high // _UNITS["d"]
        wanted = f"0 or an interval from {low}s to {days}d, such as 15m or 1d"
        self._report_unless_empty(key, wanted)
        return default

    def read_words(self, key: str, wanted: str) -> tuple[str, ...]:
        """Return a list of texts, which one text may stand for; empty if there is none."""
        value = self.values.get(key, "")
        if is_word_list(value):
            return split_string_list(value)
        self.report(f"`{key}` must be {wanted}", (self.name, key))
        return ()

    def _read_text(self, key: str) -> str:
        value = self.values.get(key, "")
        return value.strip() if isinstance(value, str) else ""

    def _report_unless_empty(self, key: str, wanted: str) -> None:
        if self.values.get(key, "") != "":
            self.report(f"`{key}` must be {wanted}", (self.name, key))


def open_section(
    value: FrontmatterValue, name: str, known: Iterable[str], report: Report
) -> SettingSection:
    """Return a section; unknown keys, and a value that is no mapping, are reported."""
    section = SettingSection(name, require_mapping(value, (name,), report), report)
    report_unknown_keys(known, section.values, (name,), report)
    return section


def is_section_on(value: FrontmatterValue, name: str, report: Report) -> bool | None:
    """Return whether a section that may be just a switch is on; None if it has keys."""
    if isinstance(value, Mapping):
        return None
    if value and not is_switch(value):
        report(f"`{name}` must be off, or have indented `key: value` lines below it", (name,))
    return parse_switch(value)


def report_unknown_keys(
    known: Iterable[str], values: Iterable[str], keys: Keys, report: Report
) -> None:
    """Report each key that is not a known one."""
    for key in values:
        if key not in known:
            report(f"no setting `{key}` here; known are {', '.join(known)}", (*keys, key))


def require_mapping(
    value: FrontmatterValue, keys: Keys, report: Report
) -> Mapping[str, FrontmatterValue]:
    """Return a mapping; any other value gives an empty one, and is reported unless empty."""
    if isinstance(value, Mapping):
        return value
    if value:
        report(f"`{keys[-1]}` needs indented `key: value` lines below it", keys)
    return {}


def is_switch(value: FrontmatterValue) -> bool:
    """Return whether a value is a word for on or off."""
    return isinstance(value, str) and value.lower() in {*YES, *NO}


def parse_switch(value: FrontmatterValue, *, default: bool = True) -> bool:
    """Return whether a value is on; the default for anything that is no switch."""
    return str(value).lower() in YES if is_switch(value) else default


def is_word_list(value: FrontmatterValue) -> bool:
    """Return whether a value is a text or a list of texts."""
    return isinstance(value, str | tuple) and all(isinstance(item, str) for item in value)
