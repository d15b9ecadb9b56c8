/* power_gpus.c - the GPUs of power logs: their names, and their evaluation, each on the thread that shows it. */
#include "analysis/power_logs/power_gpus.h"

#include "analysis/power_logs/power_phases.h"
#include "analysis/sensor/sensor_cards.h"
#include "base/core/intern.h"

enum { SAID_MOST = 4 };

static bool label_of(const struct gs_log_table *table, const struct gs_log *log, size_t n_logs,
                     struct gs_arena *arena, struct gs_str *label)
{
    const bool named = log->gpu.ptr != NULL;
    if (named && n_logs == 1) {
        *label = log->gpu;
        return true;
    }
    if (!named && n_logs == 1 && table->n_logs > 1) {
        *label = (struct gs_str){NULL, 0};
        return true;
    }
    struct gs_buf b = {.arena = arena};
    gs_buf_bytes(&b, table->stem.ptr, table->stem.len);
    if (named) {
        gs_buf_char(&b, ':');
        gs_buf_bytes(&b, log->gpu.ptr, log->gpu.len);
    }
    *label = gs_buf_str(&b);
    return !b.failed;
}

enum gs_status gs_power_gpus_of(const struct gs_power_run *run, size_t n_runs,
                                const struct gs_power_options *options, struct gs_arena *arena,
                                struct gs_power_gpus *gpus, struct gs_err *err)
{
    struct gs_power_gpus all = {.n_logs = n_runs, .options = options};
    size_t n = 0;
    for (size_t l = 0; l < n_runs; l++)
        n += run[l].table.n_logs;
    GS_TAKE(all.gpu, n, arena, err);
    for (size_t l = 0; l < n_runs; l++)
        for (size_t g = 0; g < run[l].table.n_logs; g++) {
            struct gs_power_gpu *const of = &all.gpu[all.n++];
            of->table = &run[l].table;
            of->log = &of->table->log[g];
            GS_TRY(gs_had_memory(label_of(of->table, of->log, n_runs, arena, &of->label), err));
        }
    *gpus = all;
    return GS_OK;
}

/* The energies of one GPU; `result` is of the same log. Errors: GS_ERR_MEMORY. */
static enum gs_status energies_of(const struct gs_power_meter *m, const struct gs_power_result *r,
                                  struct gs_arena *arena, struct gs_power_energies *e,
                                  struct gs_err *err)
{
    struct gs_energy_sum whole = {0};
    struct gs_power_phases phases;
    gs_i128 span_ns = 0;
    if (gs_energy_sum_log(&whole, &m->curve))
        gs_energy_sum_end_gpu(&whole);
    GS_TRY(gs_power_split(m, arena, &phases, err));
    if (whole.n > 0 && m->log->range != NULL)
        span_ns = (gs_i128)gs_energy_curve_last(&m->curve) - gs_energy_curve_first(&m->curve);
    else if (whole.n > 0 && m->log->n_with_time > 0)
        span_ns = (gs_i128)m->log->row_t_ns[m->log->n_with_time - 1] - m->log->row_t_ns[0];
    *e = (struct gs_power_energies){.study_j = r->energy_j,
                                    .trapezoid_j = r->energy_trapezoid_j,
                                    .used = whole,
                                    .span_ns = span_ns,
                                    .idle_s = phases.idle_s,
                                    .idle_j = phases.idle_j,
                                    .active_s = phases.active_s,
                                    .active_j = phases.active_j,
                                    .n_rows = r->n,
                                    .n_kept = r->n_kept,
                                    .n_distinct = r->n_distinct};
    gs_counted_add_log(&e->counted, &m->counter, &m->curve, &whole);
    return GS_OK;
}

struct looking {
    const struct gs_power_options *options;
    enum gs_power_visiting what;
    struct gs_power_gpu *gpu; /* of this run */
};

