/* scan.c - the fast way through a row: layout from bit masks, fields from words, names by comparison. */
#include "input/scanner/scan.h"

#include <stdatomic.h>

#include "input/scanner/scan_codes.h"
#include "input/scanner/scan_fields.h"
#include "input/scanner/scan_layout.h"
#include "input/scanner/scan_logs.h"
#include "input/scanner/scan_names.h"
#include "input/scanner/scan_usual.h"

/*
 * A scanner is reused for file after file. The memset ends at `layout` because the tables behind
 * it are large: only the lengths in them are reset, and a length of 0 marks an entry as unknown.
 * A new field that is learnt from a file must stand before `layout`, or be reset here by hand.
 */
void gs_scanner_file(struct gs_scanner *s, struct gs_reader *g, const struct gs_binding *b,
                     size_t input)
{
    gs_reader_file(g, b);
    memset(s, 0, offsetof(struct gs_scanner, layout)); /* all that was learnt of another file */
    for (size_t i = 0; i < GS_SCAN_LAYOUTS; i++)
        s->layout[i].length = 0;
    s->log.n_blocks = s->log.pause = s->log.n_pauses = 0;
    s->log.credit = 0;
    for (size_t i = 0; i < GS_LOG_SHAPES; i++)
        s->log.shape[i].length = 0;
    s->reader = g;
    s->binding = b;
    s->input = input;
    s->span_first = s->span_last = s->host = GS_SCAN_BOUND_MAX;
    s->only_gpu = GS_INTERN_NONE;
    /*
     * The arrays below hold GS_SCAN_BOUND_MAX columns. A wider file leaves them empty, and
     * make_layout and prepare_row_codes then refuse each row, so that the exact parser reads the
     * file.
     */
    if (b->n_bound > GS_SCAN_BOUND_MAX)
        return;
    for (size_t i = 0; i < b->n_bound; i++) {
        const size_t n_unit = b->bound[i].metric == NULL ? 0 : strlen(b->bound[i].unit.shown);
        s->scaled |= b->bound[i].unit.num != b->bound[i].unit.den;
        if (b->bound[i].kind == GS_BIND_NAME && !b->bound[i].may_be_empty)
            s->needed[s->n_needed++] = (uint8_t)i;
        s->suffix[i] = (uint8_t)(n_unit < UINT8_MAX ? n_unit : 0);
        if (n_unit > 0)
            expect_unit(s, i, b->bound[i].unit.shown, n_unit);
        if (b->bound[i].column != GS_NOT_STORED) {
            s->of[b->bound[i].kind][s->n_of[b->bound[i].kind]++] = (uint8_t)i;
            continue;
        }
        if (b->bound[i].pool == GS_POOL_HOST)
            s->host = i;
        s->key[s->n_key] = (uint8_t)i;
        if (s->n_key++ == 0)
            s->span_first = i;
        s->span_last = i;
    }
    /*
     * One comparison of the bytes from the host to the UUID identifies the GPU. That needs the
     * three columns side by side in this order, with no other column between them and a comma as
     * delimiter.
     */
    static const enum gs_pool names[] = {GS_POOL_HOST, GS_POOL_SERIAL, GS_POOL_UUID};
    s->spans =
        b->kind == GS_TABLE_SAMPLES && b->delimiter == ',' &&
        s->n_key == sizeof names / sizeof *names && s->span_last - s->span_first + 1 == s->n_key &&
        (size_t)(b->bound[s->span_last].field - b->bound[s->span_first].field) + 1 == s->n_key;
    for (size_t k = 0; s->spans && k < s->n_key; k++)
        s->spans = b->bound[s->key[k]].pool == names[k];
    s->usual = usual_columns(s);
}

/*
 * Almost every event is START or STOP in capitals: one word comparison each. The load may read
 * behind the field, which GS_SCAN_PADDING allows; the mask drops those bytes.
 */
GS_INLINE bool parse_event_type(struct gs_table_writer *w, const struct gs_bound *b, const char *t,
                                size_t len)
{
    const unsigned column = b->column;
    const uint64_t v = gs_load64(t);
    if (len == 4 && (v & UINT64_C(0xffffffff)) == UINT64_C(0x504f5453)) /* "STOP" */
        gs_table_put_whole(w, column, 1);
    else if (len == 5 && (v & UINT64_C(0xffffffffff)) == UINT64_C(0x5452415453)) /* "START" */
        gs_table_put_whole(w, column, 0);
    else
        return false;
    return true;
}

