"""An endpoint is asked within limits; whatever it does, the result is an answer or a reason."""

from __future__ import annotations

import json
import socket
import time
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from model_server import (
    NOON,
    Scripted,
    configure_model,
    cut,
    endless,
    make_timing,
    say,
    send,
    serve_model,
    state_file,
)

from cortexfs.core.language_model.model_types import (
    FailureReason,
    ModelAnswer,
    ModelFailure,
    ModelRequest,
)
from cortexfs.language_model import call_endpoint
from cortexfs.language_model.ask_model import ask_model

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from model_server import Reply

SCHEMA = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}
REQUEST = ModelRequest("test", "1", "Say the text.", "some text", SCHEMA)
GOOD = '{"text": "fine"}'
KEY = "sk-very-secret-0123456789"
FAST = {"timeout": 5}


PATIENCE_S = 15
"""Seconds that a call may take on a slow machine; a server that hangs takes 20."""


@pytest.fixture
def server() -> Iterator[Scripted]:
    with serve_model() as scripted:
        yield scripted


def configure(home: Path, server: Scripted, **settings: object) -> dict[str, str]:
    return configure_model(home, **{"endpoint": server.url, "name": "tiny", **FAST, **settings})


def ask(
    environ: dict[str, str], request: ModelRequest = REQUEST, slept: list[float] | None = None
) -> ModelAnswer | ModelFailure:
    return ask_model(request, environ, timing=make_timing([] if slept is None else slept))


def fail(environ: dict[str, str], request: ModelRequest = REQUEST) -> ModelFailure:
    answer = ask(environ, request)
    assert isinstance(answer, ModelFailure), answer
    return answer


def read_log(home: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in state_file(home, "calls.jsonl").read_text().splitlines()]


def test_a_question_is_asked_once_and_then_answered_from_the_disk(
    tmp_path: Path, server: Scripted
) -> None:
    environ = configure(tmp_path, server)
    server.replies += [say(GOOD), say('{"text": "other"}')]
    assert ask(environ) == ModelAnswer(GOOD, {"text": "fine"})
    assert ask(environ) == ModelAnswer(GOOD, {"text": "fine"}, is_cached=True)
    assert len(server.requests) == 1
    other = ask(environ, REQUEST._replace(prompt_version="2"))
    assert isinstance(other, ModelAnswer)
    assert other.value == {"text": "other"}
    sent = server.requests[0]
    assert sent["model"] == "tiny"
    assert sent["response_format"]["json_schema"]["schema"] == SCHEMA
    assert [message["role"] for message in sent["messages"]] == ["system", "user"]
    assert sent["messages"][1]["content"] == "some text"


def test_without_json_schema_the_form_is_only_described(tmp_path: Path, server: Scripted) -> None:
    environ = configure(tmp_path, server, json_schema=False)
    server.replies.append(say(GOOD))
    assert isinstance(ask(environ), ModelAnswer)
    assert "response_format" not in server.requests[0]
    assert '"required": ["text"]' in server.requests[0]["messages"][0]["content"]


def test_secrets_and_private_parts_are_not_sent(tmp_path: Path, server: Scripted) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    text = f"see {token} and <private>my doctor</private>"
    environ = configure(tmp_path, server)
    server.replies.append(say(GOOD))
    ask(environ, REQUEST._replace(text=text))
    sent = server.requests[0]["messages"][1]["content"]
    assert sent == "see [secret] and [REDACTED]"


def test_a_key_is_sent_and_shown_nowhere(tmp_path: Path, server: Scripted) -> None:
    environ = configure(tmp_path, server, key_env="MY_KEY") | {"MY_KEY": f"{KEY}\n"}
    echo = {"error": {"message": f"Incorrect API key provided: {KEY}"}}
    server.replies += [send(echo, 401, Set_Cookie=KEY), say(GOOD)]
    failure = fail(environ)
    assert failure.message == "the model's server: it answered with status 401 (see key-env)"
    ask(environ)
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    stored = [path for path in (tmp_path / "state").rglob("*") if path.is_file()]
    assert len(stored) == 4
    assert not [path for path in stored if KEY in path.read_text()]


def test_a_variable_without_a_key_makes_no_call(tmp_path: Path, server: Scripted) -> None:
    environ = configure(tmp_path, server, key_env="MY_KEY")
    for value in ("", "two words", "line\nbreak", "caf\xe9"):
        failure = fail({**environ, "MY_KEY": value})
        assert failure.reason is FailureReason.INVALID_SETTINGS
        assert failure.message == "the environment variable MY_KEY holds no key"
    assert not server.requests


