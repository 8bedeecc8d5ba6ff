"""The settings of stories: `stories:` in `cortexfs.yaml`."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.atoms.atom import FrontmatterValue
    from cortexfs.core.settings.setting_section import Report

_KEYS = ("messages-per-chunk", "core-threshold", "core-flags", "salience")
MAX_MESSAGES_PER_CHUNK = 100


class StorySettings(NamedTuple):
    """How many messages are a chunk, which memories are protected, and weights that differ.

    `weights` has the weights of a salience that are not the default, by name.
    """

    messages_per_chunk: int = 8
    core_threshold: float = 0.7
    core_flags: tuple[str, ...] = (
        "death",
        "promise",
        "first_meeting",
        "transformation",
        "confession",
    )
    weights: Mapping[str, float] = MappingProxyType({})


DEFAULT_STORIES = StorySettings()


def parse_stories(value: FrontmatterValue, report: Report) -> StorySettings:
    """Return the settings in `stories:`."""
    from cortexfs.core.settings.setting_section import open_section  # noqa: PLC0415 - only a settings file needs it
    from cortexfs.core.stories.salience.narrative_terms import Flag  # noqa: PLC0415
    from cortexfs.core.stories.salience.salience_weights import DEFAULT_WEIGHTS  # noqa: PLC0415

    section = open_section(value, "stories", _KEYS, report)
    default = DEFAULT_STORIES
    flags = default.core_flags
    if "core-flags" in section.values:
        flags = section.read_words("core-flags", "a list of narrative flags")
        for flag in set(flags).difference(Flag):
            report(f"`{flag}` is no narrative flag", ("stories", "core-flags"))
    known = DEFAULT_WEIGHTS._asdict()

    def report_weight(message: str, keys: tuple[str, ...]) -> None:
        report(message, ("stories", *keys))

    weights = open_section(section.values.get("salience", ""), "salience", known, report_weight)
    given = {key: weights.read_share(key, known[key]) for key in known if key in weights.values}
    return StorySettings(
        section.read_number(
            "messages-per-chunk", default.messages_per_chunk, 1, MAX_MESSAGES_PER_CHUNK
        ),
        section.read_share("core-threshold", default.core_threshold),
        tuple(flag for flag in dict.fromkeys(flags) if flag in {*Flag}),
        MappingProxyType(given),
    )
