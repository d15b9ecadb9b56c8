/* power_load.c - what power asks of the common reader. */
#include "app/engine/power_load.h"

#include <stdio.h>
#include <string.h>

#include "input/schema/units.h"
#include "base/os/path.h"
#include "input/import/load_any.h"

/* The first row that was malformed. */
struct rejects {
    uint64_t n, line;
    char reason[GS_ERR_TEXT_MAX];
};

static enum gs_status count_row(void *context, const struct gs_reject *row, struct gs_err *err)
{
    (void)err;
    struct rejects *const r = context;
    if (r->n++ == 0 || row->line < r->line) {
        (void)snprintf(r->reason, sizeof r->reason, "%s", row->reason);
        r->line = row->line;
    }
    return GS_OK;
}

/* What --columns calls things, and what the common reader does. */
static const struct {
    const char *word, *name;
} column_words[] = {{"timestamp", "timestamp"},
                    {"gpu", "gpu"},
                    {"power", "power_w"},
                    {"temp", "temp_c"},
                    {"gpu_util", "gpu_util_pct"},
                    {"mem_util", "mem_util_pct"},
                    {"memory_used", "mem_used_mib"},
                    {"memory_total", "mem_total_mib"},
                    {"clock", "sm_clock_mhz"},
                    {"-", "-"}};

/* "timestamp,-,power" as `set` has it; each - is a column of its own that nothing knows. */
static enum gs_status name_columns(const char *columns, struct gs_arena *arena, const char **set,
                                   struct gs_err *err)
{
    struct gs_buf b = {.arena = arena};
    bool power = false;
    unsigned n = 0;
    char shown[80];
    gs_buf_text(&b, "samples.columns=");
    for (const char *at = columns; at != NULL; n++) {
        const size_t len = strcspn(at, ",");
        struct gs_str word = {at, len};
        size_t k = 0;
        while (word.len > 0 && word.ptr[0] == ' ')
            word.ptr++, word.len--;
        while (word.len > 0 && word.ptr[word.len - 1] == ' ')
            word.len--;
        while (k < sizeof column_words / sizeof *column_words &&
               !gs_str_eq_nocase(word, gs_str(column_words[k].word)))
            k++;
        if (k == sizeof column_words / sizeof *column_words)
            return gs_fail(err, GS_ERR_USAGE,
                           "--columns: no column can be named '%s'; names are timestamp, gpu, "
                           "power, temp, gpu_util, "
                           "mem_util, memory_used, memory_total, clock, and - to ignore one",
                           gs_escape(shown, sizeof shown, word));
        power |= strcmp(column_words[k].word, "power") == 0;
        gs_buf_text(&b, n > 0 ? "," : "");
        if (strcmp(column_words[k].word, "-") == 0)
            gs_buf_format(&b, "unnamed %u", n + 1);
        else
            gs_buf_text(&b, column_words[k].name);
        at = at[len] == ',' ? at + len + 1 : NULL;
    }
    if (!power)
        return gs_fail(err, GS_ERR_USAGE, "--columns: no column is named power");
    *set = b.failed ? NULL : gs_buf_str(&b).ptr;
    return b.failed ? gs_fail_memory(err) : GS_OK;
}

/*
 * What --power-column names: one of the three by its word, else a column, which becomes power_w by `set`. Then *kind is
 * which of the three a column of that name is, where the name leaves out a unit that the header may have: power.draw
 * for power.draw [W]; else GS_N_POWER_KINDS.
 */
static bool name_power(const char *name, struct gs_power_choice *choice,
                       struct gs_map_request *request, const char **set, size_t *kind,
                       struct gs_arena *arena)
{
    struct gs_name split;
    bool needs_unit;
    *kind = GS_N_POWER_KINDS;
    for (size_t k = 0; k < GS_N_POWER_KINDS; k++)
        if (gs_str_eq_nocase(gs_str(name), gs_str(gs_power_kinds[k].word))) {
            choice->metric = gs_power_kinds[k].metric;
            choice->column = gs_power_kinds[k].column;
            return true;
        }
    gs_name_split(gs_str(name), &split);
    const struct gs_metric *const m = gs_name_metric(&split, &needs_unit);
    choice->metric = gs_power_kinds[0].metric;
    for (size_t k = 0; k < GS_N_POWER_KINDS && m != NULL; k++)
        if (strcmp(m->name, gs_power_kinds[k].metric) == 0) {
            choice->column = gs_power_kinds[k].column;
            *kind = split.unit.quantity == GS_Q_NONE ? k : GS_N_POWER_KINDS;
        }
    struct gs_buf column = {.arena = arena};
    gs_buf_format(&column, "samples.metrics.power_w.column=%s", name);
    set[request->n_sets++] = column.ptr;
    if (split.unit.quantity == GS_Q_NONE)
        set[request->n_sets++] = "samples.metrics.power_w.unit=W";
    return !column.failed;
}

