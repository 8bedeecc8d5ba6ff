"""What a session was shown: one file for each session or sub-agent, one hash in each line.

A session's id is untrusted text: the file has its hash as name.
"""

import posix
import time

import event_json
import hook_files

FOLDER = ("injection", "shown")
GIVEN_FOLDER = ("injection", "given")
"""The folder of the texts that were given, a file for each day since 1970, by its number."""
NS_OF_A_DAY = 86_400 * 10**9
MAX_NAME_CHARS = 200
BULLETIN_MARK, CORTEX_MD_MARK = "t", "m"
"""What the hash of a whole bulletin, and of a CORTEX.md, begins with: no hexadecimal digits."""
_OWNER_MARK = "o"
"""What the line before claimed marks begins with; the process id follows."""
_KEY = 0x636F72746578


class ShownRecord:
    """The record of one session in one tree, as read at the start of the hook."""

    def __init__(self, root: str, session: str, agent: str = "") -> None:
        self.root = root
        self.name = hash_text(f"{session}\0{agent}") if session else ""
        self.lines = self._read_lines()
        self.hashes = set(self.lines)

    def _read_lines(self) -> "list[str]":
        """Return the lines of the record as it is now."""
        if not self.name:
            return []
        size = 2 * hook_files.MAX_RECORD_BYTES
        content = hook_files.read_private_file(self.root, size, *FOLDER, self.name) or b""
        return content.decode("ascii", "replace").split()

    def has(self, text: str, mark: str = "") -> bool:
        """Return whether a text was shown."""
        return mark + hash_text(text) in self.hashes

    def last_bulletin(self) -> str:
        """Return the mark of the bulletin that was shown last; empty if none was."""
        return next((line for line in reversed(self.lines) if line[0] == BULLETIN_MARK), "")

    def add(self, marks: "list[str]", *, empty_first: bool = False) -> None:
        """Append marks; with `empty_first` everything earlier is forgotten."""
        if self.name and (marks or empty_first):
            line = "".join(f"{mark}\n" for mark in marks).encode()
            path = (*FOLDER, self.name)
            try:  # noqa: SIM105 - contextlib would be one more import
                hook_files.append_private_line(self.root, line, *path, empty_first=empty_first)
            except OSError:  # a read-only tree: better shown twice than never
                pass
        if empty_first:
            self.lines, self.hashes = [], set()
        self.lines += marks
        self.hashes.update(marks)

    def claim(self, marks: "list[str]") -> "list[str]":
        """Add marks; return those that no other hook has added meanwhile, to show what they mean.

        Calls of tools run side by side: of their hooks, the first to write a mark shows its text.
        """
        if not marks:
            return []
        ours = f"{_OWNER_MARK}{posix.getpid()}"
        self.add([ours, *marks])
        owner, owners = "", {}
        for line in self._read_lines():
            owner = line if line[0] == _OWNER_MARK else owner
            owners.setdefault(line, owner)
        return [mark for mark in marks if owners.get(mark, ours) == ours]


def hash_text(text: str) -> str:
    """Return 16 hexadecimal digits: the same for the same text, in each run of this Python."""
    content = text.encode("utf-8", "surrogatepass")
    try:
        from _imp import source_hash  # noqa: PLC0415 - built in, unlike the modules of hashlib
    except ImportError:
        from hashlib import blake2b  # noqa: PLC0415 - another Python

        return blake2b(content, digest_size=8).hexdigest()
    return source_hash(_KEY, content).hex()


def record_given(root: str, client: str, fields: "dict[str, object]", text: str) -> None:
    """Append a text that an agent was given, so that a person can read it later; never raises.

    A file for each day, which takes no more lines from 1 MiB on.
    """
    keys = ("hook_event_name", "session_id", "agent_id")
    values = {key: event_json.text_field(fields, key)[:MAX_NAME_CHARS] for key in keys}
    values["session_id"] = values["session_id"] or event_json.text_field(fields, "sessionID")
    now = time.time_ns()
    values |= {"client": client, "text": text}
    entries = [f'"{key}":{event_json.format_string(value)}' for key, value in values.items()]
    line = f'{{"ns":{now},{",".join(entries)}}}\n'.encode()
    try:  # noqa: SIM105 - contextlib would be one more import
        hook_files.append_private_line(root, line, *GIVEN_FOLDER, str(now // NS_OF_A_DAY))
    except OSError:  # a read-only tree: what was given is not known later
        pass
