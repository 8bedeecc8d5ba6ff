"""Which words of a text may be names: sequences of capitalised words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.stories.entities.common_words import FUNCTION_WORDS, NO_SURNAMES, PEOPLES
from cortexfs.core.stories.entities.cue_nouns import INN_SIGNS, OF_HEADS, PLACE_HEADS
from cortexfs.core.stories.entities.given_names import FIRST_NAMES
from cortexfs.core.stories.entities.known_places import KNOWN_PLACES
from cortexfs.core.stories.entities.mention import Mention
from cortexfs.core.stories.entities.shouted_names import SHORTEST_SHOUT, is_shouted, split_shout
from cortexfs.core.stories.entities.speech_marks import find_speech, starts_sentence
from cortexfs.core.stories.entities.titles import FOLLOWING_TITLES, TITLES
from cortexfs.core.stories.entities.verbs import PAST_VERBS
from cortexfs.core.stories.word_list import parse_words

if TYPE_CHECKING:
    from collections.abc import Iterator

_UPPER = "A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĘĚĞĢĪĶĹŁŃŇŌŐŒŔŘŚŞŠŤŪŮŰŹŻŽΑ-ΩЀ-Я"
_WORD = rf"[{_UPPER}][^\W_]*(?:[’'\-](?!(?:s|S|d|ll|re|ve)\b)[^\W_]+)*"
_ABBREVIATION = (
    r"(?:Mr|Mrs|Ms|Mme|Mlle|Dr|St|Messrs|Capt|Col|Prof|Rev|Lt|Lieut|Sgt|Gen|Hon|Maj|Jr|Sr)\."
)
_PARTICLE = (
    r"(?:de l[ao]s?|van de[rn]?|von de[rn]|de|von|van|der|du|da|di|del|della|d’|d'|le|la|al|ibn|bin"
    r"|ben|ap|y|des|aux|sur)"
)
_TOKEN = rf"(?:{_ABBREVIATION}|[{_UPPER}]\.(?=[ \n]?[{_UPPER}])|(?:d['’]|[Oo]['’]|al-)?{_WORD})"
NAME = rf"{_TOKEN}(?:[ ]{_TOKEN})*"
"""A pattern for a name within one line."""
_GAP = r"(?:[ \t]|[ \t]?\n[ \t]*(?!\n))"
_SEQUENCE = re.compile(
    rf"(?<![\w@#&/])(?<!\w['’])({_TOKEN}(?:{_GAP}(?:{_PARTICLE}{_GAP})?{_TOKEN})*)"
)
_PIECE = re.compile(rf"{_TOKEN}|{_PARTICLE}\b")
_CAMEL = re.compile(rf"[{_UPPER}][a-z]+(?:[{_UPPER}][a-z]*)+")
_JOINED_PARTS = ("Mc", "Mac", "De", "La", "Le", "Fitz", "Du", "Van", "Di")
_PLACES = KNOWN_PLACES - FIRST_NAMES
_SHORTEST_NAME = 2
_ALWAYS_APART = parse_words("""
i i'm i'll i'd i've the a an and but or if oh o ah is it he she they we you this that these those
in on at to for of from as then when
""")

_NEXT_WORD = re.compile(r" ([a-z]+)")
_VERB = 24
_ENDS_ADDRESS = frozenset(",!?")
_NO_EPITHETS = FUNCTION_WORDS | FIRST_NAMES
_VERBS_OR_NAMES = FIRST_NAMES & FUNCTION_WORDS
_SHORT_TITLES = frozenset({"mr", "dr", "ms"})
_AND = (" and ", " & ")
_POSSESSIVES = ("'s ", "’s ", "' ", "’ ")
_Span = tuple[int, int, bool]
"""Start, end, and whether it begins a sentence."""


def find_names(text: str) -> list[Mention]:
    """Return every possible name, in order."""
    speech = find_speech(text)
    mentions: list[Mention] = []
    quote = 0
    for start, end, initial in _join_of(text, _find_spans(text)):
        written = text[start:end]
        if len(written) >= SHORTEST_SHOUT and written.isupper() and is_shouted(text, start, end):
            mentions += split_shout(text, start, end)
            continue
        while quote < len(speech) and speech[quote][1] <= start:
            quote += 1
        quoted = quote < len(speech) and speech[quote][0] <= start
        mentions.append(Mention(_write_name(written), start, end, initial, quoted))
    return mentions


def _write_name(written: str) -> str:
    """Return a name on one line, without the stress of `Mr. ROBERT Ferrars`."""
    words = written.replace("’", "'").split()
    if len(words) == 1 or written.isupper():
        return " ".join(words)
    stressed = (word.isupper() and len(word) >= SHORTEST_SHOUT for word in words)
    return " ".join(w.title() if loud else w for w, loud in zip(words, stressed, strict=True))


def normalize_word(word: str) -> str:
    """Return a word in lower case with straight apostrophes and no full stop at its end."""
    return word.lower().replace("’", "'").rstrip(".")


def is_camel_case(name: str) -> bool:
    """Tell whether a name is written like PubSec."""
    return _CAMEL.fullmatch(name) is not None and not name.startswith(_JOINED_PARTS)


def _find_spans(text: str) -> Iterator[_Span]:
    for found in _SEQUENCE.finditer(text):
        written, start = found[0], found.start()
        initial = starts_sentence(text, start)
        plain = normalize_word(written)
        if " " in written or "\n" in written:
            first = initial and not _is_subject(written, text[found.end() :][:_VERB])
            yield from _split(written, start, first)
            continue
        named = plain in FIRST_NAMES and text[found.end() : found.end() + 1] in _ENDS_ADDRESS
        common = plain in _ALWAYS_APART or (
            plain in FUNCTION_WORDS and (initial or written.isupper()) and not named
        )
        if not common and len(plain) >= _SHORTEST_NAME:
            yield start, found.end(), initial


def _is_subject(written: str, after: str) -> bool:
    """Tell whether `Will Dane came` tells of Will, which `Will Dane come?` does not."""
    verb = _NEXT_WORD.match(after)
    return (
        normalize_word(written.split(maxsplit=1)[0]) in _VERBS_OR_NAMES
        and verb is not None
        and (verb[1] in PAST_VERBS or verb[1].endswith("ed"))
    )


def _split(text: str, offset: int, initial: bool) -> Iterator[_Span]:
    """Split a sequence where a name ends: `But Anne`, `Anne Captain Wentworth`."""
    part: list[re.Match[str]] = []
    first = initial
    for piece in _PIECE.finditer(text):
        plain = normalize_word(piece[0])
        stressed = piece[0].isupper() and len(plain) >= _SHORTEST_NAME
        opening = stressed or (initial and not part)
        common = opening and plain in FUNCTION_WORDS and plain not in TITLES
        sir = plain == "ah" and not opening and not part  # said Ah Sing
        if common or (plain in _ALWAYS_APART and not sir):
            yield from _trim(part, offset, first)
            part, first = [], False
        elif part and _begins_name(part[-1][0], piece[0], at_end=piece.end() == len(text)):
            yield from _trim(part, offset, first)
            part, first = [piece], False
        else:
            part.append(piece)
    yield from _trim(part, offset, first)


def _begins_name(before: str, written: str, *, at_end: bool) -> bool:
    """Tell whether another name begins: `Anne Captain Wentworth`, `to London Lydia went`.

    At the end it is a part of this one: `the Straw Knight`.
    """
    plain, previous = normalize_word(written), normalize_word(before)
    if plain in FOLLOWING_TITLES:
        return False
    long = len(plain) > _SHORTEST_NAME or plain in _SHORT_TITLES
    if plain in TITLES and long and not written[0].islower():
        return previous not in TITLES and (not at_end or previous in _NO_EPITHETS)
    return plain in FIRST_NAMES and previous in _PLACES


def _is_title(written: str) -> bool:
    return normalize_word(written) in TITLES


def _trim(part: list[re.Match[str]], offset: int, initial: bool) -> Iterator[_Span]:
    """Yield the span of the pieces without particles at its ends and days at its end."""
    while part and (_is_particle(part[-1][0]) or _is_no_ending(part)):
        part = part[:-1]
    while part and _is_no_beginning(part):
        part = part[1:]
    if len(part) > 1 or (part and len(part[0][0].rstrip(".")) >= _SHORTEST_NAME):
        yield offset + part[0].start(), offset + part[-1].end(), initial


def _is_particle(written: str) -> bool:
    return written[0].islower() and "'" not in written and "’" not in written


def _is_no_beginning(part: list[re.Match[str]]) -> bool:
    """Tell whether a name does not begin with its first piece: `de Bourgh`, `English Anne`."""
    first = part[0][0]
    if len(part) > 1 and first.lower() in PEOPLES:
        following = normalize_word(part[1][0])
        return following in FIRST_NAMES or following in TITLES
    return _is_particle(first)


def _belongs_together(text: str, one: _Span, other: _Span) -> bool:
    """Tell whether two spans are one name: `Sons of Calydon`, `Jackson's Island`."""
    gap = text[one[1] : other[0]]
    if gap in _POSSESSIVES:
        return normalize_word(text[other[0] : other[1]]) in PLACE_HEADS
    if gap in _AND and text[: one[0]].endswith(("the ", "The ")):  # the George and Dragon
        return text[other[0] : other[1]].lower() in INN_SIGNS
    head = normalize_word(text[one[0] : one[1]].rsplit(maxsplit=1)[-1])
    return head in OF_HEADS and gap.split() in (["of"], ["of", "the"])


def _is_no_ending(part: list[re.Match[str]]) -> bool:
    if len(part) == 1:
        return False
    last = normalize_word(part[-1][0])
    people = last in PEOPLES and last not in PLACE_HEADS
    return last in NO_SURNAMES or (people and not _is_title(part[-2][0]))


def _join_of(text: str, spans: Iterator[_Span]) -> Iterator[_Span]:
    """Join `Sons of Calydon`, `House of the Rising Sun`, `Jackson's Island`."""
    held: _Span | None = None
    for span in spans:
        if held is not None:
            if _belongs_together(text, held, span):
                held = (held[0], span[1], held[2])
                continue
            yield held
        held = span
    if held is not None:
        yield held
