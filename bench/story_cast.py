"""A chat in which many people and places with realistic names take part, for `bench.story`.

People come and go: of all of them a scene has a few, who are called by their first name, in full,
or by title and surname. They do what tells of relations, facts and places.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.message import Message

if TYPE_CHECKING:
    from collections.abc import Iterator

PEOPLE, PLACES = 100, 40
SCENE_MESSAGES, SCENE_PEOPLE, SCENE_PLACES = 120, 7, 3
SENTENCES = 5
FIRST_NAMES = """
Melina Kael Agnes Robert Isolde Thomas Verity Aldous Beatrix Conrad Delia Edmund Freya Gideon
Harriet Imogen Jasper Katrin Leopold Mabel Nathaniel Ottilie Percival Quentin Rosalind Silas
Tabitha Ulric Vivian Wilhelmina Xanthe Yorick Zelda Ambrose Briony Caspar Dorothea Elias Fiona
Gregory Hester Ivo Judith Kenelm Lydia Magnus Nell Orin Phoebe Rufus
"""
SURNAMES = """
Vale Ashford Crowther Dunmore Everly Fairchild Grayson Hawthorne Ingram Jessop Kettering Lockwood
Marchbanks Norwood Oakley Pemberton Quill Ravenscroft Stanhope Thackeray Underwood Vance
Winterbourne Yardley Zeller
"""
PLACE_STARTS = """
Dustwell Thornhold Greymere Ravenport Saltmarsh Elmsworth Kingsbury Oldbridge Fernleigh Hollowmere
"""
PLACE_KINDS = ("{}", "{} Harbour", "the {} Road", "{} Castle")
TITLES = ("Lady", "Captain", "Doctor", "Mr.", "Mrs.")
TEMPLATES = (
    "{a} walked slowly through {p}, and nobody there had anything to say about the war.",
    '"You promised me that we would never go back," {b} whispered, and turned away from the fire.',
    "{a} said that {b} was a smith from {p} who had lost everything in the flood.",
    "{b} taught {a} how to read the old maps, long before the bridges were burned.",
    '"Listen to me, {b}," said {a}, "we have no more than two days until the rain comes."',
    "{a} trusted {b}, though everybody in {p} had told her that it would end in tears.",
    "The letter that {b} had sent from {p} never arrived, or so {a} believed for many years.",
    "{a} betrayed {b} at {p}, and the others looked away as if they had not seen it.",
    "Nobody had told the brother of {a} what was waiting for them behind the gray hills.",
    "{b} arrived at {p} in the evening, tired and hungry, with a broken wheel and no money.",
    "{a} is a healer, and {b} was her friend since they were children by the river.",
    "It was quiet for a while; then the bells began, and all of them ran down to the water.",
    "{a} laughed at {b}, kissed the child on the forehead, and closed the door of the inn.",
    "Because hope was all that remained, {b} went on to {p} alone, without a lamp or a word.",
)  # fmt: skip


class _Person(NamedTuple):
    """Somebody of the chat: how a sentence may call them."""

    first: str
    full: str
    titled: str

    def pick(self, chosen: random.Random) -> str:
        return chosen.choices(self, weights=(6, 2, 1))[0]


def make_cast_chat(count: int) -> list[Message]:
    """Return a chat with so many messages of some 80 words."""
    chosen = random.Random(7)
    return list(_iter_messages(count, chosen))


def _iter_messages(count: int, chosen: random.Random) -> Iterator[Message]:
    people, places = list(_iter_people(chosen)), list(_iter_places())
    scene, around = people[:SCENE_PEOPLE], places[:SCENE_PLACES]
    for number in range(count):
        if number % SCENE_MESSAGES == 0:
            scene = chosen.sample(people, SCENE_PEOPLE)
            around = chosen.sample(places, SCENE_PLACES)
        said = " ".join(_make_sentence(chosen, scene, around) for _ in range(SENTENCES))
        time = f"2026-05-{1 + number * 28 // count:02d}T10:00:00Z"
        yield Message("", time, scene[number % 2].first, "user", said)


def _make_sentence(chosen: random.Random, scene: list[_Person], around: list[str]) -> str:
    one, other = chosen.sample(scene, 2)
    said = chosen.choice(TEMPLATES).format(
        a=one.pick(chosen), b=other.pick(chosen), p=chosen.choice(around)
    )
    return said[0].upper() + said[1:]


def _iter_people(chosen: random.Random) -> Iterator[_Person]:
    firsts, lasts = FIRST_NAMES.split(), SURNAMES.split()
    for number in range(PEOPLE):
        first = firsts[number % len(firsts)]
        if number >= len(firsts):
            first = f"{first[:-1]}ia" if number % 2 else f"{first}or"
        last = lasts[number * 7 % len(lasts)]
        yield _Person(first, f"{first} {last}", f"{chosen.choice(TITLES)} {last}")


def _iter_places() -> Iterator[str]:
    starts = PLACE_STARTS.split()
    for number in range(PLACES):
        kind = PLACE_KINDS[number // len(starts)]
        yield kind.format(starts[number % len(starts)])
