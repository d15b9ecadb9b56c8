/* names_time.c - chooses the column of times among several candidates. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "input/detect/names_parts.h"
#include "base/num/order.h"
#include "base/core/pattern.h"
#include "base/num/date_form.h"

/* "08:00:05 PM" is half of an instant, like 20:00:05. */
static bool is_half_day(struct gs_str t)
{
    t = gs_trimmed(t);
    return t.len >= 8 && gs_is_digit(t.ptr[0]) && memchr(t.ptr, ':', 3) != NULL &&
           (gs_str_eq_nocase((struct gs_str){t.ptr + t.len - 2, 2}, gs_str("AM")) ||
            gs_str_eq_nocase((struct gs_str){t.ptr + t.len - 2, 2}, gs_str("PM")));
}

enum { INSTANT_MAX = 64 };

/* A date and a time of day without anything between their parts. */
static const char compact[] = "YYYYMMDD hhmmss";

/* The instant of a row, behind the date in a column of its own (UINT32_MAX: there is none); ptr == NULL: it has none. */
static struct gs_str instant_in(const struct inference *g, size_t row, uint32_t date, uint32_t time,
                                char room[2 * INSTANT_MAX])
{
    const struct gs_str cell = gs_preview_cell(g->h, row, time);
    if (date == UINT32_MAX || cell.ptr == NULL)
        return cell;
    const struct gs_str day = gs_preview_cell(g->h, row, date);
    if (day.ptr == NULL || day.len >= INSTANT_MAX || cell.len >= INSTANT_MAX)
        return GS_NO_STR;
    memcpy(room, day.ptr, day.len);
    room[day.len] = ' ';
    memcpy(room + day.len + 1, cell.ptr, cell.len);
    return (struct gs_str){room, day.len + 1 + cell.len};
}

/* Are a date and a time of day in the first row that has both an instant? */
static bool is_dated(const struct inference *g, uint32_t date, uint32_t time)
{
    char room[2 * INSTANT_MAX];
    for (size_t i = 0; i < g->h->n_rows; i++) {
        const struct gs_str both = instant_in(g, i, date, time, room);
        if (both.ptr == NULL)
            continue;
        const enum gs_time_fault f = gs_clock_read_alone(both, GS_NO_STR, GS_UNIT_NONE, NULL);
        return gs_time_is_dated(f);
    }
    return false;
}

/* The longest step between neighbouring times by a form; negative: one of them does not fit it. */
static int64_t longest_step(const struct inference *g, uint32_t date, uint32_t time,
                            const char *form)
{
    int64_t longest = 0, before = GS_MISSING;
    char room[2 * INSTANT_MAX];
    for (size_t i = 0; i < g->h->n_rows; i++) {
        const struct gs_str cell = instant_in(g, i, date, time, room);
        struct gs_civil v;
        if (cell.ptr == NULL || gs_is_no_value(cell))
            continue;
        if (!gs_date_by_form(gs_trimmed(cell), gs_str(form), &v))
            return -1;
        if (!v.has_date)
            v.year = v.month = v.day = 1;
        if (v.month < 1 || v.month > 12 || v.day < 1 || v.day > 31 || v.year > 9999)
            return -1;
        const int64_t at = gs_days_from_civil(v.year, v.month, v.day) * 86400 +
                           (int64_t)v.hour * 3600 + (int64_t)v.minute * 60 + (int64_t)v.second;
        if (before != GS_MISSING && llabs(at - before) > longest)
            longest = llabs(at - before);
        before = at;
    }
    return longest;
}

/*
 * 03-12-2026 is of March or of December: the reading whose days exist, or whose steps are no longer than a day where
 * those of the other are. Where neither shows in a whole file, all of it is of one day, and which day that is moves its
 * samples together: with slashes the month comes first, with dashes the day. Else the form is left to be asked for.
 */
