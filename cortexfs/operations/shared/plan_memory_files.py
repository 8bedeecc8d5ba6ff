"""Plan the files of new memories: numbers, paths, the session that they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.kinds import SESSION_KIND
from cortexfs.core.atoms.tree_paths import is_personal_path, kind_folder, personal_folder
from cortexfs.core.changes.plan import Plan, Write
from cortexfs.core.checks.secrets import refuse_secrets
from cortexfs.core.memory.emitted_text import strip_emitted_text
from cortexfs.core.memory.memory_record import (
    ACTIVE_SESSION,
    PERSONAL_SCOPE,
    PROJECT_SCOPE,
)
from cortexfs.core.memory.memory_text import format_memory_text, format_time
from cortexfs.core.memory.redact_private import redact_private
from cortexfs.core.text.sanitize import strip_unprintable, to_one_line
from cortexfs.errors import Refused
from cortexfs.operations.shared.cortex_md_and_overview import add_derived_writes
from cortexfs.operations.shared.resolve_names import require_kind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.changes.plan import Remove
    from cortexfs.core.memory.memory_record import MemoryRecord
    from cortexfs.session.view import View

MAX_CONTENT_CHARS = 65_536
"""Maximum characters of the content of a memory."""
MAX_TITLE_CHARS = 200
MAX_ID_CHARS = 200


def clean_content(text: str, what: str) -> str:
    """Return a text as it may be stored: without private parts, emitted memories and escapes.

    Raises `Refused` if nothing is left, or more than `MAX_CONTENT_CHARS`.
    """
    content = strip_emitted_text(redact_private(strip_unprintable(text))).strip()
    if not content:
        raise Refused(f"the {what} is empty", hint=f"give the {what} as text")
    if len(content) > MAX_CONTENT_CHARS:
        raise Refused(
            f"the {what} has {len(content)} characters; the limit is {MAX_CONTENT_CHARS}",
            hint="keep one fact in each memory, and name the file that has the rest",
        )
    return content


def clean_title(text: str) -> str:
    """Return a title on one line; raises `Refused` if it is empty."""
    title = clean_field(strip_emitted_text(text))
    if not title:
        raise Refused("the title is empty", hint="give a short title that one can search for")
    return title if len(title) <= MAX_TITLE_CHARS else f"{title[: MAX_TITLE_CHARS - 1]}…"


def clean_id(text: str) -> str:
    """Return the id that a client gave to a session, on one line."""
    return clean_field(text)[:MAX_ID_CHARS]


def clean_field(text: str) -> str:
    """Return a short text on one line, without private parts; raises `Refused` for a secret.

    A secret that is cut or put in lower case later would not be recognised any more.
    """
    line = to_one_line(redact_private(text))
    refuse_secrets(line)
    return line


def default_session(project: str) -> str:
    """Return the id of the session of memories that name none."""
    return f"manual-save-{project}" if project else "manual-save"


def plan_new_file(
    view: View, kind_name: str, project: str, fields: Mapping[str, str | tuple[str, ...]],
    content: str, *, scope: str = PROJECT_SCOPE,
) -> Write:  # fmt: skip
    """Return the write of a new memory, with the next id of its kind."""
    kind = require_kind(view, kind_name)
    personal = scope == PERSONAL_SCOPE and "user" in kind.scopes
    folder = personal_folder(kind) if personal else kind_folder(project, kind)
    ident = kind.format_id(view.memories.next_number(kind_name))
    head = {"id": ident, "date": view.clock().date().isoformat(), "project": project}
    return Write(f"{folder}/{ident}.md", format_memory_text({**head, **fields}, content))


def plan_session_file(
    view: View, session_id: str, project: str, directory: str = "", summary: str = ""
) -> Write:
    """Return the write of a session that the tree does not have yet."""
    return plan_new_file(
        view,
        SESSION_KIND,
        project,
        {
            "summary": f"Session {session_id}",
            "tags": (SESSION_KIND,),
            "status": ACTIVE_SESSION,
            "session": session_id,
            "directory": clean_field(directory),
            "created": format_time(view.clock()),
        },
        summary,
    )


def plan_missing_session(view: View, session_id: str, project: str) -> list[Write]:
    """Return the write of a session if the tree does not have it."""
    if view.memories.find_session(session_id):
        return []
    return [plan_session_file(view, session_id, project)]


def plan_memory_change(
    view: View,
    verb: str,
    record: MemoryRecord,
    writes: Sequence[Write],
    removes: Sequence[Remove] = (),
) -> Plan:
    """Return the plan of a memory; its message never has the title of a personal one.

    The lists of a folder that is new are updated with it.
    """
    paths = [*(write.path for write in writes), *(remove.path for remove in removes)]
    if any(map(is_personal_path, paths)):
        message = f"{verb} a personal memory"
    else:
        message = f"{verb} {record.ref}: {record.title}"
    return plan_memory_writes(view, message, writes)._replace(removes=tuple(removes))


def plan_memory_writes(view: View, message: str, writes: Sequence[Write]) -> Plan:
    """Return the plan of some writes; the lists of a folder that is new are updated with it."""
    folders = {write.path.rpartition("/")[0] for write in writes if write.expected_text is None}
    if all(view.tree.is_folder(folder) for folder in folders):
        return Plan(to_one_line(message), tuple(writes))
    every = add_derived_writes(view, writes)
    if any(map(is_personal_path, (write.path for write in writes))):
        every += _plan_gitignore(view)
    return Plan(to_one_line(message), tuple(every))


def _plan_gitignore(view: View) -> list[Write]:
    """Return the write that makes git ignore personal memories, if it is needed."""
    from cortexfs.core.atoms.create_atom import GITIGNORE_LINES, add_missing_lines  # noqa: PLC0415

    present = view.tree.read_text_lossy(".gitignore")
    text = add_missing_lines(present or "", GITIGNORE_LINES)
    return [Write(".gitignore", text, present)] if text != present else []
