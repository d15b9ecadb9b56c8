/* power_log_rows.c - rows of a power log: taken, dropped with a reason, and sorted into a table per GPU. */
#include "read/power_log_rows.h"

#include <stdlib.h>
#include <string.h>

#include "csv/csv.h"

enum { BLOCK_ROWS = 4096, INSTANT_MAX = 80 };

struct pl_block {
    struct pl_block *next;
    size_t n;
    struct pl_row row[BLOCK_ROWS];
};

static struct pl_row *new_row(struct pl_rows *p)
{
    if (p->last == NULL || p->last->n == BLOCK_ROWS) {
        struct pl_block *const b = gs_arena_take_raw(p->arena, 1, sizeof *b);
        if (b == NULL)
            return NULL;
        b->next = NULL;
        b->n = 0;
        if (p->last == NULL)
            p->first = b;
        else
            p->last->next = b;
        p->last = b;
    }
    struct pl_row *const row = &p->last->row[p->last->n++];
    *row = (struct pl_row){
        .t_ns = GS_MISSING, .gpu = GS_INTERN_NONE, .card = GS_INTERN_NONE, .long_form = pl_is_long(&p->bind)};
    for (int s = 0; s < PL_SLOTS; s++)
        row->value[s] = GS_MISSING;
    return row;
}

static struct gs_str trimmed(struct gs_str t)
{
    while (t.len > 0 && (t.ptr[0] == ' ' || t.ptr[0] == '\t'))
        t.ptr++, t.len--;
    while (t.len > 0 && (t.ptr[t.len - 1] == ' ' || t.ptr[t.len - 1] == '\t'))
        t.len--;
    return t;
}

static bool is_missing(struct gs_str t)
{
    return gs_is_missing_word(t) || gs_str_eq(trimmed(t), gs_str("-"));
}

static void drop(struct pl_rows *p, struct pl_row *row, enum pl_drop why)
{
    row->dropped = true;
    if (p->n_dropped[why]++ == 0 || row->line < p->first_line[why])
        p->first_line[why] = row->line;
}

/* Which GPU the row speaks of. A torn row's word counts only where it is a GPU that was seen before. */
static bool row_gpu(struct pl_rows *p, const struct gs_str *cell, size_t n, uint32_t *gpu)
{
    const struct pl_binding *const b = &p->bind;
    *gpu = GS_INTERN_NONE;
    if (b->gpu == PL_NONE && p->options->n_gpus > 1) {
        p->label.len = 0;
        gs_buf_format(&p->label, "%llu", (unsigned long long)(p->n_rows % p->options->n_gpus));
        *gpu = p->label.failed ? GS_INTERN_NONE : gs_intern_add(&p->gpus, gs_buf_str(&p->label));
        return *gpu != GS_INTERN_NONE;
    }
    if (b->gpu == PL_NONE || (size_t)b->gpu >= n || is_missing(cell[b->gpu]))
        return true;
    p->label.len = 0;
    /* An index means something only beside its host; the better names are unique by themselves. */
    if (b->host != PL_NONE && (size_t)b->host < n && b->gpu_rank == 0) {
        const struct gs_str host = trimmed(cell[b->host]);
        gs_buf_bytes(&p->label, host.ptr, host.len);
        gs_buf_char(&p->label, '/');
    }
    const struct gs_str name = trimmed(cell[b->gpu]);
    gs_buf_bytes(&p->label, name.ptr, name.len);
    if (p->label.failed)
        return false;
    if (n != b->n_columns) {
        *gpu = gs_intern_find(&p->gpus, gs_buf_str(&p->label));
        return true;
    }
    *gpu = gs_intern_add(&p->gpus, gs_buf_str(&p->label));
    return *gpu != GS_INTERN_NONE;
}

