/* merge_readers.c - renumbers the names of all threads; numbers follow the order of texts, not of arrival. */
#include "input/import/merge_readers.h"

#include <stdlib.h>
#include <string.h>

#include "base/num/order.h"
#include "input/times/clock.h"

/* Maps from each reader's numbers to the dataset's, per pool; NULL: they are the dataset's. */
typedef uint32_t *pool_maps[GS_N_POOLS];

/*
 * Adds all texts of a pool to `all`; the first reader's numbers stay what they are. The first
 * reader's pool is taken over as it is: with one thread nothing is copied at all.
 */
static enum gs_status unite(struct gs_reader *const *reader, size_t n, enum gs_pool pool,
                            struct gs_intern *all, pool_maps *maps, struct gs_arena *arena,
                            struct gs_err *err)
{
    for (size_t i = 0; i < n; i++) {
        const struct gs_intern *const own = &reader[i]->pool[pool];
        if (i == 0) {
            *all = *own;
            all->arena = arena;
            continue;
        }
        maps[i][pool] = gs_arena_take_raw(arena, own->n, sizeof *maps[i][pool]);
        if (maps[i][pool] == NULL || !gs_intern_unite(all, own, maps[i][pool]))
            return gs_fail_memory(err);
    }
    return GS_OK;
}

/*
 * Renumbers a united pool by text. The number of a name would otherwise depend on which thread
 * met it first. Code that sorts by numbers relies on this order; pools that are only looked up
 * (tasks, attributes) are left alone.
 */
static enum gs_status put_in_order(struct gs_intern *all, size_t n, struct gs_reader *const *reader,
                                   enum gs_pool pool, pool_maps *maps, struct gs_arena *arena,
                                   struct gs_err *err)
{
    struct gs_intern ordered = {.arena = arena, .seed = all->seed};
    uint32_t *rank, *by_rank;
    GS_TRY(gs_had_memory(gs_intern_rank(all, arena, &rank, &by_rank) == 0, err));
    for (uint32_t r = 0; r < all->n; r++)
        if (gs_intern_add(&ordered, all->text[by_rank[r]]) == GS_INTERN_NONE)
            return gs_fail_memory(err);
    maps[0][pool] = rank;
    for (size_t i = 1; i < n; i++)
        for (uint32_t k = 0; k < reader[i]->pool[pool].n; k++)
            maps[i][pool][k] = rank[maps[i][pool][k]];
    *all = ordered;
    return GS_OK;
}

/* What tells GPUs apart; see gpu_of for those of which only the index is known. */
GS_COMPARES(compare_identities, struct gs_gpu,
            GS_BY(host) GS_BY_TEXT(serial) GS_BY_TEXT(uuid) GS_BY_TEXT(job));

/* A GPU whose index or card changed is one GPU, under the last of them by text. */
GS_COMPARES(compare_gpus, struct gs_gpu, GS_DIFFER(compare_identities(x, y));
            GS_BY_TEXT(index) GS_BY_TEXT(card) GS_BY_TEXT(user) GS_BY_TEXT(account));

/* A word for "no value" names nothing, as no column does. */
static struct gs_str name_of(const struct gs_intern *in, uint32_t id)
{
    if (id == GS_NONE || gs_is_no_value(in->text[id]))
        return GS_NO_STR;
    return in->text[id];
}

/*
 * A UUID in a column called serial or index is taken for what it is, so that two files that call
 * the column differently have the same GPU.
 */
static struct gs_gpu gpu_of(const struct gs_reader *g, const uint32_t *host_map, uint32_t k)
{
    struct gs_gpu_key key;
    memcpy(&key, g->pool[GS_POOL_GPU].text[k].ptr, sizeof key);
    struct gs_gpu gpu = {.host = host_map[key.host],
                         .serial = name_of(&g->pool[GS_POOL_SERIAL], key.serial),
                         .uuid = name_of(&g->pool[GS_POOL_UUID], key.uuid),
                         .index = name_of(&g->pool[GS_POOL_INDEX], key.index),
                         .card = name_of(&g->pool[GS_POOL_CARD], key.card),
                         .user = name_of(&g->pool[GS_POOL_USER], key.user),
                         .account = name_of(&g->pool[GS_POOL_ACCOUNT], key.account),
                         .job = name_of(&g->pool[GS_POOL_JOB], key.job)};
    struct gs_str *const called = gs_is_uuid(gpu.serial) ? &gpu.serial : &gpu.index;
    if (gpu.uuid.ptr == NULL && gs_is_uuid(*called)) { /* whatever the column is called */
        gpu.uuid = *called;
        *called = GS_NO_STR;
    }
    if (gpu.uuid.ptr == NULL && gpu.serial.ptr == NULL)
        gpu.uuid = gpu.index; /* all that tells it from the host's others, in results and states */
    return gpu;
}

