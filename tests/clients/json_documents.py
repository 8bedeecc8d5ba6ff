"""JSON documents in all the ways that people and programs write them."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=6)
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)
hooks = st.fixed_dictionaries(
    {"type": st.just("command"), "command": st.text(max_size=8)}, optional={"timeout": scalars}
)
groups = st.fixed_dictionaries(
    {"hooks": st.lists(hooks, max_size=2)}, optional={"matcher": st.sampled_from(["*", "Bash"])}
)
settings_objects = st.builds(
    lambda others, known: {**others, **known},
    st.dictionaries(st.text(max_size=4), values, max_size=3),
    st.fixed_dictionaries(
        {},
        optional={
            "hooks": st.dictionaries(
                st.sampled_from(["PostToolUse", "PreToolUse", "Stop"]), st.lists(groups, max_size=2)
            ),
            "permissions": st.fixed_dictionaries(
                {}, optional={"allow": st.lists(st.text(max_size=9), max_size=3), "deny": values}
            ),
            "model": st.text(max_size=5),
        },
    ),
)


@st.composite
def written(draw: st.DrawFn, documents: st.SearchStrategy[Any]) -> str:
    """Write a drawn document in a drawn style."""
    text = json.dumps(
        draw(documents),
        indent=draw(st.sampled_from([None, 0, 1, 2, 4, "\t"])),
        separators=draw(st.sampled_from([None, (",", ":"), (", ", " : "), (" ,", ":")])),
        sort_keys=draw(st.booleans()),
        ensure_ascii=draw(st.booleans()),
    )
    if draw(st.booleans()):
        text = text.replace("{}", "{  }").replace("[]", "[ ]")
    text = draw(st.sampled_from(["", "\ufeff", " ", "\n"])) + text
    text += draw(st.sampled_from(["", "\n", "\n\n", " "]))
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


GAPS = ["", " ", "\n", "\r\n  ", " // note, } of mine\n", '/* a, "b": { */', " /* two\n lines */ "]
gaps = st.sampled_from(GAPS)


@st.composite
def commented(draw: st.DrawFn, documents: st.SearchStrategy[Any]) -> tuple[str, Any]:
    """Write a drawn document with comments and trailing commas; give it beside its value."""
    value = draw(documents)
    return draw(gaps) + draw(_commented_value(value)) + draw(gaps), value


@st.composite
def _commented_value(draw: st.DrawFn, value: Any) -> str:
    if not isinstance(value, dict | list):
        return json.dumps(value)
    entries = value.items() if isinstance(value, dict) else ((None, inner) for inner in value)
    parts = [
        draw(gaps)
        + (f"{json.dumps(key)}{draw(gaps)}:{draw(gaps)}" if isinstance(value, dict) else "")
        + draw(_commented_value(inner))
        + draw(gaps)
        for key, inner in entries
    ]
    text = ",".join(parts) + ("," + draw(gaps) if parts and draw(st.booleans()) else "")
    text = text or draw(gaps)
    return "{" + text + "}" if isinstance(value, dict) else "[" + text + "]"
