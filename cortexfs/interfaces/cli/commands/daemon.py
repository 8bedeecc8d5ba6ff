"""`cortexfs daemon`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.interfaces.cli.command_context import CommandContext, make_group, read_command

if TYPE_CHECKING:
    from cortexfs.operations.daemon_status import DaemonStatus

app = make_group("Manage the background process of a tree: start, stop, status, run.")


@app.command()
@read_command
def start(run: CommandContext) -> None:
    """Start the daemon in the background, unless it runs.

    It updates catalog, indexes and bulletins as files change, and applies `maintain` and `patterns`
    once a day, each in a commit.

    Returns when the daemon has started, and does not wait until everything is prepared.

    Example: cortexfs daemon start
    """
    import os

    from cortexfs.interfaces.daemon.control_daemon import start_daemon

    started = start_daemon(run.open_session(), os.environ)
    known = {} if started.pid is None else {"pid": started.pid}
    run.output.print_document(daemon={**known, "started": started.is_new})
    what = "started" if started.is_new else "already running"
    run.output.print_lines(f"{what} (pid {started.pid})")


@app.command()
@read_command
def stop(run: CommandContext) -> None:
    """Stop the daemon.

    Waits until the process has ended; a job that is running has a few seconds.

    Example: cortexfs daemon stop
    """
    from cortexfs.interfaces.daemon.control_daemon import stop_daemon

    stopped = stop_daemon(run.open_session())
    process = {"pid": stopped.pid, "by": stopped.by} if stopped else {}
    known = {key: value for key, value in process.items() if value is not None}
    run.output.print_document(daemon={"stopped": bool(stopped), **known})
    if stopped:
        run.output.print_lines(f"stopped (pid {stopped.pid}, by {stopped.by})")
    else:
        run.output.print_lines("not running")


@app.command()
@read_command
def status(
    run: CommandContext,
    metrics: Annotated[
        bool, typer.Option("--metrics", help="Print the metrics in the format of Prometheus.")
    ] = False,
) -> None:
    """Show whether the daemon runs, what is prepared, and its jobs.

    If no daemon runs, shows what the last one stored.

    Example: cortexfs daemon status
    """
    from cortexfs.operations.daemon_status import load_daemon_status
    from cortexfs.session.daemon_files import read_metrics

    session = run.open_session()
    if metrics:
        text = read_metrics(session.tree.root)
        run.output.print_document(metrics=text)
        if not text:
            run.output.exit_empty("no metrics: no daemon has run")
        run.output.print_text(text)
        return
    _print_status(run, load_daemon_status(session))


@app.command("run")
@read_command
def run_in_foreground(
    run: CommandContext,
    once: Annotated[bool, typer.Option("--once", help="Prepare everything, and exit.")] = False,
    keep_running: Annotated[
        bool, typer.Option("--keep-running", help="Do not exit when nothing happens for long.")
    ] = False,
) -> None:
    """Run the daemon in the foreground.

    For a terminal or a service manager. Runs until it is stopped, or until nothing has happened
    for four hours (`idle-exit`).

    Example: cortexfs daemon run --once
    """
    import gc
    import logging
    import os
    import time

    from cortexfs.interfaces.daemon.run_daemon import run_daemon

    gc.enable()  # this process lives long
    logging.disable(logging.ERROR)  # watchdog logs events that arrive while it stops
    session = run.open_session()
    session.reader.progress = None

    def report(text: str) -> None:
        run.output.print_message(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {text}")

    ended = run_daemon(session, os.environ, report, keep_running=keep_running, once=once)
    run.output.print_document(daemon={"ended": ended})
    if ended == "idle":
        report("nothing has happened for long")


def _print_status(run: CommandContext, status: DaemonStatus) -> None:
    from cortexfs.interfaces.daemon.status_text import format_job_row, format_status_lines
    from cortexfs.interfaces.json.daemon import to_daemon_json

    run.output.print_document(daemon=to_daemon_json(status))
    run.output.print_lines(*format_status_lines(status))
    heads = ("Job", "Last run", "Next run", "Failures", "State")
    run.output.print_table(heads, [format_job_row(job, status) for job in status.state.jobs])
    if not status.is_running:
        raise typer.Exit(1)
