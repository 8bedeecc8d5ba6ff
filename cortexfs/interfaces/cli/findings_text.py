"""Format findings as lines: errors first, grouped by rule, with a maximum number."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from textwrap import wrap
from typing import TYPE_CHECKING

from cortexfs.core.text.plural import format_count
from cortexfs.core.text.sanitize import redact_secrets, to_one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cortexfs.core.atoms.atom import Finding

MAX_SHOWN = 20
"""Maximum number of findings that are printed without --all."""
HINT_WIDTH = 70
"""Maximum columns of a hint."""


def format_findings(findings: Iterable[Finding], *, every: bool = False) -> Iterator[str]:
    """Yield lines: for each rule its findings, then the hint; those of a rule are by path.

    The findings are read several times, so that they need not be in memory.
    """
    totals = Counter(finding.code for finding in findings)
    left = totals.total() if every else MAX_SHOWN
    for code in sorted(totals, key=_rule_sort_key):
        if shown := min(left, totals[code]):
            same = (finding for finding in findings if finding.code == code)
            yield from _format_group(code, totals[code], islice(same, shown))
            left -= shown
    if not every and (hidden := totals.total() - MAX_SHOWN) > 0:
        yield f"{format_count(hidden, 'more finding')}; --all shows all"


def _rule_sort_key(code: str) -> tuple[bool, str]:
    from cortexfs.core.checks.finding_codes import is_error

    return not is_error(code), code


def format_fixed_files(paths: Sequence[str], codes: Mapping[str, int]) -> Iterator[str]:
    """Yield the number of fixed files, with the rules whose findings are gone, and their paths."""
    fixed = ", ".join(f"{code} ({count})" for code, count in sorted(codes.items()))
    total = format_count(len(paths), "file")
    yield f"{total} fixed: {fixed}" if fixed else f"{total} fixed"
    yield from (f"  {to_one_line(path)}" for path in paths[:MAX_SHOWN])
    if (rest := len(paths) - MAX_SHOWN) > 0:
        yield f"  and {format_count(rest, 'more file')}"


def format_counts(errors: int, warnings: int) -> str:
    """Return both counts: `0 errors, 1 warning`."""
    return f"{format_count(errors, 'error')}, {format_count(warnings, 'warning')}"


def _format_group(code: str, total: int, findings: Iterable[Finding]) -> Iterator[str]:
    from cortexfs.core.checks.finding_codes import get_hint, get_severity

    yield f"{get_severity(code)}: {code} ({total})"
    for each in findings:
        yield f"  {redact_secrets(to_one_line(f'{each.path}:{each.line}: {each.message}'))}"
    lines = wrap(
        f"hint: {get_hint(code)}", HINT_WIDTH - 2, break_long_words=False, break_on_hyphens=False
    )
    yield from (f"  {line}" for line in lines)
