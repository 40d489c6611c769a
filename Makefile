# assay: tells what a SCSI or ATA drive is worth.
#
#   make            builds build/assay
#   make demo       installs what is missing, builds, and shows the brought-along drives
#   make check      installs what is missing, builds, and passes all tests, with sanitizers
#                   (LAB=0: without the lab; SAN=0: without sanitizers)
#   make lint       formatting, clang-tidy, cppcheck, layers, sizes
#   make golden     rewrites the expected output of the captures; review the difference
#   make fuzz       FUZZ_RUNS executions (10 million) of each fuzzer, with clang
#   make bench      measured figures against peers, as ratios
#   make check-lab  only the lab: a real kernel with emulated drives
#   make check-corpus  real drives' reports as drives, where ../shared is there
#   make install | uninstall   PREFIX=/usr/local, DESTDIR=
#   make clean
#
# Knobs: CC=gcc|clang, SAN=1 (address and undefined-behaviour sanitizer), WERROR=1,
# V=1 (show commands), JOBS=compilers at once, BUILD=folder, CFLAGS, LDFLAGS.

PREFIX ?= /usr/local
SAN ?=
BUILD ?= build$(if $(filter 1,$(SAN)),/san)
CFLAGS ?= -O2 -g
FUZZ_RUNS ?= 10000000
CORPUS ?= ../shared
# Installing is one thing at a time, so only what is built within a target is built at once.
JOBS ?= $(shell nproc)

WARNINGS = -Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes -Wstrict-prototypes -Wvla
SANITIZERS = -fsanitize=address,undefined -fno-sanitize-recover=all
SANITIZE = $(if $(filter 1,$(SAN)),$(SANITIZERS))
override CFLAGS += -std=gnu11 $(WARNINGS) $(if $(filter 1,$(WERROR)),-Werror) $(SANITIZE)
override CPPFLAGS += -Iinclude -Isrc -D_GNU_SOURCE
LIBS = -lsgutils2 -latasmart -lcjson -luring -lblkid -linih -lsqlite3 -lm

