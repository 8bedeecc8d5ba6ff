"""The settings of the bulletin: its length, and the projects that have none."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import FrontmatterValue
    from cortexfs.core.settings.setting_section import Report

DEFAULT_WORDS, MIN_WORDS, MAX_WORDS = 500, 50, 4000
"""Words of a bulletin: the default, and the range."""
_KEYS = ("words", "skip")  # `off` as a key would be no text in YAML


class BriefSettings(NamedTuple):
    """Whether there are bulletins, how long they are, and the projects without one."""

    is_on: bool = True
    words: int = DEFAULT_WORDS
    skipped_projects: tuple[str, ...] = ()

    def is_off(self, project: str) -> bool:
        """Return whether a project has no bulletin; an empty name is that of the whole tree."""
        return not self.is_on or project in self.skipped_projects


def parse_brief(value: FrontmatterValue, report: Report) -> BriefSettings:
    """Return the settings below `brief:`, which may also be `off`."""
    from cortexfs.core.settings.setting_section import is_section_on, open_section  # noqa: PLC0415 - only a settings file needs it

    is_on = is_section_on(value, "brief", report)
    if is_on is not None:
        return BriefSettings(is_on=is_on)
    section = open_section(value, "brief", _KEYS, report)
    words = section.read_number("words", DEFAULT_WORDS, MIN_WORDS, MAX_WORDS)
    return BriefSettings(
        words=words, skipped_projects=section.read_words("skip", "a list of projects")
    )
