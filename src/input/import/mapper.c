/* mapper.c - reads one file of a source, record by record. */
#include "input/import/mapper_parts.h"
#include "base/num/date_form.h"

#include <string.h>

#include "base/num/calendar.h"
#include "base/num/int128.h"

/* A value that cannot be what it should: where, what was found, what was expected. */
static enum gs_status refuse(const struct gs_mapper *m, const struct gs_bound_value *v,
                             struct gs_str found, const char *what, struct gs_err *err)
{
    char column[120];
    const struct gs_str name = v->v->column.n > 0 ? v->v->column.item[0] : v->v->text;
    return gs_fail_at(err, m->records.name, m->records.line, "%s: '%s' %s",
                      gs_escape(column, sizeof column, name), GS_SHOWN(found, 160), what);
}

/*
 * Each fault has its own remedy, and a message that names the option to type saves a look at the
 * manual. The unit's form is put together from what the text has: its dash or slash, and its AM
 * or PM.
 */
static enum gs_status bad_time(const struct gs_mapper *m, const struct gs_bound_value *v,
                               struct gs_str text, enum gs_time_fault f, int64_t t_ns,
                               struct gs_err *err)
{
    const char *const role = gs_role_names[m->source->role];
    const char *const field = v->name;
    char what[300], instant[GS_LOCAL_TEXT_MAX];
    const char between = memchr(text.ptr, '/', text.len) != NULL ? '/' : '-';
    const struct gs_str behind = gs_str_after(text, gs_str_find(text, ":"));
    const bool minutes = behind.len > 0 && memchr(behind.ptr + 1, ':', behind.len - 1) == NULL;
    const char *const seconds = minutes ? "" : ":ss";
    const bool half = text.len > 0 && (text.ptr[text.len - 1] | 0x20) == 'm';
    const struct gs_str zone = gs_str_after(text, gs_str_skip_back(text, text.len, GS_ALL_LETTERS));
    switch (f) {
    case GS_TIME_OF_DAY:
        (void)snprintf(
            what, sizeof what,
            "is a time of day alone; give its day with --set %s.origin=2024-05-01T00:00:00Z", role);
        break;
    case GS_TIME_OF_YEAR:
        (void)snprintf(what, sizeof what,
                       "is a date without its year; give a time near it with --set "
                       "%s.origin=2024-05-01T00:00:00Z",
                       role);
        break;
    case GS_TIME_DAY_MONTH:
        (void)snprintf(what, sizeof what,
                       "may begin with the day or the month; choose with --set "
                       "'%s.%s.unit=DD%cMM%cYYYY hh:mm%s%s'",
                       role, field, between, between, seconds, half ? " AM" : "");
        break;
    case GS_TIME_ZONE_WORD:
        if (gs_is_digit(text.ptr[text.len - 1]))
            (void)snprintf(what, sizeof what,
                           "holds the name of a zone, which is no offset; type --set "
                           "%s.zone=-07:00 and --set '%s.%s.unit=%s'",
                           role, role, field, gs_date_with_zone);
        else
            (void)snprintf(what, sizeof what,
                           "ends in the name of a zone, which is no offset; type --set "
                           "%s.zone=-07:00 (its offset) and --set '%s.%s.like={} %s'",
                           role, role, field, GS_SHOWN(zone, 16));
        break;
    case GS_TIME_ZONE_HOUR:
        (void)gs_time_zone_fault(&m->clock.reader, true, what);
        break;
    case GS_TIME_OUTSIDE:
        (void)snprintf(
            what, sizeof what,
            "would be %s, not from 2000 to 2100: a clock without a date; give its start with "
            "--set %s.origin=2024-05-01T12:00:00Z, or its unit with --set %s.%s.unit=ms",
            gs_time_words(instant, NULL, t_ns), role, role, field);
        break;
    default:
        (void)snprintf(what, sizeof what, "is not a time");
        if (gs_date_by_form(text, gs_str("YYYY-MM-DD"), &(struct gs_civil){0}))
            (void)snprintf(what, sizeof what, "is a day, no moment: its rows are no readings");
        else if (!m->clock.zoned && !m->clock.reader.zoneless) /* nor was any before */
            (void)snprintf(
                what, sizeof what,
                "is not a time; its form can be said with --set '%s.%s.unit=YYYY-MM-DD hh:mm:ss', "
                "by YYYY, MM, Mon, DD, hh, mm, ss, AM and what stands between",
                role, field);
    }
    return refuse(m, v, text, what, err);
}

/*
 * GS_MISSING in *t_ns: no time in this record. A missing time is no error here: logs have rows
 * without one. The caller counts and skips them.
 */
