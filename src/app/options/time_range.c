/* time_range.c - --from and --to as instants, times of day of a run, or lengths of time from its ends. */
#include "app/options/time_range.h"

#include <stdio.h>
#include <string.h>

#include "base/num/calendar.h"
#include "base/num/whole.h"
#include "data/tables/packed_rows.h"
#include "input/times/clock.h"
#include "base/num/date_form.h"

/* What a border is measured from. */
enum anchor { NOT_GIVEN, INSTANT, TIME_OF_DAY, AFTER_START, BEFORE_END };

struct border {
    enum anchor anchor;
    /* since 1970, since midnight, or from the end of the run that it is measured from */
    int64_t ns;
};

static bool read_time_of_day(struct gs_str text, int64_t *ns)
{
    struct gs_civil v;
    if (!gs_date_by_form(text, gs_str("hh:mm:ss"), &v) &&
        !gs_date_by_form(text, gs_str("hh:mm"), &v))
        return false;
    *ns =
        ((int64_t)v.hour * 3600 + (int64_t)v.minute * 60 + (int64_t)v.second) * GS_NS_PER_S + v.ns;
    return true;
}

/* A day alone begins at midnight. *why: what the zone has against a time that is none of it; else NULL. */
static bool read_instant(struct gs_str text, const struct gs_zone *zone, int64_t *ns,
                         char room[GS_ZONE_FAULT_MAX], const char **why)
{
    enum { MINUTE = sizeof "2026-09-12T06:00" - 1 };
    struct gs_clock clock = {
        .reader = {.zone = *zone}, .origin_ns = GS_MISSING, .last_of_day_ns = -1};
    char whole[GS_LOCAL_TEXT_MAX];
    /* Clocks in files have seconds before an offset; people leave them out. */
    if (text.len > MINUTE && text.len < sizeof whole - 3 &&
        strchr("+-Zz ", text.ptr[MINUTE]) != NULL)
        text = (struct gs_str){whole, (size_t)snprintf(whole, sizeof whole, "%.*s:00%.*s", MINUTE,
                                                       text.ptr, (int)text.len - MINUTE,
                                                       text.ptr + MINUTE)};
    const bool read =
        gs_clock_read(&clock, text, (struct gs_str){NULL, 0}, GS_UNIT_NONE, ns) == GS_TIME_OK ||
        gs_clock_read(&clock, text, gs_str("YYYY-MM-DD"), GS_UNIT_NONE, ns) == GS_TIME_OK;
    *why = gs_time_zone_fault(&clock.reader, false, room);
    return read;
}

static enum gs_status read_border(const char *option, const char *given, const struct gs_zone *zone,
                                  struct border *b, struct gs_err *err)
{
    struct gs_str text = gs_str(given);
    char room[GS_ZONE_FAULT_MAX];
    const char *why;
    *b = (struct border){NOT_GIVEN, 0};
    if (given == NULL)
        return GS_OK;
    const bool after = text.len > 1 && text.ptr[0] == '+',
               before = text.len > 1 && text.ptr[0] == '-';
    const struct gs_str length = {text.ptr + 1, text.len - (after || before)};
    if ((after || before) && gs_duration_parse(length, &b->ns))
        b->anchor = after ? AFTER_START : BEFORE_END;
    else if (read_time_of_day(text, &b->ns))
        b->anchor = TIME_OF_DAY;
    else if (read_instant(text, zone, &b->ns, room, &why))
        b->anchor = INSTANT;
    else if (why != NULL)
        return gs_fail(err, GS_ERR_USAGE, "%s: '%s' %s", option, GS_SHOWN(text, 60), why);
    else
        return gs_fail(err, GS_ERR_USAGE,
                       "%s: '%s' must be a time such as 2026-09-12T06:00:00Z or 06:00, a day, or a "
                       "length of time: +10m after the start, -10m before the end",
                       option, GS_SHOWN(text, 60));
    return GS_OK;
}

static enum gs_status read_both(const struct gs_dataset_opts *o, struct border b[2],
                                struct gs_err *err)
{
    GS_TRY(read_border("--from", o->from, &o->zone, &b[0], err));
    return read_border("--to", o->to, &o->zone, &b[1], err);
}

enum gs_status gs_time_range_check(const struct gs_dataset_opts *o, struct gs_err *err)
{
    struct border b[2];
    GS_TRY(read_both(o, b, err));
    for (int k = 0; k < 2; k++)
        if (b[k].anchor > INSTANT && (o->n_shards > 1 || o->first_input > 0))
            return gs_fail(err, GS_ERR_USAGE,
                           "%s: no part of a run knows when the whole begins and ends; give a date "
                           "and a time",
                           k == 0 ? "--from" : "--to");
    return GS_OK;
}

bool gs_time_range_needs_ends(const struct gs_dataset_opts *o)
{
    struct border b[2];
    return read_both(o, b, NULL) == GS_OK && (b[0].anchor > INSTANT || b[1].anchor > INSTANT);
}

void gs_time_range_want_ends(bool need[GS_N_TABLES], bool optional[GS_N_TABLES])
{
    static const enum gs_table_kind timed[] = {GS_TABLE_CHECKPOINTS, GS_TABLE_SAMPLES};
    for (size_t i = 0; i < sizeof timed / sizeof *timed; i++)
        if (!need[timed[i]])
            need[timed[i]] = optional[timed[i]] = true;
}

