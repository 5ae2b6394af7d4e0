# Every target makes the environment it needs; PYTHON names the interpreter it starts from.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
LIMIT ?= 20

# Where training is tested; TORCH may name a build for the machine, e.g. torch==2.13.0+cpu.
TRAIN_VENV ?= .venv-train
TORCH ?= torch>=2.6

# Processes that test: two a core, as many tests wait for servers and for commands.
WORKERS ?= $(shell expr 2 "*" $$(getconf _NPROCESSORS_ONLN))

.PHONY: eval test nightly wheel-test train-test lint types imports check bench clean

eval: $(VENV)/.installed
	@$(BIN)/inspect eval seqniah/test --model seqniah/lexical --limit $(LIMIT) --log-dir logs
	@$(BIN)/seqniah summary --log-dir logs

# Compiled once, whatever the shell says: every worker and command would compile it all anew.
test: export PYTHONDONTWRITEBYTECODE :=
test: $(VENV)/.installed-dev
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "not wheel and not train and not slow"

# The tests of properties alone, each on many more examples, and on others every time; and that no
# two samples of the whole test split share text.
nightly: $(VENV)/.installed-dev
	HYPOTHESIS_PROFILE=nightly $(BIN)/pytest -n $(WORKERS) --dist worksteal \
		-m "hypothesis and not train and not slow"
	$(BIN)/python benchmarks/independence.py

wheel-test: $(VENV)/.installed-dev
	$(BIN)/pytest -m wheel

train-test: $(TRAIN_VENV)/.installed
	$(TRAIN_VENV)/bin/pytest -m "train or slow" tests/tasks/test_judge_training.py \
		tests/tasks/test_lm_eval_guard.py tests/tasks/test_lm_eval_hf.py

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

# Torch first: what trains is then content with it and does not fetch another build.
$(TRAIN_VENV)/.installed: pyproject.toml
	@test -x $(TRAIN_VENV)/bin/python || $(PYTHON) -m venv $(TRAIN_VENV)
	@$(TRAIN_VENV)/bin/python -m pip install --quiet '$(TORCH)'
	@$(TRAIN_VENV)/bin/python -m pip install --quiet --editable '.[train,dev]' 'transformers[serving]'
	@touch $@

clean:
	rm -rf $(VENV) $(TRAIN_VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache
