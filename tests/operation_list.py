"""What people and agents do to a tree: each deed takes what it needs from a throw of dice."""

from __future__ import annotations

from codecs import BOM_UTF8 as BOM
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from tree_strategies import facts, spool

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
    new_decision,
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

    Deed = Callable[[Session, "Dice"], object]

_T = TypeVar("_T")

ABOVE = "/"
"""The working directory: no project's."""
BODY = "\n# {{id}}\n\n## Context\n\n## Alternatives\n\n- One\n- Two\n\n## Decision\n\nOne.\n"
BY_HAND = "edit by hand"
LINE = b"\n# By hand.\n"
FILES = ("*", "*-*.md", "decisions/*-*.md")
HANDS = (
    *[lambda text: text.replace(LINE, b"") if LINE in text else text + LINE] * 3,
    lambda text: text.replace(*((b"\r\n", b"\n") if b"\r" in text else (b"\n", b"\r\n"))),
    lambda text: text.removeprefix(BOM) if text.startswith(BOM) else BOM + text,
    lambda text: text[:-1] if text.endswith(b"\n") else text + b"\n",
)
"""What a person does to a file, and does back again."""
MARKS = (*STATUS_SECTIONS, *OVERTURNED_STATUSES)
REASONS = ("It was measured", "a | b: `c`", "")
THENS = (None, None, "HEAD", "HEAD~1", "HEAD~3")
NAMES = ("mill", "loom", "flywheel")
PHASES = ("Phase 1", "Phase 2: mend", "")
WORDS = (
    *("It hums", "# a: b", "a | b [x](y)", "ünïcode", "", "---", "```", "- [ ] it (2026-01-01)"),
    *("<!-- cortexfs:files -->", "two\nlines\x1b[0m", "{a: [b", "'", "x" * 400),
)
STANDINGS = (
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


class Dice(NamedTuple):
    """Which one is meant, which other one, and which of some words."""

    at: int
    by: int
    word: int


def pick(among: Sequence[_T], at: int) -> _T:
    return among[at % len(among)]


def atom(session: Session, at: int, among: str = "") -> str:
    """Give the ref of an atom, of those whose ref holds some words if there are any."""
    refs = sorted({str(ref) for ref, _ in facts(session).list_refs()})
    return pick([ref for ref in refs if among in ref] or refs or ["EXP-001"], at)


def place(session: Session, dice: Dice) -> str:
    """Give the name of a project."""
    return pick(session.tree.list_projects(), dice.at)


def words(dice: Dice) -> str:
    return pick(WORDS, dice.word)


def made(session: Session, dice: Dice) -> object:
    kind = pick(list(session.kinds), dice.word)
    grounds = (atom(session, dice.by, "/EXP-"),)
    fields: dict[str, str | tuple[str, ...]] = dict.fromkeys(kind.required_fields, grounds)
    fields |= {"type": "note"} if "type" in fields else {}
    fields |= {"links": (atom(session, dice.at),)} if dice.by % 2 else {}
    fields.pop("status", None)
    within = place(session, dice) if "project" in kind.scopes else ""
    said = f"A {kind.name}, {pick(WORDS, dice.by)}"
    draft = AtomDraft(kind=kind, project=within, summary=said, tags=("a",), fields=fields)
    return new_atom(session, draft)


def marked(session: Session, dice: Dice) -> object:
    ref = atom(session, dice.at)
    alike = ref.rpartition("/")[2].rpartition("-")[0] if dice.word % 3 else ""
    by = atom(session, dice.by, f"{alike}-" if alike else "") if dice.by % 5 else ""
    return mark(
        session, MarkRequest(ref, pick(MARKS, dice.word), by, pick(REASONS, dice.by), ABOVE)
    )


def restored(session: Session, dice: Dice) -> object:
    return restore(session, atom(session, dice.at), at=pick(THENS, dice.word), cwd=ABOVE)


def looked_at(session: Session, dice: Dice) -> object:
    """Leave a note as the hook does, and let it be counted."""
    name = f"{1_790_000_000_000_000_000 + dice.by}.7"
    spool(Path(session.tree.root), {name: ("", f"experiments/EXP-00{1 + dice.at % 3}.md")})
    return regenerate_indexes(session, None)


def edited_by_hand(session: Session, dice: Dice) -> None:
    """Change some file, or change it back; no command knows of it."""
    root = Path(session.tree.root)
    every = sorted([*root.rglob("*.md"), *root.rglob("TASKS.yaml")])
    among = [path for path in every if path.match(pick(FILES, dice.by)) and path.stem != "index"]
    path = pick(among, dice.at)
    path.write_bytes(pick(HANDS, dice.word)(path.read_bytes()))


def decided(session: Session, dice: Dice) -> object:
    within = place(session, dice) if dice.by % 2 else ""
    kind = decision_kind(session)
    said = {"kind": kind, "project": within, "summary": "d", "fields": {}}
    return new_decision(session, AtomDraft(**said, body=BODY, has_placeholders=True))  # type: ignore[arg-type]


def settled(word: str) -> Deed:
    return lambda session, dice: settle_decision(
        session, atom(session, dice.at, "DR-"), word, ABOVE
    )


def superseded(session: Session, dice: Dice) -> object:
    old, later = (atom(session, at, "DR-") for at in (dice.at, dice.by))
    return supersede_decision(session, old, later, ABOVE)


def promoted(session: Session, dice: Dice) -> object:
    said = atom(session, dice.at, "IDEA-")
    return idea.promote_idea(session, said, pick(NAMES, dice.by), words(dice), ABOVE)


def status_edited(session: Session, dice: Dice) -> object:
    within = place(session, dice)
    text, _ = status_md.show_status(session, within)
    return status_md.edit_status(session, within, f"{text}\n{words(dice)}\n", text)


def issue_added(session: Session, dice: Dice) -> object:
    said = {"Problem": pick(WORDS, dice.by), "Impact": "none"}
    return issue.add_issue(session, place(session, dice), f"It {words(dice)}", said)


def mission_edited(session: Session, dice: Dice) -> object:
    within = place(session, dice)
    text = mission.show_mission(session, within)[0].replace("- [ ]\n", "- [ ] It hums\n- [ ]\n")
    return mission.edit_mission(session, within, text, approved=bool(dice.by % 3))


def roadmap_grown(session: Session, dice: Dice) -> object:
    phase, milestone = pick(PHASES, dice.by), pick(("", "Milestone 1", "Hum"), dice.word)
    items = [pick(WORDS, dice.by), "Rest"]
    return roadmap.add_roadmap_items(session, place(session, dice), phase, milestone, items)


def learnt(session: Session, dice: Dice) -> object:
    key, about = (
        pick(("tone", "editor", "hours"), dice.at),
        pick(list(PREFERENCE_CATEGORIES), dice.by),
    )
    return user.learn_preference(session, key, words(dice), about)


DEEDS: dict[str, Deed] = {
    "regen": lambda session, _: regenerate_indexes(session, None),
    "look": looked_at,
    BY_HAND: edited_by_hand,
    "commit": lambda session, _: commit(session, [], None, ABOVE),
    "check --fix": lambda session, _: fix_tree(session, None),
    "undo": lambda session, _: undo(session),
    "new": made,
    "mark": marked,
    "restore": restored,
    "decision new": decided,
    "decision accept": settled("accepted"),
    "decision reject": settled("rejected"),
    "decision supersede": superseded,
    "idea promote": promoted,
    "project new": lambda session, dice: project.new_project(session, pick(NAMES, dice.at), "Turn"),
    "project archive": lambda session, dice: project.archive_project(
        session, place(session, dice), words(dice)
    ),
    "status set": lambda session, dice: status_md.set_status(
        session, place(session, dice), pick(STANDINGS, dice.word)
    ),
    "status edit": status_edited,
    "issue add": issue_added,
    "issue resolve": lambda session, dice: issue.resolve_issue(
        session, place(session, dice), f"{1 + dice.by % 2}"
    ),
    "mission edit": mission_edited,
    "roadmap add": roadmap_grown,
    "roadmap done": lambda session, dice: roadmap.tick_roadmap_item(
        session, place(session, dice), f"{1 + dice.by % 3}"
    ),
    "scan new": lambda session, dice: scan_reports.new_scan(session, "all", words(dice)),
    "user learn": learnt,
}
"""By what a person would type. The first is the plainest: what fails is shrunk towards it."""
