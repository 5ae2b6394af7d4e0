# Every target makes the environment it needs; PYTHON names the interpreter it starts from.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
LIMIT ?= 20

.PHONY: eval test wheel-test lint types imports check bench clean

eval: $(VENV)/.installed
	@$(BIN)/inspect eval seqniah/test --model seqniah/lexical --limit $(LIMIT) --log-dir logs
	@$(BIN)/seqniah summary --log-dir logs

test: $(VENV)/.installed-dev
	$(BIN)/pytest -n auto -m "not wheel"

wheel-test: $(VENV)/.installed-dev
	$(BIN)/pytest -m wheel

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-dev
	$(BIN)/mypy seqniah.py seqniah_tasks datasets/seqniah_datasets scorers/seqniah_scorers

imports: $(VENV)/.installed-dev
	$(BIN)/lint-imports

check: lint types imports test wheel-test

bench: $(VENV)/.installed-dev
	$(BIN)/python benchmarks/run.py

$(VENV)/.installed: pyproject.toml
	@echo "Making the environment $(VENV) and installing seqniah; this takes a minute or two."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "seqniah needs Python 3.11 or later; run make PYTHON=python3.12 eval."; exit 1; }
	@$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	@$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache
