/*
 * two_readers.h - one file read by the scanner and by libcsv: every row, value, name, line and error must agree.
 * Used by test_scan.c and by fuzz_scan.c.
 */
#ifndef GPUSTAT_TWO_READERS_H
#define GPUSTAT_TWO_READERS_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bind_by_name.h"
#include "input/scanner/scan.h"
#include "input/import/load.h"
#include "base/os/output.h"

/* A file in memory with a path. */
struct memory_file {
    int fd;
    char path[64];
};

static bool memory_file_open(struct memory_file *f, const char *bytes, size_t len)
{
    f->fd = memfd_create("table", MFD_CLOEXEC);
    if (f->fd < 0)
        return false;
    const struct gs_sink sink = gs_sink_fd(&f->fd);
    (void)snprintf(f->path, sizeof f->path, "/proc/self/fd/%d", f->fd);
    return gs_sink_write(sink, bytes, len, NULL) == GS_OK && lseek(f->fd, 0, SEEK_SET) == 0;
}

/* How one reading goes. */
struct reading_way {
    bool strict;
    size_t chunk_bytes;
    unsigned n_threads;
    bool rejects;
    char delimiter; /* 0: comma */
    bool no_places; /* as most commands load: rows are compared without their lines */
    bool twice;     /* every reading is two metrics, as a map may say               */
};

/* By their names, and a second metric for every reading. */
static enum gs_status bind_twice(const void *context, const struct gs_input *input,
                                 const struct gs_str *field, size_t n_fields,
                                 struct gs_arena *arena, struct gs_binding *binding,
                                 struct gs_err *err)
{
    (void)context;
    struct gs_binding one;
    const enum gs_status s = bind_by_name(NULL, input, field, n_fields, arena, &one, err);
    if (s != GS_OK)
        return s;
    *binding = one;
    binding->bound = gs_arena_take(arena, 2 * one.n_bound, sizeof *binding->bound);
    binding->n_bound = 0;
    if (binding->bound == NULL)
        return gs_fail_memory(err);
    for (size_t i = 0; i < one.n_bound; i++) {
        struct gs_bound again = one.bound[i];
        binding->bound[binding->n_bound++] = again;
        if (again.metric == NULL)
            continue;
        struct gs_buf name = {.arena = arena};
        gs_buf_format(&name, "again_%s", again.metric->name);
        again.metric = name.failed ? NULL : gs_metric_new(gs_buf_str(&name), arena);
        if (again.metric == NULL)
            return gs_fail_memory(err);
        binding->bound[binding->n_bound++] = again;
    }
    return GS_OK;
}

/* What a reading came to, as text: rows sorted by line, then what was refused, then the error. */
struct outcome {
    struct gs_arena arena;
    char **line;
    size_t n_lines, capacity;
};

static void outcome_add(struct outcome *o, const char *text)
{
    if (o->n_lines == o->capacity) {
        char **const grown =
            gs_arena_grow(&o->arena, o->line, o->n_lines, o->capacity * 2 + 64, sizeof *grown);
        if (grown == NULL)
            abort();
        o->line = grown;
        o->capacity = o->capacity * 2 + 64;
    }
    o->line[o->n_lines++] = gs_arena_copy(&o->arena, text, strlen(text));
}

static enum gs_status outcome_reject(void *context, const struct gs_reject *row, struct gs_err *err)
{
    (void)err;
    struct outcome *const o = context;
    struct gs_buf b = {.arena = &o->arena};
    gs_buf_format(&b, "%012llu rejected (%d): %s: ", (unsigned long long)row->line, (int)row->kind,
                  row->reason);
    gs_buf_escaped(&b, row->raw, 0);
    outcome_add(o, b.ptr);
    return GS_OK;
}

static void append_name(struct gs_buf *b, const struct gs_intern *in, int64_t id)
{
    gs_buf_char(b, '|');
    if (id == GS_MISSING)
        gs_buf_text(b, "none");
    else
        gs_buf_escaped(b, in->text[id], 0);
}