static enum gs_status read_time(struct gs_mapper *m, struct gs_bound_value *v,
                                const struct gs_form_row *r, int64_t *t_ns, struct gs_err *err)
{
    const struct gs_str text = gs_value_text(v, r);
    *t_ns = GS_MISSING;
    if (text.ptr == NULL)
        return GS_OK;
    /* A job that runs has no end, or one of 0, as sacct's JSON says, which is no instant. */
    if (v == &m->stop && m->clock.origin_ns == GS_MISSING && gs_str_eq(text, gs_str("0")))
        return GS_OK;
    int64_t t;
    const enum gs_time_fault f = gs_clock_read(&m->clock, text, v->v->unit, v->named, &t);
    if (f == GS_TIME_MISSING)
        return GS_OK;
    if (f != GS_TIME_OK)
        return bad_time(m, v, text, f, t, err);
    *t_ns = t;
    return GS_OK;
}

/*
 * Counts here are of the file and not of the row, and are not taken back for a row that is
 * rejected later. A comma is a decimal point only where the separator allows it.
 */
static enum gs_status parse_number(struct gs_mapper *m, struct bound_metric *b, struct gs_str text,
                                   int64_t *value, struct gs_err *err)
{
    enum gs_number number = GS_NUMBER_MISSING;
    int64_t v;
    if (text.ptr != NULL)
        number = m->scaled_parse(text, b->unit, &v, &m->file->rounded);
    if (number == GS_NUMBER_BAD && gs_is_no_value(text))
        number = GS_NUMBER_MISSING;
    *value = GS_MISSING;
    switch (number) {
    case GS_NUMBER_OK:
        *value = v;
        return GS_OK;
    case GS_NUMBER_MISSING:
        m->file->n_missing++;
        return GS_OK;
    case GS_NUMBER_RANGE:
        if (m->options->bad_is_missing)
            break;
        return refuse(m, &b->value, text, "is not a number within 9,000,000,000,000", err);
    case GS_NUMBER_BAD:
        break;
    }
    if (!m->options->bad_is_missing)
        return refuse(m, &b->value, text, "is not a number", err);
    if (m->file->n_bad++ == 0)
        m->file->bad_line = m->records.line;
    m->file->n_missing++;
    return GS_OK;
}

/* A word for "no value" names nothing. */
static struct gs_str a_name(struct gs_str text)
{
    if (text.ptr == NULL || gs_is_no_value(text))
        return GS_NO_STR;
    return text;
}

static struct gs_str name_of(struct gs_bound_value *v, const struct gs_form_row *r)
{
    return a_name(gs_value_text(v, r));
}

/*
 * A wide table has one row per instant and one sample per lane. A lane without any value in this
 * row gives no sample: a GPU that was added later has none before.
 */
static enum gs_status parse_lanes(struct gs_mapper *m, const struct gs_form_row *r,
                                  struct gs_mapped_sample row, struct gs_err *err)
{
    const struct gs_str host = row.host;
    for (size_t l = 0; l < m->n_lanes; l++) {
        bool any = false;
        for (size_t k = 0; k < m->source->metrics.n; k++) {
            const uint32_t column = m->lane[l].column[k];
            struct gs_str text = GS_NO_STR;
            if (m->source->metrics.item[k].value.kind != GS_VALUE_COLUMNS)
                text = gs_value_text(&m->metric[k].value, r);
            else if (column > 0)
                text = gs_form_cell(r, column - 1);
            any |= column > 0 && text.ptr != NULL;
            GS_TRY(parse_number(m, &m->metric[k], text, &m->value[k], err));
        }
        if (m->lane[l].gpu.ptr != NULL)
            row.gpu = m->lane[l].gpu;
        row.host = gs_str_or(m->lane[l].host, host);
        if (any)
            GS_TRY(gs_mapper_give_sample(m, &row, err));
    }
    return GS_OK;
}

/* The readings of a row; *any: its conditions hold for one. */
static enum gs_status parse_metrics(struct gs_mapper *m, const struct gs_form_row *r, bool *any,
                                    struct gs_err *err)
{
    *any = !m->is_long;
    for (size_t k = 0; k < m->source->metrics.n; k++) {
        struct bound_metric *const b = &m->metric[k];
        m->value[k] = GS_MISSING;
        if (!m->matches[k])
            continue;
        *any = true;
        GS_TRY(parse_number(m, b, gs_value_matched(&b->value, r), &m->value[k], err));
    }
    return GS_OK;
}

/*
 * May the names of the record before count for this one of the same series? Not where the map
 * takes a name, or a condition, from a column that each record has for itself.
 */
static bool repeats_names(struct gs_mapper *m, const uint32_t own[2])
{
    if (m->series != SERIES_UNKNOWN)
        return m->series == SERIES_REPEAT;
    bool varies = m->n_turns > 0 || gs_where_reads(&m->where, own) ||
                  gs_value_reads(&m->host, own) || gs_value_reads(&m->gpu, own) ||
                  gs_value_reads(&m->job, own);
    for (int k = 0; k < GS_OTHER_NAMES; k++)
        varies |= m->other[k] == own[0] || m->other[k] == own[1];
    for (size_t k = 0; k < m->source->metrics.n; k++)
        varies |= gs_where_reads(&m->metric[k].value.where, own);
    m->series = SERIES_REPEAT;
    if (varies)
        m->series = SERIES_VARY;
    return !varies;
}

