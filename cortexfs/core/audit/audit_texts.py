"""Rules on the texts of memories: duplicates, loops, secrets, hardly any content."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.audit.audit_rules import AuditFinding
from cortexfs.core.audit.near_duplicate_pairs import find_similar_pairs
from cortexfs.core.bridge.digest_block import strip_digest
from cortexfs.core.checks.secrets import find_secrets
from cortexfs.core.memory.content_digest import compute_memory_digest
from cortexfs.core.memory.emitted_text import strip_emitted_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MIN_CONTENT_CHARS = 10
"""Characters below which a memory says hardly anything."""


class AuditedText(NamedTuple):
    """One memory: its place, title and content; only texts of the same group are compared."""

    place: str
    title: str
    content: str
    group: str = ""


def audit_texts(texts: Sequence[AuditedText]) -> Iterator[AuditFinding]:
    """Yield the findings about texts, in any order."""
    for text in texts:
        yield from _audit_text(text)
    yield from _find_duplicates(texts)


def _audit_text(text: AuditedText) -> Iterator[AuditFinding]:
    for flaw in find_secrets(f"{text.title}\n{text.content}")[:1]:
        yield AuditFinding("secret", text.place, f"it contains {flaw.message}")
    kept = strip_digest(strip_emitted_text(text.content))
    if _count_visible(kept) != _count_visible(text.content):
        share = 100 - 100 * _count_visible(kept) // max(1, _count_visible(text.content))
        yield AuditFinding("loop", text.place, f"{share} % of the text was emitted, not learned")
    elif _count_visible(text.title + text.content) < MIN_CONTENT_CHARS:
        message = f"title and text have under {MIN_CONTENT_CHARS} characters"
        yield AuditFinding("no-content", text.place, message)


def _find_duplicates(texts: Sequence[AuditedText]) -> Iterator[AuditFinding]:
    """Yield a finding for each text that another has; the first of them is the original."""
    first: dict[tuple[str, bytes], AuditedText] = {}
    for text in texts:
        if _count_visible(text.content) < MIN_CONTENT_CHARS:
            continue
        key = (text.group, compute_memory_digest(text.content))
        if (original := first.setdefault(key, text)) is not text:
            yield AuditFinding("duplicate", text.place, f"it has the text of {original.place}")
    groups: dict[str, list[AuditedText]] = {}
    for text in first.values():
        groups.setdefault(text.group, []).append(text)
    for distinct in groups.values():
        for pair in find_similar_pairs([text.content for text in distinct]):
            later, earlier = distinct[pair.position], distinct[pair.earlier]
            message = f"{pair.similarity:.0%} of its words are those of {earlier.place}"
            yield AuditFinding("near-duplicate", later.place, message)


def _count_visible(text: str) -> int:
    """Return the number of characters without white space."""
    counts = Counter(text)
    return len(text) - sum(number for char, number in counts.items() if char.isspace())
