/* dataset.c - indexes over the tables of a run: the GPUs of a host, the task of an id. */
#include "data/tables/dataset.h"
#include "base/num/order.h"

#include <string.h>

/* A row of the task table, for sorting the rows of one task. */
struct sorted_row {
    int64_t level, x, y;
    struct gs_task_row is;
};

/* By job; of two rows for the same task and job the one that counts comes first, whatever order they came in. */
GS_COMPARES(by_job, struct sorted_row, GS_BY(is.job) GS_BY(level) GS_BY(x) GS_BY(y));

/* Sorts the rows of one task, which are few: most tasks have one job. */
static enum gs_status sort_task(const struct gs_table *t, struct gs_task_row *row, uint32_t n,
                                struct gs_err *err)
{
    const size_t n_bytes = n * sizeof(struct sorted_row);
    struct sorted_row *const r = gs_memory_reserve(n_bytes);
    GS_TRY(gs_had_memory(r != NULL, err));
    for (uint32_t i = 0; i < n; i++)
        r[i] = (struct sorted_row){gs_table_value(t, row[i].row, GS_TASK_LEVEL),
                                   gs_table_value(t, row[i].row, GS_TASK_X),
                                   gs_table_value(t, row[i].row, GS_TASK_Y), row[i]};
    GS_SORT(r, n, by_job);
    for (uint32_t i = 0; i < n; i++)
        row[i] = r[i].is;
    gs_memory_give(r, n_bytes);
    return GS_OK;
}

/* Puts the rows of the task table in the order of their tasks, then jobs: a counting sort. */
static enum gs_status index_tasks(struct gs_dataset *d, struct gs_err *err)
{
    const struct gs_table *const t = &d->table[GS_TABLE_TASKS];
    GS_NEW(uint32_t, first, (size_t)d->task.n + 2, d->arena, err);
    GS_NEW_RAW(struct gs_task_row, row, t->n_rows, d->arena, err);
    /* tasks of other parts are missing: see gs_load_options.own_tasks */
    for (uint32_t k = 0; k < t->n_segments; k++)
        for (uint32_t i = 0; i < t->segment[k].n_rows; i++)
            if (gs_segment_value(&t->segment[k], i, GS_TASK_TASK) != GS_MISSING)
                first[gs_segment_value(&t->segment[k], i, GS_TASK_TASK) + 2]++;
    for (uint32_t i = 0; i < d->task.n; i++)
        first[i + 2] += first[i + 1];
    for (uint32_t k = 0; k < t->n_segments; k++)
        for (uint32_t i = 0; i < t->segment[k].n_rows; i++) {
            const int64_t task = gs_segment_value(&t->segment[k], i, GS_TASK_TASK);
            if (task != GS_MISSING)
                row[first[task + 1]++] =
                    (struct gs_task_row){(uint32_t)gs_segment_value(&t->segment[k], i, GS_TASK_JOB),
                                         k << GS_SEGMENT_BITS | i};
        }
    for (uint32_t i = 0; i < d->task.n; i++) {
        const uint32_t n = first[i + 1] - first[i];
        if (n > 1)
            GS_TRY(sort_task(t, row + first[i], n, err));
    }
    d->task_first = first;
    d->task_row = row;
    return GS_OK;
}

uint32_t gs_dataset_task_row(const struct gs_dataset *d, uint32_t task, uint32_t job)
{
    if (d->task_first == NULL)
        return GS_NONE;
    const size_t end = d->task_first[task + 1];
    size_t low = d->task_first[task];
    GS_BISECT(low, end, at, d->task_row[at].job < job);
    return low < end && d->task_row[low].job == job ? d->task_row[low].row : GS_NONE;
}

enum gs_status gs_dataset_index(struct gs_dataset *d, struct gs_err *err)
{
    GS_TAKE(d->host_first_gpu, (size_t)d->host.n + 1, d->arena, err);
    for (uint32_t g = 0; g < d->n_gpus; g++)
        d->host_first_gpu[d->gpu[g].host + 1]++;
    for (uint32_t h = 0; h < d->host.n; h++)
        d->host_first_gpu[h + 1] += d->host_first_gpu[h];
    return d->table[GS_TABLE_TASKS].n_columns > 0 ? index_tasks(d, err) : GS_OK;
}

/* A set is text: for each attribute the length of its key and of its value, then both. Any byte may stand in them. */
size_t gs_attribute_keys(const struct gs_dataset *d, struct gs_str *key, size_t n, size_t most)
{
    for (uint32_t set = 0; set < d->attributes.n; set++) {
        const struct gs_str text = d->attributes.text[set];
        uint64_t len[2];
        for (size_t at = 0; at < text.len && n < most; at += sizeof len + len[0] + len[1]) {
            memcpy(len, text.ptr + at, sizeof len);
            key[n] = (struct gs_str){text.ptr + at + sizeof len, len[0]};
            size_t k = 0;
            while (!gs_str_eq(key[k], key[n]))
                k++;
            n += k == n;
        }
    }
    return n;
}

void gs_attribute_put(struct gs_buf *set, struct gs_str key, struct gs_str value)
{
    const uint64_t len[2] = {key.len, value.len};
    gs_buf_bytes(set, (const char *)len, sizeof len);
    gs_buf_add(set, key);
    gs_buf_add(set, value);
}

