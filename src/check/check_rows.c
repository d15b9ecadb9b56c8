/* check_rows.c - what the parts of gs_check count, and the rows that they add. */
#include "check/check_parts.h"

#include <string.h>

enum gs_status gs_tallies_init(struct gs_tallies *t, size_t n, unsigned n_threads, struct gs_arena *arena,
                               struct gs_err *err)
{
    struct gs_tally *const all = gs_arena_take_raw(arena, n * n_threads, sizeof *all);
    if (all == NULL)
        return gs_fail_memory(err);
    for (size_t i = 0; i < n * n_threads; i++)
        all[i] = GS_TALLY_NONE;
    *t = (struct gs_tallies){all, n};
    return GS_OK;
}

void gs_tallies_merge(struct gs_tallies *t, unsigned n_threads)
{
    for (unsigned thread = 1; thread < n_threads; thread++)
        for (size_t k = 0; k < t->n; k++)
            gs_tally_add(gs_tallies_at(t, 0, k), gs_tallies_at(t, thread, k)->n, gs_tallies_at(t, thread, k)->place);
}

void gs_check_add_at(struct gs_check_report *r, enum gs_finding id, enum gs_severity severity, const char *finding,
                     uint64_t count, const char *place, const char *hint)
{
    if (count == 0 || r->failed)
        return;
    if (r->n == r->capacity) {
        struct gs_check_row *const grown = gs_arena_grow(r->arena, r->row, r->n, r->n * 2 + 32, sizeof *grown);
        if (grown == NULL) {
            r->failed = true;
            return;
        }
        r->row = grown;
        r->capacity = r->n * 2 + 32;
    }
    const char *const text = gs_arena_copy(r->arena, finding, strlen(finding));
    const char *const advice = gs_arena_copy(r->arena, hint, strlen(hint));
    r->failed = text == NULL || advice == NULL;
    const bool known = r->accepted != NULL && r->accepted->kind[id] && severity != GS_SEVERITY_INFO;
    if (!r->failed)
        r->row[r->n++] = (struct gs_check_row){id, known ? GS_SEVERITY_ACCEPTED : severity, gs_str(text),
                                               gs_str(advice), count, place};
}

void gs_check_add(struct gs_check_report *r, enum gs_finding id, enum gs_severity severity, const char *finding,
                  struct gs_tally tally, const char *hint)
{
    if (tally.n > 0)
        gs_check_add_at(r, id, severity, finding, tally.n, gs_dataset_place(r->d, tally.place, r->arena), hint);
}
