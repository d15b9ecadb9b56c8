/* check_rows.c - what the parts of gs_check count, and the rows that they add. */
#include "analysis/check/check_parts.h"

#include <string.h>

bool gs_check_count(struct gs_state *state, const struct gs_fold_host *host, const char *kind,
                    struct gs_str of, struct gs_tally tally)
{
    const union gs_key key[] = {{.text = gs_str(kind)}, {.text = of}};
    if (tally.n == 0)
        return true;
    struct gs_tally *const t = gs_records_find(&state->table[GS_CHECK_TALLIES], key, host->arena);
    if (t != NULL)
        gs_tally_add(t, tally.n, tally.line);
    return t != NULL;
}

struct gs_tally gs_check_tally(const struct gs_state *state, const char *kind, struct gs_str of)
{
    const union gs_key key[] = {{.text = gs_str(kind)}, {.text = of}};
    const struct gs_tally *const t = gs_records_lookup(&state->table[GS_CHECK_TALLIES], key);
    return t == NULL ? GS_TALLY_NONE : *t;
}

void gs_check_tallies_of(const struct gs_state *state, const char *kind, uint32_t *from,
                         uint32_t *to)
{
    const struct gs_records *const t = &state->table[GS_CHECK_TALLIES];
    uint32_t i = 0;
    while (i < t->n && gs_str_compare(gs_records_key(t, i, 2)->text, gs_str(kind)) < 0)
        i++;
    for (*from = i; i < t->n && gs_str_eq(gs_records_key(t, i, 2)->text, gs_str(kind));)
        i++;
    *to = i;
}

void gs_check_add_at(struct gs_check_report *r, enum gs_finding id, enum gs_severity severity,
                     const char *finding, uint64_t count, const char *place, const char *hint)
{
    if (count == 0 || r->failed)
        return;
    if (r->n == r->capacity) {
        struct gs_check_row *const grown =
            gs_arena_grow(r->arena, r->row, r->n, r->n * 2 + 32, sizeof *grown);
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
    const bool known = r->accepted->kind[id] && severity != GS_SEVERITY_INFO;
    if (!r->failed)
        r->row[r->n++] = (struct gs_check_row){
            id,   known ? GS_SEVERITY_ACCEPTED : severity, gs_str(text), gs_str(advice), count,
            place};
}

void gs_check_add(struct gs_check_report *r, enum gs_finding id, enum gs_severity severity,
                  const char *finding, struct gs_tally tally, const char *hint)
{
    if (tally.n > 0)
        gs_check_add_at(r, id, severity, finding, tally.n,
                        gs_facts_line(r->facts, tally.line, r->arena), hint);
}
