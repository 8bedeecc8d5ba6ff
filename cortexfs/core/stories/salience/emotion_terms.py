"""The twelve emotions, and the words and phrases that express each.

A line that begins with `v:` has verbs, which count in each form; one that begins with `|` has
phrases, of which a verb in parentheses counts in each form too.
"""

from __future__ import annotations

from enum import StrEnum


class Emotion(StrEnum):
    """An emotion that a passage can express."""

    GRIEF = "grief"
    JOY = "joy"
    TENSION = "tension"
    DREAD = "dread"
    INTIMACY = "intimacy"
    BETRAYAL = "betrayal"
    REVELATION = "revelation"
    RESOLVE = "resolve"
    HUMOR = "humor"
    MELANCHOLY = "melancholy"
    AWE = "awe"
    FURY = "fury"


POSITIVE = frozenset({Emotion.JOY, Emotion.INTIMACY, Emotion.RESOLVE, Emotion.HUMOR, Emotion.AWE})
NEGATIVE = frozenset({Emotion.GRIEF, Emotion.DREAD, Emotion.BETRAYAL, Emotion.FURY})

EMOTION_TERMS = {
    Emotion.GRIEF: """
        grief sorrow sorrowful mourning bereaved bereft heartbroken inconsolable tears teary
        tearful wept weeping anguish anguished devastated devastation heartbreak funeral
        v: weep grieve mourn sob cry wail lament
        | gone forever | broken heart | (break) down in tears | burst into tears | never coming back
        | lost forever | tears streamed | tears ran | tears rolled | tears fell | eyes welled
        | choked back a sob | could not save | couldn't save | buried his | buried her
        | at the grave | rest in peace | my fault he died | my fault she died""",
    Emotion.JOY: """
        joy joyful joyous joyfully happy happily happiness delight delighted delighting elated
        overjoyed thrilled ecstatic gleeful gleefully cheerful cheerfully jubilant merry bliss
        blissful grinned grinning beaming
        v: rejoice celebrate grin cheer beam
        | (dance) in the rain | (dance) with joy | (jump) for joy | eyes lit up | face lit up
        | laughed with delight | heart soared | tears of joy | wept with joy | cried with joy
        | over the moon""",
    Emotion.TENSION: """
        tense tension tensely uneasy uneasily unease nervous nervously anxious anxiously anxiety
        wary warily taut strained standoff cornered suspicious suspiciously
        v: tense stiffen fidget brace
        | held her breath | held his breath
        | held their breath | hand on the hilt | hand on his sword
        | heart pounded | heart raced | heart hammered | pulse quickened | (clench) her jaw
        | (clench) his jaw | on edge | no way out | running out of time | gripped the hilt
        | air grew thick | silence stretched | any moment now""",
    Emotion.DREAD: """
        dread dreadful fear fearful fearfully terror terrified terrifying horrified horrifying
        horror afraid frightened frightening scared panic panicked petrified ominous foreboding
        nightmare nightmares
        v: dread tremble shudder cower terrify frighten
        | blood ran cold | blood went cold | chill ran | sense of doom | something was wrong
        | something is wrong | froze in terror | hair stood on end | pit of her stomach
        | pit of his stomach | went pale | turned pale | color drained""",
    Emotion.INTIMACY: """
        intimate intimately intimacy tender tenderly tenderness affection affectionate
        affectionately cozy cosy beloved darling caress cuddle cuddled embrace embraced kiss
        v: kiss cuddle snuggle caress embrace nuzzle
        | dark and cozy | dark and cosy | (hold) her hand | (hold) his hand | (hold) her close
        | (hold) him close | in his arms | in her arms | in each other's arms | i love you
        | (lean) against her | (lean) against him | foreheads touched | fingers intertwined
        | brushed a strand | soft kiss""",
    Emotion.BETRAYAL: """
        betrayal betrayals betrayed betrayer traitor traitors treason treacherous treachery
        backstabber deceived deception double-crossed
        v: betray deceive double-cross
        | (stab) in the back | stabbed me in the back | sold us out | sold me out | sold out
        | turned on us | turned against us | turned against her | turned against him
        | lied to me | lied to us | broke your promise | broke his promise | broke her promise
        | trusted you | behind my back""",
    Emotion.REVELATION: """
        revelation epiphany unmasked truth
        v: reveal realize realise unmask
        | the truth is | the truth was | it was you | all along | it all made sense | (dawn) on her
        | (dawn) on him | (dawn) on me | i am your father | i am your mother | finally understood
        | pieces fell into place | was never who
        | not who i thought | the secret was | so that is why
        | so that's why""",
    Emotion.RESOLVE: """
        resolve resolved resolute resolutely
        determined determination steadfast unwavering unyielding
        undaunted
        v: vow persevere endure
        | i will not | i won't | (square) her shoulders | (square) his shoulders | no matter what
        | whatever it takes | (swear) to | (swear) it
        | never give up | won't give up | stand my ground
        | stood her ground | stood his ground | (steel) herself | (steel) himself | i promise
        | with my life | we will find a way | one way or another | to the end""",
    Emotion.HUMOR: """
        hilarious funny comical amused amusing amusement laughter joke jokes joked joking prank
        witty teasing
        v: laugh chuckle giggle snicker tease joke smirk snort
        | burst out laughing | (crack) a joke | (crack) up | rolled her eyes | rolled his eyes
        | couldn't help but laugh | could not help but laugh | wiped away tears of laughter""",
    Emotion.MELANCHOLY: """
        melancholy melancholic wistful wistfully nostalgia nostalgic longing lonely loneliness
        forlorn dreary bittersweet somber sombre homesick sighed
        v: sigh yearn pine
        | rain fell | rain was falling | gray sky | grey sky | empty chair | (miss) her | (miss) him
        | (miss) them | (miss) you | used to be | long ago | faded photograph | days gone by
        | what might have been | stared into the distance""",
    Emotion.AWE: """
        awe awed awestruck awe-inspiring breathtaking majestic magnificent wondrous marvel
        wonderment splendor splendour sublime
        v: marvel gape
        | took her breath away | took his breath away
        | took my breath away | in wonder | with wonder
        | speechless with | had never seen anything like | never seen anything like
        | jaw dropped | like a cathedral""",
    Emotion.FURY: """
        fury furious furiously rage raging enraged anger angry angrily wrath wrathful outraged
        livid seething
        v: rage seethe roar snarl
        | (clench) her fists | (clench) his fists | fists clenched | how dare you | saw red
        | slammed her fist | slammed his fist | shook with anger | eyes blazed | i hate you
        | screamed at | spat the words""",
}
"""The terms of each emotion."""
