"""Keep an agent inside the rules of a tree: refuse a write, or say what is wrong with one.

    python -I -S guard.py ROOT NEEDLE... -- PACKAGES...

An event that holds none of the needles, or no name that a rule is about, is let go at once;
the others are judged by cortexfs, which lies in PACKAGES. This runs at every write, inside
somebody's waiting time; and whatever happens it exits 0: to the client, 2 means "block".
"""
# ruff: noqa: PLC0415 - an event about other things waits for no import

import sys

LIMIT = 64 << 20
"""Bytes of an event that are read; a longer one is let go."""

BEFORE = b'"PreToolUse"'
RULED = (
    b"STATUS.md ISSUES.md CORTEX.md mission.md roadmap.md OVERVIEW.md USER.md TASKS.yaml".split()
)
"""The names that are guarded before a write; after it every text of the tree is looked at."""


def hear(needles: list[str]) -> bytes:
    """Read an event to its end, or the client would write to nobody; keep it if it matters."""
    if sys.stdin is None or sys.stdin.isatty():
        return b""
    heard = sys.stdin.buffer.read(LIMIT) or b""
    while sys.stdin.buffer.read(LIMIT):
        heard = b""
    encoding = sys.getfilesystemencoding()
    wanted = (needle.encode(encoding, "surrogateescape") for needle in needles if needle)
    names = RULED if BEFORE in heard else (b".md", b".yaml")
    ours = any(needle in heard for needle in wanted) and any(name in heard for name in names)
    return heard if ours else b""


def judge(root: str, event: bytes, packages: list[str]) -> None:
    """Say what cortexfs says of an event, and end before Python has tidied up."""
    import gc
    import os

    gc.disable()  # it ends before it pays
    sys.path += packages  # behind Python's own: no package can stand in for one of these
    from cortexfs.interfaces.hooks.guard import answer

    said = answer(root, event)
    if said:
        sys.stdout.write(said + "\n")
        sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    root, *words = [*sys.argv[1:], "--"]
    end = words.index("--") if words else 0
    try:
        event = hear(words[:end])
        if event:
            judge(root, event, words[end + 1 : -1])
    except BaseException as error:  # noqa: BLE001 - a fault of ours must not stop anybody's work
        import os

        line = f"cortexfs: guard failed: {type(error).__name__}: {error}\n"
        try:  # noqa: SIM105 - contextlib would be one more import
            os.write(2, line.encode("utf-8", "backslashreplace"))
        except OSError:
            pass
        os._exit(0)
