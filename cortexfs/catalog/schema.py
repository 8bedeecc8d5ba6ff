"""The catalog's tables. Every row is computed from the tree, so there are no migrations."""

FORMAT = 1
"""In the file's name: a catalog of another format is not found, hence rebuilt."""

TABLES = """
CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;

-- what each file looked like when it was read
CREATE TABLE IF NOT EXISTS files (
    path TEXT PRIMARY KEY, size INTEGER, mtime_ns INTEGER, ctime_ns INTEGER, digest BLOB
) WITHOUT ROWID;

-- one row an atom; `fields` is JSON, and so is `marks`: [lines, cites, flaws]
CREATE TABLE IF NOT EXISTS atoms (
    path TEXT PRIMARY KEY, folder TEXT, project TEXT, kind TEXT, ref TEXT, readable INTEGER,
    fields TEXT, marks TEXT
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS atoms_by_folder ON atoms (folder);
CREATE INDEX IF NOT EXISTS atoms_by_ref ON atoms (ref);

-- the refs that an index.md shows: what its atoms never fall below
CREATE TABLE IF NOT EXISTS shown (
    folder TEXT, id TEXT, refs INTEGER, last TEXT, PRIMARY KEY (folder, id)
) WITHOUT ROWID;

-- one row a line of an access log; lines with the same note and file are one look
CREATE TABLE IF NOT EXISTS looks (
    project TEXT, file TEXT, note TEXT, ts TEXT, log TEXT, PRIMARY KEY (project, file, note, log)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS looks_by_log ON looks (log);

-- unreadable lines of the logs
CREATE TABLE IF NOT EXISTS torn (log TEXT, line INTEGER, message TEXT);

-- folders whose index may be out of date; the day (UTC) and counts of the last rendering
CREATE TABLE IF NOT EXISTS stale (folder TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rendered (
    folder TEXT PRIMARY KEY, day TEXT,
    active INTEGER, superseded INTEGER, invalidated INTEGER, unreadable INTEGER
) WITHOUT ROWID;
"""
