/* report_add.c - putting figures and tables into a section. */
#include "data/result/plot.h"
#include "app/report/report.h"

struct gs_report_figure *gs_report_add_figure(struct gs_report *r, struct gs_report_section *s,
                                              const struct gs_plot *plot, const struct gs_frame *f,
                                              const struct gs_buf *words)
{
    struct gs_report_figure **end = &s->figures;
    struct gs_report_figure *const figure = gs_arena_take(r->context->arena, 1, sizeof *figure);
    struct gs_buf caption = {.arena = r->context->arena};
    r->failed |= figure == NULL || plot == NULL;
    if (figure == NULL || plot == NULL)
        return &r->lost;
    while (*end != NULL)
        end = &(*end)->next;
    figure->plot = plot;
    figure->frame = plot->of != NULL ? plot->of : f;
    *end = figure;
    gs_buf_text_if(&caption, words == NULL, plot->caption);
    r->failed |=
        gs_paragraph_end(&figure->text, words == NULL ? &caption : words, false, NULL) != GS_OK;
    return figure;
}

/* Is there something in a column of a row? Where no column is named there need not be. */
static bool is_there(const struct gs_frame *f, size_t row, enum gs_column_id id)
{
    return id == GS_COL_NONE || gs_cell_is_there(f, row, id);
}

/* Does the panel draw any row? A single bar has nothing to be compared with, and a single point is no line. */
static bool shows_something(const struct gs_frame *f, const struct gs_panel *p)
{
    const bool bars = p->kind == GS_PLOT_BARS && !p->plain && p->n_marks == 0;
    const size_t least = bars || p->kind == GS_PLOT_LINES ? 2 : 1;
    size_t n = 0;
    const int only = gs_frame_column(f, p->only_column);
    for (size_t row = 0; row < f->n_rows; row++)
        if (is_there(f, row, p->x) && is_there(f, row, p->y) && is_there(f, row, p->value) &&
            (only < 0 || gs_str_eq(f->columns[only].text[row], gs_str(p->only_value))) &&
            ++n == least)
            return true;
    return false;
}

/* The panels of a figure that show something, as a plot of its own where others do not; NULL: none does, or no memory. */
static const struct gs_plot *plot_of_values(struct gs_report *r, const struct gs_report_figure *f,
                                            struct gs_err *err)
{
    int n = 0;
    for (int i = 0; i < f->plot->n_panels; i++)
        n += shows_something(f->frame, &f->plot->panels[i]);
    if (n == f->plot->n_panels)
        return f->plot;
    struct gs_panel *panels;
    if (n == 0)
        return NULL;
    struct gs_plot *const own = gs_plot_copy(f->plot, r->context->arena, &panels);
    if (own == NULL) {
        (void)gs_fail_memory(err);
        return NULL;
    }
    n = 0;
    for (int i = 0; i < f->plot->n_panels; i++)
        if (shows_something(f->frame, &f->plot->panels[i]))
            panels[n++] = f->plot->panels[i];
    own->n_panels = n;
    own->next = NULL;
    if (n == 1 && panels[0].title != NULL) { /* the figure's speaks of the others, too */
        own->title = panels[0].title;
        panels[0].title = NULL;
    }
    return own;
}

enum gs_status gs_report_drop_empty(struct gs_report *r, struct gs_err *err)
{
    struct gs_err why = {0};
    for (int p = 0; p < GS_N_PARTS; p++)
        for (struct gs_report_figure **f = &r->section[p].figures;
             *f != NULL && why.status == GS_OK;) {
            const struct gs_plot *const plot = plot_of_values(r, *f, &why);
            if (plot == NULL) {
                *f = (*f)->next;
            } else {
                (*f)->plot = plot;
                f = &(*f)->next;
            }
        }
    return gs_fail_again(err, &why);
}

enum gs_status gs_report_add_table(struct gs_report *r, struct gs_report_section *s,
                                   const char *stem, struct gs_frame *f, struct gs_err *err)
{
    struct gs_report_table **end = &s->tables;
    GS_NEW(struct gs_report_table, table, 1, r->context->arena, err);
    while (*end != NULL)
        end = &(*end)->next;
    *table = (struct gs_report_table){.stem = stem, .frame = f};
    *end = table;
    return GS_OK;
}

struct gs_plot *gs_report_plot(struct gs_report *r, const struct gs_plot *plot,
                               const struct gs_frame *of, const char *name, const char *title)
{
    struct gs_panel *panels;
    struct gs_plot *const own = gs_plot_copy(plot, r->context->arena, &panels);
    if (own == NULL)
        return NULL;
    if (of != NULL)
        own->of = of;
    if (name != NULL)
        own->name = name;
    if (title != NULL)
        own->title = title;
    own->next = NULL;
    return own;
}

void gs_report_fold_last(struct gs_report_section *s)
{
    for (struct gs_report_figure *f = s->figures; f != NULL; f = f->next)
        f->folded |= f->next == NULL;
    for (struct gs_report_table *t = s->tables; t != NULL; t = t->next)
        t->folded |= t->next == NULL;
}
