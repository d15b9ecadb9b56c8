# gpustat. `make help` explains every target; CC, CFLAGS, BUILD, PREFIX, DESTDIR and PROGRAM_PREFIX may be set.
VERSION  = 0.2.0
RELEASED = 2026-11-22

CC      ?= cc
BUILD   ?= build
CFLAGS  ?= -O3 -g
PREFIX  ?= /usr/local
DESTDIR ?=
PROGRAM_PREFIX ?=

# Recipes of one make run side by side; a sub-make shares its parent's job slots.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += --no-print-directory -j$(shell nproc 2>/dev/null || echo 2)
endif

WARN     = -Wall -Wextra -Wpedantic -Wshadow -Wconversion
DEFINES  = -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -DGPUSTAT_VERSION='"$(VERSION)"' -DGPUSTAT_RELEASED='"$(RELEASED)"'
# -ffp-contract=off: a fused multiply-add would change the last bit from one machine to the next.
# -ffile-prefix-map: the same bytes wherever the tree lies.
ALL_CFLAGS = -std=c11 $(DEFINES) -ffp-contract=off -ffile-prefix-map=$(CURDIR)=. -Iinclude -Isrc $(WARN) $(CFLAGS) \
	-pthread -MMD -MP
LIBS     = -lcsv -lcjson -lsqlite3 -lnettle -lz -lzstd -llzma -lm -ldl -pthread

