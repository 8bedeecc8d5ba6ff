from __future__ import annotations

import pytest
from story_texts import find, find_types

from cortexfs.core.stories.entities.entity import Corrections, EntitySettings


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("They arrived at Dustwell before dawn.", "Dustwell", "location"),
        ("She walked down Sixth Street alone.", "Sixth Street", "location"),
        ("Sixth Street was on fire.", "Sixth Street", "location"),
        ("Melina sighed.", "Melina", "character"),
        ("New Eridu was quiet that night.", "New Eridu", "location"),
        ("PubSec agents searched the bar.", "PubSec", "faction"),
        ("The Sons of Calydon rode in at noon.", "Sons of Calydon", "faction"),
        ("He came back wielding the Starblade.", "Starblade", "item"),
        ("The brig Patience lay off the quay.", "Patience", "item"),
        ("We crossed the river Suzha.", "Suzha", "location"),
        ("He lives in Duke Street.", "Duke Street", "location"),
        ('"No," said the Anatomist.', "Anatomist", "character"),
        ("We were late for the Battle of Hollow Ford.", "Battle of Hollow Ford", "event"),
        ("The Corran Canal was frozen.", "Corran Canal", "location"),
        ("The River Suzha rose.", "River Suzha", "location"),
        ("Mount Frederick was white.", "Mount Frederick", "location"),
        ("We saw the Mull of Corran.", "Mull of Corran", "location"),
        ("They came through the gorge of the Suzha.", "Suzha", "location"),
        ("We passed the cape that they call Corran.", "Corran", "location"),
        ("They met at Corran's on the third.", "Corran", "location"),
        ("She had come out from the East.", "East", "location"),
        ("We crossed the Strand.", "Strand", "location"),
        ("We crossed the Suzha.", "Suzha", "location"),
        ("He was bound for Corran.", "Corran", "location"),
        ("He has a house, which he calls Corran.", "Corran", "location"),
        ("We saw Castle Corran.", "Castle Corran", "location"),
        ("It was Corran Moor.", "Corran Moor", "location"),
        ("We saw the George and Dragon.", "George and Dragon", "location"),
        ("The trader from Corran keeps order.", "Corran", "location"),
        ("The Maid of Corran was late.", "Maid of Corran", "item"),
        ("Corran is a low island.", "Corran", "location"),
        ("He thought of Corran, where it rained.", "Corran", "location"),
        ("The natives of Corran fled.", "Corran", "location"),
        ("She took the train to Corran.", "Corran", "location"),
        ("It was in the Rue des Ormes.", "Rue des Ormes", "location"),
        ("We saw the Straw Knight.", "Straw Knight", "character"),
        ('"No," said Christian.', "Christian", "character"),
        ('"Yes," said Ah Sing.', "Ah Sing", "character"),
        ('"Milly, come here!" he said.', "Milly", "character"),
        ("The Sweetgrass Kid had gone.", "Sweetgrass Kid", "character"),
        ("All went to see the Great Exhibition.", "Great Exhibition", "event"),
    ],
)
def test_one_sentence_is_enough(text: str, name: str, kind: str) -> None:
    assert find_types(text) == {name: kind}


def test_names_that_are_listed_after_a_place_are_places() -> None:
    found = find_types("She sailed from Bonny to Calabar, Ulmo and Tessaly.")
    assert found == dict.fromkeys(("Bonny", "Calabar", "Ulmo", "Tessaly"), "location")


def test_a_known_first_name_makes_a_word_for_places_a_surname() -> None:
    said = 'Tamsin sighed. "My name is Tamsin Vale," said Tamsin. Tamsin smiled at Harrow Vale.'
    assert find_types(said) == {"Tamsin Vale": "character", "Harrow Vale": "location"}


@pytest.mark.parametrize(
    "text",
    [
        "They sailed between the Ulmo and the Tessaly.",
        "She spoke of France, and the Tessaly.",
        "From Ulmo; and the Tessaly.",
    ],
)
def test_a_place_that_is_listed_may_have_an_article(text: str) -> None:
    assert find_types(text)["Tessaly"] == "location"


def test_an_author_is_no_place() -> None:
    assert find_types("It was a portrait by Knellar.") == {"Knellar": "character"}


def test_a_ship_with_the_name_of_a_woman_is_no_place() -> None:
    assert find_types("We went in the Janet. There were ten in the Janet.")["Janet"] != "location"


@pytest.mark.parametrize("name", ["Hill", "Pool", "Burn", "Wood"])
def test_a_surname_may_be_a_word_for_a_place(name: str) -> None:
    found = find(f"Mr. {name} sat down. Then {name} spoke to me. I saw {name} there.")
    assert [set(entity.forms) for entity in found.values()] == [{name, f"Mr. {name}"}]


