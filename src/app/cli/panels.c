/* panels.c - see panels.h. */
#include "app/cli/panels.h"

#include "app/options/column_names.h"
#include "data/result/plot.h"

/* The columns that tell panels apart: what is drawn along y, or as colour. */
static const struct gs_column_spec *column_of(const struct gs_frame *f, const struct gs_panel *p)
{
    const int value = gs_frame_column(f, p->value), y = gs_frame_column(f, p->y);
    if (value < 0 && y < 0)
        return NULL;
    return f->columns[value >= 0 ? value : y].spec;
}

static bool is_shown(const struct gs_column_spec *spec, struct gs_str show)
{
    bool is = false;
    while (show.len > 0 && spec != NULL)
        is |= gs_column_is_called(spec, gs_str_take(&show, ','));
    return is;
}

/* The plots of a frame with the panels that are left; `known`: the columns of all of them. */
static enum gs_status choose(struct gs_frame *f, struct gs_str show, struct gs_buf *known,
                             struct gs_err *err)
{
    struct gs_panel *panel;
    struct gs_plot *const copy = gs_plot_copy(f->plot, known->arena, &panel), *next = copy;
    const struct gs_plot **end = &f->plot;
    GS_TRY(gs_had_memory(copy != NULL, err));
    for (struct gs_plot *p = copy; next != NULL; p = next) {
        const struct gs_frame *const of = p->of != NULL ? p->of : f;
        int n = 0;
        next = p->next == NULL ? NULL : p + 1;
        for (int k = 0; k < p->n_panels; k++, panel++) {
            const struct gs_column_spec *const spec = column_of(of, panel);
            if (spec != NULL)
                gs_buf_format(known, "%s%s", known->len > 0 ? ", " : "", spec->name);
            if (is_shown(spec, show))
                panel[n++ - k] = *panel;
        }
        p->n_panels = n;
        p->next = NULL;
        if (n > 0) {
            *end = p;
            end = &p->next;
        }
    }
    *end = NULL;
    return GS_OK;
}

enum gs_status gs_panels_choose(struct gs_frame *first, const char *show, struct gs_arena *arena,
                                struct gs_err *err)
{
    struct gs_buf known = {.arena = arena};
    const struct gs_str all = gs_str(gs_or_empty(show));
    bool any = false, drawn = false;
    if (all.len == 0 || gs_str_eq(all, gs_str("all")) || gs_str_eq(all, gs_str("default")))
        return GS_OK;
    for (struct gs_frame *f = first; f != NULL; f = f->next) {
        if (f->plot == NULL)
            continue;
        drawn = true;
        GS_TRY(choose(f, all, &known, err));
        any |= f->plot != NULL;
    }
    GS_TRY(gs_had_memory(!known.failed, err));
    if (any || !drawn)
        return GS_OK;
    return gs_fail(err, GS_ERR_USAGE, "--show: no panel of the figures is of '%s'; there are %s",
                   GS_SHOWN(all, 96), known.ptr);
}
