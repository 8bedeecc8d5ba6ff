"""The atoms that the open work of a project links to, and those that these atoms cite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.find_cited_refs import find_cited_refs
from cortexfs.core.atoms.refs import find_ref
from cortexfs.core.bulletin.project_lines import MAX_FILE_CHARS
from cortexfs.core.bulletin.score_atoms import OPEN_LINK, RECENT_LINK, SECOND_LINK
from cortexfs.core.governance.project_status import parse_status_sections

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    from cortexfs.core.bulletin.project_lines import ProjectTexts
    from cortexfs.core.bulletin.score_atoms import CurrentAtom
    from cortexfs.core.tasks.task_and_board import Task

CURRENT_EXPERIMENTS = 2
"""The number of experiments, the newest of a project, that count as open work."""
_OPEN_STATUS_SECTIONS = ("phase", "next", "blockers")


def list_open_links(
    texts: ProjectTexts,
    tasks: Iterable[Task],
    atoms: Iterable[CurrentAtom],
    known: Container[str],
) -> dict[str, float]:
    """Return what a link counts, by the full refs that the open work of a project links to.

    `atoms` are those of the project, `known` the refs of all atoms that are current.
    """
    sections = parse_status_sections(texts.status[:MAX_FILE_CHARS])
    open_parts = [sections.get(key, "") for key in _OPEN_STATUS_SECTIONS]
    open_parts += [value for task in tasks for value in task.fields.values() if type(value) is str]
    recent_parts = (sections.get("progress", ""), texts.issues[:MAX_FILE_CHARS])
    links = dict.fromkeys(_find_refs("\n".join(recent_parts), texts.project, known), RECENT_LINK)
    experiments = sorted(
        (atom for atom in atoms if atom.kind == "experiment"),
        key=lambda atom: (-atom.day, atom.path),
    )
    links |= dict.fromkeys((atom.ref for atom in experiments[:CURRENT_EXPERIMENTS]), RECENT_LINK)
    return links | dict.fromkeys(_find_refs("\n".join(open_parts), texts.project, known), OPEN_LINK)


def link_second(links: Mapping[str, float], cited: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Return the links with those of the linked atoms added, which count less."""
    second: dict[str, float] = {}
    for seed, weight in links.items():
        for ref in cited.get(seed, ()):
            second[ref] = max(second.get(ref, 0.0), SECOND_LINK * weight)
    return {**second, **links}


def _find_refs(text: str, project: str, known: Container[str]) -> list[str]:
    found = (find_ref(cited, project, known) for cited, _ in find_cited_refs(text))
    return [ref for ref in found if ref]