NOUNS = """
Apron Barrel Candle Cellar Chimney Door Ewer Farmer Fiddle Goose Hedge History Inkpot Jug Kettle
Knife Latch Mug Nail Oven Pail Purse Reader Spoon Tongue Village Wife Window
"""


def test_prose_that_capitalises_each_noun_names_few() -> None:
    nouns = (f"of the {noun}s and of a {noun}, with an honest {noun}ry" for noun in NOUNS.split())
    found = find_types(f"I write {', '.join(nouns)}, said Tom. Then Tom slept.")
    assert found == {"Tom": "character"}


@pytest.mark.parametrize(
    "text",
    [
        "Personal cost is high.",
        "Nothing mattered on Monday.",
        "Perhaps. Certainly not! Whatever happens, happens.",
        "Running was hard. Silence fell.",
        "The English and the French speak of Christmas in January.",
    ],
)
def test_common_words_are_no_entities(text: str) -> None:
    assert find(text) == {}


def test_the_head_of_a_scene_names_places() -> None:
    found = find_types("📍 Location: Dustwell — Sixth Street | Night\n\nMelina sighed.")
    assert found == {"Dustwell": "location", "Sixth Street": "location", "Melina": "character"}


@pytest.mark.parametrize(
    ("text", "name", "about"),
    [
        ("Then the dog Rex barked. Rex ran to the gate.", "Rex", "a dog"),
        ("Alexander mounted his horse Bucephalus. It reared.", "Bucephalus", "a horse"),
        ("We have an old owl called Pico. Then Pico ate.", "Pico", "an owl"),
        ("Rex, a grey dog, barked. The dog Rex slept.", "Rex", "a grey dog"),
        ("Then the horse Kael rode was lame. Kael sighed.", "Kael", ""),
        ("He left the horse, Kael said. Kael sighed.", "Kael", ""),
    ],
)
def test_an_animal_with_a_name_is_somebody_who_is_said_to_be_an_animal(
    text: str, name: str, about: str
) -> None:
    found = find(text)[name]
    assert (found.type, found.description) == ("character", about)


def test_a_participant_lends_the_name_to_its_parts() -> None:
    found = find("Pulchra smiled. Later Pul left.", speakers=("Pulchra Fellini",))
    assert found["Pulchra Fellini"].type == "character"
    assert set(found["Pulchra Fellini"].aliases) == {"Pulchra", "Pul"}
    assert len(found) == 1


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("My name is Melina but everyone calls me Mel.", {"Melina", "Mel"}),
        ('"Call me Ishkur," said Tobias.', {"Ishkur", "Tobias"}),
        ("Rodrigo Vance, also known as Sparrow, sat. Sparrow ate.", {"Rodrigo Vance", "Sparrow"}),
        ("Theodora, who goes by Wren, laughed. Then Wren sat.", {"Theodora", "Wren"}),
        ("Zif is short for Aziraphel. Aziraphel nodded.", {"Zif", "Aziraphel"}),
    ],
)  # fmt: skip
def test_an_introduction_unites_two_names(text: str, forms: set[str]) -> None:
    found = find(text)
    assert forms in [set(entity.forms) for entity in found.values()]


def test_a_protected_word_is_an_entity_although_it_looks_common() -> None:
    text = "The hollow answered. We fear the hollow."
    assert find(text) == {}
    assert set(find(text, settings=EntitySettings(protected=frozenset({"hollow"})))) == {"hollow"}


def test_a_correction_outweighs_the_text() -> None:
    text = "Kael said nothing. Then Kael went to Dustwell. There he met Mira Holt and Mira."
    assert find_types(text) == {
        "Kael": "character",
        "Dustwell": "location",
        "Mira Holt": "character",
    }
    corrected = find(
        text,
        corrections=Corrections(
            not_entities=frozenset({"kael"}),
            types={"Dustwell": "faction"},
            different=(("Mira Holt", "Mira"),),
        ),
    )
    types = {name: entity.type for name, entity in corrected.items()}
    assert types == {"Dustwell": "faction", "Mira Holt": "character", "Mira": "character"}
    united = find(text, corrections=Corrections(same=(("Kael", "Mira"),)))
    assert set(united["Kael"].forms) == {"Mira Holt", "Mira", "Kael"}


def test_a_type_that_a_person_gave_is_that_of_all_its_names() -> None:
    text = "Kael Marr sighed. Then Kael slept. Old Kael snored."
    found = find(text, corrections=Corrections(types={"Kael": "concept"}))
    assert [(set(e.forms), e.type) for e in found.values()] == [({"Kael Marr", "Kael"}, "concept")]


def test_an_unsure_name_is_dropped_when_it_never_comes_back() -> None:
    quiet = ["Nothing happened."] * 51
    once = "They saw it in Oskelheim once."
    assert "Oskelheim" in find(once, *quiet[:50])
    assert "Oskelheim" not in find(once, *quiet)
    assert "Oskelheim" in find(once, "We went to Oskelheim again.", *quiet)
