from __future__ import annotations

import pytest
from story_texts import find

from cortexfs.core.stories.entities.entity import EntitySettings


def test_the_first_apposition_describes() -> None:
    found = find("Melina, a swordswoman from the north, sat down.", "Melina, a liar, laughed.")
    assert found["Melina"].description == "a swordswoman from the north"


def test_facts_are_kept_with_their_importance_once_each() -> None:
    found = find(
        "Kael is a smuggler. Kael fears deep water.",
        "KAEL SLEPT. Kael is a Smuggler. Kael lives in Dustwell, and Kael was tired.",
    )
    assert found["Kael"].facts == (
        ("is a smuggler", 5, 1),
        ("fears deep water", 6, 1),
        ("lives in Dustwell", 5, 2),
    )


def test_the_most_important_facts_are_kept() -> None:
    story = "Kael is a smuggler. Kael fears deep water. Kael loves the rain."
    found = find(story, settings=EntitySettings(facts=2))
    assert found["Kael"].facts == (("fears deep water", 6, 1), ("loves the rain", 7, 1))
    found = find(story, settings=EntitySettings(fact_importance=7))
    assert found["Kael"].facts == (("loves the rain", 7, 1),)


@pytest.mark.parametrize(
    ("story", "name", "status"),
    [
        (["Then Voss died.", "We mourned Voss."], "Voss", "deceased"),
        (["Melina killed Voss in his sleep."], "Voss", "deceased"),
        (["Voss was murdered at dawn."], "Voss", "deceased"),
        (["Voss nearly died.", "Voss laughed."], "Voss", "active"),
        (["I wish Voss died.", "Voss laughed."], "Voss", "active"),
        (["Voss died.", "Voss rose from the dead."], "Voss", "active"),
        (["Voss left for good."], "Voss", "inactive"),
        (["Voss left for good.", "Voss laughed."], "Voss", "active"),
        (["They went to Dustwell.", "Then Dustwell was destroyed."], "Dustwell", "destroyed"),
    ],
)  # fmt: skip
def test_what_happens_changes_the_status(story: list[str], name: str, status: str) -> None:
    assert find(*story)[name].status == status


def test_first_and_last_are_passages() -> None:
    found = find("It rained.", "Kael laughed.", "It rained.", "Kael slept.", "It rained.")
    assert (found["Kael"].first, found["Kael"].last) == (2, 4)
