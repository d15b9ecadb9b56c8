/* map_needed.c - of a map what a command needs, and what is said where that is not there. */
#include "input/import/map_needed.h"

#include "input/import/map_agree.h"

enum gs_table_kind gs_table_of_role(enum gs_role role)
{
    static const enum gs_table_kind table[GS_N_ROLES] = {[GS_ROLE_SAMPLES] = GS_TABLE_SAMPLES,
                                                         [GS_ROLE_EVENTS] = GS_TABLE_CHECKPOINTS,
                                                         [GS_ROLE_TASKS] = GS_TABLE_TASKS};
    return table[role];
}

/*
 * The first files that are not used, and why; `all`: those too that were reported before. A list of steps in a second
 * format is no candidate for anything else.
 */
static void put_unused(struct gs_buf *b, const struct gs_map *map, bool all)
{
    enum { SHOWN = 2 };
    size_t n = 0;
    for (size_t i = 0; i < map->n_unused; i++) {
        if ((!all && map->unused[i].reported) || map->unused[i].same_steps || n++ >= SHOWN)
            continue;
        gs_buf_text(b, n == 1 ? "not used: " : ", ");
        gs_buf_escaped(b, map->unused[i].path, 80);
        gs_buf_format(b, " (%s)", map->unused[i].why);
    }
    if (n > SHOWN)
        gs_buf_format(b, " and %zu more (gpustat map shows why)", n - SHOWN);
}

static enum gs_status refuse_absent(const struct gs_map *map, enum gs_role role, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_buf b = {.arena = &own};
    const char *what = gs_role_names[role];
    bool log = false;
    if (role == GS_ROLE_TASKS)
        what = "levels and tiles of tasks";
    for (size_t i = 0; i < map->n_sources; i++)
        log |= map->source[i].role == GS_ROLE_SAMPLES;
    if (log && role == GS_ROLE_EVENTS && map->n_unused == 0)
        gs_buf_text(&b, "for a GPU log alone, try: gpustat power, gpus or balance");
    if (map->n_sources + map->n_unused == 0)
        gs_buf_text(&b, "give the folder of a run (. is this one) or its files");
    put_unused(&b, map, true);
    GS_TRY(gs_had_memory(!b.failed, err));
    return gs_fail(err, GS_ERR_NOINPUT, "no file holds %s (--%s FILE names one)%s%s", what,
                   gs_role_names[role], b.len == 0 ? "" : "; ", gs_or_empty(gs_buf_whole(&b)));
}

/* What a command can do without may stand in one of the files that were not understood. */
static bool note_unused(const struct gs_map *map, struct gs_notes *notes)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_buf b = {.arena = &own};
    put_unused(&b, map, false);
    if (!b.failed && b.len > 0)
        gs_note(notes, GS_NOTE_INFO, "%s", gs_buf_str(&b).ptr);
    return !b.failed;
}

/*
 * Beside events that name no job the jobs of samples tell nothing apart: no event would find its
 * samples. A log alone keeps them, for GPUs of one job are compared with each other.
 */
static void settle_jobs(struct gs_map *map, struct gs_notes *notes)
{
    bool events = false, jobs = false;
    for (size_t i = 0; i < map->n_sources; i++) {
        events |= map->source[i].role == GS_ROLE_EVENTS;
        jobs |= map->source[i].role == GS_ROLE_EVENTS && map->source[i].job.kind != GS_VALUE_NONE;
    }
    for (size_t i = 0; i < map->n_sources && events && !jobs; i++) {
        struct gs_source *const s = &map->source[i];
        if (s->role != GS_ROLE_SAMPLES || s->job.kind == GS_VALUE_NONE)
            continue;
        s->job = (struct gs_map_value){.kind = GS_VALUE_NONE};
        gs_note(notes, GS_NOTE_INFO,
                "the samples' jobs are not used: the events name none (--set events.job=COLUMN)");
    }
}

/* Sources that the command does not need are dropped: their files may be large, or damaged. */
enum gs_status gs_map_prune(struct gs_map *map, const struct gs_load_options *o,
                            struct gs_notes *notes, struct gs_err *err)
{
    size_t n = 0;
    int absent = -1; /* the first role that is needed and not there */
    settle_jobs(map, notes);
    for (int r = 0; r < GS_N_ROLES; r++) {
        const enum gs_table_kind kind = gs_table_of_role((enum gs_role)r);
        bool any = !o->need[kind];
        for (size_t i = 0; i < map->n_sources; i++)
            any |= map->source[i].role == (enum gs_role)r;
        if (!any && !o->optional[kind])
            return refuse_absent(map, (enum gs_role)r, err);
        if (!any && absent < 0)
            absent = r;
    }
    for (size_t i = 0; i < map->n_sources; i++)
        if (o->need[gs_table_of_role(map->source[i].role)])
            map->source[n++] = map->source[i];
    if (n == 0 && absent >= 0)
        return refuse_absent(map, (enum gs_role)absent, err);
    map->n_sources = n;
    const bool lacks = absent == GS_ROLE_SAMPLES || absent == GS_ROLE_EVENTS;
    if (lacks && !note_unused(map, notes))
        return gs_fail_memory(err);
    return gs_map_agree_roles(map, err);
}
