"""`check` reports broken links and empty governance files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_to_soak

if TYPE_CHECKING:
    from place import Place

TOKEN = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"
NOTE = """# Note

[no](gone.md) [yes](../OVERVIEW.md#scans "title") [out](../../up.md) `[code](a.md)` [[No Such]]
[[overview]] ![[image.png]] [web](https://example.org/a) [anchor](#x) <!-- [comment](b.md) -->

```
[fence](c.md)
```

[spaces](<two words.md>) [folder](../projects)

| [[EXP-012\\|a]] | [[overview\\|b]] | [[No Such\\|c]] |
"""


def _found(place: Place, code: str) -> list[tuple[str, int, str]]:
    found = json.loads(place.run("check", "--json").out)["findings"]
    return [(f["path"], f["line"], f["message"]) for f in found if f["code"] == code]


def test_broken_links_are_warnings_with_their_lines(sample: Place) -> None:
    assert _found(sample, "broken-link") == []
    sample.write("notes/a.md", NOTE)
    assert _found(sample, "broken-link") == [
        ("notes/a.md", 3, "`gone.md` does not exist"),
        ("notes/a.md", 3, "no file has the title `No Such`"),
        ("notes/a.md", 10, "`two words.md` does not exist"),
        ("notes/a.md", 12, "no file has the title `No Such`"),
    ]
    sample.write("notes/gone.md", "# No such\n")
    assert ("notes/a.md", 3, "`gone.md` does not exist") not in _found(sample, "broken-link")


def test_a_broken_link_in_an_atom_counts_its_line_from_the_top_of_the_file(sample: Place) -> None:
    path = "projects/driftwood/experiments/EXP-012.md"
    text = sample.read(path)
    sample.write(path, f"{text.rstrip()}\n\n[x](gone.md)\n")
    line = text.rstrip().count("\n") + 3
    assert _found(sample, "broken-link") == [(path, line, "`gone.md` does not exist")]


def test_an_empty_governance_file_is_a_warning(sample: Place) -> None:
    assert _found(sample, "says-nothing") == []
    sample.write("projects/driftwood/STATUS.md", "garbage\n")
    sample.write("projects/greenhouse/STATUS.md", "# Status\n\n## Current phase\n\n## Next steps\n")
    sample.write("projects/driftwood/mission.md", "# Mission\n\n## Goal\n\n## Scope\n\nAll.\n")
    assert [path for path, _, _ in _found(sample, "says-nothing")] == [
        "projects/driftwood/STATUS.md",
        "projects/driftwood/mission.md",
        "projects/greenhouse/STATUS.md",
    ]


@pytest.mark.parametrize(
    "words",
    leave_to_soak(
        [
            ("show", TOKEN),
            ("list", "--kind", TOKEN, "--json"),
            ("diff", TOKEN),
            ("find", "a", f"--{TOKEN}"),
            (TOKEN,),
            ("mark", "driftwood/EXP-001", "refined", "--by", TOKEN),
        ],
        every=3,
    ),
    ids=lambda words: words[0][:6],
)
def test_no_error_repeats_a_secret_that_was_typed(sample: Place, words: tuple[str, ...]) -> None:
    ran = sample.run(*words)
    assert ran.code
    assert TOKEN not in ran.out + ran.err
