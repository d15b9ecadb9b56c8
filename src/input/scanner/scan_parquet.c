/*
 * scan_parquet.c - typed values straight into the columns of a table. A value of a dictionary is read once, by the same
 * functions as its text in a CSV would be; a row is stored whole or not at all, and a batch with a row that is not taken
 * is left to the text of it.
 */
#include "input/scanner/scan_parquet.h"

#include <math.h>

#include "base/num/timestamp.h"
#include "input/scanner/scan.h"

enum { BATCH = GS_PARQUET_BATCH, WORDS = 8 };

/* Readings beyond this are parsed exactly: what is stored must stay below 2^62 in units of 10^-6. */
static const int64_t whole_max = INT64_C(4000000000000);

/* A bound column. */
struct lane {
    const struct gs_bound *bound;
    const struct gs_parquet_column *column;
    const struct gs_parquet_batch *batch;
    size_t n_words; /* of the dictionary; the tables have one more, of the null */
    int64_t *word;  /* mantissa; known where decimals_of is not UNKNOWN */
    uint8_t *decimals_of;
    bool has_unknown, has_missing; /* among the words */
    uint64_t *put;                 /* a word's code in its place in a row, where it fits ... */
    bool *fits;
    const struct gs_encoding *put_by; /* ... rows of this encoding */
    uint32_t *id_of;                  /* of a name; GS_INTERN_NONE: not known yet */
    bool looked_at, has_odd_words;    /* of names in the dictionary */
    int64_t value[BATCH];
    uint8_t decimals[BATCH];
    uint32_t id[BATCH];
};

enum { UNKNOWN = UINT8_MAX };
#define UNNAMED (GS_INTERN_NONE - 1)

struct recent_gpu {
    struct gs_gpu_key key;
    uint32_t owner; /* 0: none is kept here; else the owner + 1 */
};

/* Arrays for a batch: too much for the stack of a thread, so it lives in an arena. */
struct scan {
    struct gs_reader *g;
    const struct gs_binding *b;
    struct lane *lane; /* [b->n_bound + 1], the last of the places */
    uint64_t word[BATCH * WORDS];
    struct lane *key[GS_SCAN_BOUND_MAX]; /* [n_keys] names that tell whose a row is */
    struct gs_gpu_key of_row;
    uint32_t *part[GS_SCAN_BOUND_MAX]; /* [n_keys] where its number goes in of_row */
    size_t n_keys;
    struct gs_buf text;
    uint32_t owner[BATCH];
    bool dropped[BATCH];
    const struct lane *recent_by; /* the key with the most words, NULL: none has a dictionary */
    struct recent_gpu *recent;    /* [its words] the last GPU with it */
};

/* The text of a number is valid until the next call only: one buffer serves all. */
static struct gs_str text_of(struct scan *s, const struct lane *l, uint32_t code)
{
    if (code == GS_PARQUET_NULL)
        return gs_str("");
    if (l->column->kind == GS_PARQUET_TEXT)
        return l->batch->text[code];
    s->text.len = 0;
    gs_buf_char(&s->text, ' '); /* so that there is something to point to */
    gs_parquet_put_text(l->column, l->batch, code, &s->text);
    return s->text.failed ? GS_NO_STR : (struct gs_str){s->text.ptr + 1, s->text.len - 1};
}

/*
 * The decimal of a double or float that its shortest text is; those of 15 (6) digits are the only
 * ones of so few. A double 45.2 means the decimal 45.2 and not its binary neighbour, as the same
 * file in CSV would have it. The first number of decimals that converts back to the same double
 * is the shortest.
 */
static bool decimal_of(const struct lane *l, int64_t bits, int64_t *value, uint8_t *decimals)
{
    const bool is_float = l->column->kind == GS_PARQUET_FLOAT;
    const double most = is_float ? 1e6 : 1e15;
    double d;
    memcpy(&d, &bits, sizeof d);
    if (!(fabs(d) < (double)whole_max))
        return false;
    for (unsigned k = 0; k <= 6; k++) {
        const double scale = (double)gs_powers_of_ten[k], whole = nearbyint(d * scale);
        const double back = whole / scale;
        if (fabs(whole) >= most)
            return false;
        if (is_float ? (float)back == (float)d : back == d) {
            *value = (int64_t)whole;
            *decimals = (uint8_t)k;
            return true;
        }
    }
    return false;
}

