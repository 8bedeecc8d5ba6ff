"""Recognize the format of a store, and parse it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from cortexfs.core.stores import (
    parse_conversations,
    parse_engram,
    parse_mem0,
    parse_memory_graph,
)
from cortexfs.core.stores.export_document import EXPORT_KEY, parse_export
from cortexfs.core.stores.stored_values import BrokenEntry, StoreContents, StoreFormat
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.core.stores.export_document import ExportDocument
    from cortexfs.core.stores.json_fields import Json

STORE_SUFFIXES = (".json", ".jsonl")
_NO_FORMAT_HINT = f"name it with --format: {', '.join(StoreFormat)}"


class StoreJson:
    """The JSON of a file: one document, or one value for each line.

    Raises `Refused` if the text is not JSON.
    """

    __slots__ = ("document", "lines", "unread")

    def __init__(self, text: str) -> None:
        self.document: Json = None
        self.lines: list[tuple[str, Json]] = []
        self.unread: list[BrokenEntry] = []
        try:
            self.document = _parse_json(text)
        except ValueError as error:
            self._parse_lines(text)
            if not self.lines:
                raise Refused(
                    f"the file is not JSON: {error}", hint="import Markdown from a folder"
                ) from None

    def _parse_lines(self, text: str) -> None:
        for number, line in enumerate(text.split("\n"), start=1):
            if line.strip():
                try:
                    self.lines.append((f"line {number}", _parse_json(line)))
                except ValueError:
                    self.unread.append(BrokenEntry(f"line {number}", "it is not JSON"))

    def iter_lines(self) -> Iterator[tuple[str, Json]]:
        """Yield each line with its place; a document of one line is a line too."""
        yield from self.lines
        if self.document is not None:
            yield "line 1", self.document


def parse_any_store(
    file: StoreJson, form: StoreFormat | None = None, headings: Sequence[str] = ()
) -> StoreContents | ExportDocument:
    """Return the contents of a store of another program, or of our own export.

    Raises `Refused` if the file does not have the format, or none fits.
    """
    form = form or recognize_format(file)
    if form is StoreFormat.CORTEXFS and isinstance(file.document, dict):
        return parse_export(file.document)
    return parse_store(file, form, headings)


def parse_store(file: StoreJson, form: StoreFormat, headings: Sequence[str] = ()) -> StoreContents:
    """Return the contents of a store; one broken entry never stops the others.

    `headings` name sections of learnings in conversations, beside our own.
    Raises `Refused` if the file does not have the format.
    """
    if form is StoreFormat.MEMORY_JSON:
        return parse_memory_graph.parse_memory_graph(file.iter_lines(), file.unread)
    if form is StoreFormat.ENGRAM and isinstance(file.document, dict):
        return parse_engram.parse_engram(file.document)
    if form is StoreFormat.MEM0:
        document = [line for _, line in file.lines] if file.lines else file.document
        return parse_mem0.parse_mem0(document)
    if form in {StoreFormat.CLAUDE, StoreFormat.CHATGPT} and isinstance(file.document, list):
        is_claude = form is StoreFormat.CLAUDE
        parse = parse_conversations.parse_claude if is_claude else parse_conversations.parse_chatgpt
        return parse(file.document, headings)
    raise Refused(f"the file does not have the format {form}", hint=_NO_FORMAT_HINT)


def recognize_format(file: StoreJson) -> StoreFormat:
    """Return the format of a file; raise `Refused` if none fits."""
    document = file.document
    if isinstance(document, dict):
        if EXPORT_KEY in document:
            return StoreFormat.CORTEXFS
        if "observations" in document and "sessions" in document:
            return StoreFormat.ENGRAM
        if isinstance(document.get("results"), list) or isinstance(document.get("memories"), list):
            return StoreFormat.MEM0
    entries = document if isinstance(document, list) else [line for _, line in file.iter_lines()]
    for entry in entries:
        if isinstance(entry, dict) and (form := _recognize_entry(entry)):
            return form
    raise Refused("the format of the file is unknown", hint=_NO_FORMAT_HINT)


def _recognize_entry(entry: dict[str, Json]) -> StoreFormat | None:
    if "chat_messages" in entry:
        return StoreFormat.CLAUDE
    if "mapping" in entry:
        return StoreFormat.CHATGPT
    if "memory" in entry and "id" in entry:
        return StoreFormat.MEM0
    is_graph = entry.get("type") in {parse_memory_graph.ENTITY, parse_memory_graph.RELATION}
    return StoreFormat.MEMORY_JSON if is_graph else None


def _parse_json(text: str) -> Json:
    """Return the value of a JSON text; raise `ValueError` also for one that is nested too deep."""
    try:
        value: Json = json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    return value
