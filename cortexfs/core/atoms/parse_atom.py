"""Parse a text into an atom, with the flaws that can be found in the text alone."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from cortexfs.core.atoms import anti_pattern_marker
from cortexfs.core.atoms.atom import Atom, Flaw, Ref, split_string_list
from cortexfs.core.atoms.conflict_markers import find_conflict_markers
from cortexfs.core.atoms.find_cited_refs import find_cited_refs
from cortexfs.core.atoms.kinds import REQUIRED_FIELDS
from cortexfs.core.atoms.lifecycle import parse_atom_status
from cortexfs.core.atoms.reviewed_field import REVIEWED_KEY, parse_review
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.indexes.atom_with_reads import parse_read_stats
from cortexfs.core.markdown.sections import list_titles
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cortexfs.core.atoms.atom import FrontmatterValue
    from cortexfs.core.atoms.tree_paths import AtomPath

MAX_SUMMARY_CHARS = 300
"""Maximum characters of a summary."""

_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_LEGACY_TITLES = {"options considered": "alternatives"}


def parse_atom(path: str, place: AtomPath, text: str) -> Atom:
    """Return the atom in a text. Never raises: every problem is a flaw of the atom."""
    parsed = atom_text.parse_frontmatter(text)
    fields, lines, flaws = parsed.fields, parsed.lines, list(parsed.flaws)
    legacy_fields = _parse_legacy_fields(text) if place.kind.is_decision and not fields else None
    if legacy_fields is not None:
        fields, lines, flaws = legacy_fields, {}, []
    elif fields:
        flaws += _check_fields(place, fields, lines)
        flaws += _check_sections(place, fields, parsed.body, text)
        flaws += _check_alternatives(place, fields, text)
    flaws += find_conflict_markers(text)
    return Atom(
        path=path,
        kind=place.kind.name,
        ref=_ref(place, fields),
        project=place.project,
        fields=fields,
        field_lines=lines,
        cited_refs=tuple(dict.fromkeys(find_cited_refs(text))) if fields else (),
        flaws=tuple(flaws),
    )


def make_unreadable_atom(path: str, place: AtomPath, flaw: Flaw) -> Atom:
    """Return the atom of a file that could not be opened, so that it is found by its name."""
    return Atom(
        path=path,
        kind=place.kind.name,
        ref=_ref(place, {}),
        project=place.project,
        flaws=(flaw,),
    )


def _ref(place: AtomPath, fields: Mapping[str, FrontmatterValue]) -> Ref:
    ident = fields.get("id")
    name = place.claimed_id or place.file_name.removesuffix(".md")
    return place.make_ref(ident if isinstance(ident, str) and ident else name)


def _parse_legacy_fields(text: str) -> Mapping[str, FrontmatterValue] | None:
    """Return the fields of a decision in the legacy format; None for any other text."""
    from cortexfs.core.decisions.legacy_format import parse_legacy_decision  # noqa: PLC0415 - few texts need it

    return parse_legacy_decision(text)


def _check_alternatives(
    place: AtomPath, fields: Mapping[str, FrontmatterValue], text: str
) -> Iterator[Flaw]:
    """Yield a flaw for an accepted decision with too few alternatives.

    An imported one was decided elsewhere.
    """
    if not place.kind.is_decision or "imported-from" in fields:
        return
    if str(fields.get("status", "")).strip().lower() != "accepted":
        return
    from cortexfs.core.decisions.alternatives import (  # noqa: PLC0415 - few atoms are decisions
        MIN_ALTERNATIVES,
        find_alternatives,
    )

    if (count := len(find_alternatives(text))) < MIN_ALTERNATIVES:
        message = f"{count} of the {MIN_ALTERNATIVES} required alternatives"
        yield Flaw("few-alternatives", message)


def _check_fields(
    place: AtomPath, fields: Mapping[str, FrontmatterValue], lines: Mapping[str, int]
) -> Iterator[Flaw]:
    """Yield the flaws of an atom's fields, given its kind."""

    def flaw(code: str, key: str, message: str) -> Flaw:
        return Flaw(code, message, lines.get(key, 1))

    required = [key for key in REQUIRED_FIELDS if key != "project" or place.project]
    missing = [key for key in required if fields.get(key, "") == ""]
    missing += [key for key in place.kind.required_fields if not fields.get(key)]
    for key in missing:
        yield flaw("missing-field", key, f"`{key}` is required")
    yield from (flaw(*found) for found in _check_identity(place, fields))
    yield from (flaw(*found) for found in _check_values(place, fields))


