# The one list of commands. POSIX sh, GNU make 3.81 or newer (macOS has that one).

PY := .venv/bin/python
STAMPS := .venv/.stamps
MIN_PYTHON := 3.11
MIN_NODE := 20
DEMO_TIME := 60s
SECONDS := 60

# Tests and benchmarks start hundreds of processes of wimble. Where this variable is set, each compiles all modules again,
# which takes longer (0.6 s) than the rest of its start.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help setup demo demo-library test test-fast test-long test-undeclared test-node-22 test-node-24 check bench bench-speed bench-overhead bench-resets bench-mocks bench-mocks-speed bench-guards bench-guards-seeds bench-state bench-ncs-scs bench-black-box bench-constants bench-suites test-suites bench-apis bench-contact bench-undeclared bench-undeclared-seeds bench-experiments bench-experiments-small bench-experiments-databases bench-experiments-real-databases bench-experiments-services conformance conformance-traced wheel clean

help: ## List the commands
	@awk 'BEGIN { FS = ":.*## " } /^[a-z0-9-]+:.*## / { printf "  make %-24s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(STAMPS)/python $(STAMPS)/agent ## Make .venv with wimble in it, and fetch the agent's packages
	@echo "wimble is at .venv/bin/wimble"

$(STAMPS)/python: pyproject.toml
	@sh scripts/make-venv.sh $(MIN_PYTHON)
	$(PY) -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(PY) -m pip install --quiet --disable-pip-version-check --editable '.[experiments]' --group dev
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/agent: agents/node/package.json agents/node/package-lock.json
	@sh scripts/check-node.sh $(MIN_NODE)
	cd agents/node && npm ci --no-audit --no-fund --loglevel=error
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/library: examples/library/package-lock.json
	@sh scripts/check-node.sh $(MIN_NODE)
	cd examples/library && npm ci --no-audit --no-fund --loglevel=error
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/bookshop: examples/bookshop/package-lock.json
	@sh scripts/check-node.sh $(MIN_NODE)
	cd examples/bookshop && npm ci --no-audit --no-fund --loglevel=error
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/guards: bench/guards/package-lock.json
	cd bench/guards && npm ci --no-audit --no-fund --loglevel=error
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/mocks: bench/mocks/package-lock.json
	cd bench/mocks && npm ci --no-audit --no-fund --loglevel=error
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/state: bench/state/package-lock.json
	cd bench/state && npm ci --no-audit --no-fund --loglevel=error
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/ncs-scs: bench/ncs/package-lock.json bench/scs/package-lock.json
	for folder in ncs scs; do (cd bench/$$folder && npm ci --no-audit --no-fund --loglevel=error) || exit 1; done
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/undeclared-http: bench/undeclared/http/package-lock.json
	cd bench/undeclared/http && npm ci --no-audit --no-fund --loglevel=error
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/trivial: bench/trivial/package-lock.json
	cd bench/trivial && npm ci --no-audit --no-fund --loglevel=error
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/toolchains: agents/node/test/toolchains/package-lock.json
	@# Not `npm ci`: not every registry has the packages of other platforms, and `ci` refuses a lock file without them.
	cd agents/node/test/toolchains && npm install --no-save --no-audit --no-fund --loglevel=error
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/overhead: bench/overhead/package-lock.json
	cd bench/overhead && npm ci --no-audit --no-fund --loglevel=error
	@mkdir -p $(STAMPS) && touch $@

demo: setup $(STAMPS)/bookshop ## Find the faults of examples/bookshop in a minute, then run the tests that come out
	@sh scripts/demo.sh $(DEMO_TIME)

demo-library: setup $(STAMPS)/library ## The same with examples/library, on a PostgreSQL that is started for it
	@sh scripts/demo-library.sh $(DEMO_TIME)

# Four workers for two cores: end-to-end tests wait for servers about half of their time.
test: check $(STAMPS)/bookshop $(STAMPS)/guards $(STAMPS)/ncs-scs $(STAMPS)/trivial $(STAMPS)/undeclared-http $(STAMPS)/toolchains ## Linters and types, then all tests: core, agent, examples
	@sh scripts/install-test-tools.sh
	$(PY) -m pytest -n 4 --dist loadfile --no-loadscope-reorder --durations 25 -m "not long"
	@# Why without this variable: tests/conftest.py
	cd agents/node && env -u NODE_EXTRA_CA_CERTS npm test --silent
	cd examples/bookshop && npm test --silent
	cd bench/guards && node --test --test-timeout=60000 guards.test.js
	cd bench/ncs && node --test --test-timeout=60000 ncs.test.js
	cd bench/scs && node --test --test-timeout=60000 scs.test.js
	cd bench/undeclared/http && node --test --test-timeout=60000 faults.test.mjs

