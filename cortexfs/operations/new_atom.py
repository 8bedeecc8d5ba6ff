"""Create a new atom."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Ref
from cortexfs.core.atoms.create_atom import plan_new_atom
from cortexfs.core.atoms.evidence_refs import FREE_TEXT_FIELDS, extract_refs, is_external_source
from cortexfs.core.atoms.near_duplicates import AtomSummary, find_near_duplicates
from cortexfs.core.atoms.parse_atom import parse_atom
from cortexfs.core.atoms.refs import list_candidate_refs, to_full_ref
from cortexfs.core.atoms.tree_paths import kind_folder, parse_atom_path
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, attach_outcome
from cortexfs.core.checks.finding_codes import is_error
from cortexfs.core.checks.secrets import refuse_secrets
from cortexfs.core.decisions.alternatives import refuse_without_alternatives
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.errors import NoSuchAtom, Refused
from cortexfs.operations.shared.cortex_md_and_overview import add_derived_writes
from cortexfs.operations.shared.find_text_findings import add_citation_checksums
from cortexfs.operations.shared.resolve_names import resolve_ref

if TYPE_CHECKING:
    from cortexfs.core.atoms.create_atom import AtomDraft
    from cortexfs.core.atoms.near_duplicates import NearDuplicate
    from cortexfs.core.changes.plan import Outcome, Write
    from cortexfs.core.checks.citation_checksums import CitedFileSource
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit, View

MAX_ATOM_BYTES = 16 * 1024 * 1024
"""Maximum bytes of an atom; a larger one could not be read again."""
REF_FIELDS = ("evidence", "source-experiments", "links", "supersedes")
"""Fields that name atoms; those in `FREE_TEXT_FIELDS` may have other values too."""


_ALTERNATIVES_HINT = (
    "use `cortexfs decision new --alternative A --alternative B`, --edit or --body-file"
)


class CreatedAtom(NamedTuple):
    """A new atom's ref and path, and the outcome of the plan (None: it was a dry run).

    `near_duplicates` are existing atoms with nearly the same summary.
    """

    ref: Ref
    path: str
    plan: Plan
    near_duplicates: tuple[NearDuplicate, ...]
    outcome: Outcome | None = None


def new_atom(
    session: Session,
    draft: AtomDraft,
    sources: CitedFileSource | None = None,
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> CreatedAtom:
    """Give a draft the next id, a file, its row in the index, and a commit.

    Checksums of cited lines are added if `sources` knows the project's folder. Refuses a decision
    with fewer than two alternatives.
    """

    def decide(view: View) -> CreatedAtom:
        if draft.kind.is_decision:
            template = render_starting_text(view, draft)
            refuse_without_alternatives(draft.body or "", template, _ALTERNATIVES_HINT)
        return _decide(view, draft, sources)

    return attach_outcome(session.execute(decide, mode))


def check_draft(session: Session, draft: AtomDraft) -> None:
    """Refuse what `new_atom` would refuse in a draft whose body is not written yet."""
    session.execute(lambda view: _decide(view, draft, None), ExecutionMode.DRY_RUN)


def _decide(view: View, draft: AtomDraft, sources: CitedFileSource | None) -> CreatedAtom:
    """Choose id and text; refuse a draft that would have findings."""
    if draft.project and "project" not in draft.kind.scopes:
        raise Refused(
            f"the kind `{draft.kind.name}` belongs to no project", hint="leave out the project"
        )
    _resolve_refs(view, draft)
    date = view.clock().date().isoformat()
    text = render_starting_text(view, draft)
    ident, write = plan_new_atom(draft, _list_taken_names(view, draft), date, text)
    write = write._replace(text=add_citation_checksums(write.text, write.path, sources))
    _refuse_flaws(view, write)
    ref = Ref(f"{draft.project}/{ident}" if draft.project else ident)
    message = f"new {draft.kind.name} {ref}: {to_one_line(draft.summary)}"
    plan = Plan(message, tuple(add_derived_writes(view, [write])))
    near = find_near_duplicates(
        AtomSummary(ref, draft.summary, draft.tags), view.queries.iter_summaries(draft.kind.name)
    )
    return CreatedAtom(ref, write.path, plan, near)


def render_starting_text(view: TreeFilesAndGit, draft: AtomDraft) -> str:
    """Return the initial body of a new atom of a kind, with its `{{placeholders}}`."""
    return view.tree.read_template(f"{draft.kind.name}.md") or _render_empty_sections(draft)


def _list_taken_names(view: TreeFilesAndGit, draft: AtomDraft) -> list[str]:
    """Return the files whose ids are taken."""
    projects = view.tree.list_projects() if draft.kind.has_tree_wide_ids else [draft.project]
    return [
        name
        for project in projects
        for name in view.tree.list_names(kind_folder(project, draft.kind))
    ]


def _resolve_refs(view: View, draft: AtomDraft) -> None:
    """Refuse refs that name no atom; words, addresses and paths in a free field are allowed."""
    prefixes = {kind.prefix for kind in view.kinds}
    for key in REF_FIELDS:
        value = draft.fields.get(key, ())
        for item in (value,) if isinstance(value, str) else value:
            is_free = key in FREE_TEXT_FIELDS and is_external_source(item, prefixes)
            refs = [
                ref for ref in extract_refs([item]) if view.kinds.find_by_id(ref.rpartition("/")[2])
            ]
            if not (refs or is_free):
                raise NoSuchAtom(item)
            for ref in refs if is_free else [item]:
                _resolve_ref(view, ref, draft.project)


def _resolve_ref(view: View, ref: str, project: str) -> None:
    if not any(map(view.queries.find_ref, list_candidate_refs(ref, project))):
        resolve_ref(view, to_full_ref(ref, project), view.tree.root)


def _refuse_flaws(view: TreeFilesAndGit, write: Write) -> None:
    if len(write.text.encode(errors="replace")) > MAX_ATOM_BYTES:
        raise Refused("an atom has at most 16 MiB", hint="keep one fact in each file")
    where = parse_atom_path(write.path, view.kinds)
    flaws = parse_atom(write.path, where, write.text).flaws if where else ()
    for flaw in flaws:
        if is_error(flaw.code) or flaw.code == "bad-refs":
            raise Refused(f"{flaw.code}: {flaw.message}")
    refuse_secrets(write.text)


def _render_empty_sections(draft: AtomDraft) -> str:
    """Return the initial text of a kind without a template: its sections, empty."""
    sections = "".join(f"\n## {name}\n" for name in draft.kind.sections)
    return f"\n# {{{{id}}}}: {{{{summary}}}}\n{sections}"
