from __future__ import annotations

import pytest
from story_texts import relate

from cortexfs.core.stories.relations import cues
from cortexfs.core.stories.relations.tie_relations import decay_strength


@pytest.mark.parametrize(
    ("text", "expected", "sentiment", "confidence"),
    [
        ("Melina protected Caesar.", ("Melina", "ally", "Caesar"), 0.6, 0.75),
        ("Then Melina's brother Caesar came.", ("Caesar", "sibling", "Melina"), 0.4, 0.7),
        ("Melina and Caesar fought together.", ("Melina", "ally", "Caesar"), 0.5, 0.65),
        ("Melina and Caesar fought against it.", ("Melina", "ally", "Caesar"), 0.5, 0.5),
        ("Melina and Caesar fought each other.", ("Melina", "enemy", "Caesar"), -0.6, 0.5),
        ('"Stay close, darling," Melina said to Caesar.', ("Melina", "lover", "Caesar"), 0.6, 0.5),
        ("Melina betrayed Caesar.", ("Melina", "enemy", "Caesar"), -0.9, 0.75),
        ("Kael was betrayed by Voss.", ("Voss", "enemy", "Kael"), -0.9, 0.75),
        ("Caesar, son of Melina, smiled.", ("Melina", "parent", "Caesar"), 0.4, 0.65),
        ("Kael is Melina's father.", ("Kael", "parent", "Melina"), 0.4, 0.7),
        ("Kael lives in Dustwell.", ("Kael", "located_in", "Dustwell"), 0.0, 0.6),
        ("Kael joined the Sons of Calydon.", ("Kael", "member_of", "Sons of Calydon"), 0.3, 0.75),
        ("Kael wielded the Starblade.", ("Kael", "owns", "Starblade"), 0.2, 0.75),
        ("Kael fears Voss.", ("Kael", "fears", "Voss"), -0.4, 0.75),
        ("Kael served Voss.", ("Kael", "serves", "Voss"), 0.3, 0.75),
        ("Kael trained Voss.", ("Kael", "mentor", "Voss"), 0.5, 0.75),
        ("Kael challenged Voss.", ("Kael", "rival", "Voss"), -0.3, 0.75),
        ('"You traitor!" Kael hissed at Voss.', ("Kael", "enemy", "Voss"), -0.45, 0.45),
        ("Alice" + " " * 320 + "laughed with joy beside Bob.", ("Alice", "ally", "Bob"), 0.3, 0.3),
    ],
)  # fmt: skip
def test_a_sentence_relates_two_names(
    text: str, expected: tuple[str, str, str], sentiment: float, confidence: float
) -> None:
    [relation] = relate(text)
    assert (relation.subject, relation.type, relation.object) == expected
    assert (relation.sentiment, relation.confidence) == (sentiment, confidence)


@pytest.mark.parametrize(
    "text",
    [
        "Melina did not betray Caesar.",
        "Melina would never kill Caesar.",
        "Melina almost kissed Caesar.",
        "Melina couldn't protect Caesar.",
        "Melina smiled. Caesar betrayed nobody.",
    ],
)
def test_what_did_not_happen_relates_nobody(text: str) -> None:
    assert relate(text) == []


def test_many_other_names_hide_nothing() -> None:
    others = " ".join(f"Name{a}{b} smiled." for a in "abcdefgh" for b in "klmno")
    [relation] = relate(f"{others} Alice kissed Bob.")
    assert (relation.subject, relation.type, relation.object) == ("Alice", "lover", "Bob")


def test_evidence_makes_a_relation_strong() -> None:
    strengths = [relate(*["Melina protected Caesar."] * times)[0].strength for times in (1, 3, 12)]
    assert strengths == pytest.approx([0.14, 0.36, 0.83], abs=0.01)


def test_contradictions_are_told_apart() -> None:
    ally, enemy, none = "Kael saved Voss.", "Kael attacked Voss.", "It rained."

    def mark(*passages: str) -> dict[str, str]:
        return {relation.type: relation.contradiction for relation in relate(*passages)}

    assert mark(ally, ally, none, enemy, enemy) == {"ally": "temporal", "enemy": ""}
    assert mark(*[ally, enemy] * 3) == {"ally": "complex", "enemy": "complex"}
    assert mark(enemy, enemy, ally, enemy) == {"ally": "suspect", "enemy": ""}


def test_people_who_share_sentences_are_acquainted() -> None:
    [relation] = relate(*["Kael sat with Mira at the fire."] * 3)
    assert (relation.type, relation.label, relation.confidence) == ("custom", "appears with", 0.35)


def test_every_word_tells_of_one_of_the_fourteen_types() -> None:
    tables = (cues.VERBS, cues.WITH_VERBS, cues.PLACED_VERBS, cues.NOUNS, cues.JOINT_VERBS)
    assert len(set(cues.TYPES)) == 14
    assert {tie.type for table in tables for tie in table.values()} == set(cues.TYPES)


def test_what_is_strong_fades_more_slowly() -> None:
    assert decay_strength(1.0, 0) == 1.0
    assert decay_strength(1.0, 100) == pytest.approx(0.951, abs=0.001)
    assert decay_strength(0.25, 100) / 0.25 == pytest.approx(0.819, abs=0.001)
