/* power_load.c - what power asks of the common reader. */
#include "power/power_load.h"

#include <string.h>
#include <sys/stat.h>

#include "map/units.h"
#include "read/load_any.h"

/* The first row that was malformed. */
struct rejects {
    uint64_t n, line;
    char reason[200];
};

static enum gs_status count_row(void *context, const char *name, uint64_t line, const char *reason, struct gs_str raw,
                                struct gs_err *err)
{
    (void)name, (void)raw, (void)err;
    struct rejects *const r = context;
    if (r->n++ == 0 || line < r->line) {
        const size_t len = strlen(reason) < sizeof r->reason ? strlen(reason) : sizeof r->reason - 1;
        memcpy(r->reason, reason, len);
        r->reason[len] = '\0';
        r->line = line;
    }
    return GS_OK;
}

static bool is_directory(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static const struct {
    const char *word, *metric;
    enum gs_power_column column;
} kinds[] = {{"draw", "power_w", GS_COLUMN_DRAW},
             {"average", "power_average_w", GS_COLUMN_AVERAGE},
             {"instant", "power_instant_w", GS_COLUMN_INSTANT}};

/* What --power-column names: one of the three by its word, else a column, which becomes power_w by `set`. */
static bool name_power(const char *name, struct gs_power_choice *choice, struct gs_map_request *request,
                       const char **set, struct gs_arena *arena)
{
    struct gs_name split;
    bool needs_unit;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (gs_str_eq_nocase(gs_str(name), gs_str(kinds[k].word))) {
            choice->metric = kinds[k].metric;
            choice->column = kinds[k].column;
            return true;
        }
    gs_name_split(gs_str(name), &split);
    const struct gs_metric *const m = gs_name_metric(&split, &needs_unit);
    choice->metric = kinds[0].metric;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds && m != NULL; k++)
        if (strcmp(m->name, kinds[k].metric) == 0)
            choice->column = kinds[k].column;
    struct gs_buf column = {.arena = arena};
    gs_buf_format(&column, "samples.metrics.power_w.column=%s", name);
    set[0] = column.ptr;
    set[1] = "samples.metrics.power_w.unit=W";
    request->set = set;
    request->n_sets = split.unit.quantity == GS_Q_NONE ? 2 : 1;
    return !column.failed;
}

static void say_rejects(const struct rejects *r, const char *path, struct gs_notes *notes)
{
    char name[200], reason[240];
    if (r->n > 0)
        gs_note(notes, GS_NOTE_WARNING, "%s: %llu malformed row%s left out; the first is line %llu: %s",
                gs_escape(name, sizeof name, gs_str(path)), (unsigned long long)r->n, r->n == 1 ? " is" : "s are",
                (unsigned long long)r->line, gs_escape(reason, sizeof reason, gs_str(r->reason)));
}

enum gs_status gs_power_load(const char *path, const struct gs_power_loading *l, struct gs_arena *arena,
                             struct gs_notes *notes, struct gs_power_run *run, struct gs_err *err)
{
    const bool directory = is_directory(path);
    const struct gs_map_alone alone = {.every_ns = l->interval_ns > 0 ? l->interval_ns : GS_NS_PER_S};
    struct gs_map_request request = {
        .operand = &path, .n_operands = 1, .seed = l->seed, .alone = directory ? NULL : &alone};
    struct gs_power_choice choice = {.prefer_instant = l->prefer_instant};
    struct rejects rejects = {0};
    const char *set[2];
    struct gs_load_options options = {.dir = path,
                                      .need[GS_TABLE_SAMPLES] = true,
                                      .claims = l->claims,
                                      .zone = l->zone,
                                      .duplicates = GS_DUPLICATES_KEEP,
                                      .rejects_told = true,
                                      .n_threads = l->n_threads,
                                      .seed = l->seed};
    struct gs_dataset *const d = gs_arena_take(arena, 1, sizeof *d);
    if (d == NULL || (l->power_column != NULL && !name_power(l->power_column, &choice, &request, set, arena)))
        return gs_fail_memory(err);
    struct gs_notes own = {.arena = arena};
    struct gs_err fault = {GS_OK, ""};
    enum gs_status s = gs_load_any(&request, &options, true, arena, d, &own, &fault);
    if (s == GS_ERR_DATA) { /* slower, without the rows that are to blame */
        own = (struct gs_notes){.arena = arena};
        options.reject = count_row;
        options.reject_context = &rejects;
        options.bad_is_missing = true;
        s = gs_load_any(&request, &options, true, arena, d, &own, &fault);
    }
    if (s == GS_OK && rejects.n > d->table[GS_TABLE_SAMPLES].n_rows) /* then these are no rows of a log */
        s = GS_ERR_DATA;
    if (s != GS_OK)
        return gs_fail(err, s, "%s", fault.text);
    choice.has_times = !d->counted_times || l->interval_ns > 0;
    s = gs_power_run_open(d, path, directory, &choice, arena, &own, run, err);
    for (const struct gs_note *n = own.first; s == GS_OK && n != NULL; n = n->next)
        gs_note(notes, n->kind, "%s", n->text);
    if (s == GS_OK)
        say_rejects(&rejects, path, notes);
    return s;
}
