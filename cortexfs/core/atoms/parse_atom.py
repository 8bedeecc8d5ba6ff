"""Parse a text into an atom, with the flaws that can be found in the text alone."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from cortexfs.core.atoms import anti_pattern
from cortexfs.core.atoms.atom import Atom, Flaw, Ref, parse_string_list
from cortexfs.core.atoms.kinds import REQUIRED_FIELDS
from cortexfs.core.atoms.lifecycle import parse_atom_status
from cortexfs.core.atoms.reviews import REVIEWED_KEY, parse_review
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.indexes.index_entry import parse_read_stats
from cortexfs.core.markdown.fences import blank_code
from cortexfs.core.markdown.sections import list_titles
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cortexfs.core.atoms.atom import FrontmatterValue
    from cortexfs.core.atoms.tree_paths import AtomPath

MAX_SUMMARY_CHARS = 300
"""Maximum characters of a summary."""

_CITED = re.compile(r"[A-Z]{1,8}-[0-9]{3,}[a-z]?(?![\w-])")
_WITHIN = re.compile(r"[\w.-]")
"""Characters that cannot precede a ref. In `_CITED` it would be tested at every letter."""
_PROJECT = re.compile(r"(?:^|(?<![\w./-]))([a-z0-9][a-z0-9._-]{0,63})/$")
_ALSO = {"options considered": "alternatives"}
_MARKER = re.compile(r"^<{7}( |$)", re.MULTILINE)


def parse_atom(path: str, place: AtomPath, text: str) -> Atom:
    """Return the atom in a text. Never raises: every problem is a flaw of the atom."""
    parsed = atom_text.parse_frontmatter(text)
    fields, lines, flaws = parsed.fields, parsed.lines, list(parsed.flaws)
    plain = _older(text) if place.kind.has_title_in_name and not fields else None
    if plain is not None:
        fields, lines, flaws = plain, {}, []
    elif fields:
        flaws += _shape(place, fields, lines)
        flaws += _sections(place, parsed.body, text)
        flaws += _weighed(place, fields, text)
    if "<<<<<<<" in text and (marker := _MARKER.search(text)):
        flaws.append(Flaw("conflict-marker", "a merge left its markers", _line(text, marker)))
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
    within = ident if isinstance(ident, str) and ident else name
    return Ref(f"{place.project}/{within}" if place.project else within)


def _older(text: str) -> Mapping[str, FrontmatterValue] | None:
    """Return the fields of a decision in the legacy format; None for any other text."""
    from cortexfs.core.decisions.legacy_format import parse_legacy_decision  # noqa: PLC0415 - few texts are so

    return parse_legacy_decision(text)


def _weighed(place: AtomPath, fields: Mapping[str, FrontmatterValue], text: str) -> Iterator[Flaw]:
    """Yield a flaw for an accepted decision with too few alternatives."""
    if not place.kind.is_decision or str(fields.get("status", "")).strip().lower() != "accepted":
        return
    from cortexfs.core.decisions.alternatives import (  # noqa: PLC0415 - few atoms decide
        MIN_ALTERNATIVES,
        find_alternatives,
    )

    if (count := len(find_alternatives(text))) < MIN_ALTERNATIVES:
        yield Flaw("few-alternatives", f"{count or 'none'} of {MIN_ALTERNATIVES} alternatives")


def _shape(
    place: AtomPath, fields: Mapping[str, FrontmatterValue], lines: Mapping[str, int]
) -> Iterator[Flaw]:
    """Yield the flaws of an atom's fields, given its kind."""

    def flaw(code: str, key: str, message: str) -> Flaw:
        return Flaw(code, message, lines.get(key, 1))

    needed = [key for key in REQUIRED_FIELDS if key != "project" or place.project]
    missing = [key for key in needed if fields.get(key, "") == ""]
    missing += [key for key in place.kind.required_fields if not fields.get(key)]
    for key in missing:
        yield flaw("missing-field", key, f"`{key}` is required")
    yield from (flaw(*found) for found in _identity(place, fields))
    yield from (flaw(*found) for found in _values(place, fields))


