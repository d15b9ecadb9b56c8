/* dataset.c - indexes over the tables: the GPUs of a host, the task of an id. */
#include "gpustat/dataset.h"

struct gs_task_slot {
    uint32_t task, job;
    uint32_t row_plus_one; /* 0: empty; truncated rows cannot be: row numbers end below 2^32 - 1 */
};

static uint32_t slot_of(const struct gs_dataset *d, uint32_t task, uint32_t job)
{
    const uint32_t key[2] = {task, job};
    const uint32_t mask = d->n_task_slots - 1;
    uint32_t i = (uint32_t)gs_hash((const char *)key, sizeof key, d->seed) & mask;
    while (d->task_slot[i].row_plus_one != 0 && (d->task_slot[i].task != task || d->task_slot[i].job != job))
        i = (i + 1) & mask;
    return i;
}

/* Of two rows for the same task the one that counts: the first by (level, x, y), whatever their order. */
static bool row_before(const struct gs_table *t, uint32_t a, uint32_t b)
{
    static const unsigned order[] = {GS_TASK_LEVEL, GS_TASK_X, GS_TASK_Y};
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        const int64_t va = gs_table_value(t, a, order[k]), vb = gs_table_value(t, b, order[k]);
        if (va != vb)
            return va < vb;
    }
    return false;
}

static enum gs_status index_tasks(struct gs_dataset *d, struct gs_err *err)
{
    const struct gs_table *const t = &d->table[GS_TABLE_TASKS];
    uint64_t n_slots = 64;
    while (n_slots < t->n_rows * 2)
        n_slots *= 2;
    d->task_slot = gs_arena_take(d->arena, n_slots, sizeof *d->task_slot);
    if (d->task_slot == NULL || n_slots > UINT32_MAX)
        return gs_fail_memory(err);
    d->n_task_slots = (uint32_t)n_slots;
    for (uint32_t k = 0; k < t->n_segments; k++)
        for (uint32_t i = 0; i < t->segment[k].n_rows; i++) {
            const uint32_t row = k << GS_SEGMENT_BITS | i;
            const uint32_t task = (uint32_t)gs_table_value(t, row, GS_TASK_TASK);
            const uint32_t job = (uint32_t)gs_table_value(t, row, GS_TASK_JOB);
            struct gs_task_slot *const s = &d->task_slot[slot_of(d, task, job)];
            if (s->row_plus_one == 0 || row_before(t, row, s->row_plus_one - 1))
                *s = (struct gs_task_slot){task, job, row + 1};
        }
    return GS_OK;
}

uint32_t gs_dataset_task_row(const struct gs_dataset *d, uint32_t task, uint32_t job)
{
    if (d->task_slot == NULL)
        return GS_NONE;
    const struct gs_task_slot *const s = &d->task_slot[slot_of(d, task, job)];
    return s->row_plus_one == 0 ? GS_NONE : s->row_plus_one - 1;
}

enum gs_status gs_dataset_index(struct gs_dataset *d, struct gs_err *err)
{
    d->host_first_gpu = gs_arena_take(d->arena, (size_t)d->host.n + 1, sizeof *d->host_first_gpu);
    if (d->host_first_gpu == NULL)
        return gs_fail_memory(err);
    for (uint32_t g = 0; g < d->n_gpus; g++)
        d->host_first_gpu[d->gpu[g].host + 1]++;
    for (uint32_t h = 0; h < d->host.n; h++)
        d->host_first_gpu[h + 1] += d->host_first_gpu[h];
    return d->table[GS_TABLE_TASKS].n_columns > 0 ? index_tasks(d, err) : GS_OK;
}

const char *gs_dataset_place(const struct gs_dataset *d, int64_t place, struct gs_arena *arena)
{
    struct gs_buf b = {.arena = arena};
    const uint64_t input = (uint64_t)place >> 52, chunk = (uint64_t)place >> 32 & 0xfffff;
    const uint64_t line = (uint64_t)place & 0xffffffff;
    if (place == GS_MISSING || place < 0 || input >= d->n_inputs || chunk >= d->input[input].n_chunks)
        return "";
    gs_buf_format(&b, "%s:%llu", d->input[input].name,
                  (unsigned long long)(d->input[input].chunk_line[chunk] + line));
    return b.failed ? "" : b.ptr;
}
