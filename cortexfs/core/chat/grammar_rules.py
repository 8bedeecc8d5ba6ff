"""What the grammar understands: for each tool the words that ask for it, and an example."""

from __future__ import annotations

from enum import Flag, auto
from functools import cache
from typing import NamedTuple


class Need(Flag):
    """What a question must have for a rule, besides its words."""

    NOTHING = 0
    VERB = auto()
    """A word of the first group comes first: it is a request to change something."""
    REF = auto()
    REST = auto()
    """Other words, which become the argument `rest`."""
    PROJECT = auto()
    KIND = auto()
    ID = auto()
    """The id of a commit or proposal."""
    TASK = auto()
    """The id of a task."""
    SECOND_REF = auto()


class Rule(NamedTuple):
    """One row: the question has a word of each group, and what the rule needs.

    `rest` is the argument that takes the other words; `fixed` are arguments that follow from the
    rule.
    """

    tool: str
    groups: tuple[str, ...]
    example: str = ""
    needs: Need = Need.NOTHING
    rest: str = ""
    fixed: tuple[tuple[str, str], ...] = ()


_ABOUT = "about regarding concerning mentioning mention on"
_LOST = (
    "forgotten forgot deleted archived invalidated pruned merged removed lost dropped gone "
    "disappeared vanished discarded retired tombstones"
)
_KNOWN = "memories memory remember recall know known observations learned learnt lessons"
_RECENT = (
    "recent recently activity happened happening lately changed changes change news new latest "
    "history log timeline"
)
_STUCK = "stuck blocked blocking blockers hanging hangs hung waiting stalled silent overdue paused"
_WORKERS = "workers worker agents agent subagents subagent processes process running runs jobs"
_HEALTH = "health healthy status state ok okay fine alive cortex system daemon well"
_NEWEST = "newest latest recent new last"
_ANY = "list show all which what my our the"
_FIND = "find search look lookup grep where"

_MARKS = ("invalidated", "superseded", "deprecated", "stale", "valid", "active", "partial")

_TASK_VERBS = (
    ("claim", "claim start take begin", "start task 3fa9"),
    ("done", "finish done complete close", "finish 3fa9 because the bench shows it"),
    ("block", "block", "block 3fa9 because the board is missing"),
    ("unblock", "unblock", ""),
    ("pause", "pause", ""),
    ("resume", "resume continue", ""),
    ("approve", "approve", ""),
    ("unclaim", "unclaim release drop", ""),
)
"""What is done to a task, by which words, with an example."""

