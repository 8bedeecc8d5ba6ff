"""What a session gets from the tree: its project's bulletin, and matches for a prompt."""

import posix

import context_block
import event_json
import hook_files
from shown_record import BULLETIN_MARK, ShownRecord, hash_text
from working_folder import ProjectMap, is_file_name

BULLETINS = ("injection", "bulletins")
TREE_BULLETIN = "_tree"
MAX_BULLETIN_BYTES = 1 << 18
SUBAGENT_CAP = 4_000
"""Maximum length of a sub-agent's bulletin: it has one task."""

FRESH_SOURCES = ("clear", "compact")
"""Sources of a session's start after which its context has nothing of ours any more."""
STATELESS_CLIENT = "opencode"
"""It does not keep the bulletin with the session: each process asks for it again."""
SOURCES = (
    "Paths are below {}. `cortexfs show REF`, or the tool cortex_show, gives the text of a ref."
)
"""How to read the sources of a bulletin: a session works in another folder."""
BEFORE_COMPACTION = (
    "The bulletin of cortexfs is given again after the compaction: leave it out of the summary, "
    "and keep the refs (such as project/K-001) of what was used."
)
"""For the summariser of Claude Code, in plain text: it refuses JSON there."""


class Place:
    """A tree, and the session in it that an event is about."""

    def __init__(self, client: str, roots: "list[str]", fields: "dict[str, object]") -> None:
        self.client = client
        self.root = roots[0]
        self.projects = ProjectMap(self.root)
        self.cwd = event_json.text_field(fields, "cwd")
        self.project = self.projects.find_project(self.cwd, roots)
        session = event_json.text_field(fields, "session_id")
        agent = event_json.text_field(fields, "agent_id")
        self.record = ShownRecord(self.root, session, agent)
        self.given = ""
        """The text that the event is answered with."""

    @property
    def is_off(self) -> bool:
        """Whether the settings switch injection off here."""
        return not self.projects.off.isdisjoint({"", self.project or None})

    @property
    def cap(self) -> int:
        """Maximum length of a block."""
        return context_block.CAPS.get(self.client, context_block.MIN_CAP)


def choose_context(name: str, place: Place, fields: "dict[str, object]") -> str:
    """Return what a client gets for an event: JSON or, before a compaction, text; else empty."""
    if place.is_off or posix.environ.get(b"CORTEXFS_BRIEF") == b"off":
        return ""
    text = ""
    if name == "SessionStart":
        text = _start_session(place, event_json.text_field(fields, "source"))
    elif name == "SubagentStart":
        text = _show_bulletin(place, SUBAGENT_CAP)
    elif name in {"UserPromptSubmit", "BeforeAgent"}:
        import prompt_matches  # noqa: PLC0415 - other events do not need it

        text = prompt_matches.show_matches(place, event_json.text_field(fields, "prompt"))
    elif name == "PreCompact" and place.client == "claude-code":
        place.given = BEFORE_COMPACTION if read_bulletin(place.root, place.project)[1] else ""
        return f"{place.given}\n" if place.given else ""
    place.given = text
    return event_json.format_answer(name, text) if text else ""


def _start_session(place: Place, source: str) -> str:
    """Return the bulletin at the start of a session; what it has seen already is left out."""
    if source in FRESH_SOURCES:
        place.record.add(["c"] if source == "compact" else [], empty_first=True)
    elif "c" in place.record.hashes and "p" not in place.record.hashes:
        place.record.add(["c"], empty_first=True)  # the text of the compaction was never sent
    return _show_bulletin(place, place.cap)


def _show_bulletin(place: Place, cap: int) -> str:
    """Return the bulletin as a block, and record it; only its new lines if one was shown before."""
    name, text = read_bulletin(place.root, place.project)
    if text is None:
        note_cold_start(place.root)
        return ""
    lines = context_block.clean_text(text).strip().split("\n")
    mark = f"{BULLETIN_MARK}{hash_text(text)}"
    last = "" if place.client == STATELESS_CLIENT else place.record.last_bulletin()
    if not text.strip() or last == mark:
        return ""
    if last:
        lines = select_new_lines(lines, place.record)
    command = f"`cortexfs brief --project {name}`" if name != TREE_BULLETIN else "`cortexfs brief`"
    sources = context_block.clean_text(SOURCES.format(place.root)).replace("\n", " ") + "\n\n"
    block = context_block.wrap_text(f"{sources}-", f"bulletin/{name}")
    frame = context_block.measure(block, place.client)
    lines = context_block.cut_lines(lines, cap - frame, place.client, command)
    if not lines:
        place.record.add([mark])
        return ""
    place.record.add([mark, *list_marks(lines, place.project)])
    return context_block.wrap_text(sources + "\n".join(lines), f"bulletin/{name}")


def read_bulletin(root: str, project: str) -> "tuple[str, str | None]":
    """Return name and text of the bulletin for a project, else for the tree; None: not rendered."""
    for name in (project, TREE_BULLETIN):
        if is_file_name(name) or name == TREE_BULLETIN:
            path = (*BULLETINS, f"{name}.md")
            content = hook_files.read_private_file(root, MAX_BULLETIN_BYTES, *path)
            if content is not None:
                return name, content.decode("utf-8", "replace")
    return project, None


def select_new_lines(lines: "list[str]", record: ShownRecord) -> "list[str]":
    """Return the lines that were not shown, each section with its heading."""
    found: list[str] = []
    heading = ""
    for line in lines:
        if line.startswith("#"):
            heading = line
        elif line.strip() and not record.has(line):
            found += ["", heading, line] if heading else [line]
            heading = ""
    return found


def list_marks(lines: "list[str]", project: str) -> "list[str]":
    """Return the marks of shown lines, and of the refs in them."""
    shown = {line for line in lines if line.strip() and not line.startswith("#")}
    for line in tuple(shown):
        shown.update(list_refs(line, project))
    return [hash_text(each) for each in sorted(shown)]


def list_refs(line: str, project: str) -> "list[str]":
    """Return the refs in a line, with their project: `K-001` is one of the session's project."""
    spaced = "".join(each if each.isalnum() or each in "-_/." else " " for each in line)
    words = [word.strip("./-_") for word in spaced.split() if "-" in word]
    refs = [word for word in words if word.rpartition("-")[2][:3].isdecimal()]
    return [ref if "/" in ref or not project else f"{project}/{ref}" for ref in refs]


def note_cold_start(root: str) -> None:
    """Count a session that started without a bulletin: one line of one byte."""
    path = ("injection", "cold")
    try:  # noqa: SIM105 - contextlib would be one more import
        hook_files.append_private_line(root, b"\n", *path)
    except OSError:  # a read-only tree
        pass
