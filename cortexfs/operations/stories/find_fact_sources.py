"""Find what the facts of entities come from; only chunks that a model was asked about are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.frontmatter.atom_text import parse_frontmatter
from cortexfs.core.stories.chunk_file import read_answer
from cortexfs.core.stories.fact_source import find_fact_source
from cortexfs.core.stories.sidecar.chunk_analysis import SIDECAR
from cortexfs.operations.stories.read_parsed_files import read_chunk_rows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.stories.fact_source import FactSource
    from cortexfs.core.stories.read_entity_file import KnownEntity
    from cortexfs.core.stories.sidecar.chunk_analysis import ChunkAnalysis
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


def find_fact_sources(
    session: Session, entities: Iterable[KnownEntity]
) -> dict[str, list[FactSource]]:
    """Return the source of each fact of some entities, in the order of their facts, by ref."""
    chosen = list(entities)
    projects = {each.ref.rpartition("/")[0] for each in chosen}
    chunks = _list_chunks(chosen)
    with session.read() as view:
        analyses = {
            row.ref: _read_analysis(view, row.ref)
            for project in sorted(projects)
            for row in read_chunk_rows(session, view, project)
            if row.source == SIDECAR and row.ref in chunks
        }
    return {
        entity.ref: [
            find_fact_source(fact, analyses.get(f"{entity.ref.rpartition('/')[0]}/{fact.chunk}"))
            for fact in entity.facts
        ]
        for entity in chosen
    }


def _list_chunks(entities: Iterable[KnownEntity]) -> frozenset[str]:
    return frozenset(
        f"{entity.ref.rpartition('/')[0]}/{fact.chunk}"
        for entity in entities
        for fact in entity.facts
    )


def _read_analysis(view: View, ref: str) -> ChunkAnalysis | None:
    found = view.queries.find_ref(ref)
    source = view.tree.read_text_or_flaw(found[1]) if found else None
    if source is None or isinstance(source, Flaw):
        return None
    answer = read_answer(parse_frontmatter(source.text))
    return answer.analysis if answer else None
