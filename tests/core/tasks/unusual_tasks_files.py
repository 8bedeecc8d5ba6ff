"""Unusual but valid TASKS.yaml files, as people and programs write them."""

from __future__ import annotations

from hypothesis import strategies as st

IDS = ("3fa9", "b07c", "c4d2", "e81d")

HEADS = (
    *("", "# the plan: {not, a, mapping}\n\n", "---\n", "%YAML 1.1\n---\n# c\n", "\ufeff"),
    "defaults: &e {template: experiment, priority: high}   # for all\n",
    "notes: |\n  tasks:\n    - id: dead\n\n  # no comment\n",
    "'quoted key': [1, 2,\n  3]\n",
    "lock:\n  owner: nobody   # long ago\n  expires_at: 2020-01-01T00:00:00Z\n",
)
TAILS = (
    *("", "# the end", "\n\n", "other:\n  deep: {a: [b, {c: d}]}\n", "  # indented\n# not\n"),
    "last: |+\n  kept\n\n\n",
    "...\n",
    "# no newline",
)
ENTRIES = (
    *("text: plain words   # why not", 'text: "a: b # c"', "text: 'it''s'", "text:    wide  "),
    *("text: >-\n  folded\n  text\n\n  more", "text: |\n  lines\n\n  # text\n   deeper"),
    *("text: two\n  lines   # c", "text: &t{} said", "text: !!str 12", "text:\n  below"),
)
MORE = (
    *("why: because", "why: |+\n  kept\n", "why:", "why: ~  # nobody knows", "why: *w"),
    *("'done-when': \"bench/x.csv\"", "done-when: [a,\n  b]", "done-when:\n- a\n- b"),
    *("plan: {a: b, c: [d]}", "plan: no", "plan: 2026-01-01"),
    *("template: experiment", "priority: high # !", '"priority": low', "priority: 'medium'"),
    *("depends-on: []", "depends-on:\n  # first\n  - aaaa\n  - bbbb   # c\n", "x-unknown: 010"),
    *("gpu: {count: 2, of: [a, b]}", "'': empty", "? complex\n: value", "emoji: 🎛️ ü"),
    *("# a comment", "    # a deep one", "", "a b c: d", "<<: *d", "not-before: 2020-01-01"),
)
FLOW_MORE = (
    *("why: because", '"why":"tight"', "why: ", "why", "x: [a, {b: c}]", "plan: 'a, b'"),
    *("\n  # inside\n  plan: x", "template: experiment   # c\n   ", "'priority': high", "emoji: 🎛️"),
)


def _key(entry: str) -> str:
    return entry.strip().partition(":")[0].strip("'\"? \n")


@st.composite
def block_items(draw: st.DrawFn, ident: str, column: int) -> str:
    """Write an item in lines, its keys in some column behind the dash."""
    more = draw(st.lists(st.sampled_from(MORE), max_size=6, unique_by=_key))
    entries = [f"id: {draw(st.sampled_from(['{}', chr(34) + '{}' + chr(34)])).format(ident)}"]
    entries += [draw(st.sampled_from(ENTRIES)).replace("{}", ident), *more]
    step = draw(st.sampled_from([2, 2, 2, 3, 5]))
    if draw(st.booleans()) and not any(
        e.lstrip().startswith(("#", "?")) or not e for e in more[-1:]
    ):
        entries[0], entries[-1] = entries[-1], entries[0]
    status = draw(
        st.sampled_from(["status: open", "status:  'open'   # yet", 'status: "open"', ""])
    )
    entries += [status] if status else []
    indent = " " * (column + step)
    lines = [line for entry in entries for line in entry.split("\n")]
    body = "\n".join(indent + line if line.strip() else line for line in lines)
    if draw(st.sampled_from([False, False, True])) or not body.lstrip(" ")[0].isalpha():
        return f"{' ' * column}-   # a bare dash\n{body}\n"
    return f"{' ' * column}-{body[column + 1 :]}\n"


@st.composite
def flow_items(draw: st.DrawFn, ident: str) -> str:
    """Write an item within braces."""
    more = draw(st.lists(st.sampled_from(FLOW_MORE), max_size=4, unique_by=_key))
    entries = [f"id: '{ident}'", "text: said", *more]
    comma = draw(st.sampled_from([", ", ",", " ,\n    ", ", # c\n      "]))
    end = draw(st.sampled_from(["", " ", ",", "\n   "]))
    return f"{{{comma.join(entries)}{end}}}"


@st.composite
def lists(draw: st.DrawFn) -> str:
    """Write `tasks:` with some items."""
    idents = IDS[: draw(st.integers(0, 4))]
    if not idents:
        return draw(
            st.sampled_from(
                [
                    "tasks: []\n",
                    "tasks:  []   # none\n",
                    "tasks:\n",
                    "tasks: ~\n",
                    "tasks: [\n  # none\n  ]\n",
                    "",
                ]
            )
        )
    if draw(st.sampled_from([False, False, True])):
        items = [draw(flow_items(ident)) for ident in idents]
        comma = draw(st.sampled_from([", ", ",\n  ", " , # c\n  "]))
        return f"tasks: [{comma.join(items)}{draw(st.sampled_from(['', ', ', chr(10) + ' ']))}]\n"
    column = draw(st.sampled_from([0, 2, 4]))
    apart = draw(st.sampled_from(["", "\n", f"{' ' * (column + 3)}# deeper\n", "# shallow\n"]))
    items = []
    for ident in idents:
        if draw(st.sampled_from([False, False, False, True])):
            items.append(f"{' ' * column}- {draw(flow_items(ident))}   # braces\n")
        else:
            items.append(draw(block_items(ident, column)))
    return f"tasks:{draw(st.sampled_from(['', '   # all', ' &all']))}\n{apart.join(items)}"


@st.composite
def files(draw: st.DrawFn) -> str:
    """Write a whole file; about half of them define the anchors that some items use."""
    anchors = "why-not: &w because\nd: &d {template: experiment}\n"
    head = draw(st.sampled_from(HEADS))
    text = head + draw(st.sampled_from([anchors, anchors, ""])) + draw(lists())
    text += draw(st.sampled_from(TAILS))
    if draw(st.booleans()):
        text = text.removesuffix("\n")
    return text.replace("\n", "\r\n") if draw(st.sampled_from([False, False, True])) else text
