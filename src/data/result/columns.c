/* columns.c - the registry of columns. */
#include "data/result/columns.h"

#include <assert.h>
#include <string.h>

/* A code is an integer that is never shown with separators. */
enum { TEXT = GS_TYPE_TEXT, INT = GS_TYPE_INT, REAL = GS_TYPE_REAL, TIME = GS_TYPE_TIME, CODE };

static const struct gs_column_spec columns[GS_N_COLUMNS] = {
#define GS_COLUMN(symbol, name_, label_, unit_, type_, decimals_, how_)                            \
    [GS_COL_##symbol] = {.name = name_,                                                            \
                         .label = label_,                                                          \
                         .unit = unit_,                                                            \
                         .type = (type_) == CODE ? GS_TYPE_INT : (enum gs_type)(type_),            \
                         .decimals = decimals_,                                                    \
                         .how = how_,                                                              \
                         .is_id = (type_) == CODE,                                                 \
                         .id = GS_COL_##symbol},
#define GS_METRIC_COLUMN(symbol, name_) [GS_COL_##symbol] = {.name = name_, .id = GS_COL_##symbol},
#include "data/result/columns.def"
#undef GS_METRIC_COLUMN
#undef GS_COLUMN
};

/*
 * An identifier is written in the source, never read from data: a wrong one is a programmer's
 * error.
 */
const struct gs_column_spec *gs_column(enum gs_column_id id)
{
    assert(id > GS_COL_NONE && id < GS_N_COLUMNS);
    return &columns[id];
}

/* columns.def is in the order of names, so that a frame of many metrics costs no search through all of them. */
enum gs_column_id gs_column_find(const char *name)
{
    int lo = GS_COL_NONE + 1, hi = GS_N_COLUMNS;
    while (lo < hi) {
        const int mid = lo + (hi - lo) / 2, order = strcmp(name, columns[mid].name);
        if (order == 0)
            return (enum gs_column_id)mid;
        if (order < 0)
            hi = mid;
        else
            lo = mid + 1;
    }
    return GS_COL_NONE;
}

bool gs_column_is_titled(const struct gs_column_spec *spec, struct gs_str name)
{
    const struct gs_str title = gs_str(gs_column_title(spec));
    bool is = title.len == name.len;
    for (size_t i = 0; is && i < name.len; i++)
        is = gs_lower(title.ptr[i]) == gs_lower(name.ptr[i]) ||
             (title.ptr[i] == ' ' && name.ptr[i] == '_');
    return is;
}

/*
 * Zero means "as in the registry" for every field, which is why digits are stored with an
 * offset: 0 decimals must differ from no wish.
 */
struct gs_column_spec gs_column_resolve(const struct gs_column_spec *use, size_t column)
{
    struct gs_column_spec spec = *use;
    if (use->name != NULL) {
        if (use->id == GS_COL_NONE || use->id >= GS_N_COLUMNS)
            spec.id = gs_column_find(use->name);
        if (spec.id == GS_COL_NONE)
            spec.id = GS_COL_AT(column);
        return spec;
    }
    spec = *gs_column(use->id);
    spec.missing = use->missing;
    spec.empty = use->empty;
    if (use->label != NULL)
        spec.label = use->label;
    if (use->unit != NULL)
        spec.unit = use->unit;
    if (use->type != GS_TYPE_TEXT)
        spec.type = use->type;
    if (use->digits != 0)
        spec.decimals = use->digits - GS_DIGITS(0);
    if (use->how != NULL)
        spec.how = use->how;
    return spec;
}
