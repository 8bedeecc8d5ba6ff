"""Operations that people and agents do on a tree, each with randomly chosen arguments."""

from __future__ import annotations

from codecs import BOM_UTF8 as BOM
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from tree_strategies import atom_queries, spool

from cortexfs.core.atoms.create_atom import AtomDraft
from cortexfs.core.atoms.lifecycle import OVERTURNED_STATUSES, STATUS_SECTIONS
from cortexfs.core.governance.project_status import StatusUpdate
from cortexfs.core.governance.user_preferences import PREFERENCE_CATEGORIES
from cortexfs.operations import (
    idea,
    issue,
    mission,
    project,
    roadmap,
    scan_reports,
    status_md,
    user,
)
from cortexfs.operations.check import fix_tree
from cortexfs.operations.commit import commit
from cortexfs.operations.decision import (
    decision_kind,
    settle_decision,
    supersede_decision,
)
from cortexfs.operations.mark import MarkRequest, mark
from cortexfs.operations.new_atom import new_atom
from cortexfs.operations.regenerate_indexes import regenerate_indexes
from cortexfs.operations.restore import restore
from cortexfs.operations.undo import undo

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cortexfs.session.session import Session

    Operation = Callable[[Session, "RandomChoice"], object]

_T = TypeVar("_T")

ROOT_FOLDER = "/"
"""A working directory outside every project."""
BODY = "\n# {{id}}\n\n## Context\n\n## Alternatives\n\n- One\n- Two\n\n## Decision\n\nOne.\n"
BY_HAND = "edit by hand"
LINE = b"\n# By hand.\n"
FILES = ("*", "*-*.md", "decisions/*-*.md")
HAND_EDITS = (
    *[lambda text: text.replace(LINE, b"") if LINE in text else text + LINE] * 3,
    lambda text: text.replace(*((b"\r\n", b"\n") if b"\r" in text else (b"\n", b"\r\n"))),
    lambda text: text.removeprefix(BOM) if text.startswith(BOM) else BOM + text,
    lambda text: text[:-1] if text.endswith(b"\n") else text + b"\n",
)
"""Edits of a file; a second time each is reverted."""
MARK_STATUSES = (*STATUS_SECTIONS, *OVERTURNED_STATUSES)
REASONS = ("It was measured", "a | b: `c`", "")
PAST_REVISIONS = (None, None, "HEAD", "HEAD~1", "HEAD~3")
NAMES = ("mill", "loom", "flywheel")
PHASES = ("Phase 1", "Phase 2: mend", "")
WORDS = (
    *("It hums", "# a: b", "a | b [x](y)", "ünïcode", "", "---", "```", "- [ ] it (2026-01-01)"),
    *("<!-- cortexfs:files -->", "two\nlines\x1b[0m", "{a: [b", "'", "x" * 400),
)
STATUS_TEXTS = (
    *(
        StatusUpdate(phase="Phase 2. On."),
        StatusUpdate(phase="", next=("Go",)),
        StatusUpdate(blockers=()),
    ),
    *(
        StatusUpdate(progress=("It hums", "- a: b")),
        StatusUpdate(blockers=("The press",)),
        StatusUpdate(),
    ),
)


class RandomChoice(NamedTuple):
    """Numbers that choose an item, a second item, and a text."""

    at: int
    by: int
    word: int


def pick(among: Sequence[_T], at: int) -> _T:
    return among[at % len(among)]


def pick_atom(session: Session, at: int, among: str = "") -> str:
    """Return the ref of an atom; if possible one that contains `among`."""
    refs = sorted({str(ref) for ref, _ in atom_queries(session).list_refs()})
    return pick([ref for ref in refs if among in ref] or refs or ["EXP-001"], at)


def pick_project(session: Session, choice: RandomChoice) -> str:
    """Return the name of a project."""
    return pick(session.tree.list_projects(), choice.at)


def pick_text(choice: RandomChoice) -> str:
    return pick(WORDS, choice.word)


def create_atom(session: Session, choice: RandomChoice) -> object:
    kind = pick(list(session.kinds), choice.word)
    evidence = (pick_atom(session, choice.by, "/EXP-"),)
    fields: dict[str, str | tuple[str, ...]] = dict.fromkeys(kind.required_fields, evidence)
    fields |= {"type": "note"} if "type" in fields else {}
    fields |= {"links": (pick_atom(session, choice.at),)} if choice.by % 2 else {}
    fields.pop("status", None)
    project_name = pick_project(session, choice) if "project" in kind.scopes else ""
    text = f"A {kind.name}, {pick(WORDS, choice.by)}"
    draft = AtomDraft(kind=kind, project=project_name, summary=text, tags=("a",), fields=fields)
    return new_atom(session, draft)


def mark_atom(session: Session, choice: RandomChoice) -> object:
    ref = pick_atom(session, choice.at)
    alike = ref.rpartition("/")[2].rpartition("-")[0] if choice.word % 3 else ""
    by = pick_atom(session, choice.by, f"{alike}-" if alike else "") if choice.by % 5 else ""
    return mark(
        session,
        MarkRequest(
            ref, pick(MARK_STATUSES, choice.word), by, pick(REASONS, choice.by), ROOT_FOLDER
        ),
    )


