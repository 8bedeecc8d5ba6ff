"""Recognize text that this program or a client emitted: it must never be saved as a memory."""

from __future__ import annotations

import re
from bisect import bisect
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING

from cortexfs.core.bridge.digest_block import BEGIN, remove_digests

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

OWN_TAG = "cortex-memory"
"""The tag around everything that this program gives to an agent."""
CLIENT_TAGS = (
    "system-reminder",
    "session-start-hook",
    "session-end-hook",
    "user-prompt-submit-hook",
    "pre-tool-use-hook",
    "post-tool-use-hook",
    "hook_context",
    "persisted-output",
    "environment_context",
    "user_instructions",
)
"""The tags in which clients wrap the output of hooks, and files that they load at their start."""
CONTEXT_HEADING, CONTEXT_END = "## Memory from Previous Sessions", "Memory stats:"
"""The first line of a recalled context, and what its last line begins with."""

_TAG = re.compile(rf"(?<!`)<(/?)({'|'.join((OWN_TAG, *CLIENT_TAGS))})(?![\w-])(>?)", re.IGNORECASE)
"""A tag that follows a backtick is only mentioned; an opening tag may have attributes."""
_OWN_TAG = re.compile(rf"<(?=/?{OWN_TAG})", re.IGNORECASE)
_CONTEXT_LINE = re.compile(
    rf"^[ \t]*+(?:({re.escape(CONTEXT_HEADING)})[ \t\r]*+$|{CONTEXT_END}.*|(#{{1,2}}[ \t]).*)",
    re.MULTILINE,
)
_HOOK_LINE = re.compile(
    r"^[ \t]*+(?:SessionStart|SessionEnd|UserPromptSubmit|PreToolUse|PostToolUse|SubagentStart"
    r"|SubagentStop|PreCompact|PostCompact|Notification|Stop)(?::[\w.-]{1,80})? hook "
    r"(?:additional context|success):.*\n?",
    re.MULTILINE,
)

Span = tuple[int, int]


def strip_emitted_text(text: str) -> str:
    """Return a text without what this program or a client emitted; the rest is kept.

    Removed are our own blocks (one without its end up to the end of the text or of the wrapper
    around it), complete wrappers of clients, contexts recalled from a memory, digests that were
    written for a client, and lines that introduce the output of a hook.
    """
    text = _cut(text, _find_tagged_spans(text)) if "<" in text else text
    text = _cut(text, list(_find_contexts(text))) if CONTEXT_HEADING in text else text
    text = remove_digests(text) if BEGIN in text else text
    if " hook " in text:
        text = _cut(text, [found.span() for found in _HOOK_LINE.finditer(text)])
    return text


def wrap_emitted_text(text: str, source: str) -> str:
    """Return a text as a block of our own, which `strip_emitted_text` removes as a whole."""
    name = re.sub(r"[^\w./:#-]+", "-", source)
    return f'<{OWN_TAG} source="{name}">\n{_OWN_TAG.sub("&lt;", text)}\n</{OWN_TAG}>'


def _find_tagged_spans(text: str) -> list[Span]:
    """Return the spans of all blocks, disjoint and in order."""
    tags = list(_TAG.finditer(text))
    own, unclosed = _pair_tags(tag for tag in tags if tag[2].lower() == OWN_TAG)
    own = _merge_spans(own)
    clients, _ = _pair_tags(
        tag for tag in tags if tag[2].lower() != OWN_TAG and not _is_in_span(tag.start(), own)
    )
    wrapped = _merge_spans(clients)
    cut_off = [(at, len(text)) for at in unclosed if not _is_in_span(at, wrapped)]
    return _merge_spans([*own, *wrapped, *cut_off[:1]])


def _pair_tags(tags: Iterable[re.Match[str]]) -> tuple[list[Span], list[int]]:
    """Return the span of each pair of tags, and where tags without an end begin, in order."""
    spans: list[Span] = []
    open_at: dict[str, list[int]] = {}
    for tag in tags:
        pending = open_at.setdefault(tag[2].lower(), [])
        if not tag[1]:
            pending.append(tag.start())
        elif tag[3] and pending:
            spans.append((pending.pop(), tag.end()))
    return spans, sorted(chain(*open_at.values()))


def _merge_spans(spans: Iterable[Span]) -> list[Span]:
    """Return the same characters as disjoint spans in order."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


def _is_in_span(at: int, spans: Sequence[Span]) -> bool:
    before = bisect(spans, at, key=itemgetter(0)) - 1
    return before >= 0 and at < spans[before][1]


def _find_contexts(text: str) -> Iterator[Span]:
    """Yield recalled contexts: up to their last line, or else to the next title or the end."""
    start, next_title = -1, -1
    for line in _CONTEXT_LINE.finditer(text):
        if line[1]:
            if next_title >= 0:
                yield start, next_title
            start = line.start() if start < 0 or next_title >= 0 else start
            next_title = -1
        elif start < 0:
            continue
        elif line[0].lstrip().startswith(CONTEXT_END):
            yield start, line.end()
            start = next_title = -1
        elif next_title < 0:
            next_title = line.start()
    if start >= 0:
        yield start, next_title if next_title >= 0 else len(text)


def _cut(text: str, spans: Sequence[Span]) -> str:
    """Return a text without disjoint spans; where one was, white space separates the rest."""
    if not spans:
        return text
    starts, ends = zip(*spans, strict=True)
    kept: list[str] = []
    has_line_end = False
    for part in (text[a:b] for a, b in zip((0, *ends), (*starts, len(text)), strict=True)):
        words = part.strip()
        before, _, after = part.partition(words) if words else (part, "", "")
        has_line_end = has_line_end or "\n" in before
        if words:
            kept += ["\n\n" if has_line_end else " ", words]
            has_line_end = "\n" in after
    return "".join(kept[1:])
