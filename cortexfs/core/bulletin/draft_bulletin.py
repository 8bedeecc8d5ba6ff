"""Choose what the bulletin of a project, or of the tree, may have."""

from __future__ import annotations

from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.kinds import IDEA_KIND
from cortexfs.core.bulletin.atom_lines import (
    SectionAtoms,
    group_by_section,
    make_atom_line,
    sort_by_score,
)
from cortexfs.core.bulletin.bulletin_line import STATE, BulletinLine
from cortexfs.core.bulletin.project_lines import summarize_project
from cortexfs.core.bulletin.render_bulletin import BulletinDraft
from cortexfs.core.bulletin.score_atoms import (
    decay_reads,
    find_newest_day,
    format_day,
    parse_day,
    score_atoms,
)
from cortexfs.core.bulletin.user_lines import list_user_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cortexfs.core.atoms.atom import FrontmatterValue
    from cortexfs.core.bulletin.project_lines import ProjectTexts
    from cortexfs.core.bulletin.score_atoms import CurrentAtom, DayReads

    FieldsByPath = Mapping[str, Mapping[str, FrontmatterValue]]

MAX_SECTION_ATOMS = 24
"""Maximum number of atoms of a section that become lines: more fit no bulletin of usual length."""
MAX_NAMED_ATOMS = 96
"""Maximum number of atoms whose refs may be named."""
OTHER_PROJECT_SHARE, PRIORITY_STEP = 0.6, 0.05
"""In the bulletin of the tree: what the lines of the least recent project count; what a rank adds.
"""
PROJECT_HALF_LIFE_DAYS = 14.0


class ProjectState(NamedTuple):
    """One project: its files, the lines made of them, and what its open work links to."""

    texts: ProjectTexts
    lines: tuple[BulletinLine, ...] = ()
    links: Mapping[str, float] = MappingProxyType({})
    rank: int = 0

    @property
    def name(self) -> str:
        """The name of the project."""
        return self.texts.project


class TreeState(NamedTuple):
    """What bulletins are made of: the projects, the current atoms, their reads, USER.md."""

    projects: Mapping[str, ProjectState]
    atoms: Mapping[str, Sequence[CurrentAtom]]
    """The atoms that concern each project; with an empty name, those that concern no single one."""
    reads: Mapping[str, Sequence[DayReads]] = MappingProxyType({})
    """The reads of each project."""
    user: str = ""


class Selection(NamedTuple):
    """The atoms that one bulletin may show: by section the best, and the best of all.

    `project` is empty for the bulletin of the tree; `newest` is the day that counts as today.
    `scores` has those of these atoms by path.
    """

    project: str
    newest: int
    sections: Mapping[str, SectionAtoms]
    named: Sequence[CurrentAtom]
    scores: Mapping[str, float]
    atom_count: int

    @property
    def shown_atoms(self) -> Iterator[CurrentAtom]:
        """The atoms whose fields a draft needs."""
        for atoms in self.sections.values():
            yield from atoms.best[:MAX_SECTION_ATOMS]


def select_atoms(state: TreeState, project: str) -> Selection:
    """Return the atoms of a bulletin, scored as of the newest day of what it is about."""
    atoms = _list_concerned(state, project)
    read_groups = [state.reads.get(project, ())] if project else state.reads.values()
    reads = list(chain(*read_groups))
    chosen = [state.projects[project]] if project else list(state.projects.values())
    days = {*(atom.day for atom in atoms), *(each.day for each in reads)}
    newest = find_newest_day({*days, *(parse_day(each.texts.as_of) for each in chosen)})
    links = {ref: weight for each in chosen for ref, weight in each.links.items()}
    scores = score_atoms(atoms, decay_reads(reads, newest), links, newest)
    groups = group_by_section(atoms, scores, MAX_NAMED_ATOMS)
    shown = sort_by_score(chain(*(group.best for group in groups.values())), scores)
    count = sum(group.total for group in groups.values())
    kept = {atom.path: scores[atom.path] for atom in shown}
    return Selection(project, newest, groups, shown[:MAX_NAMED_ATOMS], kept, count)


def draft_bulletin(state: TreeState, selection: Selection, fields: FieldsByPath) -> BulletinDraft:
    """Return the draft of a bulletin; `fields` has the frontmatter of `shown_atoms` by path."""
    as_of = format_day(selection.newest)
    scores, name = selection.scores, selection.project
    atom_lines = [
        make_atom_line(atom, fields[atom.path], scores[atom.path], as_of)
        for atom in selection.shown_atoms
        if atom.path in fields
    ]
    named = [
        BulletinLine("", "", atom.ref, format_day(atom.day) or as_of, scores[atom.path])
        for atom in selection.named
    ]
    projects = (name,) if name else tuple(state.projects)
    own = state.projects[name].lines if name else _tree_lines(state, selection.newest)
    lines = [*list_user_lines(state.user, as_of, projects), *own, *atom_lines]
    left_out = {
        key: atoms.total - MAX_SECTION_ATOMS
        for key, atoms in selection.sections.items()
        if atoms.total > MAX_SECTION_ATOMS
    }
    title = f"{name or 'All projects'}{as_of and f', as of {as_of}'}"
    return BulletinDraft(title, lines, left_out, named, selection.atom_count)


def _list_concerned(state: TreeState, project: str) -> list[CurrentAtom]:
    """Return the atoms that a bulletin may show; the decisions of the root concern all projects."""
    if not project:
        return [atom for atoms in state.atoms.values() for atom in atoms]
    general = [atom for atom in state.atoms.get("", ()) if atom.kind != IDEA_KIND]
    return [*state.atoms.get(project, ()), *general]


def _tree_lines(state: TreeState, newest: int) -> list[BulletinLine]:
    """Return one line on the state of each project, and the other lines of all of them."""
    found: list[BulletinLine] = []
    for project in state.projects.values():
        share = _weigh_project(project, newest)
        lines = [line for line in project.lines if line.section != STATE]
        summary = summarize_project(project.texts)
        found += [
            line._replace(score=line.score * share)
            for line in ([summary] if summary else []) + lines
        ]
    return found


def _weigh_project(project: ProjectState, newest: int) -> float:
    """Return what the lines of a project count in the bulletin of the tree, about 0.6 to 1."""
    age = max(newest - parse_day(project.texts.as_of), 0)
    recency: float = 0.5 ** (min(age, 1000) / PROJECT_HALF_LIFE_DAYS)
    share = OTHER_PROJECT_SHARE + (1 - OTHER_PROJECT_SHARE) * recency
    return round(share + PRIORITY_STEP * project.rank, 6)