struct gs_str gs_attribute(const struct gs_dataset *d, int64_t set, struct gs_str key)
{
    if (set < 0 || set >= d->attributes.n) /* GS_MISSING, GS_NONE */
        return GS_NO_STR;
    return gs_attribute_in(d->attributes.text[set], key);
}

struct gs_str gs_attribute_in(struct gs_str text, struct gs_str key)
{
    uint64_t len[2];
    for (size_t at = 0; at < text.len; at += sizeof len + len[0] + len[1]) {
        memcpy(len, text.ptr + at, sizeof len);
        const char *const own = text.ptr + at + sizeof len;
        if (gs_str_eq(key, (struct gs_str){own, len[0]}))
            return (struct gs_str){own + len[0], len[1]};
    }
    return (struct gs_str){0};
}

bool gs_gres_count(struct gs_str list, uint64_t *gpus, struct gs_str *type)
{
    uint64_t sum = 0, whole = 0, n;
    bool any = false, has_whole = false;
    *type = GS_NO_STR;
    /* Slurm lists GPUs with and without their type; adding both would count them twice. */
    while (list.len > 0) {
        struct gs_str one = gs_str_take(&list, ',');
        if (gs_str_begins(one, "gres/"))
            one = gs_str_after(one, 5);
        one.len = gs_str_until(one, 0, "(");
        /* of the name, where its number begins */
        const size_t end = gs_str_until_back(one, one.len, "=:");
        if (!gs_str_begins(one, "gpu") || end < 4 || (end > 4 && one.ptr[3] != ':') ||
            gs_count_parse(gs_str_after(one, end), 1 << 20, &n) != GS_NUMBER_OK)
            continue;
        any = true;
        has_whole |= end == 4;
        *(end == 4 ? &whole : &sum) += n;
        if (end > 5 && type->ptr == NULL)
            *type = (struct gs_str){one.ptr + 4, end - 5};
    }
    *gpus = has_whole ? whole : sum;
    return any;
}

bool gs_job_gpus(const struct gs_dataset *d, int64_t set, uint64_t *gpus, uint64_t *nodes)
{
    enum { MOST = 1 << 20 };
    *nodes = 1;
    if (gs_count_parse(gs_attribute(d, set, gs_str("gpus_per_node")), MOST, gpus) == GS_NUMBER_OK)
        return true;
    if (gs_count_parse(gs_attribute(d, set, gs_str("nodes")), MOST, nodes) != GS_NUMBER_OK ||
        *nodes == 0)
        *nodes = 1;
    return gs_count_parse(gs_attribute(d, set, gs_str("gpus")), MOST, gpus) == GS_NUMBER_OK;
}

static bool is_one_of(struct gs_str word, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (gs_str_eq_nocase(word, gs_str(list[i])))
            return true;
    return false;
}

bool gs_job_waits(struct gs_str state)
{
    static const char *const words[] = {"PENDING", "PD", "PEND", "QUEUED", "Q",    "QW",
                                        "WAITING", "H",  "HELD", "IDLE",   "PSUSP"};
    return is_one_of(state, words, sizeof words / sizeof *words);
}

bool gs_job_runs(struct gs_str state)
{
    static const char *const words[] = {"RUNNING",    "R",  "RUN",       "ACTIVE", "STARTED",
                                        "COMPLETING", "CG", "SUSPENDED", "USUSP",  "SSUSP"};
    return is_one_of(state, words, sizeof words / sizeof *words);
}

uint64_t gs_input_number(const struct gs_dataset *d, size_t i)
{
    if (d->first_input == 0 || d->input[i].kind != GS_TABLE_TASKS)
        return d->first_input + i;
    uint64_t n = GS_INPUTS_MAX - GS_TASK_INPUTS_MAX;
    for (size_t k = 0; k < i; k++)
        n += d->input[k].kind == GS_TABLE_TASKS;
    return n;
}

size_t gs_input_next(const struct gs_dataset *d, size_t i)
{
    const bool apart = d->first_input > 0;
    bool tasks = i < d->n_inputs && apart && d->input[i].kind == GS_TABLE_TASKS;
    for (size_t k = i == SIZE_MAX ? 0 : i + 1;; k = 0, tasks = true) {
        while (k < d->n_inputs && apart && (d->input[k].kind == GS_TABLE_TASKS) != tasks)
            k++;
        if (k < d->n_inputs || tasks || !apart)
            return k;
    }
}

int64_t gs_dataset_line(const struct gs_dataset *d, int64_t place)
{
    const uint64_t chunk =
        (uint64_t)place >> GS_PLACE_LINE_BITS & ((UINT64_C(1) << GS_PLACE_CHUNK_BITS) - 1);
    const uint64_t input = gs_line_input(place);
    if (place < 0 || input >= d->n_inputs || chunk >= d->input[input].n_chunks)
        return GS_MISSING;
    const uint64_t line = d->input[input].chunk_line[chunk] +
                          ((uint64_t)place & ((UINT64_C(1) << GS_PLACE_LINE_BITS) - 1));
    return (int64_t)(gs_input_number(d, input) << (GS_PLACE_LINE_BITS + GS_PLACE_CHUNK_BITS)) |
           (int64_t)gs_line_number((int64_t)line);
}
