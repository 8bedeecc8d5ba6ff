"""Start the guard in the interpreter of the installed cortexfs, for an event about the tree.

    python3 -I -S start_guard.py ROOT NEEDLE...

Other events end here. It always exits 0, even after an error: to the client 2 means "block".
"""

import os
import sys

GUARD = os.path.dirname(os.path.abspath(__file__)) + "/guard.py"
HEAD_BYTES = 4096
"""Bytes of the program `cortexfs` in which its interpreter is named."""


def load_guard():
    """Return the functions of the guard's script."""
    names = {"__name__": "guard"}
    with open(GUARD, "rb") as file:
        exec(compile(file.read(), GUARD, "exec"), names)
    return names


def find_interpreter():
    """Return the interpreter that the program `cortexfs` on the PATH names at its top."""
    for folder in os.environ.get("PATH", "").split(":"):
        path = folder + "/cortexfs"
        if folder.startswith("/") and os.path.isfile(path) and os.access(path, os.X_OK):
            with open(path, "rb") as file:
                head = os.fsdecode(file.read(HEAD_BYTES))
            return next(filter(is_interpreter, split_words(head)), None)
    return None


def split_words(head):
    """Return the words of a script's first lines: `#!/bin/python`, or `exec '/bin/python'`."""
    for sign in "!'\"":
        head = head.replace(sign, "\n")
    return head.split("\n")


def is_interpreter(word):
    """Return whether a word is the path of a Python."""
    return word.startswith("/") and "python" in os.path.basename(word) and os.access(word, os.X_OK)


def become_guard(python, event, words):
    """Replace this process by the guard, and give it the event again."""
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.close(reader)
        while event:
            event = event[os.write(writer, event) :]
        os._exit(0)
    os.close(writer)
    os.dup2(reader, 0)
    os.execv(python, [python, "-I", GUARD, *words, "--"])


if __name__ == "__main__":
    try:
        guard = load_guard()
        event = guard["read_event"]()
        guard["note_write"](event, sys.argv[1], os.path.dirname(GUARD))
        python = find_interpreter() if guard["is_relevant"](event, sys.argv[2:]) else None
        if python:
            become_guard(python, event, sys.argv[1:])
    except Exception as error:
        sys.stderr.write(f"cortexfs: guard failed: {type(error).__name__}: {error}\n")
