/* bind.c - which column of a file is which of a table. */
#include "input/import/bind.h"

#include "base/num/order.h"

uint32_t gs_table_columns_of(enum gs_table_kind kind, uint32_t n_metrics)
{
    static const uint32_t n[GS_N_STORED] = {[GS_TABLE_CHECKPOINTS] = GS_CHECKPOINT_COLUMNS,
                                            [GS_TABLE_SPANS] = GS_SPAN_COLUMNS,
                                            [GS_TABLE_TASKS] = GS_TASK_COLUMNS};
    if (kind == GS_TABLE_SAMPLES)
        return gs_sample_place(n_metrics) + 1;
    return n[kind];
}

void gs_binding_add(struct gs_binding *b, struct gs_bound one)
{
    size_t k = b->n_bound++;
    for (; k > 0 && b->bound[k - 1].field > one.field; k--)
        b->bound[k] = b->bound[k - 1];
    b->bound[k] = one;
}

GS_COMPARES(by_number, uint16_t, GS_DIFFER(gs_cmp(*x, *y)););

/*
 * Called when the headers of all files have been read: only then is a metric's column number
 * final.
 */
enum gs_status gs_binding_settle(struct gs_binding *b, const struct gs_dataset *d,
                                 struct gs_arena *arena, struct gs_err *err)
{
    GS_TAKE(b->put, b->n_bound + b->n_constant + 1, arena, err);
    b->n_put = 0;
    for (size_t i = 0; i < b->n_bound; i++) {
        struct gs_bound *const one = &b->bound[i];
        if (one->metric != NULL) {
            const uint32_t m = gs_metrics_find(d->metric, d->n_metrics, gs_str(one->metric->name));
            if (m == UINT32_MAX)
                return gs_fail(err, GS_ERR_INTERNAL, "%s: a column that was not seen before",
                               one->name);
            one->column = (uint16_t)(GS_SAMPLE_METRIC + m);
        }
        if (one->column != GS_NOT_STORED)
            b->put[b->n_put++] = one->column;
    }
    for (size_t i = 0; i < b->n_constant; i++)
        b->put[b->n_put++] = b->constant[i].column;
    if (d->has_places)
        b->put[b->n_put++] = (uint16_t)(gs_table_columns_of(b->kind, d->n_metrics) - 1);
    GS_SORT(b->put, b->n_put, by_number);
    return GS_OK;
}
