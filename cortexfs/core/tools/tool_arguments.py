"""Arguments of tools: declared once, for the JSON schema and for the check of a call."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.text.nearest_names import nearest_names
from cortexfs.core.text.sanitize import truncate_line
from cortexfs.errors import Usage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_TEXT_CHARS = 1_000_000
"""Maximum characters of one argument."""
MAX_ITEMS = 100
"""Maximum number of items of a list."""
MAX_INTEGER = 2**53
"""The largest integer that every JSON parser keeps."""


class ArgumentType(StrEnum):
    """The types that arguments have."""

    TEXT = "string"
    INTEGER = "integer"
    NUMBER = "number"
    FLAG = "boolean"
    REF = "ref"
    """A number or a ref of an atom."""
    TEXTS = "array"


class Parameter(NamedTuple):
    """One declared argument of a tool; `default` is the value of one that is not given."""

    name: str
    type: ArgumentType = ArgumentType.TEXT
    description: str = ""
    required: bool = False
    default: str | float | bool | tuple[str, ...] = ""
    choices: tuple[str, ...] = ()

    def to_schema(self) -> dict[str, object]:
        """Return the JSON schema of the argument."""
        schema: dict[str, object] = {"type": str(self.type)}
        if self.type is ArgumentType.REF:
            schema = {"anyOf": [{"type": "integer"}, {"type": "string"}]}
        if self.type is ArgumentType.TEXTS:
            schema["items"] = {"type": "string"}
        if self.choices:
            schema["enum"] = list(self.choices)
        if self.default not in ("", (), False):
            schema["default"] = self.default
        if self.description:
            schema["description"] = self.description
        return schema


@dataclass(frozen=True, slots=True)
class Arguments:
    """The checked arguments of a call, with the defaults of those not given."""

    values: Mapping[str, object]
    given: frozenset[str]

    def text(self, name: str) -> str:
        """Return a text."""
        return str(self.values[name])

    def text_if_given(self, name: str) -> str | None:
        """Return a text; None if the call does not have it."""
        return self.text(name) if name in self.given else None

    def integer(self, name: str) -> int:
        """Return an integer."""
        value = self.values[name]
        return int(value) if isinstance(value, int | float) else 0

    def number(self, name: str) -> float:
        """Return a number."""
        value = self.values[name]
        return float(value) if isinstance(value, int | float) else 0.0

    def flag(self, name: str) -> bool:
        """Return whether a flag is set."""
        return bool(self.values[name])

    def texts(self, name: str) -> tuple[str, ...]:
        """Return the items of a list."""
        value = self.values[name]
        return tuple(map(str, value)) if isinstance(value, tuple) else ()


def to_input_schema(parameters: Sequence[Parameter]) -> dict[str, object]:
    """Return the JSON schema of a tool's arguments."""
    schema: dict[str, object] = {
        "type": "object",
        "properties": {each.name: each.to_schema() for each in parameters},
    }
    if required := [each.name for each in parameters if each.required]:
        schema["required"] = required
    return schema


def parse_arguments(given: Mapping[str, object], parameters: Sequence[Parameter]) -> Arguments:
    """Check the arguments of a call; raises `Usage` with the name of a bad one.

    Arguments that no tool declares are ignored, because the prompts of other servers may have
    them, unless the name is nearly that of a declared argument.
    """
    known = [each.name for each in parameters]
    present = {name: value for name, value in given.items() if value is not None}
    for name in present:
        if name not in known and (close := nearest_names(name, [*known, *map(_dashed, known)])):
            raise Usage(
                f"no argument named `{truncate_line(name, 60)}`",
                hint=f"did you mean `{close[0].replace('-', '_')}`?",
            )
    values = {each.name: _parse(present.get(each.name), each) for each in parameters}
    return Arguments(values, frozenset(present).intersection(known))


def _dashed(name: str) -> str:
    return name.replace("_", "-")


def _parse(value: object, wanted: Parameter) -> object:
    if value is None:
        if wanted.required:
            raise Usage(f"{wanted.name} is required")
        return wanted.default
    match wanted.type:
        case ArgumentType.TEXT:
            return _parse_choice(_parse_text(value, wanted), wanted)
        case ArgumentType.REF:
            return _parse_ref(value, wanted)
        case ArgumentType.INTEGER | ArgumentType.NUMBER:
            return _parse_number(value, wanted)
        case ArgumentType.FLAG:
            return _parse_flag(value, wanted)
        case ArgumentType.TEXTS:
            return _parse_texts(value, wanted)


def _parse_text(value: object, wanted: Parameter) -> str:
    if not isinstance(value, str):
        raise Usage(f"{wanted.name} must be a string, not {_describe(value)}")
    if len(value) > MAX_TEXT_CHARS:
        raise Usage(
            f"{wanted.name} has {len(value)} characters; the limit is {MAX_TEXT_CHARS}",
            hint="shorten it",
        )
    if wanted.required and not value.strip():
        raise Usage(f"{wanted.name} is empty")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise Usage(f"{wanted.name} is not valid Unicode: it has half a character") from None
    return value


def _parse_choice(text: str, wanted: Parameter) -> str:
    choice = text.strip().lower()
    if not wanted.choices or choice in wanted.choices:
        return choice if wanted.choices else text
    if not choice and not wanted.required:
        return str(wanted.default)
    raise Usage(
        f"{wanted.name} cannot be `{truncate_line(text, 60)}`",
        hint=f"it is one of: {', '.join(wanted.choices)}",
    )


def _parse_ref(value: object, wanted: Parameter) -> str:
    """Return a ref as text: `117`, also of `#117` and 117.0."""
    if isinstance(value, str):
        return _parse_text(value, wanted).strip().removeprefix("#")
    number = _parse_number(value, wanted)
    if number < 1:
        raise Usage(f"{wanted.name} must be 1 or more")
    return str(number)


def _parse_number(value: object, wanted: Parameter) -> float:
    number = _to_number(value)
    if number is None or not isfinite(number):
        kind = "a number" if wanted.type is ArgumentType.NUMBER else "an integer"
        raise Usage(f"{wanted.name} must be {kind}, not {_describe(value)}")
    if wanted.type is ArgumentType.NUMBER:
        return number
    if number != int(number) or abs(number) > MAX_INTEGER:
        raise Usage(f"{wanted.name} must be an integer, not {_describe(value)}")
    return int(number)


def _to_number(value: object) -> float | None:
    """Return a number, also of a text such as `10`; None if it is not one."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None


def _parse_flag(value: object, wanted: Parameter) -> bool:
    words = {"true": True, "false": False}
    found = value if isinstance(value, bool) else words.get(str(value).lower())
    if found is None:
        raise Usage(f"{wanted.name} must be true or false, not {_describe(value)}")
    return found


def _parse_texts(value: object, wanted: Parameter) -> tuple[str, ...]:
    """Return the items of a list; a single text is a list of one, cut at commas."""
    items = [each for each in value.split(",") if each] if isinstance(value, str) else value
    if not isinstance(items, list):
        raise Usage(f"{wanted.name} must be a list of strings, not {_describe(value)}")
    if len(items) > MAX_ITEMS:
        raise Usage(f"{wanted.name} has {len(items)} items; the limit is {MAX_ITEMS}")
    return tuple(_parse_text(each, wanted).strip() for each in items)


def _describe(value: object) -> str:
    """Return a value as an error shows it."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float() | str():
            return f"`{truncate_line(str(value), 60)}`"
        case list():
            return "a list"
        case _:
            return "an object"