static void order_days(const struct inference *g, struct gs_source *s, uint32_t date, uint32_t time,
                       struct gs_map_value *v)
{
    enum { DAY_S = 86400 };
    static const char *const forms[][2] = {{"DD-MM-YYYY hh:mm:ss", "MM-DD-YYYY hh:mm:ss"},
                                           {"DD/MM/YYYY hh:mm:ss", "MM/DD/YYYY hh:mm:ss"},
                                           {"DD-MM-YYYYThh:mm:ss", "MM-DD-YYYYThh:mm:ss"},
                                           {"DD/MM/YYYY hh:mm:ss AM", "MM/DD/YYYY hh:mm:ss AM"},
                                           {"DD-MM-YYYY hh:mm", "MM-DD-YYYY hh:mm"},
                                           {"DD/MM/YYYY hh:mm", "MM/DD/YYYY hh:mm"}};
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        const int64_t by_day = longest_step(g, date, time, forms[k][0]),
                      by_month = longest_step(g, date, time, forms[k][1]);
        const bool day = by_day >= 0 && (by_month < 0 || (by_day <= DAY_S && by_month > DAY_S)),
                   month = by_month >= 0 && (by_day < 0 || (by_month <= DAY_S && by_day > DAY_S));
        const bool open = !day && !month && by_day >= 0 && by_day <= DAY_S && g->h->is_whole &&
                          g->h->form->time_unit == NULL,
                   slashes = forms[k][0][2] == '/';
        if (open)
            gs_infer_note(g, &s->notes,
                          "its dates may begin with the day or the month: read as %s (else --set "
                          "'samples.time.unit=%s')",
                          forms[k][slashes], forms[k][!slashes]);
        if (day || month || open)
            v->unit = gs_str(forms[k][open ? slashes : month]);
    }
}

void gs_infer_cell_unit(const struct inference *g, struct gs_str cell, struct gs_map_value *v)
{
    const struct gs_str unit = gs_duration_unit(gs_trimmed(cell));
    if (unit.len == 0)
        return;
    v->like = gs_str(gs_format(g->arena, "{}%s%.*s", gs_text_if(unit.ptr[-1] == ' ', " "),
                               (int)unit.len, unit.ptr));
    v->unit = gs_str(gs_unit_find(unit).shown);
}

GS_COMPARES(by_value, double, GS_DIFFER(gs_cmp(*x, *y)););

/* The middle one of the steps forward of a column of numbers; 0: it has other cells, or fewer than three steps. */
static double usual_step(const struct inference *g, uint32_t column)
{
    enum { FEWEST = 3 };
    size_t n = 0;
    int64_t before = INT64_MAX, v;
    double *const step = gs_arena_take(g->arena, g->h->n_rows, sizeof *step);
    for (size_t i = 0; step != NULL && i < g->h->n_rows; i++, before = v) {
        const struct gs_str cell = gs_preview_cell(g->h, i, column);
        if (cell.ptr == NULL || gs_fixed_parse(gs_trimmed(cell), &v, NULL) != GS_NUMBER_OK || v < 0)
            return 0;
        if (v > before)
            step[n++] = (double)(v - before) / GS_FIXED_ONE;
    }
    if (step == NULL || n < FEWEST)
        return 0;
    GS_SORT(step, n, by_value);
    return step[n / 2];
}

/*
 * Are the numbers of a column times of day, 140259 before 140300? Where a minute turns none is of a second above 59, and the
 * steps are shorter than the numbers' own.
 */
static bool is_hhmmss(const struct inference *g, uint32_t time)
{
    enum { LONGEST_S = 3600 };
    int64_t first = 0, last = 0;
    const int64_t longest = longest_step(g, UINT32_MAX, time, "hhmmss");
    (void)gs_fixed_parse(gs_trimmed(gs_infer_first(g->h, time)), &first, NULL);
    (void)gs_fixed_parse(gs_trimmed(gs_preview_cell(g->h, g->h->n_rows - 1, time)), &last, NULL);
    return longest > 0 && longest <= LONGEST_S &&
           last / GS_FIXED_ONE / 100 != first / GS_FIXED_ONE / 100;
}

/*
 * The unit of numbers that have none and are no instants. Loggers poll each second or every few minutes, but not each 1000 s:
 * such steps are of a thousandth. Spreadsheets write instants as days since 1900. A guess, so it is said.
 */
