"""Offer the CORTEX.md files above a file of the tree that was read: leaf first, once a session."""

import posix

import context_block
import event_json
import hook_files
from shown_record import CORTEX_MD_MARK, ShownRecord, hash_text, record_given

NAMES = ("CORTEX.md", "CORTEX.local.md")
MAX_BYTES = 200 << 10
"""Maximum bytes of a file that is offered."""
MAX_DEPTH = 20
BUDGET_BYTES = 9_500
"""Maximum bytes of an answer: the smallest cap of a client is 10,000."""
LIST_BYTES = 1500
"""Bytes of it that the list of files without room may take."""
_OWN_COMMENTS = ("<!-- cortexfs:", "<!-- /cortexfs:")
"""The lines around what a command writes into a CORTEX.md, the same in each."""
MAX_WORDS = 50
"""Maximum number of words of a shell command that are tried as paths."""
SHELLS = ("Bash", "bash", "run_shell_command")
READERS = ("Read", "read", "read_file")
_SEPARATORS = "".join(map(chr, range(33))) + "'\"`;|&<>()="


def print_chain(event: bytes, spool: str) -> None:
    """Print the answer to the event of a read, if there is any."""
    if b"CORTEXFS_BRIEF" in posix.environ and posix.environ[b"CORTEXFS_BRIEF"] == b"off":
        return
    fields = event_json.parse_event(event)
    root = spool.rpartition("/")[0].rpartition("/")[0]
    path = find_read_path(fields, root)
    if not path:
        return
    session = event_json.text_field(fields, "session_id") or event_json.text_field(
        fields, "sessionID"
    )
    agent = event_json.text_field(fields, "agent_id")
    text = offer_chain(root, path, ShownRecord(root, session, agent))
    if text:
        name = event_json.text_field(fields, "hook_event_name") or "PostToolUse"
        posix.write(1, event_json.format_answer(name, text).encode())
        record_given(root, "", fields, text)


def find_read_path(fields: "dict[str, object]", root: str) -> str:
    """Return the path below the root of the file that a tool call read; empty if there is none."""
    tool = event_json.text_field(fields, "tool_name") or event_json.text_field(fields, "tool")
    given = event_json.object_field(fields, "tool_input") or event_json.object_field(fields, "args")
    cwd = event_json.text_field(fields, "cwd") or event_json.text_field(fields, "directory")
    if tool in READERS:
        path = event_json.text_field(given, "file_path") or event_json.text_field(given, "filePath")
        return to_tree_path(path, cwd, root)
    if tool not in SHELLS:
        return ""
    command = event_json.text_field(given, "command")[:4000]
    words = command.translate(dict.fromkeys(map(ord, _SEPARATORS), " ")).split()
    for word in words[:MAX_WORDS]:
        path = to_tree_path(word, cwd, root) if "." in word and word[0] != "-" else ""
        if path and _read_status(f"{root}/{path}"):
            return path
    return ""


def to_tree_path(path: str, cwd: str, root: str) -> str:
    """Return a path below the root; empty for one outside, or with steps that lead back."""
    home = posix.environ.get(b"HOME", b"").decode("utf-8", "replace")
    full = home + path[1:] if path[:2] == "~/" else path
    full = full if full[:1] == "/" else f"{cwd}/{path}"
    if "\0" in full:
        return ""
    steps = [step for step in full.split("/") if step not in {"", "."}]
    for base in (root, _resolve(root)):
        above = [step for step in base.split("/") if step]
        if ".." not in steps and steps[: len(above)] == above:
            return "/".join(steps[len(above) :])
    return ""


def _resolve(root: str) -> str:
    """Return the real path of the root, as clients name it that resolve links."""
    try:
        here = posix.open(root, posix.O_RDONLY | posix.O_DIRECTORY | posix.O_CLOEXEC)
        try:
            return posix.readlink(f"/proc/self/fd/{here}")
        finally:
            posix.close(here)
    except OSError:
        return root


def _read_status(path: str) -> "posix.stat_result | None":
    """Return the status of a regular file; None if it is something else, a link too."""
    try:
        status = posix.lstat(path)
    except (OSError, ValueError):
        return None
    return status if hook_files.is_regular(status.st_mode) else None


def list_chain(root: str, path: str) -> "list[tuple[str, str]]":
    """Return path and stamp of each CORTEX.md from a file's folder up to the root, leaf first."""
    steps = path.split("/")[:-1]
    if ".cortexfs" in steps or ".git" in steps:
        return []
    found = []
    for depth in range(len(steps), max(-1, len(steps) - MAX_DEPTH), -1):
        for name in NAMES:
            each = "/".join((*steps[:depth], name))
            status = _read_status(f"{root}/{each}")
            if status and status.st_size <= MAX_BYTES:
                found.append((each, CORTEX_MD_MARK + hash_text(f"{each} {status.st_mtime_ns}")))
    return found


def offer_chain(root: str, path: str, record: ShownRecord) -> str:
    """Return the files that the session has not seen, and record those whose text is in it.

    Files without room are listed, and offered again at the next read.
    """
    chain = [(each, mark) for each, mark in list_chain(root, path) if mark not in record.hashes]
    if path.rpartition("/")[2] in NAMES:
        record.add([mark for each, mark in chain if each == path])
        return ""
    if not chain:
        return ""
    parts: dict[str, str] = {}
    rest = ""
    left = BUDGET_BYTES - LIST_BYTES
    for number, (each, mark) in enumerate(chain):
        text = _read_text(root, each)
        part = f"## {context_block.clean_text(each)}\n\n{text}\n"
        left -= len(part.encode("utf-8", "replace"))
        if left < 0:
            rest = _format_list(root, [name for name, _ in chain[number:]])
            break
        parts[mark] = part if text else ""
    shown = [parts[mark] for mark in record.claim(list(parts))] + [rest]
    text = "\n".join(part for part in shown if part)
    return context_block.wrap_text(text, "CORTEX.md") if text else ""


def _format_list(root: str, names: "list[str]") -> str:
    """Return the line that names the files for which there was no room."""
    paths = [context_block.clean_text(f"{root}/{name}") for name in names]
    line = "Not shown for lack of room, more general ones last: "
    while (
        len(line.encode("utf-8", "replace"))
        + sum(len(path.encode("utf-8", "replace")) + 2 for path in paths)
        > LIST_BYTES - CUT_BYTES
    ):
        paths.pop()
    return line + ", ".join(paths)


CUT_BYTES = 300
"""Bytes for the tags and the preface around the files."""


def _read_text(root: str, path: str) -> str:
    """Return the cleaned text of a file below the root; no step of its path is a link."""
    flags = posix.O_RDONLY | posix.O_DIRECTORY | posix.O_NOFOLLOW | posix.O_CLOEXEC
    at = -1
    try:
        at = posix.open(root, flags & ~posix.O_NOFOLLOW)
        *folders, name = path.split("/")
        for step in folders:
            inner = posix.open(step, flags, dir_fd=at)
            posix.close(at)
            at = inner
        content = hook_files.read_file(at, name, MAX_BYTES) or b""
    except OSError:
        content = b""
    finally:
        if at >= 0:
            posix.close(at)
    lines = content.decode("utf-8", "replace").split("\n")
    text = "\n".join(line for line in lines if not line.startswith(_OWN_COMMENTS))
    return context_block.clean_text(text).strip()
