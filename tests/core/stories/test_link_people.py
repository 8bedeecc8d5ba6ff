from __future__ import annotations

import pytest
from story_texts import find


def group(*sentences: str) -> dict[str, str]:
    """Return the name of the entity for each form; each sentence stands six times in the story."""
    return {
        form: name
        for name, entity in find(" ".join(sentences * 6)).items()
        for form in entity.forms
    }


@pytest.mark.parametrize(
    ("sentences", "one", "other"),
    [
        (["Sir Walter sat.", "Then Walter Elliot spoke."], "Sir Walter", "Walter Elliot"),
        (["Mr. Oak sat.", "Then Gabriel Oak spoke."], "Mr. Oak", "Gabriel Oak"),
        (["Mr Oak sat.", "Then Oak spoke."], "Mr Oak", "Oak"),
        (["Aunt Polly sat.", "Then Polly spoke."], "Aunt Polly", "Polly"),
        (["Lizzy sat.", "Then Elizabeth Bennet spoke."], "Lizzy", "Elizabeth Bennet"),
        (["Tash sat.", "Then Tashtego spoke."], "Tash", "Tashtego"),
        (["Siddy sat.", "Then Sid spoke."], "Siddy", "Sid"),
        (["J. Smith sat.", "Then John Smith spoke."], "J. Smith", "John Smith"),
        (["Capt. Dane sat.", "Then Captain Dane spoke."], "Capt. Dane", "Captain Dane"),
        (["Mrs. Orme sat.", "Then Edna Orme spoke."], "Mrs. Orme", "Edna Orme"),
        (["Master Nat sat.", "Nathaniel Orme ate.", "Then Nat spoke."], "Nat", "Nathaniel Orme"),
        (["Major Dane sat.", "Then the Major spoke."], "Major", "Major Dane"),
        (["Dr. Fell sat.", "Then the Doctor spoke."], "Doctor", "Dr. Fell"),
        (["Pavel Ilyitch Lut sat.", "Pavel Ilyitch ate."], "Pavel Ilyitch", "Pavel Ilyitch Lut"),
        (["Anna Ivanovna sat.", "Then Anna Lut spoke."], "Anna Ivanovna", "Anna Lut"),
        (["We asked Old Hobb.", "Then Hobb spoke."], "Old Hobb", "Hobb"),
        (["Reverend Dr. Pell sat.", "Dr. Pell ate."], "Reverend Dr. Pell", "Dr. Pell"),
        (["Mr. Gadd sat.", "Then Inspector Gadd spoke."], "Mr. Gadd", "Inspector Gadd"),
        (["Miss Prim sat.", "Then Primrose spoke.", "Prim ate."], "Miss Prim", "Primrose"),
        (["Great-Aunt Phil sat.", "Great-Aunt Philadelphia ate."], "Great-Aunt Phil",
         "Great-Aunt Philadelphia"),
        (["We asked Long Tam.", "Then Tam spoke."], "Long Tam", "Tam"),
        (["We saw Hallam Sahib.", "Then Hallam spoke."], "Hallam Sahib", "Hallam"),
        (["Miz Doan sat.", "Mrs. Doan spoke."], "Miz Doan", "Mrs. Doan"),
        (["Van Helt sat.", "Then Abraham Van Helt spoke."], "Van Helt", "Abraham Van Helt"),
        (["Nell Trent sat.", "Then Nelly Trent spoke."], "Nell Trent", "Nelly Trent"),
        (["Nurse, whose name was Eliza Gam, sat.", "Eliza Gam ate. Nurse ate."], "Nurse",
         "Eliza Gam"),
        (["Bunny sat.", "Bunny's real name was Austin Hale.", "Austin Hale ate."], "Bunny",
         "Austin Hale"),
        (["Nat Cole, whom the hunters named Deerfoot, sat.", "Deerfoot ate. Nat Cole ate."],
         "Nat Cole", "Deerfoot"),
        (["Mr. Trent sat.", "Lieutenant Trent spoke."], "Mr. Trent", "Lieutenant Trent"),
        (["The Earl of Moy sat.", "We saw Lord Moy."], "Earl of Moy", "Lord Moy"),
        (["General Sir Toby Blunt sat.", "Sir Toby ate."], "General Sir Toby Blunt", "Sir Toby"),
        (["Mickey Dool sat.", "Then Mike Dool spoke."], "Mickey Dool", "Mike Dool"),
        (["Gussy sat.", "Then Augustus Moy spoke."], "Gussy", "Augustus Moy"),
        (["The Prince d'Orsan sat.", "We saw D'Orsan."], "Prince d'Orsan", "D'Orsan"),
        (["Madame Ada Arc sat.", "Miss Ada ate.", "Madame Arc spoke."], "Miss Ada", "Madame Arc"),
        (["Sir Digby Vane sat.", "Sir D. Vane ate."], "Sir Digby Vane", "Sir D. Vane"),
        (["Mrs. Joe Garr sat.", "Mrs. Joe ate."], "Mrs. Joe Garr", "Mrs. Joe"),
        (["Nelly sat.", "Ellen ate."], "Nelly", "Ellen"),
        (["Almira Todd sat.", "Almiry ate."], "Almira Todd", "Almiry"),
        (["Ivan Petrovitch Lom sat.", "Vanya ate."], "Ivan Petrovitch Lom", "Vanya"),
        (["Great-Aunt Jessamy sat.", "Aunt Jess ate."], "Great-Aunt Jessamy", "Aunt Jess"),
        (["Henry van der Lyd sat.", "Mr. van der Lyd ate."], "Henry van der Lyd",
         "Mr. van der Lyd"),
        (["The eldest, Honoria, sat.", "Miss Vane ate.", "Sue Vane ate."], "Honoria", "Miss Vane"),
        (["Ada Crewe married Mr. Cass.", "Mrs. Cass wept."], "Ada Crewe", "Mrs. Cass"),
        (["Mrs. Cass, who had been a Miss Ada Crewe, sat.", "Ada ate."], "Mrs. Cass", "Ada"),
        (["Mrs. Cass bowed. She had been a Miss Ada Crewe.", "Ada ate."], "Mrs. Cass", "Ada"),
        (["Mrs. Cicely Cass sat.", "Cicely ate.", "Cicely Vane sang."], "Mrs. Cicely Cass",
         "Cicely Vane"),
        (["We saw Miss Vane. Her name is Clementina.", "Clementina ate."], "Miss Vane",
         "Clementina"),
        (["Frau Consul Bud sat.", "Consul Reed ate.", "The Consul spoke."], "Consul Reed",
         "Consul"),
        (["Lord Wimp sat.", "The Earl ate."], "Lord Wimp", "Earl"),
        (["The Rector, Canon Frayle, sat.", "The Rector ate."], "Rector", "Canon Frayle"),
        (["Robin was really Roberta.", "Roberta sat. Robin ate."], "Robin", "Roberta"),
        (["Bimby, who is five, and whose name is Austin, sat.", "Austin ate. Bimby ate."], "Bimby",
         "Austin"),
        (["CLARA PELL TO LADY VANE.\n", "Clara sat.", "Miss Pell ate."], "Clara",
         "Miss Pell"),
        (["Will Ladis came.", "Ladis ate.", "We saw Will."], "Will Ladis", "Will"),
        (["Nat Winch sat.", "Sarah Winch ate.", "Mrs. Winch spoke."], "Sarah Winch", "Mrs. Winch"),
    ],
)  # fmt: skip
def test_two_forms_are_one_person(sentences: list[str], one: str, other: str) -> None:
    found = group(*sentences)
    assert found[one] == found[other]


