"""The settings of a tree as a value; every setting has a default."""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.kinds import Kinds
from cortexfs.core.settings.brief_settings import BriefSettings
from cortexfs.core.settings.daemon_settings import DEFAULT_DAEMON, DaemonSettings
from cortexfs.core.settings.maintenance_settings import DEFAULT_MAINTENANCE, MaintenanceSettings
from cortexfs.core.settings.pattern_settings import DEFAULT_PATTERN_SETTINGS, PatternSettings
from cortexfs.core.settings.story_settings import DEFAULT_STORIES, StorySettings
from cortexfs.core.settings.supervision_settings import DEFAULT_SUPERVISION, SupervisionSettings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.atoms.atom import Flaw
    from cortexfs.core.checks.size_limits import Cap


class WriteBackMode(StrEnum):
    """The atoms into which `index regen` writes `refs` and `last-ref`."""

    PRESENT = "present"
    ALWAYS = "always"
    NEVER = "never"


class MemorySettings(NamedTuple):
    """The settings of agent memory: more headings of learnings."""

    learning_headings: tuple[str, ...] = ()


class Settings(NamedTuple):
    """The settings of one tree; every setting has a default.

    `caps` are the limits that the tree sets; `core.checks.size_limits` has the defaults.
    """

    kinds: Kinds = Kinds()
    write_back: WriteBackMode = WriteBackMode.PRESENT
    flaws: tuple[Flaw, ...] = ()
    caps: Mapping[str, Cap] = MappingProxyType({})
    use_embeddings: bool = True
    """Whether `find` also uses embeddings, if a model is installed."""
    memory: MemorySettings = MemorySettings()
    supervision: SupervisionSettings = DEFAULT_SUPERVISION
    daemon: DaemonSettings = DEFAULT_DAEMON
    maintenance: MaintenanceSettings = DEFAULT_MAINTENANCE
    patterns: PatternSettings = DEFAULT_PATTERN_SETTINGS
    stories: StorySettings = DEFAULT_STORIES
    brief: BriefSettings = BriefSettings()
