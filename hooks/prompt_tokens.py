"""Split a prompt into terms, exactly as the prepared terms were split."""

MAX_CHARS = 4000
"""Maximum characters of a text that are split."""
MIN_TERM_CHARS, MAX_TERM_CHARS = 3, 40
_STOP_TEXT = """
    about above after again against all also and any anything are because been before being below
    between both but can could did does doing don done down during each ever few for from further
    get getting give got had has have having her here hers herself him himself his how into its
    itself just let like look make maybe mean more most much must myself need new nor not now off
    okay old once one only other our ours ourselves out over own please really same see she should
    show some such sure take tell than thank thanks that the their theirs them themselves then
    there these they thing this those through too try two under until upon use used using very want
    was way well were what when where which while who whom whose why will with work works would yes
    you your yours yourself add change check code continue create does file files fix fixed folder
    function help implement line lines problem project read run running something start stop test
    tests text update write wrong
"""
STOP_WORDS = frozenset(_STOP_TEXT.split())
"""Words that say nothing about the subject of a prompt."""


def split_terms(text: str) -> "list[str]":
    """Return the terms of a text: lower case, without endings, in order, with repetitions."""
    spaced = "".join([each if each.isalnum() else " " for each in text[:MAX_CHARS].lower()])
    return [
        cut_ending(word)
        for word in spaced.split()
        if MIN_TERM_CHARS <= len(word) <= MAX_TERM_CHARS and word not in STOP_WORDS
    ]


def cut_ending(word: str) -> str:
    """Return a word without the commonest English endings."""
    if not word.isascii() or len(word) <= MIN_TERM_CHARS or word.isdigit():
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith("s") and word[-2] not in "sui":
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= MIN_TERM_CHARS:
            word = word[: -len(ending)]
            break
    return word[:-1] if word.endswith("e") and len(word) > MIN_TERM_CHARS + 1 else word
