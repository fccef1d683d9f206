# SPDX-License-Identifier: Apache-2.0
# Everything built is under build/<flavour>-<compiler>/. A new source file needs no edit here; a
# new folder needs a word in FOLDERS (top down, as linked) and a row in tests/rules/layers.txt.
#   FLAVOUR=release|sanitize|plain|analyze|coverage|fuzz  CC=gcc|clang  JOBS=n  V=1 (show)  WERROR=
#   UNITS='tests/unit/base/*.c' narrows `make unit`; DESTDIR and prefix are for install.

FLAVOUR ?= release
CC := $(if $(filter default,$(origin CC)),gcc,$(CC))
JOBS ?= $(shell nproc)
WERROR ?= -Werror
UNITS ?= tests/unit/$(if $(filter coverage,$(FLAVOUR)),plan,*)/*.c
prefix ?= /usr/local
PACKAGES_deps-demo := gcc libc6-dev binutils pkg-config python3 libcurl4-openssl-dev libuv1-dev \
	libcjson-dev libyaml-dev libssl-dev libmicrohttpd-dev zlib1g-dev tzdata
PACKAGES_deps-units := $(PACKAGES_deps-demo) libcmocka-dev
PACKAGES_deps := $(PACKAGES_deps-units) clang-format python3-yaml zsh fish mandoc
PACKAGES_deps-lint := $(PACKAGES_deps) clang clang-tidy cppcheck libclang-rt-14-dev
LIBRARIES := libcurl libuv libcjson yaml-0.1 openssl libmicrohttpd zlib
FOLDERS := $(filter $(notdir $(wildcard src/*)),serve cli operator plan sim io kube api base)
COMPILER := $(notdir $(lastword $(CC)))
BUILD := build/$(FLAVOUR)-$(COMPILER)
SANITIZED := build/sanitize-$(COMPILER)
PLAIN := build/plain-$(COMPILER)
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla \
	-Wconversion -Wformat=2 -Wundef -Wwrite-strings -Wcast-qual -Wimplicit-fallthrough $(WERROR)
FLAGS_release := -O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fPIE
LINK_release := -pie -Wl,-z,relro,-z,now
SANITIZERS := -fsanitize=address,undefined
LINK_sanitize := $(SANITIZERS) $(if $(shell command -v ld.gold),-fuse-ld=gold) \
	-Wl,-rpath,'$$ORIGIN:$$ORIGIN/../../..'
# What runs once takes longer to optimize than that saves. AddressSanitizer knows objects' sizes.
FLAGS_sanitize = $(if $(filter $(addprefix $(BUILD)/,tests/unit/% src/cli/%),$@),-O0,-O1) -g1 \
	-fPIC -fno-semantic-interposition -fno-omit-frame-pointer -fno-sanitize-recover=all \
	$(SANITIZERS) -fno-sanitize=object-size
FLAGS_analyze := -O0 -fanalyzer
FLAGS_plain := -O0 -g0
LINK_fuzz := $(LINK_sanitize) -fsanitize=fuzzer
FLAGS_fuzz := $(FLAGS_sanitize) -fsanitize=fuzzer-no-link
LINK_coverage := --coverage
FLAGS_coverage = $(if $(filter $(BUILD)/src/plan/%,$@),-O0 --coverage -DNDEBUG -w,-O2)
$(if $(FLAGS_$(FLAVOUR)),,$(error FLAVOUR=$(FLAVOUR) is not one of those above))
# Quiet before `make deps` has installed them; the compiler names what is missing.
pkg_config = $(shell pkg-config $(1) 2>/dev/null)
SEARCH := -Iinclude -Isrc -Itests $(subst -I,-isystem ,$(call pkg_config,--cflags $(LIBRARIES)))
LIBS := $(call pkg_config,--libs $(LIBRARIES)) -lm
COMPILE = $(CC) -std=gnu17 -g $(FLAGS_$(FLAVOUR)) $(WARNINGS) $(SEARCH) $(CPPFLAGS) $(CFLAGS)
LINK := $(CC) $(LINK_$(FLAVOUR)) $(LDFLAGS) -Wl,--as-needed
# What a folder may use: itself, its row in the table of layers, and the rows of those.
folders_in = $(foreach entry,$(1),$(firstword $(subst /, ,$(entry))))
row = $(call folders_in,$(shell sed -n 's/^$(1)://p' tests/rules/layers.txt))
rows = $(1) $(call row,$(1)) $(foreach folder,$(call row,$(1)),$(call row,$(folder)))
archives = $(patsubst %,$(BUILD)/lib%.$(or $(2),a),$(filter $(1),$(FOLDERS)))
# Where a program is linked for each unit test, folders are shared objects: a sixth of the time.
libraries = $(call archives,$(1),$(if $(filter sanitize,$(FLAVOUR)),so))
objects = $(patsubst %.c,$(BUILD)/%.o,$(wildcard $(1)))
SOURCES := $(wildcard src/*/*.c)
SUPPORT := $(BUILD)/libsupport.a
PROGRAMS := $(patsubst src/programs/%.c,$(BUILD)/%,$(wildcard src/programs/*.c))
TESTS := $(patsubst %.c,%,$(wildcard tests/plans/run.c $(UNITS)))
FUZZERS := $(filter-out %/standalone,$(patsubst tests/%.c,%,$(wildcard tests/fuzz/*.c)))
Q := $(if $(V),,@)
say = @printf '  %-8s %s\n'
MAKEFLAGS += $(if $(filter 0,$(MAKELEVEL)),-j$(JOBS)) --no-print-directory --no-builtin-rules
.SECONDARY .DELETE_ON_ERROR:

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' Makefile
all: $(PROGRAMS) archives ## the programs, as they are shipped
deps: ## install the Debian packages that are lacking
deps deps-demo deps-units deps-lint: ; $(Q).ci/packages $(PACKAGES_$@)
demo: deps-demo ## a pool, and a morning's thirteen claims, on a simulated cluster: SPEED= KEEP=1
	$(Q)$(MAKE) $(PROGRAMS) $(BUILD)/tests/demo/comparison
	$(Q)tests/demo/run --programs $(BUILD) $(if $(SPEED),--speed $(SPEED)) $(if $(KEEP),--keep)
# What tests are run with is installed while they are compiled.
test: deps-units ## all that needs no cluster: simulation, tests and plans under sanitizers, rules
	$(Q)$(MAKE) FLAVOUR=sanitize deps all test-programs fuzzers $(SANITIZED)/tests/simulation/main
	$(Q)tests/run $(addprefix '$(SANITIZED)/tests/simulation/main -v --seeds 100 --first-seed ,1' \
		101') $(foreach folder,completion field examples rules fuzz manual, \
		'tests/$(folder)/run $(SANITIZED)') $(addprefix $(SANITIZED)/,$(TESTS))
unit: ## unit tests and plans alone
	$(Q)$(MAKE) FLAVOUR=sanitize test-programs && tests/run $(addprefix $(SANITIZED)/,$(TESTS))
simulate: $(BUILD)/tests/simulation/main ## seeded clusters: SEEDS= FIRST_SEED= SCENARIO= SIMULATE=
	$(Q)$< --jobs $(JOBS) $(SEEDS:%=--seeds %) $(FIRST_SEED:%=--first-seed %) \
		$(SCENARIO:%=--scenario %) $(SIMULATE)
rules: ## layers, purity, banned calls, format, words
	$(Q)$(MAKE) FLAVOUR=plain archives && tests/run 'tests/rules/run $(PLAIN)'
fuzz: deps-lint ## garbage for the decoders, under libFuzzer: SECONDS=60 for each TARGET=
	$(Q)$(MAKE) CC=clang FLAVOUR=fuzz fuzzers
	$(Q)tests/fuzz/run build/fuzz-clang --seconds $(or $(SECONDS),60) $(TARGET)
coverage: deps ## branches of plan/ that its tests and SEEDS=300 simulated clusters take
	$(Q)$(MAKE) CC=gcc FLAVOUR=coverage test-programs build/coverage-gcc/tests/simulation/main
	$(Q)tests/coverage build/coverage-gcc $(or $(SEEDS),300)
lint: deps-lint ## clang's warnings, clang-tidy, cppcheck, clang-format
	$(Q)$(MAKE) CC=clang all test-programs && $(MAKE) -k tidy cppcheck
	$(Q)tests/run 'tests/rules/run $(PLAIN) format'
tidy: $(patsubst %.c,build/tidy/%.ok,$(SOURCES))
build/tidy/%.ok: %.c .clang-tidy $(wildcard include/*/*.h src/*/*.h)
	$(say) TIDY $<
	$(Q)mkdir -p $(@D) && clang-tidy --quiet --config-file=.clang-tidy $< -- -std=gnu17 \
		$(SEARCH) 2>$@.log && touch $@ || { grep -v 'warnings generated' $@.log; exit 1; }
cppcheck: ; $(say) CPPCHECK src
	$(Q)mkdir -p build/cppcheck && cppcheck --quiet --error-exitcode=1 --inline-suppr --std=c11 \
		--enable=warning,style,performance,portability -j$(JOBS) --suppress=varFuncNullUB \
		--suppress=shadowFunction --cppcheck-build-dir=build/cppcheck -Iinclude -Isrc src
analyze: ; $(Q)$(MAKE) CC=gcc FLAVOUR=analyze archives ## gcc -fanalyzer over the sources
format: ## rewrite the C sources as .clang-format has it
	$(Q)find src include tests bench -name '*.[ch]' 2>/dev/null | xargs clang-format -i
install: all ## programs, kubectl's plugin, CRDs, manual, completion; DESTDIR=, prefix=/usr/local
	$(Q)deploy/install $(BUILD) $(DESTDIR)$(prefix)
CLUSTER_TESTS := 'tests/conformance/run topics' \
	$(addsuffix /run,$(addprefix tests/,chart observability end_to_end crash_matrix))
BENCHMARKS := $(addprefix bench/,$(or $(BENCH),size throughput scale memory claim))
test-cluster: SCRIPT = tests/in_turn $(CLUSTER_TESTS) ## end to end on the real components
test-kubectl: SCRIPT = tests/kubectl/run $(BUILD)/adjoint-sim ## kubectl on the simulated cluster
conformance: ; $(Q)tests/conformance/run ## the simulated cluster and a real one, asked the same
mutants: deps ; $(Q)tests/mutants/run $(MUTANTS) ## bugs put back, and who finds them: MUTANTS=--all
crash-matrix: SCRIPT = tests/crash_matrix/run ## the operator killed around every write of a claim
test-image: SCRIPT = tests/image/run ## the image, built twice: the same? and what is in it
bench: SCRIPT = tests/in_turn $(BENCHMARKS) ## figures beside those of peers; one alone: BENCH=size
demo-rig: SCRIPT = tests/end_to_end/demo ## a pool fills, an instance claims, Postgres answers
test-cluster test-kubectl test-image crash-matrix bench demo-rig: all ; $(Q)$(SCRIPT)
clean: ; $(Q)rm -rf build ## remove build/
archives: $(call archives,$(FOLDERS)) ; @:
test-programs: $(addprefix $(BUILD)/,$(TESTS)) ; @:
fuzzers: $(FUZZERS:%=$(BUILD)/tests/%) ; @:
.PHONY: $(shell sed -n 's/^\([a-z][a-z -]*\):.*/\1/p' Makefile)
$(BUILD)/%.o: %.c Makefile ; $(say) CC $<
	$(Q)mkdir -p $(@D) && $(COMPILE) -MMD -MP -c -o $@ $<
# The folder itself is a prerequisite: a source that was removed leaves the archive, too.
define folder_rules
$(BUILD)/lib$(1).a $(BUILD)/lib$(1).so: $(call objects,src/$(1)/*.c) src/$(1)
$(BUILD)/lib$(1).so: $(call libraries,$(filter-out $(1),$(rows)))
$(BUILD)/tests/unit/$(1)/%: $(BUILD)/tests/unit/$(1)/%.o $(SUPPORT) $(call libraries,$(rows))
	$$(link) -lcmocka
endef
link = $(Q)$(LINK) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(filter %.so,$^) $(LIBS)
$(foreach folder,$(FOLDERS),$(eval $(call folder_rules,$(folder))))
$(SUPPORT): $(call objects,tests/support/*.c)
$(foreach tree,crash_matrix conformance simulation,$(eval $(BUILD)/tests/$(tree)/main: \
	$(call objects,tests/$(tree)/*.c $(if $(filter simulation,$(tree)),tests/demo/[es]*.c))))
$(BUILD)/lib%.a: ; $(Q)mkdir -p $(@D) && rm -f $@ && ar rcs $@ $(filter %.o,$^)
$(BUILD)/lib%.so: ; $(link) -shared -Wl,-soname,$(@F)
$(FUZZERS:%=$(BUILD)/tests/%): $(filter-out build/fuzz-%,$(BUILD)/tests/fuzz/standalone.o)
$(BUILD)/tests/%: $(BUILD)/tests/%.o $(SUPPORT) $(call archives,$(FOLDERS)) ; $(link) -lcmocka
$(BUILD)/tests/demo/comparison: $(call objects,tests/demo/*.c) $(call archives,$(call rows,sim))
	$(link)
$(PROGRAMS): $(BUILD)/%: $(BUILD)/src/programs/%.o $(call archives,$(call rows,programs))
	$(say) LINK $@
	$(link)
-include $(patsubst %.c,$(BUILD)/%.d,$(SOURCES) $(wildcard tests/*/*.c) $(TESTS:=.c))
