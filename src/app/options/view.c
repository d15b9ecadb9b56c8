/* view.c - columns chosen and put into the units of their size, row by row as they are printed. */
#include "app/options/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/options/column_names.h"
#include "base/num/order.h"
#include "base/num/timestamp.h"
#include "base/core/pattern.h"
#include "output/text/cells.h"
#include "output/text/si.h"

enum { UUID_LEN = 40 };                 /* "GPU-5c1d2b7e-8a40-..." */
enum { SHOWN_MAX = 8, NO_COLUMN = -1 }; /* without a default of its own a frame shows so many */

static const char task[] = "task"; /* in headings, which the run may have another word for */
static const char interval_mark[] = "\xC2\xB1"; /* ± */

/* What is known of a column of the frame after one look at all rows. */
struct seen {
    bool any;            /* some row has a value that can be read */
    bool undated;        /* a time counts from the begin of the run */
    bool total;          /* of the first column, which says which row is the total */
    double largest;      /* in size; of times 1 where one is not a whole second */
    bool ambiguous;      /* neighbours are UUIDs that differ behind their first block only */
    char uuid[UUID_LEN]; /* the last one */
};

/* One column as shown. */
struct shown {
    size_t from;
    int low, high; /* columns of its interval, or NO_COLUMN */
    size_t of; /* the column that the interval is of: `from`, or the sum of which it is the mean */
    size_t n;  /* ... of how many; of a mean alone */
    double factor;    /* a value is divided by it */
    bool of_row;      /* its unit is that of the row */
    bool whole;       /* of a time no fraction of a second */
    bool block;       /* of a UUID its first block   */
    const char *noun; /* stands for "task" in its cells; NULL: they stay */
    int decimals;
    size_t half_width, ends_width; /* of the widest half of an interval, and of both ends of one */
};

/* The rows of a view: those of its frame. */
struct view_rows {
    const struct gs_frame *frame;
    struct shown *shown;
};

static bool names_gpu(const struct gs_column_spec *spec)
{
    return spec->type == GS_TYPE_TEXT && (spec->id == GS_COL_GPU || spec->id == GS_COL_GPU_UUID);
}

static void look_at_uuid(struct seen *s, struct gs_str text)
{
    const struct gs_str brief = gs_uuid_brief(text);
    if (brief.len == text.len)
        return;
    const char *const uuid = text.ptr + text.len - UUID_LEN;
    s->ambiguous |= memcmp(s->uuid, uuid, (size_t)(brief.ptr + brief.len - uuid)) == 0 &&
                    memcmp(s->uuid, uuid, UUID_LEN) != 0;
    memcpy(s->uuid, uuid, UUID_LEN);
}

static void look_at_cell(struct seen *s, const struct gs_column *c, size_t row)
{
    switch (c->spec->type) {
    case GS_TYPE_TEXT:
        s->any |= c->text[row].len > 0 || *gs_or_empty(c->spec->empty) != '\0';
        s->total |= gs_str_eq(c->text[row], gs_str("total"));
        if (names_gpu(c->spec))
            look_at_uuid(s, c->text[row]);
        return;
    case GS_TYPE_REAL:
        if (isfinite(c->real[row]))
            s->largest = fmax(s->largest, fabs(c->real[row]));
        break;
    case GS_TYPE_TIME:
        s->undated |= c->integer[row] < GS_TIME_DATED_NS;
        s->largest = fmax(s->largest, c->integer[row] % GS_NS_PER_S != 0);
        break;
    case GS_TYPE_INT:
        break;
    }
    s->any = true;
}

/* Is all known of a column that has some value? */
static bool is_settled(const struct gs_column_spec *spec, size_t column)
{
    return spec->type == GS_TYPE_INT ||
           (spec->type == GS_TYPE_TEXT && column > 0 && !names_gpu(spec));
}

