"""`cortexfs doctor`."""

from __future__ import annotations

import os
import sys

import typer

from cortexfs.interfaces.cli.command_context import CommandContext, read_command

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@read_command
def doctor(run: CommandContext) -> None:
    """Check the installation, and show how to fix it.

    Changes nothing. Exit code 1 if a check fails.

    Example: cortexfs doctor
    """
    from cortexfs.interfaces.json.tree_state import to_installation_check_json
    from cortexfs.operations.doctor import doctor as check_installation

    facts = check_installation(run.open_session(), os.environ)
    run.output.print_document(checks=[to_installation_check_json(fact) for fact in facts])
    rows = [("ok" if f.passed else "!", f.subject, f.result, f.fix) for f in facts]
    if sys.stdout.isatty():  # a command to copy must not be cut
        run.output.print_table(("", "Check", "Result"), [row[:3] for row in rows])
        run.output.print_lines(*(f"{f.subject}: {f.fix}" for f in facts if f.fix))
    else:
        run.output.print_table(("", "Check", "Result", "Fix"), rows)
    if not all(fact.passed for fact in facts):
        raise typer.Exit(1)