def test_an_invalid_answer_is_repaired_once(tmp_path: Path, server: Scripted) -> None:
    environ = configure(tmp_path, server)
    server.replies += [say("I think it is fine."), say(f"```json\n{GOOD}\n```")]
    answer = ask(environ)
    assert isinstance(answer, ModelAnswer)
    assert answer.value == {"text": "fine"}
    repair = server.requests[1]["messages"][1]["content"]
    assert "holds no JSON" in repair
    assert "I think it is fine." in repair


def test_an_answer_that_ignores_the_schema_twice_is_refused_and_not_asked_for_again(
    tmp_path: Path, server: Scripted
) -> None:
    environ = configure(tmp_path, server)
    server.replies += [say('{"words": 1}'), say('{"text": ["fine"]}'), say(GOOD)]
    failure = fail(environ)
    assert failure == (
        FailureReason.INVALID_ANSWER,
        "the model's answer is not valid: `text` is not of type string",
    )
    assert fail(environ) == failure
    assert len(server.requests) == 2


def test_a_server_that_is_busy_is_asked_again_not_before_it_says(
    tmp_path: Path, server: Scripted
) -> None:
    environ, slept = configure(tmp_path, server), list[float]()
    server.replies += [send({}, 429, Retry_After="2"), send({}, 500), say(GOOD)]
    assert isinstance(ask(environ, slept=slept), ModelAnswer)
    assert slept == [2, 0.5]


def test_after_two_retries_the_call_has_failed(tmp_path: Path, server: Scripted) -> None:
    environ = configure(tmp_path, server)
    server.replies += [send({}, 500)] * 9
    assert fail(environ).message == "the model's server: it answered with status 500"
    assert len(server.requests) == 3


def test_nothing_is_waited_for_beyond_the_deadline(tmp_path: Path, server: Scripted) -> None:
    environ = configure(tmp_path, server)
    server.replies += [send({}, 429, Retry_After="3600"), say(GOOD)]
    assert fail(environ).reason is FailureReason.BAD_STATUS
    assert fail(environ).reason is FailureReason.PAUSED  # the server asked for it
    assert len(server.requests) == 1


def test_an_error_of_ours_is_not_repeated(tmp_path: Path, server: Scripted) -> None:
    environ = configure(tmp_path, server)
    server.replies += [send({}, 404), say(GOOD)]
    assert "status 404 (see endpoint and name)" in fail(environ).message
    assert len(server.requests) == 1


def test_a_connection_that_breaks_in_the_middle_is_tried_again(
    tmp_path: Path, server: Scripted
) -> None:
    environ = configure(tmp_path, server)
    server.replies += [cut, say(GOOD)]
    assert isinstance(ask(environ), ModelAnswer)