static enum gs_status look_at_rows(void *context, const struct gs_frame *part, struct gs_err *err)
{
    struct seen *const seen = context;
    (void)err;
    for (size_t c = 0; c < part->n_columns; c++) {
        const bool once = is_settled(part->columns[c].spec, c);
        for (size_t r = 0; r < part->n_rows && !(once && seen[c].any); r++)
            if (!gs_frame_is_missing(part, r, c))
                look_at_cell(&seen[c], &part->columns[c], r);
    }
    return GS_OK;
}

/* The ends of an interval carry the first word of its value: energy_low_j and energy_high_j of energy_sum_j. */
static const struct {
    const char *word, *end[2];
} intervals[] = {{"energy", {"_low_j", "_high_j"}},
                 {"cost", {"_low", "_high"}},
                 {"co2", {"_low_g", "_high_g"}},
                 {"wasted", {"_low_gpu_h", "_high_gpu_h"}}};

enum { N_INTERVALS = sizeof intervals / sizeof *intervals };

static int interval_end(const struct gs_frame *f, const char *name, int which)
{
    char room[64];
    for (size_t k = 0; k < N_INTERVALS; k++) {
        const char *const at = strstr(name, intervals[k].word);
        if (at == NULL)
            continue;
        const int len = (int)(at - name) + (int)strlen(intervals[k].word);
        const int n = snprintf(room, sizeof room, "%.*s%s", len, name, intervals[k].end[which]);
        if (n >= (int)sizeof room || strcmp(room, name) == 0)
            return NO_COLUMN;
        return gs_frame_find(f, room);
    }
    return NO_COLUMN;
}

/* How far an interval reaches below and above its value. */
struct sides {
    double below, above;
};

/* Those of a mean are as large a part of it as those of the sum are of the sum. */
static struct sides sides_of(const struct gs_column *columns, const struct shown *s, size_t row)
{
    const double value = columns[s->of].real[row];
    const struct sides of = {value - columns[s->low].real[row], columns[s->high].real[row] - value};
    double per = 1;
    if (s->of != s->from && value == 0) /* nothing to take a part of: the sum is of so many */
        per = 1 / (double)columns[s->n].integer[row];
    else if (s->of != s->from)
        per = columns[s->from].real[row] / value;
    return (struct sides){of.below * per / s->factor, of.above * per / s->factor};
}

/* What stands beside a value: nothing, the half of its interval, or both ends of one whose sides differ. */
struct beside {
    struct gs_buf text;
    bool ends;
};

/*
 * A value and its half-width in the digits of the column, or in as many as the half-width needs to show two: 0.027 ±
 * 0.007. A value that rounds to zero in these is zero. Sides that differ as printed would make of a half-width another
 * interval than the one that is known: 0.007 (0 to 0.034). What is known exactly stands alone.
 */
static void append_pair(struct gs_buf *value, struct beside *beside,
                        const struct gs_column *columns, const struct shown *s, size_t row)
{
    const struct sides side = sides_of(columns, s, row);
    const double v = columns[s->from].real[row] / s->factor, h = fmax(side.below, side.above);
    int decimals = s->decimals;
    if (h > 0 && h < 0.5 * pow(10, -decimals))
        decimals = 1 - (int)floor(log10(h));
    const double half_digit = 0.5 * pow(10, -gs_max(decimals, 0));
    const bool zero = !isnan(h) && decimals >= 0 && fabs(v) < half_digit;
    gs_real_for_people(value, zero ? 0 : v, decimals);
    beside->ends = fabs(side.below - side.above) > half_digit;
    if (isnan(side.below) || isnan(side.above) || (side.below == 0 && side.above == 0))
        return;
    if (!beside->ends) {
        gs_real_for_people(&beside->text, h, decimals);
        return;
    }
    const double low = v - side.below;
    gs_buf_char(&beside->text, '(');
    gs_real_for_people(&beside->text, low, fabs(low) < half_digit ? 0 : decimals);
    gs_buf_text(&beside->text, " to ");
    gs_real_for_people(&beside->text, v + side.above, decimals);
    gs_buf_char(&beside->text, ')');
}

