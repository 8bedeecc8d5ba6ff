"""A configured model may smooth the bulletin; the rendered one stands whenever it cannot."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from scripted_model import Scripted, configure_model, make_timing, say, send, serve_model

from cortexfs.operations.smooth_bulletin import SmoothedBulletin, WordingState, smooth_bulletin

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RENDERED = """\
## Open blockers: 1 of 1
- Marta has not sent the licence of the data set yet (flywheel/DEC-002, 2026-05-01)

## Observations: 1 of 9
- The codec takes 31 % less time (flywheel/OBS-001, 2026-05-02)
"""
REFS = ("flywheel/DEC-002", "flywheel/OBS-001")
SMOOTH = """\
## Open blockers: 1 of 1
- The licence of the data set: Marta has not sent it yet (flywheel/DEC-002, 2026-05-01)

## Observations: 1 of 9
- 31 % less time for the codec (flywheel/OBS-001, 2026-05-02)
"""


@pytest.fixture
def server() -> Iterator[Scripted]:
    with serve_model() as scripted:
        yield scripted


@pytest.fixture
def environ(tmp_path: Path, server: Scripted) -> dict[str, str]:
    return configure_model(tmp_path, endpoint=server.url, name="tiny", timeout=30)


def smooth(environ: dict[str, str], text: str = RENDERED, **more: bool) -> SmoothedBulletin:
    return smooth_bulletin(
        text,
        REFS,
        environ,
        max_words=100,
        timing=make_timing([]),
        **more,
    )


def answer_with(text: str) -> str:
    return json.dumps({"text": text})


def test_without_a_model_the_rendered_bulletin_is_the_bulletin(tmp_path: Path) -> None:
    environ = {"XDG_CONFIG_HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}
    assert smooth(environ) == SmoothedBulletin(RENDERED, WordingState.RENDERED)
    assert [path.name for path in tmp_path.iterdir()] == ["home"]


def test_a_good_text_is_used_and_while_nothing_changes_no_call_is_made(
    environ: dict[str, str], server: Scripted
) -> None:
    server.replies += [say(f"Sure:\n```json\n{answer_with(SMOOTH.strip())}\n```"), send({}, 500)]
    for _ in range(5):
        assert smooth(environ) == SmoothedBulletin(SMOOTH, WordingState.SMOOTHED)
    assert len(server.requests) == 1
    instructions, text = (message["content"] for message in server.requests[0]["messages"])
    assert text == RENDERED.strip()
    assert "At most 100 words" in instructions


def test_a_change_of_the_bulletin_makes_the_next_call(
    environ: dict[str, str], server: Scripted
) -> None:
    server.replies += [say(answer_with(SMOOTH))] * 2
    smooth(environ)
    changed = smooth(environ, RENDERED.replace("31 %", "32 %"))
    assert len(server.requests) == 2
    assert changed.state is WordingState.DEGRADED  # this answer is of the earlier text


def test_an_invented_ref_degrades_the_bulletin_and_is_not_asked_for_again(
    environ: dict[str, str], server: Scripted
) -> None:
    server.replies.append(say(answer_with(SMOOTH.replace("OBS-001", "OBS-007"))))
    for _ in range(3):
        assert smooth(environ) == SmoothedBulletin(
            RENDERED,
            WordingState.DEGRADED,
            "the model's text was refused: the ref flywheel/OBS-007 was not given",
        )
    assert len(server.requests) == 1


def test_a_model_that_fails_degrades_the_bulletin(
    environ: dict[str, str], server: Scripted
) -> None:
    server.replies.append(send({}, 404))
    smoothed = smooth(environ)
    assert (smoothed.text, smoothed.state) == (RENDERED, WordingState.DEGRADED)
    assert "status 404" in smoothed.reason


def test_a_caller_that_cannot_wait_gets_the_stored_text_or_the_rendered_one(
    environ: dict[str, str], server: Scripted
) -> None:
    assert smooth(environ, may_call=False) == SmoothedBulletin(
        RENDERED, WordingState.RENDERED, "this question was not asked yet"
    )
    server.replies.append(say(answer_with(SMOOTH)))
    smooth(environ)
    assert smooth(environ, may_call=False).state is WordingState.SMOOTHED
    assert len(server.requests) == 1


def test_by_default_it_has_no_more_words_than_before(
    environ: dict[str, str], server: Scripted
) -> None:
    server.replies.append(say(answer_with(SMOOTH)))
    smoothed = smooth_bulletin(RENDERED, REFS, environ, timing=make_timing([]))
    words = len(RENDERED.split())
    assert f"At most {words} words" in server.requests[0]["messages"][0]["content"]
    assert (
        smoothed.reason
        == f"the model's text was refused: it has {words + 1} words; the limit is {words}"
    )


def test_a_secret_is_neither_sent_nor_shown_by_a_smoothed_text(
    environ: dict[str, str], server: Scripted
) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    text = RENDERED.replace("31 % less", f"{token} less")
    server.replies.append(say(answer_with(text.replace(token, "[secret]"))))
    smoothed = smooth(environ, text)
    assert smoothed.state is WordingState.SMOOTHED
    assert "[secret] less" in smoothed.text
    assert token not in json.dumps(server.requests)


def test_without_refs_nothing_is_asked(environ: dict[str, str], server: Scripted) -> None:
    text = "# Bulletin\n\nThere is nothing yet.\n"
    assert smooth(environ, text) == SmoothedBulletin(text, WordingState.RENDERED)
    assert not server.requests
