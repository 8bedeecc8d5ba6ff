"""Which atoms a text names, and how."""

from __future__ import annotations

import pytest

from cortexfs.core.atoms.atom import Atom, Ref
from cortexfs.core.atoms.find_cited_refs import find_cited_refs
from cortexfs.core.find.extract_links import ExtractedLink, extract_links

TEXT = """---
id: EXP-002
links: [EXP-001]
---

after K-001 and [[A  Title|so called]]

| [[Cell\\|in a table]] |

```
[[in code]]
```
"""


@pytest.mark.parametrize("before", ["", "\ufeff"], ids=["plain", "with a byte order mark"])
def test_links_come_from_fields_and_prose_but_not_from_code(before: str) -> None:
    text = before + TEXT
    atom = Atom(
        path="projects/p/experiments/EXP-002.md",
        kind="experiment",
        ref=Ref("p/EXP-002"),
        fields={"id": "EXP-002", "links": ("EXP-001",)},
        field_lines={"id": 2, "links": 3},
        cited_refs=tuple(find_cited_refs(text)),
    )
    assert extract_links(atom, text) == [
        ExtractedLink("links", "EXP-001", 3),
        ExtractedLink("text", "K-001", 6),
        ExtractedLink("wiki", "a title", 6),
        ExtractedLink("wiki", "cell", 8),
    ]