SRC      := $(sort $(wildcard src/*/*/*.c src/capi/*.c))
LIB_OBJ  := $(patsubst %.c,$(BUILD)/%.o,$(filter-out src/app/cli/main.c,$(SRC)))
# Texts are files, compiled in: guides (`gpustat help energy`, section 7), manuals of commands, styles, profiles of tools.
GUIDES   := $(sort $(wildcard src/app/cli/guides/*.md))
TEXTS    := $(GUIDES) $(sort $(wildcard src/app/commands/manual/*.md src/app/cli/texts/* src/input/schema/profiles.txt src/*/*/*.css src/*/*/*.html))
LIB_OBJ  += $(BUILD)/texts.o
MAIN_OBJ := $(BUILD)/src/app/cli/main.o
LIB      := $(BUILD)/libgpustat.a
BIN      := $(BUILD)/gpustat
UNIT     := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(sort $(wildcard tests/unit/test_*.c)))
FUZZ_SRC := $(sort $(wildcard tests/fuzz/fuzz_*.c))
REPLAY   := $(patsubst tests/fuzz/%.c,$(BUILD)/tests/replay/%,$(FUZZ_SRC))
FUZZERS  := $(patsubst tests/fuzz/%.c,$(BUILD)/tests/fuzz/%,$(FUZZ_SRC))
# GSL is an oracle of the tests, never a part of gpustat, and may be missing.
ifneq ($(wildcard /usr/include/gsl/gsl_statistics.h),)
GSL      := $(patsubst tests/oracle/%.c,$(BUILD)/tests/oracle/%,$(sort $(wildcard tests/oracle/gsl_*.c)))
endif

all: gpustat $(BUILD)/docs.stamp  ## the program, its manual pages and completions (default)

help:  ## this list
	@printf 'gpustat %s. On a fresh Debian machine: make demo, make test.\n\n' '$(VERSION)'
	@sed -n 's/^\([a-z][a-z-]*\):[^#]*##  *\(.*\)/  make \1\t\2/p' Makefile | expand -t 20
	@printf '\nVariables: CC=%s CFLAGS="%s" BUILD=%s PREFIX=%s DESTDIR= PROGRAM_PREFIX=\n' '$(CC)' '$(CFLAGS)' '$(BUILD)' '$(PREFIX)'

# `make V=1` shows the commands, `make -s` nothing.
ifeq ($(V),)
Q    = @
SHOW = @$(if $(findstring s,$(firstword -$(MAKEFLAGS))),:,printf '  %-6s %s\n')
else
SHOW = @:
endif

# --- build ---------------------------------------------------------------------------------------------

gpustat: $(BIN)
ifeq ($(BUILD),build)
	@ln -sfn $(BIN) $@
endif

$(BIN): $(MAIN_OBJ) $(LIB)
	$(SHOW) LINK $@
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(LIB): $(LIB_OBJ) $(BUILD)/objects
	@rm -f $@
	@ar rcsD $@ $(LIB_OBJ)

# Rewritten only where they change, so that other flags, or a source that went away, rebuild what they must.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' "$$($(CC) --version | head -n 1)" $(foreach w,$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(LIBS),'$(subst ','\'',$(w))') | cmp -s - $@ || \
		printf '%s\n' "$$($(CC) --version | head -n 1)" $(foreach w,$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(LIBS),'$(subst ','\'',$(w))') > $@

$(BUILD)/objects: FORCE
	@mkdir -p $(@D)
	@echo '$(LIB_OBJ)' | cmp -s - $@ || echo '$(LIB_OBJ)' > $@

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(SHOW) CC $<
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(BUILD)/texts.c: $(TEXTS) scripts/embed-texts.sh
	@mkdir -p $(@D)
	@scripts/embed-texts.sh $(TEXTS) > $@

$(BUILD)/texts.o $(BUILD)/pic/texts.o: $(BUILD)/texts.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -fPIC -c -o $@ $<

# --- the public library ----------------------------------------------------------------------------------

SONAME   = libgpustat.so.0
PIC_OBJ := $(patsubst %.c,$(BUILD)/pic/%.o,$(filter-out src/app/cli/main.c,$(SRC))) $(BUILD)/pic/texts.o

lib: $(BUILD)/lib/libgpustat.a $(BUILD)/lib/$(SONAME)  ## libgpustat, static and shared

$(BUILD)/pic/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(SHOW) PIC $<
	$(Q)$(CC) $(ALL_CFLAGS) -fPIC -fvisibility=hidden -c -o $@ $<

$(BUILD)/lib/$(SONAME): $(PIC_OBJ) src/capi/libgpustat.map
	@mkdir -p $(@D)
	$(SHOW) LINK $@
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=src/capi/libgpustat.map -Wl,-z,defs \
		-o $@ $(PIC_OBJ) $(LIBS)

# One object whose inner names are nobody else's.
$(BUILD)/lib/libgpustat.a: $(LIB)
	@mkdir -p $(@D)
	$(SHOW) AR $@
	$(Q)ld -r -o $(BUILD)/lib/gpustat.o $(LIB_OBJ)
	$(Q)objcopy --wildcard --keep-global-symbol='gpustat_*' $(BUILD)/lib/gpustat.o
	@rm -f $@
	@ar rcsD $@ $(BUILD)/lib/gpustat.o

docs: $(BUILD)/docs.stamp  ## manual pages in build/man and build/html, completions in build/completions

$(BUILD)/docs.stamp: $(BIN) scripts/make-docs.sh
	@scripts/make-docs.sh $(BIN) $(BUILD) gpustat
	@touch $@

# --- tests ---------------------------------------------------------------------------------------------

TEST_CFLAGS = $(ALL_CFLAGS) -Itests/unit

$(BUILD)/tests/unit/%: tests/unit/%.c $(LIB) $(BUILD)/flags
	@mkdir -p $(@D)
	$(SHOW) TEST $@
	$(Q)$(CC) $(TEST_CFLAGS) $(LDFLAGS) -o $@ $< $(LIB) $(LIBS) -lcmocka

$(BUILD)/tests/oracle/%: tests/oracle/%.c $(LIB) $(BUILD)/flags
	@mkdir -p $(@D)
	$(SHOW) TEST $@
	$(Q)$(CC) $(TEST_CFLAGS) $(LDFLAGS) -o $@ $< $(LIB) $(LIBS) -lcmocka -lgsl -lgslcblas

$(BUILD)/tests/replay/%: tests/fuzz/%.c tests/fuzz/replay.c $(LIB) $(BUILD)/flags
	@mkdir -p $(@D)
	$(SHOW) TEST $@
	$(Q)$(CC) $(TEST_CFLAGS) -Itests/fuzz $(LDFLAGS) -o $@ $< tests/fuzz/replay.c $(LIB) $(LIBS)

$(BUILD)/tests/torture/shim.so: tests/torture/shim.c
	@mkdir -p $(@D)
	$(SHOW) TEST $@
	$(Q)$(CC) -std=gnu11 -O1 -g -Wall -Wextra -shared -fPIC -o $@ $< -ldl -pthread

$(BUILD)/tests/fuzz/%: tests/fuzz/%.c $(LIB) $(BUILD)/flags
	@mkdir -p $(@D)
	$(SHOW) TEST $@
	$(Q)$(CC) $(TEST_CFLAGS) -Itests/fuzz $(LDFLAGS) -fsanitize=fuzzer -o $@ $< $(LIB) $(LIBS)

test-programs: gpustat $(UNIT) $(GSL) $(REPLAY) $(BUILD)/docs.stamp
fuzzers: $(FUZZERS)

packages:
	@scripts/install-packages.sh build test

demo:  ## install what is missing, build, and show what the events in data/ cost
	@scripts/install-packages.sh build
	@$(MAKE) all
	$(BIN) events data/

test:  ## install what is missing, build, and run every test
	@scripts/install-packages.sh build test
	@$(MAKE) test-programs lib
	@AT_ONCE=2 scripts/test.sh $(BUILD) unit oracle report contract cli shards docs lib fuzz-replay gsl layers

quick: gpustat $(UNIT)  ## the tests that matter while typing, below 20 s of processor time
	@scripts/test.sh $(BUILD) quick

unit: $(UNIT)  ## only the unit tests; UNIT=build/tests/unit/test_x for one
	@scripts/test.sh $(BUILD) unit
cli contract report shards: gpustat
	@scripts/test.sh $(BUILD) $@
oracle: gpustat $(GSL)  ## only the comparison with independent computations
	@scripts/test.sh $(BUILD) oracle gsl

check:  ## test, then both compilers, sanitizers, analysers, fuzzing, the instruction count (minutes)
	@scripts/install-packages.sh build test extras slurm
ifeq ($(TESTED),)
	@$(MAKE) test
endif
	@scripts/check.sh $(BUILD)

# Compiles everything and runs nothing: warnings of one compiler, -fanalyzer.
objects: $(LIB_OBJ) $(MAIN_OBJ)

test-slurm: gpustat  ## gpustat slurm on a real Slurm of three nodes on this machine (as root)
	@scripts/install-packages.sh build slurm
	@tests/cli/slurm.sh $(BIN)

layers:  ## does every include respect the layers of the design?
	@scripts/check-layers.sh $(BUILD)
lint:  ## shellcheck, cppcheck, clang-tidy, formatting, bounds on what makes C hard to read
	@scripts/lint.sh $(BUILD)
coverage:  ## lines of src that no test runs, and the share of those that one does
	@scripts/coverage.sh $(BUILD)
fuzz:  ## fuzz every target for HOURS, or FUZZ_SECONDS (60), altogether
	@FUZZ_SECONDS=$$(awk "BEGIN { print int($(if $(HOURS),3600 * $(HOURS),$${FUZZ_SECONDS:-60})) }") scripts/fuzz.sh $(BUILD)
torture: gpustat $(BUILD)/tests/torture/shim.so  ## every command while each allocation and system call fails (an hour)
	@tests/torture/torture.py $(BUILD) $(TORTURE)
mutants:  ## does a test fail where one line of src is wrong? N=100 of them
	@scripts/mutants.py $(BUILD) --n $(or $(N),100)
bench: gpustat  ## time gpustat beside other engines on large data; BENCH=--help for options
	@tests/bench/bench.sh $(BUILD) $(BENCH)
guard: gpustat  ## instructions executed on a fixed input, against the figure kept in the tree
	@scripts/test.sh $(BUILD) guard
figures: gpustat  ## the report of data/ in build/report
	$(BIN) report data/ -o $(BUILD)/report --note 'Simulated data, see data/README.md.'

# --- installing ----------------------------------------------------------------------------------------

NAME   = $(PROGRAM_PREFIX)gpustat
BINDIR = $(DESTDIR)$(PREFIX)/bin
SHARE  = $(DESTDIR)$(PREFIX)/share
LIBDIR = $(PREFIX)/lib

install: all install-lib  ## program, manual pages, completions into DESTDIR/PREFIX, named PROGRAM_PREFIXgpustat; the library
	@scripts/make-docs.sh $(BIN) $(BUILD)/install $(NAME)
	install -d $(BINDIR) $(SHARE)/man/man1 $(SHARE)/man/man5 $(SHARE)/man/man7 $(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions \
		$(SHARE)/fish/vendor_completions.d
	install -m 755 $(BIN) $(BINDIR)/$(NAME)
	install -m 644 $(BUILD)/install/man/*.1 $(SHARE)/man/man1
	install -m 644 $(BUILD)/install/man/*.5 $(SHARE)/man/man5
	install -m 644 $(BUILD)/install/man/*.7 $(SHARE)/man/man7
	install -m 644 $(BUILD)/install/completions/$(NAME).bash $(SHARE)/bash-completion/completions/$(NAME)
	install -m 644 $(BUILD)/install/completions/_$(NAME) $(SHARE)/zsh/site-functions/_$(NAME)
	install -m 644 $(BUILD)/install/completions/$(NAME).fish $(SHARE)/fish/vendor_completions.d/$(NAME).fish

install-lib: lib  ## only libgpustat, its header, gpustat.pc and gpustat(3)
	install -d $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(PREFIX)/include/gpustat $(SHARE)/man/man3
	install -m 644 $(BUILD)/lib/libgpustat.a $(DESTDIR)$(LIBDIR)
	install -m 644 $(BUILD)/lib/$(SONAME) $(DESTDIR)$(LIBDIR)/$(SONAME).$(VERSION)
	ln -sf $(SONAME).$(VERSION) $(DESTDIR)$(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libgpustat.so
	install -m 644 include/gpustat/gpustat.h $(DESTDIR)$(PREFIX)/include/gpustat
	install -m 644 src/capi/gpustat.3 $(SHARE)/man/man3
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|' src/capi/gpustat.pc.in > \
		$(DESTDIR)$(LIBDIR)/pkgconfig/gpustat.pc

deb:  ## Debian packages in build/deb: the program, the library, its header
	@scripts/deb.sh $(BUILD) $(VERSION) $(RELEASED)
portability:  ## built for arm64 and s390x and run by qemu; -O0 to -O3 and clang give the same bytes (an hour)
	@scripts/portability.sh $(BUILD)

uninstall:  ## what install put there
	rm -f $(DESTDIR)$(LIBDIR)/libgpustat.a $(DESTDIR)$(LIBDIR)/libgpustat.so $(DESTDIR)$(LIBDIR)/$(SONAME) \
		$(DESTDIR)$(LIBDIR)/$(SONAME).$(VERSION) $(DESTDIR)$(LIBDIR)/pkgconfig/gpustat.pc \
		$(DESTDIR)$(PREFIX)/include/gpustat/gpustat.h $(SHARE)/man/man3/gpustat.3
	rm -f $(BINDIR)/$(NAME) $(SHARE)/man/man1/$(NAME).1 $(SHARE)/man/man1/$(NAME)-*.1 $(SHARE)/man/man5/$(NAME)-formats.5 \
		$(patsubst src/app/cli/guides/%.md,$(SHARE)/man/man7/$(NAME)-%.7,$(GUIDES)) \
		$(SHARE)/bash-completion/completions/$(NAME) $(SHARE)/zsh/site-functions/_$(NAME) \
		$(SHARE)/fish/vendor_completions.d/$(NAME).fish

clean:  ## everything that was built
	rm -rf $(BUILD) gpustat

FORCE:
-include $(patsubst %.o,%.d,$(LIB_OBJ) $(MAIN_OBJ) $(PIC_OBJ)) $(wildcard $(BUILD)/tests/*/*.d)
.PHONY: quick all help docs test-programs fuzzers packages gpustat demo test test-slurm unit shards cli contract report oracle check objects layers lint \
	coverage fuzz torture mutants bench guard figures lib install install-lib deb portability uninstall clean FORCE
.SECONDARY:
.DELETE_ON_ERROR:
