# make demo          a whole game by mail, against mail servers of its own
# make test          the whole test suite; tests that need Dovecot and Postfix are skipped
# make test-servers  those tests; as root on Debian it installs both, starting no service
# make lint          style and types
# make lock          write the lock files for what pyproject.toml names
# make bench-quoting how well quotes are cut from letters, beside two other packages

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DEMO_DIR ?= demo-output
PIP_TOOLS := pip-tools==7.6.2
PYTEST := $(BIN)/pytest -n 2 -rs

INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes
INSTALL_JUDGE := $(BIN)/python -m pip install --quiet --disable-pip-version-check \
	--no-deps --no-build-isolation --editable .
COMPILE := .venv-lock/bin/pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras \
	--no-header --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
	--no-emit-options --build-deps-for editable

.PHONY: demo test test-servers lint lock clean

demo: $(VENV)/.run
	$(BIN)/judge demo --dir $(DEMO_DIR)

test: $(VENV)/.dev
	$(PYTEST) tests

test-servers: $(VENV)/.dev
	sh tests/servers/install.sh
	$(PYTEST) tests/servers

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy judge

lock: .venv-lock/.tools
	$(COMPILE) --output-file requirements.lock pyproject.toml
	$(COMPILE) --extra test --extra lint --constraint requirements.lock \
		--output-file requirements-dev.lock pyproject.toml

clean:
	rm -rf $(VENV) .venv-lock $(DEMO_DIR)

# The stamps say what is installed; a changed lock or pyproject.toml installs anew.
$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "The judge needs Python 3.11 or later; try make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV) || \
		{ echo "Python cannot make a virtual environment: on Debian install python3-venv" >&2; \
		rm -rf $(VENV); exit 1; }
	touch $@

$(VENV)/.run: $(VENV)/.made requirements.lock pyproject.toml
	$(INSTALL) -r requirements.lock
	$(INSTALL_JUDGE)
	touch $@

$(VENV)/.dev: $(VENV)/.made requirements-dev.lock pyproject.toml
	$(INSTALL) -r requirements-dev.lock
	$(INSTALL_JUDGE)
	touch $@ $(VENV)/.run

.PHONY: bench-quoting
bench-quoting: $(VENV)/.run $(VENV)-bench-quoting/.others
	$(BIN)/python -m bench.quoting --others $(VENV)-bench-quoting/bin/python

$(VENV)-bench-quoting/.others: bench/quoting-requirements.txt
	$(PYTHON) -m venv --clear $(VENV)-bench-quoting
	$(VENV)-bench-quoting/bin/python -m pip install --quiet --disable-pip-version-check \
		--require-hashes -r bench/quoting-requirements.txt
	touch $@

.venv-lock/.tools:
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/python -m pip install --quiet --disable-pip-version-check $(PIP_TOOLS)
	touch $@
