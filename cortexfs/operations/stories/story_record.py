"""The record of a story: read it, plan what is added to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import FileText
from cortexfs.core.atoms.kinds import ARC_KIND, CHUNK_KIND, SCENE_KIND
from cortexfs.core.atoms.tree_paths import kind_folder
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Append, Plan, Remove, Write
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.stories.chat_record import MAX_NUMBER, format_record_line
from cortexfs.core.stories.story_name import (
    chats_folder,
    is_story_name,
    parse_record_name,
    record_path,
)
from cortexfs.core.text.nearest_names import nearest_names
from cortexfs.errors import NoSuchStory, OutsideTree, Refused
from cortexfs.operations.shared.plan_memory_files import plan_memory_writes
from cortexfs.operations.shared.refuse_loss_and_errors import refuse_loss
from cortexfs.operations.shared.resolve_names import require_kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cortexfs.core.stories.chat_record import RecordedMessage
    from cortexfs.operations.stories.plan_chunk_files import ChunkPlan
    from cortexfs.operations.stories.plan_entity_files import EntityPlan
    from cortexfs.operations.stories.plan_summaries import SummaryPlan
    from cortexfs.session.view import TreeFilesAndGit, View


MAX_PART_BYTES = 256 * 1024
"""Bytes from which a record goes on in another file: git stores the last one with each commit."""


class StoryRecord(NamedTuple):
    """The record of a story as it is on the disk: its project, its name, the text of each part."""

    project: str
    name: str
    parts: tuple[str, ...]

    @property
    def text(self) -> str:
        """All parts as one text."""
        return "".join(part if part.endswith("\n") else f"{part}\n" for part in self.parts)


class StoryFiles(NamedTuple):
    """The plans of the files that are made of a record."""

    chunks: ChunkPlan
    entities: EntityPlan
    summaries: SummaryPlan

    def mark_derived(self) -> StoryFiles:
        """Mark files of which git needs no state between two messages that one commit has."""
        return StoryFiles(
            self.chunks._replace(writes=_mark_derived(self.chunks.writes)),
            self.entities._replace(writes=_mark_derived(self.entities.writes)),
            self.summaries,
        )


def _mark_derived(writes: tuple[Write, ...]) -> tuple[Write, ...]:
    return tuple(write._replace(is_derived=True) for write in writes)


def list_story_names(view: TreeFilesAndGit, project: str) -> list[str]:
    """Return the names of the stories of a project, sorted."""
    files = map(parse_record_name, view.tree.list_names(chats_folder(project)))
    return sorted({found[0] for found in files if found})


def read_record(view: TreeFilesAndGit, project: str, name: str) -> StoryRecord:
    """Return the record of a story; without parts if it is new.

    Raises `Refused` for an invalid name, and if a part cannot be read.
    """
    require_valid_story_name(name)
    parts = _list_parts(view, project, name)
    every = range(1, max(parts, default=0) + 1)
    texts = (_read_part(view, project, name, part) if part in parts else "" for part in every)
    return StoryRecord(project, name, tuple(texts))


def read_record_end(view: TreeFilesAndGit, project: str, name: str) -> str:
    """Return the text of the last two parts of a record."""
    parts = sorted(_list_parts(view, project, name))[-2:]
    texts = tuple(_read_part(view, project, name, part) for part in parts)
    return StoryRecord(project, name, texts).text


def _list_parts(view: TreeFilesAndGit, project: str, name: str) -> set[int]:
    """Return the numbers of the parts of a record that there are."""
    files = filter(None, map(parse_record_name, view.tree.list_names(chats_folder(project))))
    return {part for story, part in files if story == name}


def require_record(view: TreeFilesAndGit, project: str, name: str) -> StoryRecord:
    """Return the record of a story; raise `NoSuchStory` if there is none."""
    record = read_record(view, project, name)
    if record.parts:
        return record
    raise _refuse_story(view, project, name)


def require_story(view: TreeFilesAndGit, project: str, name: str) -> str:
    """Return the name of a story that exists; raise `NoSuchStory` for any other."""
    if require_valid_story_name(name) in list_story_names(view, project):
        return name
    raise _refuse_story(view, project, name)


def _refuse_story(view: TreeFilesAndGit, project: str, name: str) -> NoSuchStory:
    names = list_story_names(view, project)
    return NoSuchStory(project, name, names, close=nearest_names(name, names))


def list_record_parts(record: StoryRecord) -> tuple[str, ...]:
    """Return the paths of the parts of a record, in their order."""
    parts = range(1, len(record.parts) + 1)
    return tuple(record_path(record.project, record.name, part) for part in parts)


def list_record_removes(record: StoryRecord) -> list[Remove]:
    """Return the removals of all parts of a record."""
    paths = list_record_parts(record)
    return [Remove(path, text) for path, text in zip(paths, record.parts, strict=True)]


def refuse_loss_of(view: View, removes: Iterable[Remove], mode: ExecutionMode) -> None:
    """Raise `Refused` if git could not bring back the text of a file that is removed."""
    commit = mode is not ExecutionMode.WRITE
    for each in removes:
        refuse_loss(view, each.path, each.expected_text or "", commit=commit)


def iter_story_atoms(view: View, project: str, name: str) -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each chunk, scene and arc of a story."""
    for kind_name in (CHUNK_KIND, SCENE_KIND, ARC_KIND):
        folder = kind_folder(project, require_kind(view, kind_name))
        with view.tree.open_batch_reader() as read:
            for path in (f"{folder}/{each}" for each in view.tree.list_names(folder)):
                file = read(path) if path.endswith(".md") else None
                if isinstance(file, FileText) and _read_story_field(file.text) == name:
                    yield path, file.text


