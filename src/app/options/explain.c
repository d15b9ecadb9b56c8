/* explain.c - the columns of a result and the options in force, as rows. */
#include "app/options/explain.h"

#include <string.h>

#include "base/num/timestamp.h"
#include "base/num/whole.h"

static const struct gs_column_spec column_specs[] = {
    {.name = "frame", .label = "table", .unit = "", .how = "the table that the column stands in"},
    {.name = "column", .label = "column", .unit = "", .how = "its name in CSV and JSON"},
    {.name = "unit", .label = "unit", .unit = "", .how = "the unit of its values"},
    {.name = "how", .label = "how it is computed", .unit = "", .how = "the definition"},
};

static const struct gs_column_spec option_specs[] = {
    {.name = "option", .label = "option", .unit = "", .how = "its long name"},
    {.name = "value", .label = "value", .unit = "", .how = "as given, or the default"},
};

static enum gs_status explain_columns(const struct gs_frames *result, struct gs_arena *arena,
                                      struct gs_frames *out, struct gs_err *err)
{
    size_t n = 0, row = 0;
    for (const struct gs_frame *f = result->first; f != NULL; f = f->next)
        n += f->n_columns;
    struct gs_frame *e;
    GS_TRY(gs_frame_new(arena, GS_HEAD("explain", "how each column is computed", column_specs, 4),
                        n, out, &e, err));
    for (const struct gs_frame *f = result->first; f != NULL; f = f->next)
        for (size_t c = 0; c < f->n_columns; c++, row++) {
            const struct gs_column_spec *const spec = f->columns[c].spec;
            gs_frame_set_text(e, row, 0, gs_str(f->name));
            gs_frame_set_text(e, row, 1, gs_str(spec->name));
            gs_frame_set_text(e, row, 2, gs_str(gs_or_empty(spec->unit)));
            gs_frame_set_text(e, row, 3, gs_str(spec->how));
        }
    return GS_OK;
}

/* The value of one option; missing where it was not given and has no default. */
static enum gs_status show_value(struct gs_arena *arena, const struct gs_opt *o, const void *parsed,
                                 struct gs_str *value, struct gs_err *err)
{
    struct gs_buf b = {.arena = arena};
    const char *const field = (const char *)parsed + o->offset;
    bool known = true, flag;
    struct gs_list list;
    if (o->kind == GS_OPT_FLAG || o->kind == GS_OPT_CLEAR) {
        memcpy(&flag, field, sizeof flag);
        gs_buf_text(&b, flag == (o->kind == GS_OPT_FLAG) ? "yes" : "no");
    } else if (o->kind == GS_OPT_LIST || o->kind == GS_OPT_FILES) {
        memcpy(&list, field, sizeof list);
        for (size_t i = 0; i < list.n; i++) {
            gs_buf_text_if(&b, i > 0, " ");
            gs_buf_text(&b, list.item[i]);
        }
        known = list.n > 0;
    } else if (o->kind == GS_OPT_ZONE) {
        struct gs_zone zone;
        memcpy(&zone, field, sizeof zone);
        const int minutes = (int)gs_magnitude(zone.offset_s) / 60;
        const char sign = zone.offset_s < 0 ? '-' : '+';
        if (zone.name != NULL)
            gs_buf_text(&b, zone.name);
        else
            gs_buf_format(&b, "%c%02d:%02d", sign, minutes / 60, minutes % 60);
    } else {
        known = gs_opt_show_default(&b, o, parsed);
    }
    GS_TRY(gs_had_memory(!b.failed, err));
    if (known)
        *value = gs_buf_str(&b);
    return GS_OK;
}

/* Of the options of every command those that change numbers: where they were given. */
static size_t list_rates(const struct gs_rates *rates, struct gs_arena *arena,
                         struct gs_str row[][2])
{
    const struct gs_rate_opts *const o = &rates->given;
    const char *pue = NULL; /* the energies themselves are those of the GPUs */
    if (o->price != NULL || o->carbon != NULL)
        pue = gs_or_empty(gs_format(arena, "%.15g", o->pue));
    const char *const given[][2] = {{"--price", o->price}, {"--carbon", o->carbon}, {"--pue", pue}};
    size_t n = 0;
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (given[i][1] != NULL) {
            row[n][0] = gs_str(given[i][0]);
            row[n++][1] = gs_str(given[i][1]);
        }
    return n;
}

static enum gs_status explain_options(const struct gs_context *context, const void *parsed,
                                      struct gs_frames *out, struct gs_err *err)
{
    enum { RATES = 3 };
    struct gs_arena *const arena = context->arena;
    struct gs_str rate[RATES][2];
    const size_t n_rates = list_rates(&context->rates, arena, rate);
    size_t n = n_rates, row = 0;
    for (const struct gs_opt *o = context->command->opts; o != NULL && o->kind != GS_OPT_END; o++)
        n += o->kind != GS_OPT_GROUP && !o->apart;
    if (n == 0)
        return GS_OK;
    struct gs_frame *e;
    GS_TRY(gs_frame_new(arena, GS_HEAD("options", "options in force", option_specs, 2), n, out, &e,
                        err));
    for (const struct gs_opt *o = context->command->opts; row + n_rates < n; o++) {
        struct gs_str value = {0};
        if (o->kind == GS_OPT_GROUP || o->apart)
            continue;
        const char *const name = gs_format(arena, "--%s", o->name);
        GS_TRY(gs_had_memory(name != NULL, err));
        GS_TRY(show_value(arena, o, parsed, &value, err));
        gs_frame_set_text(e, row, 0, gs_str(name));
        gs_frame_set_text(e, row++, 1, value);
    }
    for (size_t k = 0; k < n_rates; k++, row++)
        for (size_t c = 0; c < 2; c++)
            gs_frame_set_text(e, row, c, rate[k][c]);
    return GS_OK;
}

enum gs_status gs_explain_as_one(struct gs_frames *explained, struct gs_arena *arena,
                                 struct gs_err *err)
{
    const struct gs_frame *const columns = explained->first, *const options = columns->next;
    struct gs_frames one = {.notes = {.arena = arena}};
    struct gs_frame *e;
    if (options == NULL)
        return GS_OK;
    GS_TRY(gs_frame_new(arena, GS_HEAD(columns->name, columns->title, column_specs, 4),
                        columns->n_rows + options->n_rows, &one, &e, err));
    for (size_t c = 0; c < 4; c++)
        gs_frame_copy_cells(&e->columns[c], 0, &columns->columns[c], 0, columns->n_rows);
    for (size_t i = 0; i < options->n_rows; i++) {
        const size_t row = columns->n_rows + i;
        gs_frame_set_text(e, row, 0, gs_str(options->name));
        gs_frame_set_text(e, row, 1, options->columns[0].text[i]);
        gs_frame_set_text(e, row, 2, gs_str(""));
        gs_frame_set_text(e, row, 3, options->columns[1].text[i]);
    }
    *explained = one;
    return GS_OK;
}

enum gs_status gs_explain(const struct gs_frames *result, const void *parsed,
                          const struct gs_context *context, struct gs_frames *out,
                          struct gs_err *err)
{
    GS_TRY(explain_columns(result, context->arena, out, err));
    return explain_options(context, parsed, out, err);
}
