"""Rules on the MEMORY.md of a client: what is cut off when it is loaded, and missing files."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import unquote

from cortexfs.core.audit.audit_rules import AuditFinding

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

MAX_LINES, MAX_BYTES = 200, 25 * 1024
"""What Claude Code loads of a MEMORY.md."""
MAX_LINKS = 10_000
_LINK = re.compile(r"\]\((?!\w+:)([^()\s#]{1,300}\.md)(?:#[^()\s]*)?\)")


def audit_memory_index(path: str, text: str, paths: Collection[str]) -> Iterator[AuditFinding]:
    """Yield the findings about one MEMORY.md; `paths` are the files that exist."""
    lines, size = text.rstrip("\n").count("\n") + 1, len(text.encode(errors="replace"))
    if lines > MAX_LINES:
        yield AuditFinding("over-cap", path, f"{lines} lines; those after {MAX_LINES} are lost")
    elif size > MAX_BYTES:
        yield AuditFinding("over-cap", path, f"{size} bytes; those after {MAX_BYTES} are lost")
    folder = path.rpartition("/")[0]
    for found in islice(_LINK.finditer(text), MAX_LINKS):
        target = unquote(found[1]).removeprefix("./")
        full = f"{folder}/{target}" if folder else target
        if not target.startswith(("/", "~", "../")) and full not in paths:
            yield AuditFinding("broken-link", path, f"no file {target}")
