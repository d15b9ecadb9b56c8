/* mapper_lanes.c - assigns the columns of wide tables to hosts and GPUs. */
#include "input/import/mapper_parts.h"

enum { LANES_MAX = 4096 };

/* Words of a domain name are a host's but for the last: max.example.org is one, n1.rack.total is not. */
static bool names_no_host(struct gs_str host)
{
    size_t n_dots = 0, last = 0;
    for (size_t i = 0; i < host.len; i++)
        if (host.ptr[i] == '.') {
            last = i + 1;
            n_dots++;
        }
    if (n_dots < 2)
        return gs_names_no_one(host);
    return gs_names_no_one(gs_str_after(host, last));
}

/*
 * The lane of a host and a GPU, made where it is new; NULL without memory. The limit bounds the
 * work per row: every row visits each lane.
 */
static struct lane *lane_of(struct gs_mapper *m, const struct gs_kept *kept)
{
    for (size_t i = 0; i < m->n_lanes; i++)
        if (gs_str_eq(m->lane[i].gpu, kept->gpu) && gs_str_eq(m->lane[i].host, kept->host))
            return &m->lane[i];
    uint32_t *const column = gs_arena_take(m->arena, m->source->metrics.n, sizeof *column);
    if (column == NULL || m->n_lanes >= LANES_MAX || !GS_HAS_ROOM(m->arena, m->lane, m->n_lanes))
        return NULL;
    m->lane[m->n_lanes] = (struct lane){kept->host, kept->gpu, column};
    return &m->lane[m->n_lanes++];
}

/* Two columns that are one metric of one GPU: none counts silently. */
static enum gs_status refuse_two(const struct gs_mapper *m, size_t metric, struct gs_str one,
                                 struct gs_str other, struct gs_err *err)
{
    char name[80];
    gs_escape(name, sizeof name, m->source->metrics.item[metric].name);
    return gs_fail(err, GS_ERR_DATA,
                   "%s: columns '%s' and '%s' are both %s of one GPU or host; choose one with "
                   "--set 'samples.metrics.%s.columns=PATTERN', which only one of them fits, or "
                   "leave the other out with --set samples.ignored=COLUMN",
                   m->records.name, GS_SHOWN(one, 120), GS_SHOWN(other, 120), name, name);
}

/*
 * "0_mem" of gpu0_mem_util beside gpu0_util: gpu{gpu}_util fits both, but what stands behind the
 * number of another column's GPU tells what of that GPU is meant.
 */
static bool is_of_another(const struct gs_mapper *m, struct gs_str pattern, struct gs_str gpu)
{
    struct gs_kept kept;
    const size_t n = gs_str_skip(gpu, 0, GS_ALL_DIGITS);
    if (n == 0 || n == gpu.len || gs_is_alnum(gpu.ptr[n]))
        return false;
    for (uint32_t i = 0; i < m->records.column.n; i++)
        if (m->records.met[i] && gs_pattern_match(pattern, m->records.column.text[i], &kept) &&
            gs_str_eq(kept.gpu, (struct gs_str){gpu.ptr, n}))
            return true;
    return false;
}

/*
 * Called for each record but looks at new columns only: JSON may bring a GPU's first column late.
 */
enum gs_status gs_mapper_find_lanes(struct gs_mapper *m, struct gs_err *err)
{
    for (; m->n_looked < m->records.column.n; m->n_looked++) {
        const struct gs_str name = m->records.column.text[m->n_looked];
        if (!m->records.met[m->n_looked] || gs_texts_contain(&m->source->ignored, name))
            continue;
        for (size_t k = 0; k < m->source->metrics.n; k++) {
            const struct gs_map_value *const v = &m->source->metrics.item[k].value;
            struct gs_kept kept;
            if (v->kind != GS_VALUE_COLUMNS || !gs_pattern_match(v->text, name, &kept) ||
                gs_names_no_one(kept.gpu) || names_no_host(kept.host) ||
                is_of_another(m, v->text, kept.gpu))
                continue;
            struct lane *const lane = lane_of(m, &kept);
            GS_TRY(gs_had_memory(lane != NULL, err));
            if (lane->column[k] > 0)
                return refuse_two(m, k, m->records.column.text[lane->column[k] - 1], name, err);
            lane->column[k] = m->n_looked + 1;
            struct gs_name split;
            gs_name_split(name, &split);
            if (m->metric[k].unit.quantity == GS_Q_NONE && v->unit.ptr == NULL)
                m->metric[k].unit = split.unit;
        }
    }
    return GS_OK;
}
