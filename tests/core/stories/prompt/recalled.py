"""Recalls for tests of prompts."""

from __future__ import annotations

from cortexfs.core.stories.read_entity_file import (
    KnownColour,
    KnownEntity,
    KnownFact,
    KnownRelation,
)
from cortexfs.core.stories.recall.choose_excerpt import RecalledMessage
from cortexfs.core.stories.recall.recall import Recall, RecalledArc, RecalledMemory
from cortexfs.core.stories.recall.score_memory import ScorePart

OATH = RecalledMemory(
    "flywheel/CH-0042",
    329,
    336,
    12,
    "2026-05-06T10:00:00Z",
    "Kael: I will bring her home.",
    0.8,
    (ScorePart("semantic", 0.3), ScorePart("salience", 0.5)),
    0.74,
    True,  # noqa: FBT003 - a row
    ("grief", "resolve"),
    ("promise",),
    ("Kael",),
    ("Melina", "Kael"),
    (RecalledMessage(331, "", "Kael", "I will bring her home.", 3.0),),
)
SUPPER = OATH._replace(
    ref="flywheel/CH-0001",
    first=1,
    last=8,
    distance=340,
    time="",
    salience=0.9,
    is_core=False,
    emotions=(),
    excerpt=(
        RecalledMessage(2, "", "Melina", "The bread is good.", 1.0),
        RecalledMessage(3, "", "Kael", "So is the honey.", 1.0),
    ),
)
MELINA = KnownEntity(
    "flywheel/ENT-001",
    "ENT-001",
    "Melina",
    "character",
    "active",
    ("Mel",),
    40,
    0.6,
    description="a swordswoman",
    facts=(KnownFact("Carries a blade", 7, "CH-0002"), KnownFact("Fears fire", 9, "")),
    relations=(
        KnownRelation("Kael", "ENT-002", "ally", "old friends", 0.8, 0.6),
        KnownRelation("Voss", "ENT-003", "enemy", "", 0.5, -0.7),
        KnownRelation("Dustwell", "ENT-004", "located_in", "", 0.4, 0.0),
    ),
    colours=(KnownColour("#aabbcc", "speech", 0.9), KnownColour("#010203", "thought", 0.3)),
)
KAEL = KnownEntity(
    "flywheel/ENT-002",
    "ENT-002",
    "Kael",
    "character",
    "deceased",
    relations=(KnownRelation("Melina", "ENT-001", "ally", "old friends", 0.8, 0.6),),
)
RECALL = Recall(
    "road",
    348,
    (OATH, SUPPER),
    (MELINA, KAEL),
    (
        RecalledArc("ARC-001", "The beginning", "They met.", 1, 100),
        RecalledArc("ARC-002", "The road", "They ride north.", 101, 300),
    ),
)


def with_text(text: str) -> Recall:
    """Return a recall in which every text is this one."""
    said = RecalledMessage(1, "", text, text, 1.0)
    memory = OATH._replace(
        text=text, entities=(text,), speakers=(text,), excerpt=(said, said), emotions=(text,)
    )
    relation = KnownRelation(text, "", "ally", text, 0.5, 0.5)
    entity = MELINA._replace(
        name=text,
        type=text,
        status=text,
        aliases=(text,),
        description=text,
        facts=(KnownFact(text, 5, text),),
        relations=(relation,),
    )
    scene = memory._replace(ref=text, excerpt=())
    arc = RecalledArc(text, text, text, 1, 8)
    return Recall(text, 348, (memory, scene), (entity,), (arc,))