SOURCES = $(sort $(wildcard src/*/*.c decoders/*.c))
OBJECTS = $(SOURCES:%.c=$(BUILD)/obj/%.o)
LIBRARY = $(BUILD)/libassay.a
UNIT_TESTS = $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/unit/test_*.c)))
FUZZERS = $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))

Q = $(if $(filter 1,$(V)),,@)
say = $(if $(filter 1,$(V)),,@printf '  %-4s %s\n' $(1) $(2);)

.PHONY: all check check-run check-history check-lab check-corpus lint golden fuzz bench demo install uninstall clean
.DELETE_ON_ERROR:

all: $(BUILD)/assay data/specs.tsv

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# Everything but main(): tests and fuzzers link it too.
$(LIBRARY): $(filter-out $(BUILD)/obj/src/cli/main.o,$(OBJECTS))
	$(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/assay: $(BUILD)/obj/src/cli/main.o $(LIBRARY)
	$(call say,LD,$@)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# So that a drive costs the reading of its own datasheet alone.
data/specs.tsv: data/specs $(wildcard data/specs/* data/specs/*/*.json) | $(BUILD)/assay
	$(call say,GEN,$@)$(BUILD)/assay spec index data/specs -o $@

$(BUILD)/obj/tests/unit/%.o: override CPPFLAGS += -Itests/unit
$(UNIT_TESTS): LIBS += -lcmocka
$(UNIT_TESTS) $(FUZZERS): $(BUILD)/%: $(BUILD)/obj/%.o $(LIBRARY)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/tests/history/simulate: tests/history/simulate.c $(LIBRARY)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -MMD -MP -o $@ $< $(LIBRARY) $(LIBS)

# Each part of the set-up: what is missing is installed, or named.
deps-%:
	$(Q)packaging/deps $*

demo: deps-build
	@$(MAKE) --no-print-directory -j$(JOBS) all
	$(Q)data/drives/demo.sh $(BUILD)/assay

# The lab and the figures take the program as it is shipped, all else the one with sanitizers.
check: deps-build deps-check $(if $(filter 0,$(LAB)),,deps-lab)
	@$(MAKE) --no-print-directory -j$(JOBS) SAN=0 BUILD=build all
	@$(MAKE) --no-print-directory -j$(JOBS) SAN=$(if $(SAN),$(SAN),1) check-run

CHECKS = $(UNIT_TESTS) \
	'tests/fuzz/replay.sh $(BUILD)' \
	'tests/golden/run.sh $(BUILD)/assay' \
	'tests/cli/run.sh $(BUILD)/assay' \
	'tests/cli/bench.sh $(BUILD)/assay' \
	'tests/cli/alerts.sh $(BUILD)/assay' \
	'tests/cli/install.sh $(BUILD)/assay' \
	'tests/history/run.sh $(BUILD)/assay' \
	'tests/spec/run.sh $(BUILD)/assay $(CORPUS)' \
	'tests/corpus/run.sh $(BUILD)/assay $(CORPUS)' \
	'tests/prometheus/run.sh $(BUILD)/assay' \
	'tests/packaging/run.sh $(BUILD)/assay' \
	'tests/packaging/monitoring.sh $(BUILD)/assay' \
	'tests/house.sh' \
	$(if $(filter 0,$(LAB)),,'tests/lab/run.sh build/assay')

check-run: all $(UNIT_TESTS) $(FUZZERS)
	$(Q)tests/run $(CHECKS)

check-lab: deps-build deps-lab
	@$(MAKE) --no-print-directory -j$(JOBS) SAN=0 BUILD=build all
	$(Q)tests/run 'tests/lab/run.sh build/assay'

# The long run of the history: 500 killed recorders; five years of hourly records of a few
# drives, by which the size of a hundred is told.
check-history: deps-build deps-check
	@$(MAKE) --no-print-directory -j$(JOBS) SAN=0 BUILD=build all build/tests/history/simulate \
		build/tests/unit/test_history_crash
	$(Q)ASSAY_KILLS=500 build/tests/unit/test_history_crash
	$(Q)tests/history/years.sh build/assay build/tests/history/simulate

check-corpus: deps-build deps-check deps-lab
	@$(MAKE) --no-print-directory -j$(JOBS) SAN=0 BUILD=build all
	$(Q)tests/peers/check_corpus.py build/assay $(CORPUS)

golden: deps-build all
	$(Q)tests/golden/run.sh $(BUILD)/assay --rewrite

lint: deps-build deps-lint
	$(Q)tests/lint.sh

fuzz: deps-build deps-fuzz
	$(Q)tests/fuzz/run.sh $(FUZZ_RUNS)

bench: deps-build deps-bench
	@$(MAKE) --no-print-directory -j$(JOBS) SAN=0 BUILD=build all
	$(Q)tests/bench/run.sh build/assay

INSTALL = install -D -m
MAN = $(DESTDIR)$(PREFIX)/share/man
UNITS = $(DESTDIR)$(PREFIX)/lib/systemd/system

install: all
	$(INSTALL) 755 $(BUILD)/assay $(DESTDIR)$(PREFIX)/bin/assay
	for page in docs/*.[1-8]; do \
		$(INSTALL) 644 $$page $(MAN)/man$${page##*.}/$${page##*/} || exit 1; done
	for file in docs/*.schema.json data/drives/*.capture; do \
		$(INSTALL) 644 $$file $(DESTDIR)$(PREFIX)/share/assay/$${file##*/} || exit 1; done
	for file in $$(find data -name '*.json'); do \
		$(INSTALL) 644 $$file $(DESTDIR)$(PREFIX)/share/assay/$${file#data/} || exit 1; done
	$(BUILD)/assay spec index $(DESTDIR)$(PREFIX)/share/assay/specs \
		-o $(DESTDIR)$(PREFIX)/share/assay/specs.tsv
	for file in packaging/prometheus/* packaging/grafana/* packaging/icinga/*; do \
		$(INSTALL) 644 $$file $(DESTDIR)$(PREFIX)/share/assay/$${file#packaging/} || exit 1; done
	for file in packaging/examples/*; do \
		$(INSTALL) $$(test -x $$file && echo 755 || echo 644) $$file \
		$(DESTDIR)$(PREFIX)/share/assay/$${file#packaging/} || exit 1; done
	for unit in packaging/systemd/*; do \
		$(INSTALL) 644 $$unit $(UNITS)/$${unit##*/} && \
		sed -i 's,/usr/bin/assay,$(PREFIX)/bin/assay,' $(UNITS)/$${unit##*/} || exit 1; done

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/assay
	for unit in packaging/systemd/*; do rm -f $(UNITS)/$${unit##*/}; done
	for page in docs/*.[1-8]; do rm -f $(MAN)/man$${page##*.}/$${page##*/}; done
	rm -rf $(DESTDIR)$(PREFIX)/share/assay

clean:
	$(Q)rm -rf build data/specs.tsv

-include $(OBJECTS:.o=.d) $(patsubst $(BUILD)/%,$(BUILD)/obj/%.d,$(UNIT_TESTS) $(FUZZERS))
