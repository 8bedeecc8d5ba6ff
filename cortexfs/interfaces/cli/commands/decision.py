"""`cortexfs decision`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.text.plural import format_count
from cortexfs.interfaces.cli import atom_input_and_output, completion, process_context
from cortexfs.interfaces.cli.ask_fields import ask_alternatives, ask_summary
from cortexfs.interfaces.cli.command_context import (
    CommandContext,
    change_command,
    filter_command,
    make_group,
    read_command,
)
from cortexfs.interfaces.cli.options import (
    BodyFile,
    Edit,
    Evidence,
    Links,
    Project,
    Reason,
    Ref,
    StringList,
    Summary,
    Tags,
    Track,
)

if TYPE_CHECKING:
    from cortexfs.interfaces.cli.console import OutputPrinter
    from cortexfs.operations.decision import SettledDecision, ShownDecision

app = make_group("Manage decisions: new, list, show, accept, reject, supersede.")

SystemOption = Annotated[
    bool, typer.Option("--system", help="Only decisions of the whole tree, of no project.")
]


@app.command()
@change_command
def new(
    run: CommandContext,
    project: Project = None,
    system: Annotated[
        bool, typer.Option("--system", help="Propose a decision of the whole tree.")
    ] = False,
    summary: Summary = "",
    tag: Tags = None,
    context: Annotated[str, typer.Option(metavar="TEXT", help="Why a decision is needed.")] = "",
    alternative: Annotated[
        StringList, typer.Option(metavar="TEXT", help="Alternative; required at least twice.")
    ] = None,
    decision: Annotated[
        str, typer.Option(metavar="TEXT", help="The chosen alternative, and why.")
    ] = "",
    consequence: Annotated[
        StringList, typer.Option(metavar="TEXT", help="Consequence; may be repeated.")
    ] = None,
    evidence: Evidence = None,
    link: Links = None,
    body_file: BodyFile = None,
    edit: Edit = False,
) -> None:
    """Propose a decision with at least two alternatives.

    The decision belongs to --project, else to the project of the working directory, else to the
    whole tree. On a terminal, asks for a missing summary and
    for alternatives. Prints the ref and the path.

    Example: cortexfs decision new -s "Dates in UTC" --alternative UTC --alternative "Local time"
    """
    from cortexfs.core.atoms.create_atom import AtomDraft
    from cortexfs.operations.decision import (
        decision_kind,
        render_decision_body,
        resolve_decision_project,
    )

    session = run.open_session()
    draft = AtomDraft(
        kind=decision_kind(session),
        project=resolve_decision_project(session, project, run.cwd, system=system),
        summary=summary,
        tags=atom_input_and_output.split_words(tag),
        fields=atom_input_and_output.parse_ref_fields(evidence=evidence, links=link),
    )
    draft, alternatives, consequences = ask_summary(draft), alternative or [], consequence or []
    if body_file is None and not edit:
        alternatives = ask_alternatives(alternatives)
    composed = render_decision_body(session, draft, (context, decision), alternatives, consequences)
    has_sections = bool(context or decision or alternatives or consequences)
    draft = atom_input_and_output.set_body(draft, composed, body_file, has_sections=has_sections)
    atom_input_and_output.create_atom(run, session, draft, edit=edit)


@app.command("list")
@filter_command("project", "status", "tag", "since", "until")
def list_all(run: CommandContext, system: SystemOption = False) -> None:
    """List the decisions of the tree and of its projects, by id.

    Example: cortexfs decision list -p lighthouse
    """
    from cortexfs.interfaces.json.atoms import to_atom_json
    from cortexfs.operations.decision import list_decisions

    session, only = run.open_filtered()
    found = list_decisions(session, only, system=system)
    run.output.print_document(decisions=[to_atom_json(entry) for entry in found])
    atom_input_and_output.print_atom_table(run.output, found)


@app.command()
@read_command
def show(run: CommandContext, ref: Ref, track: Track = True) -> None:
    """Show a decision and its alternatives.

    Also shows whether its text was edited after it was accepted.

    Example: cortexfs decision show lighthouse/DR-0002 --no-track
    """
    from cortexfs.interfaces.json.atoms import to_shown_decision_json
    from cortexfs.operations.decision import show_decision

    session = run.open_session()
    found = show_decision(
        session,
        ref,
        run.cwd,
        process_context.find_sources(session),
        track=track,
    )
    run.output.print_document(**to_shown_decision_json(found))
    atom_input_and_output.print_atom(run.output, found.shown, _format_details(found))


@app.command()
@change_command
def accept(run: CommandContext, ref: Ref, reason: Reason = "") -> None:
    """Accept a decision; its text must not change after that.

    It must have at least two alternatives, and state what is decided.

    Example: cortexfs decision accept lighthouse/DR-0002
    """
    _set_status(run, ref, "accepted", reason)


@app.command()
@change_command
def reject(run: CommandContext, ref: Ref, reason: Reason = "") -> None:
    """Reject a proposed decision; it stays in the tree as a record.

    Example: cortexfs decision reject DR-0003 --reason "Nobody needs it"
    """
    _set_status(run, ref, "rejected", reason)


@app.command()
@change_command
def supersede(
    run: CommandContext,
    ref: Ref,
    by: Annotated[
        str,
        typer.Option(
            "--by",
            metavar="REF",
            help="Ref of the later decision.",
            autocompletion=completion.complete_refs,
        ),
    ],
    reason: Reason = "",
) -> None:
    """Supersede a decision by a later one.

    The later decision is accepted, and the two are linked.

    Example: cortexfs decision supersede lighthouse/DR-0001 --by lighthouse/DR-0002
    """
    from cortexfs.operations.decision import supersede_decision

    done = supersede_decision(run.open_session(), ref, by, run.cwd, reason=reason, mode=run.mode)
    _print_change(run.output, done)


def _format_details(found: ShownDecision) -> list[str]:
    """Return lines about a decision: its alternatives, and whether it matches the accepted text."""
    lines = [f"{found.shown.path}, {format_count(len(found.alternatives), 'alternative')}"]
    if acceptance := found.acceptance:
        line, commit = acceptance.changed_line, acceptance.commit
        change = f"changed since, at line {line}" if line else "not changed since"
        lines.append(
            f"accepted in {commit.commit[:10]} {commit.when[:10]} {commit.subject}: {change}"
        )
    return lines


def _set_status(run: CommandContext, ref: str, status: str, reason: str) -> None:
    from cortexfs.operations.decision import settle_decision

    done = settle_decision(
        run.open_session(),
        ref,
        status,
        run.cwd,
        reason=reason,
        mode=run.mode,
    )
    _print_change(run.output, done)


def _print_change(output: OutputPrinter, done: SettledDecision) -> None:
    from cortexfs.interfaces.json.history_and_status import to_settled_decision_json

    output.print_own_changes(done.own_changes)
    if not output.print_result(
        done.plan, done.outcome, to_settled_decision_json(done), changed=bool(done.file_changes)
    ):
        return
    if done.file_changes:
        output.print_table(
            ("Ref", "Change"), [(touch.ref, touch.summary) for touch in done.file_changes]
        )
    else:
        output.print_lines(f"{done.ref} is already {done.status}")
