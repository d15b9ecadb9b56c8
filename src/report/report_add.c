/* report_add.c - putting figures and tables into a section. */
#include "model/plot.h"
#include "report/report.h"

struct gs_report_figure *gs_report_add_figure(struct gs_report *r, struct gs_report_section *s,
                                              const struct gs_plot *plot, const struct gs_frame *f)
{
    struct gs_report_figure **end = &s->figures, *const figure = gs_arena_take(r->context->arena, 1, sizeof *figure);
    if (figure == NULL || plot == NULL)
        return NULL;
    while (*end != NULL)
        end = &(*end)->next;
    figure->plot = plot;
    figure->frame = plot->of != NULL ? plot->of : f;
    *end = figure;
    return figure;
}

enum gs_status gs_report_add_table(struct gs_report *r, struct gs_report_section *s, const char *stem,
                                   struct gs_frame *f, struct gs_err *err)
{
    struct gs_report_table **end = &s->tables, *const table = gs_arena_take(r->context->arena, 1, sizeof *table);
    if (table == NULL)
        return gs_fail_memory(err);
    while (*end != NULL)
        end = &(*end)->next;
    *table = (struct gs_report_table){.stem = stem, .frame = f};
    *end = table;
    return GS_OK;
}

struct gs_plot *gs_report_plot(struct gs_report *r, const struct gs_plot *plot, const struct gs_frame *of,
                               const char *name, const char *title)
{
    struct gs_panel *panels;
    struct gs_plot *const own = gs_plot_copy(plot, r->context->arena, &panels);
    if (own == NULL)
        return NULL;
    own->of = of != NULL ? of : own->of;
    own->name = name != NULL ? name : own->name;
    own->title = title != NULL ? title : own->title;
    own->next = NULL;
    return own;
}