static enum gs_status measure_intervals(void *context, const struct gs_frame *part,
                                        struct gs_err *err)
{
    struct shown *const s = context;
    GS_OWN struct gs_arena own = {0};
    struct gs_buf value = {.arena = &own};
    struct beside beside = {{.arena = &own}, false};
    for (size_t r = 0; r < part->n_rows; r++) {
        value.len = beside.text.len = 0;
        if (gs_frame_is_missing(part, r, s->from))
            continue;
        append_pair(&value, &beside, part->columns, s, r);
        size_t *const width = beside.ends ? &s->ends_width : &s->half_width;
        *width = gs_max(beside.text.len, *width);
    }
    return gs_had_memory(!value.failed && !beside.text.failed, err);
}

static void pad(struct gs_buf *b, size_t from, size_t to)
{
    for (size_t n = from; n < to; n++)
        gs_buf_char(b, ' ');
}

/*
 * "319.1 ± 70.4"; the number alone where the interval is unknown, its place kept. The signs of all rows stand one under
 * the other: the half-width is padded on its left, and all of it on its right where another row's is longer.
 */
static enum gs_status interval_text(const struct gs_column *columns, const struct shown *s,
                                    size_t row, struct gs_arena *arena, struct gs_str *text,
                                    struct gs_err *err)
{
    enum { BLANK = 1, MARK = 3 };
    struct gs_buf b = {.arena = arena};
    struct beside beside = {{.arena = arena}, false};
    const size_t width = gs_max(s->half_width > 0 ? MARK + s->half_width : 0,
                                s->ends_width > 0 ? BLANK + s->ends_width : 0);
    size_t used = 0;
    append_pair(&b, &beside, columns, s, row);
    if (beside.ends) {
        gs_buf_char(&b, ' ');
        used = BLANK + beside.text.len;
    } else if (beside.text.len > 0) {
        gs_buf_format(&b, " %s ", interval_mark);
        pad(&b, beside.text.len, s->half_width);
        used = MARK + s->half_width;
    }
    gs_buf_bytes(&b, beside.text.ptr, beside.text.len);
    pad(&b, used, width);
    *text = gs_buf_str(&b);
    return gs_had_memory(!b.failed && !beside.text.failed, err);
}

static bool is_of_row(const struct gs_column_spec *spec)
{
    return spec->id == GS_COL_A || spec->id == GS_COL_B || spec->id == GS_COL_MEASURE_UNIT;
}

/* Rows of several measures: each has a unit that fits its own two values. */
static enum gs_status show_of_row(const struct gs_frame *part, const struct shown *s,
                                  struct gs_column *to, struct gs_arena *arena, struct gs_err *err)
{
    const struct gs_column *const a = &part->columns[gs_frame_column(part, GS_COL_A)],
                                  *const b = &part->columns[gs_frame_column(part, GS_COL_B)];
    const struct gs_str *const unit =
        part->columns[gs_frame_column(part, GS_COL_MEASURE_UNIT)].text;
    const struct gs_column *const from = &part->columns[s->from];
    const bool is_text = from->spec->type == GS_TYPE_TEXT;
    void *const room =
        gs_arena_take(arena, part->n_rows, is_text ? sizeof *to->text : sizeof *to->real);
    GS_TRY(gs_had_memory(room != NULL || part->n_rows == 0, err));
    if (is_text)
        to->text = room;
    else
        to->real = room;
    for (size_t r = 0; r < part->n_rows; r++) {
        const char *const own = gs_arena_copy(arena, unit[r].ptr, unit[r].len);
        GS_TRY(gs_had_memory(own != NULL, err));
        const struct gs_si si = gs_si_of(own, fmax(fabs(a->real[r]), fabs(b->real[r])));
        if (is_text)
            to->text[r] = gs_str(si.unit);
        else
            to->real[r] = from->real[r] / si.factor;
    }
    return GS_OK;
}

