"""Short stories, chats and role plays of our own: who and what they name."""

from __future__ import annotations

from collections.abc import Set as AbstractSet  # noqa: TC003 - a NamedTuple evaluates it
from typing import NamedTuple

import pytest
from story_texts import find


class Story(NamedTuple):
    text: str
    people: set[str]
    places: AbstractSet[str] = frozenset()
    factions: AbstractSet[str] = frozenset()
    items: AbstractSet[str] = frozenset()
    one: tuple[set[str], ...] = ()
    """Forms that are one entity's."""
    speakers: tuple[str, ...] = ()


STORIES = {
    "country house": Story(
        """
Miss Harcourt had not been at Thornbury Hall above a week when her cousin arrived from London. "My
dear Eleanor," cried Mrs. Harcourt, "here is Mr. Lyle!" Mr. Lyle bowed. Eleanor Harcourt looked at
him and said nothing. Her sister Sophia, whom everybody but Mrs. Harcourt called Sophy, laughed.

"You have come from Derbyshire, sir?" asked Sophy. "From Matlock," said Lyle. Miss Sophia Harcourt
smiled at Eleanor. In the evening Sir George Ashby and Lady Ashby dined at Thornbury. Sir George
talked of the French; Lady Ashby talked of nobody but Captain Dane, who was expected on Monday.
""",
        people={"Eleanor Harcourt", "Mr. Lyle", "Mrs. Harcourt", "Sophia", "Sir George Ashby"}
        | {"Lady Ashby", "Captain Dane"},
        places={"Thornbury Hall", "London", "Derbyshire", "Matlock", "Thornbury"},
        one=(
            {"Eleanor Harcourt", "Eleanor"},
            {"Mr. Lyle", "Lyle"},
            {"Sir George", "Sir George Ashby"},
            {"Sophy", "Sophia", "Miss Sophia Harcourt"},
        ),
    ),
    "western": Story(
        """
Cole Brannigan rode into Red Creek at sundown. Brannigan had not seen the town since the war. The
sheriff, a big man named Otis Pell, was leaning on the rail of the Silver Dollar Saloon.

"Evening, Cole," said Pell. "Evening, Otis." Brannigan swung down. "I hear Hank Dutton is in town."

"Dutton left for Laramie on Friday," Pell said. "Him and his brother Jess." Brannigan spat. He had
followed Dutton all the way from Texas. Pell looked at him. "Go home, Cole," the sheriff said.
""",
        people={"Cole Brannigan", "Otis Pell", "Hank Dutton", "Jess"},
        places={"Red Creek", "Silver Dollar Saloon", "Laramie", "Texas"},
        one=({"Cole", "Brannigan"}, {"Pell", "Otis"}, {"Dutton", "Hank Dutton"}),
    ),
    "detective": Story(
        """
Inspector Varga closed the file. "Who found the body?" he asked.

"The maid, sir. Ilse Brandt." Sergeant Moss turned a page. "She swears that Dr. Kessler was in the
library. Kessler says that he was in Vienna."

"And Mrs. Kessler?" Varga asked. Moss shrugged. "Mrs. Kessler was asleep. She's at the Hotel
Adler, on Linden Street." Varga put on his hat. He had known Anton Kessler for ten years; Anton
did not lie well. "Bring Brandt to the station, Moss," said Varga.
""",
        people={"Inspector Varga", "Ilse Brandt", "Sergeant Moss", "Mrs. Kessler", "Anton Kessler"},
        places={"Vienna", "Linden Street"},
        one=(
            {"Varga", "Inspector Varga"},
            {"Moss", "Sergeant Moss"},
            {"Ilse Brandt", "Brandt"},
            {"Dr. Kessler", "Anton Kessler", "Anton"},
        ),
    ),
    "role play": Story(
        """
*Kaelith steps out of the shadows, one hand on Nightfang.* "You shouldn't have come to Dustwell,
Ren." *She unsheathes Nightfang.*

*Ren raises both hands.* "Kaelith, wait! The Ember Council lied to us. They burned Ashgrove, not
the Sons of Calydon!" Ren swallowed. "Ask Mirelle. Mirelle was there."

*Kaelith hesitates.* "Mirelle is dead," *she whispers.* "I buried Mirelle in Ashgrove myself."
""",
        people={"Kaelith", "Ren", "Mirelle"},
        places={"Dustwell", "Ashgrove"},
        factions={"Ember Council", "Sons of Calydon"},
        items={"Nightfang"},
    ),
    "chat": Story(
        """
omg Tara did you see what Ben posted??
yeah lol. Ben is in Lisbon right now with Priya 😂
wait Priya from Berlin? I thought she hated Ben
nah they made up at Dana's party. Dana told me
ask Dana then. I'm flying to Lisbon on Friday btw
""",
        people={"Tara", "Ben", "Priya", "Dana"},
        places={"Lisbon", "Berlin"},
        speakers=("Tara", "xX_Moon_Xx", "Tara", "xX_Moon_Xx", "Tara"),
    ),
    "capitals": Story(
        """
WHAT HAVE YOU DONE, MIRA? Mira stared at him. "I did what Joss asked," Mira said.
JOSS IS A LIAR! Joss laughed. "Tell Mira the truth, Odell," Joss said. Odell looked at the floor.
NOBODY MOVE!!! Odell ran.
""",
        people={"Mira", "Joss", "Odell"},
    ),
    "space opera": Story(
        """
Captain Ysolde Marr brought the Halcyon out of jump above Tethys Prime. "Report," said Marr.

"Two Dominion cruisers, Captain," Lieutenant Okoro said. "PubSec markings. They're hailing us."

Marr looked at Okoro. Ten years ago she had served on Tethys Prime, under Admiral Sorn, and had
joined the Free Traders the day Sorn burned Calder Station. "Ysolde," said the voice of Sorn.
"Welcome home." Okoro swore. "Raise the shields, Okoro," Marr said.
""",
        people={"Captain Ysolde Marr", "Lieutenant Okoro", "Admiral Sorn"},
        places={"Tethys Prime", "Calder Station"},
        factions={"PubSec", "Free Traders"},
        one=(
            {"Marr", "Ysolde", "Captain Ysolde Marr"},
            {"Okoro", "Lieutenant Okoro"},
            {"Admiral Sorn", "Sorn"},
        ),
    ),
    "village": Story(
        """
Old Tom Pardoe and his wife Hester had lived at Hollow Farm for forty years. Mr. Pardoe never went
to church. Mrs. Pardoe went twice. "Tom," Hester would say, "the Reverend Mr. Gale asked for you
again." And Tom would say that Gale might come to Hollow Farm if he pleased.

One Sunday Parson Gale came. He walked all the way from Little Wick, in the rain, with his
daughter Lizzie. Elizabeth Gale was eight. "Are you Mr. Pardoe?" asked Lizzie. "I am," said Tom.
""",
        people={"Tom Pardoe", "Hester", "Parson Gale", "Lizzie"},
        places={"Hollow Farm", "Little Wick"},
        one=({"Tom", "Tom Pardoe", "Mr. Pardoe"}, {"Lizzie", "Elizabeth Gale"}),
    ),
    "support": Story(
        """
Hi, this is Marta from Nordwind Systems. Since the update on Tuesday the importer fails.
Hello Marta, thanks for writing. Which version do you run? Jonas from my team will look at it.
Version 4. Jonas already helped us in March, please thank Jonas again.
Will do, Marta. Our office in Hamburg is closed tomorrow, so Jonas will call you on Thursday.
""",
        people={"Marta", "Jonas"},
        places={"Hamburg"},
        speakers=("Marta", "Agent Lee", "Marta", "Agent Lee"),
    ),
    "fairy tale": Story(
        """
Once upon a time King Aldric ruled Vareth from the Amber Tower. King Aldric had a daughter,
Princess Oriel, who feared nothing but the Witch of the Fens. One night Oriel left the Amber Tower
and walked to Harrow Wood. "Who is there?" asked the witch. "I am Oriel," said the princess.
"Aldric's child," said the witch, and gave Oriel the Moonstone Ring. Oriel took it home to Vareth.
""",
        people={"King Aldric", "Princess Oriel"},
        places={"Vareth", "Amber Tower", "Harrow Wood"},
        items={"Moonstone Ring"},
        one=({"King Aldric", "Aldric"}, {"Oriel", "Princess Oriel"}),
    ),
    "other languages": Story(
        """
Zoë rief Jürgen an. „Jürgen, wo bist du?“, fragte Zoë. Jürgen lachte. «Je suis à Paris», dit-il.
Zoë said that Jürgen had gone from Paris to Łódź. In Łódź he met Señora Ibáñez. "¡Hola, Jürgen!"
said Señora Ibáñez. Анна улыбнулась. "Привет, Анна," said Zoë, and Анна laughed.
""",
        people={"Zoë", "Jürgen", "Señora Ibáñez", "Анна"},
        places={"Paris", "Łódź"},
    ),
    "relatives": Story(
        """
There were three Vales at the inn. Rupert Vale, the eldest, said little. Clara Vale sang. Young
Martin Vale followed Clara everywhere. Mr. Vale, as the landlord called Rupert, paid for all.

"Where is Miss Vale?" asked the landlord. "Clara is upstairs," said Rupert. "Miss Vale is never
upstairs," said Martin. Rupert looked at Martin. Clara came down, and Mr. Vale paid again.
""",
        people={"Rupert Vale", "Clara Vale", "Martin Vale"},
        one=(
            {"Rupert", "Rupert Vale"},
            {"Clara", "Clara Vale", "Miss Vale"},
            {"Martin", "Martin Vale"},
        ),
    ),
    "nicknames": Story(
        """
William Tanner, Will to his friends, shared a room with Robert Hale. "Bob," said Will, "lend me a
pound." Bob sighed. "You owe Kate ten," he said. Catherine Moss was Will's cousin; Kate never
forgot a debt. "Kate can wait," said Will Tanner. Robert laughed. Bill, the porter, knocked.
""",
        people={"William Tanner", "Robert Hale", "Catherine Moss"},
        one=(
            {"Will", "Will Tanner", "William Tanner"},
            {"Bob", "Robert", "Robert Hale"},
            {"Kate", "Catherine Moss"},
        ),
    ),
}


@pytest.mark.parametrize("name", STORIES)
def test_a_story_names_its_people_and_places(name: str) -> None:
    story = STORIES[name]
    found = find(story.text, speakers=story.speakers)
    by_form = {form: entity for entity in found.values() for form in entity.forms}
    expected = {
        "character": story.people,
        "location": story.places,
        "faction": story.factions,
        "item": story.items,
    }
    for kind, names in expected.items():
        missing = {form for form in names if form not in by_form or by_form[form].type != kind}
        assert not missing, {form: by_form.get(form) for form in missing}
    for forms in story.one:
        assert len({by_form[form].name for form in forms}) == 1, forms
    groups = [frozenset(by_form[form].name for form in story.people)]
    assert len(groups[0]) == len(story.people), "two people became one"
