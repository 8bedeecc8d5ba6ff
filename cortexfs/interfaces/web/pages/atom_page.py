"""Atom: one atom with its links, its history and its reads; mark, archive and restore it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import split_string_list
from cortexfs.core.atoms.lifecycle import STATUSES_WITH_CAUSE, parse_atom_status
from cortexfs.core.frontmatter.atom_text import split_front_and_body
from cortexfs.interfaces.web.pages.all_page import answer_several
from cortexfs.interfaces.web.panel_request import choose_local_path
from cortexfs.interfaces.web.reads_chart import count_weekly_reads
from cortexfs.interfaces.web.render_markdown import render_markdown
from cortexfs.interfaces.web.render_page import atom_path, render
from cortexfs.interfaces.web.story_links import list_story_links
from cortexfs.operations.change_several import SeveralRequest
from cortexfs.operations.describe_atom import describe_atom
from cortexfs.operations.related import related

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.interfaces.web.panel_request import PanelRequest

RELATED_LIMIT = 8
_SHOWN_ABOVE = {"id", "summary", "title", "status", "project", "date", "tags"}


def show_atom(request: PanelRequest) -> Response:
    """Return the page of an atom."""
    session, ref = request.session, request.parts["ref"]
    found = request.results.get(("atom", ref), lambda: describe_atom(session, ref))
    near = request.results.get(
        ("related", ref), lambda: related(session, found.ref, "/", RELATED_LIMIT).related
    )
    body = split_front_and_body(found.text)[1]
    return render(
        request,
        "atom.html",
        found=found,
        project=found.atom.project if found.atom else "",
        html=render_markdown(body, found.path, frozenset(found.nodes), found.wiki_names),
        fields=_list_fields(found.atom),
        related=near,
        story_links=list_story_links(found.kind.name, found.atom)
        if found.atom and found.kind.is_from_story
        else [],
        weeks=count_weekly_reads(found.reads, session.clock().date()),
        need_cause=STATUSES_WITH_CAUSE,
        status=parse_atom_status(found.atom.text_field("status") if found.atom else ""),
    )


def change_atom(request: PanelRequest) -> Response:
    """Mark, archive or restore an atom, or show what that would change."""
    ref = request.parts["ref"]
    wanted = SeveralRequest(
        (ref,), request.field("change"), request.field("cause"), request.field("reason")
    )
    back = choose_local_path(request.field("back"), atom_path(ref))
    return answer_several(request, wanted, back)


def _list_fields(atom: Atom | None) -> list[tuple[str, tuple[str, ...]]]:
    """Return the fields of the frontmatter that the head of the page does not show."""
    if atom is None:
        return []
    return [
        (key, split_string_list(value) if isinstance(value, tuple) else (str(value),))
        for key, value in atom.fields.items()
        if key not in _SHOWN_ABOVE and value not in ("", ())
    ]