static enum gs_status show_column(const struct gs_frame *part, const struct shown *s,
                                  struct gs_column *to, struct gs_arena *arena, struct gs_err *err)
{
    const struct gs_column *const from = &part->columns[s->from];
    enum gs_status status = GS_OK;
    if (s->of_row)
        return show_of_row(part, s, to, arena, err);
    if (s->low != NO_COLUMN) {
        to->text = gs_arena_take(arena, part->n_rows, sizeof *to->text);
        for (size_t r = 0; to->text != NULL && r < part->n_rows && status == GS_OK; r++)
            if (!isnan(from->real[r]))
                status = interval_text(part->columns, s, r, arena, &to->text[r], err);
    } else if (s->factor != 1) {
        to->real = gs_arena_take_raw(arena, part->n_rows, sizeof *to->real);
        for (size_t r = 0; to->real != NULL && r < part->n_rows; r++)
            to->real[r] = from->real[r] / s->factor;
    } else if (s->block || s->noun != NULL) {
        to->text = gs_arena_take(arena, part->n_rows, sizeof *to->text);
        for (size_t r = 0; to->text != NULL && r < part->n_rows; r++) {
            to->text[r] = from->text[r];
            if (s->block)
                to->text[r] = gs_uuid_brief(from->text[r]);
            if (s->noun != NULL && gs_str_eq(from->text[r], gs_str(task)))
                to->text[r] = gs_str(s->noun);
        }
    } else {
        to->text = from->text;
    }
    GS_TRY(gs_had_memory(to->text != NULL || part->n_rows == 0, err));
    return status;
}

static enum gs_status read_view(const void *rows, size_t first, size_t n, struct gs_column *columns,
                                size_t n_columns, struct gs_arena *arena, struct gs_err *err)
{
    const struct view_rows *const v = rows;
    struct gs_frame part = {0};
    GS_TRY(gs_frame_part(v->frame, first, n, arena, &part, err));
    for (size_t c = 0; c < n_columns; c++)
        GS_TRY(show_column(&part, &v->shown[c], &columns[c], arena, err));
    return GS_OK;
}

/* The choice for one frame. */
struct choice {
    const struct gs_frame *frame;
    const struct seen *seen;
    struct shown *shown; /* room for all columns, each once */
    size_t n;
    bool people, *matched; /* matched: of the items of --show */
    const char *noun;      /* as in the options               */
};

static bool has_unit_of(const struct gs_frame *f, int end, size_t column)
{
    const char *const of_end = f->columns[end].spec->unit;
    const char *const of = f->columns[column].spec->unit;
    return of == of_end || (of != NULL && of_end != NULL && strcmp(of, of_end) == 0);
}

/* What is made of the sum of events has no interval of its own: that of the sum tells it. */
static void set_part_of_sum(const struct gs_frame *f, size_t column, struct shown *s)
{
    const int sum = gs_frame_column(f, GS_COL_ENERGY_SUM_J), n = gs_frame_column(f, GS_COL_N);
    const enum gs_column_id id = f->columns[column].spec->id;
    if (sum < 0 || n < 0 ||
        (id != GS_COL_ENERGY_MEAN_J && id != GS_COL_ENERGY_DIVIDED_J &&
         id != GS_COL_ENERGY_PER_ITEM_J))
        return;
    s->of = (size_t)sum;
    s->n = (size_t)n;
}

/* The ends of a number's interval where it has values; energy_pct, of another unit, has none. */
static void set_interval(const struct choice *c, size_t column, struct shown *s)
{
    const char *const name = c->frame->columns[column].spec->name;
    const int low = interval_end(c->frame, name, 0), high = interval_end(c->frame, name, 1);
    if (low < 0 || high < 0 || !c->seen[low].any || !c->seen[high].any ||
        !has_unit_of(c->frame, low, column))
        return;
    s->low = low;
    s->high = high;
}

