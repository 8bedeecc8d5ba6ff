"""Examples of what the chat understands, with the names of atoms and tasks of the tree."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from cortexfs.core.chat.parse_question import list_examples
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.tasks.task_readiness import OPEN_STATES
from cortexfs.operations.tasks.list_tasks import list_tasks
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.session.session import Session
    from cortexfs.session.view import View

    Names = Mapping[str, Sequence[str]]

TASK, PROPOSAL, PLACEHOLDER = "task", "proposal", "PROJECT"
_NAME = re.compile(r"\b([A-Z]{1,8})-\d+\b|\b[0-9a-f]{4}(?:[0-9a-f]{4})?\b")
_TASK_DIGITS = 4
MAX_WAITING = 10


def list_tree_examples(session: Session, *, of_changes: bool) -> list[str]:
    """Return an example of each request, without those that would name what the tree lacks."""
    with session.read(NeededContents.TEXTS) as view:
        names = _find_names(view)
    every = (_rename(text, names) for text in list_examples(of_changes=of_changes))
    return [text for text in every if text]


def _find_names(view: View) -> Names:
    """Return the refs of each prefix and the open tasks; what waits, and large projects, first."""
    refs = [ref for ref, _ in view.queries.list_refs()]
    waits = view.make_browse_filter(AtomFilter(statuses=("proposed",)))
    waiting = frozenset(view.browse.list_refs(waits, MAX_WAITING))
    sizes = defaultdict[str, int](int)
    ids = defaultdict[str, int](int)
    for ref in refs:
        project, _, ident = ref.rpartition("/")
        sizes[project] += 1
        ids[ident] += 1
    found = defaultdict[str, list[str]](list)

    def rank(ref: str) -> tuple[bool, int]:
        return ref not in waiting, -sizes[ref.rpartition("/")[0]]

    for ref in sorted(refs, key=rank):
        ident = ref.rpartition("/")[2]
        found[ident.partition("-")[0]].append(ident if ids[ident] == 1 else ref)
    tasks = list_tasks(view, view.tree.list_projects(), OPEN_STATES).tasks
    found[PLACEHOLDER] = sorted(filter(None, sizes), key=lambda each: -sizes[each])
    found[TASK] = [each.task.id for each in tasks if each.task.id]
    return found


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
