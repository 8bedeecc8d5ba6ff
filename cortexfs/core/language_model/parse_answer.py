"""Find the JSON in what a model wrote, and compare it with the schema that was asked for."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from cortexfs.core.text.sanitize import strip_unprintable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.language_model.model_types import JsonSchema

MAX_CANDIDATES = 50
"""Maximum number of places in a text at which JSON is looked for."""
MAX_ANSWER_CHARS = 200_000
"""Maximum length of an answer that is read."""
MAX_DEPTH = 20
"""Maximum depth of the arrays and objects of an answer."""

_THOUGHTS = re.compile(r"\A\s*<(think|thinking|thought)>.*?</\1>", re.DOTALL)
_OPENING = re.compile(r"[\[{]")
_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}


class ParsedAnswer(NamedTuple):
    """An answer, or why it is not valid (`flaw`; empty: it is valid)."""

    text: str
    value: Any = None
    flaw: str = ""


def parse_answer(text: str, schema: JsonSchema | None) -> ParsedAnswer:
    """Return the answer in a text: the first JSON value that fits the schema, or else the text."""
    if len(text) > MAX_ANSWER_CHARS:
        return ParsedAnswer("", flaw=f"it has more than {MAX_ANSWER_CHARS} characters")
    text = strip_unprintable(_THOUGHTS.sub("", text)).strip()
    if not text:
        return ParsedAnswer("", flaw="it is empty")
    if schema is None:
        return ParsedAnswer(text)
    flaw = "it holds no JSON"
    for value in _list_values(text):
        problem = find_schema_flaw(value, schema)
        if not problem:
            return ParsedAnswer(text, value)
        flaw = problem if flaw == "it holds no JSON" else flaw
    return ParsedAnswer(text, flaw=flaw)


def _list_values(text: str) -> Iterator[Any]:
    """Yield the JSON values in a text: the whole text, or what stands in fences or prose."""
    decoder = json.JSONDecoder(parse_constant=_refuse_constant)
    at = tried = 0
    while tried < MAX_CANDIDATES and (opening := _OPENING.search(text, at)):
        tried += 1
        try:
            value, at = decoder.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            at = opening.end()
        else:
            yield value


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def find_schema_flaw(
    value: object, schema: JsonSchema, at: str = "the answer", depth: int = 0
) -> str:
    """Return how a value differs from a schema, or an empty text.

    Of JSON Schema are known: type, enum, properties, required, items, maxItems, maxLength. An
    object has no other properties than the listed ones.
    """
    if depth > MAX_DEPTH:
        return f"{at} is nested too deeply"
    expected = schema.get("type")
    if expected and not _has_type(value, expected):
        return f"{at} is not of type {expected}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{at} is none of the allowed values"
    longest = schema.get("maxLength", MAX_ANSWER_CHARS)
    if isinstance(value, str) and len(value) > longest:
        return f"{at} is longer than {longest} characters"
    if isinstance(value, list):
        return _find_array_flaw(value, schema, at, depth)
    return _find_object_flaw(value, schema, at, depth) if isinstance(value, dict) else ""


def _has_type(value: object, expected: str) -> bool:
    is_bool = isinstance(value, bool)
    return isinstance(value, _TYPES[expected]) and is_bool == (expected == "boolean")


def _find_array_flaw(value: list[object], schema: JsonSchema, at: str, depth: int) -> str:
    most = schema.get("maxItems", MAX_ANSWER_CHARS)
    if len(value) > most:
        return f"{at} has more than {most} items"
    items = schema.get("items", {})
    flaws = (
        find_schema_flaw(item, items, f"{at}[{number}]", depth + 1)
        for number, item in enumerate(value)
    )
    return next(filter(None, flaws), "")


def _find_object_flaw(value: dict[str, object], schema: JsonSchema, at: str, depth: int) -> str:
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            return f"{at} lacks `{name}`"
    if unknown := value.keys() - properties.keys():
        return f"{at} has {len(unknown)} unknown properties"
    flaws = (
        find_schema_flaw(value[name], properties[name], f"`{name}`", depth + 1)
        for name in properties
        if name in value
    )
    return next(filter(None, flaws), "")
