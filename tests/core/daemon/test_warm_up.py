"""Cold, warming, warm, degraded: and when work may begin."""

from __future__ import annotations

import pytest

from cortexfs.core.daemon.warm_up import (
    CANCELLED,
    UNWORDED,
    NotReadyReason,
    WarmUp,
    WarmUpState,
    begin_warm_up,
    cancel_warm_up,
    end_warm_up,
    find_not_ready_reason,
    is_ready_for_work,
    rate_wording,
)

NOW = 10_000.0
WARM = WarmUp(WarmUpState.WARM, bulletin_at=NOW)


def test_a_warm_up_ends_warm_or_degraded_with_its_error() -> None:
    warming = begin_warm_up(WarmUp())
    assert warming.state is WarmUpState.WARMING
    assert end_warm_up(warming).state is WarmUpState.WARM
    assert end_warm_up(warming, "disk full") == WarmUp(WarmUpState.DEGRADED, "disk full")
    assert begin_warm_up(end_warm_up(warming, "disk full")).error == ""


def test_a_cancelled_warm_up_is_degraded_and_a_finished_one_is_untouched() -> None:
    cancelled = cancel_warm_up(begin_warm_up(WarmUp()))
    assert (cancelled.state, cancelled.error) == (WarmUpState.DEGRADED, CANCELLED)
    for state in (WarmUpState.WARM, WarmUpState.COLD, WarmUpState.DEGRADED):
        assert cancel_warm_up(WarmUp(state)) == WarmUp(state)


@pytest.mark.parametrize(
    ("warm_up", "reason"),
    [
        (WARM, None),
        (WARM._replace(state=WarmUpState.COLD), NotReadyReason.STATE_NOT_WARM),
        (WARM._replace(state=WarmUpState.WARMING), NotReadyReason.STATE_NOT_WARM),
        (WARM._replace(state=WarmUpState.DEGRADED), NotReadyReason.STATE_NOT_WARM),
        (WARM._replace(needs_embeddings=True), NotReadyReason.EMBEDDING_NOT_READY),
        (WARM._replace(needs_embeddings=True, has_embeddings=True), None),
        (WARM._replace(bulletin_at=0.0), NotReadyReason.BULLETIN_MISSING),
        (WARM._replace(bulletin_at=NOW - 1800), None),
        (WARM._replace(bulletin_at=NOW - 1801), NotReadyReason.BULLETIN_STALE),
    ],
)
def test_work_may_begin_when_all_is_prepared(
    warm_up: WarmUp, reason: NotReadyReason | None
) -> None:
    assert find_not_ready_reason(warm_up, NOW, 900) is reason
    assert is_ready_for_work(warm_up, NOW, 900) is (reason is None)


def test_a_bulletin_is_not_stale_within_its_first_minute() -> None:
    assert is_ready_for_work(WARM, NOW + 60, 10)
    assert not is_ready_for_work(WARM, NOW + 61, 10)


def test_while_a_model_fails_to_word_the_bulletin_the_state_is_degraded() -> None:
    warm = WarmUp(WarmUpState.WARM, bulletin_at=5.0)
    degraded = rate_wording(warm, is_degraded=True)
    assert (degraded.state, degraded.error) == (WarmUpState.DEGRADED, UNWORDED)
    assert is_ready_for_work(degraded, 5.0, 900)
    assert rate_wording(degraded, is_degraded=False) == warm
    failed = WarmUp(WarmUpState.DEGRADED, "disk full")
    assert rate_wording(failed, is_degraded=False) == failed
    assert rate_wording(failed, is_degraded=True) == failed
