/* pass_plan.c - records which rows of the inputs belong to which host. */
#include "input/import/pass_plan.h"

#include <string.h>
#include <sys/stat.h>

#include "input/import/row_reader.h"
#include "input/import/load_options.h"
#include "base/os/replayable_input.h"

struct gs_pass_plan_shard gs_pass_plan_shard(const struct gs_load_options *o)
{
    if (o->pass_plan != NULL)
        return (struct gs_pass_plan_shard){o->pass_plan->shard, o->pass_plan->n_shards};
    return (struct gs_pass_plan_shard){o->shard, o->n_shards};
}

/* A host that the first pass did not see is kept by none. */
bool gs_pass_plan_keeps(const struct gs_pass_plan *s, struct gs_str host)
{
    const uint32_t k = gs_intern_find(&s->pool[GS_POOL_HOST], host);
    return k != GS_INTERN_NONE && s->of[k].pass == s->present;
}

uint64_t gs_pass_plan_rows(const struct gs_pass_plan_host *host)
{
    uint64_t n = 1; /* rows of a form that has no chunks are not counted: a host is something */
    for (int k = 0; k < GS_PASS_REACHES; k++)
        n += host->reach[k].n_rows;
    return n;
}

/*
 * What one pass has learnt holds for the same bytes only, so size and time of change are
 * compared.
 */
enum gs_status gs_pass_plan_files(struct gs_pass_plan *s, const struct gs_dataset *d,
                                  struct gs_err *err)
{
    if (!s->learned) {
        s->n_files = d->n_inputs;
        GS_TAKE(s->file, d->n_inputs, s->arena, err);
    }
    for (size_t i = 0; i < d->n_inputs; i++) {
        struct stat is;
        const bool there = gs_stat_regular(d->input[i].path, &is);
        const struct gs_pass_plan_file f = {
            there ? (uint64_t)is.st_size : 0,
            there ? (int64_t)is.st_mtim.tv_sec * 1000000000 + (int64_t)is.st_mtim.tv_nsec : 0};
        if (!there && (s->learned || s->again))
            return gs_fail(
                err, GS_ERR_USAGE,
                "%s: can be read once only, and --max-memory takes several passes over it",
                d->input[i].name);
        if (!s->learned)
            s->file[i] = f;
        else if (i >= s->n_files || s->file[i].size != f.size ||
                 s->file[i].changed_ns != f.changed_ns)
            return gs_fail(err, GS_ERR_DATA, "%s: was changed while it was read in several passes",
                           d->input[i].name);
    }
    return GS_OK;
}

static void widen(struct gs_reach *reach, const struct gs_reach *by)
{
    if (by->n_rows == 0)
        return;
    reach->first = reach->n_rows == 0 || by->first < reach->first ? by->first : reach->first;
    reach->last = reach->n_rows == 0 || by->last > reach->last ? by->last : reach->last;
    reach->n_rows += by->n_rows;
}

/* Those that a later pass must know, whatever rows it passes over; GPUs last, which are made of the others. */
static const enum gs_pool kept[] = {GS_POOL_HOST,    GS_POOL_EVENT,    GS_POOL_JOB,  GS_POOL_SERIAL,
                                    GS_POOL_UUID,    GS_POOL_INDEX,    GS_POOL_CARD, GS_POOL_USER,
                                    GS_POOL_ACCOUNT, GS_POOL_GPU_NAME, GS_POOL_GPU};

enum { N_KEPT = sizeof kept / sizeof *kept };

/* A part of a GPU's key in the numbers of `to`. */
static void carry_part(struct gs_gpu_key *key, const struct gs_reader *g,
                       const struct gs_pass_plan *s, enum gs_pool pool)
{
    uint32_t *const part = gs_gpu_key_part(key, pool);
    if (*part != GS_NONE)
        *part = gs_intern_find(&s->pool[pool], g->pool[pool].text[*part]);
}

/*
 * The texts of a pool of the reader; false without memory. The key of a GPU has numbers of its
 * own reader, which mean other names in the plan; so they are replaced before the key is added.
 */
