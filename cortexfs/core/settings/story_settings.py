"""The settings of stories as a value; `parse_story_settings` reads them."""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Preset(StrEnum):
    """How much is done with stories; every single setting can differ from it."""

    SIMPLE = "simple"
    STANDARD = "standard"
    ADVANCED = "advanced"


class Formatter(StrEnum):
    """How what is remembered is written into a prompt."""

    SHADOW = "shadow"
    ATTRIBUTED = "attributed"
    CLINICAL = "clinical"
    MINIMAL = "minimal"


class SidecarFallback(StrEnum):
    """What becomes of a chunk of which the language model says nothing."""

    HEURISTIC = "heuristic"
    SKIP = "skip"


class StoryEntitySettings(NamedTuple):
    """What counts as an entity, and when one is forgotten.

    `protected` are names that are always known. `stale_after` is in messages. A fact needs an
    importance of `fact_importance`, from 1 to 10.
    """

    minimum_confidence: float = 0.5
    protected: tuple[str, ...] = ()
    prune: bool = True
    stale_after: int = 200
    facts: int = 30
    fact_importance: int = 3


class RecallSettings(NamedTuple):
    """How much each part counts in recall, and how many memories are recalled at most.

    `half_life` is in messages: after so many, the recency of a memory is half as high.
    """

    memories: int = 8
    half_life: int = 500
    semantic: float = 0.35
    salience: float = 0.25
    recency: float = 0.15
    emotion: float = 0.10
    entity: float = 0.10
    reinforcement: float = 0.05


class StoryPromptSettings(NamedTuple):
    """What of a story is written into a prompt, and how long that may be (`budget`, in tokens)."""

    formatter: Formatter = Formatter.SHADOW
    budget: int = 600
    entities: int = 10
    relations: int = 16
    relationships: bool = True
    arcs: bool = True


class ConsolidationSettings(NamedTuple):
    """When chunks become a scene, and scenes an arc.

    When `waiting` chunks belong to no scene, the oldest `chunks` become one; `scenes` scenes that
    belong to no arc become one.
    """

    enabled: bool = True
    waiting: int = 40
    chunks: int = 10
    scenes: int = 5


class SidecarSettings(NamedTuple):
    """Whether and how a language model analyses chunks too.

    `batch` is chunks for each request, `parallel` and `per_minute` bound requests (0: no bound).
    """

    enabled: bool = False
    batch: int = 5
    parallel: int = 3
    per_minute: int = 0
    retries: int = 0
    fallback: SidecarFallback = SidecarFallback.HEURISTIC


class StorySettings(NamedTuple):
    """How many messages are a chunk, which memories are protected, and what is made of them.

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
    preset: Preset = Preset.STANDARD
    entities: StoryEntitySettings = StoryEntitySettings()
    recall: RecallSettings = RecallSettings()
    prompt: StoryPromptSettings = StoryPromptSettings()
    consolidation: ConsolidationSettings = ConsolidationSettings()
    sidecar: SidecarSettings = SidecarSettings()


DEFAULT_STORIES = StorySettings()
PRESETS = MappingProxyType(
    {
        Preset.SIMPLE: DEFAULT_STORIES._replace(
            preset=Preset.SIMPLE,
            prompt=StoryPromptSettings(entities=8, relations=12, relationships=False, arcs=False),
            consolidation=ConsolidationSettings(enabled=False),
        ),
        Preset.STANDARD: DEFAULT_STORIES,
        Preset.ADVANCED: DEFAULT_STORIES._replace(
            preset=Preset.ADVANCED, sidecar=SidecarSettings(enabled=True)
        ),
    }
)