/* What a path of the scanner does in its own way; constants to the compiler, which inlines them. */
struct path {
    gs_masks_fn *masks;
    readings_fn *readings;
    clock_fn *clock;
    usual_sample_fn *usual_sample; /* NULL: no row is taken as a usual one */
    log_rows_fn *log_rows;         /* NULL: no row is taken by its shape      */
    learn_log_fn *learn_log;
};

static int64_t place_of(const struct gs_scanner *s, const struct gs_scan_bytes *bytes,
                        const struct gs_scan_result *r)
{
    return gs_place(s->input, bytes->chunk, bytes->first_line + r->n_lines);
}

/*
 * A time or reading that is written otherwise, parsed exactly. What it sets beside the row is taken back if the row is
 * not stored after all. False also for a value too large for gs_table_end_small_row.
 */
static bool parse_value(struct gs_scanner *s, struct gs_table_writer *w, const char *row,
                        const struct gs_layout *l, size_t i)
{
    struct gs_reader *const g = s->reader;
    const struct gs_bound *const b = &s->binding->bound[i];
    struct gs_row_fault fault;
    int64_t whole;
    /*
     * Only the first value that is parsed exactly saves the state: a later one would save what
     * this row has already changed.
     */
    if (!s->noted) {
        s->before.rounded = g->rounded;
        s->before.n_missing = g->n_missing;
        s->before.time = g->time;
        s->noted = true;
    }
    if (!gs_reader_value(g, b, name_at(row, l, i), &fault))
        return false;
    const int64_t v = w->mantissa[b->column];
    return v == GS_MISSING ||
           (!__builtin_mul_overflow(
                v, gs_pow10(w->decimals_max[b->column] - (unsigned)w->decimals[b->column]),
                &whole) &&
            gs_table_is_small(whole));
}

/*
 * One reading, however it is written. fast_reading declines whatever could round or overflow;
 * then the exact parser decides, so both ways give the same value.
 */
static bool parse_reading(struct gs_scanner *s, struct gs_table_writer *w, const char *row,
                          const struct gs_layout *l, size_t i)
{
    const struct gs_bound *const b = &s->binding->bound[i];
    int64_t value;
    unsigned decimals;
    if (!fast_reading(s, b, i, row + l->at[i], l->len[i], &value, &decimals))
        return parse_value(s, w, row, l, i);
    gs_table_put(w, b->column, value, decimals);
    return true;
}

/*
 * All readings, by fours as far as they are plain. The last four may hold the same reading twice,
 * as padding. Storing it again is harmless because it is the same value in the same column.
 */
GS_INLINE bool parse_readings(struct gs_scanner *s, struct gs_table_writer *w, const char *row,
                              const struct gs_layout *l, readings_fn *readings)
{
    const struct gs_bound *const bound = s->binding->bound;
    const struct gs_layout_readings *const r = &l->readings;
    int64_t value[GS_READINGS];
    unsigned decimals[GS_READINGS];
    for (size_t k = 0; k < r->n; k += GS_READINGS) {
        bool plain = units_exist(s, row, r, k) && readings(row, r, k, value, decimals);
        for (size_t i = 0; plain && s->scaled && i < GS_READINGS; i++)
            plain = scale_fast(bound[r->bound[k + i]].unit, &value[i], &decimals[i]);
        for (size_t i = 0; i < GS_READINGS; i++)
            if (plain)
                gs_table_put(w, r->column[k + i], value[i], decimals[i]);
            else if (i > 0 && r->bound[k + i] == r->bound[k + i - 1])
                break; /* padding: a missing reading is counted once */
            else if (!parse_reading(s, w, row, l, r->bound[k + i]))
                return false;
    }
    for (size_t k = 0; k < r->n_other; k++)
        if (!parse_reading(s, w, row, l, r->other[k]))
            return false;
    return true;
}

/* Rare forms of time. Not GS_INLINE: the common form should stay small in the loop. */
static bool parse_time(struct gs_scanner *s, struct gs_table_writer *w, const char *row,
                       const struct gs_layout *l, size_t i)
{
    int64_t value;
    unsigned decimals;
    if (!other_time(s, row + l->at[i], l->len[i], &value, &decimals))
        return parse_value(s, w, row, l, i);
    gs_table_put(w, s->binding->bound[i].column, value, decimals);
    return true;
}

