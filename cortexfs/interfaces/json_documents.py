"""Values as JSON documents: the shapes of docs/json.md, the same in every face."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.checks.finding_codes import hint, severity

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.changes.plan import IndexPlan
    from cortexfs.core.fresh_session.score import Fresh
    from cortexfs.core.governance.checklist import Item
    from cortexfs.core.indexes.index_entry import Entry
    from cortexfs.core.maintain.report import Report
    from cortexfs.core.tasks.task import Task
    from cortexfs.core.tasks.task_order import Standing
    from cortexfs.operations.access import Seen
    from cortexfs.operations.decision import Settled, Told
    from cortexfs.operations.diff import Difference
    from cortexfs.operations.find import Hit, PageHit
    from cortexfs.operations.log import Turn
    from cortexfs.operations.mark import Marked
    from cortexfs.operations.new_atom import Created
    from cortexfs.operations.restore import Restored
    from cortexfs.operations.show import Shown, ShownThen
    from cortexfs.operations.stats import Stats

Document = dict[str, object]


def atom(entry: Entry) -> Document:
    """Give one atom: its frontmatter as typed, and what is known of its refs."""
    fields = {key: value for key, value in entry.atom.fields.items() if value not in ("", ())}
    if tags := entry.atom.words("tags"):
        fields["tags"] = tags
    said: Document = {
        "ref": entry.atom.ref,
        "kind": entry.atom.kind,
        "path": entry.atom.path,
        **fields,
        "status": str(entry.status),
        "refs": entry.total.refs,
    }
    said.pop("last-ref", None)
    return {**said, "last-ref": entry.total.last} if entry.total.last else said


def found(hit: Hit, *, explain: bool = False) -> Document:
    """Give an atom that was found: what it is, the part that answers, how well it fits."""
    known, part = hit.found.known, hit.snippet
    said: Document = {
        "ref": known.ref,
        "kind": known.kind,
        "path": known.path,
        "status": known.status,
        "summary": known.summary,
        "refs": known.refs,
        "score": round(hit.found.score, 4),
        "section": part.section,
        "snippet": part.text,
        "marks": part.marks,
    }
    if explain:
        said["text"] = round(hit.found.lexical, 4)
        if fit := hit.found.fit:
            said["words"] = round(fit.words, 4)
            if fit.meaning is not None:
                said["meaning"] = round(fit.meaning, 4)
        said["factors"] = {name: round(value, 4) for name, value in hit.found.factors.items()}
    return said


def found_page(hit: PageHit) -> Document:
    """Give a page that was found: where it is, the part that answers, how well it fits."""
    part = hit.snippet
    return {
        "path": hit.found.path,
        "project": hit.found.project,
        "score": round(hit.found.score, 4),
        "section": part.section,
        "snippet": part.text,
        "marks": part.marks,
    }


def shown(found: Shown) -> Document:
    """Give an atom with its text, those that name it, and its past."""
    about = atom(found.entry) if found.entry else {"ref": found.ref, "path": found.path}
    past = [entry._asdict() for entry in found.past]
    said: Document = {"atom": about, "text": found.text, "backlinks": found.backlinks, "past": past}
    changed = [{"line": flaw.line, "message": flaw.message} for flaw in found.changed]
    return {**said, "changed": changed} if changed else said


def created(made: Created) -> Document:
    """Give a new atom's ref and path, and those that say nearly the same, if any do."""
    said: Document = {"ref": made.ref, "path": made.path}
    near = [each._asdict() for each in made.near]
    return {**said, "near": near} if near else said


def then(found: ShownThen) -> Document:
    """Give an atom as it was, and the commit that was asked for."""
    about = {"ref": found.ref, "path": found.path}
    return {"atom": about, "text": found.text, "at": found.at._asdict()}


def turn(found: Turn) -> Document:
    """Give one commit: what it touched, and what became of the atom that was asked for."""
    said: Document = {**found.made._asdict(), "refs": found.refs, "others": found.others}
    if found.moved_from:
        said["moved-from"] = found.moved_from
    if found.status:
        said["status"] = dict(zip(("before", "after"), found.status, strict=True))
    return said


def difference(found: Difference, text: str) -> Document:
    """Give the unified diff of an atom, and between what and what it is."""
    said: Document = {"ref": found.ref, "path": found.path, "diff": text}
    if found.path_then != found.path:
        said["path-then"] = found.path_then
    commits = {"since": found.since, "by": found.by}
    return said | {word: commit._asdict() for word, commit in commits.items() if commit}


