"""The console: data on stdout, messages on stderr, no control characters on either."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from cortexfs.core.text.sanitize import redact_secrets, strip_unprintable, to_one_line
from cortexfs.interfaces.cli.process_context import GLOBAL_OPTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from cortexfs.core.changes.plan import Outcome, Plan
    from cortexfs.errors import CortexError

MIN_COLUMNS = 20
"""Columns to which a message is wrapped at least."""
MESSAGE_INDENT = 7
"""Columns before the second line of a message: the width of `error: `."""


class OutputPrinter(NamedTuple):
    """The output of one command."""

    as_json: bool = False
    quiet: bool = False

    @property
    def is_quiet(self) -> bool:
        """Return whether messages are left out, because of --quiet or --json."""
        return self.quiet or GLOBAL_OPTIONS.quiet or self.as_json

    def print_text(self, text: str) -> None:
        """Print data to stdout."""
        if not self.as_json:
            sys.stdout.write(strip_unprintable(text).rstrip("\n") + "\n")
            sys.stdout.flush()  # for readers of `watch`

    def print_lines(self, *texts: str) -> None:
        """Print each text on one line."""
        self.print_text("\n".join(map(to_one_line, texts)))

    def print_long_text(self, lines: Iterable[str]) -> None:
        """Print lines as they come."""
        if not self.as_json:
            for line in lines:
                sys.stdout.write(f"{strip_unprintable(line)}\n")
            sys.stdout.flush()

    def print_message(self, text: str) -> None:
        """Print a message without secrets to stderr, unless --quiet or --json is given."""
        if not self.is_quiet:
            sys.stderr.write(f"{redact_secrets(to_one_line(text))}\n")

    def print_notes(self, *lines: str) -> None:
        """Print lines after the result, with their indentation."""
        if lines and not self.is_quiet:
            sys.stderr.write(strip_unprintable("\n".join(lines)) + "\n")

    def print_document(self, **content: object) -> None:
        """Print one JSON document, without the keys whose value is None.

        An iterator is printed as a list, each item as it comes.
        """
        if self.as_json:
            import json

            from cortexfs.interfaces.json.plans import FORMAT_VERSION

            kept = {key: value for key, value in content.items() if value is not None}
            for part in _encode_in_parts(json.dumps, {"format": FORMAT_VERSION, **kept}):
                sys.stdout.write(part)
            sys.stdout.write("\n")
            sys.stdout.flush()

    def print_table(self, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """Print rows: a table that fits the terminal, or tab-separated columns elsewhere."""
        if self.as_json:
            return
        cells = ([to_one_line(cell) for cell in row] for row in rows)
        if not sys.stdout.isatty():
            sys.stdout.writelines("\t".join(row) + "\n" for row in cells)
            sys.stdout.flush()  # before the messages that follow, where both are one stream
        elif shown := list(cells):
            from cortexfs.interfaces.cli.text_table import is_styled, render_table, terminal_width

            lines = render_table(heads, shown, terminal_width(), styled=is_styled())
            self.page_text("".join(f"{line}\n" for line in lines))

    def page_text(self, text: str) -> None:
        """Print a text, through the pager if it is long on a terminal.

        The text must contain no control characters.
        """
        if GLOBAL_OPTIONS.pager and sys.stdin.isatty() and sys.stdout.isatty():
            from cortexfs.interfaces.cli.pager import page_text

            page_text(text)
        else:
            sys.stdout.write(text)
            sys.stdout.flush()

    def exit_empty(self, message: str) -> NoReturn:
        """Print that there is no result, and exit with 1."""
        from typer import Exit

        self.print_message(message)
        raise Exit(1)

    def print_limit_note(self, shown: int, limit: int, default: int) -> None:
        """Print how to see more, if the default limit may have cut off results."""
        if shown == limit == default:
            self.print_message(f"at most {limit} results are shown; -n N shows more")

    def print_unreadable_count(self, count: int) -> None:
        """Print how many files were left out, if any."""
        if count:
            from cortexfs.core.text.plural import format_count

            self.print_message(
                f"{format_count(count, 'unreadable file')} left out; run `cortexfs check`"
            )

    def print_plan(self, plan: Plan) -> None:
        """Print the changes of a plan."""
        from cortexfs.core.changes.plan_diff import format_plan_diffs

        self.print_preview(plan.message, dict(format_plan_diffs(plan)))

    def print_preview(self, summary: str, changes: Mapping[str, str]) -> None:
        """Print the planned changes, as a diff for each path."""
        from cortexfs.interfaces.json.plans import to_plan_json

        self.print_document(plan=to_plan_json(summary, changes.items()))
        self.print_text("".join(changes.values()) or "nothing to do")

    def print_settings_preview(self, summary: str, changes: Mapping[str, str]) -> None:
        """Print the planned changes of settings files, and how many would change."""
        from cortexfs.core.text.plural import format_count

        self.print_preview(summary, changes)
        if changed := sum(map(bool, changes.values())):
            self.print_message(f"{format_count(changed, 'file')} would change; nothing was written")

    def print_result(
        self,
        plan: Plan,
        outcome: Outcome | None,
        document: Mapping[str, object],
        *,
        changed: bool = True,
    ) -> bool:
        """Print the plan of a dry run, or the document of the result.

        Returns whether the plan was executed. If nothing had to be `changed` the document names no
        commit.
        """
        if outcome is None:
            self.print_plan(plan)
            return False
        from cortexfs.interfaces.json.plans import last_commit_id

        self.print_outcome(outcome)
        self.print_document(**document, commit=last_commit_id(outcome) if changed else None)
        return True

    def print_own_changes(self, paths: Iterable[str]) -> None:
        """Print the files whose uncommitted changes by the user are part of the commit."""
        for path in paths:
            self.print_message(f"{path}: your uncommitted changes are included in the commit")

    def print_outcome(self, outcome: Outcome | None) -> None:
        """Print the messages of an outcome: blocked files, backups, pending commits."""
        if outcome is None:
            return
        for finding in outcome.blocked_findings:
            self.print_message(f"{finding.path}: {finding.message}")
        for path in outcome.backups:
            self.print_message(f"backup of the previous text: {path}")
        if outcome.uncommitted_reason:
            self.print_message(
                f"written, not committed: {outcome.uncommitted_reason}; "
                "the first command after that makes the commit"
            )


def _encode_in_parts(
    encode: Callable[[object], str], content: Mapping[str, object]
) -> Iterator[str]:
    """Yield the parts of a JSON object; together they are what `encode` returns for lists."""
    separator = "{"
    for key, value in content.items():
        yield f"{separator}{encode(key)}: "
        separator = ", "
        if isinstance(value, Iterator):
            yield "["
            yield from (f"{', ' * bool(n)}{encode(item)}" for n, item in enumerate(value))
            yield "]"
        else:
            yield encode(value)
    yield "}"


def print_error(error: CortexError) -> None:
    """Print an error and its hint."""
    hint = f"{format_message('hint', error.hint)}\n" if error.hint else ""
    sys.stderr.write(f"{format_message('error', str(error))}\n{hint}")


def format_message(label: str, text: str) -> str:
    """Return an error or a hint on one line; on a terminal, on lines that break at blanks."""
    line = f"{label:>5}: {to_one_line(text)}"
    if not sys.stderr.isatty():
        return line
    from shutil import get_terminal_size
    from textwrap import wrap

    width = max(get_terminal_size().columns, MIN_COLUMNS)
    lines = wrap(
        line,
        width,
        subsequent_indent=" " * MESSAGE_INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines)


def is_interactive() -> bool:
    """Return whether a person can be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()
