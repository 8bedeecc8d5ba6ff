"""JSON is found wherever a model puts it, and nothing of another form is accepted."""

from __future__ import annotations

import json
from typing import Any

from for_each import for_each
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.language_model.parse_answer import find_schema_flaw, parse_answer

SCHEMA = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "maxLength": 5},
        "tags": {"type": "array", "items": {"enum": ["a", "b"]}, "maxItems": 2},
        "count": {"type": "integer"},
    },
    "required": ["text"],
}


@for_each(
    [
        '{"text": "x"}',
        '```json\n{"text": "x"}\n```',
        'Sure! Here it is: {"text": "x"} Anything else?',
        '<think>{"text": "draft"}</think>\n{"text": "x"}',
        'Either {"other": 1} or {"text": "x"}',
        'in [brackets {"text": "x"}',
        '\ufeff{"text": "\u202ex"}',
    ]
)
def test_the_value_is_found_in_fences_and_prose(answer: str) -> None:
    parsed = parse_answer(answer, SCHEMA)
    assert (parsed.value, parsed.flaw) == ({"text": "x"}, "")


WRONG: list[tuple[str, str]] = [
    ("", "empty"),
    ("no idea", "holds no JSON"),
    ('{"text": ', "holds no JSON"),
    ("[" * 100_000, "holds no JSON"),
    ('{"text": NaN}', "holds no JSON"),
    ("[1]", "not of type object"),
    ('{"tags": []}', "lacks `text`"),
    ('{"text": 1}', "not of type string"),
    ('{"text": "longer"}', "longer than 5"),
    ('{"text": "x", "more": 1}', "unknown properties"),
    ('{"text": "x", "tags": ["c"]}', "none of the allowed"),
    ('{"text": "x", "tags": ["a", "a", "a"]}', "more than 2 items"),
    ('{"text": "x", "count": true}', "not of type integer"),
    ('{"text": "x", "count": 1.5}', "not of type integer"),
    ("x" * 300_000, "characters"),
]


@for_each(WRONG)
def test_any_other_form_is_a_flaw(case: tuple[str, str]) -> None:
    answer, flaw = case
    assert flaw in parse_answer(answer, SCHEMA).flaw


def test_without_a_schema_the_answer_is_its_text_without_invisible_characters() -> None:
    assert parse_answer(" \x1b[31mred\u200b ", None).text == "[31mred"


def test_deep_values_are_refused() -> None:
    deep: Any = "x"
    schema: dict[str, Any] = {}
    for _ in range(30):
        deep, schema = [deep], {"type": "array", "items": schema}
    assert "too deeply" in find_schema_flaw(deep, schema)


@given(st.text(max_size=200))
def test_no_text_is_an_exception(text: str) -> None:
    parsed = parse_answer(text, SCHEMA)
    assert parsed.flaw or parsed.value["text"] is not None


@given(st.text(max_size=5))
def test_what_was_encoded_is_found_again(text: str) -> None:
    shown = json.dumps({"text": text})
    assert parse_answer(f"So:\n```\n{shown}\n```\n", SCHEMA).value == {"text": text}
