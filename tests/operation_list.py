"""What people and agents do to a tree: each deed takes what it needs from a throw of dice."""

from __future__ import annotations

from codecs import BOM_UTF8 as BOM
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from tree_strategies import spool

from cortexfs.core.atoms.create_atom import Draft
from cortexfs.core.atoms.lifecycle import OVERTURNED, SECTIONS
from cortexfs.core.governance.status import Change
from cortexfs.core.governance.user_preferences import TYPES
from cortexfs.operations import idea, issue, mission, project, roadmap, scan, status, user
from cortexfs.operations.check import fix
from cortexfs.operations.commit import commit
from cortexfs.operations.decision import kind_of_decisions, new_decision, settle, supersede
from cortexfs.operations.mark import Asked, mark
from cortexfs.operations.new_atom import new
from cortexfs.operations.regen import regen
from cortexfs.operations.restore import restore
from cortexfs.operations.undo import undo

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cortexfs.cortex import Cortex

    Deed = Callable[[Cortex, "Dice"], object]

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
MARKS = (*SECTIONS, *OVERTURNED)
REASONS = ("It was measured", "a | b: `c`", "")
THENS = (None, None, "HEAD", "HEAD~1", "HEAD~3")
NAMES = ("mill", "loom", "flywheel")
PHASES = ("Phase 1", "Phase 2: mend", "")
WORDS = (
    *("It hums", "# a: b", "a | b [x](y)", "ünïcode", "", "---", "```", "- [ ] it (2026-01-01)"),
    *("<!-- cortexfs:files -->", "two\nlines\x1b[0m", "{a: [b", "'", "x" * 400),
)
STANDINGS = (
    *(Change(phase="Phase 2. On."), Change(phase="", next=("Go",)), Change(blockers=())),
    *(Change(progress=("It hums", "- a: b")), Change(blockers=("The press",)), Change()),
)


class Dice(NamedTuple):
    """Which one is meant, which other one, and which of some words."""

    at: int
    by: int
    word: int


def pick(among: Sequence[_T], at: int) -> _T:
    return among[at % len(among)]


def atom(cortex: Cortex, at: int, among: str = "") -> str:
    """Give the ref of an atom, of those whose ref holds some words if there are any."""
    refs = sorted({str(ref) for ref, _ in cortex.facts.refs()})
    return pick([ref for ref in refs if among in ref] or refs or ["EXP-001"], at)


def place(cortex: Cortex, dice: Dice) -> str:
    """Give the name of a project."""
    return pick(cortex.tree.projects(), dice.at)


def words(dice: Dice) -> str:
    return pick(WORDS, dice.word)


def made(cortex: Cortex, dice: Dice) -> object:
    kind = pick(list(cortex.kinds), dice.word)
    grounds = (atom(cortex, dice.by, "/EXP-"),)
    fields: dict[str, str | tuple[str, ...]] = dict.fromkeys(kind.required, grounds)
    fields |= {"type": "note"} if "type" in fields else {}
    fields |= {"links": (atom(cortex, dice.at),)} if dice.by % 2 else {}
    fields.pop("status", None)
    within = place(cortex, dice) if "project" in kind.scopes else ""
    said = f"A {kind.name}, {pick(WORDS, dice.by)}"
    draft = Draft(kind=kind, project=within, summary=said, tags=("a",), fields=fields)
    return new(cortex, draft)


def marked(cortex: Cortex, dice: Dice) -> object:
    ref = atom(cortex, dice.at)
    alike = ref.rpartition("/")[2].rpartition("-")[0] if dice.word % 3 else ""
    by = atom(cortex, dice.by, f"{alike}-" if alike else "") if dice.by % 5 else ""
    return mark(cortex, Asked(ref, pick(MARKS, dice.word), by, pick(REASONS, dice.by), ABOVE))


def restored(cortex: Cortex, dice: Dice) -> object:
    return restore(cortex, atom(cortex, dice.at), at=pick(THENS, dice.word), cwd=ABOVE)


def looked_at(cortex: Cortex, dice: Dice) -> object:
    """Leave a note as the hook does, and let it be counted."""
    name = f"{1_790_000_000_000_000_000 + dice.by}.7"
    spool(Path(cortex.tree.root), {name: ("", f"experiments/EXP-00{1 + dice.at % 3}.md")})
    return regen(cortex, None)


