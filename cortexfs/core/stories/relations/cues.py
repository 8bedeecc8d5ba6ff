"""Words that tell how two entities are related: verbs, nouns, terms of address."""

from __future__ import annotations

import re
from typing import NamedTuple

from cortexfs.core.stories.word_list import parse_words


class Tie(NamedTuple):
    """A type of relation and its sentiment in hundredths, from -100 to 100."""

    type: str
    sentiment: int


TYPES = (
    "ally",
    "enemy",
    "lover",
    "parent",
    "child",
    "sibling",
    "mentor",
    "rival",
    "owns",
    "member_of",
    "located_in",
    "fears",
    "serves",
    "custom",
)
OF_THINGS = frozenset({"owns", "located_in", "member_of"})
"""Relations of somebody to something."""
SYMMETRICAL = frozenset({"ally", "enemy", "lover", "sibling", "rival", "custom"})
POSITIVE = frozenset({"ally", "lover", "mentor"})
NEGATIVE = frozenset({"enemy", "rival"})

_VERBS = {
    ("ally", 60): """
        protected protects protect saved saves save rescued rescues rescue helped helps help
        defended defends defend healed heals heal shielded shields comforted comforts
        supported supports aided aids befriended befriends trusted trusts forgave forgives
        freed frees thanked thanks assisted assists guarded guards
    """,
    ("enemy", -90): """
        betrayed betrays betray murdered murders murder poisoned poisons killed kills kill
    """,
    ("enemy", -70): """
        attacked attacks attack stabbed stabs hated hates hate ambushed ambushes fought
        fights fight wounded wounds threatened threatens captured captures kidnapped kidnaps
        tortured tortures deceived deceives cursed curses hunted hunts imprisoned imprisons
        struck strangled despised despises loathed loathes
    """,
    ("lover", 80): """
        kissed kisses kiss married marries marry loved loves love adored adores wooed woos
        embraced seduced seduces courted courts caressed caresses
    """,
    ("rival", -30): """
        challenged challenges rivaled rivals outdid envied envies mocked mocks taunted
        taunts insulted insults
    """,
    ("mentor", 50): """
        taught teaches teach trained trains train mentored mentors tutored tutors instructed
    """,
    ("parent", 40): "raised fathered begot bore adopted adopts",
    ("serves", 30): """
        served serves serve obeyed obeys obey followed follows worships worshipped
    """,
    ("fears", -40): "feared fears fear dreaded dreads",
    ("owns", 20): """
        wielded wields wielding wield owned owns own carried carries carrying possessed
        possesses unsheathed unsheathes drew draws sheathed sheathes brandished brandishes bought
        buys inherited forged
    """,
    ("member_of", 30): "joined joins join leads founded founds commands",
    ("located_in", 0): "reached reaches entered enters visited visits inhabits inhabited",
}
VERBS = {word: Tie(*tie) for tie, words in _VERBS.items() for word in words.split()}
"""Before their object."""
_WITH = {
    ("ally", 60): "allied sided laughed travelled traveled worked stood",
    ("enemy", -60): "fought argued clashed quarrelled quarreled duelled dueled",
    ("lover", 80): "slept danced flirted eloped",
    ("rival", -30): "competed",
    ("fears", -50): "cowered recoiled",
}
WITH_VERBS = {word: Tie(*tie) for tie, words in _WITH.items() for word in words.split()}
"""Before `with`, `against`, `beside`, `before` or `from`."""
_PLACED = {
    "located_in": """
        lives lived live arrived arrives arrive stayed stays dwells dwelt resides resided
        went travelled traveled returned returns came born waited walked rode fled moved
    """,
    "serves": "works worked bowed knelt",
    "member_of": "belongs belonged",
}
PLACED_VERBS = {word: Tie(kind, 0) for kind, words in _PLACED.items() for word in words.split()}
"""Before `in`, `at`, `to`, `for` or `from`."""
_NOUNS = {
    ("sibling", 40): """
        brother sister sibling twin half-brother half-sister stepbrother stepsister brothers
        sisters
    """,
    ("parent", 40): """
        father mother parent papa mamma mama mom mum dad stepfather stepmother
    """,
    ("child", 40): "son daughter child heir stepson stepdaughter",
    ("lover", 80): """
        husband wife lover fiancé fiancée fiance fiancee sweetheart girlfriend boyfriend
        spouse bride betrothed beloved
    """,
    ("ally", 60): """
        friend ally companion comrade partner bodyguard protector confidant confidante
    """,
    ("enemy", -80): "enemy nemesis foe murderer killer betrayer captor",
    ("rival", -30): "rival competitor opponent",
    ("mentor", 50): "mentor teacher master tutor governess trainer professor",
    ("serves", 30): """
        servant maid butler apprentice student pupil squire vassal slave valet secretary
        lieutenant
    """,
    ("owns", 20): "owner wielder bearer",
    ("member_of", 30): "member leader captain agent soldier founder commander chief",
    ("custom", 30): """
        cousin uncle aunt nephew niece grandfather grandmother grandson granddaughter
        guardian ward neighbour neighbor
    """,
}
NOUNS = {word: Tie(*tie) for tie, words in _NOUNS.items() for word in words.split()}
"""`A's brother B`, `B, brother of A`: what B is to A."""
_JOINT = {
    ("lover", 80): "kissed married wed eloped embraced",
    ("enemy", -60): "duelled dueled clashed",
    ("rival", -30): "competed raced argued quarrelled quarreled bickered",
    ("ally", 50): """
        fought escaped travelled traveled worked laughed survived celebrated fled trained
        stood
    """,
}
JOINT_VERBS = {word: Tie(*tie) for tie, words in _JOINT.items() for word in words.split()}
"""After `A and B`."""
_PHRASES = {
    ("ally", 60): """
        came to aid of|loyal to|grateful to|owes his life to|owes her life to|stood up for|
        fought side by side with|fought shoulder to shoulder with|fought back to back with
    """,
    ("enemy", -80): "swore revenge on|took revenge on|declared war on|turned on|turned against",
    ("lover", 80): """
        fell in love with|falls in love with|in love with|married to|engaged to|betrothed to
    """,
    ("parent", 40): "gave birth to",
    ("rival", -30): "jealous of|envious of",
    ("fears", -50): "afraid of|scared of|frightened of|terrified of|fled from|hid from",
    ("serves", 30): """
        swore loyalty to|swears loyalty to|swore fealty to|pledged loyalty to|sworn to|knelt to
    """,
    ("member_of", 30): "one of|enlisted in",
    ("located_in", 0): "grew up in|comes from|native of|settled in",
}
PHRASES = {
    phrase.strip(): Tie(*tie)
    for tie, phrases in _PHRASES.items()
    for phrase in " ".join(phrases.split()).split("|")
}
"""Between two names, without articles and forms of `be`."""
SIDE_BY_SIDE = parse_words("alongside beside")
"""After `fought` they tell of allies, as `with` does before one of these."""
COMMON_CAUSES = re.compile(
    r"[^.!?;\n]{0,30}?\b(?:against|to (?:protect|defend|save|guard|hold|free|keep|win|rescue))\b"
)
LEARNING = parse_words("learned learnt studied")
"""With `from` or `under`: the second is the first one's mentor."""
PLURALS = {f"{noun}s".replace("ys", "ies"): noun for noun in NOUNS}
ENDEARMENTS = parse_words("""
darling dearest sweetheart honey love beloved dear sweetie babe baby angel treasure
""")
HOSTILE = parse_words("""
traitor bastard scum fool coward murderer liar villain monster wretch filth idiot bitch scoundrel
""")
MOCKING = parse_words("""
mocked mocking sneered sneering spat spitting taunted sarcastically scoffed hissed
""")
JOY = parse_words("""
joy laughed laughter joyfully celebrated celebration happily happiness rejoiced cheered delighted
smiled
""")
NEGATIONS = parse_words("""
not never no cannot without hardly barely scarcely neither nor nearly almost refused failed
wouldn't didn't couldn't don't doesn't won't can't would could might if
""")
