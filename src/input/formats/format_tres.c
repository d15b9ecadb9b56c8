/* format_tres.c - Slurm's lists of what a job holds, and its numbers of jobs and steps. */
#include "input/formats/formats.h"

#include <stdio.h>

#include "data/tables/dataset.h"

struct gs_str gs_tres_value(struct gs_str tres, const char *key)
{
    size_t from = gs_str_find(tres, key);
    while (from > 0 && from < tres.len && tres.ptr[from - 1] != ',') /* of a longer name */
        from += 1 + gs_str_find(gs_str_after(tres, from + 1), key);
    if (from == tres.len)
        return GS_NO_STR;
    struct gs_str value = gs_str_after(tres, from + strlen(key));
    return gs_str_take(&value, ',');
}

/* "billing=8,cpu=8,gres/gpu=2,node=1": a name and a number each, a processor or a generic resource among them. */
static bool is_tres(struct gs_str text)
{
    bool known = false;
    if (!gs_str_holds(text, "="))
        return false;
    while (text.len > 0) {
        const struct gs_str one = gs_str_take(&text, ',');
        const size_t n = gs_str_find_byte(one, '=');
        if (n + 1 >= one.len || !gs_is_digit(one.ptr[n + 1]))
            return false;
        known |= gs_str_begins(one, "cpu=") || gs_str_begins(one, "gres/");
    }
    return known;
}

/* What an open record holds, where one of its texts says it; what was allocated comes before what was asked for. */
static struct gs_str tres_of(const struct gs_record_sink *out)
{
    struct gs_str found = GS_NO_STR;
    for (uint32_t i = 0; i < out->n_put; i++) {
        const struct gs_str name = out->column.text[out->put[i]], text = out->value[out->put[i]];
        const bool allocated = gs_str_holds(name, "lloc");
        if ((allocated || found.ptr == NULL) && is_tres(text))
            found = text;
        if (allocated && found.ptr == text.ptr && found.ptr != NULL)
            break;
    }
    return found;
}

void gs_tres_put_id(struct gs_record_sink *out, struct gs_str id)
{
    gs_record_sink_set(out, gs_str("Job"), gs_str_take(&id, '.'));
    gs_record_sink_set(out, gs_str("Step"), id);
}

void gs_tres_put_held(struct gs_record_sink *out, struct gs_str tres, struct gs_str nodes)
{
    struct gs_str type = GS_NO_STR;
    char text[24];
    uint64_t n = 0;
    (void)gs_gres_count(tres, &n, &type);
    /* How many shards a GPU has stands nowhere here: who holds some shares the node's GPUs. */
    const bool parts = n == 0 && gs_str_holds(tres, "gres/shard");
    if (tres.len > 0 && !parts) {
        (void)snprintf(text, sizeof text, "%llu", (unsigned long long)n);
        gs_record_sink_set_copy(out, gs_str("gpus"), gs_str(text));
    }
    if (type.ptr != NULL)
        gs_record_sink_set(out, gs_str("gpu_type"), type);
    if (nodes.len > 0)
        gs_record_sink_set(out, gs_str("nodes"), nodes);
}

void gs_tres_put(struct gs_record_sink *out)
{
    const struct gs_str tres = tres_of(out);
    const uint32_t id = gs_intern_find(&out->column, gs_str("JobID"));
    if (id != GS_INTERN_NONE && out->value[id].len > 0)
        gs_tres_put_id(out, out->value[id]);
    gs_tres_put_held(out, tres, gs_tres_value(tres, "node="));
}