/*
 * The columns of a row but for names. False where one wants the exact parser. One loop per kind:
 * no branch asks for the kind of each column. The order is free: a row is stored only when every
 * column has been read.
 */
GS_INLINE bool parse_values(struct gs_scanner *s, struct gs_table_writer *w, const char *row,
                            const struct gs_layout *l, const struct path path)
{
    const struct gs_bound *const bound = s->binding->bound;
    int64_t value;
    unsigned decimals;
    for (size_t k = 0; k < s->n_of[GS_BIND_TIME]; k++) {
        const size_t i = s->of[GS_BIND_TIME][k];
        if (fast_time(s, row + l->at[i], l->len[i], &value, path.clock))
            gs_table_put(w, bound[i].column, value, 3);
        else if (!parse_time(s, w, row, l, i))
            return false;
    }
    if (!parse_readings(s, w, row, l, path.readings))
        return false;
    for (size_t k = 0; k < s->n_of[GS_BIND_INT]; k++) {
        const size_t i = s->of[GS_BIND_INT][k];
        if (!fast_decimal(row + l->at[i], l->len[i], &value, &decimals) || decimals != 0)
            return false;
        gs_table_put_whole(w, bound[i].column, value);
    }
    for (size_t k = 0; k < s->n_of[GS_BIND_EVENT_TYPE]; k++) {
        const size_t i = s->of[GS_BIND_EVENT_TYPE][k];
        const struct gs_str type = name_at(row, l, i);
        if (!parse_event_type(w, &bound[i], type.ptr, type.len))
            return false;
    }
    return true;
}

/*
 * The names that are columns. `dropped`: the row is of a host that is not kept. A name is
 * remembered forever, so this comes after all values have been read: a row that fails must not
 * leave a name behind.
 */
GS_INLINE bool parse_names(struct gs_scanner *s, struct gs_table_writer *w, const char *row,
                           const struct gs_layout *l, bool dropped)
{
    const struct gs_bound *const bound = s->binding->bound;
    for (size_t k = 0; k < s->n_of[GS_BIND_NAME]; k++) {
        const size_t i = s->of[GS_BIND_NAME][k];
        const struct gs_str name = name_at(row, l, i);
        uint32_t id = 0;
        if (name.len == 0 && !bound[i].may_be_empty)
            return false;
        if (bound[i].pool == GS_POOL_TASK && s->reader->tasks != NULL &&
            !gs_name_filter_has(s->reader->tasks, name)) {
            gs_table_put_missing(w, bound[i].column);
            continue;
        }
        if (!dropped || bound[i].pool != GS_POOL_TASK) /* the tasks of other shards are many */
            id = scan_name_number(s, bound[i].pool, name);
        if (id == GS_INTERN_NONE)
            return false;
        gs_table_put_whole(w, bound[i].column, id);
    }
    return true;
}

/*
 * One row whose fields are known. False, with nothing appended, where it wants the exact parser.
 * The order is fixed: first everything that can refuse the row, then its names, then the row
 * itself. A host or GPU that only malformed rows name would otherwise appear in the result with
 * no data.
 */
GS_INLINE bool store_row(struct gs_scanner *s, const char *row, const struct gs_layout *l,
                         int64_t place, const struct path path)
{
    struct gs_table_writer *const w = &s->reader->writer[s->binding->kind];
    const bool checkpoint = s->binding->kind == GS_TABLE_CHECKPOINTS;
    const struct gs_seen *seen = NULL; /* of the owner, where rows are dropped */
    uint32_t owner = 0;
    if (!names_exist(s, row, l)) /* before any of the row's names is remembered */
        return false;
    if (!parse_values(s, w, row, l, path) ||
        (s->reader->pending != NULL && !gs_reader_names(s->reader)))
        return false;
    if (checkpoint && s->host == GS_SCAN_BOUND_MAX) {
        owner = s->reader->key.host; /* none: the event holds for all, as the exact way knows */
    } else if (checkpoint) {
        const struct gs_str name = name_at(row, l, s->host);
        owner = name.len == 0 ? GS_INTERN_NONE : scan_name_number(s, GS_POOL_HOST, name);
    }
    if (owner == GS_INTERN_NONE || (checkpoint && !sees(s, GS_TABLE_CHECKPOINTS, owner, &seen)) ||
        !parse_names(s, w, row, l, seen != NULL && seen->is_dropped))
        return false;
    if (s->binding->kind == GS_TABLE_SAMPLES) {
        owner = gpu_at(s, row, l);
        if (owner == GS_INTERN_NONE || !sees(s, GS_TABLE_SAMPLES, owner, &seen))
            return false;
    }
    if (seen != NULL && seen->is_dropped)
        return true;
    if (s->reader->keep_places)
        gs_table_put_whole(w, w->n_columns - 1, place);
    return gs_table_end_small_row(w, owner, NULL) == GS_OK;
}

