"""Give an agent what the tree has prepared for it, and note the event.

    python -I -S inject_context.py --client=NAME SPOOL REAL_ROOT [-- COMMAND...]

Prints the project's bulletin at the start of a session or sub-agent, and what matches a prompt, in
the form that the client takes; only text that was rendered before. Each event is delivered to SPOOL
as a note. Where no bulletin was rendered yet, COMMAND is started, which drains and renders. It
always exits 0, even after an error, because to the client 2 means "block".
"""

import sys

MAX_EVENT_BYTES = 4 << 20
"""Maximum bytes of an event that are used; a longer one is ignored."""


def read_event() -> bytes:
    """Read an event to its end, or the client's write fails."""
    if sys.stdin is None or sys.stdin.isatty():
        return b""
    event = sys.stdin.buffer.read(MAX_EVENT_BYTES + 1) or b""
    while sys.stdin.buffer.read(MAX_EVENT_BYTES):
        pass
    return event if len(event) <= MAX_EVENT_BYTES else b""


if __name__ == "__main__":
    import posix

    try:
        event = read_event()
        sys.path.insert(0, __file__.rpartition("/")[0])
        import inject_event

        inject_event.answer_event(event, sys.argv[1:])
    except BaseException as error:  # noqa: BLE001 - a fault of ours must not stop anybody's work
        line = f"cortexfs: hook failed: {type(error).__name__}: {error}\n"
        try:  # noqa: SIM105 - contextlib would be one more import
            posix.write(2, line.encode("utf-8", "backslashreplace"))
        except OSError:
            pass
    posix._exit(0)  # noqa: SLF001 - nothing is buffered, and Python's own end takes a millisecond
