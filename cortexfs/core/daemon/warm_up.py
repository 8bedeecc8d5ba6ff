"""Whether the memory is ready for a new session: catalog read, bulletin rendered, model loaded."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

CANCELLED = "warm-up cancelled before completion"
UNWORDED = "the language model gave no valid wording for some lines of the bulletin"
MIN_STALE_S = 60.0
STALE_INTERVALS = 2
"""A bulletin is stale after two refresh intervals, and not before a minute."""


class WarmUpState(StrEnum):
    """How far the preparation has come."""

    COLD = "cold"
    WARMING = "warming"
    WARM = "warm"
    DEGRADED = "degraded"


class NotReadyReason(StrEnum):
    """Why work cannot begin with everything prepared."""

    STATE_NOT_WARM = "state_not_warm"
    EMBEDDING_NOT_READY = "embedding_not_ready"
    BULLETIN_MISSING = "bulletin_missing"
    BULLETIN_STALE = "bulletin_stale"


class WarmUp(NamedTuple):
    """The state, why it is degraded, and what it depends on.

    `bulletin_at` is when the bulletin was last found or made current (seconds; 0: never).
    """

    state: WarmUpState = WarmUpState.COLD
    error: str = ""
    bulletin_at: float = 0.0
    needs_embeddings: bool = False
    has_embeddings: bool = False


def begin_warm_up(warm_up: WarmUp) -> WarmUp:
    """Return the state at the start of a warm-up."""
    return warm_up._replace(state=WarmUpState.WARMING, error="")


def end_warm_up(warm_up: WarmUp, error: str = "") -> WarmUp:
    """Return the state after a warm-up: warm, or degraded with the error."""
    state = WarmUpState.DEGRADED if error else WarmUpState.WARM
    return warm_up._replace(state=state, error=error)


def cancel_warm_up(warm_up: WarmUp) -> WarmUp:
    """Return the state after the process was told to stop: only a running warm-up is affected."""
    if warm_up.state is not WarmUpState.WARMING:
        return warm_up
    return end_warm_up(warm_up, CANCELLED)


def rate_wording(warm_up: WarmUp, *, is_degraded: bool) -> WarmUp:
    """Return the state after a bulletin was rendered: degraded while the model fails to word it."""
    if is_degraded and warm_up.state is WarmUpState.WARM:
        return end_warm_up(warm_up, UNWORDED)
    if not is_degraded and warm_up.error == UNWORDED:
        return end_warm_up(warm_up)
    return warm_up


def find_not_ready_reason(warm_up: WarmUp, now: float, refresh_s: float) -> NotReadyReason | None:
    """Return why work cannot begin prepared; None if it can.

    A bulletin without the wording of a model is prepared: it stands as it was rendered.
    """
    if warm_up.state is not WarmUpState.WARM and warm_up.error != UNWORDED:
        return NotReadyReason.STATE_NOT_WARM
    if warm_up.needs_embeddings and not warm_up.has_embeddings:
        return NotReadyReason.EMBEDDING_NOT_READY
    if not warm_up.bulletin_at:
        return NotReadyReason.BULLETIN_MISSING
    if now - warm_up.bulletin_at > max(MIN_STALE_S, STALE_INTERVALS * refresh_s):
        return NotReadyReason.BULLETIN_STALE
    return None


def is_ready_for_work(warm_up: WarmUp, now: float, refresh_s: float) -> bool:
    """Return whether a session can begin with everything prepared."""
    return find_not_ready_reason(warm_up, now, refresh_s) is None
