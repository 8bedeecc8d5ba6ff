from __future__ import annotations

import pytest

from cortexfs.core.tools.tool_arguments import (
    MAX_TEXT_CHARS,
    ArgumentType,
    Parameter,
    parse_arguments,
    to_input_schema,
)
from cortexfs.errors import Usage

PARAMETERS = (
    Parameter("title", required=True),
    Parameter("topic_key"),
    Parameter("scope", choices=("project", "personal"), default="project"),
    Parameter("limit", ArgumentType.INTEGER, default=10),
    Parameter("weight", ArgumentType.NUMBER, default=1.0),
    Parameter("hard", ArgumentType.FLAG, default=False),
    Parameter("id", ArgumentType.REF),
    Parameter("tags", ArgumentType.TEXTS, default=()),
)


def test_arguments_that_are_not_given_have_their_defaults() -> None:
    found = parse_arguments({"title": "T", "topic_key": None}, PARAMETERS)
    assert (found.text("topic_key"), found.text("scope"), found.integer("limit")) == (
        "",
        "project",
        10,
    )
    assert found.text_if_given("topic_key") is None
    assert found.text_if_given("title") == "T"
    assert (found.number("weight"), found.flag("hard"), found.texts("tags")) == (1.0, False, ())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "title is required"),
        ({"title": None}, "title is required"),
        ({"title": "  "}, "title is empty"),
        ({"title": 3}, "title must be a string, not `3`"),
        ({"title": {"a": 1}}, "title must be a string, not an object"),
        ({"title": "T", "scope": "global"}, "scope cannot be `global`"),
        ({"title": "T", "limit": "many"}, "limit must be an integer, not `many`"),
        ({"title": "T", "limit": 1.5}, "limit must be an integer, not `1.5`"),
        ({"title": "T", "limit": True}, "limit must be an integer, not true"),
        ({"title": "T", "limit": "9" * 400}, "limit must be an integer"),
        ({"title": "T", "weight": float("nan")}, "weight must be a number"),
        ({"title": "T", "weight": []}, "weight must be a number, not a list"),
        ({"title": "T", "hard": "perhaps"}, "hard must be true or false"),
        ({"title": "T", "id": 0}, "id must be 1 or more"),
        ({"title": "T", "id": []}, "id must be an integer, not a list"),
        ({"title": "T", "tags": 3}, "tags must be a list of strings"),
        ({"title": "T", "tags": [3]}, "tags must be a string"),
        ({"title": "T", "tags": ["a"] * 101}, "tags has 101 items"),
        ({"title": "\ud83d"}, "title is not valid Unicode"),
        ({"title": "T" * (MAX_TEXT_CHARS + 1)}, "title has 1000001 characters"),
        ({"title": "T", "topic-key": "a"}, "no argument named `topic-key`"),
        ({"title": "T", "titel": "a"}, "no argument named `titel`"),
    ],
)
def test_a_bad_argument_is_named(given: dict[str, object], message: str) -> None:
    with pytest.raises(Usage) as refused:
        parse_arguments(given, PARAMETERS)
    assert str(refused.value).startswith(message)


def test_numbers_and_flags_may_be_given_as_text() -> None:
    given = {"title": "T", "limit": "5", "weight": "2.5", "hard": "TRUE", "tags": "a,b"}
    found = parse_arguments(given, PARAMETERS)
    assert (found.integer("limit"), found.number("weight"), found.flag("hard")) == (5, 2.5, True)
    assert found.texts("tags") == ("a", "b")


@pytest.mark.parametrize("typed", [117, 117.0, "117", "#117", " 117 "])
def test_an_id_may_be_a_number_or_a_text(typed: object) -> None:
    assert parse_arguments({"title": "T", "id": typed}, PARAMETERS).text("id") == "117"


def test_a_ref_is_taken_as_it_is() -> None:
    found = parse_arguments({"title": "T", "id": "flywheel/OBS-117"}, PARAMETERS)
    assert found.text("id") == "flywheel/OBS-117"


def test_arguments_of_other_servers_are_ignored() -> None:
    assert parse_arguments({"title": "T", "confidence": 0.9}, PARAMETERS).text("title") == "T"


def test_the_schema_holds_type_choices_and_default() -> None:
    schema = to_input_schema(PARAMETERS)
    assert schema["required"] == ["title"]
    properties = schema["properties"]
    assert isinstance(properties, dict)
    assert properties["scope"] == {
        "type": "string",
        "enum": ["project", "personal"],
        "default": "project",
    }
    assert properties["id"] == {"anyOf": [{"type": "integer"}, {"type": "string"}]}
    assert properties["tags"] == {"type": "array", "items": {"type": "string"}}
