/* gpu_names.c - the columns of GPUs by their headers. */
#include "input/import/gpu_names.h"

#include "input/times/clock.h"

/* A name that does not say what it is counts as an index, the weakest kind of identity. */
enum gs_pool gs_gpu_pool(const struct gs_source *s)
{
    if (s->gpu.kind != GS_VALUE_COLUMN)
        return GS_POOL_INDEX;
    const enum gs_meaning m = gs_column_meaning(s->gpu.column.item[0]);
    if (m == GS_MEANS_UUID)
        return GS_POOL_UUID;
    if (m == GS_MEANS_SERIAL)
        return GS_POOL_SERIAL;
    return GS_POOL_INDEX;
}

/* Is this the column that says which metric a row is of? Then it names no card, whatever it is called. */
static bool has_metrics(const struct gs_source *s, struct gs_str column)
{
    for (size_t k = 0; k < s->metrics.n; k++) {
        const struct gs_map_wheres *const where = &s->metrics.item[k].value.where;
        for (size_t i = 0; i < where->n; i++)
            if (gs_str_eq(where->item[i].column, column))
                return true;
    }
    return false;
}

/* Whose is the job that samples name? The best name first. */
static int other_of_job(const char *column, unsigned *rank)
{
    static const struct {
        const char *name;
        int other;
    } words[] = {{"user", GS_OTHER_USER},
                 {"username", GS_OTHER_USER},
                 {"exportednamespace", GS_OTHER_ACCOUNT},
                 {"namespace", GS_OTHER_ACCOUNT},
                 {"account", GS_OTHER_ACCOUNT}};
    for (*rank = 0; *rank < sizeof words / sizeof *words; ++*rank)
        if (gs_str_eq(gs_str(column), gs_str(words[*rank].name)))
            return words[*rank].other;
    return GS_OTHER_NAMES;
}

void gs_gpu_other_names(const struct gs_source *s, const struct gs_str *column, const bool *met,
                        size_t n, uint32_t other[GS_OTHER_NAMES])
{
    const bool named = s->gpu.kind == GS_VALUE_COLUMN;
    unsigned best[GS_OTHER_NAMES];
    for (int k = 0; k < GS_OTHER_NAMES; k++) {
        best[k] = UINT32_MAX;
        other[k] = GS_INTERN_NONE;
    }
    for (size_t i = 0; i < n; i++) {
        struct gs_name name;
        unsigned rank, card_rank;
        if ((met != NULL && !met[i]) || (named && gs_str_eq(column[i], s->gpu.column.item[0])) ||
            gs_texts_contain(&s->ignored, column[i]) || has_metrics(s, column[i]))
            continue;
        gs_name_split(column[i], &name);
        const enum gs_meaning means = gs_name_meaning(&name, &rank);
        int k = GS_OTHER_NAMES;
        if (s->job.kind != GS_VALUE_NONE && !gs_source_reads(s, column[i]))
            k = other_of_job(name.whole, &rank);
        if (k == GS_OTHER_NAMES && gs_name_fits(&name, GS_MEANS_CARD, &card_rank)) {
            k = GS_OTHER_CARD;
            rank = card_rank;
        } else if (named && means == GS_MEANS_SERIAL) {
            k = GS_OTHER_SERIAL;
        } else if (named && means == GS_MEANS_INDEX) {
            k = GS_OTHER_INDEX;
        }
        if (k < GS_OTHER_NAMES && rank < best[k]) {
            best[k] = rank;
            other[k] = (uint32_t)i;
        }
    }
}

/* A host may be called cpu or ram; only for GPUs do these words mean another device. */
bool gs_is_no_gpu(const struct gs_gpu *gpu, struct gs_str host)
{
    const struct gs_str names[] = {gpu->uuid, gpu->serial, gpu->index, host};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].ptr != NULL &&
            (gs_is_aggregate(names[i]) ||
             (i + 1 < sizeof names / sizeof *names && gs_is_other_device(names[i]))))
            return true;
    return host.ptr != NULL && gs_is_no_value(host);
}
