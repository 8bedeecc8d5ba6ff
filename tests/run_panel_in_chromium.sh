#!/bin/sh
# Runs the tests of the panel in Debian's Chromium, with axe. Needs apt, npm and the virtual environment of the clone.
set -eu
cd "$(dirname "$0")/.."
command -v chromium >/dev/null || apt-get install -y chromium
.venv/bin/python -c 'import playwright' 2>/dev/null || .venv/bin/pip install -q playwright
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(cd "$folder" && npm install --silent --no-fund --no-audit axe-core >/dev/null)
CORTEXFS_AXE="$folder/node_modules/axe-core/axe.min.js" .venv/bin/pytest --soak tests/interfaces/web/test_*_in_chromium.py "$@"
