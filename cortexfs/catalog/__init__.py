"""The derived SQLite file. Delete it freely."""
