"""What is remembered of entities when a story goes on without them."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from cortexfs.core.settings.story_settings import StoryEntitySettings
from cortexfs.core.stories.chunk_passage import ChunkPassage
from cortexfs.core.stories.describe_entities import describe_entities
from cortexfs.core.stories.entities.entity import Corrections
from cortexfs.core.stories.entities.read_passage import read_passage
from cortexfs.core.stories.project_passages import ProjectPassages
from cortexfs.core.stories.story_entity import EntityStatus, StoryEntity

PER_CHUNK = 8
QUIET = "It rained on the roof."


def describe(*chats: list[str], **settings: object) -> dict[str, StoryEntity]:
    """Describe what chats name; each of their texts is a chunk of eight messages."""
    chunks = [
        ChunkPassage(0.5, (), read_passage(text), f"chat{chat}", PER_CHUNK * at)
        for chat, texts in enumerate(chats)
        for at, text in enumerate(texts, 1)
    ]
    passages = ProjectPassages()
    digests = {number: b"%d" % number for number in range(1, len(chunks) + 1)}
    passages.update(digests, lambda number: chunks[number - 1])
    chosen = StoryEntitySettings()._replace(**settings)
    return {each.name: each for each in describe_entities(passages, Corrections(), chosen)}


def test_what_is_not_named_for_a_long_time_is_inactive_until_it_comes_back() -> None:
    named, other = "Kael laughed. Then Kael slept in Dustwell.", [QUIET] * 4
    assert describe([named, *other], stale_after=33)["Kael"].status == EntityStatus.ACTIVE
    assert describe([named, *other], stale_after=32)["Kael"].status == EntityStatus.INACTIVE
    assert describe([named, *other], stale_after=32)["Dustwell"].status == EntityStatus.INACTIVE
    back = describe([named, *other, "Kael sighed."], stale_after=32)
    assert back["Kael"].status == EntityStatus.ACTIVE
    kept = describe([named, *other], stale_after=1, prune=False)
    assert kept["Kael"].status == EntityStatus.ACTIVE


def test_who_died_stays_dead_however_long_ago_it_was() -> None:
    found = describe(["Voss laughed. Then Voss died.", *[QUIET] * 4], stale_after=8)
    assert found["Voss"].status == EntityStatus.DECEASED


def test_another_chat_of_the_project_makes_nobody_inactive() -> None:
    found = describe(["Kael laughed. Then Kael slept."], [QUIET] * 40, stale_after=8)
    assert found["Kael"].status == EntityStatus.ACTIVE


def test_a_relation_told_once_is_forgotten_after_twice_that_time() -> None:
    once, often = "Melina protected Caesar.", ["Melina kissed Kael."] * 2
    people = "Melina, Caesar and Kael rested."
    chat = [once, *often, people, QUIET, people]

    def labels(stale_after: int) -> set[str]:
        found = describe(chat, stale_after=stale_after)
        return {relation.label for relation in found["Melina"].relations}

    assert labels(21) == {"protected", "kissed"}
    assert labels(20) == {"kissed"}


def test_the_settings_of_a_project_decide_what_counts() -> None:
    hollow = ["The hollow answered. We fear the hollow."]
    assert describe(hollow) == {}
    assert set(describe(hollow, protected=("Hollow",))) == {"hollow"}
    kael = ["Kael is a smuggler. Kael fears deep water. Kael loves the rain."]
    assert [fact.text for fact in describe(kael, facts=1)["Kael"].facts] == ["loves the rain"]
    important = describe(kael, fact_importance=6)["Kael"].facts
    assert [fact.text for fact in important] == ["fears deep water", "loves the rain"]
    rare = ["They saw it in Oskelheim once."]
    assert describe(rare, minimum_confidence=0.9) == {}
    assert set(describe(rare, minimum_confidence=0.0)) == {"Oskelheim"}
    assert describe(rare, minimum_confidence=1.0) == {}


def test_a_project_has_at_most_400_entities_and_300_relations_unless_nothing_is_pruned() -> None:
    letters = "abcdefghijklmnopqrstu"
    names = [f"Q{one}{other}zar" for one in letters for other in letters]
    pairs = pairwise(names)
    text = " ".join(f"Then {one} kissed {other}." for one, other in pairs)
    found = describe([text])
    assert len(found) == 400
    assert sum(len(each.relations) for each in found.values()) == 2 * 300
    assert len(describe([text], prune=False)) > 400


TEXTS = (
    "Anne Elliot sighed. Anne is a smuggler.",
    "Miss Elliot went to Bath with Captain Wentworth.",
    "Frederick Wentworth kissed Anne. Frederick fears deep water.",
    "Mr Elliot betrayed Anne. Then Mr Elliot died.",
    "Kael wields the Starblade. Kael trusts Anne, and Anne hates Kael.",
    "Kael and Frederick rested. Kael and Frederick slept. Kael and Frederick sang.",
    "We fear the hollow. It rained.",
)
states = st.lists(
    st.dictionaries(st.integers(1, 9), st.sampled_from(range(len(TEXTS))), max_size=9),
    min_size=2,
    max_size=6,
)


@settings(max_examples=60)
@given(states)
def test_what_is_described_after_each_change_is_what_is_described_at_once(
    states: list[dict[int, int]],
) -> None:
    chosen = StoryEntitySettings()._replace(protected=("hollow",))
    chunks = [
        ChunkPassage(0.1 * at, ("joy", "fear")[: at % 3], read_passage(text), "chat", at)
        for at, text in enumerate(TEXTS)
    ]

    def update(passages: ProjectPassages, state: dict[int, int]) -> list[StoryEntity]:
        digests = {number: b"%d" % at for number, at in state.items()}
        passages.update(digests, lambda number: chunks[state[number]])
        return describe_entities(passages, Corrections(), chosen)

    grown = ProjectPassages()
    for state in states:
        assert update(grown, state) == update(ProjectPassages(), state)
