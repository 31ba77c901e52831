# Everything here is also a plain line in the README; make only spares the typing.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test test-fast lint types format clean

$(BIN)/selfimprint: pyproject.toml setup.py
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	touch $(BIN)/selfimprint

$(VENV)/.dev: $(BIN)/selfimprint
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $(VENV)/.dev

demo: $(BIN)/selfimprint
	$(BIN)/selfimprint demo

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(VENV)/.dev
	$(BIN)/mypy -p selfimprint.engine -p selfimprint.synx -p selfimprint.models -p selfimprintd

test: $(VENV)/.dev lint types
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
