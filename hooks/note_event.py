"""Write one hook event to the spool and exit; the drain interprets it.

    python -I -S note_event.py SPOOL NEEDLE... [-- COMMAND...]
    python -I -S note_event.py --flush SPOOL [-- COMMAND...]

An event that contains one of the needles is delivered to SPOOL/new, and the CORTEX.md files above a
file that was read are printed once a session. Unless a process already waits, COMMAND is started,
which waits for quiet and then drains. `--flush` is for the end of a turn or session: any event with
a name is delivered, and COMMAND is started if notes wait: at the end of a session at once, whether
a process waits or not. This runs on every tool call while the agent waits. It always exits 0, even
after an error, because to the client 2 means "block".
"""
# ruff: noqa: PLC0415 - irrelevant events do not wait for imports

import sys

AFTER_CALL_MARKS = (b'"PostToolUse"', b'"AfterTool"', b'"callID"')
"""What stands in the event of a finished tool call; that of OpenCode has no name."""
MAX_EVENT_BYTES = 1 << 20
"""Maximum bytes of an event that are kept: the request comes before the response."""


def read_event() -> bytes:
    """Read an event to its end, or the client's write fails."""
    if sys.stdin is None or sys.stdin.isatty():
        return b""
    event = sys.stdin.buffer.read(MAX_EVENT_BYTES) or b""
    while sys.stdin.buffer.read(MAX_EVENT_BYTES):
        pass
    return event


def has_needle(event: bytes, needles: "list[str]") -> bool:
    """Return whether an event contains one of the needles."""
    encoding = sys.getfilesystemencoding()
    wanted = (needle.encode(encoding, "surrogateescape") for needle in needles if needle)
    return any(needle in event for needle in wanted)


def handle_event(event: bytes, path: str, words: "list[str]", *, flushes: bool) -> None:
    """Deliver an event, and offer the CORTEX.md files above what was read."""
    import posix

    if b"CORTEXFS_SIDECAR" in posix.environ:  # a model that we started must not fire our hooks
        return
    sys.path.insert(0, __file__.rpartition("/")[0])
    import spool_note

    end = words.index("--") if words else 0
    command = words[end + 1 : -1]
    if flushes:
        import event_json

        is_event = b'"hook_event_name"' in event
        note = event_json.shrink_event(event) if is_event else b""
        spool_note.flush_notes(note, path, command)
        return
    spool_note.note_event(event, path, command)
    if any(mark in event for mark in AFTER_CALL_MARKS):
        import cortex_md_chain

        cortex_md_chain.print_chain(event, path)


if __name__ == "__main__":
    flushes = sys.argv[1:2] == ["--flush"]
    path, *words = [*sys.argv[1 + flushes :], "--"]
    import posix

    try:
        event = read_event()
        if flushes or has_needle(event, words[: words.index("--")] if words else []):
            handle_event(event, path, words, flushes=flushes)
    except BaseException as error:  # noqa: BLE001 - a fault of ours must not stop anybody's work
        line = f"cortexfs: hook failed: {type(error).__name__}: {error}\n"
        try:  # noqa: SIM105 - contextlib would be one more import
            posix.write(2, line.encode("utf-8", "backslashreplace"))
        except OSError:
            pass
    posix._exit(0)  # noqa: SLF001 - nothing is buffered, and Python's own end takes a millisecond