/* `brief`: a number with its interval, a UUID without its tail; else as the column has it. */
static void add_column(struct choice *c, size_t column, bool brief)
{
    const struct gs_column_spec *const spec = c->frame->columns[column].spec;
    struct shown one = {.from = column,
                        .of = column,
                        .low = NO_COLUMN,
                        .high = NO_COLUMN,
                        .factor = 1,
                        .of_row = c->people && is_of_row(spec) &&
                                  gs_frame_column(c->frame, GS_COL_MEASURE_UNIT) >= 0};
    set_part_of_sum(c->frame, column, &one);
    for (size_t i = 0; i < c->n; i++)
        if (c->shown[i].from == column)
            return;
    one.block = brief && c->people && names_gpu(spec) && !c->seen[column].ambiguous;
    if (c->people && spec->id == GS_COL_STATE && gs_frame_column(c->frame, GS_COL_PART) >= 0)
        one.noun = c->noun == NULL || *c->noun == '\0' ? "event" : c->noun;
    if (brief && spec->type == GS_TYPE_REAL)
        set_interval(c, column, &one);
    const int low = one.low, high = one.high;
    if (!c->people) /* programs get each end in a column of its own */
        one.low = one.high = NO_COLUMN;
    c->shown[c->n++] = one;
    if (!c->people && low != NO_COLUMN) {
        add_column(c, (size_t)low, false);
        add_column(c, (size_t)high, false);
    }
}

/* Is it one end of an interval that stands beside another column? */
static bool is_interval_end(const struct gs_frame *f, size_t column)
{
    const struct gs_str name = gs_str(f->columns[column].spec->name);
    for (size_t k = 0; k < 2 * N_INTERVALS; k++) {
        const struct gs_str end = gs_str(intervals[k / 2].end[k % 2]);
        if (name.len > end.len && memcmp(name.ptr + name.len - end.len, end.ptr, end.len) == 0)
            return true;
    }
    return false;
}

static bool is_text(const struct choice *c, size_t column)
{
    return c->frame->columns[column].spec->type == GS_TYPE_TEXT;
}

static bool holds_values(const struct choice *c, size_t column)
{
    return c->seen[column].any || c->frame->n_rows == 0;
}

/* Has it values that mean something? In a run without tasks, which the noun "" stands for, those of tasks do not. */
static bool answers(const struct choice *c, size_t column)
{
    const bool no_tasks = c->noun != NULL && *c->noun == '\0';
    return holds_values(c, column) &&
           !(no_tasks && strstr(c->frame->columns[column].spec->label, task) != NULL);
}

static void add_first_columns(struct choice *c, size_t most)
{
    for (size_t k = 0; k < c->frame->n_columns && c->n < most; k++) {
        const size_t column = gs_frame_shown(c->frame, k);
        if (holds_values(c, column) && !is_interval_end(c->frame, column))
            add_column(c, column, true);
    }
}

/* Is that the end of a name? Then it is taken off. */
static bool takes_mark(struct gs_str *name, const char *mark)
{
    const bool has = name->len > strlen(mark) && gs_str_ends(*name, mark);
    name->len -= has ? strlen(mark) : 0;
    return has;
}

/* One item of a list of defaults, see gs_view_default. */
static void add_default(struct choice *c, struct gs_str item)
{
    const size_t dots = gs_str_find(item, "..");
    const bool up_to = dots < item.len;
    if (up_to)
        item = gs_str_after(item, dots + 2);
    while (item.len > 0) {
        struct gs_str name = gs_str_take(&item, '|');
        const bool interval = takes_mark(&name, interval_mark), not_zero = takes_mark(&name, "?"),
                   whole = takes_mark(&name, "~");
        size_t k = 0;
        while (k < c->frame->n_columns && !gs_str_eq(name, gs_str(c->frame->columns[k].spec->name)))
            k++;
        if (k == c->frame->n_columns)
            continue;
        for (size_t before = 0; up_to && before < k; before++)
            if (holds_values(c, before))
                add_column(c, before, is_text(c, before));
        if (!answers(c, k) || (not_zero && c->seen[k].largest == 0))
            continue;
        add_column(c, k, interval || is_text(c, k));
        c->shown[c->n - 1].whole |= whole;
        return;
    }
}