static bool row_card(struct pl_rows *p, const struct gs_str *cell, size_t n, uint32_t *card)
{
    const int c = p->bind.card;
    if (c == PL_NONE || n != p->bind.n_columns || is_missing(cell[c]))
        return true;
    *card = gs_intern_add(&p->cards, trimmed(cell[c]));
    return *card != GS_INTERN_NONE;
}

static bool is_digits(struct gs_str t)
{
    for (size_t i = 0; i < t.len; i++)
        if (t.ptr[i] < '0' || t.ptr[i] > '9')
            return false;
    return t.len > 0;
}

/* dmon -o DT: YYYYMMDD beside HH:MM:SS. A clock alone counts from 1970-01-01 and goes on past midnight. */
static bool day_and_time(struct pl_rows *p, struct gs_str day, struct gs_str clock, int64_t *t_ns)
{
    char text[64];
    if (clock.len < 8 || clock.len > 18)
        return false;
    memcpy(text, "1970-01-01T", 11);
    if (day.ptr != NULL) {
        if (day.len != 8 || !is_digits(day))
            return false;
        memcpy(text, day.ptr, 4);
        memcpy(text + 5, day.ptr + 4, 2);
        memcpy(text + 8, day.ptr + 6, 2);
    }
    memcpy(text + 11, clock.ptr, clock.len);
    struct gs_time_reader utc = {0};
    int64_t t;
    if (!gs_time_parse(day.ptr != NULL ? &p->time : &utc, (struct gs_str){text, 11 + clock.len}, &t))
        return false;
    if (day.ptr == NULL) {
        const int64_t half_day = 12 * 3600 * GS_NS_PER_S;
        if (p->last_of_day_ns - t > half_day)
            p->day_ns += 2 * half_day;
        p->last_of_day_ns = t;
        t += p->day_ns;
    }
    *t_ns = t;
    return true;
}

static bool row_time(struct pl_rows *p, const struct gs_str *cell, int64_t *t_ns)
{
    const struct pl_binding *const b = &p->bind;
    if (b->time == PL_NONE) {
        *t_ns = GS_MISSING;
        return true;
    }
    const struct gs_str text = trimmed(cell[b->time]);
    if (b->date != PL_NONE || (text.len > 2 && text.ptr[2] == ':'))
        return day_and_time(p, b->date == PL_NONE ? (struct gs_str){NULL, 0} : trimmed(cell[b->date]), text, t_ns);
    return gs_time_parse(&p->time, text, t_ns);
}

/* All power columns of the row: PL_DROPS where one of them has a number. */
static enum pl_drop row_powers(struct pl_rows *p, const struct gs_str *cell, struct pl_row *row)
{
    enum pl_drop why = PL_DROP_POWER_MISSING;
    for (int s = 0; s < PL_POWERS; s++) {
        const int c = p->bind.slot[s];
        if (c == PL_NONE || is_missing(cell[c]))
            continue;
        if (pl_value(p, (enum pl_slot)s, p->bind.unit[s], cell[c], &row->value[s]) == GS_NUMBER_OK)
            why = PL_DROPS;
        else if (why != PL_DROPS)
            why = PL_DROP_POWER_BAD;
    }
    return why;
}

static void row_others(struct pl_rows *p, const struct gs_str *cell, struct pl_row *row)
{
    for (int s = PL_POWERS; s < PL_SLOTS; s++)
        if (p->bind.slot[s] != PL_NONE && !is_missing(cell[p->bind.slot[s]]))
            (void)pl_value(p, (enum pl_slot)s, p->bind.unit[s], cell[p->bind.slot[s]], &row->value[s]);
}