def finding(found: Finding) -> Document:
    """Give one finding with its severity and hint."""
    return {
        "code": found.code,
        "severity": severity(found.code),
        "path": found.path,
        "line": found.line,
        "column": found.column,
        "message": found.message,
        "hint": hint(found.code),
    }


def item(found: Item) -> Document:
    """Give one item of a checklist, with the phase and the milestone that it stands under."""
    said: Document = {"number": found.number, "done": found.done, "text": found.words}
    above = {"phase": found.phase, "milestone": found.milestone}
    return said | {key: title for key, title in above.items() if title}


def index(planned: IndexPlan) -> Document:
    """Give one index: whether it changed, and what it counts."""
    changed = planned.write is not None
    return {"path": planned.path, "changed": changed, **planned.counts._asdict()}


def seen(look: Seen) -> Document:
    """Give one look as its line says it, with the project."""
    said = {key: value for key, value in look.look._asdict().items() if value}
    return {"project": look.project, **said}


def marked(done: Marked) -> Document:
    """Give a change of status, what changed beside the atom, and what was left out."""
    about = {"ref": done.ref, "path": done.path, "status": done.status}
    changed = [
        {"ref": touch.ref, "path": touch.write.path, "what": touch.what}
        for touch in done.marking.touches
    ]
    left_out = [{"path": path, "why": why} for path, why in done.marking.left_out.items()]
    return {"marked": about, "changed": changed, "left_out": left_out}


def settled(done: Settled) -> Document:
    """Give what became of a decision, and what changed for it."""
    about = {"ref": done.ref, "path": done.path, "status": done.status}
    changed = [
        {"ref": touch.ref, "path": touch.write.path, "what": touch.what} for touch in done.touches
    ]
    return {"decided": about, "changed": changed}


def told(found: Told) -> Document:
    """Give a decision as `shown` does, what it weighs, and whether it says what was accepted."""
    said: Document = {**shown(found.shown), "alternatives": found.alternatives}
    if not found.held:
        return said
    accepted: Document = {**found.held.made._asdict(), "changed": bool(found.held.line)}
    return {**said, "accepted": accepted | ({"line": found.held.line} if found.held.line else {})}


def maintenance(found: Report) -> Document:
    """Give what one project needs: each sort of it, and the commands that would act on it."""
    from cortexfs.core.maintain.suggestions import advice

    return {
        "project": found.project,
        "logged-days": found.logged_days,
        "contradictions": [each._asdict() for each in found.contradictions],
        "contradicted": [each._asdict() for each in found.contradicted],
        "stale": [each._asdict() for each in found.stale],
        "tag-clusters": [each._asdict() for each in found.tag_clusters],
        "link-clusters": [each._asdict() for each in found.link_clusters],
        "chains": found.chains,
        "cold": found.cold,
        "advice": [each._asdict() for each in advice(found)],
    }


def freshness(found: Fresh) -> Document:
    """Give the score of one project, its parts, and the pages that were read for it."""
    parts = [
        {key: value for key, value in part._asdict().items() if value != ""} for part in found.parts
    ]
    reads = [{"path": read.path, "tokens": read.tokens, "cut": read.is_cut} for read in found.reads]
    return {
        "project": found.project,
        "score": found.score,
        "parts": parts,
        "reads": reads,
        "tokens": found.tokens,
    }


def figures(found: Stats) -> Document:
    """Return the figures of a tree; sizes are in bytes."""
    return {
        "atoms": found.atoms,
        "kinds": found.kinds,
        "statuses": found.statuses,
        "projects": found.projects,
        "reads": found.reads,
        "recent-reads": found.recent_reads,
        "hot": found.hot,
        "cold": found.cold,
        "open-tasks": found.open_tasks,
        "unreadable": found.unreadable,
        "files": found.files,
        "tree-bytes": found.tree_bytes,
        "catalog-bytes": found.catalog_bytes,
    }


def restored(done: Restored) -> Document:
    """Give an atom that was brought back, and what its fall had challenged."""
    about = {"ref": done.ref, "path": done.path, "status": done.status, "from": done.source}
    return {"restored": about, "challenged": done.challenged}


def task(found: Task, standing: Standing | None = None) -> Document:
    """Give one task: its entries as typed, where it is, and how it stands, where that is known."""
    from cortexfs.core.tasks.task import path_of

    said = {key: value for key, value in found.fields.items() if value not in ("", ())}
    place: Document = {"project": found.project, "path": path_of(found.project), "line": found.line}
    stands = {"standing": standing.stand, "because": standing.why} if standing else {}
    return {"id": found.id, **place} | {k: v for k, v in said.items() if k not in place} | stands