/*
 * Is the row of a host that is dropped, and known to be sound? Its names are known then, too.
 * Used only in later passes over a chunk without malformed rows (gs_reader.skips): there the
 * first pass has already read and counted this row, so its values need no second look.
 */
static bool skip_row(struct gs_scanner *s, const char *row, const struct gs_layout *l)
{
    const enum gs_table_kind kind = s->binding->kind;
    uint32_t owner = GS_INTERN_NONE;
    if (kind == GS_TABLE_CHECKPOINTS && s->host != GS_SCAN_BOUND_MAX &&
        name_at(row, l, s->host).len > 0)
        owner = scan_name_number(s, GS_POOL_HOST, name_at(row, l, s->host));
    else if (kind == GS_TABLE_SAMPLES)
        owner = gpu_at(s, row, l);
    const struct gs_seen *seen;
    return owner != GS_INTERN_NONE && sees(s, kind, owner, &seen) && seen != NULL &&
           seen->is_dropped;
}

/*
 * On refusal the exact parser sees the same row again and counts it itself. What this way noticed
 * (rounding, missing readings, times without a zone) is taken back, or it would count twice.
 */
GS_INLINE bool parse_row(struct gs_scanner *s, const char *row, const struct gs_layout *l,
                         int64_t place, const struct path path)
{
    if (s->reader->skips && skip_row(s, row, l))
        return true;
    const bool stored = store_row(s, row, l, place, path);
    if (s->noted && !stored) {
        s->reader->rounded = s->before.rounded;
        s->reader->n_missing = s->before.n_missing;
        s->reader->time = s->before.time;
    }
    s->noted = false;
    return stored;
}

/*
 * Blank lines before `limit`, of which a file may be full. A file of nothing but line feeds would
 * otherwise start the exact parser for each of them.
 */
static const char *pass_blank_lines(const char *p, const char *limit, uint64_t *n_lines)
{
    while (p < limit && (*p == '\n' || (*p == '\r' && limit - p > 1 && p[1] == '\n'))) {
        p += *p == '\r' ? 2 : 1;
        (*n_lines)++;
    }
    return p;
}

/*
 * Is a row that was refused none, as logs have it: the header again, or what is left of the last
 * row of all? nvidia-smi writes its header again each time it is restarted with `>>`, and a
 * logger that is killed leaves half a row at the end. Only bindings with a header (logs) accept
 * either; elsewhere such a row is malformed.
 */
static bool is_no_row(const struct gs_scanner *s, const char *end, bool at_end,
                      struct gs_scan_result *r)
{
    const struct gs_binding *const b = s->binding;
    uint64_t n_lines = 0;
    size_t same = 0;
    if (b->header == NULL || s->fault.status != GS_ERR_DATA)
        return false;
    if (at_end && s->split.n_fields < b->n_fields &&
        pass_blank_lines(s->split.next, end, &n_lines) == end)
        return r->torn = true;
    while (s->split.n_fields == b->n_fields && same < b->n_fields &&
           gs_str_eq(s->split.field[same], b->header[same]))
        same++;
    r->n_headers += same == b->n_fields;
    return same == b->n_fields;
}

/*
 * The exact parser for the row at p. The rules here are those of libcsv's strict mode, which the
 * tests compare with. A NUL is left to the strict reader, because that names the line in its
 * error.
 */