# Of the core: all that is not marked e2e. Of the agent: the files that start no program with the agent inside.
test-fast: setup ## The unit tests of core and agent, which start no servers (1 to 2 minutes)
	$(PY) -m pytest tests/unit tests/repo -n 2 -m "not e2e"
	cd agents/node && npm run test:unit --silent

test-long: setup ## The tests that `make test` leaves out: more drivers, formats, and versions of runners (10 minutes)
	@sh scripts/install-test-tools.sh
	$(PY) -m pytest -n 4 --dist loadfile --no-loadscope-reorder --durations 25 -m long

test-undeclared: setup ## The six APIs of bench/undeclared without wimble: each fault is brought about by its calls
	@sh scripts/install-test-tools.sh
	$(PY) bench/undeclared.py --test

test-node-22: setup $(STAMPS)/toolchains ## The agent's tests on Node 22
	sh scripts/with-node.sh 22.23.3 "cd agents/node && npm test --silent"

test-node-24: setup $(STAMPS)/toolchains ## The same on Node 24
	sh scripts/with-node.sh 24.21.0 "cd agents/node && npm test --silent"

check: setup ## Linters and types: ruff, mypy, and those of the agent
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy
	MYPYPATH=src:bench .venv/bin/mypy bench/*.py scripts/*.py
	cd agents/node && npm run check --silent

bench: setup $(STAMPS)/trivial $(STAMPS)/guards $(STAMPS)/state $(STAMPS)/overhead $(STAMPS)/ncs-scs ## Print all benchmark tables, next to Schemathesis (about 75 minutes; needs PostgreSQL and Redis)
	@status=0; \
	$(PY) bench/throughput.py || status=1; \
	$(PY) bench/overhead.py || status=1; \
	$(PY) bench/resets.py || status=1; \
	$(PY) bench/guards.py --seconds $(SECONDS) || status=1; \
	$(PY) bench/state.py --seconds $(SECONDS) || status=1; \
	$(PY) bench/ncs_scs.py --seconds $(SECONDS) || status=1; \
	$(PY) bench/undeclared.py --seconds $(SECONDS) || status=1; \
	sh scripts/with-databases.sh $(PY) bench/apis.py --seconds $(SECONDS) || status=1; \
	sh scripts/with-databases.sh $(PY) bench/apis.py --seconds $(SECONDS) --without-documents || status=1; \
	exit $$status

bench-speed: setup $(STAMPS)/trivial ## Speed and memory alone (about 6 minutes)
	$(PY) bench/throughput.py

bench-overhead: setup $(STAMPS)/overhead ## What the agent costs the app, beside c8 and Istanbul (about 1 minute)
	$(PY) bench/overhead.py

bench-resets: setup ## What resetting a database costs per test (about 20 seconds; needs PostgreSQL)
	$(PY) bench/resets.py

bench-mocks: setup $(STAMPS)/mocks ## Calls and seconds to pass guards behind other services: with mocks, without, Random, Schemathesis (10 seeds)
	$(PY) bench/mocks.py --seconds $(SECONDS)
	$(PY) bench/mocks_throughput.py

bench-mocks-speed: setup ## Calls per second with answers of a mocked service, and with the same answer from memory (about 20 seconds)
	$(PY) bench/mocks_throughput.py

bench-guards: setup $(STAMPS)/guards ## Calls and seconds to pass each guard: MIO, Random, Schemathesis (SECONDS=60 each)
	$(PY) bench/guards.py --seconds $(SECONDS)

bench-guards-seeds: setup $(STAMPS)/guards ## MIO alone on the guards, ten seeds (at most 10 minutes)
	$(PY) bench/guards.py --seconds $(SECONDS) --seeds 10

bench-state: setup $(STAMPS)/state ## Calls and seconds to pass guards behind data, with rows and keys made and without (10 seeds; needs PostgreSQL and Redis)
	$(PY) bench/state.py --seconds $(SECONDS)

bench-ncs-scs: setup $(STAMPS)/ncs-scs ## Coverage of the final suites on numeric and string functions: MIO, Random, Schemathesis (SECONDS=60 each)
	$(PY) bench/ncs_scs.py --seconds $(SECONDS)

bench-constants: setup $(STAMPS)/guards $(STAMPS)/ncs-scs $(STAMPS)/bookshop $(STAMPS)/state ## The search with each of its numbers changed, 3 seeds on eight APIs (hours; `--only` takes some of them)
	$(PY) bench/apis.py --install --only json-server
	$(PY) bench/apis.py --install --only loopback-todo
	sh scripts/with-node.sh 22.23.3 "$(PY) bench/constants.py" # which has SQLite

bench-suites: setup $(STAMPS)/guards $(STAMPS)/ncs-scs $(STAMPS)/bookshop $(STAMPS)/state ## What follows the search: seconds, starts, and the lines that the suite keeps, on eight APIs (SECONDS=60 each)
	$(PY) bench/apis.py --install --only json-server
	$(PY) bench/apis.py --install --only loopback-todo
	sh scripts/with-node.sh 22.23.3 "$(PY) bench/suites.py --seconds $(SECONDS)" # which has SQLite

test-suites: setup $(STAMPS)/bookshop ## The suites of all our APIs, ten times each: shuffled, at once, elsewhere, read-only (hours; ONLY=bookshop takes one)
	@sh scripts/install-test-tools.sh
	$(PY) bench/suite_reruns.py --seconds $(SECONDS) $(if $(ONLY),--only $(ONLY))

bench-black-box: setup $(STAMPS)/guards $(STAMPS)/ncs-scs $(STAMPS)/bookshop ## What black-box runs reach with and without shapes and parts as targets (some 10 minutes)
	$(PY) bench/black_box.py

bench-apis: setup ## Run on real APIs from npm (SECONDS=60 each; needs PostgreSQL)
	sh scripts/with-databases.sh $(PY) bench/apis.py --seconds $(SECONDS)

bench-undeclared: setup ## APIs without a document: operations and planted faults found; MIO, Random, Schemathesis (SECONDS=60 each)
	@sh scripts/install-test-tools.sh
	$(PY) bench/undeclared.py --seconds $(SECONDS)

bench-undeclared-seeds: setup ## MIO alone on them, ten seeds (at most an hour)
	@sh scripts/install-test-tools.sh
	$(PY) bench/undeclared.py --seconds $(SECONDS) --seeds 10

bench-contact: setup ## Planted bugs in a project per stack: found, false, double, seconds, tests that fail (5 seeds x SECONDS=60; hours)
	@sh scripts/install-test-tools.sh
	$(PY) bench/contact.py --seconds $(SECONDS)

.PHONY: bench-libraries
bench-libraries: setup ## Coverage of 20 libraries by written tests, next to load only and random (about 50 minutes)
	$(PY) bench/libraries.py $(if $(CALLS),--max-calls $(CALLS),--seconds $(SECONDS))

bench-experiments: setup ## MIO, Random, Schemathesis on the real APIs, 5 seeds x 3 minutes (about 5 hours; needs PostgreSQL)
	sh scripts/with-databases.sh .venv/bin/wimble experiment bench/experiments/apis.toml --out .bench/experiments/apis

bench-experiments-small: setup ## The same with two strategies on two small APIs (about 15 minutes)
	.venv/bin/wimble experiment bench/experiments/small.toml --out .bench/experiments/small

bench-experiments-databases: setup ## APIs on PostgreSQL, MongoDB and Redis, with rows, documents and keys brought and without (about 30 minutes)
	@sh scripts/install-test-tools.sh
	sh scripts/with-databases.sh .venv/bin/wimble experiment bench/experiments/databases.toml --workers 1 --out .bench/experiments/databases

bench-experiments-real-databases: setup ## The same on four real APIs from npm, on PostgreSQL and SQLite (about an hour)
	sh scripts/with-databases.sh .venv/bin/wimble experiment bench/experiments/real-databases.toml --out .bench/experiments/real-databases

bench-experiments-services: setup ## With planned answers of services, without them, and without the members that programs read, on four APIs (about an hour)
	sh scripts/with-databases.sh .venv/bin/wimble experiment bench/experiments/services.toml --out .bench/experiments/services

conformance: setup ## Random programs and the tests of many npm packages with and without the agent: same outcomes (about 20 minutes)
	sh scripts/conformance.sh $(PACKAGES)

conformance-traced: setup ## The same tests with text that is traced for the solver, where all that it reads is unknown (about 30 minutes)
	sh scripts/conformance.sh --traced $(PACKAGES)

wheel: setup ## Build dist/*.whl and dist/*.tar.gz, with the agent inside
	rm -rf dist
	$(PY) -m build --quiet
	@ls dist

clean: ## Remove what the commands above made
	rm -rf .venv .bench build dist .mypy_cache .ruff_cache .pytest_cache agents/node/node_modules agents/node/test/toolchains/node_modules
	rm -rf examples/*/node_modules examples/*/wimble-out bench/*/node_modules bench/apis/*/node_modules bench/contact/*/node_modules bench/contact/*/dist bench/undeclared/*/node_modules bench/undeclared/*/dist bench/apis/*/.bench
