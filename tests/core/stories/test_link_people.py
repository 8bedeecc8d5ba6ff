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
    ],
)  # fmt: skip
def test_two_forms_are_two_people(sentences: list[str], one: str, other: str) -> None:
    found = group(*sentences)
    assert found[one] != found[other]


def test_a_family_is_nobody_of_it() -> None:
    found = find(*["Mr. Croft sat with the Crofts.", "The Crofts laughed."] * 3)
    assert (found["Mr. Croft"].type, found["Crofts"].type) == ("character", "faction")


def test_the_house_of_a_person_is_still_the_person() -> None:
    found = find(*["We dined at Mrs. Goddard's and went to Mrs. Goddard's."] * 4)
    assert found["Mrs. Goddard"].type == "character"