/* What the energy costs was asked for: it stands beside it, where a narrow terminal has room. */
static void add_costs(struct choice *c)
{
    add_default(c, gs_str("cost\xC2\xB1"));
    add_default(c, gs_str("co2_g\xC2\xB1"));
    add_default(c, gs_str("facility_kwh"));
}

static void add_defaults(struct choice *c)
{
    const char *list = gs_view_default(c->frame->name);
    for (; list != NULL && *list != '\0'; list += *list == ',') {
        const struct gs_str item = {list, strcspn(list, ",")};
        add_default(c, item);
        if (gs_str_begins(item, "energy") && gs_str_ends(item, interval_mark))
            add_costs(c);
        list += item.len;
    }
    add_costs(c);
    if (c->n < 2) /* a frame of other columns than the list was made for */
        add_first_columns(c, SHOWN_MAX);
}

static bool is_short_for(struct gs_str word, struct gs_str name)
{
    return name.len > word.len && name.ptr[word.len] == '_' &&
           memcmp(name.ptr, word.ptr, word.len) == 0;
}

/* "energy" is the energy that the table shows by default, else its first: energy_sum_j of events. */
static int find_short(const struct choice *c, struct gs_str word)
{
    const struct gs_frame *const f = c->frame;
    const char *list = gs_view_default(f->name);
    for (size_t len; list != NULL && *list != '\0'; list += len + (list[len] != '\0')) {
        len = strcspn(list, ",|?~\xC2"); /* up to the mark of an interval, too */
        for (size_t k = 0; k < f->n_columns; k++)
            if ((!c->people || holds_values(c, k)) &&
                is_short_for(word, (struct gs_str){list, len}) &&
                gs_str_eq((struct gs_str){list, len}, gs_str(f->columns[k].spec->name)))
                return (int)k;
    }
    for (size_t k = 0; k < f->n_columns; k++)
        if ((!c->people || holds_values(c, k)) &&
            is_short_for(word, gs_str(f->columns[k].spec->name)))
            return (int)k;
    return NO_COLUMN;
}

/* A number that was named stands with its ± as well, unless an end of its interval is a column of its own. */
static void add_intervals(struct choice *c)
{
    for (size_t i = 0; i < c->n; i++) {
        struct shown *const one = &c->shown[i];
        if (one->low != NO_COLUMN || c->frame->columns[one->from].spec->type != GS_TYPE_REAL)
            continue;
        set_interval(c, one->from, one);
        for (size_t k = 0; k < c->n; k++)
            if (one->low == (int)c->shown[k].from || one->high == (int)c->shown[k].from)
                one->low = one->high = NO_COLUMN;
    }
}

/* One item of --show; returns whether the frame has such a column. */
static bool add_named(struct choice *c, struct gs_str item)
{
    struct gs_kept kept;
    bool found = false;
    if (gs_str_eq(item, gs_str("default"))) {
        add_defaults(c);
        return true;
    }
    const bool all = gs_str_eq(item, gs_str("all"));
    for (size_t k = 0; k < c->frame->n_columns; k++) {
        const struct gs_str name = gs_str(c->frame->columns[k].spec->name);
        if (!all && !gs_str_eq(item, name) && !gs_pattern_match(item, name, &kept))
            continue;
        add_column(c, k, false);
        found = true;
    }
    int column = found ? NO_COLUMN : find_short(c, item);
    if (!found && column == NO_COLUMN)
        column = gs_frame_find_named(c->frame, item);
    if (column != NO_COLUMN)
        add_column(c, (size_t)column, true);
    return found || column != NO_COLUMN;
}

/* "mean task" of steps is "mean step". */
static enum gs_status name_tasks(struct gs_column_spec *spec, const char *noun,
                                 struct gs_arena *arena, struct gs_err *err)
{
    const char *const at = strstr(spec->label, task);
    if (noun == NULL || *noun == '\0' || at == NULL)
        return GS_OK;
    spec->label =
        gs_format(arena, "%.*s%s%s", (int)(at - spec->label), spec->label, noun, at + strlen(task));
    return gs_had_memory(spec->label != NULL, err);
}

