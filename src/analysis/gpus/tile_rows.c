/* tile_rows.c - sums of a tile as a row of its host, and back. */
#include "analysis/gpus/tile_sums.h"
#include "analysis/aggregate/records.h"

#include <string.h>

#include "base/num/order.h"

enum { N_NAMES = 3 };

/* A sum takes two columns: its low word, then its high one. */
enum {
    COL_X,
    COL_Y,
    COL_START,
    COL_NAME,
    COL_N = COL_NAME + N_NAMES,
    COL_DURATION,
    N_COLUMNS = COL_DURATION + 2,
    N_ENERGY_SUMS = GS_N_ENERGY_SUM_FIELDS,
    N_COLUMNS_ENERGY = N_COLUMNS + 2 * N_ENERGY_SUMS
};

/* clang-format off */
static const struct gs_column_spec columns[N_COLUMNS] = {
    [COL_X] = {.name = "x", .type = GS_TYPE_INT},
    [COL_Y] = {.name = "y", .type = GS_TYPE_INT},
    [COL_START] = {.name = "start", .type = GS_TYPE_TIME},
    [COL_NAME] = {.name = "host", .type = GS_TYPE_TEXT},
    [COL_NAME + 1] = {.name = "serial", .type = GS_TYPE_TEXT},
    [COL_NAME + 2] = {.name = "uuid", .type = GS_TYPE_TEXT},
    [COL_N] = {.name = "n", .type = GS_TYPE_INT},
    [COL_DURATION] = {.name = "duration", .type = GS_TYPE_INT}, {.name = "duration_high", .type = GS_TYPE_INT},
};
/* clang-format on */

/* Two columns for each field of an energy, behind the others. */
struct drawn {
    struct gs_energy_sum sum;
};
static const struct gs_field energy_fields[N_ENERGY_SUMS] = {
    GS_ENERGY_SUM_FIELDS(struct drawn, sum)};

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

enum gs_status gs_tile_rows_new(bool energy, struct gs_arena *arena, struct gs_frame **rows,
                                struct gs_err *err)
{
    GS_NEW(struct gs_column_spec, specs, N_COLUMNS_ENERGY, arena, err);
    memcpy(specs, columns, sizeof columns);
    for (size_t k = N_COLUMNS; k < N_COLUMNS_ENERGY; k++)
        specs[k] = (struct gs_column_spec){.name = "drawn", .type = GS_TYPE_INT};
    return gs_frame_new(arena,
                        GS_HEAD("tile-rows", "", specs, energy ? N_COLUMNS_ENERGY : N_COLUMNS), 0,
                        NULL, rows, err);
}

bool gs_tile_rows_have_energy(const char *types)
{
    return types != NULL && strlen(types) == N_COLUMNS_ENERGY;
}

/* --- as a row ----------------------------------------------------------------------------------------- */

/*
 * Rows have columns of 64 bits. The low word is stored unsigned bit for bit, the high one with the
 * sign, so that every sum survives unchanged.
 */
static void set_sum(struct gs_column *c, size_t row, gs_i128 v)
{
    c[0].integer[row] = (int64_t)(uint64_t)(gs_u128)v;
    c[1].integer[row] = (int64_t)(v >> 64);
}

void gs_tile_row_set(struct gs_column *c, size_t row, int64_t x, int64_t y,
                     const struct gs_tile_sums *t, const struct gs_energy_sum *e)
{
    c[COL_X].integer[row] = x;
    c[COL_Y].integer[row] = y;
    c[COL_START].integer[row] = t->first.t_ns;
    for (size_t k = 0; k < N_NAMES; k++)
        c[COL_NAME + k].text[row] = t->first.name[k];
    c[COL_N].integer[row] = (int64_t)t->n;
    set_sum(c + COL_DURATION, row, t->duration_ns);
    if (e == NULL)
        return;
    for (size_t k = 0; k < N_ENERGY_SUMS; k++) {
        const void *const at = (const char *)e + energy_fields[k].offset;
        set_sum(c + N_COLUMNS + 2 * k, row,
                energy_fields[k].kind == GS_FIELD_SUM ? *(const gs_i128 *)at
                                                      : (gs_i128) * (const uint64_t *)at);
    }
}

/* --- and back ----------------------------------------------------------------------------------------- */

void gs_tile_row_key(const struct gs_column *c, size_t row, union gs_key key[2])
{
    key[0].number = c[COL_X].integer[row];
    key[1].number = c[COL_Y].integer[row];
}

/* What a state claims may be anything: a sum stays below what any pairs have. */
static bool add_sum(gs_i128 *sum, const struct gs_column *c, size_t row)
{
    const gs_i128 more =
        (gs_i128)((gs_u128)(gs_i128)c[1].integer[row] << 64 | (uint64_t)c[0].integer[row]);
    if (more <= -GS_SUM_MAX || more >= GS_SUM_MAX)
        return false;
    *sum += more;
    return *sum > -GS_SUM_MAX && *sum < GS_SUM_MAX;
}

static bool add_count(uint64_t *count, int64_t more)
{
    if (more < 0 || (uint64_t)more >= GS_COUNT_MAX)
        return false;
    *count += (uint64_t)more;
    return *count < GS_COUNT_MAX;
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

static bool add_energy(struct gs_energy_sum *e, const struct gs_column *c, size_t row)
{
    bool sound = true;
    for (size_t k = 0; k < N_ENERGY_SUMS && sound; k++) {
        void *const at = (char *)e + energy_fields[k].offset;
        const struct gs_column *const from = c + N_COLUMNS + 2 * k;
        sound = energy_fields[k].kind == GS_FIELD_SUM
                    ? add_sum(at, from, row)
                    : from[1].integer[row] == 0 && add_count(at, from[0].integer[row]);
    }
    return sound;
}

enum gs_status gs_tile_row_add(const struct gs_column *c, size_t row, struct gs_intern *names,
                               struct gs_tile_sums *t, struct gs_energy_sum *e, struct gs_err *err)
{
    struct gs_first first = {.any = true, .t_ns = c[COL_START].integer[row]};
    if (!add_count(&t->n, c[COL_N].integer[row]) ||
        !add_sum(&t->duration_ns, c + COL_DURATION, row) || (e != NULL && !add_energy(e, c, row)))
        return gs_fail(err, GS_ERR_DATA, "the state has sums of tiles that no run has");
    for (size_t k = 0; k < N_NAMES; k++) {
        first.name[k] = c[COL_NAME + k].text[row];
        GS_TRY(gs_had_memory(store_name(&first.name[k], names), err));
    }
    gs_first_merge(&t->first, &first);
    return GS_OK;
}
