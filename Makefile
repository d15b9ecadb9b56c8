# gpustat - see `make help`.
CC      ?= cc
BUILD   ?= build
CFLAGS  ?= -O2 -g
WARN     = -Wall -Wextra -Wpedantic -Wshadow -Wconversion
ALL_CFLAGS = -std=c11 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -ffp-contract=off -Iinclude -Isrc/cli $(WARN) $(CFLAGS) -pthread -MMD -MP
LIBS     = -lcsv -lcjson -lz -lzstd -llzma -lm -ldl -pthread

SRC  := $(wildcard src/*/*.c)
LIB_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(filter-out src/cli/main.c,$(SRC)))
MAIN_OBJ := $(BUILD)/src/cli/main.o
UNIT := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(wildcard tests/unit/test_*.c))

all: gpustat

gpustat: $(BUILD)/gpustat
	@ln -sf $(BUILD)/gpustat $@

$(BUILD)/gpustat: $(MAIN_OBJ) $(BUILD)/libgpustat.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/libgpustat.a: $(LIB_OBJ)
	@rm -f $@
	@ar rcs $@ $^

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(BUILD)/tests/%: tests/unit/%.c $(BUILD)/libgpustat.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(BUILD)/libgpustat.a $(LIBS) -lcmocka $(TEST_LIBS)

unit: $(UNIT)
	@for t in $(UNIT); do $$t || exit 1; done

clean:
	rm -rf $(BUILD) gpustat

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
.PHONY: all unit clean
.SECONDARY:
