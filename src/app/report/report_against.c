/* report_against.c - beside another run (--against): what changed, and both over time on the same axes. */
#include <string.h>

#include "analysis/diff/diff.h"
#include "app/charts/figures.h"
#include "app/report/report_folds.h"

#define MARGIN 0.02 /* as the command diff has it */

/* What both runs show over time; the names of the runs are in the first column. */
static const struct gs_column_spec columns[] = {
    GS_COL(RUN),           GS_COL(T_S, .how = "time since the first event or reading of the run"),
    GS_COL(FLEET_POWER_W), GS_COL(GPU_UTIL_MEAN_PCT),
    GS_COL(TEMP_MAX_C),
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static const struct gs_panel panels[] = {
    GS_PANEL(LINES, T_S, FLEET_POWER_W, .title = "Power of all GPUs", .group = GS_COL_RUN,
             .from_zero = true),
    GS_PANEL(LINES, T_S, GPU_UTIL_MEAN_PCT, .title = "GPU utilisation", .group = GS_COL_RUN,
             .from_zero = true),
    GS_PANEL(LINES, T_S, TEMP_MAX_C, .title = "Hottest GPU", .group = GS_COL_RUN),
};

static const struct gs_plot figure =
    GS_FIGURE(panels, "figure-against", "Both runs over time", .columns = 1);

/* The other run, read as this one is: files that options name are this run's. */
static enum gs_status load_other(struct gs_report *r, struct gs_dataset *other, struct gs_err *err)
{
    static const bool any[GS_N_TABLES] = {
        [GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true, [GS_TABLE_TASKS] = true};
    GS_NEW(const char *, operand, 1, r->context->arena, err);
    struct gs_dataset_opts o = r->opts->run.dataset;
    *operand = r->opts->against;
    o.dir = (struct gs_list){operand, 1};
    o.checkpoints = o.gpu = o.tasks = (struct gs_list){0};
    o.map = o.start = o.rejects = NULL;
    return gs_dataset_opts_load(&o, r->context, (struct gs_wanted_tables){any, any, true}, other,
                                r->out, err);
}

/* The changes: the state of the other run, to which this one's is added. */
static enum gs_status compare(struct gs_report *r, const struct gs_dataset *other,
                              struct gs_err *err)
{
    struct gs_diff_options o[] = {{.margin = MARGIN, .n_base = 1, .n_runs = 2},
                                  {.margin = MARGIN, .n_base = 1, .n_runs = 2, .run = 1}};
    struct gs_fold_job job[2] = {{.fold = &gs_diff_fold, .options = &o[0]},
                                 {.fold = &gs_diff_fold, .options = &o[1]}};
    struct gs_facts facts[2];
    const struct gs_context *const c = r->context;
    for (int k = 0; k < 2; k++) {
        o[k].by.n_keys = 1;
        o[k].by.key[0] = gs_str("event");
        o[k].by.events.join =
            (struct gs_join_options){.join = GS_JOIN_WINDOW, .tolerance_ns = -1, .max_gap_ns = -1};
        struct gs_dataset once = k == 0 ? *other : r->data;
        once.duplicates = GS_DUPLICATES_DROP;
        GS_TRY(gs_folds_run(&(struct gs_fold_way){&once, &job[k], 1, &facts[k]}, 1, NULL,
                            c->n_threads, c->arena, err));
    }
    GS_TRY(gs_facts_join(&facts[0], &facts[1], c->arena, err));
    GS_TRY(gs_state_merge(&gs_diff_fold, &job[0].state, &job[1].state, c->arena, err));
    return gs_diff_fold.finish(
        &(struct gs_finish){&o[0], &job[0].state, &facts[0], c->n_threads, c->arena, NULL}, r->out,
        err);
}

static void copy_rows(struct gs_frame *to, size_t at, const struct gs_frame *f, const char *run)
{
    const int64_t *const t_ns = gs_frame_cells(f, GS_COL_TIME)->integer;
    for (size_t i = 0; i < f->n_rows; i++) {
        const int64_t since = t_ns[i] - t_ns[0];
        gs_frame_set_text(to, at + i, 0, gs_str(run));
        gs_frame_set_real(to, at + i, 1, (double)since / 1e9);
        for (size_t k = 2; k < COLUMNS; k++)
            gs_frame_set_real(to, at + i, k, gs_cell_value(f, i, columns[k].id));
    }
}

/* Both runs by the clock of each, in steps of this one's length. */
static enum gs_status draw_both(struct gs_report *r, struct gs_report_section *s,
                                const struct gs_dataset *other, const char *name,
                                struct gs_err *err)
{
    const struct gs_context *const c = r->context;
    struct gs_timeline_options o = r->visit->timeline;
    struct gs_frames apart = {.notes = {.arena = c->arena}};
    struct gs_fleet_map unused;
    struct gs_frame *both;
    o.event = NULL;
    o.cells = false;
    const struct gs_finish of = {
        .options = &o, .n_threads = c->n_threads, .arena = c->arena, .also = &unused};
    GS_TRY(gs_fold_frames(other, &gs_timeline_fold, of, &apart, err));
    GS_TRY(gs_fold_frames(&r->data, &gs_timeline_fold, of, &apart, err));
    const struct gs_frame *const a = apart.first, *const b = apart.last;
    GS_TRY(gs_frame_new(c->arena, GS_HEAD("both-over-time", figure.title, columns, COLUMNS),
                        a->n_rows + b->n_rows, NULL, &both, err));
    copy_rows(both, 0, a, name);
    copy_rows(both, a->n_rows, b, r->title);
    struct gs_buf text = {.arena = c->arena};
    gs_buf_text(&text, "Each run begins at 0 s.");
    (void)gs_report_add_figure(r, s, gs_report_plot(r, &figure, both, NULL, NULL), both, &text);
    return GS_OK;
}

/* The last part of its path, where that is not this run's name, too. */
static const char *name_of(const struct gs_report *r)
{
    const char *const slash = strrchr(r->opts->against, '/'), *name = r->opts->against;
    if (slash != NULL && slash[1] != '\0')
        name = slash + 1;
    return strcmp(name, r->title) == 0 ? "the other run" : name;
}

/* What the answer cannot know, a list with a dash before each line, as paragraphs. */
static enum gs_status add_lines(struct gs_text *t, const char *list, struct gs_arena *arena,
                                struct gs_err *err)
{
    enum gs_status status = GS_OK;
    while (list != NULL && *list != '\0' && status == GS_OK) {
        struct gs_buf b = {.arena = arena};
        const size_t dash = strspn(list, "- "), n = strcspn(list + dash, "\n");
        gs_buf_bytes(&b, list + dash, n);
        status = gs_paragraph_end(t, &b, false, err);
        list += dash + n + (list[dash + n] == '\n');
    }
    return status;
}

enum gs_status gs_report_against(struct gs_report *r, struct gs_report_section *s,
                                 struct gs_err *err)
{
    struct gs_dataset other;
    const struct gs_plot *plot = NULL;
    struct gs_buf b = {.arena = r->context->arena};
    GS_TRY(load_other(r, &other, err));
    GS_TRY(compare(r, &other, err));
    struct gs_frame *const f = r->out->last;
    gs_buf_format(&b, "A is %s, B is this run. ", name_of(r));
    gs_buf_text(&b, gs_or_empty(f->lead));
    f->title = "Changes from A to B";
    const char *const unknown = f->below;
    f->lead = f->below = NULL;
    r->against = gs_buf_whole(&b);
    GS_TRY(gs_had_memory(r->against != NULL, err));
    GS_TRY(add_lines(&s->text, unknown, r->context->arena, err));
    GS_TRY(gs_diff_figure(f, "figure-diff", MARGIN, r->context->arena, &plot, err));
    if (plot != NULL)
        (void)gs_report_add_figure(r, s, plot, f, NULL);
    if (gs_report_has(r, GS_TABLE_SAMPLES) && other.table[GS_TABLE_SAMPLES].n_rows > 0)
        GS_TRY(draw_both(r, s, &other, name_of(r), err));
    return gs_report_add_table(r, s, "diff", f, err);
}
