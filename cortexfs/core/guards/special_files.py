"""Names of files that have a rule of their own; their own modules take long to import."""

SETTINGS_FILE = "cortexfs.yaml"
TASKS_FILE = "TASKS.yaml"
