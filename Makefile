# make demo          a whole game by mail, against mail servers of its own
# make test          the whole test suite, without Dovecot and Postfix; fails too where a sentence
#                    of the catalogues is said by no test
# make test-servers  those tests; as root on Debian it installs both, starting no service
# make test-compiled the adjudicator's tests on its compiled form (docs/performance.md)
# make lint          style, types, and the shipped variants
# make bench         how fast phases are resolved, beside another package; docs/performance.md
# make lock          write the three lock files from pyproject.toml
# make bench-letters letters and deadlines through Dovecot and Postfix, as root on Debian
# make bench-maps    how long a map takes, beside its renderer alone
# make bench-results what the result letters of a phase cost, seven players in four languages
# make bench-quoting how well quotes are cut from letters, beside two other packages

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DEMO_DIR ?= demo-output
PIP_TOOLS := pip-tools==7.6.2
# What each process has compiled is kept for the next ones, in __pycache__.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/pytest -n 2 --dist worksteal -rs

INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes
INSTALL_JUDGE := $(BIN)/python -m pip install --quiet --disable-pip-version-check \
	--no-deps --no-build-isolation --editable .
INSTALL_PEER := $(VENV)-bench/bin/python -m pip install --quiet --disable-pip-version-check \
	--require-hashes
COMPILE := .venv-lock/bin/pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras \
	--no-header --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
	--no-emit-options --build-deps-for editable

.PHONY: demo test test-servers test-compiled lint bench bench-letters bench-maps bench-quoting lock clean

demo: $(VENV)/.demo
	$(BIN)/judge demo --dir $(DEMO_DIR)
	$(BIN)/python -m tests.render.pages $(DEMO_DIR)/every-kind

test: $(VENV)/.dev
	$(PYTEST) --said tests

test-servers: $(VENV)/.dev
	sh tests/servers/install.sh
	$(PYTEST) tests/servers

test-compiled: $(VENV)-compiled/.made
	$(VENV)-compiled/bin/pytest -n 2 -rs --override-ini pythonpath= \
		tests/datc tests/figures tests/diplomacy tests/grammar

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy judge
	$(BIN)/judge variants check

bench-letters: $(VENV)/.dev
	sh tests/servers/install.sh
	$(BIN)/python -m bench.letters

bench-maps: $(VENV)/.run
	$(BIN)/python -m bench.maps

# Without a C compiler only the judge as it is; BENCH=--million answers a million lines too.
bench: $(VENV)/.run $(VENV)-bench/.peer
	-@$(MAKE) --no-print-directory $(VENV)-compiled/.made
	$(BIN)/python -m bench.adjudication --plain $(BIN)/python \
		$$(test -e $(VENV)-compiled/.made && echo --compiled $(VENV)-compiled/bin/python) \
		--peer $(VENV)-bench/bin/python $(BENCH)

lock: .venv-lock/.tools
	$(COMPILE) --output-file requirements.lock pyproject.toml
	$(COMPILE) --extra demo --constraint requirements.lock \
		--output-file requirements-demo.lock pyproject.toml
	$(COMPILE) --all-extras --constraint requirements-demo.lock \
		--output-file requirements-dev.lock pyproject.toml

clean:
	rm -rf $(VENV) $(VENV)-bench $(VENV)-bench-quoting $(VENV)-compiled .venv-lock $(DEMO_DIR)

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

$(VENV)/.demo: $(VENV)/.made requirements-demo.lock pyproject.toml
	$(INSTALL) -r requirements-demo.lock
	$(INSTALL_JUDGE)
	touch $@ $(VENV)/.run

$(VENV)/.dev: $(VENV)/.made requirements-dev.lock pyproject.toml
	$(INSTALL) -r requirements-dev.lock
	$(INSTALL_JUDGE)
	touch $@ $(VENV)/.run $(VENV)/.demo

# An environment with the judge as a wheel, its adjudicator compiled; it needs a C compiler. It is
# made from the source's archive: what is compiled in a checkout would hide the source there.
$(VENV)-compiled/.made: requirements-dev.lock pyproject.toml \
		$(wildcard judge/diplomacy/adjudicator/*.py)
	$(PYTHON) -m venv --clear $(VENV)-compiled
	$(VENV)-compiled/bin/python -m pip install --quiet --disable-pip-version-check \
		--require-hashes -r requirements-dev.lock
	$(VENV)-compiled/bin/python -m hatchling build --target sdist --directory $(VENV)-compiled/dist
	HATCH_BUILD_HOOK_ENABLE_MYPYC=1 $(VENV)-compiled/bin/python -m pip install --quiet \
		--disable-pip-version-check --no-deps --no-build-isolation $(VENV)-compiled/dist/*.tar.gz
	touch $@

# The peer has an environment of its own: it is no part of the judge, and its needs are not ours.
# It comes as source alone, so its build tools are installed first.
$(VENV)-bench/.peer: bench/peer-build.txt bench/peer-requirements.txt
	$(PYTHON) -m venv --clear $(VENV)-bench
	$(INSTALL_PEER) -r bench/peer-build.txt
	$(INSTALL_PEER) --no-build-isolation -r bench/peer-requirements.txt
	touch $@

bench-results: $(VENV)/.run
	$(BIN)/python -m bench.result_letters

.PHONY: bench-maps bench-quoting bench-results
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
