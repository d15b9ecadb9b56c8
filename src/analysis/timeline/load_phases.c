/* load_phases.c - two states of a GPU: what its power's range and its utilisation tell, and where one ends. */
#include "analysis/timeline/load_phases.h"

#include "base/num/timestamp.h"
#include "stats/descriptive/quantile.h"

int64_t gs_idle_power(int64_t *power, size_t n)
{
    if (n == 0)
        return GS_MISSING;
    gs_select(power, n, n / 100);
    const int64_t least = power[n / 100];
    gs_select(power, n, n - 1 - n / 100);
    const int64_t greatest = power[n - 1 - n / 100];
    if (greatest / 2 < least || greatest <= least)
        return GS_MISSING;
    return least + (greatest - least) / 4;
}

struct gs_load_readings gs_gpu_load(const struct gs_gpu_view *gpu, int64_t first_ns,
                                    int64_t last_ns)
{
    return (struct gs_load_readings){.n = gpu->n,
                                     .t_ns = gpu->t_ns,
                                     .power = gpu->value[gpu->drawn],
                                     .util = gpu->value[GS_GPU_UTIL],
                                     .first_ns = first_ns,
                                     .last_ns = last_ns,
                                     .counted = gpu->counted};
}

static int64_t middle(int64_t a, int64_t b)
{
    return a + (int64_t)(((uint64_t)b - (uint64_t)a) / 2);
}

/* Does the utilisation show load from a reading to the next, at either? Where kernels alternate with rests it flickers. */
static bool is_busy(const struct gs_load_readings *r, size_t i)
{
    const int64_t limit = GS_IDLE_BELOW_PCT * GS_FIXED_ONE;
    return r->util[i] >= limit || (i + 1 < r->n && r->util[i + 1] >= limit);
}

/*
 * Did the GPU work between two readings, where its power was at least so much, as most of its utilisation shows? A braked
 * GPU that works draws little. -1: it shows nothing.
 */
static int worked(const struct gs_load_readings *r, size_t from, size_t to, int64_t least)
{
    size_t n = 0, n_busy = 0;
    for (size_t i = from; r->util != NULL && i < to; i++) {
        if (r->util[i] == GS_MISSING || r->power[i] < least)
            continue;
        n++;
        n_busy += is_busy(r, i);
    }
    if (n == 0)
        return -1;
    return 2 * n_busy > n;
}

/* Phases being found. */
struct finding {
    const struct gs_load_readings *r;
    struct gs_load_phase *phase;
    size_t n;
};

/* Ends at an instant a phase that begins where the last one ended, or goes on with it where that is of the same state. */
static void end_phase(struct finding *f, int64_t stop_ns, bool active)
{
    struct gs_load_phase *const last = f->n > 0 ? &f->phase[f->n - 1] : NULL;
    const int64_t start_ns = last == NULL ? f->r->first_ns : last->stop_ns;
    stop_ns = gs_min(stop_ns, f->r->last_ns);
    if (last != NULL && last->active == active)
        last->stop_ns = gs_max(stop_ns, start_ns);
    else if (stop_ns > start_ns)
        f->phase[f->n++] = (struct gs_load_phase){start_ns, stop_ns, active};
}

/*
 * Adds the readings [from, to), whose power is of one state, up to an instant. A utilisation that says the other one for
 * long enough is right: it is itself a mean over up to a second, and one kernel or pause makes no phase.
 */
static void add_phase(struct finding *f, size_t from, size_t to, int64_t stop_ns, bool active)
{
    enum { LEAST_RUN = 3 };
    static const int64_t least_run_ns = 2 * GS_NS_PER_S;
    const struct gs_load_readings *const r = f->r;
    size_t first = from, n = 0; /* of those that say so since one said otherwise */
    active |= worked(r, from, to, INT64_MIN) > 0;
    for (size_t i = from; r->util != NULL && i < to; i++) {
        if (r->util[i] == GS_MISSING)
            continue;
        if (is_busy(r, i) == active) {
            n = 0;
            continue;
        }
        if (n++ == 0)
            first = i;
        if (n < LEAST_RUN || r->t_ns[i] - r->t_ns[first] < least_run_ns)
            continue;
        end_phase(f, r->t_ns[first], active);
        active = !active;
        n = 0;
    }
    end_phase(f, stop_ns, active);
}

/* Adds the phases that the power splits into at `limit`. GS_MISSING: it does not, and the first phase is all, of one state. */
static void split(struct finding *f, int64_t limit, bool active)
{
    const struct gs_load_readings *const r = f->r;
    size_t from = 0, before = r->n; /* the reading before that has a power */
    for (size_t i = 0; limit != GS_MISSING && i < r->n; i++) {
        if (r->power[i] == GS_MISSING)
            continue;
        const bool now = r->power[i] >= limit;
        if (before < r->n && now != active) {
            /* What a counter says of its interval is of the time before its reading. */
            const int64_t stop_ns =
                r->counted ? r->t_ns[before] : middle(r->t_ns[before], r->t_ns[i]);
            add_phase(f, from, i, stop_ns, active);
            from = i;
        }
        active = now;
        before = i;
    }
    add_phase(f, from, r->n, r->last_ns, active);
}

enum gs_status gs_load_phases(const struct gs_load_readings *r, struct gs_arena *arena,
                              struct gs_load_phase **phase, size_t *n, struct gs_err *err)
{
    struct finding f = {.r = r};
    size_t n_powers = 0;
    *n = 0;
    GS_TAKE_RAW(f.phase, r->n + 1, arena, err);
    struct gs_arena scratch = {0};
    int64_t *const power = gs_arena_take_raw(&scratch, r->n, sizeof *power);
    for (size_t i = 0; power != NULL && i < r->n; i++)
        if (r->power[i] != GS_MISSING)
            power[n_powers++] = r->power[i];
    int64_t limit = power == NULL ? GS_MISSING : gs_idle_power(power, n_powers);
    gs_arena_release(&scratch);
    GS_TRY(gs_had_memory(power != NULL, err));
    if (worked(r, 0, r->n, limit) == 0) /* an idle GPU has steps, too */
        limit = GS_MISSING;
    const int steady = worked(r, 0, r->n, INT64_MIN);
    if (r->n > 0 && (limit != GS_MISSING || steady >= 0))
        split(&f, limit, steady > 0);
    *phase = f.phase;
    *n = f.n;
    return GS_OK;
}