/*
 * What a record has beside its time and readings, and which metrics it is of. A sum over GPUs, or a device that is none,
 * is no GPU: a row "total" that counts as one would double the energy.
 */
static enum gs_status read_names(struct gs_mapper *m, const struct gs_form_row *r,
                                 struct gs_err *err)
{
    struct gs_mapped_sample row = {.value = m->value};
    row.host = name_of(&m->host, r);
    row.gpu = m->n_turns > 0 ? gs_mapper_turn(m) : name_of(&m->gpu, r);
    row.job = name_of(&m->job, r);
    for (int k = 0; k < GS_OTHER_NAMES; k++)
        row.other[k] = a_name(gs_form_cell(r, m->other[k]));
    m->unwanted = m->is_long;
    for (size_t k = 0; k < m->source->metrics.n; k++) {
        m->matches[k] = gs_where_matches(&m->metric[k].value.where, r);
        m->unwanted &= !m->matches[k];
    }
    struct known_place *const p = gs_mapper_place(m, row.host, row.gpu);
    GS_TRY(gs_had_memory(p != NULL, err));
    if (!p->judged)
        p->no_gpu =
            (row.gpu.ptr != NULL && (gs_is_aggregate(row.gpu) || gs_is_other_device(row.gpu))) ||
            (row.host.ptr != NULL && gs_is_aggregate(row.host));
    p->judged = true;
    m->before = row;
    m->before_no_gpu = p->no_gpu;
    m->merged_known = false;
    return GS_OK;
}

/*
 * Rows that are counted (every, turns) must advance their counters even if the row is dropped
 * after that, or all later rows would move.
 */
static enum gs_status parse_sample(struct gs_mapper *m, const struct gs_form_row *r,
                                   struct gs_err *err)
{
    if (r->own == NULL || !repeats_names(m, r->own))
        GS_TRY(read_names(m, r, err));
    struct gs_mapped_sample *const row = &m->before;
    row->line = r->line;
    GS_TRY(m->every_ns > 0 ? gs_mapper_next_tick(m, row->host, row->gpu, &row->t_ns, err)
                           : read_time(m, &m->time, r, &row->t_ns, err));
    if (row->t_ns == GS_MISSING || m->before_no_gpu) {
        if (row->t_ns != GS_MISSING && m->file->n_no_gpu++ == 0)
            (void)gs_escape(m->file->no_gpu, sizeof m->file->no_gpu,
                            row->gpu.ptr != NULL ? row->gpu : row->host);
        m->file->n_set_aside += row->t_ns == GS_MISSING;
        m->file->n_ignored += row->t_ns != GS_MISSING;
        return GS_OK;
    }
    if (m->wide)
        return parse_lanes(m, r, *row, err);
    bool any;
    GS_TRY(parse_metrics(m, r, &any, err));
    if (!any) {
        m->file->n_ignored++;
        return GS_OK;
    }
    if (m->is_long)
        return gs_mapper_merge(m, row, err);
    return gs_mapper_give_sample(m, row, err);
}

static enum gs_status parse_task(struct gs_mapper *m, const struct gs_form_row *r,
                                 struct gs_err *err)
{
    struct gs_mapped_task row = {.attribute = m->attribute_text, .line = r->line};
    row.job = name_of(&m->job, r);
    row.task = name_of(&m->task, r);
    for (size_t k = 0; k < m->source->attributes.n; k++)
        m->attribute_text[k] = gs_value_text(&m->attribute[k], r);
    if (row.task.ptr == NULL) {
        m->file->n_set_aside++;
        return GS_OK;
    }
    if (m->sink->task == NULL)
        return GS_OK;
    return m->sink->task(m->sink->context, &row, err);
}

/*
 * START or STOP, and the name of the event; else false. A line that is neither a start nor a stop
 * is ignored: a log of events holds other lines, too.
 */
static bool read_phase(struct gs_mapper *m, const struct gs_form_row *r,
                       struct gs_mapped_event *row)
{
    const struct gs_map_phase *const p = &m->source->phase;
    struct gs_kept kept = {GS_NO_STR, GS_NO_STR, GS_NO_STR};
    const struct gs_str text =
        p->column.ptr != NULL ? gs_form_cell(r, m->phase) : gs_value_raw(&m->event, r);
    if (text.ptr == NULL)
        return false;
    row->is_mark = true;
    row->is_stop = !gs_pattern_match(p->start, text, &kept);
    if (row->is_stop && !gs_pattern_match(p->stop, text, &kept))
        return false;
    if (kept.part.ptr != NULL)
        row->event = gs_value_refined(m->event.v, kept.part);
    return true;
}