static enum gs_status inspect_at(void *context, size_t k, const struct gs_log *log, unsigned thread,
                                 struct gs_arena *scratch, struct gs_err *err)
{
    (void)thread;
    const struct looking *const l = context;
    struct gs_power_gpu *const of = &l->gpu[k];
    enum gs_status s = gs_power_evaluate(log, l->options, scratch, &of->result, err);
    /*
     * It lives in scratch, which is reused for the next GPU. The same holds for the counter's
     * arrays below; a caller that needs them evaluates stored logs.
     */
    of->result.kept = NULL;
    if (s == GS_OK && l->what == GS_POWER_LOOK_METRICS)
        gs_power_use_of(log, l->options->hot_c, of->use);
    if (s != GS_OK || l->what == GS_POWER_LOOK_METRICS)
        return s;
    s = gs_power_meter_of(log, of->table->column, l->options, scratch, &of->meter, err);
    GS_THEN(s, energies_of(&of->meter, &of->result, scratch, &of->energies, err));
    of->meter.log = of->log;
    of->meter.counter.t_ns = NULL;
    of->meter.counter.used = NULL;
    return s;
}

enum gs_status gs_power_visit(struct gs_power_run *run, size_t n_runs, enum gs_power_visiting what,
                              unsigned n_threads, struct gs_arena *arena,
                              struct gs_power_gpus *gpus, struct gs_err *err)
{
    struct looking l = {gpus->options, what, gpus->gpu};
    struct gs_power_use *use = NULL;
    if (what == GS_POWER_LOOK_METRICS && (use = gs_arena_take(arena, gpus->n, sizeof *use)) == NULL)
        return gs_fail_memory(err);
    for (size_t k = 0; use != NULL && k < gpus->n; k++)
        gpus->gpu[k].use = &use[k];
    enum gs_status s = GS_OK;
    for (size_t i = 0; s == GS_OK && i < n_runs; i++) {
        s = gs_power_run_visit(&run[i], n_threads, inspect_at, &l, err);
        l.gpu += run[i].table.n_logs;
    }
    return s;
}

enum gs_status gs_power_evaluate_all(struct gs_power_gpus *gpus, struct gs_arena *arena,
                                     struct gs_err *err)
{
    for (size_t k = 0; k < gpus->n; k++)
        GS_TRY(
            gs_power_evaluate(gpus->gpu[k].log, gpus->options, arena, &gpus->gpu[k].result, err));
    return GS_OK;
}

/* Answers whether it has a sensor, which a log without times or of one reading has not. */
static bool note_meter(const struct gs_power_gpu *of, size_t n_said, struct gs_notes *notes)
{
    const struct gs_log_table *const t = of->table;
    const struct gs_power_meter *const m = &of->meter;
    char gpu[80] = "", text[512], card[128];
    const bool named = m->log->gpu.ptr != NULL, has_sensor = m->timed && m->log->n > 1;
    const char *const between = named ? ": GPU " : "";
    if (named)
        gs_escape(gpu, sizeof gpu, m->log->gpu);
    struct gs_arena scratch = {0};
    struct gs_buf b = {.arena = &scratch};
    gs_sensor_describe(&m->curve.sensor, &b);
    gs_escape(text, sizeof text, gs_buf_str(&b)); /* no data in it: only its end could be cut */
    if (has_sensor && n_said < SAID_MOST)
        gs_note(notes, GS_NOTE_INFO, "%s%s%s: sensor: %s", t->name, between, gpu,
                b.failed ? "" : text);
    gs_arena_release(&scratch);
    if (m->dead)
        gs_note(notes, GS_NOTE_WARNING,
                "%s%s%s: all %zu readings over %.0f s are %.2f W: the sensor looks dead", t->name,
                between, gpu, m->log->n, m->span_s, m->first_w);
    if (m->log->card.ptr != NULL && !gs_sensor_card_known(m->log->card))
        gs_note(notes, GS_NOTE_INFO,
                "%s: the card '%s' is not in the table of measured cards: its scale is unknown",
                t->name, gs_escape(card, sizeof card, m->log->card));
    return has_sensor;
}