def edited_by_hand(cortex: Cortex, dice: Dice) -> None:
    """Change some file, or change it back; no command knows of it."""
    root = Path(cortex.tree.root)
    every = sorted([*root.rglob("*.md"), *root.rglob("TASKS.yaml")])
    among = [path for path in every if path.match(pick(FILES, dice.by)) and path.stem != "index"]
    path = pick(among, dice.at)
    path.write_bytes(pick(HANDS, dice.word)(path.read_bytes()))


def decided(cortex: Cortex, dice: Dice) -> object:
    within = place(cortex, dice) if dice.by % 2 else ""
    kind = kind_of_decisions(cortex)
    said = {"kind": kind, "project": within, "summary": "d", "fields": {}}
    return new_decision(cortex, Draft(**said, body=BODY, open_words=True))  # type: ignore[arg-type]


def settled(word: str) -> Deed:
    return lambda cortex, dice: settle(cortex, atom(cortex, dice.at, "DR-"), word, ABOVE)


def superseded(cortex: Cortex, dice: Dice) -> object:
    old, later = (atom(cortex, at, "DR-") for at in (dice.at, dice.by))
    return supersede(cortex, old, later, ABOVE)


def promoted(cortex: Cortex, dice: Dice) -> object:
    said = atom(cortex, dice.at, "IDEA-")
    return idea.promote(cortex, said, pick(NAMES, dice.by), words(dice), ABOVE)


def status_edited(cortex: Cortex, dice: Dice) -> object:
    within = place(cortex, dice)
    text, _ = status.show_status(cortex, within)
    return status.edit_status(cortex, within, f"{text}\n{words(dice)}\n", text)


def issue_added(cortex: Cortex, dice: Dice) -> object:
    said = {"Problem": pick(WORDS, dice.by), "Impact": "none"}
    return issue.add_issue(cortex, place(cortex, dice), f"It {words(dice)}", said)


def mission_edited(cortex: Cortex, dice: Dice) -> object:
    within = place(cortex, dice)
    text = mission.show_mission(cortex, within)[0].replace("- [ ]\n", "- [ ] It hums\n- [ ]\n")
    return mission.edit_mission(cortex, within, text, approved=bool(dice.by % 3))


def roadmap_grown(cortex: Cortex, dice: Dice) -> object:
    phase, milestone = pick(PHASES, dice.by), pick(("", "Milestone 1", "Hum"), dice.word)
    items = [pick(WORDS, dice.by), "Rest"]
    return roadmap.add(cortex, place(cortex, dice), phase, milestone, items)


def learnt(cortex: Cortex, dice: Dice) -> object:
    key, about = pick(("tone", "editor", "hours"), dice.at), pick(list(TYPES), dice.by)
    return user.learn(cortex, key, words(dice), about)


DEEDS: dict[str, Deed] = {
    "regen": lambda cortex, _: regen(cortex, None),
    "look": looked_at,
    BY_HAND: edited_by_hand,
    "commit": lambda cortex, _: commit(cortex, [], None, ABOVE),
    "check --fix": lambda cortex, _: fix(cortex, None),
    "undo": lambda cortex, _: undo(cortex),
    "new": made,
    "mark": marked,
    "restore": restored,
    "decision new": decided,
    "decision accept": settled("accepted"),
    "decision reject": settled("rejected"),
    "decision supersede": superseded,
    "idea promote": promoted,
    "project new": lambda cortex, dice: project.new_project(cortex, pick(NAMES, dice.at), "Turn"),
    "project archive": lambda cortex, dice: project.archive_project(
        cortex, place(cortex, dice), words(dice)
    ),
    "status set": lambda cortex, dice: status.set_status(
        cortex, place(cortex, dice), pick(STANDINGS, dice.word)
    ),
    "status edit": status_edited,
    "issue add": issue_added,
    "issue resolve": lambda cortex, dice: issue.resolve_issue(
        cortex, place(cortex, dice), f"{1 + dice.by % 2}"
    ),
    "mission edit": mission_edited,
    "roadmap add": roadmap_grown,
    "roadmap done": lambda cortex, dice: roadmap.tick(
        cortex, place(cortex, dice), f"{1 + dice.by % 3}"
    ),
    "scan new": lambda cortex, dice: scan.new_scan(cortex, "all", words(dice)),
    "user learn": learnt,
}
"""By what a person would type. The first is the plainest: what fails is shrunk towards it."""