void gs_time_range_drop_ends(const bool need[GS_N_TABLES], struct gs_dataset *d)
{
    if (!need[GS_TABLE_SAMPLES])
        d->table[GS_TABLE_SAMPLES] = (struct gs_table){0};
    if (!need[GS_TABLE_CHECKPOINTS])
        d->table[GS_TABLE_CHECKPOINTS] = d->table[GS_TABLE_SPANS] = (struct gs_table){0};
}

/* The instant of a time of day between the first and the last of a run; its own day where the run knows no other. */
static enum gs_status find_time_of_day(const char *option, const char *given, int64_t of_day_ns,
                                       const struct gs_zone *zone, const int64_t ends[2],
                                       int64_t *t_ns, struct gs_err *err)
{
    const int64_t first = gs_day_of(zone, ends[0]), last = gs_day_of(zone, ends[1]);
    int n = 0;
    for (int64_t day = first; day <= last && n < 2; day++) {
        const int64_t noon = gs_day_begin(zone, day) + GS_DAY_NS / 2;
        struct gs_time_reader r = {.zone = *zone};
        int32_t offset_s;
        const int64_t local_s =
            day * (GS_DAY_NS / GS_NS_PER_S) + gs_floor_div(of_day_ns, GS_NS_PER_S);
        if (!gs_zone_offset_of_local(&r, local_s, &offset_s))
            offset_s = gs_zone_offset_at(zone, noon / GS_NS_PER_S);
        const int64_t t = day * GS_DAY_NS + of_day_ns - offset_s * GS_NS_PER_S;
        if ((t < ends[0] || t > ends[1]) && first < last)
            continue;
        *t_ns = t;
        n++;
    }
    if (n == 1)
        return GS_OK;
    return gs_fail(err, GS_ERR_USAGE, "%s: %s is not once in the run; give its date as well",
                   option, GS_SHOWN(gs_str(given), 60));
}

static enum gs_status settle(const char *option, const char *given, const struct border *b,
                             const struct gs_zone *zone, const int64_t ends[2], int64_t *t_ns,
                             struct gs_err *err)
{
    switch (b->anchor) {
    case NOT_GIVEN:
        break;
    case INSTANT:
        *t_ns = b->ns;
        break;
    case TIME_OF_DAY:
        return find_time_of_day(option, given, b->ns, zone, ends, t_ns, err);
    case AFTER_START:
        *t_ns = gs_time_moved(ends[0], b->ns);
        break;
    case BEFORE_END:
        *t_ns = gs_time_moved(ends[1], -b->ns);
        break;
    }
    return GS_OK;
}

enum gs_status gs_time_range_set(const struct gs_dataset_opts *o, struct gs_arena *arena,
                                 struct gs_dataset *d, struct gs_notes *notes, struct gs_err *err)
{
    struct border b[2];
    int64_t ends[2] = {INT64_MAX, INT64_MIN};
    char from[GS_LOCAL_TEXT_MAX], to[GS_LOCAL_TEXT_MAX];
    d->range = NULL;
    if (o->from == NULL && o->to == NULL)
        return GS_OK;
    GS_NEW(struct gs_range, range, 1, arena, err);
    *range = (struct gs_range){INT64_MIN, INT64_MAX};
    GS_TRY(read_both(o, b, err));
    gs_table_widen_range(&d->table[GS_TABLE_CHECKPOINTS], GS_CHECKPOINT_TIME, &ends[0], &ends[1]);
    gs_table_widen_range(&d->table[GS_TABLE_SPANS], GS_SPAN_START, &ends[0], &ends[1]);
    gs_table_widen_range(&d->table[GS_TABLE_SPANS], GS_SPAN_STOP, &ends[0], &ends[1]);
    gs_table_widen_range(&d->table[GS_TABLE_SAMPLES], GS_SAMPLE_TIME, &ends[0], &ends[1]);
    if (ends[0] > ends[1])
        return GS_OK;
    GS_TRY(settle("--from", o->from, &b[0], &o->zone, ends, &range->from_ns, err));
    GS_TRY(settle("--to", o->to, &b[1], &o->zone, ends, &range->to_ns, err));
    if (range->from_ns >= range->to_ns)
        return gs_fail(err, GS_ERR_USAGE, "--from: %s is not before --to %s",
                       GS_SHOWN(gs_str(o->from), 60), GS_SHOWN(gs_str(o->to), 60));
    if (range->from_ns > ends[1] || range->to_ns <= ends[0]) {
        if (d->is_part || o->n_shards > 1)
            return GS_OK;
        return gs_fail(
            err, GS_ERR_DATA, "nothing lies between --from and --to: the run is from %s to %s",
            gs_time_words(from, &o->zone, ends[0]), gs_time_words(to, &o->zone, ends[1]));
    }
    gs_note(notes, GS_NOTE_INFO, "only the time from %s to %s counts (--from, --to)",
            gs_time_words(from, &o->zone, gs_max(range->from_ns, ends[0])),
            gs_time_words(to, &o->zone, gs_min(range->to_ns, ends[1])));
    d->range = range;
    return GS_OK;
}
