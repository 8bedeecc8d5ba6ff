"""Names of files with rules of their own, apart from modules that are slow to import."""

SETTINGS_FILE = "cortexfs.yaml"
TASKS_FILE = "TASKS.yaml"
