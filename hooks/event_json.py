"""Parse the events of clients, shorten them for notes, and format answers, without `json`.

`json` takes as long to import as Python to start; its two functions in C take a fraction of that.
"""
# ruff: noqa: PLC0415 - each import is needed in some runs alone

MAX_PLAIN_BYTES = 4096
"""Maximum bytes of an event that is noted as it is."""
MAX_PARSED_BYTES = 4 << 20
MAX_TEXT_CHARS = 2000
"""Maximum characters of each text in a shortened event."""
MAX_ENTRIES = 40
"""Maximum number of keys and list items at each level of a shortened event."""
MAX_LEVELS = 3
MAX_NUMBER = 1 << 53
MAX_DIGITS = 400
"""Maximum digits of an integer that is read: Python refuses to convert one with 4,301."""

LARGE_KEYS = {"tool_response", "content", "new_string", "old_string", "originalFile", "edits"}
"""Fields of tool calls with the text of files: which file it was stands in others."""


def _parse_int(digits: str) -> "int | None":
    """Return an integer; None for one that is too long, which must not lose the event."""
    return int(digits) if len(digits) <= MAX_DIGITS else None


class _Options:
    """What the scanner in C asks for: Python's own types, and control characters in strings."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = _parse_int
    parse_constant = float


def parse_event(event: bytes) -> "dict[str, object]":
    """Return the JSON object of an event; empty if it is none, or too long."""
    if not 0 < len(event) <= MAX_PARSED_BYTES:
        return {}
    try:
        fields = _parse_json(event.decode("utf-8", "replace").lstrip("\ufeff \t\r\n"))
    except (ValueError, RecursionError, StopIteration, SystemError):  # the last: no JSON, in C
        return {}
    return fields if isinstance(fields, dict) else {}


def _parse_json(text: str) -> object:
    try:
        from _json import make_scanner

        scan = make_scanner(_Options)
    except (ImportError, AttributeError, TypeError):
        import json

        return json.loads(text, strict=False, parse_int=_parse_int)
    return scan(text, 0)[0]


def text_field(fields: "dict[str, object]", key: str) -> str:
    """Return a field that is a text; else an empty one."""
    value = fields.get(key, "")
    return value if isinstance(value, str) else ""


def object_field(fields: "dict[str, object]", key: str) -> "dict[str, object]":
    """Return a field that is an object; else an empty one."""
    value = fields.get(key)
    return value if isinstance(value, dict) else {}


def shrink_event(
    event: bytes, fields: "dict[str, object] | None" = None, *, is_changed: bool = False
) -> bytes:
    """Return an event as it is noted: without the texts of files, and other texts cut.

    Empty if it is no JSON object. With `is_changed` the fields count, and not the event.
    """
    is_object = fields is not None or event.lstrip()[:1] == b"{"
    if is_object and not is_changed and len(event) <= MAX_PLAIN_BYTES:
        return event
    fields = parse_event(event) if fields is None else fields
    return _format_value(fields, 0).encode() if fields else b""


def _format_value(value: object, level: int) -> str:
    """Return the JSON of a value with its texts, lists and levels cut."""
    if isinstance(value, str):
        return format_string(value[:MAX_TEXT_CHARS])
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and abs(value) <= MAX_NUMBER:
        return str(value)
    if isinstance(value, list) and level < MAX_LEVELS:
        return "[" + ",".join(_format_value(each, level + 1) for each in value[:MAX_ENTRIES]) + "]"
    if not isinstance(value, dict) or level >= MAX_LEVELS:
        return "null"
    entries = [
        f"{format_string(key[:MAX_TEXT_CHARS])}:{_format_value(each, level + 1)}"
        for key, each in list(value.items())[:MAX_ENTRIES]
        if not (level and key in LARGE_KEYS) and key != "tool_response"
    ]
    return "{" + ",".join(entries) + "}"


def format_string(text: str) -> str:
    """Return a JSON string in ASCII."""
    try:
        from _json import encode_basestring_ascii
    except ImportError:
        from json import dumps as encode_basestring_ascii
    return encode_basestring_ascii(text)


def format_answer(event_name: str, context: str) -> str:
    """Return the JSON with which a hook gives a client a text for its model."""
    name, text = format_string(event_name), format_string(context)
    return f'{{"hookSpecificOutput":{{"hookEventName":{name},"additionalContext":{text}}}}}\n'