@pytest.mark.parametrize(
    ("sentences", "one", "other"),
    [
        (["Anne Elliot sat.", "Then Mary Elliot spoke."], "Anne Elliot", "Mary Elliot"),
        (["Mr. Elliot sat.", "Then Sir Walter Elliot spoke."], "Mr. Elliot", "Sir Walter Elliot"),
        (["Mrs. Bennet sat.", "Miss Jane Bennet spoke."], "Mrs. Bennet", "Miss Jane Bennet"),
        (["Mrs. John Dash sat.", "John Dash spoke."], "Mrs. John Dash", "John Dash"),
        (["Anne Vale sat.", "Miss Anne ate.", "Miss Vale spoke."], "Anne Vale", "Miss Vale"),
        (["Mr. Tal ate. Mr. Tal sat.", "Hal Tal ate.", "Gen. Tal sat."], "Hal Tal", "Gen. Tal"),
        (["Mr. Frank Hill sat.", "Mr. Hill spoke."], "Mr. Frank Hill", "Mr. Hill"),
        (["Aunt Polly sat.", "Mary Sawyer ate.", "Mary spoke."], "Aunt Polly", "Mary"),
        (["Lady Catherine sat.", "Then Kitty spoke."], "Lady Catherine", "Kitty"),
        (["Captain Croft sat.", "Mrs. Croft spoke."], "Captain Croft", "Mrs. Croft"),
        (["Plato sat.", "Then Platonian Hale spoke."], "Plato", "Platonian Hale"),
        (["John sat.", "Then Johnson spoke."], "John", "Johnson"),
        (["Tom Bertram sat.", "Sir Thomas Bertram spoke."], "Tom Bertram", "Sir Thomas Bertram"),
        (["Sir Hugh Vane sat.", "Colonel Vane spoke."], "Sir Hugh Vane", "Colonel Vane"),
        (["Lady Anne Vane sat.", "Lady Vane spoke."], "Lady Anne Vane", "Lady Vane"),
        (["Mr. Lionel Moy sat.", "Mr. Lionel ate.", "Squire Moy ate."], "Mr. Lionel", "Squire Moy"),
        (["Gus Moy sat.", "The Earl of Moy spoke."], "Gus Moy", "Earl of Moy"),
        (["Mr. Tim Vale sat.", "Farmer Vale spoke."], "Mr. Tim Vale", "Farmer Vale"),
        (["Captain Alexander sat.", "Sandy Mack ate."], "Captain Alexander", "Sandy Mack"),
        (["Sir Hugh Vane sat.", "Colonel Hugh Vane ate."], "Sir Hugh Vane", "Colonel Hugh Vane"),
        (["We saw young Numa Font.", "Doctor Font ate."], "Numa Font", "Doctor Font"),
        (["We saw little Kitty Vane.", "Miss Vane ate."], "Kitty Vane", "Miss Vane"),
        (["Tom Vane sat. Tom ate.", "We saw Harry Vane.", "Colonel Vane ate."], "Tom Vane",
         "Colonel Vane"),
        (["Augusta Vane sat.", "She was a Vane."], "Augusta Vane", "Vane"),
        (["Tom Vane's father Harry Vane sat.", "Tom Vane ate."], "Tom Vane", "Harry Vane"),
        (["Winnie Vane, his sister, sat.", "Mr. Vane ate."], "Winnie Vane", "Mr. Vane"),
        (["Sir Miles Thorn sat.", "Squire Thorn ate."], "Sir Miles Thorn", "Squire Thorn"),
    ],
)  # fmt: skip
def test_two_forms_are_two_people(sentences: list[str], one: str, other: str) -> None:
    found = group(*sentences)
    assert found[one] != found[other]