/* A row without a length whose step no other row has would have moved all that follow it. */
static enum gs_status refuse_awaited(struct gs_mapper *m, struct gs_err *err)
{
    m->records.line = m->awaited_line;
    return refuse(m, &m->duration, gs_str(""),
                  "is no length of time; without start times every step needs one", err);
}

/*
 * Begins where the row before ended. A row without a length is set aside where a row of the same step has one, before it or
 * next: loggers such as Lightning's write what else they measured in rows of its own.
 */
static enum gs_status follow_on(struct gs_mapper *m, const struct gs_form_row *r, int64_t duration,
                                struct gs_mapped_event *row, struct gs_err *err)
{
    const struct gs_str name = name_of(&m->task, r);
    const uint64_t step = gs_hash(gs_or_empty(name.ptr), name.len, m->options->seed);
    const bool has_length = duration != GS_MISSING, same = m->awaited == step;
    /* Another step than that which waits for its length, or that which had it already has one again. */
    if (m->awaited_line != 0 && (m->awaits ? !same : same && has_length))
        return refuse_awaited(m, err);
    if (!has_length) {
        m->awaits = m->chain_ns == GS_MISSING || m->chained != step;
        m->awaited = step;
        m->awaited_line = m->records.line;
        return name.ptr == NULL ? refuse_awaited(m, err) : GS_OK;
    }
    m->awaits = false;
    m->awaited_line = 0;
    m->chained = step;
    if (m->chain_ns == GS_MISSING) {
        m->chain_ns = m->clock.shift_ns;
        if (m->clock.origin_ns != GS_MISSING)
            m->chain_ns += m->clock.origin_ns;
    }
    row->start_ns = m->chain_ns;
    return GS_OK;
}

/*
 * Of how many steps is a row, where its unit counts several? Of those since the number of the row before, at most as many; of
 * the first row, and where a run was resumed, from 0 or 1 on. Another row of the same step is of as many.
 */
static int64_t steps_of(struct gs_mapper *m, const struct gs_form_row *r, int64_t most)
{
    const struct gs_str task = gs_str_or(name_of(&m->task, r), gs_str(""));
    uint64_t number;
    if (most == 1 || gs_count_parse(gs_str_part(task, 0, gs_str_skip(task, 0, GS_ALL_DIGITS)),
                                    INT64_MAX, &number) != GS_NUMBER_OK)
        return most;
    const int64_t before = m->last_step, now = (int64_t)number;
    if (now != before || m->last_steps == 0)
        m->last_steps = gs_min(most, gs_max(1, now > before ? now - before : now));
    m->last_step = now;
    return m->last_steps;
}

/* The length of an event, GS_MISSING where the row has none. */
static enum gs_status read_duration(struct gs_mapper *m, const struct gs_form_row *r,
                                    int64_t *duration, struct gs_err *err)
{
    const struct gs_map_value *const v = &m->source->duration;
    *duration = GS_MISSING;
    if (v->kind == GS_VALUE_NONE)
        return GS_OK;
    const struct gs_str text = name_of(&m->duration, r);
    if (text.ptr == NULL)
        return GS_OK;
    struct gs_unit unit = m->duration.named;
    int64_t count = 1, one_ns;
    if (v->unit.ptr != NULL)
        unit = gs_unit_counted(v->unit, &count);
    if (!gs_duration_read(text, unit, &one_ns))
        return refuse(m, &m->duration, text, "is not a length of time", err);
    /* Of a step that an evaluation made long the others since the row before took as long as that row's. */
    const int64_t steps = steps_of(m, r, count),
                  other_ns = one_ns / 2 > m->step_ns && m->step_ns > 0 ? m->step_ns : one_ns;
    m->step_ns = one_ns;
    if (__builtin_mul_overflow(steps - 1, other_ns, duration) ||
        __builtin_add_overflow(*duration, one_ns, duration))
        return refuse(m, &m->duration, text, "is not a length of time", err);
    return GS_OK;
}

/* Is a duration, of a row that has all three, another than stop - start, by more than 1 % and a millisecond? */
static bool disagrees(const struct gs_mapped_event *row, int64_t duration)
{
    const gs_i128 off = (gs_i128)duration - ((gs_i128)row->stop_ns - row->start_ns);
    const int64_t limit = duration / 100 + GS_NS_PER_MS;
    return off > limit || off < -limit;
}

/* Reads start and stop, each as an hour that occurs twice is to be read; false where one is no time. */
static bool read_ends(struct gs_mapper *m, const struct gs_form_row *r,
                      const enum gs_twice twice[2], struct gs_clock *clock,
                      struct gs_mapped_event *row)
{
    struct gs_bound_value *const v[2] = {&m->start, &m->stop};
    int64_t *const to[2] = {&row->start_ns, &row->stop_ns};
    bool fits = true;
    for (int k = 0; fits && k < 2; k++) {
        clock->reader.twice = twice[k];
        fits = gs_clock_read(clock, gs_value_text(v[k], r), v[k]->v->unit, v[k]->named, to[k]) ==
               GS_TIME_OK;
    }
    clock->reader.twice = GS_TWICE_REFUSED;
    return fits;
}

