"""Render a scene of chunks, or an arc of scenes, from their own sentences.

All text of a chat in it is escaped. A file that a person has changed is never written again.
"""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.kinds import ARC_KIND, SCENE_KIND
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.stories.build_field import add_build
from cortexfs.core.stories.consolidation.choose_sentences import choose_sentences
from cortexfs.core.stories.consolidation.choose_title import choose_title
from cortexfs.core.stories.consolidation.split_sentences import split_emphasis
from cortexfs.core.stories.consolidation.summary_source import digest_sources, read_source
from cortexfs.core.stories.escape_markdown import escape_markdown, remove_markup
from cortexfs.core.stories.sidecar.chunk_analysis import SIDECAR
from cortexfs.core.stories.weigh_chunk import HEURISTIC
from cortexfs.core.text.sanitize import truncate_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cortexfs.core.stories.consolidation.choose_sentences import ChosenSentence
    from cortexfs.core.stories.consolidation.summary_source import SourceFile, SummarySource
    from cortexfs.core.stories.salience.salience_weights import SalienceWeights
    from cortexfs.core.stories.sidecar.summary_request import ToldSummary

SOURCE_FIELDS = {SCENE_KIND: "chunks", ARC_KIND: "scenes"}
MAX_TITLE_CHARS = 120
MAX_SHOWN_CHARS = 300
MAX_SPEAKER_CHARS = 60
MAX_EMOTIONS = 3
SENTENCES_OF_SCENE = 2
"""Sentences of each scene that an arc has."""


class _Head(NamedTuple):
    """The frontmatter of a summary: its place, and what it takes over from its sources."""

    ident: str
    date: str
    project: str
    story: str
    field: str
    """The field that names the sources: `chunks` or `scenes`."""
    sources: tuple[str, ...]
    span: tuple[int, int]
    title: str
    salience: float
    emotions: tuple[str, ...]
    flags: tuple[str, ...]
    source: str
    analysis: str


class MadeBy(NamedTuple):
    """What made a summary, `heuristic` or `sidecar`, and the digest of its sources."""

    source: str
    analysis: str


class SummaryPlace(NamedTuple):
    """The kind and the id of a summary, its project and its story."""

    kind: str
    ident: str
    project: str
    story: str


def render_summary(
    place: SummaryPlace,
    files: Sequence[SourceFile],
    weights: SalienceWeights,
    told: ToldSummary | None = None,
) -> str:
    """Return the file of a scene or an arc made of some sources, at least one, in their order.

    `told` is what a language model says of them; without it their own sentences are taken.
    """
    sources = [read_source(place.kind, file) for file in files]
    title = (told.title if told else "") or choose_title(place.kind, sources)
    is_arc = place.kind == ARC_KIND
    if told:
        body = _iter_told(told, sources if is_arc else ())
    else:
        body = _iter_arc(sources, weights) if is_arc else _iter_scene(sources, weights)
    made_by = MadeBy(SIDECAR if told else HEURISTIC, digest_sources(files))
    return _render_file(_make_head(place, sources, title, made_by), body)


def _make_head(
    place: SummaryPlace, sources: Sequence[SummarySource], title: str, made_by: MadeBy
) -> _Head:
    emotions = Counter(emotion for each in sources for emotion in each.emotions)
    flags = dict.fromkeys(flag for each in sources for flag in each.flags)
    return _Head(
        place.ident,
        next((each.date for each in sources if each.date), ""),
        place.project,
        place.story,
        SOURCE_FIELDS[place.kind],
        tuple(each.ident for each in sources),
        (sources[0].first, sources[-1].last),
        title,
        max(each.salience for each in sources),
        tuple(sorted(emotions, key=lambda name: (-emotions[name], name))[:MAX_EMOTIONS]),
        tuple(flags),
        *made_by,
    )


def _iter_scene(sources: Sequence[SummarySource], weights: SalienceWeights) -> Iterator[str]:
    for chosen in choose_sentences(sources, weights):
        yield f"- {_format_sentence(chosen)} ({chosen.source})"


def _iter_told(told: ToldSummary, scenes: Sequence[SummarySource]) -> Iterator[str]:
    """Yield what a model says, and the scenes of an arc."""
    yield escape_markdown(told.summary)
    if scenes:
        yield ""
    for each in scenes:
        title = escape_markdown(each.title or each.ident)
        yield f"- {each.ident}, messages {each.first} to {each.last}: {title}"


def _iter_arc(sources: Sequence[SummarySource], weights: SalienceWeights) -> Iterator[str]:
    """Yield a section for each scene, with its best sentences."""
    most = SENTENCES_OF_SCENE * len(sources)
    chosen = choose_sentences(sources, weights, most=most, of_source=SENTENCES_OF_SCENE)
    by_source = {ident: list(each) for ident, each in groupby(chosen, lambda one: one.source)}
    for number, source in enumerate(sources):
        if number:
            yield ""
        yield f"## {escape_markdown(source.title or source.ident)}"
        yield ""
        yield f"{source.ident}, messages {source.first} to {source.last}"
        sentences = by_source.get(source.ident, [])
        if sentences:
            yield ""
        yield from (f"- {_format_sentence(each)}" for each in sentences)


def _format_sentence(chosen: ChosenSentence) -> str:
    """Return a sentence as Markdown, with who says it; an action is emphasized as a whole."""
    text = truncate_line(chosen.sentence.text, MAX_SHOWN_CHARS)
    parts = split_emphasis(text)
    if chosen.sentence.is_action:
        parts = ["", "".join(parts), ""]
    shown = "".join(
        f"*{escape_markdown(part)}*" if number % 2 else _escape_part(part)
        for number, part in enumerate(parts)
    )
    speaker = truncate_line(chosen.speaker, MAX_SPEAKER_CHARS)
    return f"{escape_markdown(speaker)}: {shown}" if speaker else shown


def _escape_part(text: str) -> str:
    """Return a part of a line, escaped, with the spaces at its ends."""
    begin = " " if text[:1].isspace() else ""
    end = " " if text.strip() and text[-1:].isspace() else ""
    return f"{begin}{escape_markdown(text)}{end}"


def _render_file(head: _Head, body: Iterable[str]) -> str:
    """Return the file of a summary; the lines of `body` are Markdown."""
    title = truncate_line(remove_markup(head.title), MAX_TITLE_CHARS) or head.ident
    first, last = head.span
    fields: dict[str, str | tuple[str, ...]] = {
        "id": head.ident,
        "date": head.date,
        "project": head.project,
        "summary": title,
        "tags": ("story", *head.emotions, *head.flags),
        "story": head.story,
        head.field: head.sources,
        "messages": f"{first}-{last}",
        "salience": f"{head.salience:.4f}",
        "emotions": head.emotions,
        "flags": head.flags,
        "source": head.source,
        "analysis": head.analysis,
    }
    given = {key: value for key, value in fields.items() if value}
    named = ", ".join(head.sources)
    lines = (
        f"# {head.ident}: {escape_markdown(title)}",
        "",
        f"{head.story}, messages {first} to {last} ({named})",
        "",
        *body,
    )
    text = "".join(f"{line}\n" for line in lines)
    return add_build(f"---\n{atom_text.format_frontmatter(given)}---\n\n{text}")
