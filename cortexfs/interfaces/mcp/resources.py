"""The resources: atoms, indexes and CORTEX.md files under `cortex://`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, unquote, urlsplit

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.tree_paths import CORTEX_MD, INDEX_MD
from cortexfs.core.text.untrusted_text import clean_line, clean_text, wrap_as_data
from cortexfs.errors import Refused
from cortexfs.interfaces.mcp.result_pages import cut_page, describe_page
from cortexfs.operations.record_answer import record_answer
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from cortexfs.interfaces.mcp.tool import ToolContext
    from cortexfs.session.view import TreeFilesAndGit

SCHEME = "cortex://"
PAGE_SIZE = 100
"""Maximum number of resources of one answer; the cursor gets the next."""
MARKDOWN = "text/markdown"
_TEMPLATES = {
    "{project}/{id}": ("atom", "An atom by its id: cortex://flywheel/EXP-042"),
    "{project}/{folder}/index": ("index", "The index of a kind: cortex://flywheel/knowledge/index"),
    "{project}/CORTEX.md": ("project", "What a project is about, and what it has"),
}


def list_templates() -> dict[str, object]:
    """Return the result of `resources/templates/list`."""
    templates = [
        {
            "uriTemplate": f"{SCHEME}{path}",
            "name": name,
            "description": description,
            "mimeType": MARKDOWN,
        }
        for path, (name, description) in _TEMPLATES.items()
    ]
    return {"resourceTemplates": templates}


def list_resources(context: ToolContext, cursor: str) -> dict[str, object]:
    """Return one page of the CORTEX.md files and the indexes; the cursor is a number."""
    start = int(cursor) if cursor.isascii() and cursor.isdecimal() and len(cursor) < 9 else 0  # noqa: PLR2004 - longer ones are not ours
    with context.session.read() as view:
        paths = _list_paths(view)
    shown = [_to_json(path) for path in paths[start : start + PAGE_SIZE]]
    more = {"nextCursor": str(start + PAGE_SIZE)} if len(paths) > start + PAGE_SIZE else {}
    return {"resources": shown, **more}


def read_resource(context: ToolContext, uri: str, client: str) -> dict[str, object]:
    """Return the text of a resource, and record it; raises `Refused` for an unknown address.

    A long one has pages: `?page=2`.
    """
    try:
        parts = urlsplit(uri)
    except ValueError:
        raise Refused("the address is malformed", hint=f"write {SCHEME}…") from None
    path = unquote(f"{parts.netloc}{parts.path}")
    if f"{parts.scheme}://" != SCHEME or not path:
        raise Refused(f"`{clean_line(uri)[:100]}` is not a resource", hint=f"write {SCHEME}…")
    typed = parse_qs(parts.query).get("page", ["1"])[0]
    number = int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 9 else 1  # noqa: PLR2004 - no text has more pages
    text, source = _read(context, path)
    page = cut_page(clean_text(text), number)
    address = uri.partition("?")[0]
    marker = describe_page(page, address).replace(" with page", " with ?page")
    shown = "\n".join(filter(None, (wrap_as_data(page.text, source), marker)))
    record_answer(context.session, "resource", client, "", shown)
    return {"contents": [{"uri": uri, "mimeType": MARKDOWN, "text": shown}]}


def _list_paths(view: TreeFilesAndGit) -> list[str]:
    """Return the paths below `cortex://` of the CORTEX.md files and the indexes that exist."""
    paths = [CORTEX_MD]
    for project in view.tree.list_projects():
        paths.append(f"{project}/{CORTEX_MD}")
        paths += [
            f"{project}/{kind.folder}/index"
            for kind in view.kinds
            if kind.indexed
            and INDEX_MD in view.tree.list_names(f"projects/{project}/{kind.folder}")
        ]
    return paths


def _to_json(path: str) -> dict[str, object]:
    return {"uri": f"{SCHEME}{quote(path)}", "name": path, "mimeType": MARKDOWN}


def _read(context: ToolContext, path: str) -> tuple[str, str]:
    """Return the text of a resource, and its ref or path."""
    steps = path.split("/")
    match steps:
        case ["CORTEX.md"]:
            return _read_file(context, CORTEX_MD)
        case [project, "CORTEX.md"]:
            return _read_file(context, f"projects/{project}/{CORTEX_MD}")
        case [project, folder, "index"]:
            return _read_file(context, f"projects/{project}/{folder}/{INDEX_MD}")
        case _:
            from cortexfs.operations.show import show

            found = show(context.session, path, context.cwd, context.sources)
            return found.text, found.ref


def _read_file(context: ToolContext, path: str) -> tuple[str, str]:
    with context.session.read(NeededContents.ATOMS) as view:
        source = view.tree.read_text_or_flaw(path)
    if isinstance(source, Flaw):
        raise Refused(f"{clean_line(path)}: {source.message}")
    return source.text, path