static void tell_plain_unit(const struct inference *g, struct gs_source *s, uint32_t time,
                            struct gs_map_value *v)
{
    static const double usual_s[] = {60, 120, 180, 240, 300, 600, 900, 1200, 1800, 3600, 7200};
    static const char *const unit[] = {"s", "ms", "us", "ns"};
    enum { DAY_2000 = 36526, DAY_2100 = 73051 }; /* as spreadsheets count */
    enum { MATLAB = 693960 };                    /* as many more are counted from the year 0 */
    static const struct gs_map_value spreadsheet_epoch = {.kind = GS_VALUE_TEXT,
                                                          .text = {"1899-12-30T00:00:00Z", 20}};
    static const double longest_s = 90, near = 0.02, shortest_s = 0.001;
    const double step = usual_step(g, time);
    int64_t first = 0;
    size_t k = 0;
    for (double of_unit = step; of_unit >= longest_s && k < 3; k++)
        of_unit /= 1000;
    for (size_t i = 0; i < sizeof usual_s / sizeof *usual_s; i++)
        if (fabs(step - usual_s[i]) <= near * usual_s[i])
            k = 0;
    (void)gs_fixed_parse(gs_trimmed(gs_infer_first(g->h, time)), &first, NULL);
    first /= GS_FIXED_ONE;
    if (is_hhmmss(g, time))
        v->unit = gs_str("hhmmss");
    else if (k > 0)
        v->unit = gs_str(unit[k]);
    else if (step > 0 && step < shortest_s && first >= DAY_2000 && first < DAY_2100) {
        v->unit = gs_str("days");
        s->origin = spreadsheet_epoch;
    } else if (step > 0 && step < shortest_s && first >= MATLAB + DAY_2000 &&
               first < MATLAB + DAY_2100) {
        s->ambiguity = gs_format(
            g->arena,
            "'%s' counts days from the year 0 (MATLAB): write (days - 719529) * 86400, or "
            "type --set samples.time= --interval 1s for rows a second apart",
            GS_SHOWN(g->h->column[time], 84));
        s->time_settles = true;
    }
    if (v->unit.ptr != NULL)
        gs_infer_note(g, &s->warnings,
                      "'%s' has no unit: its numbers are read as %s (else --set "
                      "samples.time.unit=s)",
                      GS_SHOWN(g->h->column[time], 84), v->unit.ptr);
}

/*
 * 00:05 may be a minute and a second, or an hour and a minute. What begins at 0, has a fraction or goes beyond 23 is the former.
 * Another is a time of day. False: the column has no such cells.
 */
static bool tell_two_parts(const struct inference *g, struct gs_source *s, uint32_t column,
                           struct gs_map_value *v)
{
    enum { LAST_HOUR = 23 };
    bool minutes = false, any = false;
    struct gs_str cell;
    struct gs_civil c;
    for (size_t i = 0; column != UINT32_MAX && gs_infer_next(g->h, column, &i, &cell);) {
        if (!gs_date_by_form(gs_trimmed(cell), gs_str("mm:ss"), &c))
            return false;
        minutes |= c.ns > 0 || c.minute > LAST_HOUR || (!any && c.minute == 0);
        any = true;
    }
    if (!any)
        return false;
    const char *field = "time";
    if (v != &s->time)
        field = v == &s->start ? "start" : "stop";
    v->unit = gs_str(minutes ? "mm:ss" : "hh:mm");
    gs_infer_note(g, &s->notes, "'%s' is read as %s (else --set '%s.%s.unit=%s')",
                  GS_SHOWN(g->h->column[column], 84), v->unit.ptr, gs_role_names[s->role], field,
                  minutes ? "hh:mm" : "mm:ss");
    return true;
}

/* The column of the dates to which the times of day of another belong; UINT32_MAX: there is none. */
static uint32_t dates_of(const struct inference *g, uint32_t time)
{
    const bool half = is_half_day(gs_infer_first(g->h, time));
    for (uint32_t i = 0; i < g->h->n_columns; i++) {
        const bool named = GS_IS_ONE_OF(gs_str(g->name[i].stem), "date", "day");
        if (i != time &&
            (is_dated(g, i, time) || (named && (half || longest_step(g, i, time, compact) >= 0))))
            return i;
    }
    return UINT32_MAX;
}

/* Are all cells of a column times of day? */
static bool has_clock_times(const struct inference *g, uint32_t column)
{
    struct gs_clock clock = gs_clock_of(g->h->table.separator);
    struct gs_str cell;
    int64_t t;
    size_t n = 0;
    for (size_t i = 0; gs_infer_next(g->h, column, &i, &cell); n++)
        if (gs_clock_read(&clock, cell, GS_NO_STR, GS_UNIT_NONE, &t) != GS_TIME_OF_DAY)
            return false;
    return n > 0;
}