RULES = (
    Rule("undo", ("undo revert rollback",), "undo that", Need.VERB),
    Rule("redo", ("redo",), "redo", Need.VERB),
    Rule("memory_delete", ("forget delete archive",), "forget OBS-117", Need.VERB | Need.REF),
    Rule("restore", ("restore recover unforget undelete",), "restore EXP-012",
         Need.VERB | Need.REF),
    Rule("restore", ("bring get", "back"), "", Need.VERB | Need.REF),
    Rule("decide", ("accept approve",), "accept DR-0003", Need.VERB | Need.REF,
         fixed=(("verdict", "accepted"),)),
    Rule("decide", ("reject decline",), "reject DR-0003 because it costs too much",
         Need.VERB | Need.REF, fixed=(("verdict", "rejected"),)),
    Rule("decide_proposal", ("accept approve merge",), "accept 3fa91c02", Need.VERB | Need.ID,
         fixed=(("decision", "accept"),)),
    Rule("decide_proposal", ("reject decline",), "", Need.VERB | Need.ID,
         fixed=(("decision", "reject"),)),
    Rule("mark", ("invalidate refute",), "invalidate EXP-012 because the clock was wrong",
         Need.VERB | Need.REF, fixed=(("status", "invalidated"),)),
    Rule("mark", ("supersede replace",), "supersede EXP-012 by EXP-014", Need.VERB | Need.REF,
         fixed=(("status", "superseded"),)),
    *(Rule("mark", ("mark set", status), "", Need.VERB | Need.REF, fixed=(("status", status),))
      for status in _MARKS),
    *(Rule("task_change", (words,), example, Need.VERB | Need.TASK, fixed=(("do", do),))
      for do, words, example in _TASK_VERBS),
    Rule("task_change", ("mark set", "done finished completed"), "", Need.VERB | Need.TASK,
         fixed=(("do", "done"),)),
    Rule("run_maintenance", ("run start do apply make", "maintenance maintain cleanup"),
         "run maintenance", Need.VERB),
    Rule("fix", ("fix repair",), "fix what is safe to fix", Need.VERB),
    Rule("forgotten", (_LOST,), "what was forgotten this week, and why?"),
    Rule("forgotten", ("why", f"{_LOST} forget delete archive remove merge"), "", Need.REF),
    Rule("memory_recall", (_KNOWN, _ABOUT), "memories about retries", Need.REST, "query"),
    Rule("find", (_ABOUT,), "experiments about checksums", Need.KIND | Need.REST, "query"),
    Rule("find", ("decisions decision", _ABOUT), "", Need.REST, "query",
         fixed=(("kind", "decision"),)),
    Rule("history", ("who author",), "who wrote EXP-012?", Need.REF),
    Rule("history", ("who author", "wrote made created changed saved edited added said is"), "",
         Need.REST, "ref"),
    Rule("history", (_RECENT,), "history of EXP-012", Need.REF),
    Rule("path", ("path between connected connection connects linked link links chain from",),
         "how are EXP-012 and K-008 connected?", Need.REF | Need.SECOND_REF),
    Rule("related", ("related relates similar links link linked links around near depends cites",),
         "what is related to EXP-012?", Need.REF),
    Rule("patterns", ("habits habit recur recurs recurring repeats repeated",),
         "what recurs over sessions?"),
    Rule("show", ("show open read display print cat see what explain",), "show EXP-012", Need.REF),
    Rule("show", (), "", Need.REF),
    Rule("stuck", (_STUCK,), "what is stuck?"),
    Rule("proposals", ("proposals proposal duplicates duplicate similar",),
         "which memories may be merged?"),
    Rule("proposals", ("may can could should", "merge merged")),
    Rule("decisions", ("decisions decision decide undecided",), "which decisions are to be made?"),
    Rule("tasks", ("tasks task todo todos backlog next",), "open tasks"),
    Rule("doctor", ("doctor installation installed wiring wired setup clients hooks",),
         "is everything installed?"),
    Rule("check", ("check findings problems problem errors error broken wrong warnings lint",),
         "is anything broken?"),
    Rule("stats", ("stats statistics many count counts numbers size figures",), "stats"),
    Rule("maintenance", ("maintenance maintain stale cleanup",), "what would maintenance do?"),
    Rule("brief", ("status brief briefing state summary summarize overview",),
         "status of PROJECT", Need.PROJECT),
    Rule("brief", ("how how's", "doing going"), "", Need.PROJECT),
    Rule("brief", ("brief briefing bulletin summary summarize overview",), "brief me"),
    Rule("channel_list", ("channels channel sessions session conversations",),
         "which sessions are there?"),
    Rule("worker_inspect", (_WORKERS,), "what is running?"),
    Rule("system_inspect", (_HEALTH,), "are you healthy?"),
    Rule("list", ("hot read",), "hot experiments", Need.KIND, fixed=(("which", "hot"),)),
    Rule("list", ("cold unread",), "", Need.KIND, fixed=(("which", "cold"),)),
    Rule("list", (_NEWEST,), "newest experiments", Need.KIND, fixed=(("which", "newest"),)),
    Rule("list", (_NEWEST, "memories memory"), "newest memories",
         fixed=(("kind", "observation"), ("which", "newest"))),
    Rule("list", (_ANY,), "", Need.KIND),
    Rule("list", (), "", Need.KIND),
    Rule("list", ("hot",), "", fixed=(("which", "hot"),)),
    Rule("list", ("cold unread",), "cold atoms", fixed=(("which", "cold"),)),
    Rule("list", (_NEWEST, "atoms notes"), "", fixed=(("which", "newest"),)),
    Rule("list", ("atoms notes",)),
    Rule("recent", ("what what's", "did done going save saved written added up"), ""),
    Rule("recent", (_RECENT,), "what changed since Monday?"),
    Rule("memory_recall", (_KNOWN,), "", Need.REST, "query"),
    Rule("find", (_FIND,), "find checksum", Need.REST, "query"),
    Rule("find", (_ABOUT,), "tell me about checksums", Need.REST, "query"),
    Rule("brief", (), "", Need.PROJECT),
)  # fmt: skip
"""The rules; of several that fit equally well, the first counts."""

SAVE_EXAMPLE = "save this in PROJECT: retries stop after five attempts"
"""How something is saved: all that follows the colon, word for word."""

TASK_EXAMPLE = "add a task in PROJECT: time the decoder"
"""How a task is added: all that follows the colon is its text."""

TOOL_WORDS = "session sessions decision decisions"
"""Words that have a tool of their own, although they also name a kind of atom."""

FILLERS = "please can could would will you now just then hey cortex ok so kindly lets let us go"
"""Words before a request that say nothing."""

EDGE_WORDS = (
    "a about all an and any anything are at be been by can concerning could did do does everything "
    "find for from give has have i in is it me mention mentioning my of on or our please regarding "
    "show some something tell that the there they this to us was we were what when where which "
    "who with would you your"
)
"""Words that are no part of a query if they are at one of its ends."""


@cache
def split_words(words: str) -> frozenset[str]:
    """Return the words of one of the texts above."""
    return frozenset(words.split())
