"""Stories of our own in which each part in braces is coloured: `{ks:"Hello."}` is Kael's speech.

The first letter says whose the part is (a dot: nobody's in the text but the speaker's), the second
what it shows: s(peech), t(hought), n(arration).
"""

from __future__ import annotations

import re
from typing import NamedTuple

USAGES = {"s": "speech", "t": "thought", "n": "narration"}
_PART = re.compile(r"\{(\w)([stn]):([^{}]*)\}")
_PALETTE = ("#e6e6fa", "#87ceeb", "#98fb98", "#ffd700", "#ff7f50", "#dda0dd", "#f0e68c", "#40e0d0")


class PaintedStory(NamedTuple):
    """A message with its speaker, and whom each letter means."""

    speaker: str
    people: dict[str, str]
    text: str

    def list_expected(self) -> list[tuple[str, str]]:
        """Return whose each coloured part is, and what it shows."""
        return [(self.people[part[1]], USAGES[part[2]]) for part in _PART.finditer(self.text)]

    def paint(self) -> str:
        """Return the text with tags; each character has a colour for each usage."""
        letters = sorted(self.people)

        def tag(part: re.Match[str]) -> str:
            place = (letters.index(part[1]) * 3 + "stn".index(part[2])) % 24
            base = _PALETTE[place % 8]
            colour = f"#{int(base[1:], 16) ^ (place // 8 * 0x111111):06x}"
            form = place % 3
            opening = (f"<font color={colour}>", f'<font color="{colour}">',
                       f"<span style='color: {colour};'>")[form]  # fmt: skip
            return f"{opening}{part[3]}{'</span>' if form == 2 else '</font>'}"

        return _PART.sub(tag, self.text)