def _check_identity(
    place: AtomPath, fields: Mapping[str, FrontmatterValue]
) -> Iterator[tuple[str, str, str]]:
    ident, project = fields.get("id", ""), fields.get("project", "")
    if ident and not (isinstance(ident, str) and place.kind.id_pattern.fullmatch(ident)):
        yield "bad-id", "id", f"`{to_one_line(str(ident))}` is not an id of kind {place.kind.name}"
    elif ident and ident != place.claimed_id:
        yield (
            "name-mismatch",
            "id",
            f"the file is `{to_one_line(place.file_name)}`, its id is `{ident}`",
        )
    if place.project and project and project != place.project:
        yield "project-mismatch", "project", f"the file is in `{place.project}`"


def _check_values(
    place: AtomPath, fields: Mapping[str, FrontmatterValue]
) -> Iterator[tuple[str, str, str]]:
    day, summary, typed = (fields.get(key, "") for key in ("date", "summary", "status"))
    if day and not _is_date(day):
        yield "bad-date", "date", f"`{to_one_line(str(day))}` is not YYYY-MM-DD"
    if isinstance(summary, str):
        if len(summary.strip()) > MAX_SUMMARY_CHARS:
            yield "summary-too-long", "summary", f"{len(summary.strip())} characters"
        if "\n" in summary.strip():
            yield "summary-lines", "summary", "the summary has several lines"
    status = parse_atom_status(typed if isinstance(typed, str) else "?")
    if status.word not in place.kind.statuses:
        yield (
            "bad-status",
            "status",
            f"unknown status `{to_one_line(status.word)}`, treated as active",
        )
    elif typed and not str(typed).strip().startswith(status.word):
        yield "status-case", "status", f"write `{to_one_line(str(typed))}` as `{status}`"
    refs, last = fields.get("refs", ""), fields.get("last-ref", "")
    if (refs and not str(refs).isdecimal()) or (
        last not in {"", "null", "~"} and not parse_read_stats("", str(last)).last_read
    ):
        yield "bad-refs", "refs", "`refs` must be a number, `last-ref` a time in UTC"
    for item in split_string_list(fields.get(REVIEWED_KEY, ())):
        if parse_review(item) is None:
            yield "bad-review", REVIEWED_KEY, f"`{to_one_line(item)}` is not REF YYYY-MM-DD"
    yield from _check_anti_pattern_tag(str(summary), fields.get("tags", ""))


def _check_anti_pattern_tag(summary: str, tags: FrontmatterValue) -> Iterator[tuple[str, str, str]]:
    tag, prefix = anti_pattern_marker.ANTI_PATTERN_TAG, anti_pattern_marker.ANTI_PATTERN_PREFIX
    has_tag = tag in split_string_list(tags)
    if has_tag != anti_pattern_marker.is_anti_pattern(summary):
        message = (
            f"the tag is `{tag}`, but the summary does not begin with `{prefix}`"
            if has_tag
            else f"the summary begins with `{prefix}`, but there is no tag `{tag}`"
        )
        yield "anti-pattern-tag", "tags", message


def _check_sections(
    place: AtomPath, fields: Mapping[str, FrontmatterValue], body: str, text: str
) -> Iterator[Flaw]:
    """Yield a flaw for missing sections; a tombstone or an imported note needs none."""
    if "invalidated-date" in fields or "imported-from" in fields:
        return
    titles = (title.lower() for title in list_titles(body))
    present = {_LEGACY_TITLES.get(title, title) for title in titles}
    missing = [name for name in place.kind.sections if name.lower() not in present]
    if missing:
        line = text.count("\n", 0, len(text) - len(body)) + 1
        yield Flaw("missing-section", f"no section {', '.join(missing)}", line)


def _is_date(value: FrontmatterValue) -> bool:
    if not (isinstance(value, str) and _DATE.fullmatch(value)):
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True
