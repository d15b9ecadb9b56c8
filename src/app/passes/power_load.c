/* power_load.c - what power asks of the common reader. */
#include "app/passes/power_load.h"

#include <stdio.h>
#include <string.h>

#include "app/options/time_range.h"
#include "input/schema/column_meaning.h"
#include "base/os/path.h"
#include "input/import/run_load.h"

/* The first row that was malformed. */
struct rejects {
    const struct gs_power_loading *load;
    uint64_t n, line;
    char reason[GS_ERR_TEXT_MAX];
};

/*
 * Rows of several chunks arrive in any order. The smallest line number is kept, so the message
 * is the same for any number of threads.
 */
static enum gs_status count_row(void *context, const struct gs_reject *row, struct gs_err *err)
{
    struct rejects *const r = context;
    if (r->n++ == 0 || row->line < r->line) {
        (void)snprintf(r->reason, sizeof r->reason, "%s", row->reason);
        r->line = row->line;
    }
    if (r->load->reject == NULL)
        return GS_OK;
    return r->load->reject(r->load->reject_context, row, err);
}

/* Which of the three kinds a named column is, as far as its name tells. */
static enum gs_power_column kind_of(const char *name, const struct gs_dataset *d)
{
    struct gs_name split;
    bool needs_unit;
    gs_name_split(gs_str(name), &split);
    const struct gs_metric *const m = gs_name_metric(&split, &needs_unit);
    for (size_t k = 0; k < GS_N_POWER_KINDS; k++)
        if (gs_str_eq_nocase(gs_str(name), gs_str(gs_power_kinds[k].word)) ||
            (m != NULL && strcmp(m->name, gs_power_kinds[k].metric) == 0) ||
            (d->power_metric != GS_POWER &&
             strcmp(d->metric[d->power_metric]->name, gs_power_kinds[k].metric) == 0))
            return gs_power_kinds[k].column;
    return (enum gs_power_column)0;
}

static void note_rejects(const struct rejects *r, const char *path, struct gs_notes *notes)
{
    if (r->n > 0)
        gs_note(notes, GS_NOTE_WARNING,
                "%s: %llu malformed row%s left out; the first is line %llu: %s",
                GS_SHOWN(gs_file_called(gs_str(path)), 200), (unsigned long long)r->n,
                gs_plural(r->n, " is", "s are"), (unsigned long long)r->line,
                GS_SHOWN(gs_str(r->reason), 240));
}

/*
 * Notes are collected apart and handed on only on success: a file that turns out to be no power
 * log must not leave warnings about its rows.
 */
enum gs_status gs_power_load(const char *path, const struct gs_power_loading *l,
                             struct gs_arena *arena, struct gs_notes *notes,
                             struct gs_power_run *run, struct gs_err *err)
{
    const struct gs_dataset_opts *const o = &l->options;
    struct gs_power_choice choice = {.is_directory = gs_is_directory(path)};
    const struct gs_map_alone alone = {.every_ns =
                                           l->interval_ns > 0 ? l->interval_ns : GS_NS_PER_S};
    const struct gs_map_request request = {.operand = &path,
                                           .n_operands = path == o->map ? 0 : 1,
                                           .map_file = o->map,
                                           .set = o->set.item,
                                           .n_sets = o->set.n,
                                           .columns = o->columns,
                                           .power_column = o->power_column,
                                           .n_gpus = l->n_gpus,
                                           .seed = l->seed,
                                           .claims = l->claims,
                                           .alone = choice.is_directory ? NULL : &alone,
                                           .notes = notes};
    struct rejects rejects = {.load = l};
    struct gs_load_options options = {.need[GS_TABLE_SAMPLES] = true,
                                      .claims = l->claims,
                                      .zone = o->zone,
                                      .zone_told = l->gives_zone,
                                      .duplicates = (enum gs_duplicates)o->duplicates,
                                      .reject = count_row,
                                      .reject_context = &rejects,
                                      .bad_is_missing = l->reject == NULL,
                                      .rejects_told = true,
                                      .n_threads = l->n_threads,
                                      .seed = l->seed};
    GS_NEW(struct gs_dataset, d, 1, arena, err);
    struct gs_notes own = {.arena = arena};
    struct gs_err fault = {GS_OK, ""};
    GS_TRY(gs_time_range_check(o, err));
    const bool ends = choice.is_directory && gs_time_range_needs_ends(o);
    if (ends)
        gs_time_range_want_ends(options.need, options.optional);
    enum gs_status s = gs_run_load(&request, &options, true, arena, d, &own, &fault);
    if (s != GS_OK)
        return gs_fail(err, s, "%s", fault.text);
    if (rejects.n > d->table[GS_TABLE_SAMPLES].n_rows) /* then these are no rows of a log */
        return gs_fail_at(err, GS_SHOWN(gs_file_called(gs_str(path)), 200), rejects.line, "%s",
                          rejects.reason);
    GS_TRY(gs_time_range_set(o, arena, d, notes, err));
    if (ends)
        gs_time_range_drop_ends((const bool[GS_N_TABLES]){[GS_TABLE_SAMPLES] = true}, d);
    if (o->power_column != NULL) {
        choice.metric = "power_w";
        choice.column = kind_of(o->power_column, d);
        d->power_metric = GS_POWER;
    }
    choice.has_times = !d->counted_times || l->interval_ns > 0;
    d->trusts_one_gpu |= l->n_gpus > 0 || !choice.has_times;
    s = gs_power_run_open(d, path, &choice, arena, &own, run, err);
    if (s == GS_OK) {
        gs_notes_add(notes, &own);
        note_rejects(&rejects, path, notes);
    }
    return s;
}