def _read_story_field(text: str) -> object:
    return atom_text.parse_frontmatter(text).fields.get("story")


def require_valid_story_name(name: str) -> str:
    """Return a name that a story can have; raise `Refused` for any other."""
    if is_story_name(name):
        return name
    raise Refused(
        f"{name!a} cannot be the name of a story",
        hint="use up to 64 of a-z, 0-9 and `-`; begin with a letter or digit",
    )


def plan_story(
    view: View,
    message: str,
    record: StoryRecord,
    added: Sequence[RecordedMessage],
    files: StoryFiles,
) -> Plan:
    """Return the plan of what is added to a record, and of the files made of it.

    Raises `Refused` if there is no number for a new message.
    """
    if any(entry.number > MAX_NUMBER for entry in added):
        hint = "remove the line with the highest `n`, or begin another story"
        raise Refused(f"the record of `{record.name}` has reached the highest number", hint=hint)
    appended, new_parts = _divide_lines(record, list(map(format_record_line, added)))
    first_new = len(record.parts) + 1
    writes = [
        *files.chunks.writes,
        *files.entities.writes,
        *files.summaries.writes,
        *(
            Write(record_path(record.project, record.name, first_new + offset), part)
            for offset, part in enumerate(new_parts)
        ),
    ]
    plan = plan_writes_after_lists(view, message, writes)
    last = record_path(record.project, record.name, len(record.parts))
    appends = (Append(last, tuple(appended)),) if appended else ()
    removes = (*files.chunks.removes, *files.entities.removes, *files.summaries.removes)
    return plan._replace(appends=appends, removes=removes)


def plan_writes_after_lists(view: View, message: str, writes: Sequence[Write]) -> Plan:
    """Return the plan of some writes, those of the lists of a new folder first.

    If it is killed in between, the next one finds the folder in the lists, or makes it.
    """
    plan = plan_memory_writes(view, message, writes)
    own = {write.path for write in writes}
    lists = (write for write in plan.writes if write.path not in own)
    return plan._replace(writes=(*lists, *writes))


def _divide_lines(record: StoryRecord, lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the lines for the last part of a record, and the texts of new parts."""
    last = record.parts[-1] if record.parts else ""
    room = MAX_PART_BYTES - len(last.encode(errors="replace")) if record.parts else 0
    appended: list[str] = []
    parts: list[list[str]] = []
    for line in lines:
        size = len(line.encode())
        if size > room:
            parts.append([])
            room = MAX_PART_BYTES
        (parts[-1] if parts else appended).append(line)
        room -= size
    if appended and last and not last.endswith("\n"):
        appended.insert(0, "\n")
    return appended, ["".join(part) for part in parts]


def _read_part(view: TreeFilesAndGit, project: str, name: str, part: int) -> str:
    path = record_path(project, name, part)
    try:
        return view.tree.read_text_lossy(path) or ""
    except (OSError, OutsideTree) as error:
        reason = getattr(error, "strerror", None) or str(error)
        hint = "`cortexfs check` says more"
        raise Refused(f"{path} cannot be read: {reason}", hint=hint) from None
