"""Make a new atom."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Ref
from cortexfs.core.atoms.create_atom import plan_atom
from cortexfs.core.atoms.grounds import FREE, is_source, refs_in
from cortexfs.core.atoms.near_duplicates import Said, nearest
from cortexfs.core.atoms.parse_atom import read_atom
from cortexfs.core.atoms.refs import candidates, full_ref
from cortexfs.core.atoms.tree_paths import folder_of, place
from cortexfs.core.changes.plan import Mode, Plan, with_outcome
from cortexfs.core.checks.finding_codes import ERROR, severity
from cortexfs.core.checks.secrets import refuse_secrets
from cortexfs.core.text.sanitize import one_line
from cortexfs.errors import NoSuchAtom, Refused
from cortexfs.operations.shared.derived_files import with_listings
from cortexfs.operations.shared.resolve_names import resolve
from cortexfs.operations.shared.text_findings import with_sums

if TYPE_CHECKING:
    from cortexfs.core.atoms.create_atom import Draft
    from cortexfs.core.atoms.near_duplicates import Near
    from cortexfs.core.changes.plan import Outcome, Write
    from cortexfs.core.checks.citations import Sources
    from cortexfs.session.session import Session
    from cortexfs.session.view import FileView, View

LARGEST = 16 * 1024 * 1024
"""Bytes of an atom; a larger one would not be read again."""
NAMING = ("evidence", "source-experiments", "links", "supersedes")
"""Fields that name atoms; those of `FREE` may name something else too."""


class Created(NamedTuple):
    """A new atom's ref and path, and what came of the plan (None: it was a dry run).

    `near` are other atoms that say nearly the same.
    """

    ref: Ref
    path: str
    plan: Plan
    near: tuple[Near, ...]
    outcome: Outcome | None = None


def new(
    session: Session,
    draft: Draft,
    sources: Sources | None = None,
    *,
    mode: Mode = Mode.COMMIT,
) -> Created:
    """Give a draft the next id, a file, its line in the index, and a commit.

    Lines that it cites are summed up where `sources` knows the project's folder.
    """

    def decide(view: View) -> Created:
        return _decide(view, draft, sources)

    return with_outcome(session.execute(decide, mode))


def _decide(view: View, draft: Draft, sources: Sources | None) -> Created:
    """Decide on id and text; refuses what would be a finding at once."""
    _resolve_refs(view, draft)
    date = view.clock().date().isoformat()
    text = starting_text(view, draft)
    ident, write = plan_atom(draft, _taken(view, draft), date, text)
    write = write._replace(text=with_sums(write.text, write.path, sources))
    _refuse_flaws(view, write)
    ref = Ref(f"{draft.project}/{ident}" if draft.project else ident)
    said = f"new {draft.kind.name} {ref}: {one_line(draft.summary)}"
    plan = Plan(said, tuple(with_listings(view, [write])))
    near = nearest(Said(ref, draft.summary, draft.tags), view.facts.said(draft.kind.name))
    return Created(ref, write.path, plan, near)


def starting_text(view: FileView, draft: Draft) -> str:
    """Give the body that a new atom of a kind begins with, its `{{words}}` open."""
    return view.tree.template(f"{draft.kind.name}.md") or _sections(draft)


def _taken(view: FileView, draft: Draft) -> list[str]:
    """Name the files whose ids are taken."""
    projects = view.tree.projects() if draft.kind.tree_wide else [draft.project]
    return [
        name for project in projects for name in view.tree.names(folder_of(project, draft.kind))
    ]


def _resolve_refs(view: View, draft: Draft) -> None:
    """Refuse refs that name nothing; words, addresses and paths of a free field name no atom."""
    prefixes = {kind.prefix for kind in view.kinds}
    for key in NAMING:
        value = draft.fields.get(key, ())
        for item in (value,) if isinstance(value, str) else value:
            is_free = key in FREE and is_source(item, prefixes)
            refs = [ref for ref in refs_in([item]) if view.kinds.of_id(ref.rpartition("/")[2])]
            if not (refs or is_free):
                raise NoSuchAtom(item)
            for ref in refs if is_free else [item]:
                _resolve_ref(view, ref, draft.project)


def _resolve_ref(view: View, ref: str, project: str) -> None:
    if not any(map(view.facts.named, candidates(ref, project))):
        resolve(view, full_ref(ref, project), view.tree.root)


def _refuse_flaws(view: FileView, write: Write) -> None:
    if len(write.text.encode(errors="replace")) > LARGEST:
        raise Refused("an atom has at most 16 MiB", hint="keep one fact a file")
    where = place(write.path, view.kinds)
    flaws = read_atom(write.path, where, write.text).flaws if where else ()
    for flaw in flaws:
        if severity(flaw.code) == ERROR or flaw.code == "bad-refs":
            raise Refused(f"{flaw.code}: {flaw.message}")
    refuse_secrets(write.text)


def _sections(draft: Draft) -> str:
    """Make the starting text of a kind that has no template: its sections, empty."""
    sections = "".join(f"\n## {name}\n" for name in draft.kind.sections)
    return f"\n# {{{{id}}}}: {{{{summary}}}}\n{sections}"