static void note_rejects(const struct rejects *r, const char *path, struct gs_notes *notes)
{
    char name[200], reason[240];
    if (r->n > 0)
        gs_note(notes, GS_NOTE_WARNING,
                "%s: %llu malformed row%s left out; the first is line %llu: %s",
                gs_escape(name, sizeof name, gs_file_called(gs_str(path))),
                (unsigned long long)r->n, r->n == 1 ? " is" : "s are", (unsigned long long)r->line,
                gs_escape(reason, sizeof reason, gs_str(r->reason)));
}

enum gs_status gs_power_load(const char *path, const struct gs_power_loading *l,
                             struct gs_arena *arena, struct gs_notes *notes,
                             struct gs_power_run *run, struct gs_err *err)
{
    const bool directory = gs_is_directory(path);
    const struct gs_map_alone alone = {
        .every_ns = l->interval_ns > 0 ? l->interval_ns : GS_NS_PER_S, .n_gpus = l->n_gpus};
    struct gs_map_request request = {
        .operand = &path, .n_operands = 1, .seed = l->seed, .alone = directory ? NULL : &alone};
    struct gs_power_choice choice = {.prefer_instant = l->prefer_instant, .one_gpu = l->n_gpus > 0};
    struct rejects rejects = {0};
    const char *set[3];
    struct gs_load_options options = {.dir = path,
                                      .need[GS_TABLE_SAMPLES] = true,
                                      .claims = l->claims,
                                      .zone = l->zone,
                                      .duplicates = GS_DUPLICATES_KEEP,
                                      .reject = count_row,
                                      .reject_context = &rejects,
                                      .bad_is_missing = true,
                                      .rejects_told = true,
                                      .n_threads = l->n_threads,
                                      .seed = l->seed};
    struct gs_dataset *const d = gs_arena_take(arena, 1, sizeof *d);
    size_t kind = GS_N_POWER_KINDS;
    request.set = set;
    if (l->columns != NULL) {
        const enum gs_status named = name_columns(l->columns, arena, &set[request.n_sets++], err);
        if (named != GS_OK)
            return named;
    }
    if (d == NULL || (l->power_column != NULL &&
                      !name_power(l->power_column, &choice, &request, set, &kind, arena)))
        return gs_fail_memory(err);
    struct gs_notes own = {.arena = arena};
    struct gs_err fault = {GS_OK, ""};
    enum gs_status s = gs_load_any(&request, &options, true, arena, d, &own, &fault);
    if (s == GS_ERR_DATA && kind < GS_N_POWER_KINDS) { /* no column has just this name */
        choice.metric = gs_power_kinds[kind].metric;
        request.n_sets -= 2;
        *d = (struct gs_dataset){0};
        own = (struct gs_notes){.arena = arena};
        rejects = (struct rejects){0};
        if (gs_load_any(&request, &options, true, arena, d, &own, NULL) == GS_OK)
            s = GS_OK;
    }
    if (s != GS_OK)
        return gs_fail(err, s, "%s", fault.text);
    if (rejects.n > d->table[GS_TABLE_SAMPLES].n_rows) { /* then these are no rows of a log */
        char name[200];
        return gs_fail(err, GS_ERR_DATA, "%s:%llu: %s",
                       gs_escape(name, sizeof name, gs_file_called(gs_str(path))),
                       (unsigned long long)rejects.line, rejects.reason);
    }
    d->trusts_one_gpu = true; /* gs_power_run_visit looks for several in its own way */
    choice.has_times = !d->counted_times || l->interval_ns > 0;
    s = gs_power_run_open(d, path, directory, &choice, arena, &own, run, err);
    if (s == GS_OK) {
        gs_notes_add(notes, &own);
        note_rejects(&rejects, path, notes);
    }
    return s;
}
