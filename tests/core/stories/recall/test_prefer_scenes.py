"""Scenes and arcs are read from their files, and stand in for old chunks."""

from __future__ import annotations

from cortexfs.core.stories.recall.choose_excerpt import RecalledMessage
from cortexfs.core.stories.recall.prefer_scenes import prefer_scenes
from cortexfs.core.stories.recall.recall import RecalledMemory
from cortexfs.core.stories.recall.score_memory import ScorePart
from cortexfs.core.stories.summary_file import SummaryFile, parse_summary_file
from cortexfs.operations.stories.recall_surroundings import recall_arcs

SCENE_FILE = """---
id: SCN-001
date: 2026-05-06
project: flywheel
summary: "The mill"
story: road
chunks: [CH-0001, CH-0002]
messages: 1-16
source: heuristic
---

# SCN-001: The mill

road, messages 1 to 16 (CH-0001, CH-0002)

- Melina: *wept* Voss burned the mill\\_house. (CH-0001)
- Kael swore an oath. (CH-0002)
<!-- hidden -->
"""
WEIGHT = 0.35


def memory(ref: str, semantic: float = 0.0, *, is_core: bool = False) -> RecalledMemory:
    said = RecalledMessage(3, "", "Melina", "Voss burned the mill.", 1.0)
    parts = (ScorePart("semantic", semantic),)
    return RecalledMemory(
        f"flywheel/{ref}",
        1,
        8,
        900,
        "",
        "t",
        0.4,
        parts,
        0.5,
        is_core,
        (),
        (),
        (),
        ("Melina",),
        (said,),
    )


def read_scene() -> SummaryFile:
    scene = parse_summary_file(SCENE_FILE, "flywheel/SCN-001")
    assert scene is not None
    return scene


def test_a_scene_is_read_without_its_sources_and_marks() -> None:
    assert read_scene() == SummaryFile(
        "flywheel/SCN-001",
        "road",
        1,
        16,
        "The mill",
        "- Melina: *wept* Voss burned the mill\\_house. (CH-0001)\n"
        "- Kael swore an oath. (CH-0002)\n<!-- hidden -->",
        "Melina: wept Voss burned the mill_house. Kael swore an oath.",
        0,
        "heuristic",
        ("CH-0001", "CH-0002"),
        "",
        is_edited=True,
    )
    assert parse_summary_file("no frontmatter", "x") is None


def test_a_scene_stands_for_all_its_chunks_once() -> None:
    found = prefer_scenes(
        [memory("CH-0001"), memory("CH-0002"), memory("CH-0009")], [read_scene()], 1000, WEIGHT
    )
    assert [each.ref for each in found] == ["flywheel/SCN-001", "flywheel/CH-0009"]
    assert (found[0].last, found[0].distance, found[0].excerpt) == (16, 984, ())
    assert found[0].text.startswith("The mill: Melina: wept")


def test_a_core_memory_and_what_is_meant_stay_as_they_were_said() -> None:
    kept = [memory("CH-0001", is_core=True), memory("CH-0002", 0.6 * WEIGHT)]
    assert prefer_scenes(kept, [read_scene()], 1000, WEIGHT) == tuple(kept)


def test_the_current_arc_is_the_last_one_or_else_a_scene() -> None:
    scene = read_scene()
    later = scene._replace(ref="flywheel/SCN-002")
    arc = scene._replace(ref="flywheel/ARC-001", sources=("SCN-001",))
    assert [each.ref for each in recall_arcs([scene, later], [arc])] == ["SCN-002", "ARC-001"]
    assert [each.ref for each in recall_arcs([scene, later], [])] == ["SCN-001", "SCN-002"]