uint32_t gs_infer_clock_times(const struct inference *g)
{
    const uint32_t time = g->means[GS_MEANS_TIME];
    uint32_t found = UINT32_MAX, n = 0;
    unsigned rank;
    for (uint32_t i = 0; i < g->h->n_columns; i++)
        if (gs_name_meaning(&g->name[i], &rank) == GS_MEANS_NOTHING && has_clock_times(g, i)) {
            found = i;
            n++;
        }
    return n == 1 && (time == UINT32_MAX ? dates_of(g, found) != UINT32_MAX
                                         : is_dated(g, time, found))
               ? found
               : time;
}

void gs_infer_time(const struct inference *g, struct gs_source *s, struct gs_str column,
                   struct gs_map_value *v)
{
    uint32_t time = g->means[GS_MEANS_TIME];
    if (time == UINT32_MAX)
        time = g->means[GS_MEANS_DURATION]; /* seconds that have elapsed may be the clock */
    if (tell_two_parts(g, s, gs_preview_find(g->h, column.ptr), v) || time == UINT32_MAX ||
        !gs_str_eq(g->h->column[time], column)) {
        gs_infer_column(v, column, g->arena);
        return;
    }
    const struct gs_str first = gs_infer_first(g->h, time);
    struct gs_clock clock = gs_clock_of(g->h->table.separator);
    int64_t ignored;
    const enum gs_time_fault fault =
        gs_clock_read(&clock, first, GS_NO_STR, g->name[time].unit, &ignored);
    const bool plain = fault == GS_TIME_OUTSIDE && s->role == GS_ROLE_SAMPLES &&
                       g->name[time].unit.quantity == GS_Q_NONE;
    uint32_t date = UINT32_MAX;
    if (plain || fault == GS_TIME_OF_DAY || is_half_day(first))
        date = dates_of(g, time);
    if (date != UINT32_MAX)
        gs_infer_take(g, v, date);
    if (date != UINT32_MAX && plain)
        v->unit = gs_str(compact);
    else if (date != UINT32_MAX || fault == GS_TIME_DAY_MONTH)
        order_days(g, s, date, time, v);
    if (date == UINT32_MAX)
        gs_infer_cell_unit(g, first, v);
    if (plain && v->unit.ptr == NULL)
        tell_plain_unit(g, s, time, v);
    if (date == UINT32_MAX)
        gs_infer_column(v, column, g->arena);
    else if (gs_texts_add(&v->column, column, g->arena))
        v->kind = GS_VALUE_JOINED;
}

enum gs_time_fault gs_infer_first_time(const struct gs_preview *h, const struct gs_source *s,
                                       int64_t *t_ns)
{
    const struct gs_map_value *const span = s->start.kind != GS_VALUE_NONE ? &s->start : &s->stop,
                                     *const v = s->time.kind != GS_VALUE_NONE ? &s->time : span;
    const uint32_t column = gs_preview_plain_column(h, v);
    struct gs_clock clock = gs_clock_of(h->table.separator);
    struct gs_name name;
    if (column == UINT32_MAX)
        return GS_TIME_OK;
    struct gs_str first = gs_infer_first(h, column);
    struct gs_kept kept;
    if (v->like.ptr != NULL && first.ptr != NULL && gs_pattern_match(v->like, first, &kept))
        first = kept.part;
    gs_name_split(h->column[column], &name);
    int64_t t, last;
    const enum gs_time_fault f = gs_clock_read(&clock, first, v->unit, name.unit, &t);
    if (f == GS_TIME_OUTSIDE && h->n_rows > 0 && /* before its clock was set */
        gs_clock_read(&clock, gs_preview_cell(h, h->n_rows - 1, column), v->unit, name.unit,
                      &last) == GS_TIME_OK)
        return GS_TIME_OK;
    if (t_ns != NULL)
        *t_ns = t;
    return f;
}

/* What the instants of a column and lengths of time without a unit say of each other, in seconds. */
struct lengths {
    double span, sum, median, longest; /* span: from the first instant to the last */
    size_t n;
    bool whole;        /* all lengths are whole numbers                      */
    bool by_size;      /* the unit of the instants is told by their size alone ... */
    bool by_thousands; /* ... and is a millisecond                       */
};