static enum pl_drop row_field(struct pl_rows *p, const struct gs_str *cell, struct pl_row *row)
{
    struct pl_unit unit;
    const enum pl_slot slot = pl_field_slot(cell[p->bind.field], &unit);
    const struct gs_str text = cell[p->bind.value];
    if (slot == PL_SLOTS)
        return PL_DROPS;
    if (is_missing(text))
        return slot < PL_POWERS ? PL_DROP_POWER_MISSING : PL_DROPS;
    const enum gs_number n = pl_value(p, slot, unit, text, &row->value[slot]);
    if (slot >= PL_POWERS || n == GS_NUMBER_OK)
        return PL_DROPS;
    return n == GS_NUMBER_MISSING ? PL_DROP_POWER_MISSING : PL_DROP_POWER_BAD;
}

/* "10:12:46,483": has the comma between seconds and milliseconds made one field into two? */
static bool is_split_instant(struct gs_str time, struct gs_str fraction)
{
    return time.len > 3 && time.ptr[time.len - 3] == ':' && is_digits(fraction) &&
           (fraction.len == 3 || fraction.len == 6 || fraction.len == 9) && time.len + 10 < INSTANT_MAX;
}

enum gs_status pl_row(struct pl_rows *p, const struct gs_str *cell, size_t n, uint64_t line, struct gs_err *err)
{
    const struct pl_binding *const b = &p->bind;
    char instant[INSTANT_MAX];
    if (n == b->n_columns + 1 && n <= GS_CSV_FIELDS_MAX && b->time != PL_NONE &&
        is_split_instant(cell[b->time], cell[b->time + 1])) {
        const size_t t = (size_t)b->time;
        if (p->joined == NULL)
            p->joined = gs_arena_take_raw(p->arena, GS_CSV_FIELDS_MAX, sizeof *p->joined);
        if (p->joined == NULL)
            return gs_fail_memory(err);
        struct gs_str *const joined = p->joined;
        memcpy(instant, cell[t].ptr, cell[t].len);
        instant[cell[t].len] = '.';
        memcpy(instant + cell[t].len + 1, cell[t + 1].ptr, cell[t + 1].len);
        for (size_t i = 0; i + 1 < n; i++)
            joined[i] = cell[i + (i > t)];
        joined[t] = (struct gs_str){instant, cell[t].len + 1 + cell[t + 1].len};
        cell = joined;
        n--;
    }
    struct pl_row *const row = new_row(p);
    if (row == NULL || !row_gpu(p, cell, n, &row->gpu) || !row_card(p, cell, n, &row->card))
        return gs_fail_memory(err);
    row->line = line;
    p->n_rows++;
    if (n != b->n_columns) {
        drop(p, row, PL_DROP_FIELDS);
    } else if (!row_time(p, cell, &row->t_ns)) {
        drop(p, row, PL_DROP_TIME);
    } else {
        const enum pl_drop why = row->long_form ? row_field(p, cell, row) : row_powers(p, cell, row);
        if (why != PL_DROPS)
            drop(p, row, why);
        else if (!row->long_form)
            row_others(p, cell, row);
    }
    return GS_OK;
}

/*
 * The first of draw, average and instant that has a value, or the instant one before them where that is preferred;
 * a column asked for by name is taken as it is.
 */
static enum pl_slot choose_power(struct pl_rows *p)
{
    uint64_t n[PL_POWERS] = {0};
    bool all_long = true;
    for (const struct pl_block *b = p->first; b != NULL; b = b->next)
        for (size_t i = 0; i < b->n; i++) {
            all_long &= b->row[i].long_form;
            for (int s = 0; s < PL_POWERS; s++)
                n[s] += b->row[i].value[s] != GS_MISSING;
        }
    if (p->options->power_column != NULL && !all_long)
        return PL_POWER_NAMED;
    if (p->options->prefer_instant && n[PL_POWER_INSTANT] > 0)
        return PL_POWER_INSTANT;
    for (int s = 0; s < PL_POWERS; s++)
        if (n[s] > 0)
            return (enum pl_slot)s;
    return PL_POWER_DRAW;
}

