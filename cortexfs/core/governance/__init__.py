"""The files that steer a project, as values: sections, status, issues, checklists, overview."""