/* A zone that holds for all rows stands in the heading, and no fraction where every second is whole. */
static void settle_time(struct gs_column_spec *spec, const struct seen *seen, bool whole,
                        const struct gs_zone *zone)
{
    const bool utc = zone == NULL || (zone->name == NULL && zone->offset_s == 0);
    if (utc && !seen->undated)
        spec->unit = "UTC";
    if (whole || seen->largest == 0)
        spec->decimals = GS_WHOLE_SECONDS;
}

/* Units by the largest value of the column, so that one unit fits all rows. */
static enum gs_status settle_units(struct choice *c, struct gs_column_spec *specs,
                                   struct gs_err *err)
{
    for (size_t i = 0; i < c->n; i++) {
        struct shown *const one = &c->shown[i];
        specs[i] = *c->frame->columns[one->from].spec;
        one->decimals = specs[i].decimals;
        if (c->people && specs[i].type == GS_TYPE_REAL) {
            const struct gs_si unit = gs_si_of(specs[i].unit, c->seen[one->from].largest);
            const double largest = c->seen[one->from].largest / unit.factor;
            if (gs_unit_takes_four(specs[i].unit, unit.factor) ||
                (one->low != NO_COLUMN && largest >= 1))
                one->decimals = gs_decimals_of_four(largest);
            one->factor = unit.factor;
            specs[i].unit = unit.unit;
            specs[i].decimals = one->decimals;
        }
        if (c->people && specs[i].type == GS_TYPE_TIME)
            settle_time(&specs[i], &c->seen[one->from], one->whole, c->frame->zone);
        if (one->low != NO_COLUMN) {
            specs[i].type = GS_TYPE_TEXT; /* with a unit: aligned as a number */
            GS_TRY(gs_frame_parts(c->frame, measure_intervals, one, err));
        }
    }
    return GS_OK;
}

static enum gs_status finish_view(struct choice *c, struct gs_arena *arena, struct gs_frame *out,
                                  struct gs_err *err)
{
    GS_NEW(struct gs_column_spec, specs, c->n, arena, err);
    GS_NEW(struct view_rows, rows, 1, arena, err);
    GS_NEW(struct gs_column, columns, c->n, arena, err);
    const enum gs_status s = settle_units(c, specs, err);
    for (size_t i = 0; s == GS_OK && i < c->n && c->people; i++)
        GS_TRY(name_tasks(&specs[i], c->noun, arena, err));
    *rows = (struct view_rows){c->frame, c->shown};
    for (size_t i = 0; i < c->n; i++)
        columns[i].spec = &specs[i];
    *out = *c->frame;
    out->columns = columns;
    out->n_columns = c->n;
    out->order = NULL;
    out->row_order = NULL; /* the frame below knows its own */
    out->source = (struct gs_row_source){rows, c->frame->source.far, read_view};
    return s;
}

/* For people the first column stands in front all the same where it says which row is the total. */
static void name_total(struct choice *c)
{
    const size_t n = c->n;
    if (!c->people || n == 0 || !c->seen[0].total)
        return;
    add_column(c, 0, true);
    if (c->n == n)
        return;
    const struct shown first = c->shown[n];
    memmove(c->shown + 1, c->shown, n * sizeof *c->shown);
    c->shown[0] = first;
}

static void choose_columns(struct choice *c, const char *show)
{
    size_t item = 0;
    if (show == NULL) {
        add_defaults(c);
        return;
    }
    for (const char *p = show; *p != '\0'; p += *p == ',', item++) {
        const size_t len = strcspn(p, ",");
        c->matched[item] |= len == 0 || add_named(c, (struct gs_str){p, len});
        p += len;
    }
    if (c->people)
        add_intervals(c);
    name_total(c);
}