static struct lengths lengths_of(const struct inference *g, uint32_t length, uint32_t time)
{
    static const int64_t year_5138 = 100000000000 * GS_FIXED_ONE; /* in seconds */
    struct lengths l = {.whole = true};
    struct gs_clock c = gs_clock_of(g->h->table.separator);
    int64_t first = INT64_MAX, last = INT64_MIN, t, v;
    double *const seconds = gs_arena_take(g->arena, g->h->n_rows, sizeof *seconds);
    for (size_t i = 0; seconds != NULL && i < g->h->n_rows; i++) {
        const struct gs_str at = gs_preview_cell(g->h, i, time),
                            cell = gs_preview_cell(g->h, i, length);
        if (at.ptr == NULL || cell.ptr == NULL || gs_fixed_parse(cell, &v, NULL) != GS_NUMBER_OK ||
            v < 0 || gs_clock_read(&c, at, GS_NO_STR, g->name[time].unit, &t) != GS_TIME_OK)
            continue;
        first = gs_min(t, first);
        last = gs_max(t, last);
        l.whole &= v % GS_FIXED_ONE == 0;
        seconds[l.n] = (double)v / GS_FIXED_ONE;
        l.sum += seconds[l.n++];
    }
    if (l.n == 0)
        return l;
    GS_SORT(seconds, l.n, by_value);
    l.median = seconds[l.n / 2];
    l.longest = seconds[l.n - 1];
    l.span = (double)(last - first) / (double)GS_NS_PER_S;
    l.by_size = c.by_size;
    l.by_thousands =
        c.by_size &&
        gs_fixed_parse(gs_trimmed(gs_infer_first(g->h, time)), &v, NULL) == GS_NUMBER_OK &&
        v >= year_5138;
    return l;
}

bool gs_infer_is_of_requests(const struct inference *g, uint32_t length)
{
    return strstr(g->name[length].whole, "latency") != NULL ||
           strstr(g->name[length].whole, "response") != NULL;
}

/*
 * Whole lengths beside instants in milliseconds are these, too, unless the rows follow one another where they are seconds. A
 * request that would outlast all between the first and the last is one of milliseconds; of other runs, which may begin
 * together, nobody knows.
 */
void gs_infer_length_unit(const struct inference *g, uint32_t length, uint32_t time,
                          struct gs_source *s)
{
    enum { FEWEST = 3 };
    if (length == UINT32_MAX || time == UINT32_MAX || g->name[length].unit.quantity != GS_Q_NONE ||
        s->duration.unit.ptr != NULL || s->duration.like.ptr != NULL)
        return;
    const struct lengths l = lengths_of(g, length, time);
    const char *const name = GS_SHOWN(g->h->column[length], 84);
    const bool follow = l.sum >= l.span / 2 && l.sum <= l.span + 2 * l.median,
               outlasts = l.n >= FEWEST && l.span > 0 && l.median > l.span,
               requests = gs_infer_is_of_requests(g, length);
    if (l.n >= FEWEST && ((l.whole && l.by_thousands && !follow) || (outlasts && requests))) {
        s->duration.unit = gs_str("ms");
        gs_infer_note(g, &s->warnings,
                      "'%s' has no unit: read in ms, as %s (--set events.duration.unit=s if they "
                      "are seconds)",
                      name,
                      outlasts ? "one in seconds would outlast all between their times"
                               : "its times are");
    } else if (outlasts && l.whole && !follow) {
        s->ambiguity =
            gs_format(g->arena,
                      "%s: has no unit, and one of %.0f s would be longer than all between their "
                      "starts; type --set events.duration.unit=ms (s, us, ns)",
                      name, l.median);
    }
}

void gs_infer_unclear(const struct inference *g, struct gs_source *s)
{
    enum { DAY_S = 86400, LONG_S = 1000, TIMES = 10 };
    const uint32_t column = gs_preview_plain_column(g->h, &s->duration),
                   start = gs_preview_plain_column(g->h, &s->start),
                   time = start != UINT32_MAX ? start : gs_preview_plain_column(g->h, &s->stop);
    if (column == UINT32_MAX || time == UINT32_MAX || g->name[column].unit.quantity != GS_Q_NONE)
        return;
    const struct lengths l = lengths_of(g, column, time);
    const bool out_of_step = l.span > 0 && l.longest >= LONG_S && l.longest / TIMES > l.span;
    if (l.by_size && l.whole && (l.longest >= DAY_S || out_of_step))
        s->ambiguity = gs_format(
            g->arena,
            "%s: has no unit, nor have its times, and one of %.0f s would be %s; type "
            "--set events.duration.unit=ms (s, us, ns)",
            GS_SHOWN(s->duration.column.item[0], 84), l.longest,
            l.longest >= DAY_S ? "longer than a day" : "longer than all between their starts");
}
