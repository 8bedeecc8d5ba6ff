"""A configured model may reword the bulletin; what it cannot do well stays as rendered."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from model_server import Scripted, configure_model, make_timing, say, send, serve_model

from cortexfs.operations.smooth_bulletin import (
    SmoothedBulletin,
    WordingState,
    smooth_bulletins,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RENDERED = """\
## Open blockers: 1 of 1
- Marta has not sent the licence of the data set yet (flywheel/DEC-002, 2026-05-01)

## Observations: 1 of 9
- It was seen that the codec takes 31 % less time (flywheel/OBS-001, 2026-05-02)

More: `cortexfs brief --budget 2000`.
"""
REFS = ("flywheel/DEC-002", "flywheel/OBS-001")
_, BLOCKER, _, _, OBSERVATION, *_ = RENDERED.split("\n")
BETTER_BLOCKER = "- Marta has not sent licence of data set yet (flywheel/DEC-002, 2026-05-01)"
BETTER_OBSERVATION = "- The codec takes 31 % less time (flywheel/OBS-001, 2026-05-02)"
SMOOTH = RENDERED.replace(BLOCKER, BETTER_BLOCKER).replace(OBSERVATION, BETTER_OBSERVATION)


@pytest.fixture
def server() -> Iterator[Scripted]:
    with serve_model() as scripted:
        yield scripted


@pytest.fixture
def environ(tmp_path: Path, server: Scripted) -> dict[str, str]:
    return configure_model(tmp_path, endpoint=server.url, name="tiny", timeout=30)


def smooth(environ: dict[str, str], text: str = RENDERED, **more: bool) -> SmoothedBulletin:
    return smooth_bulletins({"": text}, REFS, environ, timing=make_timing([]), **more)[""]


def answer_with(*lines: str) -> str:
    return json.dumps({"answers": lines})


def read_question(server: Scripted, number: int) -> Any:
    return json.loads(server.requests[number]["messages"][1]["content"])["texts"]


def test_without_a_model_the_rendered_bulletin_is_the_bulletin(tmp_path: Path) -> None:
    environ = {"XDG_CONFIG_HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}
    assert smooth(environ) == SmoothedBulletin(RENDERED, WordingState.RENDERED)
    assert [path.name for path in tmp_path.iterdir()] == ["home"]


def test_good_lines_are_used_and_while_nothing_changes_no_call_is_made(
    environ: dict[str, str], server: Scripted
) -> None:
    answer = answer_with(BETTER_BLOCKER, BETTER_OBSERVATION)
    server.replies += [say(f"Sure:\n```json\n{answer}\n```"), send({}, 500)]
    for _ in range(5):
        assert smooth(environ) == SmoothedBulletin(SMOOTH, WordingState.SMOOTHED)
    assert len(server.requests) == 1
    assert read_question(server, 0) == [BLOCKER, OBSERVATION]


def test_of_a_changed_bulletin_only_new_lines_are_asked_for(
    environ: dict[str, str], server: Scripted
) -> None:
    server.replies += [
        say(answer_with(BETTER_BLOCKER, BETTER_OBSERVATION)),
        say(answer_with(BETTER_OBSERVATION.replace("31", "32"))),
    ]
    smooth(environ)
    changed = smooth(environ, RENDERED.replace("31 %", "32 %"))
    assert changed == SmoothedBulletin(SMOOTH.replace("31 %", "32 %"), WordingState.SMOOTHED)
    assert read_question(server, 1) == [OBSERVATION.replace("31", "32")]


def test_several_bulletins_make_one_call_for_the_lines_that_they_share(
    environ: dict[str, str], server: Scripted
) -> None:
    server.replies.append(say(answer_with(BETTER_BLOCKER, BETTER_OBSERVATION)))
    texts = {"a": RENDERED, "b": f"# B\n{OBSERVATION}\n", "c": "# nothing yet\n"}
    smoothed = smooth_bulletins(texts, REFS, environ, timing=make_timing([]))
    assert smoothed == {
        "a": SmoothedBulletin(SMOOTH, WordingState.SMOOTHED),
        "b": SmoothedBulletin(f"# B\n{BETTER_OBSERVATION}\n", WordingState.SMOOTHED),
        "c": SmoothedBulletin("# nothing yet\n", WordingState.RENDERED),
    }
    assert len(server.requests) == 1


def test_many_lines_are_asked_for_in_several_calls_up_to_the_budget(
    tmp_path: Path, server: Scripted
) -> None:
    environ = configure_model(tmp_path, endpoint=server.url, name="tiny", calls_per_day=2)
    lines = [f"- The codec is really slow on day {day} (flywheel/OBS-001)" for day in range(100)]
    better = [line.replace("really ", "") for line in lines]
    server.replies += [say(answer_with(*better[:40])), say(answer_with(*better[40:80]))]
    smoothed = smooth(environ, "\n".join(lines))
    assert smoothed == SmoothedBulletin(
        "\n".join([*better[:80], *lines[80:]]),
        WordingState.DEGRADED,
        "all calls of the day are used",
    )


def test_a_line_with_an_invented_ref_stays_as_rendered_and_is_not_asked_for_again(
    environ: dict[str, str], server: Scripted
) -> None:
    invented = BETTER_OBSERVATION.replace("OBS-001", "OBS-007")
    server.replies.append(say(answer_with(BETTER_BLOCKER, invented)))
    for _ in range(3):
        assert smooth(environ) == SmoothedBulletin(
            RENDERED.replace(BLOCKER, BETTER_BLOCKER),
            WordingState.DEGRADED,
            "1 of 2 lines are as rendered: the ref flywheel/OBS-007 was not given",
        )
    assert len(server.requests) == 1


def test_another_number_of_lines_than_asked_for_is_no_answer(
    environ: dict[str, str], server: Scripted
) -> None:
    server.replies.append(say(answer_with(BETTER_BLOCKER)))
    for _ in range(3):
        assert smooth(environ) == SmoothedBulletin(
            RENDERED, WordingState.DEGRADED, "the model gave 1 answer about 2 texts"
        )
    assert len(server.requests) == 1


def test_a_model_that_fails_degrades_the_bulletin(
    environ: dict[str, str], server: Scripted
) -> None:
    server.replies.append(send({}, 404))
    smoothed = smooth(environ)
    assert (smoothed.text, smoothed.state) == (RENDERED, WordingState.DEGRADED)
    assert "status 404" in smoothed.reason


def test_a_caller_that_cannot_wait_gets_the_stored_lines_or_the_rendered_ones(
    environ: dict[str, str], server: Scripted
) -> None:
    assert smooth(environ, may_call=False) == SmoothedBulletin(
        RENDERED, WordingState.RENDERED, "this question was not asked yet"
    )
    server.replies.append(say(answer_with(BETTER_BLOCKER, BETTER_OBSERVATION)))
    smooth(environ)
    assert smooth(environ, may_call=False).state is WordingState.SMOOTHED
    assert len(server.requests) == 1


def test_a_model_that_is_removed_from_the_settings_leaves_nothing(
    environ: dict[str, str], server: Scripted, tmp_path: Path
) -> None:
    server.replies.append(say(answer_with(BETTER_BLOCKER, BETTER_OBSERVATION)))
    smooth(environ)
    (tmp_path / "config/cortexfs/config.yaml").unlink()
    assert smooth(environ) == SmoothedBulletin(RENDERED, WordingState.RENDERED)


def test_a_secret_is_neither_sent_nor_shown_in_a_reworded_line(
    environ: dict[str, str], server: Scripted
) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    text = RENDERED.replace("31 % less", f"{token} less")
    reworded = BETTER_OBSERVATION.replace("31 %", "[secret]")
    server.replies.append(say(answer_with(BETTER_BLOCKER, reworded)))
    smoothed = smooth(environ, text)
    assert smoothed.state is WordingState.SMOOTHED
    assert reworded in smoothed.text
    assert token not in json.dumps(server.requests)
