"""Datasette's pages of the catalog of a tree, beside which those of the panel are measured."""

from __future__ import annotations

import http.client
import socket
import sqlite3
import subprocess
import time
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from bench.level import percentile
from bench.measure import Figure

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ROUNDS, START_S = 20, 30.0
_FACETS = "_facet=kind&_facet=project&_facet=status"
PAGES = {
    "Datasette: all tables": "/catalog",
    "… a table": "/catalog/texts?_size=50",
    "… by date": "/catalog/texts?_size=50&_sort_desc=born",
    "… by date, with three facets": f"/catalog/texts?_size=50&_sort_desc=born&{_FACETS}",
    "… of a text, with three facets": f"/catalog/texts?_size=50&summary__contains=ba&{_FACETS}",
    "… a row": "/catalog/texts/1",
}


def measure_datasette(python: str, tree: Path, folder: Path) -> Iterator[Figure]:
    """Yield the time within which 95 % of Datasette's answers come, on a copy of the catalog.

    `python` is an interpreter that has Datasette.
    """
    (catalog,) = (tree / ".cortexfs").glob("catalog-v*.sqlite")
    copied = folder / "catalog.db"
    with closing(sqlite3.connect(catalog)) as ours, closing(sqlite3.connect(copied)) as theirs:
        ours.backup(theirs)
    with _serve(python, copied) as port:
        for name, path in PAGES.items():
            taken = [_time(port, path) for _ in range(ROUNDS + 1)][1:]
            yield Figure(f"{name}, p95", f"{percentile(taken, 95):.1f} ms", "")


@contextmanager
def _serve(python: str, database: Path) -> Iterator[int]:
    """Run Datasette on a port, and stop it."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [python, "-m", "datasette", "serve", str(database), "-p", str(port)]
    process = subprocess.Popen(
        [*command, "--setting", "num_sql_threads", "3"],
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    try:
        _wait_for(port)
        yield port
    finally:
        process.terminate()
        process.wait()


def _wait_for(port: int) -> None:
    """Wait until something answers on a port; raise `TimeoutError`."""
    end = time.monotonic() + START_S
    while time.monotonic() < end:
        try:
            _time(port, "/")
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError("Datasette does not answer")


def _time(port: int, path: str) -> float:
    """Return the milliseconds until an answer has come."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=START_S)
    began = time.perf_counter()
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
    finally:
        connection.close()
    if answer.status != http.client.OK:
        raise OSError(f"{answer.status}: {path}")
    return (time.perf_counter() - began) * 1000