/*
 * GPUs are few: sort all that were seen, drop repeats, find each again by binary search. A list
 * of all sights may have GPUs twice: once per reader, and again where an index or card changed.
 * The search compares identities only and thus always finds one.
 */
static enum gs_status unite_gpus(struct gs_reader *const *reader, size_t n, struct gs_dataset *d,
                                 pool_maps *maps, struct gs_err *err)
{
    size_t n_seen = 0, n_distinct = 0;
    for (size_t i = 0; i < n; i++)
        n_seen += reader[i]->pool[GS_POOL_GPU].n;
    GS_NEW_RAW(struct gs_gpu, all, n_seen, d->arena, err);
    for (size_t i = 0, at = 0; i < n; i++)
        for (uint32_t k = 0; k < reader[i]->pool[GS_POOL_GPU].n; k++)
            all[at++] = gpu_of(reader[i], maps[i][GS_POOL_HOST], k);
    GS_SORT(all, n_seen, compare_gpus);
    for (size_t k = 0; k < n_seen; k++) {
        n_distinct += n_distinct == 0 || compare_identities(&all[n_distinct - 1], &all[k]) != 0;
        all[n_distinct - 1] = all[k];
    }
    for (size_t i = 0; i < n; i++) {
        const uint32_t own = reader[i]->pool[GS_POOL_GPU].n;
        GS_NEW_RAW(uint32_t, map, own, d->arena, err);
        for (uint32_t k = 0; k < own; k++) {
            const struct gs_gpu gpu = gpu_of(reader[i], maps[i][GS_POOL_HOST], k);
            map[k] = (uint32_t)((const struct gs_gpu *)bsearch(&gpu, all, n_distinct, sizeof *all,
                                                               compare_identities) -
                                all);
        }
        maps[i][GS_POOL_GPU] = map;
    }
    d->gpu = all;
    d->n_gpus = (uint32_t)n_distinct;
    return GS_OK;
}

/*
 * A column of names that is missing in `mapped` would keep one thread's numbers and name the
 * wrong texts: a new column of names must be added there.
 */
