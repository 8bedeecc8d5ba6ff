"""Names of files that have a rule of their own; their own modules take long to import."""

SETTINGS = "cortexfs.yaml"
TASKS = "TASKS.yaml"
