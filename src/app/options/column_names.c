/* column_names.c - a misspelt column is refused with the right one. */
#include "app/options/column_names.h"

#include <string.h>

#include "app/options/suggest.h"
#include "app/options/view.h"
#include "input/schema/pattern.h"

static enum gs_status fail(const char *option, const struct gs_suggestion *near,
                           const struct gs_buf *known, const char *more, struct gs_err *err)
{
    char shown[128];
    (void)gs_escape(shown, sizeof shown, near->word);
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

/* Is it a column's name, the first words of one, or a heading? */
static bool names(struct gs_str name, const struct gs_column_spec *spec)
{
    struct gs_str rest = gs_str(spec->name);
    if (gs_str_eq_nocase(name, gs_str(gs_column_title(spec))))
        return true;
    if (rest.len > name.len && rest.ptr[name.len] == '_')
        rest.len = name.len;
    return gs_str_eq(name, rest);
}

/* Can a result have it? Attributes are named in an option (--by=event,team), means after what was measured. */
static bool is_possible(struct gs_str name, const struct gs_list *given)
{
    bool is = !gs_pattern_is_literal(name) || gs_str_find(name, "_mean") < name.len;
    for (int id = GS_COL_NONE + 1; id < GS_N_COLUMNS && !is; id++)
        is = names(name, gs_column((enum gs_column_id)id));
    for (size_t i = 0; i < given->n && !is; i++) {
        struct gs_str rest = gs_str(given->item[i]);
        (void)gs_str_take(&rest, '=');
        while (rest.len > 0)
            is |= gs_str_eq(gs_str_take(&rest, ','), name);
    }
    return is;
}

enum gs_status gs_column_name_check(const char *option, struct gs_str name, const char *frame,
                                    const struct gs_list *given, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_suggestion near = {.word = name};
    struct gs_buf known = {.arena = &own};
    if (is_possible(name, given))
        return GS_OK;
    for (const char *p = gs_or_empty(gs_view_default(frame)); *p != '\0';) {
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