STORIES = {
    "lighthouse": PaintedStory(
        "Narrator",
        {"i": "Ilsa", "b": "Brom", "d": "Dagny"},
        """{in:Ilsa climbed the last of the stairs with the oil can against her hip.} \
{is:"The wick is wet again,"} {in:she called down.}

{bs:"Then dry it,"} {bn:Brom answered from the landing. His knees had given up on stairs in March.}

{dn:The girl slipped past him. Dagny's fingers left soot on the rail.} {ds:"I can carry the lamp."}

{bs:"You can carry on sweeping,"} {bn:Brom grumbled, but he moved his stick out of her way.}

{in:The keeper bent over the glass. Nothing moved but the fog.} {is:"Dagny, bring the lamp!"}

{ds:"Coming!"} {dn:Dagny shouted, and took two steps at once.}""",
    ),
    "thoughts": PaintedStory(
        "Game Master",
        {"r": "Rook", "s": "Sabine"},
        """{rs:"Nobody followed us,"} Rook said. {rt:*Except the boy on the bridge.*}

Sabine closed the shutters. {ss:"You counted?"} {st:*He never counts.*}

{rt:<i>She knows,</i>} Rook thought. {rs:"Twice,"} he said.

{st:<em>Twice is what he says when it was none.</em>} Sabine lit the lamp. {ss:"Good."}""",
    ),
    "uncoloured prose": PaintedStory(
        "Assistant",
        {"m": "Marisol", "t": "Teodor"},
        """Marisol put the letter on the table. {ms:"It came this morning."}

{ts:"From the ministry?"} asked Teodor, without touching it.

{ms:"From your brother,"} Marisol said softly. {ms:"Read it."}

Teodor took off his glasses and wiped them. {ts:"I would rather not."}

{ms:"Then I will,"} said Marisol.""",
    ),
    "before the speech": PaintedStory(
        "Assistant",
        {"a": "Anselm", "g": "Greta"},
        """Anselm whispered, {as:"Is she asleep?"}

Greta shook her head and mouthed: {gs:"Wait."}

Then Anselm slowly asked, {as:"And now?"}

At last Greta nodded and said, {gs:"Now."}""",
    ),
    "first person": PaintedStory(
        "Juno",
        {"j": "Juno"},
        """{jn:I push the door open with my shoulder and look around.} {js:"Anyone here?"} \
I call. {jt:*I hate this place.*}

{jn:My boots leave prints in the dust as I walk to the stairs.}""",
    ),
    "owner": PaintedStory(
        "Juno",
        {"j": "Juno"},
        """{js:"There is nothing left in the pantry but salt."}

{js:"And a mouse, and it looks hungrier than me!"}""",
    ),
    "duel": PaintedStory(
        "Assistant",
        {"v": "Voss", "o": "Orsolya"},
        """{vn:Voss drew first.} {vs:"You should have stayed in the north."}

{on:Orsolya's blade was already out. She circled him, light on her feet.} {os:"And miss this?"}

{vs:"You talk too much,"} {vn:he spat, and lunged.}

{os:"And you, Voss, are slow!"} {on:Orsolya laughed as she stepped aside.}

{vn:He turned, breathing hard. The wound had opened again.} {vs:"Slow,"} {vn:Voss said at last, \
wiping his blade.}""",
    ),
    "addressed by name": PaintedStory(
        "Assistant",
        {"p": "Pia", "h": "Hugo"},
        """{ps:"Hugo, where did you put the keys?"} Pia asked.

{hs:"In the blue bowl, Pia, where they always are,"} Hugo replied.

{ps:"They are not there, Hugo."} Pia lifted the bowl to show him.

{hs:"Pia, look under the bowl."} Hugo sighed.""",
    ),
    "present tense": PaintedStory(
        "Assistant",
        {"k": "Kaelith", "w": "Wren"},
        """{kn:Kaelith tilts her head, listening to the rain.} {ks:"He is late."}

{ws:"He is always late,"} {wn:Wren mutters, shuffling the cards again.}

{kn:She crosses to the window. Kaelith's breath fogs the pane.} {ks:"There. A lantern."}

{wn:Wren sets the deck down and reaches for the crossbow.} {ws:"Friend?"}""",
    ),
    "german": PaintedStory(
        "Assistant",
        {"l": "Lotte", "e": "Emil"},
        """{ls:„Hast du den Brief?“}, fragte Lotte.

{es:„Hier ist er“}, sagte Emil leise.

{ls:„Dann lies ihn vor“}, bat Lotte.

{es:„Er ist leer“}, flüsterte Emil.""",
    ),
    "guillemets": PaintedStory(
        "Assistant",
        {"c": "Camille", "n": "Noé"},
        """{cs:« Tu viens ? »} demanda Camille.

{ns:« J'arrive »}, répondit Noé.

{cs:« Vite, Noé ! »} cria Camille.""",
    ),
    "three at a table": PaintedStory(
        "Dungeon Master",
        {"t": "Tamsin", "f": "Fenwick", "o": "Odile"},
        """{tn:Tamsin slammed the tankard down.} {ts:"We are not selling the boat."}

{fs:"Nobody said selling,"} {fn:Fenwick protested, hands raised.} {fs:"Lending. I said lending."}

{on:Odile counted the coins a third time and frowned.} {os:"To whom?"}

{fn:Fenwick looked at the ceiling.} {ft:*Please do not ask for the name.*}

{ts:"He means Corvin,"} {tn:Tamsin said. Her voice was flat.}

{os:"Corvin?"} {on:Odile dropped a coin.} {os:"Fenwick, tell me she is joking."}

{fs:"She is not,"} {fn:he admitted.}""",
    ),
    "market": PaintedStory(
        "Assistant",
        {"y": "Yusuf", "z": "Zehra"},
        """The stall smelled of cumin. Yusuf weighed the saffron twice. {ys:"Nine grams."}

{zs:"Eight,"} Zehra corrected him. {zs:"Your thumb is on the scale."}

Yusuf laughed and lifted his hand. {ys:"My thumb is heavy with grief."} {yt:*She sees everything.*}

{zs:"Your thumb is heavy with butter!"} cried Zehra. She counted out the coins anyway.

{ys:"Come back on Thursday, Zehra."}""",
    ),
    "watch": PaintedStory(
        "Assistant",
        {"n": "Nadia", "q": "Quill"},
        """{nn:Nadia's lantern swung in the wind. The wall was bare.} {ns:"Who has the next watch?"}

{qs:"I do."} {qn:Quill stretched until his back cracked.} {qs:"Go to bed."}

{nt:*He has not slept for two days,*} {nn:Nadia thought as she handed over the lantern.} \
{ns:"Wake me at four."}

{qn:The archer nodded. Quill would not wake her, and they both knew it.}""",
    ),
    "letters": PaintedStory(
        "Kestrel",
        {"k": "Kestrel", "d": "Della"},
        """{kn:I fold the letter and look at Della.} {ks:"You read it already."}

Della said nothing for a while. {ds:"I had to."}

{ks:"You had to,"} I repeated. {kt:*Of course she had to.*}

Della whispered, {ds:"They would have burned it."}""",
    ),
    "long narration": PaintedStory(
        "Storyteller",
        {"b": "Bastian", "m": "Mirelle"},
        """{bn:Bastian waited until the bells were silent. He hated bells; they reminded him of \
the flood, and of the names that were read out.} {bs:"Is it done?"}

{mn:In the doorway Mirelle shook the rain from her cloak. Her hands were steady, which was new.} \
{ms:"It is done, and nobody saw."}

{bs:"Somebody always sees."} {bn:He pushed a chair towards her with one foot.}

{mn:She did not sit down.} {ms:"Then let them say what they saw,"} {mn:Mirelle answered.}

{bt:*There she is,*} {bn:thought Bastian.} {bs:"Sit, Mirelle. Eat something."}""",
    ),
    "starting with speech": PaintedStory(
        "Assistant",
        {"t": "Tobin", "e": "Elske"},
        """{ts:"Left or right?"}

Elske knelt and touched the mud. {es:"Left. Two horses, one of them lame."}

{ts:"You can tell that from mud?"} Tobin asked.

{es:"I can tell that from you, Tobin,"} said Elske, {es:"you limp when you lie."}

Tobin grinned. {ts:"Left it is."}""",
    ),
    "actions": PaintedStory(
        "Rin",
        {"r": "Rin"},
        """{rt:*Rin leans against the counter and yawns.*} {rs:"Morning already?"}

{rs:"Coffee first, questions later,"} Rin says, {rt:*reaching for the biggest mug.*}""",
    ),
    "russian": PaintedStory(
        "Assistant",
        {"m": "Мария", "i": "Иван"},
        """{ms:«Ты видел лампу?»} — спросила Мария.

{is:«Нет, никого нет»}, — ответил Иван.

{ms:«Тогда идём»}, — сказала Мария.""",
    ),
}
