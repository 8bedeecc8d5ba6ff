# Each target does all its set-up on a machine with Python 3.11 and git.
PYTHON ?= python3
VENV := .venv
# One worker more than processors: tests wait for the disk and for processes.
WORKERS = $$($(BIN)/python -c "import os; print(1 + (os.cpu_count() or 1))")
BIN := $(VENV)/bin

.PHONY: demo test types tests soak bench clean

$(VENV)/ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -e '.[dev]'
	touch $@

demo: $(VENV)/ready
	@$(BIN)/python bench/demo.py

test: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@$(MAKE) --no-print-directory --jobs 2 types tests

types: $(VENV)/ready
	$(BIN)/mypy

tests: $(VENV)/ready
	$(BIN)/pytest -n $(WORKERS) --dist loadgroup

soak: $(VENV)/ready
	$(BIN)/pytest -n $(WORKERS) --dist loadgroup --soak
	$(BIN)/python bench/kill.py
	$(BIN)/python -m bench.daemon_kills

bench: $(VENV)/ready
	$(BIN)/python -m bench

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