static bool learn_pool(struct gs_pass_plan *s, const struct gs_reader *g, enum gs_pool pool)
{
    for (uint32_t k = 0; k < g->pool[pool].n; k++) {
        struct gs_str text = g->pool[pool].text[k];
        struct gs_gpu_key key;
        if (pool == GS_POOL_GPU) {
            memcpy(&key, text.ptr, sizeof key);
            for (int p = 0; p < N_KEPT; p++)
                if (kept[p] != GS_POOL_GPU && kept[p] != GS_POOL_GPU_NAME &&
                    kept[p] != GS_POOL_EVENT)
                    carry_part(&key, g, s, kept[p]);
            text = (struct gs_str){(const char *)&key, sizeof key};
        }
        if (gs_intern_add(&s->pool[pool], text) == GS_INTERN_NONE)
            return false;
    }
    return true;
}

static void learn_reaches(struct gs_pass_plan *s, const struct gs_reader *g)
{
    const struct gs_seen_rows *const hosts = &g->seen[GS_TABLE_CHECKPOINTS],
                                     *const gpus = &g->seen[GS_TABLE_SAMPLES];
    const struct gs_intern *const name = &g->pool[GS_POOL_HOST];
    for (uint32_t k = 0; k < hosts->n && k < name->n; k++)
        widen(&s->of[gs_intern_find(&s->pool[GS_POOL_HOST], name->text[k])].reach[0],
              &hosts->of[k].reach);
    for (uint32_t k = 0; k < gpus->n && k < g->pool[GS_POOL_GPU].n; k++) {
        struct gs_gpu_key key;
        memcpy(&key, g->pool[GS_POOL_GPU].text[k].ptr, sizeof key);
        widen(&s->of[gs_intern_find(&s->pool[GS_POOL_HOST], name->text[key.host])].reach[1],
              &gpus->of[k].reach);
    }
}

/* `learned` is set last: a plan that ran out of memory half way is not used. */
enum gs_status gs_pass_plan_learn(struct gs_pass_plan *s, struct gs_reader *const *reader, size_t n,
                                  struct gs_err *err)
{
    bool ok = true;
    for (int k = 0; k < N_KEPT; k++) {
        s->pool[kept[k]] = (struct gs_intern){.arena = s->arena, .seed = s->seed};
        for (size_t i = 0; i < n && ok; i++)
            ok = learn_pool(s, reader[i], kept[k]);
    }
    s->of = ok ? gs_arena_take(s->arena, s->pool[GS_POOL_HOST].n, sizeof *s->of) : NULL;
    GS_TRY(gs_had_memory(s->of != NULL, err));
    for (size_t i = 0; i < n; i++)
        learn_reaches(s, reader[i]);
    s->learned = true;
    return GS_OK;
}

/* A pool that is new gives the texts the numbers that they have in the pass_plan, of which its GPUs are made. */
enum gs_status gs_pass_plan_seed(const struct gs_pass_plan *s, struct gs_reader *g,
                                 struct gs_err *err)
{
    for (int k = 0; k < N_KEPT; k++)
        for (uint32_t i = 0; i < s->pool[kept[k]].n; i++)
            if (gs_intern_add(&g->pool[kept[k]], s->pool[kept[k]].text[i]) != i)
                return gs_fail_memory(err);
    return GS_OK;
}

/*
 * A reach is a range of chunks, so chunks in between may be read in vain, but none is missed.
 * Chunks with malformed rows are always read.
 */
void gs_pass_plan_wanted(const struct gs_pass_plan *s, bool *wanted)
{
    for (size_t i = 0; i < s->n_chunks; i++)
        wanted[i] = s->chunk[i].is_faulty;
    for (uint32_t h = 0; h < s->pool[GS_POOL_HOST].n; h++)
        for (int k = 0; s->of[h].pass == s->present && k < GS_PASS_REACHES; k++) {
            const struct gs_reach *const r = &s->of[h].reach[k];
            for (size_t i = r->first; r->n_rows > 0 && i <= r->last && i < s->n_chunks; i++)
                wanted[i] = true;
        }
}
