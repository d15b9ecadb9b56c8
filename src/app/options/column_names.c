/* column_names.c - a misspelt column is refused with the right one. */
#include "app/options/column_names.h"

#include <string.h>

#include "base/core/suggest.h"
#include "app/options/view.h"
#include "base/core/pattern.h"

static enum gs_status fail(const char *option, const struct gs_suggestion *near,
                           const struct gs_buf *known, const char *more, struct gs_err *err)
{
    const char *const shown = GS_SHOWN(near->word, 128);
    GS_TRY(gs_had_memory(!known->failed, err));
    if (near->word.len > 2 && near->best != NULL)
        return gs_fail(err, GS_ERR_USAGE, "%s: no column '%s'; did you mean '%s'?", option, shown,
                       near->best);
    return gs_fail(err, GS_ERR_USAGE, "%s: no column '%s'%.*s%s", option, shown, (int)known->len,
                   gs_or_empty(known->ptr), more);
}

static void list(struct gs_buf *b, struct gs_str name)
{
    gs_buf_text(b, b->len > 0 ? ", " : "; there are ");
    gs_buf_bytes(b, name.ptr, name.len);
}

enum gs_status gs_column_name_fail(const char *option, struct gs_str name,
                                   const struct gs_frame *first, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_suggestion near = {.word = name};
    struct gs_buf known = {.arena = &own};
    for (const struct gs_frame *f = first; f != NULL; f = f->next)
        for (size_t c = 0; c < f->n_columns; c++) {
            gs_suggestion_try(&near, f->columns[c].spec->name);
            list(&known, gs_str(f->columns[c].spec->name));
        }
    return fail(option, &near, &known, "", err);
}

bool gs_column_is_called(const struct gs_column_spec *spec, struct gs_str name)
{
    struct gs_str rest = gs_str(spec->name);
    struct gs_kept kept;
    if (gs_column_is_titled(spec, name) || gs_pattern_match(name, rest, &kept))
        return true;
    if (rest.len > name.len && rest.ptr[name.len] == '_')
        rest.len = name.len;
    return gs_str_eq(name, rest);
}

/* What --price, --carbon and --pue add. */
static bool is_of_costs(struct gs_str name)
{
    static const char *const words[] = {"cost", "co2", "facility"};
    bool is = false;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        is |= gs_str_find(name, words[k]) < name.len;
    return is;
}

/* Can a result have it? Attributes are named in an option (--by=event,team), means after what was measured. */
static bool is_possible(struct gs_str name, const struct gs_column_names *names)
{
    bool is = !gs_pattern_is_literal(name) || gs_str_find(name, "_mean") < name.len;
    for (const struct gs_frame *f = names->first; f != NULL && !is; f = f->next)
        for (size_t c = 0; c < f->n_columns && !is; c++)
            is = gs_column_is_called(f->columns[c].spec, name);
    for (int id = GS_COL_NONE + 1; id < GS_N_COLUMNS && !is; id++)
        is = (names->first == NULL || is_of_costs(name)) &&
             gs_column_is_called(gs_column((enum gs_column_id)id), name);
    for (size_t i = 0; i < names->given->n && !is; i++) {
        struct gs_str rest = gs_str(names->given->item[i]);
        (void)gs_str_take(&rest, '=');
        while (rest.len > 0)
            is |= gs_str_eq(gs_str_take(&rest, ','), name);
    }
    return is;
}

enum gs_status gs_column_name_check(const char *option, struct gs_str name,
                                    const struct gs_column_names *names, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_suggestion near = {.word = name};
    struct gs_buf known = {.arena = &own};
    if (is_possible(name, names))
        return GS_OK;
    for (const struct gs_frame *f = names->first; f != NULL; f = f->next)
        for (size_t c = 0; c < f->n_columns; c++)
            gs_suggestion_try(&near, f->columns[c].spec->name);
    for (const char *p = gs_or_empty(gs_view_default(names->command)); *p != '\0';) {
        const size_t len = strspn(p, "abcdefghijklmnopqrstuvwxyz0123456789_");
        if (len > 0) {
            const char *const word = gs_arena_copy(&own, p, len);
            GS_TRY(gs_had_memory(word != NULL, err));
            gs_suggestion_try(&near, word);
            list(&known, (struct gs_str){p, len});
        }
        p += len > 0 ? len : 1;
    }
    return fail(option, &near, &known, "; --explain lists all", err);
}
