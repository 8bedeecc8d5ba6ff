"""Parse a prompt: its sentences, its topics, and the question that it asks."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from cortexfs.core.find.stop_words import load_stop_words
from cortexfs.core.find.tokenize import fold_text, split_words, tokenize
from cortexfs.core.memory.emitted_text import strip_emitted_text
from cortexfs.core.memory.redact_private import REDACTED, redact_private
from cortexfs.core.text.sanitize import redact_secrets, strip_unprintable, truncate_line

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_PROMPT_CHARS = 2000
"""Maximum characters of a prompt that are examined."""
MAX_WORDING_CHARS = 120
"""Maximum characters of the user's words that are kept."""
_MIN_TOPIC_CHARS = 3
_MIN_QUESTION_TERMS, _MAX_QUESTION_TERMS = 2, 12
_COMMON_WORDS = """
    add again already also always apply ask avoid better bit branch broken bug build call case
    change check clean code command commit complete content continue correct create current data
    delete different directory doc docs document done edit end error example exist explain fail
    failed failing fast feature file find fine finish first fix fixed folder follow format full
    function give good great handle happen help idea implement improve input install instead
    issue job keep kind know last later leave let line list little load log long look main make
    maybe merge message method missing model module move name need never new next nice nothing
    number ok okay old one open option output package page part pass path please point possible
    prefer problem project pull push put question read ready really refactor release remember
    remove rename repo report request result return review right root rule run same save script
    second section see session set setup show simple size start state status step still stop
    sure task test tests text thank thanks thing think time today tomorrow try two type
    understand update use useful user using value version wait want way week well work write
    wrong yes yet
"""
"""Words of any prompt to a coding agent: they say nothing about a project."""
_NOT_TYPED = re.compile(
    r"\s*(?:[</]|\[Request interrupted|Caveat:|This session is being continued)"
)
"""How prompts begin that a client made: its commands, tags and summaries."""
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_ADDRESS = re.compile(r"https?://\S+")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\s*[\n;]+\s*")
_ASKING = re.compile(
    r"(?:and |but |so |ok,? |hey,? )?(?:how|what|why|where|which|when|who|can|could|does|do|did|is"
    r"|are|should|would)\b",
    re.IGNORECASE,
)


def clean_prompt(text: str) -> str:
    """Return what a person typed: without private parts, emitted text, code blocks and addresses.

    Empty if a client wrote the prompt itself.
    """
    text = redact_private(strip_unprintable(text[:MAX_PROMPT_CHARS]))
    text = strip_emitted_text(text).replace(REDACTED, " ").replace("[secret]", " ")
    if _NOT_TYPED.match(text):
        return ""
    text = _ADDRESS.sub(" ", _FENCED.sub("\n", text))
    return text.replace("\u2019", "'").strip()


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a cleaned prompt."""
    return [sentence for each in _SENTENCE_END.split(text) if (sentence := each.strip())]


def shorten_wording(text: str) -> str:
    """Return words of the user on one line, without secrets and markup, bounded in length."""
    return truncate_line(redact_secrets(text).translate(_MARKUP), MAX_WORDING_CHARS)


_MARKUP = str.maketrans({**dict.fromkeys("<>[]`|\\", " "), '"': "'"})


def iter_topics(text: str) -> Iterator[tuple[str, str]]:
    """Yield the term and the word of each specific word in a cleaned prompt; no paths, numbers."""
    for word in split_words(text):
        if term := to_topic(word):
            yield term, word


def parse_question(sentence: str) -> str:
    """Return the normalized form of a question: its terms, sorted; empty if it is none."""
    if not (sentence.endswith("?") or _ASKING.match(sentence)):
        return ""
    terms = set(tokenize(sentence).words.split()) - load_stop_words()
    is_specific = _MIN_QUESTION_TERMS <= len(terms) <= _MAX_QUESTION_TERMS
    return " ".join(sorted(terms)) if is_specific and terms - _load_common_terms() else ""


@lru_cache(maxsize=1 << 15)
def to_topic(word: str) -> str:
    """Return a word as a topic; empty for a common word, a path or a number."""
    if len(word) < _MIN_TOPIC_CHARS or "/" in word or "." in word or not word[0].isalpha():
        return ""
    words, names = tokenize(word)
    term = fold_text(names.partition(" ")[0]) if names else words
    if len(term) < _MIN_TOPIC_CHARS or set(words.split()) <= _load_common_terms():
        return ""
    return term


@lru_cache(maxsize=1)
def _load_common_terms() -> frozenset[str]:
    return load_stop_words() | frozenset(tokenize(_COMMON_WORDS).words.split())
