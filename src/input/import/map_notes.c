/* map_notes.c - what was inferred of a source, and what was noticed in its files, for people. */
#include "input/detect/detect.h"
#include "input/detect/map_build.h"

#include <stdio.h>
#include <string.h>

#include "base/core/suggest.h"

static void note_columns(const struct gs_source *s, const char *name, struct gs_notes *notes)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_buf list = {.arena = &own};
    for (size_t i = 0; i < s->columns.n; i++) {
        gs_buf_text_if(&list, i > 0, ",");
        if (gs_str_begins(s->columns.item[i], GS_UNNAMED_COLUMN))
            gs_buf_char(&list, '-');
        else
            gs_buf_escaped(&list, s->columns.item[i], 80);
    }
    if (!list.failed)
        gs_note(notes, GS_NOTE_INFO, "%s: has no header; read as --columns %s", name,
                gs_buf_str(&list).ptr);
}

static void note_unread(const struct gs_source *s, const char *name, struct gs_notes *notes)
{
    enum { SHOWN = 6, LENGTH = 24 };
    GS_OWN struct gs_arena own = {0};
    struct gs_buf list = {.arena = &own};
    size_t n = 0;
    for (size_t i = 0; i < s->unread.n; i++) {
        const struct gs_str column = s->unread.item[i];
        if (gs_source_reads(s, column) || gs_texts_contain(&s->ignored, column) || n++ >= SHOWN)
            continue;
        gs_buf_text_if(&list, n > 1, ", ");
        gs_buf_escaped(&list, gs_trimmed(column), LENGTH);
    }
    if (n > SHOWN)
        gs_buf_format(&list, " and %zu more", n - SHOWN);
    if (n > 0 && !list.failed)
        gs_note(notes, GS_NOTE_INFO, "%s: not read: %s", name, gs_buf_str(&list).ptr);
}

/* A name that nothing knows is a metric of its own, but it may be misspelt. */
static void note_own_metrics(const struct gs_source *s, const char *name, struct gs_notes *notes)
{
    char shown[128];
    for (size_t i = 0; i < s->metrics.n; i++) {
        const struct gs_map_field *const f = &s->metrics.item[i];
        struct gs_suggestion near = {.word = f->name};
        const bool by_column = /* gpu_energy_j of "gpu_energy" is no slip of a finger */
            f->value.column.n > 0 && gs_str_begins(near.word, f->value.column.item[0].ptr);
        if (gs_metric_find(near.word) != NULL || by_column)
            continue;
        for (uint32_t k = 0; k < gs_n_known_metrics; k++)
            gs_suggestion_try(&near, gs_known_metrics[k].name);
        gs_escape(shown, sizeof shown, near.word);
        if (near.best != NULL)
            gs_note(notes, GS_NOTE_INFO, "%s: %s is a metric of its own; did you mean %s?", name,
                    shown, near.best);
    }
}

static void note_count(struct gs_notes *notes, enum gs_note_kind kind, const char *name, uint64_t n,
                       const char *one, const char *many)
{
    if (n > 0)
        gs_note(notes, kind, "%s: %llu %s", name, (unsigned long long)n, gs_plural(n, one, many));
}

/* What was decided of a source before its rows were read. */
static void note_choices(const struct gs_source *s, const char *name, bool zoneless,
                         struct gs_notes *notes)
{
    if (s->columns_inferred)
        note_columns(s, name, notes);
    if (s->own_clock && s->origin.text.ptr == gs_map_epoch.text.ptr && s->origin.text.ptr != NULL)
        gs_note(notes, GS_NOTE_INFO,
                "%s: its times are no dates, so they count from 1970-01-01 (--set %s.origin=DATE)",
                name, gs_role_names[s->role]);
    for (size_t i = 0; i < s->notes.n; i++)
        gs_note(notes, GS_NOTE_INFO, "%s: %s", name, s->notes.item[i].ptr);
    for (size_t i = 0; i < s->warnings.n; i++)
        gs_note(notes, GS_NOTE_WARNING, "%s: %s", name, s->warnings.item[i].ptr);
    note_unread(s, name, notes);
    note_own_metrics(s, name, notes);
    for (size_t i = 0; i < s->missing_units.n; i++)
        if (gs_source_missing_unit(s, &s->missing_units.item[i]))
            gs_missing_unit_note(&s->missing_units.item[i], name, notes);
    if (zoneless && s->zone.ptr == NULL)
        gs_note(notes, GS_NOTE_INFO, "times without a zone were read as UTC (--tz names another)");
    if (s->unnamed)
        gs_note(
            notes, GS_NOTE_INFO,
            "%s: no column names its events, which are all called %.*s (--set events.event=COLUMN)",
            name, (int)s->event.text.len, s->event.text.ptr);
}

static void note_bad(const struct gs_mapped_source *m, struct gs_notes *notes)
{
    char path[256];
    for (size_t i = 0; i < m->source->path.n; i++)
        if (m->file[i].n_bad > 0)
            gs_note(notes, GS_NOTE_WARNING,
                    "%s: %llu reading%s no number and so missing, the first in line %llu",
                    gs_escape(path, sizeof path, gs_file_called(m->source->path.item[i])),
                    (unsigned long long)m->file[i].n_bad,
                    gs_plural(m->file[i].n_bad, " is", "s are"),
                    (unsigned long long)m->file[i].bad_line);
}

