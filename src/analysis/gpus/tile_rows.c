/* tile_rows.c - sums of a tile as a row of its host, and back. */
#include "analysis/gpus/tile_sums.h"
#include "base/num/order.h"

enum { COL_X, COL_Y, COL_START, COL_NAME, COL_SUMS = COL_NAME + 3, N_COLUMNS };

static const struct gs_column_spec columns[N_COLUMNS] = {
    [COL_X] = {.name = "x", .type = GS_TYPE_INT},
    [COL_Y] = {.name = "y", .type = GS_TYPE_INT},
    [COL_START] = {.name = "start", .type = GS_TYPE_TIME},
    [COL_NAME] = {.name = "host", .type = GS_TYPE_TEXT},
    [COL_NAME + 1] = {.name = "serial", .type = GS_TYPE_TEXT},
    [COL_NAME + 2] = {.name = "uuid", .type = GS_TYPE_TEXT},
    [COL_SUMS] = {.name = "sums", .type = GS_TYPE_TEXT}, /* bytes of the fields below */
};

static const struct gs_field sum_fields[] = {
    {GS_FIELD_COUNT, offsetof(struct gs_tile_sums, n)},
    {GS_FIELD_SUM, offsetof(struct gs_tile_sums, duration_ns)},
};
enum { N_SUM_FIELDS = sizeof sum_fields / sizeof *sum_fields };

/* Behind them, where the samples were asked for. */
struct drawn {
    struct gs_energy_sum sum;
};
static const struct gs_field energy_fields[GS_N_ENERGY_SUM_FIELDS] = {
    GS_ENERGY_SUM_FIELDS(struct drawn, sum)};

bool gs_tile_needs_samples(enum gs_tile_value value)
{
    return value == GS_TILE_ENERGY || value == GS_TILE_POWER;
}

/* Names break ties of time, so the same one wins whichever thread or shard saw it first. */
void gs_first_merge(struct gs_first *first, const struct gs_first *other)
{
    if (!other->any)
        return;
    int order = gs_cmp(first->t_ns, other->t_ns);
    for (size_t k = 0; k < 3 && order == 0; k++)
        order = gs_str_compare(first->name[k], other->name[k]);
    if (!first->any || order > 0)
        *first = *other;
}

enum gs_status gs_tile_rows_new(struct gs_arena *arena, struct gs_frame **rows, struct gs_err *err)
{
    return gs_frame_new(arena, GS_HEAD("tile-rows", "", GS_COLUMNS(columns)), 0, NULL, rows, err);
}

/* --- as a row ----------------------------------------------------------------------------------------- */

bool gs_tile_row_set(struct gs_column *c, size_t row, const union gs_key *place,
                     const struct gs_tile_sums *t, const struct gs_energy_sum *e,
                     struct gs_arena *scratch)
{
    struct gs_buf sums = {.arena = scratch};
    c[COL_X].integer[row] = place[0].number;
    c[COL_Y].integer[row] = place[1].number;
    c[COL_START].integer[row] = t->first.t_ns;
    for (size_t k = 0; k < 3; k++)
        c[COL_NAME + k].text[row] = t->first.name[k];
    gs_fields_save(sum_fields, N_SUM_FIELDS, t, &sums, scratch);
    if (e != NULL)
        gs_fields_save(energy_fields, GS_N_ENERGY_SUM_FIELDS, e, &sums, scratch);
    c[COL_SUMS].text[row] = gs_buf_str(&sums);
    return !sums.failed;
}

/* --- and back ----------------------------------------------------------------------------------------- */

void gs_tile_row_key(const struct gs_column *c, size_t row, union gs_key key[2])
{
    key[0].number = c[COL_X].integer[row];
    key[1].number = c[COL_Y].integer[row];
}

/*
 * The text lives in a block that is released after it was read. A million tiles share few hosts,
 * so names are interned and not copied for each.
 */
static bool store_name(struct gs_str *name, struct gs_intern *names)
{
    if (name->ptr == NULL)
        return true;
    const uint32_t kept = gs_intern_add(names, *name);
    if (kept != GS_INTERN_NONE)
        *name = names->text[kept];
    return kept != GS_INTERN_NONE;
}

enum gs_status gs_tile_row_add(const struct gs_column *c, size_t row, struct gs_intern *names,
                               struct gs_tile_sums *t, struct gs_energy_sum *e, struct gs_err *err)
{
    struct gs_tile_sums more = {.first = {.any = true, .t_ns = c[COL_START].integer[row]}};
    struct drawn drawn = {{0}};
    struct gs_unpacker u = gs_unpack("the sums of a tile", c[COL_SUMS].text[row], err);
    gs_fields_load(sum_fields, N_SUM_FIELDS, &more, &u, NULL);
    if (e != NULL)
        gs_fields_load(energy_fields, GS_N_ENERGY_SUM_FIELDS, &drawn, &u, NULL);
    GS_TRY(u.status);
    for (size_t k = 0; k < 3; k++) {
        more.first.name[k] = c[COL_NAME + k].text[row];
        GS_TRY(gs_had_memory(store_name(&more.first.name[k], names), err));
    }
    gs_first_merge(&t->first, &more.first);
    if (e != NULL)
        GS_TRY(gs_fields_merge(energy_fields, GS_N_ENERGY_SUM_FIELDS, e, &drawn, NULL, err));
    return gs_fields_merge(sum_fields, N_SUM_FIELDS, t, &more, NULL, err);
}