void gs_power_meters_note(const struct gs_power_gpu *gpu, size_t n, size_t *n_said,
                          struct gs_notes *notes)
{
    for (size_t k = 0; k < n; k++)
        *n_said += note_meter(&gpu[k], *n_said, notes);
}

void gs_power_meters_note_rest(const struct gs_power_gpus *gpus, size_t n, struct gs_notes *notes)
{
    struct gs_view_totals totals;
    gs_view_totals_init(&totals);
    for (size_t k = 0; k < gpus->n; k++)
        gs_view_totals_counter(&totals, &gpus->gpu[k].meter.counter);
    gs_counter_notes(&totals, notes);
    if (n > SAID_MOST)
        gs_note(notes, GS_NOTE_INFO, "sensor%s of %zu further GPU%s found in the same way",
                gs_plural(n - SAID_MOST, "", "s"), n - SAID_MOST,
                gs_plural(n - SAID_MOST, " was", "s were"));
}

enum gs_status gs_power_copies_note(const struct gs_power_gpus *gpus, struct gs_notes *notes,
                                    struct gs_err *err)
{
    GS_OWN struct gs_arena scratch = {0};
    struct gs_intern met = {.arena = &scratch};
    GS_NEW(const struct gs_power_gpu *, first, gpus->n, &scratch, err);
    for (const struct gs_power_gpu *g = gpus->gpu; g < gpus->gpu + gpus->n; g++) {
        const struct gs_str print = {(const char *)&g->log->print, sizeof g->log->print};
        const uint32_t next = met.n, id = g->log->print == 0 ? next : gs_intern_add(&met, print);
        GS_TRY(gs_had_memory(id != GS_INTERN_NONE, err));
        if (met.n > next)
            first[id] = g;
        if (id == next || first[id]->table == g->table)
            continue;
        gs_note(notes, GS_NOTE_WARNING,
                "%s has the same readings at the same times as %s: is one a copy of the other?",
                GS_SHOWN(g->label, 200), GS_SHOWN(first[id]->label, 200));
        break;
    }
    return GS_OK;
}

enum gs_status gs_power_meters(struct gs_power_gpus *gpus, struct gs_arena *arena,
                               struct gs_notes *notes, struct gs_err *err)
{
    size_t n_said = 0;
    for (size_t k = 0; k < gpus->n; k++) {
        struct gs_power_gpu *const of = &gpus->gpu[k];
        GS_TRY(
            gs_power_meter_of(of->log, of->table->column, gpus->options, arena, &of->meter, err));
        if (notes != NULL)
            gs_power_meters_note(of, 1, &n_said, notes);
    }
    if (notes != NULL)
        gs_power_meters_note_rest(gpus, n_said, notes);
    return GS_OK;
}

const char *gs_power_explained(const char *how, const struct gs_power_gpus *gpus,
                               struct gs_arena *arena)
{
    struct gs_buf b = {.arena = arena};
    size_t said = 0, left = 0;
    gs_buf_text(&b, how);
    for (size_t k = 0; k < gpus->n; k++) {
        const struct gs_power_meter *const m = &gpus->gpu[k].meter;
        if (!m->timed || m->log->n < 2)
            continue;
        if (said++ >= SAID_MOST) {
            left++;
            continue;
        }
        gs_buf_text(&b, "; sensor");
        if (m->log->gpu.ptr != NULL) {
            gs_buf_text(&b, " of GPU ");
            gs_buf_escaped(&b, m->log->gpu, 80);
        }
        gs_buf_text(&b, ": ");
        gs_sensor_describe(&m->curve.sensor, &b);
    }
    if (left > 0)
        gs_buf_format(&b, "; and %zu more", left);
    return gs_buf_whole(&b);
}