/*
 * An instant with as few decimals as its unit allows. A local time is taken here only if the zone
 * is UTC; other zones need the calendar, and thus the text.
 */
static bool instant_of(struct scan *s, const struct lane *l, int64_t number, int64_t *value,
                       uint8_t *decimals)
{
    struct gs_time_reader *const r = &s->g->time;
    const int64_t unit_ns = l->column->unit_ns; /* constants divide fast */
    int64_t ms = number;
    bool whole = true;
    if (unit_ns == 1000) {
        ms = number / 1000;
        whole = ms * 1000 == number;
    } else if (unit_ns == 1) {
        ms = number / 1000000;
        whole = ms * 1000000 == number;
    }
    if ((!l->column->utc && !gs_zone_is_utc(&r->zone)) || ms >= whole_max || ms <= -whole_max)
        return false;
    r->zoneless |= !l->column->utc;
    *value = whole ? ms : number;
    *decimals = 3;
    if (!whole)
        *decimals = unit_ns == 1000 ? 6 : 9;
    return true;
}

/*
 * What needs no text: numbers in the metric's own unit, instants. Units that need a factor go
 * through the text, so that rounding is the same as for CSV.
 */
static bool take_number(struct scan *s, const struct lane *l, uint32_t code, int64_t *value,
                        uint8_t *decimals)
{
    const struct gs_bound *const b = l->bound;
    if (code == GS_PARQUET_NULL || l->batch->number == NULL)
        return false;
    const int64_t number = l->batch->number[code];
    if (b->kind == GS_BIND_TIME)
        return l->column->kind == GS_PARQUET_INSTANT && instant_of(s, l, number, value, decimals);
    if (b->unit.num != b->unit.den || (b->kind != GS_BIND_FIXED && b->kind != GS_BIND_INT))
        return false;
    if (l->column->kind == GS_PARQUET_INTEGER && l->column->scale == 0) {
        *value = number;
        *decimals = 0;
        return number < whole_max && number > -whole_max;
    }
    return b->kind == GS_BIND_FIXED &&
           (l->column->kind == GS_PARQUET_DOUBLE || l->column->kind == GS_PARQUET_FLOAT) &&
           decimal_of(l, number, value, decimals);
}

/*
 * The same by its text, exactly. False: it is for the way of text to say what is wrong, or
 * unusual. The writer's `mantissa` serves as scratch: no row is open while a batch is prepared.
 */
static bool take_text(struct scan *s, const struct lane *l, uint32_t code, int64_t *value,
                      uint8_t *decimals)
{
    struct gs_reader *const g = s->g;
    struct gs_table_writer *const w = &g->writer[s->b->kind];
    const struct gs_bound *const b = l->bound;
    const struct gs_str text = text_of(s, l, code);
    struct gs_row_fault fault;
    int64_t whole;
    bool rounded = false;
    *decimals = 0;
    if (text.ptr == NULL || gs_trimmed(text).len != text.len)
        return false;
    if (b->kind == GS_BIND_EVENT_TYPE)
        return (*value = gs_event_type(text)) >= 0;
    if (b->kind == GS_BIND_INT) {
        const bool ok = gs_fixed_parse(text, value, &rounded) == GS_NUMBER_OK && !rounded &&
                        *value % GS_FIXED_ONE == 0;
        *value /= GS_FIXED_ONE;
        return ok;
    }
    const uint64_t n_missing = g->n_missing; /* is counted by row */
    const bool ok = gs_reader_value(g, b, text, &fault);
    g->n_missing = n_missing;
    w->has_missing = false; /* no row is open yet */
    if (!ok)
        return false;
    *value = w->mantissa[b->column];
    *decimals = *value == GS_MISSING ? 0 : w->decimals[b->column];
    return *value == GS_MISSING ||
           (!__builtin_mul_overflow(
                *value, gs_pow10(w->decimals_max[b->column] - (unsigned)*decimals), &whole) &&
            gs_table_is_small(whole));
}

static bool take_value(struct scan *s, const struct lane *l, uint32_t code, int64_t *value,
                       uint8_t *decimals)
{
    return take_number(s, l, code, value, decimals) || take_text(s, l, code, value, decimals);
}

/* The word of a row's value: that behind the last one is the null. */
static inline size_t word_at(const struct lane *l, size_t i)
{
    return gs_min(l->batch->code[i], l->n_words);
}