static int compare_gpus(struct gs_str a, struct gs_str b)
{
    uint64_t x, y;
    const bool na = is_digits(a) && gs_count_parse(a, UINT64_MAX, &x) == GS_NUMBER_OK;
    const bool nb = is_digits(b) && gs_count_parse(b, UINT64_MAX, &y) == GS_NUMBER_OK;
    if (na && nb && x != y)
        return x < y ? -1 : 1;
    if (na != nb)
        return na ? -1 : 1;
    return gs_str_compare(a, b);
}

/* order[k] = the intern number of the k-th GPU. */
static uint32_t *order_gpus(const struct gs_intern *gpus, struct gs_arena *arena)
{
    uint32_t *const order = gs_arena_take_raw(arena, gpus->n, sizeof *order);
    uint32_t *const spare = gs_arena_take_raw(arena, gpus->n, sizeof *spare);
    if (order == NULL || spare == NULL)
        return NULL;
    const size_t n = gpus->n;
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t lo = 0; lo < n; lo += 2 * width) {
            const size_t mid = lo + width < n ? lo + width : n, hi = mid + width < n ? mid + width : n;
            size_t i = lo, j = mid;
            for (size_t k = lo; k < hi; k++)
                spare[k] = j >= hi || (i < mid && compare_gpus(gpus->text[order[i]], gpus->text[order[j]]) <= 0)
                               ? order[i++]
                               : order[j++];
        }
        memcpy(order, spare, n * sizeof *order);
    }
    return order;
}

/* Stable merge sort of rows by time: merges are skipped where a stretch is in order, as most are. */
static void sort_by_time(const struct pl_row **row, const struct pl_row **spare, size_t n)
{
    for (size_t width = 1; width < n; width *= 2)
        for (size_t lo = 0; lo + width < n; lo += 2 * width) {
            const size_t mid = lo + width, hi = mid + width < n ? mid + width : n;
            if (row[mid - 1]->t_ns <= row[mid]->t_ns)
                continue;
            size_t i = lo, j = mid;
            for (size_t k = lo; k < hi; k++)
                spare[k] = j >= hi || (i < mid && row[i]->t_ns <= row[j]->t_ns) ? row[i++] : row[j++];
            memcpy(row + lo, spare + lo, (hi - lo) * sizeof(struct pl_row *));
        }
}

static const enum pl_slot slot_of[GS_LOG_FIELDS] = {
    [GS_LOG_POWER] = PL_POWER_DRAW, /* replaced by the one chosen */
    [GS_LOG_TEMP] = PL_TEMP,
    [GS_LOG_GPU_UTIL] = PL_GPU_UTIL,
    [GS_LOG_MEM_UTIL] = PL_MEM_UTIL,
    [GS_LOG_MEMORY_USED] = PL_MEMORY_USED,
    [GS_LOG_MEMORY_TOTAL] = PL_MEMORY_TOTAL,
    [GS_LOG_CLOCK] = PL_CLOCK,
    [GS_LOG_ENERGY] = PL_ENERGY,
};

/* One GPU's rows in order of time become columns. In the long form the other fields' latest values ride
 * along. */
