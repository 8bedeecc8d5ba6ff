"""What a text says of a name in words: a description, facts, a change of status."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.stories.entities import fact_verbs as words

if TYPE_CHECKING:
    from cortexfs.core.stories.entities.evidence import Texts
    from cortexfs.core.stories.entities.mention import Mention

DESCRIPTION, FACT, STATUS = "description", "fact", "status"

_APPOSITION = re.compile(r", (an? [a-z][^,.;:!?\"“”()—]{2,90})[,.;]")
_CLAUSE = re.compile(
    rf" ({'|'.join(words.FACT_VERBS)}) ([a-z][^.;:!?\"“”()—]{{2,140}})(?=[.;:!?\"“”()—]|$)"
)
_OBJECTS = {verb: re.compile(pattern) for verb, (_, pattern) in words.FACT_VERBS.items()}
_CLAUSE_END = re.compile(
    r",? (?:and|but|who|which|when|while|as|though|although|because|so|if|until|that) |, with "
)
_ANIMALS = """
bear bird bull camel canary cat chicken cow crow dog donkey dragon duck eagle elephant falcon ferret
fox goat goose griffin gryphon hamster hare hawk hen horse hound kitten lamb lion lizard magpie mare
monkey mouse mule owl ox parrot pig pigeon pony poodle puppy rabbit ram rat raven rooster sheep
snake spaniel spider squirrel stallion steed terrier tiger toad tortoise turtle unicorn whippet wolf
"""
_LAST_WORDS = frozenset((*_ANIMALS.split(), "called", "named"))
"""The words before the name of an animal: one look-up is all that other mentions cost."""
_ANIMAL = re.compile(
    r"\b(?:the|an?|my|your|his|her|its|our|their) (?:[a-z]+ )?"
    rf"({'|'.join(_ANIMALS.split())}) (?:(?:called|named) )?$",
    re.IGNORECASE,
)
_HAS_IT = re.compile(
    r" (?:had|has|rode|rides|fed|feeds|owned|owns|loved|loves|kept|keeps|bought|sold|stole|found|"
    r"saw|brought|gave|took|led|killed|shot|hunted|tamed|trained|wanted)\b"
)
"""What follows a name of somebody with an animal: the horse Kael rode."""
_DIED = re.compile(rf"(?: (?:has|had|just|finally|suddenly))* (?:{words.HAS_DIED})")
_KILLED = re.compile(rf"\b(?:{words.KILLED}) (?:poor |the )?$")
_WAS_DESTROYED = re.compile(rf" (?:{words.WAS_DESTROYED})")
_DESTROYED = re.compile(rf"\b(?:{words.DESTROYED}) (?:the )?$")
_WENT_AWAY = re.compile(rf" (?:{words.WENT_AWAY})")
_CAME_BACK = re.compile(rf" (?:{words.CAME_BACK})")
_UNSURE = re.compile(rf"\b(?:{words.UNSURE})\b", re.IGNORECASE)
_SUBORDINATE = (" if", " that", "when", " and", " or", " than")
_LONGEST = 110
_AFTER, _BEFORE = 190, 40


def read_texts(text: str, mention: Mention) -> Texts:
    """Return the kind, the words and the importance of what stands right beside one mention."""
    after = " ".join(text[mention.end : mention.end + _AFTER].split(" ")).replace("\n", " ")
    if after[:1] == ",":
        found = None if mention.quoted else _APPOSITION.match(after)
        return [(DESCRIPTION, " ".join(found[1].split()), 5)] if found else []
    before = text[max(0, mention.start - _BEFORE) : mention.start].replace("\n", " ")
    sentence = re.split(r"[.!?]", before)[-1]
    if _UNSURE.search(sentence):
        return []
    status = _read_status(sentence, after)
    facts = [] if sentence.rstrip().lower().endswith(_SUBORDINATE) else _read_facts(after)
    last_word = sentence.rstrip().rpartition(" ")[2].lower()
    animal = _ANIMAL.search(sentence) if last_word in _LAST_WORDS else None
    if animal and not _HAS_IT.match(after):
        facts.append((DESCRIPTION, _add_article(animal[1].lower()), 3))
    return [(STATUS, status, 9), *facts] if status else facts


def _add_article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _read_facts(after: str) -> Texts:
    clause = _CLAUSE.match(after)
    if clause is None or _UNSURE.search(clause[0]):
        return []
    verb, rest = clause[1], _CLAUSE_END.split(" ".join(clause[2].split()))[0]
    if len(rest) > _LONGEST or not _OBJECTS[verb].match(rest):
        return []
    facts: Texts = [(FACT, f"{verb} {rest}", words.FACT_VERBS[verb][0])]
    if verb in {"is", "was"} and rest.startswith(("a ", "an ", "the ")):
        facts.append((DESCRIPTION, rest, 4))
    return facts


def _read_status(before: str, after: str) -> str:
    if _DIED.match(after) or _KILLED.search(before):
        return "deceased"
    if _WAS_DESTROYED.match(after) or _DESTROYED.search(before):
        return "destroyed"
    if _WENT_AWAY.match(after):
        return "inactive"
    return "active" if _CAME_BACK.match(after) else ""
