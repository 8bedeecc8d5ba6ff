"""What stands beside a name and tells what it names.

mid, initial: within a sentence or at its start; capitals: in a line of them; speech: within
quotation marks; vocative: addressed. Before it: the, a: an article; fond: "dear"; young,
eldest: so; kin: "her brother"; object: "married"; towards: "said to"; within: "in"; moves: "left";
at, of: that word; beside: "to", "from"; placeof: "the streets of"; wield: "wielding"; item: "the
ship"; join: "joined"; factionof: "members of"; when: "during"; like: "such". After it: says,
acts, does: a verb of speech, of people, of anything; ed: another verb of the past; who: "who";
belongs: possessive and a part of a person; owns: another possessive; region: a comma and a known
place; placenoun: "street"; followers: "soldiers"; he, she, it, they: the next pronoun.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.stories.entities import cue_nouns as nouns
from cortexfs.core.stories.entities import verbs
from cortexfs.core.stories.entities.kin_cues import add_kin
from cortexfs.core.stories.entities.known_places import KNOWN_PLACES
from cortexfs.core.stories.entities.naming_clause import find_named_thing, is_called_place
from cortexfs.core.stories.entities.speech_marks import is_addressed
from cortexfs.core.stories.word_list import parse_words

if TYPE_CHECKING:
    from cortexfs.core.stories.entities.mention import Mention

_BEFORE = re.compile(
    r"(?:([^\W\d_'’]+)\s)??(?:([^\W\d_]+)\s)?([^\W\d_]+(?:['’][^\W\d_]+)?)\s?(,?)\s*[\"“‘*_]?$"
)
_AFTER = re.compile(
    r"( ?['’]s\b|['’](?=[\s,.]))?(\s*[,.!?;:\"”’*_)—-]*)\s*([^\W\d_]*)(?:\s+([^\W\d_]+))?"
)
_PRONOUN = re.compile(r"\b(?:(he|his|him|himself)|(she|hers?|herself)|(its?)|(they|their|them))\b")
_PRONOUN_CUES = ("he", "she", "it", "they")
_AFTER_CHARS, _BEFORE_CHARS = 48, 40

_ARTICLES = {"the": "the", "a": "a", "an": "a"}
_PLACING = parse_words("to at from in into for near through by of on above")
_PIN = "📍"
"""Before the places of a scene, in the heads of role plays."""
_PLACING_THE = parse_words("""
in into at to from through across over toward towards along down up beyond near between on upon
round around within outside inside off above below beneath
""")
_INSIDE = parse_words("""
in into within throughout outside inside near through across via along off past amid
""")
_LINKING = parse_words("to with upon by for on")
_GIVEN = parse_words("it him her them that letter letters note message words gift kiss me you")
_WHEN = parse_words("during after before since until till")
_DETERMINERS = parse_words("real pure such any every no some each this that my your his her our")


def _map(*groups: tuple[frozenset[str], str]) -> dict[str, str]:
    """Return the cue by word; where a word is in several groups, the first counts."""
    return {word: cue for words, cue in reversed(groups) for word in words}


_WORD_BEFORE = _map(
    (nouns.FOND_WORDS, "fond"),
    (nouns.KIN_NOUNS, "kin"),
    (nouns.ITEM_BEFORE, "item"),
    (nouns.PLACE_BEFORE, "placeof"),
    (verbs.OBJECT_PERSON, "object"),
    (verbs.REACHED_VERBS, "moves"),
    (verbs.WIELD_VERBS, "wield"),
    (verbs.JOIN_VERBS, "join"),
    (_DETERMINERS, "like"),
)
_TWO_BEFORE = (
    (parse_words("of"), nouns.PLACE_OF, "placeof"),
    (parse_words("of"), nouns.FACTION_OF, "factionof"),
    (_PLACING, verbs.MOTION_VERBS, "moves"),
    (_LINKING, verbs.TOWARDS_PERSON, "towards"),
    (parse_words("at"), verbs.AT_PERSON, "towards"),
    (parse_words("as"), parse_words("far"), "moves"),
    (parse_words("for"), verbs.BOUND_FOR, "moves"),
    (parse_words("of"), parse_words("out"), "moves"),
    (parse_words("of"), nouns.PERSON_OF, "towards"),
    (parse_words("of"), parse_words("name"), "kin"),
    (parse_words("to from"), _GIVEN, "towards"),
)
_PREPOSITION = _map(
    (parse_words("with"), "towards"),
    (
        parse_words(
            "in into within throughout outside inside near through across via along off past amid"
        ),
        "within",
    ),
    (parse_words("at"), "at"),
    (parse_words("from"), "from"),
    (parse_words("to towards toward around beyond above below"), "beside"),
    (parse_words("of on upon"), "of"),
    (_WHEN, "when"),
)
_TWO_BEFORE_ARTICLE = (
    (_LINKING, verbs.TOWARDS_PERSON, "towards"),
    (parse_words("at"), verbs.AT_PERSON, "towards"),
    (parse_words("of"), nouns.SHIP_OF, "item"),
    (parse_words("board"), parse_words("on"), "item"),
    (parse_words("of"), nouns.PLACE_OF_THE, "placeof"),
    (parse_words("of"), nouns.FACTION_OF, "factionof"),
)
_BEFORE_ARTICLE = _map(
    (verbs.SPEECH_VERBS, "says"),
    (verbs.JOIN_VERBS, "join"),
    (verbs.WIELD_VERBS, "wield"),
    (_WHEN, "when"),
    (parse_words("aboard"), "item"),
    (verbs.CROSSING_VERBS, "inthe"),
    (_PLACING_THE, "inthe"),
)
_WORD_AFTER = _map(
    (verbs.SPEECH_VERBS, "says"),
    (verbs.PERSON_VERBS, "acts"),
    (verbs.COMMON_VERBS, "does"),
    (parse_words("who whose whom"), "who"),
    (nouns.PLACE_HEADS - parse_words("place house room rooms farm ranch cottage"), "placenoun"),
    (nouns.FACTION_FOLLOWERS, "followers"),
)
_OF_PEOPLE = verbs.PERSON_VERBS | parse_words("never always not been gone smiling glad sorry angry")
_OF_OWNERS = frozenset({"placenoun", "followers"})
_OF_PLACES = parse_words("within moves at from beside placeof inthe")
_SHORTEST_PAST = 5
_NO_POSSESSIONS = parse_words("""
on in at to for from with and or than but when where while as that who which is was were had has
would by after before till until because he she it they we i you the
""")
"""After a possessive: `at Claridge's on Monday`."""


def read_cues(text: str, mention: Mention) -> list[str]:
    """Return the cues beside one mention."""
    if mention.shouted:
        return ["capitals"]
    before = text[max(0, mention.start - _BEFORE_CHARS) : mention.start]
    after = text[mention.end : mention.end + _AFTER_CHARS]
    cues = ["initial" if mention.initial else "mid"]
    if _PIN in before.rpartition("\n")[2]:
        cues = ["mid", "region"]
    elif before.endswith(", of "):
        cues.append("at")
    elif cue := find_named_thing(before):
        cues.append(cue)
    elif not mention.initial and (left := _BEFORE.search(before)):
        _read_left(cues, left)
        if left[3] == "by" and " " in mention.name:  # a single name is an author's
            cues.append("beside")
    _read_right(cues, after, mention)
    if mention.quoted:
        cues.append("speech")
        if is_addressed(before.rstrip(), after.lstrip(" ")):
            cues.append("vocative")
    return cues


def _read_left(cues: list[str], left: re.Match[str]) -> None:
    far, near, last = (left[1] or "").lower(), (left[2] or "").lower(), left[3].lower()
    if left[4]:
        if last in nouns.KIN_NOUNS and near in _DETERMINERS:
            cues.append("kin")
            add_kin(cues, "kin", near, last)
        elif last == "eldest":
            cues.append("eldest")
    elif last in verbs.SPEECH_VERBS:
        cues.append("says")
    elif last in _ARTICLES:
        cues.append(_ARTICLES[last])
        if cue := _read_before_article(far, near):
            cues.append(cue)
    elif cue := _WORD_BEFORE.get(last) or _read_preposition(near, last):
        cues.append(cue)
        add_kin(cues, cue, near, last)


def _read_before_article(far: str, near: str) -> str | None:
    for words, before, cue in _TWO_BEFORE_ARTICLE:
        if near in words and far in before:
            return cue
    return _BEFORE_ARTICLE.get(near)


def _read_preposition(near: str, last: str) -> str | None:
    for prepositions, words, cue in _TWO_BEFORE:
        if last in prepositions and near in words:
            return cue
    if last == "by" and near.endswith("ed"):
        return "towards"
    return _PREPOSITION.get(last)


def _read_right(cues: list[str], after: str, mention: Mention) -> None:
    right = _AFTER.match(after)
    if right is None:
        return
    possessive, gap, word, second = right[1], right[2].strip(), right[3], right[4] or ""
    if possessive and (possessive[-1] == "s" or mention.name.endswith("s")):
        if word and not gap and word not in _NO_POSSESSIONS:  # `in Anne's room`
            cues[:] = [cue for cue in cues if cue not in _OF_PLACES]
        of_person = word in nouns.BELONGINGS or second in nouns.BELONGINGS
        cues.append("belongs" if of_person else "owns")
        return
    if not gap and word.islower():
        _read_follower(cues, word, second)
        if word in {"is", "was"} and is_called_place(after[right.start(3) :]):
            cues.append("region")
    elif gap == "," and (cue := _read_apposition(word, second)):
        cues.append(cue)
        add_kin(cues, cue, word, second)
    if not _OF_PLACES.isdisjoint(cues):
        if "who" in cues:
            cues.remove("who")
        return  # the next pronoun is seldom for what stands after a preposition
    if (pronoun := _PRONOUN.search(after)) and _may_refer(after[: pronoun.start()]):
        cues.append(_PRONOUN_CUES[(pronoun.lastindex or 1) - 1])


def _read_follower(cues: list[str], word: str, second: str) -> None:
    cue = _WORD_AFTER.get(word)
    if not _OF_PLACES.isdisjoint(cues):  # the man from Boston said
        cues += [cue] if cue in _OF_OWNERS else []
    elif cue is not None:
        cues.append(cue)
        if cue == "does" and second in _OF_PEOPLE:
            cues.append(cue)
    elif word.endswith("ly") and second in verbs.PERSON_VERBS:
        cues.append("acts")
    elif word.endswith("ed") and len(word) >= _SHORTEST_PAST:
        cues.append("ed")


def _read_apposition(word: str, second: str) -> str | None:
    if word in {"who", "whose", "whom"}:
        return "who"
    if word == "where":
        return "region"
    place = second if word == "in" else word
    if place.lower() in KNOWN_PLACES or place.endswith("shire"):
        return "region"
    return "kin" if word in {"his", "her", "my"} and second in nouns.KIN_NOUNS else None


def _may_refer(between: str) -> bool:
    """Tell whether no other name stands between a name and a pronoun."""
    return between.islower() or not between.strip(" ,;'\"") or between.count(". ") == 1