static enum gs_split parse_exactly(struct gs_scanner *s, const struct gs_scan_bytes *bytes,
                                   struct gs_scan_result *r)
{
    const char *const p = r->next, *const end = bytes->end;
    const bool at_end = bytes->at_end;
    const enum gs_split kind = gs_row_split(p, end, at_end, s->binding->delimiter, &s->split);
    if (kind == GS_SPLIT_MORE || kind == GS_SPLIT_REFUSE)
        return kind;
    if (memchr(p, '\0', (size_t)(s->split.next - p)) != NULL)
        return GS_SPLIT_REFUSE;
    if (kind == GS_SPLIT_ROW) {
        const bool taken = gs_reader_row(s->reader, s->binding, s->split.field, s->split.n_fields,
                                         place_of(s, bytes, r), &s->fault);
        if (!taken && !is_no_row(s, end, at_end, r)) {
            s->has_fault = s->fault.status == GS_ERR_DATA;
            return GS_SPLIT_REFUSE;
        }
        r->n_rows += taken;
        if (taken && s->reader->n_bad > 0) {
            if (r->n_bad == 0)
                r->bad_line = bytes->first_line + r->n_lines;
            r->n_bad += s->reader->n_bad;
        }
    }
    r->n_lines += s->split.n_lines;
    r->next = s->split.next;
    return GS_SPLIT_ROW;
}

enum {
    BATCH_ROWS = 32,     /* rows whose look-ups are under way at the same time        */
    LARGE_POOL = 1 << 10 /* names that no longer fit the nearest cache                */
};

/* A row whose layout is known and whose fields are not taken yet. */
struct pending {
    const char *row;
    const struct gs_layout *layout;
    uint32_t length;
};

/*
 * Collects rows up to the first that has no layout, or whose layout would overwrite one that is
 * in use. Only the first row of a batch overwrites a known layout: rows that are collected already
 * point to their layouts, and would be read with another row's.
 */
GS_INLINE size_t collect_batch(struct gs_scanner *s, const char *p, const char *limit,
                               const char *end, size_t most, struct pending pending[BATCH_ROWS],
                               gs_masks_fn *masks)
{
    size_t n = 0;
    while (n < most && p < limit) {
        struct row_marks m;
        if (!read_marks(p, end, masks, s->binding->delimiter, &m))
            break;
        struct gs_layout *const l = layout_slot(s, &m);
        if (!same_marks(l, &m, p) && ((n > 0 && l->length != 0) || !make_layout(s, &m, p, l)))
            break;
        pending[n++] = (struct pending){p, l, m.length};
        p += m.length;
    }
    return n;
}

/*
 * Starts the look-ups of names that the row before does not have: rows in no order miss every
 * cache. A small pool stays in the cache anyway, and hashing it here would cost more than it
 * saves; hence LARGE_POOL. The three rounds touch what a look-up reads in turn: the slot, then
 * what it points to.
 */
static void prefetch_names(const struct gs_scanner *s, const struct pending *pending, size_t n,
                           size_t column)
{
    const struct gs_intern *const in = &s->reader->pool[s->binding->bound[column].pool];
    uint64_t hash[BATCH_ROWS];
    size_t n_hashed = 0;
    struct gs_str before = {0};
    if (in->n < LARGE_POOL)
        return;
    for (size_t k = 0; k < n; k++) {
        const struct gs_str name = name_at(pending[k].row, pending[k].layout, column);
        if (!same_text(before, name)) {
            hash[n_hashed] = gs_hash(name.ptr, name.len, in->seed);
            gs_intern_prefetch(in, hash[n_hashed++], 0);
        }
        before = name;
    }
    for (unsigned step = 1; step <= 2 && n_hashed > 4; step++)
        for (size_t k = 0; k < n_hashed; k++)
            gs_intern_prefetch(in, hash[k], step);
}

/* Stores rows up to the first that its layout does not suffice for; how many. */
GS_INLINE size_t parse_pending(struct gs_scanner *s, const struct gs_scan_bytes *bytes,
                               const struct pending *pending, size_t n, struct gs_scan_result *r,
                               const struct path path)
{
    size_t taken = 0;
    for (; taken < n; taken++) {
        const struct pending *const row = &pending[taken];
        if (!parse_row(s, row->row, row->layout, place_of(s, bytes, r), path))
            break;
        r->n_rows++;
        r->n_lines++;
        r->next = row->row + row->length;
    }
    return taken;
}

/* A row that was stored tells what the next ones may be like. */
GS_INLINE void learn_from(struct gs_scanner *s, const struct pending *row, const char *end,
                          bool logs, const struct path path)
{
    if (s->usual && path.usual_sample != NULL)
        learn(s, row->row, row->layout);
    if (logs && end - row->row >= GS_LOG_BYTES)
        path.learn_log(s, row->row, row->layout);
}

