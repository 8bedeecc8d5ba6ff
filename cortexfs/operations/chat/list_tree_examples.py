"""Examples of what the chat understands, with the names of atoms and tasks of the tree."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.chat.parse_question import list_examples
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.tasks.task_readiness import OPEN_STATES
from cortexfs.operations.tasks.list_tasks import list_tasks
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cortexfs.session.session import Session
    from cortexfs.session.view import View

    Names = Mapping[str, Sequence[str]]

TASK, PROPOSAL, PLACEHOLDER = "task", "proposal", "PROJECT"
_NAME = re.compile(r"\b([A-Z]{1,8})-\d+\b|\b[0-9a-f]{4}(?:[0-9a-f]{4})?\b")
_TASK_DIGITS = 4
MAX_WAITING = 10
MAX_NAMES = 20
"""Maximum number of names with one prefix: more than examples have."""


class TreeExamples(NamedTuple):
    """Examples of questions, and of changes."""

    questions: Sequence[str]
    changes: Sequence[str]


def list_tree_examples(session: Session) -> TreeExamples:
    """Return an example of each request, without those that would name what the tree lacks."""
    with session.read(NeededContents.TEXTS) as view:
        names = _find_names(view)
    return TreeExamples(
        *(
            [
                text
                for each in list_examples(of_changes=of_changes)
                if (text := _rename(each, names))
            ]
            for of_changes in (False, True)
        )
    )


def _find_names(view: View) -> Names:
    """Return some refs of each prefix and the open tasks; what waits, and large projects, first."""
    waits = view.make_browse_filter(AtomFilter(statuses=("proposed",)))
    waiting = view.browse.list_refs(waits, MAX_WAITING)
    by_project = defaultdict[str, list[str]](list)
    for ref, _ in view.queries.list_refs():
        by_project[ref.rpartition("/")[0]].append(ref)
    projects = sorted(by_project, key=lambda each: -len(by_project[each]))
    refs = chain(waiting, *(by_project[each] for each in projects))
    found = _choose_names(refs, Counter(map(_cut_project, chain(*by_project.values()))))
    tasks = list_tasks(view, view.tree.list_projects(), OPEN_STATES).tasks
    found[PLACEHOLDER] = list(filter(None, projects))
    found[TASK] = [each.task.id for each in tasks if each.task.id]
    return found


def _choose_names(refs: Iterable[str], counts: Mapping[str, int]) -> dict[str, list[str]]:
    """Return the first refs of each prefix, without the project where one atom has the id."""
    found = defaultdict[str, list[str]](list)
    for ref in refs:
        ident = _cut_project(ref)
        names = found[ident.partition("-")[0]]
        name = ident if counts[ident] == 1 else ref
        if len(names) < MAX_NAMES and name not in names:
            names.append(name)
    return found


def _cut_project(ref: str) -> str:
    return ref.rpartition("/")[2]


def _rename(example: str, names: Names) -> str:
    """Return an example with names of the tree; empty if it has too few of a sort."""
    used = defaultdict[str, int](int)
    is_complete = True

    def replace(found: re.Match[str]) -> str:
        nonlocal is_complete
        sort = found[1] or (TASK if len(found[0]) == _TASK_DIGITS else PROPOSAL)
        known, at = names.get(sort, ()), used[sort]
        used[sort] += 1
        is_complete = is_complete and at < len(known)
        return known[at] if at < len(known) else ""

    text = _NAME.sub(replace, example)
    if PLACEHOLDER in text:
        text = text.replace(PLACEHOLDER, next(iter(names.get(PLACEHOLDER, ())), ""))
        is_complete = is_complete and bool(names.get(PLACEHOLDER))
    return text if is_complete else ""