/* A dictionary of a row group has few values for many rows: each is converted once. False without memory. */
static bool make_words(struct scan *s, struct lane *l)
{
    const size_t n = l->batch->n_values;
    struct gs_arena *const arena = s->text.arena;
    if (!l->batch->lasting || l->n_words > 0 || l->decimals_of != NULL)
        return true;
    l->n_words = n;
    l->word = gs_arena_take_raw(arena, n + 1, sizeof *l->word);
    l->decimals_of = gs_arena_take_raw(arena, n + 1, 1);
    l->id_of = gs_arena_take_raw(arena, n + 1, sizeof *l->id_of);
    l->put = gs_arena_take_raw(arena, n + 1, sizeof *l->put);
    l->fits = gs_arena_take_raw(arena, n + 1, sizeof *l->fits);
    if (l->word == NULL || l->decimals_of == NULL || l->id_of == NULL || l->put == NULL ||
        l->fits == NULL)
        return false;
    memset(l->id_of, 0xff, (n + 1) * sizeof *l->id_of);
    for (size_t at = 0; at <= n && l->bound->kind != GS_BIND_NAME; at++) {
        const uint32_t code = at < n ? (uint32_t)at : GS_PARQUET_NULL;
        if (!take_value(s, l, code, &l->word[at], &l->decimals_of[at]))
            l->decimals_of[at] = UNKNOWN;
        l->has_unknown |= at < n && l->decimals_of[at] == UNKNOWN;
        l->has_missing |= at < n && l->word[at] == GS_MISSING;
    }
    return true;
}
_Static_assert(GS_INTERN_NONE == UINT32_MAX, "make_words sets it by bytes");

/* The values of a column in this batch, before any row of it is stored; those of a dictionary are looked up then. */
static bool take_values(struct scan *s, struct lane *l, size_t n)
{
    const bool lasting = l->batch->lasting;
    for (size_t i = 0; i < n && !lasting; i++)
        if (!take_value(s, l, l->batch->code[i], &l->value[i], &l->decimals[i]))
            return false;
    for (size_t i = 0; i < n && lasting && (l->has_unknown || l->batch->has_nulls); i++)
        if (l->decimals_of[word_at(l, i)] == UNKNOWN)
            return false;
    return true;
}

/*
 * Would a table of text not take this name? NULs and empty names are malformed in text, and the
 * way of text reports them with the row's line.
 */
static bool is_odd(struct scan *s, const struct lane *l, uint32_t code)
{
    const struct gs_str text = text_of(s, l, code);
    return text.ptr == NULL || (text.len == 0 && !l->bound->may_be_empty) ||
           memchr(text.ptr, '\0', text.len) != NULL;
}

/*
 * Looked at before any name of the batch is remembered. A dictionary is looked through once. If
 * one of its words is odd, each batch is looked at, because the word may be in none of its rows.
 */
static bool has_odd_name(struct scan *s, struct lane *l, size_t n)
{
    if (l->batch->has_nulls && !l->bound->may_be_empty)
        return true;
    for (size_t i = 0; i < l->n_words && l->batch->lasting && !l->looked_at; i++)
        l->has_odd_words |= is_odd(s, l, (uint32_t)i);
    l->looked_at |= l->batch->lasting;
    if (l->batch->lasting && !l->has_odd_words)
        return false;
    for (size_t i = 0; i < n; i++)
        if (is_odd(s, l, l->batch->code[i]))
            return true;
    return false;
}

/* The number of a name; GS_INTERN_NONE without memory. Of what tells GPUs apart UNNAMED where it is a word for none. */
static uint32_t name_of(struct scan *s, struct lane *l, size_t i)
{
    const uint32_t code = l->batch->code[i];
    uint32_t own = GS_INTERN_NONE;
    uint32_t *const id =
        l->batch->lasting ? &l->id_of[code == GS_PARQUET_NULL ? l->n_words : code] : &own;
    if (*id != GS_INTERN_NONE)
        return *id;
    const struct gs_str name = text_of(s, l, code);
    *id = gs_intern_add(&s->g->pool[l->bound->pool], name);
    if (*id != GS_INTERN_NONE && l->bound->column == GS_NOT_STORED &&
        l->bound->pool != GS_POOL_HOST && !gs_is_gpu_name(name))
        *id = UNNAMED;
    return *id;
}