/*
 * Settles hours that occur twice by the duration: the reading of start and stop that is nearest to it, if one alone is
 * and it agrees. Where both ends lie in such an hour two may fit, and it is refused.
 */
static bool settle_hours(struct gs_mapper *m, const struct gs_form_row *r, int64_t duration,
                         struct gs_mapped_event *row)
{
    const struct gs_clock before = m->clock;
    struct gs_mapped_event best = *row;
    gs_u128 least = 0;
    bool only = false;
    for (unsigned k = 0; k < 4; k++) {
        const enum gs_twice twice[2] = {GS_TWICE_FIRST + k / 2, GS_TWICE_FIRST + k % 2};
        struct gs_mapped_event one = *row;
        struct gs_clock clock = before;
        if (!read_ends(m, r, twice, &clock, &one)) {
            m->clock = before;
            return false;
        }
        const gs_u128 off = gs_magnitude_i128((gs_i128)one.stop_ns - one.start_ns - duration);
        const bool same = one.start_ns == best.start_ns && one.stop_ns == best.stop_ns;
        if (k == 0 || off < least) {
            least = off;
            best = one;
            only = true;
            m->clock = clock;
        } else if (off == least) {
            only &= same;
        }
    }
    only = only && !disagrees(&best, duration);
    if (only)
        *row = best;
    else
        m->clock = before;
    return only;
}

/* Does a list of spans tell of a scheduler's jobs, or whose each of them is? Then some may run still. */
static bool lists_jobs(const struct gs_source *s)
{
    bool has_user = gs_source_form(s)->is_of_jobs;
    for (size_t i = 0; i < s->attributes.n && !has_user; i++)
        has_user = gs_str_eq(s->attributes.item[i].name, gs_str("user"));
    return has_user;
}

/* Start and stop as the row has them; GS_MISSING where it has none. */
static enum gs_status read_start_stop(struct gs_mapper *m, const struct gs_form_row *r,
                                      int64_t duration, struct gs_mapped_event *row,
                                      struct gs_err *err)
{
    const bool changes = m->clock.reader.zone.n_shifts > 0 && duration != GS_MISSING;
    if (changes && settle_hours(m, r, duration, row))
        return GS_OK;
    GS_TRY(read_time(m, &m->start, r, &row->start_ns, err));
    if (row->start_ns == GS_MISSING && m->source->start.kind != GS_VALUE_NONE &&
        gs_source_form(m->source)->is_of_jobs)
        return GS_OK; /* it never started, whenever it was cancelled */
    return read_time(m, &m->stop, r, &row->stop_ns, err);
}

/*
 * Two of start, stop and duration are enough; where all three are given, start and stop count.
 * Sums are checked for overflow, since a hostile duration could wrap around into a plausible time.
 */
static enum gs_status complete_span(struct gs_mapper *m, const struct gs_form_row *r,
                                    int64_t duration, struct gs_mapped_event *row,
                                    struct gs_err *err)
{
    const bool has_start = row->start_ns != GS_MISSING, has_stop = row->stop_ns != GS_MISSING;
    bool fits = true;
    if (duration == GS_MISSING)
        return GS_OK;
    if (has_start && has_stop)
        /* Slurm does not count the time for which a job was suspended. */
        m->file->n_disagree += !gs_source_form(m->source)->is_of_jobs && disagrees(row, duration);
    else if (has_stop)
        fits = !__builtin_sub_overflow(row->stop_ns, duration, &row->start_ns) &&
               row->start_ns != GS_MISSING;
    else if (has_start)
        fits = !__builtin_add_overflow(row->start_ns, duration, &row->stop_ns);
    if (fits)
        return GS_OK;
    return refuse(m, &m->duration, name_of(&m->duration, r), "leads out of the years 1677 to 2262",
                  err);
}

/* Does a span end behind its start? Where a clock went back between them the zone tells. */
static enum gs_status check_order(const struct gs_mapper *m, const struct gs_form_row *r,
                                  const struct gs_mapped_event *row, struct gs_err *err)
{
    if (row->start_ns == GS_MISSING || row->stop_ns == GS_MISSING || row->stop_ns >= row->start_ns)
        return GS_OK;
    const bool went_back = m->clock.reader.zoneless && gs_zone_is_utc(&m->clock.reader.zone) &&
                           row->start_ns - row->stop_ns <= 3600 * GS_NS_PER_S;
    return gs_fail_at(err, m->records.name, r->line, "stops before it starts%s",
                      gs_text_if(went_back, "; where its clock went back between them, --tz ZONE "
                                            "tells it, as --tz Europe/Berlin"));
}

