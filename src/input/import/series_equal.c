/* series_equal.c - see series_equal.h. */
#include "input/import/series_equal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num/order.h"
#include "base/num/whole.h"

/*
 * Sums do not depend on the order of rows. Two different sums of 64 bits make an accidental match
 * as good as impossible.
 */
void gs_series_add(struct gs_series_print *p, int64_t t_ns, const int64_t *value, size_t n_values)
{
    uint64_t readings = 0;
    for (size_t k = 0; k < n_values; k++)
        readings = gs_mix64(readings + (uint64_t)value[k] + k);
    const uint64_t row = gs_mix64(gs_mix64((uint64_t)t_ns) + readings);
    if (p->n++ == 0)
        p->first = readings;
    p->varies |= readings != p->first;
    p->sum[0] += row;
    p->sum[1] += gs_mix64(row + 1);
}

struct series {
    const struct gs_series_print *print;
    uint32_t name;
};

/* As far as the sums tell. */
static int by_rows(const struct gs_series_print *x, const struct gs_series_print *y)
{
    int order = gs_cmp(x->n, y->n);
    for (int k = 0; order == 0 && k < 2; k++)
        order = gs_cmp(x->sum[k], y->sum[k]);
    return order;
}

static int by_print(const void *a, const void *b)
{
    const struct series *const x = a, *const y = b;
    GS_DIFFER(by_rows(x->print, y->print));
    return gs_cmp(x->name, y->name);
}

/* Names come from the data and are escaped before they are shown. */
const char *gs_show_gpu(struct gs_str host, struct gs_str gpu, char *out, size_t size)
{
    char h[100], g[100];
    (void)gs_escape(h, sizeof h, host);
    (void)gs_escape(g, sizeof g, gpu);
    (void)snprintf(out, size, "%s%s%s%s%s", gpu.len > 0 ? "GPU " : "", g,
                   gpu.len > 0 && host.len > 0 ? " of " : "", host.len > 0 ? "host " : "", h);
    return out;
}

static const char *show_name(struct gs_str name, char *out, size_t size)
{
    const struct gs_str host = gs_str_take(&name, '\0');
    return gs_show_gpu(host, name, out, size);
}

void gs_note_equal(const char *one, const char *other, uint32_t n_equal, struct gs_notes *notes)
{
    char more[40] = "";
    if (n_equal > 1)
        (void)snprintf(more, sizeof more, ", and so %s %u more",
                       gs_plural(n_equal - 1, "has", "have"), n_equal - 1);
    if (n_equal > 0)
        gs_note(notes, GS_NOTE_WARNING,
                "%s has the same readings at the same times as %s%s: is one a copy of the other?",
                other, one, more);
}

enum gs_status gs_series_note_equal(const struct gs_intern *name,
                                    const struct gs_series_print *print, struct gs_notes *notes,
                                    struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct series *const s = gs_arena_take(&own, name->n, sizeof *s);
    char one[260] = "", other[260] = "";
    uint32_t n_equal = 0;
    GS_TRY(gs_had_memory(s != NULL, err));
    for (uint32_t i = 0; i < name->n; i++)
        s[i] = (struct series){&print[i], i};
    if (name->n > 0)
        qsort(s, name->n, sizeof *s, by_print);
    for (uint32_t i = 1; i < name->n; i++) {
        const struct gs_series_print *const p = s[i].print;
        if (p->n < GS_SERIES_MIN || !p->varies || by_rows(p, s[i - 1].print) != 0 || n_equal++ > 0)
            continue;
        (void)show_name(name->text[s[i - 1].name], one, sizeof one);
        (void)show_name(name->text[s[i].name], other, sizeof other);
    }
    gs_note_equal(one, other, n_equal, notes);
    return GS_OK;
}
