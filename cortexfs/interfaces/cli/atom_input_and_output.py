"""Shared parts of the commands that create or list atoms: options, body, editor, output."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from cortexfs.core.text.sanitize import to_one_line
from cortexfs.errors import Refused, Usage
from cortexfs.interfaces.cli import process_context
from cortexfs.interfaces.cli.governance_commands import keep_refused_text, read_body_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cortexfs.core.atoms.create_atom import AtomDraft
    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.interfaces.cli.command_context import CommandContext
    from cortexfs.interfaces.cli.console import OutputPrinter
    from cortexfs.operations.new_atom import CreatedAtom
    from cortexfs.operations.show import ShownAtom
    from cortexfs.session.session import Session


MAX_SHOWN_ENTITIES = 10
"""Maximum number of entities that are shown below an atom."""


def split_words(words: Sequence[str] | None) -> tuple[str, ...]:
    """Return the words of `-t a -t b,c`: three words."""
    return tuple(word for part in words or () for each in part.split(",") if (word := each.strip()))


def parse_ref_fields(**given: Sequence[str] | None) -> dict[str, tuple[str, ...]]:
    """Return the fields that name other atoms, without the empty ones."""
    from cortexfs.core.atoms.evidence_refs import split_ref_items

    fields = {
        name: split_ref_items(name, words or ())
        for key, words in given.items()
        if (name := key.replace("_", "-"))
    }
    return {key: refs for key, refs in fields.items() if refs}


def parse_pairs(texts: Sequence[str], options: Mapping[str, str]) -> dict[str, str]:
    """Parse `KEY=VALUE` texts; a key that is also an option, or is given twice, is refused."""
    found: dict[str, str] = {}
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not key:
            raise Usage(f"`{text}` is not a field", hint="write --set KEY=VALUE")
        if key in options:
            raise Usage(f"`{key}` has its own option", hint=f"use {options[key]}")
        if key in found:
            raise Usage(f"`{key}` is set twice", hint="give each key once")
        found[key] = value
    return found


def set_body(
    draft: AtomDraft, composed: str, body_file: str | None, *, has_sections: bool
) -> AtomDraft:
    """Return a draft with its body: from a file, or composed from the options."""
    if body_file is None:
        return replace(draft, body=composed, has_placeholders=True)
    if has_sections:
        raise Usage(
            "--body-file cannot be combined with options for sections",
            hint="write all sections into the file",
        )
    return replace(draft, body=read_body_file(body_file))


def create_atom(
    run: CommandContext,
    session: Session,
    draft: AtomDraft,
    *,
    edit: bool = False,
) -> None:
    """Create an atom from a draft, edited in the editor with `edit`, and print the result."""
    from cortexfs.operations.new_atom import new_atom

    with _edit_body(draft) if edit else nullcontext(draft) as final_draft:
        created = new_atom(
            session, final_draft, process_context.find_sources(session), mode=run.mode
        )
    _print_created_atom(run.output, created)


@contextmanager
def _edit_body(draft: AtomDraft) -> Iterator[AtomDraft]:
    """Edit the body in an editor; a refused text is saved in a file."""
    from cortexfs.interfaces.cli.editor import edit_text

    body = edit_text(draft.body or "")
    if not body.strip():
        raise Refused("nothing was written in the editor", hint="the atom was not created")
    with keep_refused_text(body):
        yield replace(draft, body=body)


def _print_created_atom(output: OutputPrinter, created: CreatedAtom) -> None:
    """Print the new atom, and its near-duplicates."""
    from cortexfs.interfaces.json.atoms import to_created_atom_json

    for near in created.near_duplicates:
        output.print_message(f"similar to {near.ref} ({near.similarity:.0%}): {near.summary}")
    if output.print_result(
        created.plan, created.outcome, {"created": to_created_atom_json(created)}
    ):
        output.print_text(f"{created.ref}\t{created.path}")


def print_atom_table(output: OutputPrinter, found: Sequence[AtomWithReads]) -> None:
    """Print atoms: ref, date, status, summary; exit with 1 if there is none."""
    heads = ("Ref", "Date", "Status", "Summary")
    atoms = ((entry.atom, entry.status.display_text) for entry in found)
    rows = ((a.ref, a.text_field("date"), status, a.text_field("summary")) for a, status in atoms)
    output.print_table(heads, rows)
    if not found:
        output.exit_empty("no matches")


def print_atom(output: OutputPrinter, found: ShownAtom, details: Sequence[str]) -> None:
    """Print an atom's text, then its context, backlinks and history."""
    output.print_text(
        "\n".join([found.text.rstrip("\n"), "", *format_atom_context(found, details)])
    )


def format_atom_context(found: ShownAtom, details: Sequence[str]) -> list[str]:
    """Return lines with an atom's context, backlinks, changed citations and history."""
    lines = [*details]
    if found.backlinks:
        lines.append(f"backlinks: {', '.join(found.backlinks)}")
    if found.entities:
        lines.append(f"mentions: {_join_names([name for _, name in found.entities])}")
    lines += [f"line {flaw.line}: {flaw.message}" for flaw in found.changed_citations]
    lines += [f"{past.commit[:10]} {past.when[:10]} {past.subject}" for past in found.commits]
    return [to_one_line(line) for line in lines]


def _join_names(names: Sequence[str]) -> str:
    shown = ", ".join(names[:MAX_SHOWN_ENTITIES])
    more = len(names) - MAX_SHOWN_ENTITIES
    return f"{shown} (+{more} more)" if more > 0 else shown