static enum gs_status join_tables(struct gs_reader *const *reader, size_t n, struct gs_dataset *d,
                                  pool_maps *maps, struct gs_err *err)
{
    static const struct {
        uint8_t table, column, pool;
    } mapped[] = {
        {GS_TABLE_CHECKPOINTS, GS_CHECKPOINT_EVENT, GS_POOL_EVENT},
        {GS_TABLE_CHECKPOINTS, GS_CHECKPOINT_JOB, GS_POOL_JOB},
        {GS_TABLE_CHECKPOINTS, GS_CHECKPOINT_TASK, GS_POOL_TASK},
        {GS_TABLE_CHECKPOINTS, GS_CHECKPOINT_GPU, GS_POOL_GPU_NAME},
        {GS_TABLE_CHECKPOINTS, GS_CHECKPOINT_ATTRIBUTES, GS_POOL_ATTRIBUTES},
        {GS_TABLE_SPANS, GS_SPAN_EVENT, GS_POOL_EVENT},
        {GS_TABLE_SPANS, GS_SPAN_JOB, GS_POOL_JOB},
        {GS_TABLE_SPANS, GS_SPAN_TASK, GS_POOL_TASK},
        {GS_TABLE_SPANS, GS_SPAN_GPU, GS_POOL_GPU_NAME},
        {GS_TABLE_SPANS, GS_SPAN_ATTRIBUTES, GS_POOL_ATTRIBUTES},
        {GS_TABLE_TASKS, GS_TASK_TASK, GS_POOL_TASK},
        {GS_TABLE_TASKS, GS_TASK_JOB, GS_POOL_JOB},
        {GS_TABLE_TASKS, GS_TASK_ATTRIBUTES, GS_POOL_ATTRIBUTES},
    };
    const struct {
        enum gs_pool pool;
        uint32_t n;
    } owners[GS_N_STORED] = {[GS_TABLE_CHECKPOINTS] = {GS_POOL_HOST, d->host.n},
                             [GS_TABLE_SPANS] = {GS_POOL_HOST, d->host.n},
                             [GS_TABLE_SAMPLES] = {GS_POOL_GPU, d->n_gpus},
                             [GS_TABLE_TASKS] = {GS_N_POOLS, 1}};
    GS_NEW(struct gs_table_writer *, writers, n, d->arena, err);
    GS_NEW(const uint32_t *, owner_maps, n, d->arena, err);
    GS_NEW(const uint32_t *const *, rows, n, d->arena, err);
    for (int t = 0; t < GS_N_STORED; t++) {
        if (reader[0]->writer[t].n_columns == 0)
            continue;
        const uint32_t n_columns = reader[0]->writer[t].n_columns;
        const size_t n_lists = n * n_columns;
        GS_NEW(const uint32_t *, columns, n_lists, d->arena, err);
        for (size_t i = 0; i < n; i++) {
            writers[i] = &reader[i]->writer[t];
            for (size_t m = 0; m < sizeof mapped / sizeof *mapped; m++)
                if (mapped[m].table == t)
                    columns[i * n_columns + mapped[m].column] = maps[i][mapped[m].pool];
            rows[i] = columns + i * n_columns;
            owner_maps[i] = NULL;
            if (owners[t].pool != GS_N_POOLS)
                owner_maps[i] = maps[i][owners[t].pool];
        }
        const struct gs_table_parts parts = {writers, owner_maps, rows, n};
        GS_TRY(gs_table_join(&parts, owners[t].n, d->arena, &d->table[t], err));
    }
    return GS_OK;
}

/* Which hosts had marks, where some are not kept. */
static enum gs_status note_events(struct gs_reader *const *reader, size_t n, struct gs_dataset *d,
                                  pool_maps *maps, struct gs_err *err)
{
    if (!reader[0]->drops)
        return GS_OK;
    GS_NEW(bool, names, d->host.n, d->arena, err);
    for (size_t i = 0; i < n; i++) {
        const struct gs_seen_rows *const seen = &reader[i]->seen[GS_TABLE_CHECKPOINTS];
        for (uint32_t h = 0; h < seen->n; h++)
            if (seen->of[h].reach.n_rows > 0)
                names[maps[i][GS_POOL_HOST][h]] = true;
    }
    d->names_events = names;
    return GS_OK;
}

/* Hosts come before GPUs, since a GPU's identity includes its host's final number. */
enum gs_status gs_reader_merge(struct gs_reader *const *reader, size_t n, struct gs_dataset *d,
                               struct gs_err *err)
{
    static const struct {
        enum gs_pool pool;
        size_t offset;
        bool ordered;
    } names[] = {
        {GS_POOL_HOST, offsetof(struct gs_dataset, host), true},
        {GS_POOL_EVENT, offsetof(struct gs_dataset, event), true},
        {GS_POOL_JOB, offsetof(struct gs_dataset, job), true},
        {GS_POOL_TASK, offsetof(struct gs_dataset, task), false},
        {GS_POOL_GPU_NAME, offsetof(struct gs_dataset, gpu_name), true},
        {GS_POOL_ATTRIBUTES, offsetof(struct gs_dataset, attributes), false},
    };
    GS_NEW(pool_maps, maps, n, d->arena, err);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        struct gs_intern *const all = (struct gs_intern *)(void *)((char *)d + names[k].offset);
        GS_TRY(unite(reader, n, names[k].pool, all, maps, d->arena, err));
        if (names[k].ordered)
            GS_TRY(put_in_order(all, n, reader, names[k].pool, maps, d->arena, err));
    }
    GS_TRY(unite_gpus(reader, n, d, maps, err));
    GS_TRY(note_events(reader, n, d, maps, err));
    return join_tables(reader, n, d, maps, err);
}
