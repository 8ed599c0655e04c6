# What one does here, each with its own set-up: `make help`. Works on a fresh machine with Python >= 3.11; nothing is
# installed outside .venv. ARGS is handed on: make demo ARGS="--data DIR", make test ARGS="tests/ir -x".

PYTHON ?= python3
ARGS   ?=
VENV   := .venv
BIN    := $(VENV)/bin
QUICK  := -m "not slow and not gpu and not data"
PYTEST := $(BIN)/pytest -n auto --maxprocesses 4 --dist worksteal  # files stay together, with what they share

export PYTHONDONTWRITEBYTECODE =  # else every worker compiles every test anew, which takes as long as a tenth of them
unexport CI BUILD_NUMBER  # with these pytest shows whole differences, which takes minutes to hours for long lists

.DEFAULT_GOAL := help
.PHONY: demo test soak peers check types quick golden docs bench size help

demo: $(VENV)/.demo  ## train LeNet on digits that need no download, show accuracy and where time went
	$(BIN)/mochac demo $(ARGS)

test: $(VENV)/.dev  ## all tests but soaks; those on real MNIST where MOCHAC_DATA names its folder
	$(PYTEST) $(ARGS)

soak: $(VENV)/.dev  ## far more random and combined cases than `make test` has, half an hour and more
	$(PYTEST) -m "(soak or hypothesis) and not gpu" --hypothesis-profile=soak $(ARGS)

peers: $(VENV)/.dev $(VENV)/.bench  ## layers, losses, solvers and ResNet-20 against PyTorch in float64 (installs it: .[bench])
	$(PYTEST) tests/peers $(ARGS)

check: $(VENV)/.dev  ## style, types and the quick tests, about a minute
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(MAKE) --no-print-directory -j2 types quick

types: $(VENV)/.dev
	$(BIN)/pyright

quick: $(VENV)/.dev  # pyright beside it is a single thread, which should not wait for a core
	nice -n 5 $(PYTEST) $(QUICK) $(ARGS)

golden: $(VENV)/.dev  ## rewrite generated text (tests/golden, docs/guide/layers.md and onnx.md, mochac/__init__.pyi); review it
	$(BIN)/pytest tests/codegen/test_golden.py tests/codegen/cuda/test_cuda_golden.py tests/docs/test_layer_reference.py \
	  tests/test_public_names.py tests/onnx_models/test_node_cases.py tests/passes/test_join_steps.py --update-golden $(ARGS)
	git diff --stat -- tests/golden docs

docs: $(VENV)/.demo $(VENV)/.docs  ## the manual as a site, in build/site/html; warnings are errors; ARGS=--as-they-are runs no tutorial
	$(BIN)/python docs/site/build.py build/site $(ARGS)

bench: $(VENV)/.demo  ## every benchmark, against PyTorch and JAX where .venv has them (.[bench]); ARGS=--quick for a short look
	$(BIN)/mochac bench $(ARGS)

size: $(VENV)/.dev  ## lines by room, the ten longest functions and files
	$(BIN)/python .ci/size.py

help:  ## this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## */\t/' | expand -t 10

$(VENV)/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "mochac needs Python >= 3.11; name one: make PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { rm -rf $(VENV); echo "cannot make a virtual environment; on Debian: apt install python3-venv"; exit 1; }

# A stamp a set of dependencies: done once, again when pyproject.toml changes.
$(VENV)/.%: pyproject.toml | $(VENV)/bin/pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[$*]'
	@touch $@
