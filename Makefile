# The commands of this repository. Each installs the Debian packages it needs, configures, builds and does its job;
# `make help` lists them. Options go to CMake: see CMakePresets.json.
.PHONY: build demo test check viewer peers cliffs rivals lab lab-quick format format-check lint deb docs clean help
.PRECIOUS: build/%/build.ninja
# Ninja and ctest use the cores; two installations at once would fight over apt's lock.
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 10
CTEST_FLAGS ?=

SOURCES  := $(sort $(shell find include src cli lab scenes python examples tests -name '*.cpp' -o -name '*.h' 2> /dev/null))
# No target compiles the files for STEP where OpenCASCADE is missing.
UNTIDIED := $(if $(wildcard /usr/include/opencascade/STEPCAFControl_Reader.hxx),,src/step/% cli/step/%)
TIDIED   := $(filter-out $(UNTIDIED),$(filter src/%.cpp cli/%.cpp scenes/%.cpp,$(SOURCES)))
# How long a stage takes is noted in build/stages.txt.
STAGE    := scripts/stage.sh

build: ninja-release  ## build the libraries, the tumble command (build/release/cli/tumble) and the Python module (build/release/python)

demo: build  ## build, then show what tumble does on the meshes in examples/
	@scripts/demo.sh build/release/cli/tumble

test:  ## build with assertions and run all tests
	@$(STAGE) packages $(MAKE) packages-build+test
	@$(STAGE) 'test build' $(MAKE) ninja-test
	@$(STAGE) 'test' ctest --preset test -j$(JOBS) $(CTEST_FLAGS)

check:  ## sanitizers, fuzzing, linters, the reduced lab: all that is slower
	@$(STAGE) packages $(MAKE) packages-build+test+check+step+docs+viewer
	@$(STAGE) format $(MAKE) format-check
	@$(STAGE) lint $(MAKE) lint
	@$(STAGE) docs $(MAKE) docs
	@$(STAGE) 'asan build' $(MAKE) ninja-asan
	@$(STAGE) asan ctest --preset asan -j$(JOBS) $(CTEST_FLAGS)
	@$(STAGE) 'tsan build' $(MAKE) build/tsan/build.ninja
	@$(STAGE) 'tsan build' cmake --build --preset tsan -- -j$(JOBS)
	@$(STAGE) tsan ctest --preset tsan -j$(JOBS) $(CTEST_FLAGS)
	@$(STAGE) 'fuzz build' scripts/fuzz.sh 0
	@$(STAGE) fuzz scripts/fuzz.sh $(FUZZ_SECONDS)
	@$(STAGE) viewer $(MAKE) viewer
	@$(STAGE) 'bench build' $(MAKE) ninja-bench
	@$(STAGE) rivals $(MAKE) rivals
	@$(STAGE) lab-quick $(MAKE) lab-quick
	@$(STAGE) 'shared build' $(MAKE) ninja-shared
	@$(STAGE) consumer tests/consumer/check.sh build/shared --sources

# Sanitizers make the command slow, so the browser looks at pages that the test build wrote. A browser that hangs is ended.
viewer: packages-build+test+viewer ninja-test  ## lint, test and build the page of reports; fails if the page that is checked in is not the one built
	@cd viewer && npm ci --no-fund --loglevel=error && npm run --silent lint && npm run --silent unit && npm run --silent check-page
	@cd viewer && TUMBLE=$(CURDIR)/build/test/cli/tumble timeout 300 npm run --silent browser

LAB ?= all
lab: packages-build+test+check ninja-bench  ## write the pages of docs/results anew, or go on where that stopped (lab-results/); LAB="table2 peers" for some
	build/bench/cli/tumble lab $(LAB) --docs docs

peers:  ## docs/results/peers.md: as make lab LAB=peers
cliffs:  ## docs/results/cliffs.md: as make lab LAB=cliffs
peers cliffs:
	@$(MAKE) lab LAB=$@

rivals: packages-build+check ninja-bench  ## test the adapters of other libraries, where those are installed
	@if [ -x build/bench/lab/rivals/test_rivals ]; then build/bench/lab/rivals/test_rivals --gtest_brief=1; fi

lab-quick: packages-build+check ninja-bench  ## the reduced lab: fails where a page of docs/results counts otherwise
	@rm -rf build/bench/lab-quick
	@# It takes half of this. What never ends, the kernel ends here.
	( ulimit -t 300; build/bench/cli/tumble lab all --quick --check docs -o build/bench/lab-quick > build/bench/lab-quick.txt ) || \
	  { cat build/bench/lab-quick.txt; echo "tumble lab all --quick failed (see what MUST HOLD and what is OUT OF DATE above), or took more than 5 minutes of processor time"; exit 1; }

format: packages-check  ## rewrite the sources as clang-format wants them
	@clang-format -i $(SOURCES)

format-check: packages-check  ## fails where clang-format would change something
	@clang-format --dry-run --Werror $(SOURCES)

# With the commands of the fuzz build: they are clang's, and show a kernel once and not once per instruction set.
lint: packages-build+test+check+step build/fuzz/build.ninja  ## clang-tidy over the libraries and the command, only what changed
	@ninja -C build/fuzz build.ninja > /dev/null  # brings the compile commands up to date
	@scripts/lint.py build/fuzz $(JOBS) $(TIDIED)

deb: packages-build+package ninja-debian  ## Debian packages of the libraries, the command and the Python module, in build/debian/packages
	@cd build/debian && cpack -G DEB > cpack.txt || { cat cpack.txt; exit 1; }
	@ls build/debian/packages/*.deb

docs: packages-docs  ## the reference of the C++ interface: build/docs/html/index.html; fails on a warning
	@rm -rf build/docs && mkdir -p build/docs
	@TUMBLE_VERSION=$$(sed -n 's/^project(tumble VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt) doxygen docs/Doxyfile

clean:  ## remove everything that was built
	rm -rf build

help:  ## this list
	@sed -n 's/^\([a-z -]*\):.*##  *\(.*\)/  make \1\t\2/p' Makefile | expand -t 20
	@echo "  JOBS=$(JOBS) FUZZ_SECONDS=$(FUZZ_SECONDS) can be changed on the command line."

# packages-build+test: what both groups need, as one line to run where we may not install.
packages-%:
	@scripts/install_packages.sh $(subst +, ,$*)

# Ninja reconfigures by itself when a CMake file changes; only the presets are beyond its sight.
build/%/build.ninja: CMakePresets.json | packages-build
	cmake --preset $*
	@touch $@

ninja-%: packages-build build/%/build.ninja
	cmake --build build/$* -- -j$(JOBS)
