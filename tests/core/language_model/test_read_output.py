"""The answer and its tokens in what a program printed or a server sent."""

from __future__ import annotations

import json

from for_each import for_each

from cortexfs.core.language_model.model_types import FailedCall, RawAnswer, TokenCounts
from cortexfs.core.language_model.read_output import read_chat_completion, read_program_output

CLAUDE = {
    "type": "result",
    "subtype": "success",
    "is_error": False,
    "result": "hello",
    "usage": {"input_tokens": 9, "output_tokens": 2},
}


def test_of_claudes_result_the_text_is_the_answer() -> None:
    answer = read_program_output(json.dumps(CLAUDE).encode())
    assert answer == RawAnswer("hello", TokenCounts(9, 2))
    structured = json.dumps({**CLAUDE, "structured_output": {"a": 1}}).encode()
    assert read_program_output(structured) == RawAnswer('{"a": 1}', TokenCounts(9, 2))


@for_each([{"is_error": True}, {"result": None}])
def test_an_error_of_claude_is_no_answer(change: dict[str, object]) -> None:
    assert isinstance(read_program_output(json.dumps({**CLAUDE, **change}).encode()), FailedCall)


@for_each([b"hello", b'{"text": "x"}', b'{"type": ', b"{" * 100_000])
def test_other_output_is_the_answer_itself(output: bytes) -> None:
    assert read_program_output(output) == RawAnswer(output.decode())


@for_each(
    [b"", b"<html>", b"[]", b'{"choices": []}', b'{"choices": [{"message": {"content": 1}}]}']
)
def test_what_is_no_chat_completion_is_a_failure(body: bytes) -> None:
    assert isinstance(read_chat_completion(body), FailedCall)


@for_each([{}, {"usage": None}, {"usage": {"prompt_tokens": "9", "completion_tokens": -1}}])
def test_missing_or_wrong_tokens_are_none(more: dict[str, object]) -> None:
    document = {"choices": [{"message": {"content": "x"}}], **more}
    assert read_chat_completion(json.dumps(document).encode()) == RawAnswer("x")
