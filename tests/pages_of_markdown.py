"""Markdown as people write it: what may stand around the part that is to be changed."""

from __future__ import annotations

from hypothesis import strategies as st

WORDS = ("One.", "Two words", "a | b", "ünï 🎛", "**bold**", "<!-- note -->", "1,200 ms (EXP-001)")
BLOCKS = (
    *("# Title", "### Deeper", "#### Deepest #", "####### no heading", "#tag", "text\nmore text"),
    *("- a\n- b", "* a\n  goes on\n* b", "1. a\n2. b", "- [ ] open\n- [x] done", "> quoted"),
    *("```\n## Not a heading\n- not a bullet\n```", "~~~ sh\n# no\n~~~"),
    *("<!--\n## Not a heading\n- not a bullet\n-->", "- ```\n  # no\n  ```"),
    *("| a | b |\n|---|---|\n| 1 | 2 |", "    indented", "Label:", "---", "\t- tabbed"),
)
NEWLINES = ("\n", "\r\n")

words = st.sampled_from(WORDS)
blocks = st.sampled_from(BLOCKS)
gaps = st.sampled_from(["\n", "\n\n", "\n\n\n"])


@st.composite
def texts(draw: st.DrawFn, newline: str = "\n") -> str:
    """Draw some blocks with blank lines between them, ended or not."""
    parts = draw(st.lists(st.tuples(blocks, gaps), max_size=6))
    text = "".join(block + gap for block, gap in parts)
    return text.replace("\n", newline)
