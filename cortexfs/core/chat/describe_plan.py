"""A planned change as a person reads it before a confirmation, and as a digest to compare."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.plan_diff import format_diff
from cortexfs.core.text.plural import format_count

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from datetime import datetime

    from cortexfs.core.changes.plan import Plan

MAX_DIFF_LINES = 60
"""Maximum number of lines of differences that are shown."""

_TIME = re.compile(r"\d\d\d\d-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?|\b\d\d:\d\d UTC")
"""A time, as the program writes it."""


class PlanningTime(NamedTuple):
    """When a plan was made, in UTC: the times between are those of the change itself."""

    began: datetime
    ended: datetime

    def remove_from(self, text: str) -> str:
        """Return a text without the times at which the plan was made; any other one stays."""
        return _TIME.sub(lambda found: "" if self._includes(found[0]) else found[0], text)

    def _includes(self, time: str) -> bool:
        if time.endswith(" UTC"):
            return time[:5] in {f"{each:%H:%M}" for each in self}
        time = time.rstrip("Z").replace(" ", "T")
        began, ended = (f"{each:%Y-%m-%dT%H:%M:%S.%f}"[: len(time)] for each in self)
        return began <= time <= ended


def digest_plan(plan: Plan, made: PlanningTime) -> str:
    """Return a digest of what a plan changes; when it was made and derived files do not count."""
    writes = [
        (each.path, each.expected_text, made.remove_from(each.text))
        for each in plan.writes
        if not each.is_derived
    ]
    removes = [(each.path, each.expected_text) for each in plan.removes]
    appends = [(each.path, made.remove_from("".join(each.lines))) for each in plan.appends]
    content = json.dumps([plan.message, writes, removes, appends])
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def describe_plan(plan: Plan) -> str:
    """Return the subject of a plan and what it writes, cut to `MAX_DIFF_LINES` lines.

    Of files that follow from others only the number is shown.
    """
    derived = {each.path for each in plan.writes if each.is_derived}
    derived |= {path for path in plan.commit_paths if _is_list(path)}
    lines = list(_iter_lines(plan, derived))
    shown = lines[:MAX_DIFF_LINES]
    if cut := len(lines) - len(shown):
        shown.append(f"… {format_count(cut, 'more line')}")
    if derived:
        shown.append(f"and {format_count(len(derived), 'list')} of atoms or projects")
    return "\n".join([f"plan: {summarize_plan(plan)}", *shown])


def _iter_lines(plan: Plan, derived: Collection[str]) -> Iterator[str]:
    """Yield the lines of new files, the differences of changed ones, the paths of removed ones."""
    for write in plan.writes:
        if write.path in derived:
            continue
        if write.expected_text is None:
            yield f"new: {write.path}"
            yield from (f"+{line}" for line in write.text.rstrip().splitlines())
        else:
            yield from format_diff(write.path, write.expected_text, write.text).splitlines()
    yield from (f"removed: {gone.path}" for gone in plan.removes if gone.path not in derived)
    yield from (f"+{line}".rstrip() for added in plan.appends for line in added.lines)


def summarize_plan(plan: Plan) -> str:
    """Return the subject of a plan's commit."""
    return plan.message.partition("\n")[0]


def _is_list(path: str) -> bool:
    return path.rpartition("/")[2] in {"index.md", "OVERVIEW.md"}
