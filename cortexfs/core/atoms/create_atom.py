"""Plan the files of a new atom, project or tree."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cortexfs.core.atoms.anti_pattern_marker import add_anti_pattern_tag
from cortexfs.core.atoms.parse_atom import MAX_SUMMARY_CHARS
from cortexfs.core.atoms.tree_paths import kind_folder
from cortexfs.core.changes.plan import Write
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.text.plural import format_count
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cortexfs.core.atoms.kind import Kind

FIELD_OPTIONS = {
    "summary": "--summary",
    "tags": "--tag",
    "evidence": "--evidence",
    "source-experiments": "--source-experiments",
    "links": "--link",
}
"""Fields that have their own option; the others are given by `--set`."""

_EXAMPLES = {
    "evidence": "such as EXP-001, a URL, a file, a commit or a citation",
    "source-experiments": "such as EXP-001",
}
"""Values of fields that a newcomer may not guess."""

_FIELD_NAME = re.compile(r"[A-Za-z][\w-]{0,63}", re.ASCII)
_GENERATED_FIELDS = frozenset({"id", "date", "project"})
BULLETIN_IGNORE_LINE = "/BULLETIN.md\n"
GITIGNORE_LINES = f".cortexfs/\n/user/observations/\n{BULLETIN_IGNORE_LINE}"
GITATTRIBUTES_LINES = "*.md -text\naccess-log*.jsonl merge=union\nindex.md merge=union\n"


class MissingFields(Refused):
    """A new atom lacks fields that its kind requires."""

    def __init__(self, kind: str, missing: Sequence[str]) -> None:
        options = " ".join(map(_format_option, missing))
        fields = " and ".join(f"`{key}`" for key in missing)
        noun = "field" if len(missing) == 1 else "fields"
        atom = format_count(1, kind).removeprefix("1 ")
        super().__init__(f"a new {atom} needs the {noun} {fields}", hint=f"add {options}")
        self.missing = tuple(missing)


def _format_option(field: str) -> str:
    """Return how to give a field: `--evidence … (EXP-001, a URL)`."""
    option = f"{FIELD_OPTIONS[field]} …" if field in FIELD_OPTIONS else f"--set {field}=…"
    return f"{option} ({_EXAMPLES[field]})" if field in _EXAMPLES else option


@dataclass(frozen=True, slots=True, kw_only=True)
class AtomDraft:
    """The given values of a new atom; if `body` is None, the kind's template is used.

    `has_placeholders` means that the body began as the template, so `{{id}}` in it is filled in.
    """

    kind: Kind
    project: str
    summary: str
    tags: tuple[str, ...] = ()
    fields: Mapping[str, str | tuple[str, ...]]
    body: str | None = None
    has_placeholders: bool = False


def find_missing_fields(draft: AtomDraft) -> list[str]:
    """Return the required fields that a draft lacks."""
    given = {
        "summary": to_one_line(draft.summary),
        "tags": draft.tags,
        "status": draft.kind.initial_status,
    }
    required = dict.fromkeys(["summary", *draft.kind.required_fields])
    return [
        key
        for key in required
        if not (key in _GENERATED_FIELDS or draft.fields.get(key) or given.get(key))
    ]


def list_asked_fields(kind: Kind) -> list[str]:
    """Return the required fields that a person gives beside summary and tags."""
    known = {"summary", "tags", *_GENERATED_FIELDS, *(["status"] if kind.initial_status else [])}
    return [key for key in kind.required_fields if key not in known]


def plan_new_atom(
    draft: AtomDraft, names: Iterable[str], date: str, template: str
) -> tuple[str, Write]:
    """Return the next id and the write of a draft's file.

    `names` are the file names that count for ids. Raises `MissingFields`, and `Refused` for
    values that `check` would report.
    """
    summary = _normalize_summary(draft.summary)
    if missing := find_missing_fields(draft):
        raise MissingFields(draft.kind.name, missing)
    ident = draft.kind.next_id(name.removesuffix(".md") for name in names)
    block = atom_text.format_frontmatter(_make_fields(draft, ident, date, summary))
    body = template if draft.body is None else draft.body
    if draft.body is None or draft.has_placeholders:
        body = _fill_placeholders(body, {"id": ident, "summary": summary})
    name = draft.kind.make_file_name(ident, summary, in_project=bool(draft.project))
    path = f"{kind_folder(draft.project, draft.kind)}/{name}"
    return ident, Write(path, f"---\n{block}---\n{body}")


def plan_missing_files(
    texts: Mapping[str, str], present: Mapping[str, str | None], placeholders: Mapping[str, str]
) -> list[Write]:
    """Return the writes of the texts whose files are missing, with `{{placeholders}}` filled in."""
    return [
        Write(path, _fill_placeholders(text, placeholders))
        for path, text in texts.items()
        if present.get(path) is None
    ]


def add_missing_lines(text: str, lines: str) -> str:
    """Return a settings file of git with the missing lines added at its end."""
    present = {line.strip() for line in text.splitlines()}
    missing = "".join(f"{line}\n" for line in lines.splitlines() if line not in present)
    end = "" if not text or text.endswith("\n") or not missing else "\n"
    return f"{text}{end}{missing}"


def _normalize_summary(text: str) -> str:
    summary = to_one_line(text)
    if len(summary) > MAX_SUMMARY_CHARS:
        raise Refused(
            f"the summary has {len(summary)} characters; the limit is {MAX_SUMMARY_CHARS}",
            hint="shorten it; details belong in the body",
        )
    return summary


def _make_fields(
    draft: AtomDraft, ident: str, date: str, summary: str
) -> dict[str, str | tuple[str, ...]]:
    """Return the frontmatter in the order of the format. Raises `Refused` for invalid fields."""
    if invalid := [key for key in draft.fields if not _FIELD_NAME.fullmatch(key)]:
        raise Refused(f"`{to_one_line(invalid[0])}` is not a valid field name")
    if generated := {"id", "project"} & draft.fields.keys():
        raise Refused(f"`{min(generated)}` is set by cortexfs")
    if repeated := {"summary", "tags"} & draft.fields.keys():
        raise Refused(
            f"`{min(repeated)}` has its own option", hint=f"use {FIELD_OPTIONS[min(repeated)]}"
        )
    tags = add_anti_pattern_tag(summary, draft.tags)
    fields: dict[str, str | tuple[str, ...]] = {"id": ident, "date": date}
    if draft.project:
        fields["project"] = draft.project
    fields |= {"summary": summary, "tags": tags}
    if draft.kind.initial_status:
        fields["status"] = draft.kind.initial_status
    return {**fields, **draft.fields}


def _fill_placeholders(text: str, values: Mapping[str, str]) -> str:
    """Return a text with `{{word}}` filled in, in one pass: inserted text is not filled again."""
    return re.sub(r"\{\{(\w+)\}\}", lambda found: values.get(found[1], found[0]), text)
