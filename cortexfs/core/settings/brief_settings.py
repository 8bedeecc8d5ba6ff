"""The settings of the bulletin: its length, and the projects that have none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import split_string_list

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import FrontmatterValue

    Report = Callable[[str, tuple[str, ...]], None]

DEFAULT_WORDS, MIN_WORDS, MAX_WORDS = 500, 50, 4000
"""Words of a bulletin: the default, and the range."""
_KEYS = ("words", "skip")  # `off` as a key would be no text in YAML
_SECTION = "brief"
_SWITCHES = {"": True, "on": True, "yes": True, "true": True}
_SWITCHES |= {"off": False, "no": False, "false": False}


class BriefSettings(NamedTuple):
    """Whether there are bulletins, how long they are, and the projects without one."""

    is_on: bool = True
    words: int = DEFAULT_WORDS
    skipped_projects: tuple[str, ...] = ()

    def is_off(self, project: str) -> bool:
        """Return whether a project has no bulletin; an empty name is that of the whole tree."""
        return not self.is_on or project in self.skipped_projects


def parse_brief_settings(value: FrontmatterValue, report: Report) -> BriefSettings:
    """Return the settings below `brief:`; an invalid one is reported, and its default used."""
    if isinstance(value, str):
        if value.lower() not in _SWITCHES:
            report("`brief` must be off, or have `words` and `skip` below it", (_SECTION,))
        return BriefSettings(is_on=_SWITCHES.get(value.lower(), True))
    if not isinstance(value, Mapping):
        report("`brief` must be off, or have `words` and `skip` below it", (_SECTION,))
        return BriefSettings()
    for key in value.keys() - set(_KEYS):
        report(f"no setting `{key}` here; known are {', '.join(_KEYS)}", (_SECTION, key))
    return BriefSettings(
        words=_parse_words(value, report), skipped_projects=_parse_projects(value, report)
    )


def _parse_words(values: Mapping[str, FrontmatterValue], report: Report) -> int:
    typed = values.get("words", "") or str(DEFAULT_WORDS)
    is_number = isinstance(typed, str) and typed.isascii() and typed.isdecimal()
    if is_number and len(str(typed)) <= len(str(MAX_WORDS)):
        words = int(str(typed))
        if MIN_WORDS <= words <= MAX_WORDS:
            return words
    report(f"`words` must be a number from {MIN_WORDS} to {MAX_WORDS}", (_SECTION, "words"))
    return DEFAULT_WORDS


def _parse_projects(values: Mapping[str, FrontmatterValue], report: Report) -> tuple[str, ...]:
    typed = values.get("skip", "")
    if isinstance(typed, str | tuple) and all(isinstance(name, str) for name in typed):
        return split_string_list(typed)
    report("`skip` must be a list of projects", (_SECTION, "skip"))
    return ()
