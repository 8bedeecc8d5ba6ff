"""A digest that stands for exactly one plan: what was shown is confirmed, and nothing else."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import PlanChanged

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from cortexfs.core.changes.plan import Plan

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


def digest_plans(plans: Sequence[Plan], made: PlanningTime) -> str:
    """Return a digest of what plans change; when they were made and derived files do not count."""
    return digest_changes([_list_changes(plan, made) for plan in plans])


def digest_changes(changes: object) -> str:
    """Return a digest of changes that JSON can express: lists, texts and None."""
    content = json.dumps(changes)
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def require_same_plan(shown: str, current: str) -> None:
    """Raise `PlanChanged` if the digest of what would be done is not that of what was shown."""
    if shown != current:
        raise PlanChanged


def _list_changes(plan: Plan, made: PlanningTime) -> list[object]:
    writes = [
        (each.path, each.expected_text, made.remove_from(each.text))
        for each in plan.writes
        if not each.is_derived
    ]
    removes = [(each.path, each.expected_text) for each in plan.removes]
    appends = [(each.path, made.remove_from("".join(each.lines))) for each in plan.appends]
    return [plan.message, writes, removes, appends]
