"""Natural sentences that tell each of the fourteen types of relations."""

from __future__ import annotations

import pytest
from story_texts import relate

from cortexfs.core.stories.relations import cues

SENTENCES = {
    "ally": [
        "Melina protected Caesar from the wolves.",
        "Melina is an old friend of Caesar.",
        "Melina and Caesar are allies.",
        "Melina sided with Caesar.",
        "Melina fought alongside Caesar to protect the gate.",
        "Melina fought with Caesar against the wolves.",
        "Melina fought side by side with Caesar.",
        "Melina came to the aid of Caesar.",
        "Caesar, an old friend of Melina's, nodded.",
    ],
    "enemy": [
        "Melina swore revenge on Caesar.",
        "Melina and Caesar became enemies.",
        "Melina was attacked by Caesar.",
        "Melina stabbed Caesar in the back.",
        "Melina tried to kill Caesar.",
        "Melina has hated Caesar ever since.",
    ],
    "lover": [
        "Melina fell in love with Caesar.",
        "Melina is married to Caesar.",
        "Melina's husband, Caesar, poured the wine.",
        "Melina kissed Caesar softly.",
        "Melina and Caesar were lovers.",
        "Melina was engaged to Caesar.",
    ],
    "parent": [
        "Melina is the mother of Caesar.",
        "Melina, the mother of Caesar, wept.",
        "Melina gave birth to Caesar.",
        "Caesar's mother, Melina, wept.",
    ],
    "child": [
        "Melina is the daughter of Caesar.",
        "Melina, daughter of Caesar, wept.",
        "Caesar's youngest daughter Melina wept.",
    ],
    "sibling": [
        "Melina and Caesar are twins.",
        "Melina is the sister of Caesar.",
        "Caesar and his sister Melina rode north.",
    ],
    "mentor": [
        "Melina taught Caesar to fight.",
        "Caesar was trained by Melina.",
        "Caesar learned the sword from Melina.",
        "Caesar's teacher Melina smiled.",
    ],
    "rival": [
        "Melina competed with Caesar for the crown.",
        "Melina and Caesar were rivals.",
        "Melina challenged Caesar to a duel.",
        "Melina is jealous of Caesar.",
    ],
    "owns": [
        "Melina owns the Starblade.",
        "Melina drew the Starblade from its sheath.",
        "Melina came in wielding the Starblade.",
        "Melina's sword Starblade gleamed.",
    ],
    "member_of": [
        "Melina joined the Sons of Calydon.",
        "Melina is a member of the Sons of Calydon.",
        "Melina belongs to the Sons of Calydon.",
        "Melina, leader of the Sons of Calydon, nodded.",
    ],
    "located_in": [
        "Melina lives in Dustwell.",
        "Melina arrived at Dustwell.",
        "Melina was born in Dustwell.",
        "Melina stayed at Dustwell for a week.",
    ],
    "fears": [
        "Melina is afraid of Caesar.",
        "Melina feared Caesar.",
        "Melina was terrified of Caesar.",
    ],
    "serves": [
        "Melina serves Caesar.",
        "Melina works for Caesar.",
        "Melina, servant of Caesar, bowed.",
        "Melina swore loyalty to Caesar.",
        "Melina knelt before Caesar.",
    ],
    "custom": [
        "Melina is the aunt of Caesar.",
        "Melina's cousin Caesar laughed.",
        "Caesar's guardian, Melina, laughed.",
    ],
}
SIGNS = {"ally": 1, "lover": 1, "mentor": 1, "enemy": -1, "rival": -1, "fears": -1}
MUTUAL = {"ally", "enemy", "lover", "sibling", "rival", "custom"}


def test_each_of_the_types_has_sentences() -> None:
    assert set(SENTENCES) == set(cues.TYPES)


@pytest.mark.parametrize(
    ("kind", "text"), [(kind, text) for kind, texts in SENTENCES.items() for text in texts]
)
def test_a_natural_sentence_tells_a_relation(kind: str, text: str) -> None:
    [relation] = relate(text)
    subject, told = (relation.subject, relation.type)
    if kind == "child":  # it is kept as that of the parent
        subject, told = relation.object, {"parent": "child"}[told]
    assert told == kind
    assert subject == "Melina" or kind in MUTUAL
    sign = SIGNS.get(kind, 0)
    assert relation.sentiment * sign > 0 or not sign
    assert 0.5 <= relation.confidence <= 0.75


@pytest.mark.parametrize(
    "text",
    [
        "Melina never fell in love with Caesar.",
        "Melina is not afraid of Caesar.",
        "Melina and Caesar were not enemies.",
        "Melina would have knelt before Caesar.",
        "Melina nearly drew the Starblade.",
        "Melina and her sister laughed. Caesar slept.",
    ],
)
def test_what_is_denied_relates_nobody(text: str) -> None:
    assert relate(text) == []