/* One row in full; the line first, so that sorting the texts puts rows in the file's order. */
static void outcome_row(struct outcome *o, const struct gs_dataset *d, enum gs_table_kind kind,
                        uint32_t row)
{
    const unsigned place_column[] = {GS_CHECKPOINT_PLACE, gs_sample_place(d->n_metrics),
                                     GS_TASK_PLACE};
    const struct gs_table *const t = &d->table[kind];
    struct gs_buf b = {.arena = &o->arena};
    if (t->n_columns > place_column[kind]) {
        const char *const shown =
            place_text(d, gs_table_value(t, row, place_column[kind]), &o->arena);
        gs_buf_format(&b, "%012llu", strtoull(strrchr(shown, ':') + 1, NULL, 10));
    }
    for (unsigned c = 0; c < place_column[kind]; c++) {
        const int64_t v = gs_table_value(t, row, c);
        const struct gs_intern *names = NULL;
        if (kind == GS_TABLE_CHECKPOINTS)
            names = c == GS_CHECKPOINT_EVENT  ? &d->event
                    : c == GS_CHECKPOINT_JOB  ? &d->job
                    : c == GS_CHECKPOINT_TASK ? &d->task
                    : c == GS_CHECKPOINT_GPU  ? &d->gpu_name
                                              : NULL;
        else if (kind == GS_TABLE_TASKS)
            names = c == GS_TASK_TASK ? &d->task : c == GS_TASK_JOB ? &d->job : NULL;
        if (names != NULL)
            append_name(&b, names, v);
        else
            gs_buf_format(&b, "|%lld", (long long)v);
    }
    const uint32_t owner = t->segment[row >> GS_SEGMENT_BITS].owner;
    if (kind == GS_TABLE_SAMPLES) {
        append_name(&b, &d->host, d->gpu[owner].host);
        gs_buf_text(&b, d->gpu[owner].serial.ptr == NULL ? "|none" : "|");
        gs_buf_escaped(&b, d->gpu[owner].serial, 0);
        gs_buf_text(&b, d->gpu[owner].uuid.ptr == NULL ? "|none" : "|");
        gs_buf_escaped(&b, d->gpu[owner].uuid, 0);
        gs_buf_text(&b, d->gpu[owner].index.ptr == NULL ? "|none" : "|");
        gs_buf_escaped(&b, d->gpu[owner].index, 0);
    } else if (kind == GS_TABLE_CHECKPOINTS) {
        append_name(&b, &d->host, owner);
    }
    outcome_add(o, b.ptr);
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void read_one_way(const struct reading_way *way, enum gs_table_kind kind, const char *bytes,
                         size_t len, struct outcome *o)
{
    struct gs_arena arena = {0};
    struct memory_file file;
    struct gs_dataset d;
    struct gs_err err = {0};
    if (!memory_file_open(&file, bytes, len))
        abort();
    struct gs_load_options options = {.places = !way->no_places,
                                      .strict_reader = way->strict,
                                      .chunk_bytes = way->chunk_bytes,
                                      .n_threads = way->n_threads,
                                      .seed = 7,
                                      .reject = way->rejects ? outcome_reject : NULL,
                                      .reject_context = o};
    const struct gs_input_form form = {.delimiter = way->delimiter,
                                       .bind = way->twice ? bind_twice : bind_by_name};
    const struct gs_input input = {
        .kind = kind, .path = file.path, .name = file.path, .form = &form};
    options.input = &input;
    options.n_inputs = 1;
    options.need[kind] = true;
    struct gs_notes notes = {.arena = &arena};
    const enum gs_status s = gs_load(&options, &arena, &d, &notes, &err);
    if (s == GS_OK) {
        for (uint32_t k = 0; k < d.table[kind].n_segments; k++)
            for (uint32_t i = 0; i < d.table[kind].segment[k].n_rows; i++)
                outcome_row(o, &d, kind, k << GS_SEGMENT_BITS | i);
        struct gs_buf b = {.arena = &o->arena};
        gs_buf_format(&b,
                      "~ %llu rows, %llu bytes, %u hosts, %u events, %u jobs, %u tasks, %u gpus",
                      (unsigned long long)d.input[0].n_rows, (unsigned long long)d.input[0].n_bytes,
                      d.host.n, d.event.n, d.job.n, d.task.n, d.n_gpus);
        outcome_add(o, b.ptr);
    } else {
        struct gs_buf b = {.arena = &o->arena};
        const char *text =
            strstr(err.text, file.path); /* the number of the descriptor may differ */
        gs_buf_format(&b, "~ status %d: %s", (int)s,
                      text == NULL ? err.text : text + strlen(file.path));
        outcome_add(o, b.ptr);
    }
    for (const struct gs_note *n = notes.first; s == GS_OK && n != NULL; n = n->next) {
        struct gs_buf b = {.arena = &o->arena};
        gs_buf_format(&b, "~~ %s", n->text);
        outcome_add(o, b.ptr);
    }
    qsort(o->line, o->n_lines, sizeof *o->line, compare_lines);
    gs_arena_release(&arena);
    (void)close(file.fd);
}

/* Reads both ways; on a difference prints it to stderr and returns false. */
static inline bool readers_agree(const struct reading_way *way, enum gs_table_kind kind,
                                 const char *bytes, size_t len)
{
    struct outcome fast = {0}, strict = {0};
    struct reading_way reference = *way;
    reference.strict = true;
    read_one_way(way, kind, bytes, len, &fast);
    read_one_way(&reference, kind, bytes, len, &strict);
    bool same = fast.n_lines == strict.n_lines;
    const size_t n = fast.n_lines < strict.n_lines ? fast.n_lines : strict.n_lines;
    size_t k = 0;
    while (k < n && strcmp(fast.line[k], strict.line[k]) == 0)
        k++;
    same = same && k == n;
    if (!same)
        (void)fprintf(stderr,
                      "chunk %zu, %u threads, table %d, place %zu:\n  scanner: %s\n  libcsv:  %s\n",
                      way->chunk_bytes, way->n_threads, (int)kind, k,
                      k < fast.n_lines ? fast.line[k] : "(end)",
                      k < strict.n_lines ? strict.line[k] : "(end)");
    gs_arena_release(&fast.arena);
    gs_arena_release(&strict.arena);
    return same;
}

#endif
