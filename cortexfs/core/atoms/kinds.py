"""The table of atom kinds, with everything in which they differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.kind import Kind
from cortexfs.core.atoms.lifecycle import (
    DECISION_STATUS_SECTIONS,
    ENTITY_STATUS_SECTIONS,
    IDEA_STATUS_SECTIONS,
    SESSION_STATUS_SECTIONS,
    STATUS_SECTIONS,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

REQUIRED_FIELDS = ("id", "date", "project", "summary", "tags")
"""Fields required in every atom; `project` only inside `projects/`."""

DECISION_KIND = "decision"
IDEA_KIND = "idea"
OBSERVATION_KIND, SESSION_KIND, PROMPT_KIND = "observation", "session", "prompt"
MEMORY_KINDS = (OBSERVATION_KIND, SESSION_KIND, PROMPT_KIND)
"""The kinds of agent memory."""
CHUNK_KIND, ENTITY_KIND, SCENE_KIND, ARC_KIND = "chunk", "entity", "scene", "arc"
STORY_KINDS = (CHUNK_KIND, ENTITY_KIND, SCENE_KIND, ARC_KIND)
"""The kinds that are made from the chats of a project."""

RESERVED_FOLDERS = frozenset({"decisions", "scans", "user", "projects", "_meta", ".cortexfs"})
"""Folders that a kind from the settings cannot use."""


BUILT_IN = (
    Kind(
        name="experiment",
        folder="experiments",
        prefix="EXP",
        has_letter_suffix=True,
        has_downstream_impact=True,
        sections=("Background", "Execution", "Results", "Conclusion", "Reflection"),
        use_when=(
            "Use when: you are about to try something and want to know what was tried before, "
            "with which result, and what is still open."
        ),
        purpose="what was tried, and what came of it",
        search_boost=0.4,
        columns_after_reads=(("Links", "links"),),
    ),
    Kind(
        name="knowledge",
        folder="knowledge",
        prefix="K",
        required_fields=("evidence",),
        sections=("Statement", "Evidence", "Scope"),
        use_when=(
            "Use when: you need a fact that has been established here, or want to test an "
            "assumption against what is known."
        ),
        purpose="what is known",
        search_boost=1.0,
        columns_before_reads=(("Evidence", "evidence"),),
    ),
    Kind(
        name="pattern",
        folder="patterns",
        prefix="PAT",
        required_fields=("source-experiments",),
        sections=(
            "Observation",
            "Evidence",
            "Pattern Statement",
            "Scope & Limitations",
            "Implications",
        ),
        use_when=(
            "Use when: you are deciding how to go about something and want what held true "
            "across several experiments."
        ),
        purpose="what held true across experiments",
        search_boost=1.0,
        columns_before_reads=(("Sources", "source-experiments"),),
    ),
    Kind(
        name=DECISION_KIND,
        folder="decisions",
        prefix="DR",
        digits=4,
        has_title_in_name=True,
        initial_status="proposed",
        is_decision=True,
        scopes=("project", "root"),
        indexed=False,
        required_fields=("status",),
        sections=("Context", "Alternatives", "Decision", "Consequences"),
        statuses=(*STATUS_SECTIONS, *DECISION_STATUS_SECTIONS),
        purpose="why things are done as they are",
        search_boost=0.7,
    ),
    Kind(
        name=IDEA_KIND,
        folder="ideas",
        prefix="IDEA",
        scopes=("root",),
        indexed=False,
        sections=("Idea", "Why now", "Next step"),
        statuses=(*STATUS_SECTIONS, *IDEA_STATUS_SECTIONS),
        purpose="directions that are not projects yet",
    ),
    Kind(
        name=OBSERVATION_KIND,
        folder="observations",
        prefix="OBS",
        has_tree_wide_ids=True,
        is_memory=True,
        scopes=("project", "user"),
        required_fields=("type",),
        use_when="Use when: you want what agents noted while they worked, newest facts first.",
        purpose="what agents noted on the way",
    ),
    Kind(
        name=SESSION_KIND,
        folder="sessions",
        prefix="SES",
        has_tree_wide_ids=True,
        is_memory=True,
        indexed=False,
        statuses=(*STATUS_SECTIONS, *SESSION_STATUS_SECTIONS),
        purpose="what agents did in each session",
    ),
    Kind(
        name=PROMPT_KIND,
        folder="prompts",
        prefix="PRM",
        digits=4,
        has_tree_wide_ids=True,
        is_memory=True,
        indexed=False,
        purpose="what people asked agents to do",
    ),
    Kind(
        name=CHUNK_KIND,
        folder="chunks",
        prefix="CH",
        digits=4,
        is_from_story=True,
        use_when="Use when: you want what was said in a chat, word for word.",
        purpose="what was said in chats, some messages a file",
        columns_before_reads=(("Salience", "salience"), ("Core", "core")),
    ),
    Kind(
        name=ENTITY_KIND,
        folder="entities",
        prefix="ENT",
        has_title_in_name=True,
        keeps_prefix=True,
        is_from_story=True,
        statuses=(*STATUS_SECTIONS, *ENTITY_STATUS_SECTIONS),
        use_when="Use when: you want to know who or what somebody in a chat is.",
        purpose="who and what chats are about",
        columns_before_reads=(("Type", "type"), ("Mentions", "mentions")),
    ),
    Kind(
        name=SCENE_KIND,
        folder="scenes",
        prefix="SCN",
        is_from_story=True,
        use_when="Use when: you want what happened in a part of a chat, in short.",
        purpose="what happened in parts of chats",
    ),
    Kind(
        name=ARC_KIND,
        folder="arcs",
        prefix="ARC",
        is_from_story=True,
        use_when="Use when: you want the course of a whole chat.",
        purpose="the course of chats, over several scenes",
    ),
)


class Kinds:
    """All kinds of one tree: the built-in ones, then those from its settings."""

    __slots__ = ("_by_folder", "_by_name", "rows")  # no dataclass: it costs a guard 6 ms

    def __init__(self, rows: tuple[Kind, ...] = BUILT_IN) -> None:
        self.rows = rows
        self._by_folder = {kind.folder: kind for kind in rows}
        self._by_name = {kind.name: kind for kind in rows}

    def __iter__(self) -> Iterator[Kind]:
        return iter(self.rows)

    def __eq__(self, other: object) -> bool:
        """Tell whether the rows are the same: those of settings that were read twice are."""
        return isinstance(other, Kinds) and self.rows == other.rows

    def __hash__(self) -> int:
        """Return the hash of the rows."""
        return hash(self.rows)

    def find_by_name(self, name: str) -> Kind | None:
        """Return the kind of this name, or None."""
        return self._by_name.get(name)

    def find_by_folder(self, folder: str, *, scope: str = "project") -> Kind | None:
        """Return the kind with this folder in a project or at the root, or None."""
        kind = self._by_folder.get(folder)
        return kind if kind and scope in kind.scopes else None

    def find_by_id(self, ident: str) -> Kind | None:
        """Return the kind that an id belongs to, or None."""
        return next((kind for kind in self.rows if kind.id_pattern.fullmatch(ident)), None)