def restore_atom(session: Session, choice: RandomChoice) -> object:
    return restore(
        session,
        pick_atom(session, choice.at),
        at=pick(PAST_REVISIONS, choice.word),
        cwd=ROOT_FOLDER,
    )


def read_atom(session: Session, choice: RandomChoice) -> object:
    """Write a note as the hook does, and have it counted."""
    name = f"{1_790_000_000_000_000_000 + choice.by}.7"
    spool(Path(session.tree.root), {name: ("", f"experiments/EXP-00{1 + choice.at % 3}.md")})
    return regenerate_indexes(session, None)


def edit_by_hand(session: Session, choice: RandomChoice) -> None:
    """Edit a file, or revert the edit, without a command."""
    root = Path(session.tree.root)
    every = sorted([*root.rglob("*.md"), *root.rglob("TASKS.yaml")])
    among = [path for path in every if path.match(pick(FILES, choice.by)) and path.stem != "index"]
    path = pick(among, choice.at)
    path.write_bytes(pick(HAND_EDITS, choice.word)(path.read_bytes()))


def create_decision(session: Session, choice: RandomChoice) -> object:
    project_name = pick_project(session, choice) if choice.by % 2 else ""
    kind = decision_kind(session)
    fields = {"kind": kind, "project": project_name, "summary": "d", "fields": {}}
    return new_atom(session, AtomDraft(**fields, body=BODY, has_placeholders=True))  # type: ignore[arg-type]


def make_settle_decision(word: str) -> Operation:
    return lambda session, choice: settle_decision(
        session, pick_atom(session, choice.at, "DR-"), word, ROOT_FOLDER
    )


def supersede_any_decision(session: Session, choice: RandomChoice) -> object:
    old, later = (pick_atom(session, at, "DR-") for at in (choice.at, choice.by))
    return supersede_decision(session, old, later, ROOT_FOLDER)


def promote_idea(session: Session, choice: RandomChoice) -> object:
    ref = pick_atom(session, choice.at, "IDEA-")
    return idea.promote_idea(session, ref, pick(NAMES, choice.by), pick_text(choice), ROOT_FOLDER)


def edit_status(session: Session, choice: RandomChoice) -> object:
    project_name = pick_project(session, choice)
    text, _ = status_md.show_status(session, project_name)
    return status_md.edit_status(session, project_name, f"{text}\n{pick_text(choice)}\n", text)


def add_issue(session: Session, choice: RandomChoice) -> object:
    sections = {"Problem": pick(WORDS, choice.by), "Impact": "none"}
    return issue.add_issue(
        session, pick_project(session, choice), f"It {pick_text(choice)}", sections
    )


def edit_mission(session: Session, choice: RandomChoice) -> object:
    project_name = pick_project(session, choice)
    text = mission.show_mission(session, project_name)[0].replace(
        "- [ ]\n", "- [ ] It hums\n- [ ]\n"
    )
    return mission.edit_mission(session, project_name, text, approved=bool(choice.by % 3))


def add_to_roadmap(session: Session, choice: RandomChoice) -> object:
    phase, milestone = pick(PHASES, choice.by), pick(("", "Milestone 1", "Hum"), choice.word)
    items = [pick(WORDS, choice.by), "Rest"]
    return roadmap.add_roadmap_items(
        session, pick_project(session, choice), phase, milestone, items
    )


def learn_preference(session: Session, choice: RandomChoice) -> object:
    key, about = (
        pick(("tone", "editor", "hours"), choice.at),
        pick(list(PREFERENCE_CATEGORIES), choice.by),
    )
    return user.learn_preference(session, key, pick_text(choice), about)


OPERATIONS: dict[str, Operation] = {
    "regen": lambda session, _: regenerate_indexes(session, None),
    "read": read_atom,
    BY_HAND: edit_by_hand,
    "commit": lambda session, _: commit(session, [], None, ROOT_FOLDER),
    "check --fix": lambda session, _: fix_tree(session, None),
    "undo": lambda session, _: undo(session),
    "new": create_atom,
    "mark": mark_atom,
    "restore": restore_atom,
    "decision new": create_decision,
    "decision accept": make_settle_decision("accepted"),
    "decision reject": make_settle_decision("rejected"),
    "decision supersede": supersede_any_decision,
    "idea promote": promote_idea,
    "project new": lambda session, choice: project.new_project(
        session, pick(NAMES, choice.at), "Turn"
    ),
    "project archive": lambda session, choice: project.archive_project(
        session, pick_project(session, choice), pick_text(choice)
    ),
    "status set": lambda session, choice: status_md.set_status(
        session, pick_project(session, choice), pick(STATUS_TEXTS, choice.word)
    ),
    "status edit": edit_status,
    "issue add": add_issue,
    "issue resolve": lambda session, choice: issue.resolve_issue(
        session, pick_project(session, choice), f"{1 + choice.by % 2}"
    ),
    "mission edit": edit_mission,
    "roadmap add": add_to_roadmap,
    "roadmap done": lambda session, choice: roadmap.tick_roadmap_item(
        session, pick_project(session, choice), f"{1 + choice.by % 3}"
    ),
    "scan new": lambda session, choice: scan_reports.new_scan(session, "all", pick_text(choice)),
    "user learn": learn_preference,
}
"""By the typed command. Failing examples are shrunk towards the first."""
