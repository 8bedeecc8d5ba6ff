"""Every field of an imported entry is searched for private parts and secrets."""

from __future__ import annotations

import pytest

from cortexfs.core.stores.clean_contents import clean_contents
from cortexfs.core.stores.stored_values import (
    StoreContents,
    StoredMemory,
    StoredPrompt,
    StoredSession,
    StoreFormat,
)

TOKEN = "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"
PRIVATE = "<private>Acme</private>"
MEMORY = StoredMemory("engram:1", "Title", "Content")
SESSION = StoredSession("s-1")
PROMPT = StoredPrompt("Fix it", "s-1")
FIELDS = [
    *((MEMORY, name) for name in ("title", "content", "type", "topic_key", "session_id", "tool")),
    *((SESSION, name) for name in ("session_id", "directory", "summary")),
    *((PROMPT, name) for name in ("content", "session_id")),
]


def clean(entry: StoredMemory | StoredSession | StoredPrompt) -> StoreContents:
    contents = StoreContents(StoreFormat.ENGRAM)
    match entry:
        case StoredMemory():
            contents = contents._replace(memories=(entry,))
        case StoredSession():
            contents = contents._replace(sessions=(entry,))
        case StoredPrompt():
            contents = contents._replace(prompts=(entry,))
    return clean_contents(contents, "", "general")


@pytest.mark.parametrize(("entry", "field"), FIELDS)
def test_an_entry_with_a_secret_in_any_field_is_left_out(
    entry: StoredMemory | StoredSession | StoredPrompt, field: str
) -> None:
    cleaned = clean(entry._replace(**{field: TOKEN}))
    assert (cleaned.memories, cleaned.sessions, cleaned.prompts) == ((), (), ())
    assert cleaned.broken[0].message == "it contains a token of GitHub"


@pytest.mark.parametrize(("entry", "field"), FIELDS)
def test_private_parts_of_every_field_are_redacted(
    entry: StoredMemory | StoredSession | StoredPrompt, field: str
) -> None:
    cleaned = clean(entry._replace(**{field: PRIVATE}))
    assert "Acme" not in repr(cleaned)
    assert "[REDACTED]" in repr(cleaned)


def test_tags_are_cleaned_too() -> None:
    assert clean(MEMORY._replace(tags=(PRIVATE,))).memories[0].tags == ("[REDACTED]",)
    assert clean(MEMORY._replace(tags=(TOKEN,))).memories == ()
