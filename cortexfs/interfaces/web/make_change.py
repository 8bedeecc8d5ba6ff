"""Make the change that a form asks for, or show it: what was shown is done exactly, or nothing."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.errors import PlanChanged
from cortexfs.operations.preview_change import confirm_change, preview_change

if TYPE_CHECKING:
    from cortexfs.interfaces.web.panel_request import PanelRequest
    from cortexfs.operations.preview_change import Change

ResultT = TypeVar("ResultT")
ShownT_co = TypeVar("ShownT_co", covariant=True)
PREVIEW = "preview"
"""The step of a form that asks for a preview; any other one makes the change."""


class MadeChange(NamedTuple, Generic[ShownT_co]):
    """The result of an operation: of a dry run if `is_preview`, with the digest of its plan.

    `problem` says that another plan was shown before, so that nothing was done.
    """

    result: ShownT_co
    is_preview: bool = False
    digest: str = ""
    problem: PlanChanged | None = None

    @property
    def status(self) -> HTTPStatus:
        """The status of a page that shows it."""
        return HTTPStatus.CONFLICT if self.problem else HTTPStatus.OK


def make_change(request: PanelRequest, change: Change[ResultT]) -> MadeChange[ResultT]:
    """Make a change, or preview it if the form asks for that or shows another plan.

    A form without a digest has shown no plan.
    """
    problem = None
    if request.field("step") != PREVIEW:
        try:
            return MadeChange(_apply(request, change))
        except PlanChanged as error:
            problem = error
    planned = preview_change(request.session, change)
    return MadeChange(planned.result, is_preview=True, digest=planned.digest, problem=problem)


def _apply(request: PanelRequest, change: Change[ResultT]) -> ResultT:
    if digest := request.field("digest"):
        return confirm_change(request.session, change, digest).result
    return change(request.session, ExecutionMode.COMMIT)