def _identity(
    place: AtomPath, fields: Mapping[str, FrontmatterValue]
) -> Iterator[tuple[str, str, str]]:
    ident, project = fields.get("id", ""), fields.get("project", "")
    if ident and not (isinstance(ident, str) and place.kind.id_pattern.fullmatch(ident)):
        yield "bad-id", "id", f"`{to_one_line(str(ident))}` is no id of kind {place.kind.name}"
    elif ident and ident != place.claimed_id:
        yield (
            "name-mismatch",
            "id",
            f"the file is `{to_one_line(place.file_name)}`, its id `{ident}`",
        )
    if place.project and project and project != place.project:
        yield "project-mismatch", "project", f"it lies in `{place.project}`"


def _values(
    place: AtomPath, fields: Mapping[str, FrontmatterValue]
) -> Iterator[tuple[str, str, str]]:
    born, summary, typed = (fields.get(key, "") for key in ("date", "summary", "status"))
    if born and not _is_date(born):
        yield "bad-date", "date", f"`{to_one_line(str(born))}` is not YYYY-MM-DD"
    if isinstance(summary, str):
        if len(summary.strip()) > MAX_SUMMARY_CHARS:
            yield "summary-too-long", "summary", f"{len(summary.strip())} characters"
        if "\n" in summary.strip():
            yield "summary-lines", "summary", "the summary has several lines"
    status = parse_atom_status(typed if isinstance(typed, str) else "?")
    if status.word not in place.kind.statuses:
        yield "bad-status", "status", f"no status `{to_one_line(status.word)}`; read as active"
    elif typed and not str(typed).strip().startswith(status.word):
        yield "status-case", "status", f"`{to_one_line(str(typed))}` is written `{status}`"
    refs, last = fields.get("refs", ""), fields.get("last-ref", "")
    if (refs and not str(refs).isdecimal()) or (
        last not in {"", "null", "~"} and not parse_read_stats("", str(last)).last_read
    ):
        yield "bad-refs", "refs", "`refs` is a count and `last-ref` a time in UTC"
    for item in parse_string_list(fields.get(REVIEWED_KEY, ())):
        if parse_review(item) is None:
            yield "bad-review", REVIEWED_KEY, f"`{to_one_line(item)}` is not REF YYYY-MM-DD"
    yield from _anti_pattern(str(summary), fields.get("tags", ""))


def _anti_pattern(summary: str, tags: FrontmatterValue) -> Iterator[tuple[str, str, str]]:
    tagged = anti_pattern.ANTI_PATTERN_TAG in tags
    if tagged != anti_pattern.is_anti_pattern(summary):
        without = "the tag has no" if tagged else "no tag for the"
        begins = f"summary that begins `{anti_pattern.ANTI_PATTERN_PREFIX}`"
        yield "anti-pattern-tag", "tags", f"{without} {begins}"


def _sections(place: AtomPath, body: str, text: str) -> Iterator[Flaw]:
    """Yield a flaw for missing sections; a tombstone or an imported note needs none."""
    front = text[: len(text) - len(body)]
    if "invalidated-date:" in front or "\nimported-from:" in front:
        return
    said = (title.lower() for title in list_titles(body))
    present = {_ALSO.get(title, title) for title in said}
    lacking = [name for name in place.kind.sections if name.lower() not in present]
    if lacking:
        line = text.count("\n", 0, len(text) - len(body)) + 1
        yield Flaw("missing-section", f"no section {', '.join(lacking)}", line)


def find_cited_refs(text: str) -> Iterator[tuple[str, int]]:
    """Yield the refs in a text outside of code blocks, each with its line from 1."""
    line, counted = 1, 0
    for cited, start in cited_at(blank_code(text)):
        line, counted = line + text.count("\n", counted, start), start
        yield cited, line


def cited_at(text: str) -> Iterator[tuple[str, int]]:
    """Yield the refs in a text without code, each with the index at which its id begins."""
    for found in _CITED.finditer(text):
        start = found.start()
        if start and _WITHIN.match(text, start - 1):
            continue
        if start and text[start - 1] == "/":
            project = _PROJECT.search(text[max(0, start - 66) : start])
            if project and not text.startswith(".md", found.end()):  # else it is a path
                yield f"{project[1]}/{found[0]}", start
        else:
            yield found[0], start


def _line(text: str, found: re.Match[str]) -> int:
    return text.count("\n", 0, found.start()) + 1


def _is_date(value: FrontmatterValue) -> bool:
    try:
        return isinstance(value, str) and bool(date.fromisoformat(value)) and "-" in value
    except ValueError:
        return False