/* How many rows were skipped, and of which file; of several the first. */
static void note_skipped(const struct gs_mapped_source *m, struct gs_notes *notes)
{
    uint64_t n_rows = 0;
    size_t n_files = 0;
    char name[300] = "", more[40];
    for (size_t i = 0; i < m->source->path.n; i++) {
        const struct gs_mapped_file *const f = &m->file[i];
        const uint64_t n = f->n_set_aside - f->n_rejected - f->n_waiting - f->n_unbounded;
        if (n > 0 && n_files++ == 0)
            (void)gs_escape(name, 256, gs_file_called(m->source->files.item[i]));
        n_rows += n;
    }
    if (n_files > 1 && snprintf(more, sizeof more, " and %zu more", n_files - 1) > 0)
        (void)strcat(name, more);
    note_count(notes, GS_NOTE_WARNING, name, n_rows, "row skipped: no time, event, start or end",
               "rows skipped: no time, event, start or end");
}

static void note_devices(const struct gs_source *s, const char *name, struct gs_notes *notes)
{
    const struct gs_form *const form = gs_source_form(s);
    if (s->role == GS_ROLE_EVENTS && form->device != NULL && s->gpu.kind == GS_VALUE_COLUMN &&
        !gs_str_eq(s->gpu.column.item[0], gs_str("gpu_uuid")))
        gs_note(notes, GS_NOTE_WARNING,
                "%s: the devices of a trace are numbered as the process saw them, which need not "
                "be nvidia-smi's "
                "index%s",
                name,
                form->uuid != NULL
                    ? "; with UUIDs in the samples --set events.gpu=gpu_uuid is exact"
                    : "");
}

static void note_passed_over(struct gs_notes *notes, const char *name, uint64_t n,
                             const char *of_what, const char *first)
{
    if (n > 0)
        gs_note(notes, GS_NOTE_INFO, "%s: %llu row%s %s passed over: %s", name,
                (unsigned long long)n, gs_plural(n, "", "s"), of_what, first);
}

void gs_mapped_notes(const struct gs_mapped_source *m, const struct gs_zone *zone,
                     struct gs_notes *notes)
{
    const struct gs_source *const s = m->source;
    const struct gs_mapped_file *const file = m->file;
    struct gs_mapped_file all = {0};
    for (size_t i = 0; i < s->path.n; i++) {
        all.n_rows += file[i].n_rows;
        all.n_waiting += file[i].n_waiting;
        all.n_unbounded += file[i].n_unbounded;
        all.n_running += file[i].n_running;
        all.n_totals += file[i].n_totals;
        all.n_prose += file[i].n_prose;
        all.n_cut += file[i].n_cut;
        all.n_unequal += file[i].n_unequal;
        all.n_disagree += file[i].n_disagree;
        all.n_same_start += file[i].n_same_start;
        all.zoneless |= file[i].zoneless;
        all.by_size |= file[i].by_size;
        all.latin1 |= file[i].latin1;
        all.has_nuls |= file[i].has_nuls;
    }
    const char *const name = GS_SHOWN(gs_file_called(s->files.item[0]), 256);
    note_choices(s, name, all.zoneless && zone != NULL && gs_zone_is_utc(zone), notes);
    if (all.by_size)
        gs_note(notes, GS_NOTE_INFO, "%s: the unit of its times was told by their size", name);
    note_skipped(m, notes);
    note_count(notes, GS_NOTE_INFO, name, all.n_waiting, "job that had not started: not counted",
               "jobs that had not started: not counted");
    note_count(notes, GS_NOTE_INFO, name, all.n_unbounded,
               "row is no event: nothing tells how long it took",
               "rows are no events: nothing tells how long they took");
    note_count(notes, GS_NOTE_INFO, name, all.n_running,
               "job has no end: taken to run until the last sample, without one the last time of "
               "the list (ElapsedRaw tells)",
               "jobs have no end: taken to run until the last sample, without one the last time of "
               "the list (ElapsedRaw tells)");
    note_count(notes, GS_NOTE_INFO, name, all.n_totals,
               "job on several nodes: its number of GPUs is taken as that of all of them "
               "(--set events.attributes.gpus_per_node=COLUMN where it is of each)",
               "jobs on several nodes: their numbers of GPUs are taken as those of all of them "
               "(--set events.attributes.gpus_per_node=COLUMN where they are of each)");
    note_bad(m, notes);
    note_count(notes, GS_NOTE_WARNING, name, all.n_disagree,
               "duration is not stop - start; start and stop count",
               "durations are not stop - start; start and stop count");
    if (s->start.kind == GS_VALUE_NONE && 3 * all.n_same_start < all.n_rows)
        all.n_same_start = 0; /* requests at once, of which some happen to start together */
    note_count(notes, GS_NOTE_WARNING, name, all.n_same_start,
               "span starts with another of the same event and job but lasts longer or less long: "
               "rows that add up would count twice",
               "spans start with another of the same event and job but last longer or less long: "
               "rows that add up would count twice");
    for (size_t i = 0; i < s->path.n; i++) {
        const char *const file_name = GS_SHOWN(gs_file_called(s->files.item[i]), 64);
        note_passed_over(notes, file_name, file[i].n_foreign, "of another table", file[i].others);
        note_passed_over(notes, file_name, file[i].n_no_gpu, "of no GPU", file[i].no_gpu);
    }
    note_devices(s, name, notes);
    note_count(notes, GS_NOTE_INFO, name, all.n_prose, "line around its table skipped",
               "lines around its table skipped");
    note_count(notes, GS_NOTE_WARNING, name, all.n_cut,
               "cell of several lines: the first line counts",
               "cells of several lines: the first line counts");
    note_count(notes, GS_NOTE_WARNING, name, all.n_unequal,
               "list of values left out: not as long as the list of times",
               "lists of values left out: not as long as the list of times");
    if (all.latin1)
        gs_note(notes, GS_NOTE_INFO, "%s: bytes that are not UTF-8 were read as Latin-1", name);
    if (all.has_nuls)
        gs_note(notes, GS_NOTE_WARNING, "%s: holds NUL bytes, which were left out", name);
}