static enum gs_status read_span(struct gs_mapper *m, const struct gs_form_row *r,
                                struct gs_mapped_event *row, struct gs_err *err)
{
    const bool is_chain = gs_source_is_chain(m->source);
    int64_t duration;
    GS_TRY(read_duration(m, r, &duration, err));
    GS_TRY(read_start_stop(m, r, duration, row, err));
    if (is_chain)
        GS_TRY(follow_on(m, r, duration, row, err));
    GS_TRY(complete_span(m, r, duration, row, err));
    if (is_chain && duration != GS_MISSING)
        m->chain_ns = row->stop_ns;
    return check_order(m, r, row, err);
}

static enum gs_status list_of(struct gs_mapper *m, struct gs_bound_value *v,
                              const struct gs_form_row *r, const struct gs_str **item, size_t *n,
                              struct gs_err *err)
{
    struct gs_texts list;
    const enum gs_status s = gs_value_list(v, r, &m->scratch, &list);
    GS_TRY(gs_had_memory(s != GS_ERR_MEMORY, err));
    if (s != GS_OK)
        return refuse(m, v, gs_value_raw(v, r), "is no list of names such as n[01-04,07]", err);
    *item = list.item;
    *n = list.n;
    return GS_OK;
}

/* A line of a log of steps that has neither the number nor the length of one is none. */
static bool is_prose(struct gs_mapper *m, const struct gs_form_row *r)
{
    const struct gs_form *const form = gs_source_form(m->source);
    return !form->delimited && form->matches == NULL && m->source->event.kind == GS_VALUE_TEXT &&
           m->source->duration.kind != GS_VALUE_NONE && gs_value_text(&m->task, r).ptr == NULL &&
           gs_value_text(&m->duration, r).ptr == NULL;
}

/* Lacks a row its event, its start, or an end that is due? A job that waits in the queue is no fault of the data. */
static bool is_set_aside(struct gs_mapper *m, const struct gs_mapped_event *row, bool open)
{
    const bool of_jobs = (open || row->start_ns == GS_MISSING) && lists_jobs(m->source);
    if (row->event.ptr != NULL && row->start_ns != GS_MISSING && (!open || of_jobs))
        return false;
    m->file->n_waiting += row->event.ptr != NULL && of_jobs;
    m->file->n_set_aside++;
    return true;
}

/*
 * The nodes that a job's number of GPUs is of together: its hosts, unless an attribute says how many these are or the number is
 * that of each. Fewer GPUs than hosts can only be so many on each. 0: no such job.
 */
static size_t nodes_together(const struct gs_mapper *m, const struct gs_mapped_event *row)
{
    const struct gs_map_fields *const texts = &m->source->attributes;
    uint64_t gpus = 0;
    for (size_t k = 0; k < texts->n && row->n_hosts > 1; k++) {
        const bool filled = m->attribute_text[k].len > 0;
        if (gs_str_eq(texts->item[k].name, gs_str("gpus")))
            (void)gs_count_parse(m->attribute_text[k], UINT32_MAX, &gpus);
        else if (filled && (gs_str_eq(texts->item[k].name, gs_str("nodes")) ||
                            gs_str_eq(texts->item[k].name, gs_str("gpus_per_node"))))
            return 0;
    }
    return gpus >= row->n_hosts && gpus > 0 ? row->n_hosts : 0;
}

/* An attribute's text; of GPUs as Slurm lists them, gpu:a100:2(IDX:0,3), their number. */
static struct gs_str attribute_of(struct gs_mapper *m, size_t k, const struct gs_form_row *r)
{
    const struct gs_str text = gs_value_text(&m->attribute[k], r);
    const struct gs_str name = m->source->attributes.item[k].name;
    char *const held = m->held[gs_str_eq(name, gs_str("gpus"))];
    struct gs_str type;
    uint64_t n;
    if (!GS_IS_ONE_OF(name, "gpus", "gpus_per_node") || !gs_gres_count(text, &n, &type))
        return text;
    return (struct gs_str){held, (size_t)gs_int_format(held, (int64_t)n)};
}

/*
 * Events that need others (a count, the next instant, the partner in turn) wait for the file's
 * end.
 */
