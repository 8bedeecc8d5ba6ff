"""Read the settings of stories: `stories:` in `cortexfs.yaml`."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from cortexfs.core.settings.story_settings import (
    PRESETS,
    ConsolidationSettings,
    Formatter,
    Preset,
    RecallSettings,
    SidecarFallback,
    SidecarSettings,
    StoryEntitySettings,
    StoryPromptSettings,
    StorySettings,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from enum import StrEnum

    from cortexfs.core.atoms.atom import FrontmatterValue
    from cortexfs.core.settings.setting_section import Report, SettingSection

MAX_MESSAGES_PER_CHUNK = 100

_KEYS = (
    "preset",
    "messages-per-chunk",
    "core-threshold",
    "core-flags",
    "salience",
    "entities",
    "recall",
    "prompt",
    "consolidation",
    "sidecar",
)


def parse_stories(value: FrontmatterValue, report: Report) -> StorySettings:
    """Return the settings in `stories:`; those of the preset where there are none."""
    from cortexfs.core.settings.setting_section import open_section  # noqa: PLC0415 - only a settings file needs it
    from cortexfs.core.stories.salience.narrative_terms import Flag  # noqa: PLC0415

    section = open_section(value, "stories", _KEYS, report)
    default = PRESETS[Preset(_read_choice(section, "preset", Preset, Preset.STANDARD))]
    flags = default.core_flags
    if "core-flags" in section.values:
        flags = section.read_words("core-flags", "a list of narrative flags")
        for flag in set(flags).difference(Flag):
            report(f"`{flag}` is no narrative flag", ("stories", "core-flags"))
    return StorySettings(
        section.read_number(
            "messages-per-chunk", default.messages_per_chunk, 1, MAX_MESSAGES_PER_CHUNK
        ),
        section.read_share("core-threshold", default.core_threshold),
        tuple(flag for flag in dict.fromkeys(flags) if flag in {*Flag}),
        _parse_weights(section),
        default.preset,
        _parse_entities(section),
        _parse_recall(section, default.recall),
        _parse_prompt(section, default.prompt),
        _parse_consolidation(section, default.consolidation),
        _parse_sidecar(section, default.sidecar),
    )


def _parse_weights(stories: SettingSection) -> Mapping[str, float]:
    from cortexfs.core.stories.salience.salience_weights import DEFAULT_WEIGHTS  # noqa: PLC0415 - see above

    known = DEFAULT_WEIGHTS._asdict()
    weights = _open_part(stories, "salience", known)
    given = {key: weights.read_share(key, known[key]) for key in known if key in weights.values}
    return MappingProxyType(given)


def _parse_entities(stories: SettingSection) -> StoryEntitySettings:
    default = StoryEntitySettings()
    keys = ("minimum-confidence", "protected", "prune", "stale-after", "facts", "fact-importance")
    part = _open_part(stories, "entities", keys)
    return StoryEntitySettings(
        part.read_share("minimum-confidence", default.minimum_confidence),
        part.read_words("protected", "a list of names"),
        part.read_switch("prune"),
        part.read_number("stale-after", default.stale_after, 1, 1_000_000),
        part.read_number("facts", default.facts, 0, 200),
        part.read_number("fact-importance", default.fact_importance, 1, 10),
    )


def _parse_recall(stories: SettingSection, default: RecallSettings) -> RecallSettings:
    shares = default._fields[2:]
    part = _open_part(stories, "recall", ("memories", "half-life", *shares))
    return RecallSettings(
        part.read_number("memories", default.memories, 1, 100),
        part.read_number("half-life", default.half_life, 1, 1_000_000),
        *(part.read_share(key, getattr(default, key)) for key in shares),
    )


def _parse_prompt(stories: SettingSection, default: StoryPromptSettings) -> StoryPromptSettings:
    part = _open_part(
        stories,
        "prompt",
        ("formatter", "budget", "entities", "relations", "relationships", "arcs"),
    )
    return StoryPromptSettings(
        Formatter(_read_choice(part, "formatter", Formatter, default.formatter)),
        part.read_number("budget", default.budget, 50, 100_000),
        part.read_number("entities", default.entities, 0, 100),
        part.read_number("relations", default.relations, 0, 100),
        part.read_switch("relationships", default=default.relationships),
        part.read_switch("arcs", default=default.arcs),
    )


def _parse_consolidation(
    stories: SettingSection, default: ConsolidationSettings
) -> ConsolidationSettings:
    part = _open_part(stories, "consolidation", ("enabled", "waiting", "chunks", "scenes"))
    chunks = part.read_number("chunks", default.chunks, 2, 100)
    return ConsolidationSettings(
        part.read_switch("enabled", default=default.enabled),
        max(chunks, part.read_number("waiting", default.waiting, 2, 10_000)),
        chunks,
        part.read_number("scenes", default.scenes, 2, 100),
    )


def _parse_sidecar(stories: SettingSection, default: SidecarSettings) -> SidecarSettings:
    keys = ("enabled", "batch", "parallel", "per-minute", "retries", "fallback")
    part = _open_part(stories, "sidecar", keys)
    return SidecarSettings(
        part.read_switch("enabled", default=default.enabled),
        part.read_number("batch", default.batch, 1, 20),
        part.read_number("parallel", default.parallel, 1, 16),
        part.read_number("per-minute", default.per_minute, 0, 10_000),
        part.read_number("retries", default.retries, 0, 5),
        SidecarFallback(_read_choice(part, "fallback", SidecarFallback, default.fallback)),
    )


def _open_part(stories: SettingSection, name: str, known: Iterable[str]) -> SettingSection:
    """Return a section below `stories:`."""
    from cortexfs.core.settings.setting_section import open_section  # noqa: PLC0415 - see above

    def report(message: str, keys: tuple[str, ...]) -> None:
        stories.report(message, (stories.name, *keys))

    return open_section(stories.values.get(name, ""), name, known, report)


def _read_choice(section: SettingSection, key: str, choices: type[StrEnum], default: str) -> str:
    """Return one of some words."""
    value = section.values.get(key, "")
    if isinstance(value, str) and value in {*choices}:
        return value
    if value != "":
        section.report(f"`{key}` must be one of {', '.join(choices)}", (section.name, key))
    return default