def test_a_port_where_nobody_listens_is_a_broken_connection(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
        environ = configure_model(tmp_path, endpoint=url, name="tiny")
        failure = fail(environ)
    assert failure.reason is FailureReason.BROKEN_CONNECTION
    assert "ConnectionRefusedError" in failure.message
    assert [call["outcome"] for call in read_log(tmp_path)] == ["broken-connection"] * 3


def test_a_redirect_is_not_followed(tmp_path: Path, server: Scripted) -> None:
    environ = configure(tmp_path, server, key_env="MY_KEY") | {"MY_KEY": KEY}
    with serve_model(say(GOOD)) as elsewhere:
        server.replies.append(send({}, 307, Location=f"{elsewhere.url}/v1/chat/completions"))
        assert "redirects elsewhere" in fail(environ).message
        assert not elsewhere.requests


def test_an_endless_answer_is_cut_off(tmp_path: Path, server: Scripted) -> None:
    environ = configure(tmp_path, server)
    server.replies.append(endless)
    assert fail(environ).reason is FailureReason.TOO_LARGE


def test_a_slow_server_is_waited_for_until_the_deadline(tmp_path: Path, server: Scripted) -> None:
    environ = configure(tmp_path, server, timeout=0.2)
    server.replies.append(server.hang)
    start = time.monotonic()
    assert fail(environ).reason is FailureReason.TIMEOUT
    assert time.monotonic() - start < PATIENCE_S


def test_a_trickle_of_bytes_does_not_prolong_the_deadline(tmp_path: Path, server: Scripted) -> None:
    def trickle(handler: object) -> None:
        while not server.ended.wait(0.02):
            handler.wfile.write(b"HTTP")  # type: ignore[attr-defined]
            handler.wfile.flush()  # type: ignore[attr-defined]

    environ = configure(tmp_path, server, timeout=0.2)
    server.replies.append(trickle)
    start = time.monotonic()
    assert fail(environ).reason is FailureReason.TIMEOUT
    assert time.monotonic() - start < PATIENCE_S


NO_COMPLETIONS: list[Reply] = [send([]), send({"choices": []}), send({"choices": [{"text": "x"}]})]


def test_a_document_that_is_no_completion_is_a_failure(tmp_path: Path, server: Scripted) -> None:
    environ = configure(tmp_path, server)
    server.replies += NO_COMPLETIONS
    for _ in NO_COMPLETIONS:
        assert "no chat completion" in fail(environ).message


def test_after_three_failures_no_call_is_made_for_half_an_hour(
    tmp_path: Path, server: Scripted
) -> None:
    environ = configure(tmp_path, server)
    server.replies += [send({}, 404)] * 3 + [say(GOOD)]
    for _ in range(3):
        fail(environ)
    paused = fail(environ)
    assert paused == (FailureReason.PAUSED, "no calls until 12:30 UTC, after failures")
    assert len(server.requests) == 3
    later = make_timing([], NOON + timedelta(minutes=31))
    assert isinstance(ask_model(REQUEST, environ, timing=later), ModelAnswer)


def test_each_call_counts_before_it_is_made_retries_too(tmp_path: Path, server: Scripted) -> None:
    environ = configure(tmp_path, server, calls_per_day=2)
    counts: list[int] = []

    def note_count(handler: object) -> None:
        counts.append(json.loads(state_file(tmp_path, "state.json").read_text())["calls"])
        send({}, 500)(handler)  # type: ignore[arg-type]

    server.replies += [note_count, note_count, say(GOOD)]
    assert fail(environ).reason is FailureReason.BAD_STATUS
    assert counts == [1, 2]
    assert fail(environ).reason is FailureReason.BUDGET_USED
    tomorrow = make_timing([], NOON + timedelta(days=1))
    assert isinstance(ask_model(REQUEST, environ, timing=tomorrow), ModelAnswer)


def test_a_call_that_cannot_be_counted_is_not_made(tmp_path: Path, server: Scripted) -> None:
    environ = configure(tmp_path, server)
    state_file(tmp_path, "state.json").mkdir(parents=True)
    assert fail(environ).reason is FailureReason.STATE_UNUSABLE
    assert not server.requests


def test_the_log_tells_of_each_call_but_not_its_texts(tmp_path: Path, server: Scripted) -> None:
    environ = configure(tmp_path, server)
    server.replies += [send({}, 529), say(GOOD)]
    ask(environ)
    failed, answered = read_log(tmp_path)
    assert (failed["outcome"], failed["purpose"]) == ("bad-status", "test")
    assert answered | {"input_sha256": "", "seconds": 0} == {
        "at": "2026-05-06T12:00:00+00:00",
        "purpose": "test",
        "model": f"tiny ({server.url.removeprefix('http://')})",
        "input_sha256": "",
        "input_bytes": 9,
        "seconds": 0,
        "outcome": "answered",
        "answer_bytes": 16,
        "prompt_tokens": 12,
        "answer_tokens": 3,
    }
    assert "some text" not in state_file(tmp_path, "calls.jsonl").read_text()


def test_what_is_stored_is_private(tmp_path: Path, server: Scripted) -> None:
    environ = configure(tmp_path, server)
    server.replies.append(say(GOOD))
    ask(environ)
    for path in (tmp_path / "state/cortexfs").rglob("*"):
        assert path.stat().st_mode & 0o077 == 0, path
    assert len(list(state_file(tmp_path, "answers").iterdir())) == 1


def test_to_a_public_address_nothing_is_sent_without_encryption(
    tmp_path: Path, server: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No test has a public address to connect to, so that every address counts as one."""
    monkeypatch.setattr(call_endpoint, "is_private_address", lambda _: False)
    server.replies += [say(GOOD)] * 2
    environ = configure(tmp_path, server)
    assert fail(environ).reason is FailureReason.INVALID_SETTINGS
    assert not server.requests
    assert isinstance(ask(configure(tmp_path, server, insecure=True)), ModelAnswer)


def test_with_tls_the_proxy_of_the_environment_is_asked_for_a_tunnel(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        proxy.settimeout(5)
        port = proxy.getsockname()[1]
        environ = configure_model(
            tmp_path, endpoint="https://model.example/v1", name="x", key_env="MY_KEY", timeout=0.3
        )
        environ |= {"MY_KEY": KEY, "https_proxy": f"http://me:pass@127.0.0.1:{port}"}
        assert fail(environ).reason is FailureReason.TIMEOUT
        connected, _ = proxy.accept()
        with connected:
            sent = connected.recv(4096).decode()
    assert sent.startswith("CONNECT model.example:443 ")
    assert "Proxy-Authorization: Basic bWU6cGFzcw==" in sent
    assert KEY not in sent
