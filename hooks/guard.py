"""Enforce the rules of a tree for an agent: deny a write, or report its problems.

    python -I -S guard.py ROOT NEEDLE... -- PACKAGES...

The event of a finished write, in any folder, is noted in the spool of ROOT. An event that contains
none of the needles then passes. For the others cortexfs is imported from PACKAGES and decides. This
runs at every write while the agent waits. It always exits 0, even after an error, because to the
client 2 means "block".
"""
# ruff: noqa: PLC0415 - irrelevant events do not wait for imports

import sys

MAX_EVENT_BYTES = 64 << 20
"""Maximum bytes of an event that are read; a longer one passes."""

BEFORE_WRITE_EVENTS = (b'"PreToolUse"', b'"BeforeTool"', b'"tool.execute.before"')
CHECKED_SUFFIXES = (b".md", b".yaml")
"""After a write these files are checked; before it any text may contain a secret."""


def read_event() -> bytes:
    """Read an event to its end, or the client's write fails; nothing in a session of our model."""
    import posix

    if sys.stdin is None or sys.stdin.isatty():
        return b""
    event = sys.stdin.buffer.read(MAX_EVENT_BYTES) or b""
    while sys.stdin.buffer.read(MAX_EVENT_BYTES):
        event = b""
    return b"" if b"CORTEXFS_SIDECAR" in posix.environ else event


def is_relevant(event: bytes, needles: "list[str]") -> bool:
    """Return whether a rule of the tree may concern the event."""
    encoding = sys.getfilesystemencoding()
    wanted = (needle.encode(encoding, "surrogateescape") for needle in needles if needle)
    marks = (*BEFORE_WRITE_EVENTS, *CHECKED_SUFFIXES)
    return any(needle in event for needle in wanted) and any(mark in event for mark in marks)


def note_write(event: bytes, root: str, folder: str) -> None:
    """Note a finished write; where a file was edited tells what an agent works on."""
    if not event or any(mark in event for mark in BEFORE_WRITE_EVENTS):
        return
    sys.path.insert(0, folder)
    import event_json
    import spool_note

    try:
        note = event_json.shrink_event(event)
        if note:
            spool = spool_note.open_spool(f"{root}/.cortexfs/spool", make=True)
            spool_note.deliver_event(note, spool)
    except OSError:  # no tree, or a full disk: the guard still answers
        pass
    finally:
        sys.path.remove(folder)


def judge_event(root: str, event: bytes, packages: list[str]) -> None:
    """Print the answer of cortexfs to an event, and exit without Python's clean-up."""
    import gc
    import os

    gc.disable()  # the process ends before a collection pays off
    sys.path += packages  # after Python's own, so that no package replaces a standard module
    from cortexfs.interfaces.hooks.guard import answer_event

    text = answer_event(root, event)
    if text:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    root, *words = [*sys.argv[1:], "--"]
    end = words.index("--") if words else 0
    try:
        event = read_event()
        if words[end + 1 : -1]:  # the plugin's guard has noted it before
            note_write(event, root, __file__.rpartition("/")[0])
        if is_relevant(event, words[:end]):
            judge_event(root, event, words[end + 1 : -1])
    except BaseException as error:  # noqa: BLE001 - a fault of ours must not stop anybody's work
        import os

        line = f"cortexfs: guard failed: {type(error).__name__}: {error}\n"
        try:  # noqa: SIM105 - contextlib would be one more import
            os.write(2, line.encode("utf-8", "backslashreplace"))
        except OSError:
            pass
        os._exit(0)
    import posix

    posix._exit(0)  # noqa: SLF001 - nothing is buffered, and Python's own end takes a millisecond