static bool fill_log(struct pl_rows *p, enum pl_slot power, const struct pl_row *const *row, size_t n,
                     struct gs_log *log)
{
    size_t n_readings = 0;
    for (size_t i = 0; i < n; i++)
        n_readings += !row[i]->dropped && row[i]->value[power] != GS_MISSING;
    int64_t *const t = gs_arena_take_raw(p->arena, n_readings, sizeof *t);
    int64_t *value[GS_LOG_FIELDS];
    bool any[GS_LOG_FIELDS] = {false}, times = false;
    for (int f = 0; f < GS_LOG_FIELDS; f++)
        if ((value[f] = gs_arena_take_raw(p->arena, n_readings, sizeof *value[f])) == NULL)
            return false;
    if (t == NULL)
        return false;
    int64_t latest[GS_LOG_FIELDS];
    for (int f = 0; f < GS_LOG_FIELDS; f++)
        latest[f] = GS_MISSING;
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        if (row[i]->dropped)
            continue;
        if (log->card.ptr == NULL && row[i]->card != GS_INTERN_NONE)
            log->card = p->cards.text[row[i]->card];
        for (int f = 0; f < GS_LOG_FIELDS; f++) {
            const int64_t v = row[i]->value[f == GS_LOG_POWER ? power : slot_of[f]];
            latest[f] = v != GS_MISSING || !row[i]->long_form ? v : latest[f];
        }
        if (row[i]->value[power] == GS_MISSING)
            continue;
        t[k] = row[i]->t_ns;
        times |= t[k] != GS_MISSING;
        for (int f = 0; f < GS_LOG_FIELDS; f++) {
            value[f][k] = latest[f];
            any[f] |= latest[f] != GS_MISSING;
        }
        k++;
    }
    log->n = n_readings;
    log->t_ns = times || (n_readings == 0 && p->has_times) ? t : NULL;
    for (int f = 0; f < GS_LOG_FIELDS; f++)
        log->value[f] = any[f] || f == GS_LOG_POWER ? value[f] : NULL;
    return true;
}

static const char *drop_reasons(const struct pl_rows *p, struct gs_arena *arena)
{
    static const char *const why[PL_DROPS] = {
        [PL_DROP_FIELDS] = "with too few or too many fields",
        [PL_DROP_TIME] = "without a readable time",
        [PL_DROP_POWER_MISSING] = "without a power",
        [PL_DROP_POWER_BAD] = "whose power is no number",
    };
    struct gs_buf b = {.arena = arena};
    const char *between = "";
    for (int d = 0; d < PL_DROPS; d++)
        if (p->n_dropped[d] > 0) {
            gs_buf_format(&b, "%s%llu %s (first: line %llu)", between, (unsigned long long)p->n_dropped[d], why[d],
                          (unsigned long long)p->first_line[d]);
            between = ", ";
        }
    return b.failed || b.ptr == NULL ? "" : b.ptr;
}

static void note_drops(const struct pl_rows *p, const struct gs_log_table *t)
{
    if (t->n_dropped > 0)
        gs_note(p->notes, GS_NOTE_WARNING, "%s: %llu of %llu rows dropped (%.3g %%): %s", p->name,
                (unsigned long long)t->n_dropped, (unsigned long long)t->n_rows,
                100.0 * (double)t->n_dropped / (double)t->n_rows, drop_reasons(p, p->arena));
}

static int compare_steps(const void *a, const void *b)
{
    const int64_t *const x = a, *const y = b;
    return (*x > *y) - (*x < *y);
}

/*
 * Do the times of a log without GPU column come in clusters, as those of several GPUs in turn do? At least 2 of 5
 * steps are then nothing beside the mean step; what one GPU's logger stumbles over is rarer.
 */
