/* tzif.c - reads TZif files: skips the 32-bit block, reads the 64-bit one and the rule for later years. */
#include "base/num/tzif.h"

#include <string.h>

#include "base/num/order.h"
#include "base/num/zone_rule.h"

enum {
    HEADER = 44,
    COUNT_MAX = 1 << 16,
    LAST_YEAR = 2262, /* what int64 nanoseconds hold */
};

/* The counts of a block, in the order of the file. */
struct counts {
    uint32_t n_ut, n_standard, n_leaps, n_times, n_types, n_chars;
};

/* A change of the clock: at an instant, to an offset. */
struct change {
    int64_t t_s;
    int32_t offset_s;
};

static uint64_t big_endian(const char *p, unsigned n)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < n; i++)
        v = v << 8 | (unsigned char)p[i];
    return v;
}

static enum gs_status damaged(struct gs_err *err, const char *what)
{
    return gs_fail(err, GS_ERR_DATA, "not a time zone file of version 2 or later: %s", what);
}

/*
 * The header at `at`; how long its block is with times of `width` bytes. COUNT_MAX bounds each
 * count, so the sum of products cannot overflow; the block is then compared with what the file
 * has, and later reads need no checks.
 */
static bool header(const char *bytes, size_t n, size_t at, unsigned width, struct counts *c,
                   size_t *block)
{
    if (at > n || n - at < HEADER || memcmp(bytes + at, "TZif", 4) != 0 || bytes[at + 4] < '2')
        return false;
    uint32_t v[6];
    for (unsigned i = 0; i < 6; i++) {
        v[i] = (uint32_t)big_endian(bytes + at + 20 + 4 * i, 4);
        if (v[i] > COUNT_MAX)
            return false;
    }
    *c = (struct counts){v[0], v[1], v[2], v[3], v[4], v[5]};
    *block = (size_t)c->n_times * (width + 1) + (size_t)c->n_types * 6 + c->n_chars +
             (size_t)c->n_leaps * (width + 4) + c->n_standard + c->n_ut;
    return *block <= n - at - HEADER;
}

static int32_t offset_of_type(const char *types, uint32_t type)
{
    return (int32_t)(uint32_t)big_endian(types + 6 * (size_t)type, 4);
}

/*
 * The changes of the rule that lie behind the last one known; summer's end first where both fall
 * together. The caller's room is for two changes in each year.
 */
static size_t add_rule(const struct gs_zone_rule *rule, int64_t after_s, struct change *change)
{
    size_t n = 0;
    for (int64_t year = 1900; rule->changes && year <= LAST_YEAR; year++) {
        const struct change begin = {gs_zone_date_at(&rule->begin, year, rule->standard_s),
                                     rule->summer_s};
        const struct change end = {gs_zone_date_at(&rule->end, year, rule->summer_s),
                                   rule->standard_s};
        const bool summer_first = begin.t_s < end.t_s;
        const struct change both[] = {summer_first ? begin : end, summer_first ? end : begin};
        for (int i = 0; i < 2; i++)
            if (both[i].t_s > after_s)
                change[n++] = both[i];
    }
    return n;
}

/*
 * Changes as the clock on the wall sees them. Between from_s and until_s the wall clock shows a
 * time twice or not at all. Two changes may not overlap there, hence the cut.
 */
static enum gs_status to_shifts(const struct change *change, size_t n, struct gs_arena *arena,
                                struct gs_zone *zone, struct gs_err *err)
{
    GS_NEW(struct gs_zone_shift, shift, n, arena, err);
    int32_t before = zone->offset_s;
    size_t n_shifts = 0;
    for (size_t i = 0; i < n; i++) {
        const int32_t after = change[i].offset_s;
        if (i + 1 < n && change[i + 1].t_s <= change[i].t_s) /* undone at once */
            continue;
        if (after == before)
            continue;
        struct gs_zone_shift s = {.before_s = before,
                                  .after_s = after,
                                  .from_s = change[i].t_s + gs_min(before, after),
                                  .until_s = change[i].t_s + gs_max(after, before)};
        if (n_shifts > 0 && s.from_s < shift[n_shifts - 1].until_s)
            s.from_s = shift[n_shifts - 1].until_s;
        shift[n_shifts++] = s;
        before = after;
    }
    zone->shift = shift;
    zone->n_shifts = n_shifts;
    return GS_OK;
}

/* Times, their types and the types' offsets lie behind one another. False for times out of order or range. */
static bool parse_changes(const struct counts *c, const char *times, struct change *change)
{
    const char *const of_time = times + 8 * (size_t)c->n_times, *const types = of_time + c->n_times;
    for (size_t i = 0; i < c->n_times; i++) {
        const unsigned char type = (unsigned char)of_time[i];
        const int64_t t_s = (int64_t)big_endian(times + 8 * i, 8);
        if (type >= c->n_types || t_s < -(INT64_C(1) << 59) || t_s > INT64_C(1) << 59 ||
            (i > 0 && t_s <= change[i - 1].t_s))
            return false;
        change[i] = (struct change){.t_s = t_s, .offset_s = offset_of_type(types, type)};
    }
    return true;
}

enum gs_status gs_zone_of_tzif(const char *bytes, size_t n_bytes, const char *name,
                               struct gs_arena *arena, struct gs_zone *zone, struct gs_err *err)
{
    struct counts c;
    size_t block, at;
    struct gs_zone_rule rule = {0};
    if (!header(bytes, n_bytes, 0, 4, &c, &block))
        return damaged(err, "its first part is cut or another's");
    at = HEADER + block;
    if (!header(bytes, n_bytes, at, 8, &c, &block))
        return damaged(err, "its second part is cut");
    if (c.n_types == 0)
        return damaged(err, "it has no offsets");
    if (c.n_leaps > 0)
        return damaged(err, "it counts leap seconds");
    const char *const times = bytes + at + HEADER, *const types = times + 9 * (size_t)c.n_times;
    const size_t foot = at + HEADER + block;
    const char *const line = bytes + foot + 1;
    const char *const end =
        foot < n_bytes && bytes[foot] == '\n' ? memchr(line, '\n', n_bytes - foot - 1) : NULL;
    if (end == NULL ||
        (end > line && !gs_zone_rule_parse((struct gs_str){line, (size_t)(end - line)}, &rule)))
        return damaged(err, "its rule for later years is missing or unknown");

    GS_NEW(struct change, change, (size_t)c.n_times + 2 * (size_t)(LAST_YEAR - 1900 + 1), arena,
           err);
    for (size_t t = 0; t < c.n_types; t++) {
        const int32_t offset = offset_of_type(types, (uint32_t)t);
        if (offset < -90000 || offset > 93600)
            return damaged(err, "an offset is beyond a day");
    }
    if (!parse_changes(&c, times, change))
        return damaged(err, "its times are out of order");
    const int64_t last = c.n_times > 0 ? change[c.n_times - 1].t_s : INT64_MIN;
    const size_t n = c.n_times + add_rule(&rule, last, change + c.n_times);
    struct gs_zone z = {.name = name, .offset_s = offset_of_type(types, 0)};
    GS_TRY(to_shifts(change, n, arena, &z, err));
    *zone = z;
    return GS_OK;
}
