# Everything from a fresh clone. Each recipe also works typed by hand.
# What the operating system lacks is installed with apt-get where that needs no password,
# and otherwise named in one line: see .ci/setup.

PY := .venv/bin/python
PATHS := companion tests
PACKS ?= drawn:1000,drawn:1001,drawn:1002,drawn:1003

# What is compiled once serves every worker, and every program that a test starts.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test check setup lint types imports tests render train eval bench clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 16

demo: ## play the shipped recording and serve the phone page
	@sh .ci/setup demo
	$(PY) -m companion demo $(ARGS)

test: setup lint types imports tests ## set everything up, then check and test everything

check: test ## the same as test

setup:
	@sh .ci/setup test

lint: setup ## ruff
	$(PY) -m ruff check $(PATHS)

types: setup ## mypy, strict; beside it the tests are compiled, once for all that run them
	$(PY) -m pytest --collect-only -qq >/dev/null 2>&1 & $(PY) -m mypy; code=$$?; wait; exit $$code

imports: setup ## the layers
	.venv/bin/lint-imports

# One more at a time than there are cores, since many wait for a browser or a process.
tests: setup ## pytest: side by side on all cores, then what must run alone
	$(PY) -m pytest -rs -m "not alone" -n $$($(PY) -c "import os; print(min(4, os.cpu_count() + 1))") --dist loadfile --no-loadscope-reorder $(ARGS)
	$(PY) -m pytest -rs -m alone $(ARGS) || [ $$? = 5 -a -n "$(ARGS)" ]

render: ## render hands as videos with ground truth into runs/hands
	@sh .ci/setup demo
	$(PY) -m companion.synth hands --out runs/hands --seeds 0-19 --packs $(PACKS) $(ARGS)

train: ## train the models; needs the train extra (PyTorch)
	@sh .ci/setup train
	$(PY) -m companion.training $(ARGS)

eval: ## score the rendered hands of `make render`
	@sh .ci/setup demo
	$(PY) -m companion.evaluate hands runs/hands $(ARGS)

bench: ## the project's own figures
	@sh .ci/setup demo
	$(PY) -m companion bench $(ARGS)

clean: ## remove what was built; recordings and records stay
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
