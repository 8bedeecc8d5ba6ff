"""Who may know whom: the table of ARCHITECTURE.md, held over every import."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from for_each import for_each

pytestmark = pytest.mark.xdist_group("imports")  # they parse the package once
REPOSITORY = Path(__file__).parent.parent
PACKAGE = REPOSITORY / "cortexfs"
BELOW = {
    "errors": set(),
    "core": {"errors"},
    "tree": {"core", "errors"},
    "catalog": {"core", "tree", "errors"},
    "history": {"errors"},
    "session": {"core", "tree", "catalog", "history", "errors"},
    "clients": {"core", "errors"},
    "language_model": {"core", "tree", "errors"},
    "operations": {"core", "session", "clients", "language_model", "errors"},
    "interfaces": {"core", "session", "operations", "errors"},
    "__main__": {"interfaces"},
}
SHARED_INTERFACES = {"http", "json"}
"""The packages in `interfaces` that the others may import."""
IMPURE = {
    "os",
    "pathlib",
    "time",
    "subprocess",
    "sqlite3",
    "shutil",
    "tempfile",
    "socket",
    "random",
}
IMPURE_CALLS = {"print", "open", "datetime.now", "date.today"}
HOMES = {
    "yaml": {
        "core/frontmatter/safe_yaml.py",
        "core/frontmatter/yaml_reader.py",
        "core/tasks/parse_yaml_nodes.py",
        "core/tasks/tasks_document.py",
    },
    "sqlite3": {
        "catalog/connect_database.py",
        "catalog/catalog_files.py",
        "catalog/embeddings/vector_file.py",
        "catalog/sqlite_errors.py",
        "catalog/temporary_database.py",
    },
    "numpy": {"catalog/embeddings/embedding_model.py", "catalog/embeddings/vector_file.py"},
    "onnxruntime": {"catalog/embeddings/embedding_model.py"},
    "tokenizers": {"catalog/embeddings/embedding_model.py"},
    "rich": {
        "interfaces/cli/rich_results.py",
        "interfaces/cli/rich_atom.py",
        "interfaces/cli/progress.py",
        "interfaces/tui/page_view.py",
        "interfaces/tui/row_table.py",
        "interfaces/tui/text_view.py",
        "interfaces/tui/themes.py",
    },
    "textual": {
        "interfaces/tui/app.py",
        "interfaces/tui/change_dialog.py",
        "interfaces/tui/help_dialog.py",
        "interfaces/tui/key_line.py",
        "interfaces/tui/page_view.py",
        "interfaces/tui/row_table.py",
        "interfaces/tui/text_view.py",
        "interfaces/tui/themes.py",
        "interfaces/tui/typed_keys.py",
    },
    "igraph": {"core/graph/lay_out_graph.py"},
    "detect_secrets": {"core/checks/secrets.py"},
    "watchdog": {"interfaces/watch.py"},
    "frontmatter": {"core/importing/note_frontmatter.py"},
    "ruamel": {"core/importing/reformat_yaml.py"},
    "Stemmer": {"core/find/stemmers.py"},
    "mcp": {
        "interfaces/mcp/http_server.py",
        "interfaces/mcp/sdk_server.py",
        "interfaces/mcp/serve_wire.py",
    },
    "mcp_types": {"interfaces/mcp/sdk_server.py", "interfaces/mcp/serve_wire.py"},
    "uvicorn": {"interfaces/http/run_server.py"},
    "h11": {"interfaces/story_proxy/upstream_connection.py"},
    "starlette": {
        "interfaces/http/protect.py",
        "interfaces/http/refusal.py",
        "interfaces/http/server_app.py",
        "interfaces/http/stream_chat.py",
        "interfaces/rest/handle_request.py",
        "interfaces/rest/rest_app.py",
        "interfaces/rest/rest_routes.py",
        "interfaces/story_proxy/proxy_access.py",
        "interfaces/story_proxy/proxy_app.py",
        "interfaces/web/live_state.py",
        "interfaces/web/pages/graph_page.py",
        "interfaces/web/pages/other_pages.py",
        "interfaces/web/render_page.py",
        "interfaces/web/routes.py",
        "interfaces/web/static_files.py",
    },
    "jinja2": {"interfaces/web/render_page.py"},
    "markdown_it": {"interfaces/web/render_markdown.py"},
    "markupsafe": {
        "interfaces/web/render_markdown.py",
        "interfaces/web/render_page.py",
        "interfaces/web/story_text.py",
    },
    "nh3": {"interfaces/web/render_markdown.py"},
    "fastapi": {
        "interfaces/rest/change_atoms.py",
        "interfaces/rest/client_routes.py",
        "interfaces/rest/decision_routes.py",
        "interfaces/rest/handle_request.py",
        "interfaces/rest/link_routes.py",
        "interfaces/rest/openapi.py",
        "interfaces/rest/original_chat.py",
        "interfaces/rest/original_graph.py",
        "interfaces/rest/original_memories.py",
        "interfaces/rest/original_search.py",
        "interfaces/rest/parameters.py",
        "interfaces/rest/project_routes.py",
        "interfaces/rest/read_atoms.py",
        "interfaces/rest/rest_app.py",
        "interfaces/rest/store_routes.py",
        "interfaces/rest/story_routes.py",
        "interfaces/rest/task_routes.py",
        "interfaces/rest/tree_routes.py",
    },
    "pydantic": {
        "interfaces/json/documents/atoms.py",
        "interfaces/json/documents/projects.py",
        "interfaces/rest/bodies.py",
        "interfaces/rest/openapi.py",
        "interfaces/rest/parameters.py",
        "interfaces/rest/story_bodies.py",
        "interfaces/rest/task_bodies.py",
    },
    "tantivy": {
        "catalog/full_text_backend.py",
        "catalog/tantivy_index.py",
        "catalog/tantivy_query.py",
        "catalog/tantivy_state.py",
        "catalog/tantivy_statistics.py",
        "catalog/tantivy_vocabulary.py",
        "catalog/tantivy_writer.py",
    },
}
MODULES = sorted(PACKAGE.rglob("*.py"))


def imports(source: Path, *, at_runtime: bool = False) -> frozenset[str]:
    """Name what a module imports; with `at_runtime` not what only type checkers see."""
    for_checkers, for_all = _read_imports(source)
    return for_all if at_runtime else for_checkers | for_all


@cache
def _read_imports(source: Path) -> tuple[frozenset[str], frozenset[str]]:
    """Name what a module imports for type checkers alone, and what else it imports."""
    found: tuple[set[str], set[str]] = set(), set()
    pending: list[tuple[ast.AST, bool]] = [(ast.parse(source.read_text()), True)]
    while pending:
        node, at_runtime = pending.pop()
        if isinstance(node, ast.If) and _is_for_checkers(node.test):
            pending += [(child, False) for child in node.body]
            pending += [(child, at_runtime) for child in node.orelse]
            continue
        if isinstance(node, ast.Import):
            found[at_runtime].update(alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom) and node.module:
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            found[at_runtime].update((node.module, *names))
        children = ast.iter_child_nodes(node)
        pending += [(child, at_runtime) for child in children if not isinstance(child, ast.expr)]
    return frozenset(found[False]), frozenset(found[True])


def _is_for_checkers(test: ast.expr) -> bool:
    names = (node.id for node in ast.walk(test) if isinstance(node, ast.Name))
    return "TYPE_CHECKING" in names


def layer_of(source: Path) -> str:
    return source.relative_to(PACKAGE).with_suffix("").parts[0]


def name_of(source: Path) -> str:
    return str(source.relative_to(PACKAGE))


@for_each(MODULES)
def test_imports_point_downwards(source: Path) -> None:
    layer = layer_of(source)
    if layer == "__init__":
        return
    used = {name.split(".")[1] for name in imports(source) if name.startswith("cortexfs.")}
    assert used - {layer, "__version__"} <= BELOW[layer]


@for_each(sorted((PACKAGE / "interfaces").rglob("*.py")))
def test_no_interface_imports_another(source: Path) -> None:
    """The command line starts them all; what several share is in `http`, `json`, or beside them."""
    own, *inner = source.relative_to(PACKAGE / "interfaces").parts
    if own == "cli":
        return
    others = {place.name for place in (PACKAGE / "interfaces").iterdir() if place.is_dir()}
    others -= SHARED_INTERFACES
    head = "cortexfs.interfaces."
    used = {name.removeprefix(head).split(".")[0] for name in imports(source) if head in name}
    assert not used & (others - {own if inner else ""})


@for_each(MODULES)
def test_the_types_of_a_session_are_imported_for_annotations_alone(source: Path) -> None:
    assert "cortexfs.session.annotation_types" not in imports(source, at_runtime=True)


@for_each(sorted((PACKAGE / "core").rglob("*.py")))
def test_core_does_no_io(source: Path) -> None:
    assert not {name.split(".")[0] for name in imports(source, at_runtime=True)} & IMPURE
    text = source.read_text()
    if not any(f"{name}(" in text for name in IMPURE_CALLS):
        return
    calls = {ast.unparse(n.func) for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Call)}
    assert not calls & IMPURE_CALLS


@for_each(MODULES)
def test_heavy_libraries_have_one_home(source: Path) -> None:
    heavy = {name.split(".")[0] for name in imports(source, at_runtime=True)} & HOMES.keys()
    assert all(name_of(source) in HOMES[name] for name in heavy)


@for_each(MODULES)
def test_no_pattern_has_a_possessive_group(source: Path) -> None:
    """Python 3.11.0 to 3.11.4 match such a group wrongly where it has to go back within."""
    assert not re.search(r"[^\\]\)[*+?]\+", source.read_text(encoding="utf-8"))


HOOKS = {
    "drain_later.py": {"os", "sys", "time"},
    "guard.py": {
        "gc",
        "os",
        "posix",
        "sys",
        "event_json",
        "spool_note",
        "cortexfs.interfaces.hooks.guard",
        "cortexfs.interfaces.hooks.guard.answer_event",
    },
}
"""What some hooks may import; of cortexfs, in a guard, only what answers the client."""
BUILT_IN = {"posix", "sys", "time", "_imp", "_json"}
FALLBACKS = {"json", "hashlib"}
"""For another Python, which lacks the modules in C."""


@for_each(sorted((REPOSITORY / "hooks").glob("*.py")))
def test_hooks_start_fast_because_they_import_nothing(source: Path) -> None:
    own = {path.stem for path in source.parent.glob("*.py")}
    light = BUILT_IN | FALLBACKS | own
    found = {name for name in imports(source) if name.partition(".")[0] not in light}
    assert found <= HOOKS.get(source.name, set())
    assert "cortexfs" not in own


def test_only_history_runs_git() -> None:
    speakers = {layer_of(source) for source in MODULES if '"git"' in source.read_text()}
    assert speakers <= {"history", "operations"}


def test_there_is_no_import_cycle() -> None:
    """Neither when it runs nor for its annotations."""
    known = {
        "cortexfs." + name_of(m)[:-3].replace("/", ".").removesuffix(".__init__"): m
        for m in MODULES
    }
    uses = {
        name: {used for used in imports(module) if used in known} - {name}
        for name, module in known.items()
    }
    settled: set[str] = set()
    while ready := {name for name in uses.keys() - settled if uses[name] <= settled}:
        settled |= ready
    assert not {name: sorted(uses[name] - settled) for name in uses.keys() - settled}


def test_every_module_of_the_core_is_in_the_package_of_its_subject() -> None:
    assert [path.name for path in (PACKAGE / "core").glob("*.py")] == ["__init__.py"]


@for_each(sorted(PACKAGE.rglob("__init__.py")))
def test_a_package_init_holds_only_a_docstring(source: Path) -> None:
    if source.parent == PACKAGE:
        return
    (only,) = ast.parse(source.read_text()).body
    assert isinstance(only, ast.Expr)


GLOBAL = "import gc, locale, logging, os, signal, sys, threading"
STATE = (
    "(gc.isenabled(), logging.root.manager.disable, signal.getsignal(signal.SIGINT),"
    " locale.setlocale(locale.LC_ALL), dict(os.environ), threading.active_count(),"
    " sys.getrecursionlimit(), sys.excepthook)"
)


def test_no_import_changes_anything_global() -> None:
    """Those that run for one command may: in the `main` of the process."""
    names = [
        "cortexfs." + name_of(m)[:-3].replace("/", ".").removesuffix(".__init__") for m in MODULES
    ]
    lines = [GLOBAL, f"before = {STATE}", *(f"__import__({name!r})" for name in names)]
    lines += [f"after = {STATE}", "assert before == after, (before, after)"]
    subprocess.run([sys.executable, "-c", "\n".join(lines)], check=True)


WRITING = re.compile(
    r"\b(?:tree|self\.tree)\.(?:write|append|keep|sweep|make)\(|\bwrite_all\(|\bswap\."
    r"|\bfiles\.(?:replace|create|append|remove)\("
)
"""What changes the files of a tree."""


@for_each(MODULES)
def test_nothing_but_the_session_writes_to_a_tree(source: Path) -> None:
    if layer_of(source) in {"session", "tree", "history", "clients", "core"}:
        return
    assert not WRITING.search(source.read_text())