static enum gs_status parse_event(struct gs_mapper *m, const struct gs_form_row *r,
                                  struct gs_err *err)
{
    struct gs_mapped_event row = {.start_ns = GS_MISSING,
                                  .stop_ns = GS_MISSING,
                                  .line = r->line,
                                  .own = m->value,
                                  .attribute = m->attribute_text};
    const enum gs_phase_kind phase = m->source->phase.kind;
    const bool spans = phase == GS_PHASE_NONE;
    const bool counted = m->source->task.kind == GS_VALUE_COUNT;
    row.event = name_of(&m->event, r);
    if (phase == GS_PHASE_PAIRS ? !read_phase(m, r, &row) : is_prose(m, r)) {
        m->file->n_ignored++;
        return GS_OK;
    }
    GS_TRY(spans ? read_span(m, r, &row, err) : read_time(m, &m->time, r, &row.start_ns, err));
    const bool open = spans && row.stop_ns == GS_MISSING;
    bool waits = false;
    for (size_t k = 0; k < m->source->attributes.n; k++) {
        m->attribute_text[k] = attribute_of(m, k, r);
        waits |= open && gs_str_eq(m->source->attributes.item[k].name, gs_str("state")) &&
                 gs_job_waits(m->attribute_text[k]);
    }
    if (waits) /* a start that a scheduler expects */
        row.start_ns = GS_MISSING;
    if (is_set_aside(m, &row, open))
        return GS_OK;
    row.job = name_of(&m->job, r);
    row.task = counted ? GS_NO_STR : name_of(&m->task, r);
    GS_TRY(list_of(m, &m->host, r, &row.host, &row.n_hosts, err));
    GS_TRY(list_of(m, &m->gpu, r, &row.gpu, &row.n_gpus, err));
    row.n_nodes = nodes_together(m, &row);
    m->file->n_totals += row.n_nodes > 0 && !gs_source_form(m->source)->is_of_jobs;
    for (size_t k = 0; k < m->source->metrics.n; k++)
        GS_TRY(parse_number(m, &m->metric[k], gs_value_text(&m->metric[k].value, r), &m->value[k],
                            err));
    if (open || counted || gs_phase_words[phase] != NULL)
        return gs_mapper_store_event(m, &row, err);
    return gs_mapper_give_event(m, &row, err);
}

static void list_names(const struct gs_mapper *m, struct gs_buf *b)
{
    size_t n = 0;
    for (uint32_t i = 0; i < m->records.column.n; i++) {
        if (!m->records.met[i])
            continue;
        if (n++ == 24) {
            gs_buf_text(b, " ...");
            return;
        }
        gs_buf_text_if(b, n > 1, ", ");
        gs_buf_escaped(b, m->records.column.text[i], 60);
    }
}

/* All columns of the map that the file does not have, at once. */
static enum gs_status refuse_missing(struct gs_mapper *m, const uint32_t *column, size_t n,
                                     struct gs_err *err)
{
    struct gs_buf b = {.arena = &m->scratch}, found = {.arena = &m->scratch};
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        bool before = m->records.met[column[i]];
        for (size_t j = 0; j < i && !before; j++)
            before = column[j] == column[i];
        if (before)
            continue;
        gs_buf_text(&b, k++ > 0 ? "', '" : "'");
        gs_buf_escaped(&b, m->records.column.text[column[i]], 80);
    }
    if (k == 0)
        return GS_OK;
    list_names(m, &found);
    GS_TRY(gs_had_memory(!b.failed && !found.failed, err));
    return gs_fail(err, GS_ERR_DATA, "%s: no column%s %s'; found %s", m->records.name,
                   gs_plural(k, "", "s"), gs_buf_str(&b).ptr, gs_buf_str(&found).ptr);
}

/*
 * Before the first record: the clock, whose base the form may have found. Not before the first
 * record: a trace may state its clock's base, and a table its columns, only then.
 */
static enum gs_status begin(struct gs_mapper *m, struct gs_err *err)
{
    m->begun = true;
    m->clock =
        (struct gs_clock){.reader = {.zone = m->options->zone}, .origin_ns = m->records.base_ns};
    GS_TRY(gs_clock_init(&m->clock, m->source, m->path, m->records.name, m->arena, err));
    if (m->source->role == GS_ROLE_SAMPLES)
        gs_gpu_other_names(m->source, m->records.column.text, m->records.met, m->records.column.n,
                           m->other);
    return GS_OK;
}

static enum gs_status parse_row(struct gs_mapper *m, const struct gs_form_row *r,
                                struct gs_err *err)
{
    switch (m->source->role) {
    case GS_ROLE_SAMPLES:
        return parse_sample(m, r, err);
    case GS_ROLE_EVENTS:
        return parse_event(m, r, err);
    default:
        return parse_task(m, r, err);
    }
}

/*
 * Texts of a record live in `scratch` and are gone afterwards, so memory does not grow with the
 * rows. Only GS_ERR_DATA can be a rejected row; a lack of memory always ends the reading.
 */