def test_a_family_is_nobody_of_it() -> None:
    found = find(*["Mr. Croft sat with the Crofts.", "The Crofts laughed."] * 3)
    assert (found["Mr. Croft"].type, found["Crofts"].type) == ("character", "faction")


def test_who_is_called_so_more_often_is_the_one_that_is_meant() -> None:
    found = group("Barnaby Peas sat.", "She saw her cousin Ezra Peas.", "Mr. Peas spoke.")
    assert found["Mr. Peas"] == found["Barnaby Peas"]


@pytest.mark.parametrize(
    ("child", "elder"),
    [("Tom Gold", "Mr. Solomon Gold"), ("Uncle Ned Gold", "Josiah Gold")],
)
def test_a_surname_alone_is_that_of_the_elder_one(child: str, elder: str) -> None:
    found = group(
        f"{child} sat.",
        f"{child} ate.",
        f"We saw {elder}.",
        f"{elder} ate.",
        f"{elder} slept. Gold spoke.",
    )
    assert found["Gold"] == found[elder]


def test_a_woman_is_not_called_mister() -> None:
    found = group("Sunniva sat, and she spoke.", "Sunniva Berg ate.", "Mr. Berg spoke.")
    assert found["Mr. Berg"] != found["Sunniva Berg"]


def test_the_wife_with_her_husbands_full_name_is_the_only_wife() -> None:
    found = find("Mrs. Peter Alst sat. Then Mrs. Alst spoke. We saw Mrs. Alst.")
    assert found["Mrs. Peter Alst"].aliases == ("Mrs. Alst",)


def test_a_title_goes_with_the_first_name_that_the_text_gives() -> None:
    found = group(
        "Anna Vane sat.", "Anna ate.", "Ruth ate.", "Miss Vane, whose name was Ruth, spoke."
    )
    assert found["Miss Vane"] != found["Anna"]


def test_the_house_of_a_person_is_still_the_person() -> None:
    found = find(*["We dined at Mrs. Goddard's and went to Mrs. Goddard's."] * 4)
    assert found["Mrs. Goddard"].type == "character"


def test_a_colonel_is_called_mister_once() -> None:
    found = find(
        "Silas Hack sat. Silas ate. Colonel Hack spoke. We saw Colonel Hack. He met Mr. Hack."
    )
    assert "Mr. Hack" in found["Silas Hack"].aliases