/*
 * From fastest to exact: usual rows, rows of known shape, rows of known layout, the exact parser.
 * Each way takes rows until the first it does not know and leaves r->next there, so every row is
 * stored by exactly one of them and the order of rows is kept.
 */
GS_INLINE enum gs_split scan_by(struct gs_scanner *s, const struct gs_scan_bytes *bytes,
                                struct gs_scan_result *r, const struct path path)
{
    const char *const limit = bytes->limit, *const end = bytes->end;
    *r = (struct gs_scan_result){.next = bytes->at};
    s->has_fault = false;
    const bool together = s->usual || s->n_of[GS_BIND_NAME] > 0;
    const bool logs =
        path.log_rows != NULL && s->binding->kind == GS_TABLE_SAMPLES && !s->usual && !s->spans;
    size_t batch = 1; /* grows while rows are not usual: then they are best looked up together */
    /* The row before was in the caller's buffer, which may have been filled anew since. */
    s->checkpoint.row = NULL;
    gs_table_catch_up(&s->reader->writer[s->binding->kind]);
    while (r->next < limit) {
        struct pending pending[BATCH_ROWS];
        if (s->usual && path.usual_sample != NULL &&
            parse_usual(s, limit, end, place_of(s, bytes, r), r, path.usual_sample, path.clock) >
                0) {
            batch = 1;
            if (r->next >= limit)
                break;
        }
        if (logs && parse_logs(s, limit, end, place_of(s, bytes, r), r, path.log_rows) > 0 &&
            r->next >= limit)
            break;
        const size_t n = collect_batch(s, r->next, limit, end, batch, pending, path.masks);
        batch = together && batch < BATCH_ROWS ? batch * 2 : batch;
        for (size_t k = 0; n > 1 && k < s->n_of[GS_BIND_NAME]; k++)
            prefetch_names(s, pending, n, s->of[GS_BIND_NAME][k]);
        if (parse_pending(s, bytes, pending, n, r, path) == n && n > 0) {
            learn_from(s, &pending[n - 1], end, logs, path);
            continue;
        }
        const enum gs_split k = parse_exactly(s, bytes, r);
        if (k != GS_SPLIT_ROW)
            return k;
        r->next = pass_blank_lines(r->next, limit, &r->n_lines);
    }
    return GS_SPLIT_ROW;
}

typedef enum gs_split scan_fn(struct gs_scanner *s, const struct gs_scan_bytes *bytes,
                              struct gs_scan_result *r);

/*
 * One function per path: the members of `path` are then constants, and the compiler inlines them.
 * The row loop then has no call through a pointer.
 */
static enum gs_split scan_plain(struct gs_scanner *s, const struct gs_scan_bytes *bytes,
                                struct gs_scan_result *r)
{
    return scan_by(
        s, bytes, r,
        (struct path){.masks = gs_masks_plain, .readings = readings_plain, .clock = clock_plain});
}

#if defined(__x86_64__)
__attribute__((target("avx2,bmi,bmi2"))) static enum gs_split
scan_avx2(struct gs_scanner *s, const struct gs_scan_bytes *bytes, struct gs_scan_result *r)
{
    return scan_by(s, bytes, r,
                   (struct path){.masks = gs_masks_avx2,
                                 .readings = readings_avx2,
                                 .clock = clock_avx2,
                                 .usual_sample = parse_usual_sample,
                                 .log_rows = take_log_rows,
                                 .learn_log = learn_log});
}
#endif

/*
 * Threads may choose at the same time; all of them store the same pointer, so no lock is needed.
 */
static _Atomic(scan_fn *) chosen;

/*
 * A virtual machine can offer AVX2 and hide BMI. The paths use both, so both are asked for: an
 * illegal instruction would end the program.
 */
bool gs_scan_use(enum gs_scan_path path)
{
    scan_fn *fn = path == GS_SCAN_AVX2 ? NULL : scan_plain;
#if defined(__x86_64__)
    if (path != GS_SCAN_PLAIN && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("bmi2"))
        fn = scan_avx2;
#endif
    if (fn != NULL)
        atomic_store(&chosen, fn);
    return fn != NULL;
}

enum gs_split gs_scan(struct gs_scanner *s, const struct gs_scan_bytes *bytes,
                      struct gs_scan_result *r)
{
    scan_fn *fn = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (fn == NULL) {
        (void)gs_scan_use(GS_SCAN_BEST);
        fn = atomic_load(&chosen);
    }
    return fn(s, bytes, r);
}