static enum gs_status parse_record(void *context, const struct gs_form_row *r, struct gs_err *err)
{
    struct gs_mapper *const m = context;
    if (r->own != NULL && m->source->role == GS_ROLE_SAMPLES && m->sink->reject == NULL &&
        repeats_names(m, r->own)) {
        m->file->n_rows++; /* of a series of millions, whose first record has been looked at */
        m->file->n_ignored += m->unwanted;
        return m->unwanted ? GS_OK : parse_sample(m, r, err);
    }
    GS_REWINDS(&m->scratch);
    enum gs_status s = GS_OK;
    if (!m->begun)
        s = begin(m, err);
    m->file->n_rows++;
    if (s == GS_OK && m->wide)
        s = gs_mapper_find_lanes(m, err);
    m->unwanted = s == GS_OK && !gs_where_matches(&m->where, r);
    if (m->unwanted) {
        m->file->n_ignored++;
    } else if (s == GS_OK) {
        struct gs_err fault; /* not cleared: its room is large, and few records need it */
        fault.status = GS_OK;
        fault.text[0] = '\0';
        s = parse_row(m, r, &fault);
        if (s == GS_ERR_DATA && m->sink->reject != NULL)
            s = gs_mapper_reject(m, r, &fault, err);
        else if (s != GS_OK && err != NULL)
            *err = fault;
    }
    return s;
}

/*
 * Columns that must have been there at least once: all, or of a file without a fixed set of them
 * those of times. A column whose name is misspelt in the map would otherwise read as missing in
 * every row, without an error.
 */
static enum gs_status check_met(struct gs_mapper *m, struct gs_err *err)
{
    uint32_t needed[8];
    size_t n = 0;
    const struct gs_bound_value *const values[] = {&m->time, &m->start, &m->stop, &m->event};
    if (m->records
            .fixed) /* of several tables in one file a later one may have what the first has not */
        return refuse_missing(m, m->asked, m->n_asked, err);
    if (m->file->n_rows == m->file->n_ignored)
        return GS_OK;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (values[i]->v != NULL && values[i]->v->kind == GS_VALUE_COLUMN)
            needed[n++] = values[i]->column[0];
    return refuse_missing(m, needed, n, err);
}

/*
 * The columns of the map are bound first, with `reading` off: they count as met only when the
 * file has them.
 */
static enum gs_status map_text(struct gs_mapper *m, struct gs_text_in *in, struct gs_err *err)
{
    const struct gs_source *const source = m->source;
    const struct gs_str separator = source->separator;
    const struct gs_form *const form = gs_form_find(source->form);
    struct gs_mapped_file *const file = m->file;
    *file = (struct gs_mapped_file){.from_ns = GS_MISSING, .to_ns = GS_MISSING};
    m->scaled_parse = gs_scaled_parse;
    if (separator.len == 1 && gs_takes_commas(separator.ptr[0]))
        m->scaled_parse = gs_scaled_parse_comma;
    if (form == NULL)
        return gs_fail(err, GS_ERR_DATA, "form: '%s' is no form of files that is known",
                       GS_SHOWN(source->form, 80));
    gs_record_sink_init(&m->records, in->name, m->options->seed, m->arena, parse_record, m);
    enum gs_status s = gs_mapper_bind(m, err);
    m->records.reading = true;
    if (m->sink->reject != NULL)
        m->records.reject = gs_mapper_reject_row;
    GS_THEN(s, gs_form_read(form, in, source, &m->records, err));
    gs_record_sink_release(&m->records);
    if (s == GS_OK && !m->begun)
        s = begin(m, err);
    if (s == GS_OK && m->awaits)
        s = refuse_awaited(m, err);
    GS_THEN(s, gs_mapper_finish(m, err));
    GS_THEN(s, check_met(m, err));
    file->n_set_aside += m->records.n_torn;
    file->n_rows +=
        m->records.n_torn + m->records.n_ignored + m->records.n_other + m->records.n_foreign;
    file->n_ignored += m->records.n_ignored + m->records.n_other + m->records.n_foreign;
    if (form == &gs_form_table)
        file->n_prose = m->records.n_other;
    file->n_foreign = m->records.n_foreign;
    (void)gs_escape(file->others, sizeof file->others, gs_buf_str(&m->records.others));
    file->n_cut = m->records.n_cut;
    file->n_unequal = m->records.n_unequal;
    file->zoneless = m->clock.reader.zoneless;
    file->zoned = m->clock.zoned;
    file->by_size = m->clock.by_size;
    file->rounded_time = m->clock.reader.rounded;
    file->latin1 = in->latin1;
    file->has_nuls = in->has_nuls;
    gs_arena_release(&m->scratch);
    return s;
}

enum gs_status gs_map_file(struct gs_mapped_source *of, size_t k, struct gs_bytes *bytes,
                           const struct gs_mapper_options *options, struct gs_err *err)
{
    const char *const path = of->source->path.item[k].ptr;
    GS_OWN struct gs_arena own = {0};
    GS_CLOSES_TEXT struct gs_text_in in = {0};
    struct gs_mapper m = {.source = of->source,
                          .options = options,
                          .sink = &options->sink,
                          .arena = &own,
                          .found = &of->found,
                          .file = &of->file[k],
                          .path = gs_str(path)};
    GS_TRY(bytes == NULL ? gs_text_open(&in, path, 0, &own, err)
                         : gs_text_open_bytes(&in, bytes, path, &own, err));
    return map_text(&m, &in, err);
}
