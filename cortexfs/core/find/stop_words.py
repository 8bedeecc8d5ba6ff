"""Stop words, which are removed from queries but not from the index."""

from __future__ import annotations

from functools import cache

from cortexfs.core.find.tokenize import tokenize

_STOP_WORDS = """
    a about above after again against all also am an and any anything are as at be because been
    before being below between both but by can could d did do does doing don down during each ever
    few for from further get go got had has have having he her here hers herself him himself his
    how i if in into is it its itself just let ll m me mean more most my myself no nor not now of
    off on once only or other our ours ourselves out over own please re s same say she should so
    some such t tell than that the their theirs them themselves then there these they this those
    through to too under until up upon us use ve very was we were what when where which while who
    whom whose why will with would you your yours yourself yourselves
"""


@cache
def load_stop_words() -> frozenset[str]:
    """Return the stop words as terms."""
    return frozenset(tokenize(_STOP_WORDS).words.split())
