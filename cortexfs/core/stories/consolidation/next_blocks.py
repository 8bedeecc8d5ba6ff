"""Which scene and which arc the last message of a story makes due, or changes: one of each at most.

A block of which all messages were deleted has no chunks: nothing waits for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.kinds import ARC_KIND, SCENE_KIND

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from cortexfs.core.stories.consolidation.due_blocks import Block, DueBlocks
    from cortexfs.core.stories.consolidation.made_summaries import MadeSummary

    ListFirsts = Callable[[], Collection[int]]
    """A function that returns the number of the first message of each chunk of a story."""


class StoryProgress(NamedTuple):
    """What is due of a story by kind, what was made of it by kind, and its last message."""

    due: Mapping[str, DueBlocks]
    made: Mapping[str, Sequence[MadeSummary]]
    last_message: int


class NextBlocks(NamedTuple):
    """The scene and the arc that are due next, or change; None if there is none."""

    scene: Block | None
    arc: Block | None


def find_next_blocks(story: StoryProgress, list_firsts: ListFirsts) -> NextBlocks:
    """Return the first scene and arc that are due and were not made, or those that change.

    An arc is due next if all its scenes are made, one of them now. `list_firsts` is called only if
    something is missing.
    """
    scenes, arcs = story.due[SCENE_KIND], story.due[ARC_KIND]
    made = {scenes.find(each.first) for each in story.made[SCENE_KIND]}
    changed = scenes.find(story.last_message)
    number = _find_next(
        scenes, made, changed, lambda: {scenes.find(each) for each in list_firsts()}
    )
    scene = scenes.block(number) if number else None
    made |= {number} if number else set()
    made_arcs = {arcs.find(each.first) for each in story.made[ARC_KIND]}
    changed_arc = arcs.find(scene.first) if scene else 0
    begun = {arcs.find(scenes.block(each).first) for each in made}
    arc_number = _find_next(arcs, made_arcs, changed_arc, lambda: begun)
    arc = arcs.block(arc_number) if arc_number else None
    return NextBlocks(scene, arc if arc and _is_complete(arc, scenes, made, list_firsts) else None)


def _find_next(
    due: DueBlocks, made: Collection[int], changed: int, list_begun: Callable[[], Collection[int]]
) -> int:
    """Return the first block that is due, has sources and was not made, or else the changed one."""
    number = changed if changed <= due.total else 0
    if sum(1 <= each <= due.total for each in made) == due.total:
        return number
    missing = (each for each in list_begun() if 1 <= each <= due.total and each not in made)
    return min(missing, default=number)


def _is_complete(
    arc: Block, scenes: DueBlocks, made: Collection[int], list_firsts: ListFirsts
) -> bool:
    """Return whether each scene of an arc was made that has chunks."""
    numbers = range(scenes.find(arc.first), scenes.find(arc.last) + 1)
    missing = {number for number in numbers if number not in made}
    return not missing or missing.isdisjoint(scenes.find(each) for each in list_firsts())