/*
 * The numbers of names, into l->id; false without memory. Those of rows that are not kept, and of tasks that nobody asks
 * for, stay unknown, for they may be many.
 */
static bool take_names(struct scan *s, struct lane *l, size_t n)
{
    const uint32_t *const code = l->batch->code;
    const struct gs_name_filter *const tasks =
        s->b->kind == GS_TABLE_TASKS && l->bound->pool == GS_POOL_TASK ? s->g->tasks : NULL;
    bool known = l->batch->lasting;
    for (size_t i = 0; i < n && l->batch->lasting; i++) {
        l->id[i] = l->id_of[word_at(l, i)];
        known &= l->id[i] != GS_INTERN_NONE;
    }
    for (size_t i = 0; i < n && !(known && l->bound->column == GS_NOT_STORED); i++) {
        l->decimals[i] = 0;
        l->value[i] = GS_MISSING;
        if (s->dropped[i] || (tasks != NULL && !gs_name_filter_has(tasks, text_of(s, l, code[i]))))
            continue;
        l->value[i] = l->id[i] = name_of(s, l, i);
        if (l->id[i] == GS_INTERN_NONE)
            return false;
    }
    return true;
}

/* Whose row it is; GS_INTERN_NONE without memory. */
static uint32_t owner_of(struct scan *s, size_t i)
{
    struct gs_reader *const g = s->g;
    struct gs_gpu_key *const key = &s->of_row;
    *key = g->key;
    for (size_t k = 0; k < s->n_keys; k++)
        if (s->key[k]->id[i] != UNNAMED)
            *s->part[k] = s->key[k]->id[i];
    if (s->b->kind == GS_TABLE_CHECKPOINTS)
        return key->host;
    if (s->recent_by == NULL)
        return gs_reader_gpu(g, *key);
    struct recent_gpu *const r = &s->recent[word_at(s->recent_by, i)];
    if (r->owner == 0 || memcmp(&r->key, key, sizeof *key) != 0) {
        const uint32_t owner = gs_reader_gpu(g, *key);
        if (owner == GS_INTERN_NONE)
            return owner;
        *r = (struct recent_gpu){*key, owner + 1};
    }
    return r->owner - 1;
}

/* A GPU is looked for by its name of the most words, most often its UUID. False without memory. */
static bool make_recent(struct scan *s)
{
    const struct lane *by = NULL;
    for (size_t k = 0; k < s->n_keys; k++)
        if (s->key[k]->batch->lasting && (by == NULL || s->key[k]->n_words > by->n_words))
            by = s->key[k];
    if (by != s->recent_by && by != NULL)
        s->recent = gs_arena_take(s->text.arena, by->n_words + 1, sizeof *s->recent);
    s->recent_by = by;
    return by == NULL || s->recent != NULL;
}

/*
 * The names of the GPU come before the other names: they decide which rows are dropped, and the
 * names of dropped rows must not be remembered.
 */
static bool take_owners(struct scan *s, size_t n)
{
    if (s->g->pending != NULL && !gs_reader_names(s->g))
        return false;
    if (!make_recent(s))
        return false;
    for (size_t k = 0; k < s->n_keys; k++)
        if (!take_names(s, s->key[k], n))
            return false;
    for (size_t i = 0; i < n && s->b->kind != GS_TABLE_TASKS; i++) {
        s->owner[i] = owner_of(s, i);
        if (s->owner[i] == GS_INTERN_NONE)
            return false;
        if (!s->g->drops)
            continue;
        const struct gs_seen *const seen = gs_reader_count(s->g, s->b->kind, s->owner[i]);
        if (seen == NULL)
            return false;
        s->dropped[i] = seen->is_dropped;
    }
    return true;
}

/* A value's code in its place in a row; false: it has none. A column whose codes begin at 0 has none for a missing one. */
static inline bool code_of(const struct gs_code_form *f, int64_t value, unsigned decimals,
                           uint64_t *code)
{
    const unsigned more = f->decimals - decimals; /* wraps where there are too many */
    const uint64_t own = (uint64_t)value * gs_powers_of_ten[more & 15] - f->base;
    const bool missing = value == GS_MISSING;
    *code = missing ? 0 : own << f->shift;
    return missing ? f->least > 0 : more <= 15 && own - f->least <= f->most - f->least;
}