static bool is_clustered(const struct gs_log *log, struct gs_arena *scratch, bool *clustered)
{
    *clustered = false;
    if (log->t_ns == NULL || log->n < 8)
        return true;
    const size_t n = log->n - 1;
    int64_t *const step = gs_arena_take_raw(scratch, n, sizeof *step);
    if (step == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        if (__builtin_sub_overflow(log->t_ns[i + 1], log->t_ns[i], &step[i]))
            step[i] = INT64_MAX;
    qsort(step, n, sizeof *step, compare_steps);
    const double mean = ((double)log->t_ns[n] - (double)log->t_ns[0]) / (double)n;
    const size_t low = n * 2 / 5;
    *clustered = mean > 0 && (double)step[low] <= mean / 20.0;
    return true;
}

/* A log that says nothing, and one that mixes GPUs, are no result. */
static enum gs_status check_table(const struct pl_rows *p, const struct gs_log_table *t, struct gs_arena *scratch,
                                  struct gs_err *err)
{
    size_t n = 0;
    for (size_t g = 0; g < t->n_logs; g++)
        n += t->log[g].n;
    if (n == 0)
        return gs_fail(err, GS_ERR_DATA, "%s: no reading in %llu rows: %s", p->name, (unsigned long long)t->n_rows,
                       t->n_dropped > 0 ? drop_reasons(p, scratch) : "no field of them is a power");
    for (size_t g = 0; p->no_gpu && p->options->n_gpus == 0 && g < t->n_logs; g++) {
        bool clustered;
        if (t->log[g].gpu.ptr != NULL)
            continue;
        if (!is_clustered(&t->log[g], scratch, &clustered))
            return gs_fail_memory(err);
        if (clustered)
            return gs_fail(err, GS_ERR_DATA,
                           "%s: its times come in clusters, as those of several GPUs do, and no column tells them "
                           "apart: name it (--columns), or say how many GPUs write in turn (--gpus N, 1 for one)",
                           p->name);
    }
    return GS_OK;
}

static void note_rest(const struct pl_rows *p, const struct gs_log_table *t, enum pl_slot power)
{
    char name[80];
    int n_columns = 0;
    for (int s = 0; s < PL_POWERS; s++)
        n_columns += p->power_name[s].ptr != NULL;
    if (n_columns > 1 && p->options->power_column == NULL && p->power_name[power].ptr != NULL)
        gs_note(p->notes, GS_NOTE_INFO, "%s: power taken from '%s', one of %d power columns (--power-column)%s",
                p->name, gs_escape(name, sizeof name, p->power_name[power]), n_columns,
                power == PL_POWER_INSTANT && p->options->prefer_instant
                    ? ": in windows an instant reading goes before a mean"
                    : "");
    if (t->n_headers > 1)
        gs_note(p->notes, GS_NOTE_INFO, "%s: %llu header lines; they are not counted as rows", p->name,
                (unsigned long long)t->n_headers);
    if (t->n_other > 0)
        gs_note(p->notes, GS_NOTE_INFO, "%s: %llu of %llu rows hold other fields than power", p->name,
                (unsigned long long)t->n_other, (unsigned long long)t->n_rows);
    if (p->value_rounded)
        gs_note(p->notes, GS_NOTE_INFO, "%s: values with more than 6 decimals were rounded to 6", p->name);
    uint64_t n_backward = 0;
    for (size_t g = 0; g < t->n_logs; g++)
        n_backward += t->log[g].n_backward;
    if (n_backward > 0)
        gs_note(p->notes, GS_NOTE_WARNING, "%s: time goes backwards at %llu rows; readings were put in order of time",
                p->name, (unsigned long long)n_backward);
}

struct per_gpu {
    size_t n, start, at;
    int64_t last_ns;
};

/* Rows that name no GPU, in a log that else does, stand last as a GPU of their own. */
static size_t count_gpus(struct pl_rows *p, struct per_gpu *gpu)
{
    for (const struct pl_block *b = p->first; b != NULL; b = b->next)
        for (size_t i = 0; i < b->n; i++)
            gpu[b->row[i].gpu == GS_INTERN_NONE ? p->gpus.n : b->row[i].gpu].n++;
    return p->gpus.n + (gpu[p->gpus.n].n > 0);
}

static void deal_rows(struct pl_rows *p, struct per_gpu *gpu, const struct pl_row **row, struct gs_log *log_by_id,
                      enum pl_slot power, struct gs_log_table *t)
{
    for (struct pl_block *b = p->first; b != NULL; b = b->next)
        for (size_t i = 0; i < b->n; i++) {
            struct pl_row *const r = &b->row[i];
            const size_t id = r->gpu == GS_INTERN_NONE ? p->gpus.n : r->gpu;
            struct gs_log *const log = &log_by_id[id];
            if (r->t_ns == GS_MISSING && !p->has_times && p->options->interval_ns > 0)
                r->t_ns = (int64_t)(gpu[id].at - gpu[id].start) * p->options->interval_ns;
            /* The chosen power can be missing where another column had one. */
            if (!r->dropped && !r->long_form && r->value[power] == GS_MISSING)
                drop(p, r, PL_DROP_POWER_MISSING);
            log->n_dropped += r->dropped;
            t->n_dropped += r->dropped;
            t->n_other += !r->dropped && r->value[power] == GS_MISSING;
            if (!r->dropped && r->t_ns != GS_MISSING) {
                log->n_backward += r->t_ns < gpu[id].last_ns;
                gpu[id].last_ns = r->t_ns;
            }
            row[gpu[id].at++] = r;
        }
}

enum gs_status pl_finish(struct pl_rows *p, struct gs_log_table *table, struct gs_err *err)
{
    if (p->n_rows == 0)
        return gs_fail(err, GS_ERR_DATA,
                       p->n_headers > 0 ? "%s: no rows, only a header" : "%s: is empty, expected a power log", p->name);
    int64_t longest;
    if (__builtin_mul_overflow((int64_t)p->n_rows, p->options->interval_ns, &longest))
        return gs_fail(err, GS_ERR_USAGE, "--interval: %llu rows so far apart reach beyond all time",
                       (unsigned long long)p->n_rows);
    const size_t n_ids = (size_t)p->gpus.n + 1;
    struct gs_log_table t = {
        .name = p->name, .stem = p->stem, .n_rows = p->n_rows, .n_headers = p->n_headers, .zoneless = p->time.zoneless};
    enum gs_status checked = GS_OK;
    struct gs_arena scratch = {0};
    struct per_gpu *const gpu = gs_arena_take(&scratch, n_ids, sizeof *gpu);
    const struct pl_row **const row = gs_arena_take_raw(&scratch, p->n_rows, sizeof *row);
    const struct pl_row **const spare = gs_arena_take_raw(&scratch, p->n_rows, sizeof *spare);
    struct gs_log *const by_id = gs_arena_take(&scratch, n_ids, sizeof *by_id);
    uint32_t *const order = order_gpus(&p->gpus, &scratch);
    bool had = gpu != NULL && row != NULL && spare != NULL && by_id != NULL && order != NULL;
    if (had) {
        const enum pl_slot power = choose_power(p);
        t.column = power == PL_POWER_NAMED     ? p->named_column
                   : power == PL_POWER_INSTANT ? GS_COLUMN_INSTANT
                   : power == PL_POWER_AVERAGE ? GS_COLUMN_AVERAGE
                                               : GS_COLUMN_DRAW;
        t.n_logs = count_gpus(p, gpu);
        size_t at = 0;
        for (size_t id = 0; id < n_ids; id++) {
            gpu[id].start = gpu[id].at = at;
            gpu[id].last_ns = INT64_MIN;
            at += gpu[id].n;
        }
        deal_rows(p, gpu, row, by_id, power, &t);
        t.log = gs_arena_take(p->arena, t.n_logs, sizeof *t.log);
        had = t.log != NULL;
        for (size_t k = 0; had && k < t.n_logs; k++) {
            const size_t id = k < p->gpus.n ? order[k] : p->gpus.n;
            const size_t start = gpu[id].start;
            sort_by_time(row + start, spare, gpu[id].n);
            t.log[k] = by_id[id];
            t.log[k].gpu = id < p->gpus.n ? p->gpus.text[id] : (struct gs_str){NULL, 0};
            had = fill_log(p, power, row + start, gpu[id].n, &t.log[k]);
        }
        if (had)
            checked = check_table(p, &t, &scratch, err);
        if (had && checked == GS_OK) {
            note_drops(p, &t);
            note_rest(p, &t, power);
        }
    }
    gs_arena_release(&scratch);
    if (!had || checked != GS_OK)
        return had ? checked : gs_fail_memory(err);
    *table = t;
    return GS_OK;
}
