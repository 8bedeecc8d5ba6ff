"""Topic keys: the stable names under which a memory is updated instead of saved again."""

from __future__ import annotations

import re

from cortexfs.core.memory.redact_private import REDACTED, redact_private
from cortexfs.core.text.sanitize import to_one_line

MAX_KEY_CHARS = 120
"""Maximum characters of a topic key."""
MAX_SEGMENT_CHARS = 100
"""Maximum characters of the part of a suggested key after its family."""
_MAX_CONTENT_WORDS = 8
_MAX_SCANNED_CHARS = 20_000
_NO_FAMILY, _NO_SEGMENT = "topic", "general"
_UNTYPED = ("", "manual")

_FAMILY_OF_TYPE = {
    "architecture": "architecture",
    "design": "architecture",
    "adr": "architecture",
    "refactor": "architecture",
    "bug": "bug",
    "bugfix": "bug",
    "fix": "bug",
    "incident": "bug",
    "hotfix": "bug",
    "decision": "decision",
    "pattern": "pattern",
    "convention": "pattern",
    "guideline": "pattern",
    "config": "config",
    "setup": "config",
    "infra": "config",
    "infrastructure": "config",
    "ci": "config",
    "discovery": "discovery",
    "investigation": "discovery",
    "root_cause": "discovery",
    "root-cause": "discovery",
    "learning": "learning",
    "learn": "learning",
    "session_summary": "session",
}
_WORDS_OF_FAMILY = {
    "bug": "bugs? bugfix(?:es)? debug(?:ged|ging)? fix(?:es|ed|ing)? hotfix(?:es)? panic(?:s|ked)? "
    "errors? crash(?:es|ed|ing)? regressions? incidents?",
    "architecture": "architectur(?:e|es|al) designs? designed adrs? boundary boundaries hexagonal "
    "refactor(?:s|ed|ing)? refactorings?",
    "decision": "decisions? trade-?offs? chose chosen choose choosing decide[ds]? deciding",
    "pattern": "patterns? conventions? naming guidelines?",
    "config": "config(?:s|ure|ured|uring|uration|urations)? setup environments? env docker "
    "pipelines?",
    "discovery": "discover(?:y|ies|ed|s)? investigat(?:e|es|ed|ing|ion|ions) root.causes? found",
    "learning": "learn(?:s|ed|t|ing|ings)?",
}
"""The words that suggest a family, by falling precedence; only whole words count."""


def normalize_topic_key(text: str) -> str:
    """Return a topic key in its stored form: lower case, `-` for white space, bounded in length."""
    return to_one_line(text.strip()[: 4 * MAX_KEY_CHARS].lower()).replace(" ", "-")[:MAX_KEY_CHARS]


def suggest_topic_key(memory_type: str, title: str, content: str) -> str:
    """Return a key such as `bug/nil-token-in-auth`, from the title or the first words."""
    shown_title, shown_content = (
        redact_private(text).replace(REDACTED, " ") for text in (title, content)
    )
    family = choose_topic_family(memory_type, shown_title, shown_content)
    first_words = shown_content.split(maxsplit=_MAX_CONTENT_WORDS)[:_MAX_CONTENT_WORDS]
    segment = _normalize_segment(shown_title) or _normalize_segment(" ".join(first_words))
    segment = segment.removeprefix(f"{family}-")
    return f"{family}/{segment if segment not in {'', family} else _NO_SEGMENT}"


def choose_topic_family(memory_type: str, title: str = "", content: str = "") -> str:
    """Return the family of topics of a type; of a type without one, that of title and content."""
    name = memory_type[:MAX_SEGMENT_CHARS].strip().lower()
    if name in _FAMILY_OF_TYPE:
        return _FAMILY_OF_TYPE[name]
    text = f"{title} {content}"[:_MAX_SCANNED_CHARS].lower().replace("_", " ")
    for family, words in _WORDS_OF_FAMILY.items():
        if re.search(rf"\b(?:{'|'.join(words.split())})\b", text):
            return family
    own = "" if name in _UNTYPED else _normalize_segment(name)
    return own or _NO_FAMILY


def _normalize_segment(text: str) -> str:
    """Return the words of a text, joined by `-`; letters of every script are kept."""
    words = re.findall(r"[^\W_]+", text[: 10 * MAX_SEGMENT_CHARS].lower())
    return "-".join(words)[:MAX_SEGMENT_CHARS].strip("-")
