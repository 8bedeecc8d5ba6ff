"""`stories:` in `cortexfs.yaml`."""

from __future__ import annotations

from for_each import for_each

from cortexfs.core.settings.settings_file import parse_settings
from cortexfs.core.settings.story_settings import (
    DEFAULT_STORIES,
    PRESETS,
    Formatter,
    Preset,
    SidecarFallback,
    StorySettings,
)

GIVEN = """\
stories:
  messages-per-chunk: 4
  core-threshold: 0.5
  core-flags: [death, loss, death]
  salience: {flag: 0.2, max_length: 0}
"""

PARTS = """\
stories:
  entities:
    minimum-confidence: 0.3
    protected: [Ash, Io]
    prune: off
    stale-after: 50
    facts: 12
    fact-importance: 5
  recall:
    memories: 5
    half-life: 40
    semantic: 0.5
    salience: 0.2
    recency: 0.1
    emotion: 0
    entity: 0.1
    reinforcement: 0.1
  prompt:
    formatter: clinical
    budget: 900
    entities: 4
    relations: 6
    relationships: off
    arcs: off
  consolidation: {enabled: on, waiting: 12, chunks: 6, scenes: 3}
  sidecar: {enabled: on, batch: 2, parallel: 1, per-minute: 30, retries: 2, fallback: skip}
"""


def test_sizes_flags_and_weights_are_read() -> None:
    found = parse_settings(GIVEN)
    assert found.flaws == ()
    expected = StorySettings(4, 0.5, ("death", "loss"), {"flag": 0.2, "max_length": 0.0})
    assert found.stories == expected
    assert parse_settings("stories:\n  core-flags: []\n").stories.core_flags == ()
    assert parse_settings("").stories == DEFAULT_STORIES


def test_each_part_has_settings_of_its_own() -> None:
    found = parse_settings(PARTS)
    assert found.flaws == ()
    assert found.stories.entities == (0.3, ("Ash", "Io"), False, 50, 12, 5)
    assert found.stories.recall == (5, 40, 0.5, 0.2, 0.1, 0.0, 0.1, 0.1)
    assert found.stories.prompt == (Formatter.CLINICAL, 900, 4, 6, False, False)
    assert found.stories.consolidation == (True, 12, 6, 3)
    assert found.stories.sidecar == (True, 2, 1, 30, 2, SidecarFallback.SKIP)


def test_a_preset_is_the_default_of_every_setting() -> None:
    for preset in Preset:
        assert parse_settings(f"stories: {{preset: {preset}}}\n").stories == PRESETS[preset]
    simple = parse_settings("stories:\n  preset: simple\n  prompt: {arcs: on}\n").stories
    assert (simple.prompt.arcs, simple.prompt.entities) == (True, 8)
    assert not simple.consolidation.enabled
    assert PRESETS[Preset.ADVANCED].sidecar.enabled


def test_no_scene_has_more_chunks_than_have_to_wait() -> None:
    text = "stories:\n  consolidation: {chunks: 20, waiting: 5}\n"
    assert parse_settings(text).stories.consolidation.waiting == 20


@for_each(
    [
        ("stories: 5\n", 1),
        ("stories:\n  messages-per-chunk: 0\n", 2),
        ("stories:\n  messages-per-chunk: 101\n", 2),
        ("stories:\n  core-threshold: 2\n", 2),
        ("stories:\n  core-flags: [birth]\n", 2),
        ("stories:\n  salience:\n    flag: high\n", 3),
        ("stories:\n  salience:\n    luck: 0.1\n", 3),
        ("stories:\n  chunk: 3\n", 2),
        ("stories:\n  preset: huge\n", 2),
        ("stories:\n  prompt:\n    formatter: [shadow]\n", 3),
        ("stories:\n  prompt:\n    budget: 5\n", 3),
        ("stories:\n  recall:\n    luck: 0.1\n", 3),
        ("stories:\n  sidecar:\n    fallback: wait\n", 3),
    ]
)
def test_what_is_invalid_is_reported_at_its_line(case: tuple[str, int]) -> None:
    text, line = case
    found = parse_settings(text)
    assert [(flaw.code, flaw.line) for flaw in found.flaws] == [("bad-setting", line)]
    assert found.stories.messages_per_chunk == DEFAULT_STORIES.messages_per_chunk
    assert found.stories.core_threshold == DEFAULT_STORIES.core_threshold