/* Codes of the dictionary's words, once for all rows of an encoding. */
static void code_words(struct lane *l, const struct gs_code_form *f, const struct gs_encoding *e)
{
    for (size_t at = 0; at <= l->n_words && l->put_by != e; at++)
        l->fits[at] = code_of(f, l->word[at], l->decimals_of[at], &l->put[at]);
    l->put_by = e;
}

/*
 * Codes of a column's values, each into the words of its row; false: one has none at present.
 * Without a branch on fit: the words of a batch with a misfit are thrown away as a whole.
 */
static bool put_codes(struct scan *s, unsigned column, struct lane *l, size_t n, uint32_t n_words)
{
    const struct gs_table_writer *const w = &s->g->writer[s->b->kind];
    const struct gs_code_form f = gs_table_code_form(w, column);
    const bool is_word = l->bound != NULL && l->bound->kind != GS_BIND_NAME && l->batch->lasting;
    bool fit = true;
    uint64_t *const row = s->word + f.word;
    if (is_word)
        code_words(l, &f, w->encoding);
    for (size_t i = 0; i < n && is_word; i++) {
        const size_t at = word_at(l, i);
        fit &= l->fits[at];
        row[i * n_words] |= l->put[at];
    }
    for (size_t i = 0; i < n && !is_word; i++) {
        uint64_t code;
        fit &= code_of(&f, l->value[i], l->decimals[i], &code);
        row[i * n_words] |= code;
    }
    return fit;
}

static int64_t value_at(const struct lane *l, size_t i)
{
    return l->bound->kind != GS_BIND_NAME && l->batch->lasting ? l->word[word_at(l, i)]
                                                               : l->value[i];
}

/*
 * The rows as the table stores them at present, column by column. False, with nothing stored, where a value does not fit:
 * then they are put one by one, which widens the columns.
 */
static bool store_words(struct scan *s, size_t n, int64_t place)
{
    struct gs_reader *const g = s->g;
    struct gs_table_writer *const w = &g->writer[s->b->kind];
    const uint32_t n_words = gs_table_row_words(w);
    uint64_t n_missing = 0;
    if (n_words == 0 || n_words > WORDS || !w->rest_fits || s->b->n_constant > 0 || g->drops)
        return false;
    memset(s->word, 0, n * n_words * sizeof *s->word);
    for (size_t k = 0; k < s->b->n_bound; k++) {
        struct lane *const l = &s->lane[k];
        if (l->bound->column == GS_NOT_STORED)
            continue;
        if (!put_codes(s, l->bound->column, l, n, n_words))
            return false;
        const bool none_missing = l->batch->lasting && !l->batch->has_nulls && !l->has_missing;
        for (size_t i = 0; i < n && l->bound->kind == GS_BIND_FIXED && !none_missing; i++)
            n_missing += value_at(l, i) == GS_MISSING;
    }
    if (g->keep_places) {
        struct lane *const l = &s->lane[s->b->n_bound];
        for (size_t i = 0; i < n; i++)
            l->value[i] = place + (int64_t)i;
        if (!put_codes(s, w->n_columns - 1, l, n, n_words))
            return false;
    }
    g->n_missing += n_missing;
    for (size_t i = 0; i < n; i++)
        if (gs_table_add_row(w, s->owner[i], s->word + i * n_words, NULL) != GS_OK) {
            s->text.failed = true;
            break;
        }
    return true;
}

static enum gs_status store_rows(struct scan *s, size_t n, int64_t place, struct gs_err *err)
{
    struct gs_reader *const g = s->g;
    struct gs_table_writer *const w = &g->writer[s->b->kind];
    if (store_words(s, n, place))
        return gs_had_memory(!s->text.failed, err);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < s->b->n_bound; k++) {
            const struct lane *const l = &s->lane[k];
            const bool is_name = l->bound->kind == GS_BIND_NAME;
            const int64_t value = value_at(l, i);
            /* of rows that are dropped, too, as those of text are */
            g->n_missing += !is_name && value == GS_MISSING;
            if (l->bound->column == GS_NOT_STORED || s->dropped[i])
                continue;
            gs_table_put(w, l->bound->column, value,
                         is_name || !l->batch->lasting ? l->decimals[i]
                                                       : l->decimals_of[word_at(l, i)]);
            if (value == GS_MISSING)
                gs_table_put_missing(w, l->bound->column);
        }
        if (s->dropped[i])
            continue;
        if (g->keep_places)
            gs_table_put_whole(w, w->n_columns - 1, place + (int64_t)i);
        GS_TRY(gs_table_end_small_row(w, s->owner[i], err));
    }
    return GS_OK;
}