/* The first item that no frame has. */
static enum gs_status check_items(const struct gs_frame *first, const char *show,
                                  const bool *matched, struct gs_err *err)
{
    struct gs_str rest = gs_str(show);
    for (size_t item = 0; rest.len > 0; item++) {
        const struct gs_str name = gs_str_take(&rest, ',');
        if (!matched[item])
            return gs_column_name_fail("--show", name, first, err);
    }
    return GS_OK;
}

static enum gs_status begin_choice(struct choice *c, const struct gs_frame *f, bool looks,
                                   struct gs_arena *arena, struct gs_err *err)
{
    GS_NEW(struct seen, seen, f->n_columns, arena, err);
    c->frame = f;
    c->seen = seen;
    GS_TAKE(c->shown, f->n_columns, arena, err);
    if (!looks)
        return GS_OK;
    return gs_frame_parts(f, look_at_rows, seen, err);
}

static enum gs_status view_one(const struct gs_frame *f, const struct gs_view_options *options,
                               bool *matched, struct gs_arena *arena, struct choice *c,
                               struct gs_frame *out, struct gs_err *err)
{
    const bool looks =
        options->people || options->show == NULL || strstr(options->show, "default") != NULL;
    *c = (struct choice){.people = options->people, .matched = matched, .noun = options->noun};
    GS_TRY(begin_choice(c, f, looks, arena, err));
    choose_columns(c, options->show);
    return finish_view(c, arena, out, err);
}

enum gs_status gs_view_columns(const struct gs_frame *f, const enum gs_column_id *columns, size_t n,
                               struct gs_arena *arena, struct gs_frame *out, struct gs_err *err)
{
    struct choice c = {.people = true};
    GS_TRY(begin_choice(&c, f, true, arena, err));
    if (n == 0)
        add_first_columns(&c, f->n_columns);
    for (size_t i = 0; i < n; i++) {
        const int at = gs_frame_column(f, columns[i]);
        if (at >= 0 && (i == 0 || holds_values(&c, (size_t)at)))
            add_column(&c, (size_t)at, true);
    }
    return finish_view(&c, arena, out, err);
}

/* Columns that are in the cells of others, as ends of their intervals; a sum and its mean have the same. */
static size_t count_ends(const struct choice *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++) {
        size_t before = 0;
        while (before < i && c->shown[before].low != c->shown[i].low)
            before++;
        if (c->shown[i].low != NO_COLUMN && before == i)
            n += 2;
    }
    return n;
}

enum gs_status gs_view_frames(const struct gs_frame *first, const struct gs_view_options *options,
                              struct gs_arena *arena, struct gs_view *view, struct gs_err *err)
{
    const char *const show = options->show;
    const bool by_default = show == NULL || strcmp(show, "default") == 0;
    *view = (struct gs_view){.fits = by_default && options->people};
    if ((show == NULL && !options->people) || (show != NULL && strcmp(show, "all") == 0)) {
        view->first = (struct gs_frame *)(uintptr_t)first;
        return GS_OK;
    }
    struct gs_frame **end = &view->first;
    GS_NEW(bool, matched, strlen(gs_or_empty(show)) + 1, arena, err);
    for (const struct gs_frame *f = first; f != NULL; f = f->next) {
        GS_NEW(struct gs_frame, out, 1, arena, err);
        struct choice c;
        GS_TRY(view_one(f, options, matched, arena, &c, out, err));
        view->n_left_out += f->n_columns - c.n;
        view->n_left_out -= count_ends(&c);
        for (size_t i = 0; i < c.n; i++)
            view->intervals |= c.shown[i].low != NO_COLUMN;
        if (c.n == 0)
            continue;
        *end = out;
        end = &out->next;
        *end = NULL;
    }
    if (show == NULL || !options->usual)
        return check_items(first, show, matched, err);
    if (view->first != NULL)
        return GS_OK;
    const struct gs_view_options none = {NULL, false, options->people, options->noun};
    return gs_view_frames(first, &none, arena, view, err);
}
