"""The ten narrative flags and the other signs of a passage that matters, with their terms."""

from __future__ import annotations

from enum import StrEnum


class Flag(StrEnum):
    """What happens in a passage."""

    FIRST_MEETING = "first_meeting"
    DEATH = "death"
    PROMISE = "promise"
    CONFESSION = "confession"
    DEPARTURE = "departure"
    TRANSFORMATION = "transformation"
    BATTLE = "battle"
    DISCOVERY = "discovery"
    REUNION = "reunion"
    LOSS = "loss"


FLAG_TERMS = {
    Flag.FIRST_MEETING: """
        | my name is | (introduce) herself | (introduce) himself | (introduce) themselves
        | nice to meet you | pleased to meet you | pleasure to meet you | met for the first time
        | first time they met | first time we met | who are you | (meet) a stranger
        | never met before | don't believe we've met | do not believe we have met""",
    Flag.DEATH: """
        died dies slain murdered corpse dead lifeless
        v: die murder slay perish
        | (kill) him | (kill) her | (kill) them
        | was killed | were killed | last breath | final breath
        | breathed his last | breathed her last | passed away | stopped breathing | bled out
        | heart stopped beating""",
    Flag.PROMISE: """
        oath pledge vow vowed sworn
        v: promise vow pledge
        | (swear) to | i swear | (give) you my word | my word of honor | my word of honour
        | you have my word | on my life | i will always | i will never leave""",
    Flag.CONFESSION: """
        confession
        v: confess
        | i love you | i have to tell you | i must tell you | i need to tell you something
        | (admit) that | (admit) it | it was me | i did it | i lied to you | i'm in love with
        | i am in love with | i have been lying""",
    Flag.DEPARTURE: """
        farewell goodbye departed departure
        v: depart
        | (set) out | (leave) town | (leave) the city
        | (leave) the village | (leave) home | (leave) at dawn
        | (ride) away | (walk) away | (sail) away | (drive) away | i have to go | i'm leaving
        | i am leaving | never looked back | time to go | waved goodbye""",
    Flag.TRANSFORMATION: """
        transformation transformed metamorphosis reborn awakened
        v: transform
        | (turn) into | (become) something | (become) someone | no longer human | no longer the same
        | never be the same | was changed forever | shed her skin | shed his skin | new form""",
    Flag.BATTLE: """
        battle battles battlefield combat ambush duel skirmish siege
        v: duel ambush
        | (fight) against | (fight) off | (fight) the
        | (cross) swords | blades clashed | steel clashed
        | swords clashed | (draw) her sword | (draw) his sword | (draw) her blade | (draw) his blade
        | (charge) at | opened fire | under attack | exchange of blows""",
    Flag.DISCOVERY: """
        discovery discovered discovers unearthed
        v: discover unearth uncover
        | (find) a hidden | (find) a secret | (find) the hidden | (find) the secret | hidden door
        | secret passage | (stumble) upon | (stumble) on
        | (come) upon | what she found | what he found
        | (reveal) a hidden""",
    Flag.REUNION: """
        reunion reunited
        v: reunite
        | (meet) again | after all these years | after all this time | (find) each other again
        | you came back | you're alive | you are alive | thought you were dead | thought i lost you
        | (come) home at last | together again | (see) you again""",
    Flag.LOSS: """
        bereavement
        | (lose) everything | (lose) her | (lose) him
        | (lose) them all | nothing left | was taken from
        | were taken from | burned to the ground | never see him again | never see her again
        | never see them again | (lose) my | all that remained""",
}

MILESTONE_TERMS = """
    milestone
    | for the first time | nothing would be the same | nothing will ever be the same
    | would never be the same | will never be the same | everything changed | from that day
    | from this day | the day that | point of no return | once and for all | at long last
    | no turning back | there was no going back | for the last time | the end of an era
    | changed everything | gone forever | gone for good | lost forever"""

DISRUPTION_TERMS = """
    suddenly abruptly unexpectedly
    | all at once | without warning | out of nowhere | in an instant | before anyone could
    | burst through | burst into the room | crashed through | the door flew open | everything went
    | an explosion | came crashing | gone forever | gone for good | lost forever"""

INTROSPECTION_TERMS = """
    thoughts
    v: wonder realize realise remember recall ponder regret reflect
    | (think) to herself | (think) to himself | (feel) a
    | (feel) the | (feel) her | (feel) his | (feel) as
    | (know) that | in her mind | in his mind | couldn't help thinking | could not help thinking
    | deep down | part of her | part of him"""

SCENE_TERMS = """
    moonlight sunlight firelight candlelight lamplight twilight
    dusk dawn mist fog shadows scent aroma
    stench breeze thunder embers horizon silhouette cobblestones drizzle
    | the smell of | the sound of | the scent of | the taste of | rays of light | wind howled
    | rain fell | snow fell | rain drummed | dust hung | stars above | the air was"""

LORE_TERMS = """
    ancient prophecy prophecies legend legends myth myths forbidden relic relics ritual rune runes
    dynasty realm ancestors artifact artefact sacred curse cursed
    | long ago | centuries ago | a thousand years | the old gods | it is said | it was said
    | the first age | the great war"""

VOICE_TERMS = """
    hoarsely softly
    v: whisper murmur plead growl hiss snarl breathe croak gasp shout scream stammer rasp sob beg
    | voice cracked | voice broke | voice trembled | voice shaking | voice low | under her breath
    | under his breath"""

COMMITMENT_TERMS = """
    | i promise | i swear | i vow
    | you have my word | i give you my word | i will always | i'll always
    | i will never | i'll never | count on me | i will protect | i'll protect | we will find
    | i won't let"""

REVEALING_TERMS = """
    | the truth is | it was you | it was me
    | i am your | i'm your | i have to tell you | i never told you
    | there is something you | there's something you | all along | i know who | i know what you"""

DECLARING_TERMS = """
    | i love you | i hate you | i need you | i trust you | i forgive you | i miss you | i'm sorry
    | i am sorry | i'm proud of you | i am proud of you | you mean everything"""

DECIDING_TERMS = """
    | i've decided | i have decided | we leave | we go | i choose | i'm going to | i am going to
    | my mind is made up | let's do it | it ends here | it's settled"""

INSULT_TERMS = """
    idiot fool coward bastard liar traitor monster scum filth worthless pathetic wretch
    | you disgust me | go to hell | you make me sick"""

SARCASM_TERMS = """
    | oh great | oh good | oh joy | oh wonderful | oh sure | yeah right | yeah sure | how wonderful
    | how lovely | how delightful | just great | just perfect | just wonderful | just what i needed
    | just what we needed | what a joy | what a delight
    | what a surprise | lucky me | as if | wow thanks
    | thanks a lot | real nice | big surprise | could not be happier | couldn't be happier
    | sarcastically"""