/*
 * One batch; *taken: it was stored. All values and names are checked first. From take_owners on
 * only memory can fail, so a batch is stored as a whole or left as a whole.
 */
static enum gs_status scan_batch(struct scan *s, size_t n, int64_t place, bool *taken,
                                 struct gs_err *err)
{
    *taken = true;
    memset(s->dropped, 0, sizeof s->dropped);
    memset(s->owner, 0, sizeof s->owner);
    for (size_t k = 0; k < s->b->n_bound && *taken; k++) {
        struct lane *const l = &s->lane[k];
        GS_TRY(gs_had_memory(make_words(s, l), err));
        *taken = l->bound->kind == GS_BIND_NAME ? !has_odd_name(s, l, n) : take_values(s, l, n);
    }
    GS_TRY(gs_had_memory(!s->text.failed, err));
    if (!*taken)
        return GS_OK;
    bool ok = take_owners(s, n);
    for (size_t k = 0; k < s->b->n_bound && ok; k++)
        if (s->lane[k].bound->kind == GS_BIND_NAME && s->lane[k].bound->column != GS_NOT_STORED)
            ok = take_names(s, &s->lane[k], n);
    GS_TRY(gs_had_memory(ok, err));
    return store_rows(s, n, place, err);
}

/* Marks that hold for all hosts are known to the exact way alone. */
static bool is_for_all(const struct gs_binding *b)
{
    bool has_host = b->kind != GS_TABLE_CHECKPOINTS || b->host.ptr != NULL;
    for (size_t i = 0; i < b->n_bound; i++)
        has_host |= b->bound[i].kind == GS_BIND_NAME && b->bound[i].pool == GS_POOL_HOST;
    return !has_host;
}

/* Sets up a lane for each bound column. */
static enum gs_status begin_lanes(struct scan *s, const struct gs_parquet *p, size_t group,
                                  struct gs_parquet_rows *rows, struct gs_err *err)
{
    const struct gs_binding *const b = s->b;
    uint16_t column[GS_SCAN_BOUND_MAX];
    GS_TAKE(s->lane, b->n_bound + 1, s->text.arena, err);
    for (size_t i = 0; i < b->n_bound; i++)
        column[i] = b->bound[i].field;
    GS_TRY(gs_parquet_rows_begin(rows, p, group, column, b->n_bound, err));
    for (size_t i = 0; i < b->n_bound; i++) {
        s->lane[i].bound = &b->bound[i];
        s->lane[i].column = &p->column[column[i]];
        s->lane[i].batch = &rows->batch[i];
        if (b->bound[i].kind == GS_BIND_NAME && b->bound[i].column == GS_NOT_STORED) {
            s->part[s->n_keys] = gs_gpu_key_part(&s->of_row, b->bound[i].pool);
            s->key[s->n_keys++] = &s->lane[i];
        }
    }
    return GS_OK;
}

/* *n_rows is where the caller goes on as text: rows up to it are stored, none behind it. */
enum gs_status gs_parquet_scan(struct gs_reader *g, const struct gs_binding *b,
                               const struct gs_parquet *p, size_t group, size_t input,
                               uint64_t *n_rows, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_parquet_rows rows = {0};
    *n_rows = 0;
    if (is_for_all(b) || b->n_bound > GS_SCAN_BOUND_MAX)
        return GS_OK;
    GS_NEW(struct scan, s, 1, &own, err);
    s->g = g;
    s->b = b;
    s->text.arena = &own;
    enum gs_status status = begin_lanes(s, p, group, &rows, err);
    for (bool taken = true; status == GS_OK && taken && rows.left > 0;) {
        size_t n;
        status = gs_parquet_rows_next(&rows, &n, err);
        GS_THEN(status, scan_batch(s, n, gs_place(input, group, *n_rows), &taken, err));
        *n_rows += status == GS_OK && taken ? n : 0;
    }
    if (status == GS_OK)
        gs_table_catch_up(&g->writer[b->kind]);
    gs_parquet_rows_end(&rows);
    return status;
}
