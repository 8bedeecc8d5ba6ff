"""Answer one event of a session: print the text for its agent, and deliver its note."""

import posix

import event_json
import spool_note

PRINTED_EVENTS = {"SessionStart", "SubagentStart", "UserPromptSubmit", "BeforeAgent", "PreCompact"}
"""The events that a client may get an answer to; the others are only noted."""

HOOK_CONTEXT_END = "</hook_context>"
"""Gemini CLI puts what a session got at its start before the first prompt, in the event too."""


def answer_event(event: bytes, words: "list[str]") -> None:
    """Print the answer to an event, then deliver it; nothing in a session of our own model."""
    if b"CORTEXFS_SIDECAR" in posix.environ:
        return
    fields = event_json.parse_event(event)
    client, (spool, real, *rest) = words[0].partition("=")[2], words[1:]
    name = event_json.text_field(fields, "hook_event_name")
    if not name:
        return
    prompt = event_json.text_field(fields, "prompt")
    is_wrapped = HOOK_CONTEXT_END in prompt
    if is_wrapped:
        fields["prompt"] = prompt.rpartition(HOOK_CONTEXT_END)[2].lstrip()
    root = spool.rpartition("/")[0].rpartition("/")[0]
    try:
        if name in PRINTED_EVENTS:
            _print_context(client, [root, real], name, fields)
    finally:  # whatever was prepared: it can come with a clone
        note = event_json.shrink_event(event, fields, is_changed=is_wrapped)
        if name == "SessionStart" and rest[:1] == ["--"]:
            spool_note.note_event(note, spool, rest[1:])
        else:
            spool_note.deliver_event(note, spool_note.open_spool(spool, make=True))


def _print_context(client: str, roots: "list[str]", name: str, fields: "dict[str, object]") -> None:
    import session_context  # noqa: PLC0415 - most events need no answer
    from shown_record import record_given  # noqa: PLC0415

    place = session_context.Place(client, roots, fields)
    text = session_context.choose_context(name, place, fields)
    content = text.encode("utf-8", "replace")
    while content:
        content = content[posix.write(1, content) :]
    if place.given:
        record_given(place.root, client, fields, place.given)
