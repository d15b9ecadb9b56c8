/* table_writer.c - rows gathered in segments by owner, in the encoding that their values need, and joined. */
#include "data/tables/table_writer.h"

#include <string.h>

enum {
    EARLY_ROWS = 32,
    FIRST_ROWS = 8,
};

/* Rows kept aside, as they were put. */
struct gs_early_rows {
    uint32_t n;
    uint32_t owner[EARLY_ROWS];
    int64_t *mantissa; /* [EARLY_ROWS][n_columns] */
    uint8_t *decimals;
};

/* How a column that rows have is stored at present, see gs_code_form: what gs_table_end_small_row needs, side by side. */
struct gs_put_code {
    uint64_t base, least, beyond; /* beyond: the bits that no code has */
    uint16_t column, word;
    uint8_t shift, decimals;
};

/* By column; what one function fills another reads before the next row. */
struct gs_table_work {
    struct gs_extent *wanted;
    struct gs_encoding_work encoding;
    uint64_t *code;
};

/*
 * All room that depends on the number of columns is taken here once. Appending a row allocates
 * only when an owner needs a segment or values need a wider encoding.
 */
static bool collect_room(struct gs_table_writer *w, struct gs_arena *a, uint32_t n)
{
    struct gs_table_work *const k = w->work = gs_arena_take(a, 1, sizeof *w->work);
    struct gs_early_rows *const e = w->early = gs_arena_take(a, 1, sizeof *w->early);
    if (k == NULL || e == NULL)
        return false;
    w->mantissa = gs_arena_take(a, n, sizeof *w->mantissa);
    w->decimals = gs_arena_take(a, n, sizeof *w->decimals);
    w->decimals_kept = gs_arena_take(a, n, sizeof *w->decimals_kept);
    w->base = gs_arena_take(a, n, sizeof *w->base);
    w->code = gs_arena_take(a, n, sizeof *w->code);
    *k = (struct gs_table_work){
        .wanted = gs_arena_take(a, n, sizeof *k->wanted),
        .encoding = {gs_arena_take(a, n, sizeof *k->encoding.united),
                     gs_arena_take(a, n, sizeof *k->encoding.bits),
                     gs_arena_take(a, n, sizeof *k->encoding.kept)},
        .code = gs_arena_take(a, n, sizeof *k->code),
    };
    e->mantissa = gs_arena_take_raw(a, (size_t)n * EARLY_ROWS, sizeof *e->mantissa);
    e->decimals = gs_arena_take_raw(a, (size_t)n * EARLY_ROWS, sizeof *e->decimals);
    return !a->failed;
}

enum gs_status gs_table_writer_init(struct gs_table_writer *w, struct gs_arena *arena,
                                    struct gs_encodings *shared, uint32_t n_columns,
                                    const uint8_t *decimals_max, struct gs_err *err)
{
    if (n_columns > GS_TABLE_COLUMNS_MAX)
        return gs_fail(err, GS_ERR_DATA, "a table of %u columns, at most %d fit", n_columns,
                       GS_TABLE_COLUMNS_MAX);
    *w = (struct gs_table_writer){
        .arena = arena, .shared = shared, .n_columns = n_columns, .decimals_max = decimals_max};
    GS_NEW(uint16_t, all, n_columns, arena, err);
    GS_TRY(gs_had_memory(collect_room(w, arena, n_columns), err));
    for (uint32_t c = 0; c < n_columns; c++)
        all[c] = (uint16_t)c;
    w->put = all;
    w->n_put = n_columns;
    return GS_OK;
}

/* --- writing ------------------------------------------------------------------------------------------ */

/* The newest encoding, which holds the extents wanted too; NULL without memory. */
static const struct gs_encoding *agree(struct gs_table_writer *w)
{
    return gs_encoding_agree(w->shared, w->work->wanted, &w->work->encoding, w->n_columns,
                             w->decimals_max, w->arena);
}

/* The codes of a row; false where the encoding cannot hold it, or there is none. */
static bool encode_row(const struct gs_table_writer *w, const struct gs_encoding *e,
                       const int64_t *mantissa, const uint8_t *decimals, uint64_t *code)
{
    bool fits = e != NULL;
    for (unsigned c = 0; fits && c < w->n_columns; c++)
        fits =
            gs_encode_value(&e->column[c], w->decimals_max[c], mantissa[c], decimals[c], &code[c]);
    return fits;
}

static struct gs_segment *segment_of(const struct gs_table_writer *w, uint32_t k)
{
    return &w->part[k / GS_TABLE_PART][k % GS_TABLE_PART];
}

/*
 * Puts a segment without rows yet at the end of the list; NULL without memory. The list is in
 * parts of fixed size that never move, so a pointer to a segment stays valid while others are
 * added.
 */
static struct gs_segment *add_segment(struct gs_table_writer *w, struct gs_segment s)
{
    if (w->n_segments == w->n_parts * GS_TABLE_PART) {
        struct gs_segment *const part = gs_arena_take_raw(w->arena, GS_TABLE_PART, sizeof *part);
        if (part == NULL || !GS_HAS_ROOM(w->arena, w->part, w->n_parts) ||
            w->n_segments > UINT32_MAX - GS_TABLE_PART)
            return NULL;
        w->part[w->n_parts++] = part;
    }
    struct gs_segment *const added = segment_of(w, w->n_segments++);
    *added = s;
    return added;
}

#define SCRAP UINT32_MAX /* the segment of an owner whose rows are not kept */

/*
 * Looks at the rows of a segment that gets no more, while they are at hand. Comparing the first
 * word is enough to prove order and may miss it: a segment wrongly taken for unordered costs
 * time only.
 */
static void settle_order(struct gs_segment *s)
{
    const size_t n_words = s->encoding->n_words;
    const uint64_t *word = s->rows;
    uint32_t i = 1;
    for (; i < s->n_rows && word[0] < word[n_words]; i++)
        word += n_words;
    s->ascends = i >= s->n_rows;
}

/* Ends an owner's open segment where it is. What room it has left begins the next one, so that it is not lost. */
static void close_segment(struct gs_table_writer *w, uint32_t owner, const struct gs_encoding *next)
{
    struct gs_owner_rows *const r = &w->owner[owner];
    const size_t n_left = (size_t)(r->end - r->next);
    if (r->segment == SCRAP)
        r->next = r->end = NULL;
    if (r->n_segments == 0 || r->segment == SCRAP)
        return;
    struct gs_segment *s = segment_of(w, r->segment);
    uint64_t *const room = r->next;
    s->n_rows = (uint16_t)(s->n_rows - n_left / s->encoding->n_words);
    settle_order(s);
    if (n_left == 0)
        return;
    const uint16_t n_rows = next == NULL ? 0 : (uint16_t)(n_left / next->n_words);
    if (s->n_rows > 0 && n_rows > 0) {
        s = add_segment(w, (struct gs_segment){.owner = owner});
        r->segment = s == NULL ? r->segment : w->n_segments - 1;
    }
    if (n_rows == 0 || s == NULL) {
        r->next = r->end = NULL;
        return;
    }
    s->rows = room;
    s->encoding = next;
    s->n_rows = n_rows;
    r->end = room + (size_t)n_rows * next->n_words;
}

/* Is "missing" a value of every column that rows do not have? */
static bool rest_fits(const struct gs_table_writer *w)
{
    uint32_t n_nullable = 0;
    for (uint32_t c = 0; w->encoding != NULL && c < w->n_columns; c++)
        n_nullable += w->encoding->column[c].nullable;
    for (uint32_t i = 0; w->encoding != NULL && i < w->n_put; i++)
        n_nullable -= w->encoding->column[w->put[i]].nullable;
    return n_nullable == w->n_columns - w->n_put;
}

/* After a change of the encoding or of the columns that rows have. */
static void find_codes(struct gs_table_writer *w)
{
    for (uint32_t i = 0; w->encoding != NULL && i < w->n_put; i++) {
        const struct gs_code_form f = gs_table_code_form(w, w->put[i]);
        w->code[i] = (struct gs_put_code){
            .base = f.base,
            .least = f.least,
            .beyond = ~f.most,
            .column = w->put[i],
            .word = (uint16_t)f.word,
            .shift = (uint8_t)f.shift,
            .decimals = (uint8_t)f.decimals,
        };
    }
    w->rest_fits = rest_fits(w);
}

/*
 * Closes every open segment and goes on with another encoding; NULL at the end. Rows that are
 * stored keep their encoding; only segments carry which one. Nothing is converted, so a late
 * large value costs one new segment per owner and not a rewrite of the table.
 */
static void change_encoding(struct gs_table_writer *w, const struct gs_encoding *e)
{
    for (uint32_t o = 0; o < w->n_owners; o++)
        close_segment(w, o, e);
    w->encoding = e;
    for (unsigned c = 0; e != NULL && c < w->n_columns; c++) {
        const struct gs_extent held = gs_extent_of(&e->column[c], w->decimals_max[c]);
        w->decimals_kept[c] = (uint8_t)held.decimals;
        w->base[c] = (int64_t)((uint64_t)held.min - e->column[c].nullable);
    }
    find_codes(w);
}

/*
 * 12.500000 and 12.5 are the same reading. Without trimming, zeros in the text would widen the
 * encoding of the whole column.
 */
void gs_table_put_trimmed(struct gs_table_writer *w, unsigned column, int64_t value,
                          unsigned decimals)
{
    while (decimals >= 3 && value % 1000 == 0) {
        value /= 1000;
        decimals -= 3;
    }
    while (decimals > 0 && value % 10 == 0) {
        value /= 10;
        decimals--;
    }
    gs_table_put(w, column, value, decimals);
}

/*
 * Columns that rows will not have are set to missing once. They stay so because nothing puts
 * them, and a row need not clear them.
 */
void gs_table_columns(struct gs_table_writer *w, const uint16_t *put, uint32_t n_put)
{
    for (uint32_t c = 0; c < w->n_columns; c++)
        gs_table_put(w, c, GS_MISSING, 0);
    w->put = put;
    w->n_put = n_put;
    find_codes(w);
}

/*
 * Acquire pairs with the release of whoever published the encoding: its columns are complete
 * when the pointer is seen.
 */
void gs_table_catch_up(struct gs_table_writer *w)
{
    const struct gs_encoding *const newest =
        atomic_load_explicit(&w->shared->newest, memory_order_acquire);
    if (w->encoding != NULL && w->encoding != newest)
        change_encoding(w, newest);
}

/*
 * Room for rows that nobody reads. Rows of hosts that a pass leaves out go through the same
 * fast path and land in one room that is overwritten again and again. A test per row would cost
 * more.
 */
static enum gs_status make_scrap_room(struct gs_table_writer *w, struct gs_owner_rows *r,
                                      struct gs_err *err)
{
    const uint32_t n_words = GS_SEGMENT_ROWS * w->encoding->n_words;
    if (w->scrap_words < n_words) {
        w->scrap = gs_arena_take_raw(w->arena, n_words, sizeof *w->scrap);
        w->scrap_words = w->scrap == NULL ? 0 : n_words;
        GS_TRY(gs_had_memory(w->scrap != NULL, err));
    }
    *r = (struct gs_owner_rows){w->scrap, w->scrap + n_words, SCRAP, 0};
    return GS_OK;
}

/*
 * Small segments first, because a job list has many owners with a few rows each. The index of
 * owners doubles, so a log with a million GPUs costs a linear number of copies.
 */
enum gs_status gs_table_make_room(struct gs_table_writer *w, uint32_t owner, struct gs_err *err)
{
    while (w->n_owners <= owner) {
        GS_TRY(gs_had_memory(GS_HAS_ROOM(w->arena, w->owner, w->n_owners), err));
        w->owner[w->n_owners++] = (struct gs_owner_rows){.segment = 0};
    }
    struct gs_owner_rows *const r = &w->owner[owner];
    if (w->drops != NULL && w->drops(w->drops_context, owner))
        return make_scrap_room(w, r, err);
    if (r->n_segments > 0 && r->segment != SCRAP)
        settle_order(segment_of(w, r->segment));
    /* the more rows an owner has, the larger its next segment */
    const uint16_t n_rows =
        (uint16_t)(r->n_segments < 3 ? FIRST_ROWS << r->n_segments : GS_SEGMENT_ROWS);
    const size_t n_words = (size_t)n_rows * w->encoding->n_words;
    uint64_t *const rows = gs_arena_take_raw(w->arena, n_words, sizeof *rows);
    if (rows == NULL || add_segment(w, (struct gs_segment){.rows = rows,
                                                           .encoding = w->encoding,
                                                           .owner = owner,
                                                           .n_rows = n_rows}) == NULL)
        return gs_fail_memory(err);
    *r = (struct gs_owner_rows){rows, rows + n_words, w->n_segments - 1, r->n_segments + 1};
    return GS_OK;
}

/*
 * Stores a row, in an encoding that holds it. Own encoding, then the newest of all threads,
 * then a wider one. An encoding only ever grows, so this ends after at most three attempts.
 */
static enum gs_status store(struct gs_table_writer *w, uint32_t owner, const int64_t *mantissa,
                            const uint8_t *decimals, struct gs_err *err)
{
    uint64_t *const code = w->work->code;
    const struct gs_encoding *tried = w->encoding;
    if (!encode_row(w, tried, mantissa, decimals, code)) {
        tried = atomic_load_explicit(&w->shared->newest, memory_order_acquire);
        if (!encode_row(w, tried, mantissa, decimals, code)) {
            for (unsigned c = 0; c < w->n_columns; c++)
                w->work->wanted[c] = gs_extent_of_value(mantissa[c], decimals[c]);
            tried = agree(w);
            if (tried == NULL || !encode_row(w, tried, mantissa, decimals, code))
                return gs_fail_memory(err);
        }
    }
    if (tried != w->encoding)
        change_encoding(w, tried);
    if (owner >= w->n_owners || w->owner[owner].next == w->owner[owner].end)
        GS_TRY(gs_table_make_room(w, owner, err));
    uint64_t *const row = w->owner[owner].next;
    memset(row, 0, tried->n_words * sizeof *row);
    for (unsigned c = 0; c < w->n_columns; c++)
        row[tried->column[c].word] |= code[c] << tried->column[c].shift;
    w->owner[owner].next = row + tried->n_words;
    w->n_rows++;
    return GS_OK;
}

/* Makes the first encoding from the rows kept aside, where no other writer has, and stores them. */
static enum gs_status store_early(struct gs_table_writer *w, struct gs_err *err)
{
    struct gs_early_rows *const early = w->early;
    struct gs_extent *const e = w->work->wanted;
    const size_t n_columns = w->n_columns;
    if (early == NULL || early->n == 0)
        return GS_OK;
    for (size_t c = 0; c < n_columns; c++) {
        e[c] = GS_EXTENT_NONE;
        for (uint32_t i = 0; i < early->n; i++) {
            const struct gs_extent one = gs_extent_of_value(early->mantissa[i * n_columns + c],
                                                            early->decimals[i * n_columns + c]);
            GS_TRY(gs_had_memory(gs_extent_unite(&e[c], &one), err));
        }
    }
    GS_TRY(gs_had_memory(agree(w) != NULL, err));
    w->n_rows -= early->n;
    enum gs_status s = GS_OK;
    uint32_t n = 0; /* stored: whoever fails may try again, so that the others stay */
    while (s == GS_OK && n < early->n) {
        s = store(w, early->owner[n], early->mantissa + n * n_columns,
                  early->decimals + n * n_columns, err);
        n += s == GS_OK;
    }
    early->n -= n;
    w->n_rows += early->n;
    memmove(early->owner, early->owner + n, early->n * sizeof *early->owner);
    memmove(early->mantissa, early->mantissa + n * n_columns,
            early->n * n_columns * sizeof *early->mantissa);
    memmove(early->decimals, early->decimals + n * n_columns, early->n * n_columns);
    return s;
}

/*
 * The first rows wait until their values are known, so the first encoding fits the data and few
 * owners begin with a useless segment.
 */
enum gs_status gs_table_end_row(struct gs_table_writer *w, uint32_t owner, struct gs_err *err)
{
    w->has_missing = false;
    if (w->encoding != NULL ||
        atomic_load_explicit(&w->shared->newest, memory_order_acquire) != NULL) {
        GS_TRY(store_early(w, err));
        return store(w, owner, w->mantissa, w->decimals, err);
    }
    struct gs_early_rows *const e = w->early;
    const size_t at = (size_t)e->n * w->n_columns;
    memcpy(e->mantissa + at, w->mantissa, w->n_columns * sizeof *e->mantissa);
    memcpy(e->decimals + at, w->decimals, w->n_columns * sizeof *e->decimals);
    for (unsigned c = 0; c < w->n_columns; c++)
        if (w->mantissa[c] == GS_MISSING)
            e->decimals[at + c] = 0;
    e->owner[e->n++] = owner;
    w->n_rows++;
    const enum gs_status s = e->n == EARLY_ROWS ? store_early(w, err) : GS_OK;
    /* a row that was refused is not there: it is the last of those that are kept */
    if (s != GS_OK) {
        e->n--;
        w->n_rows--;
    }
    return s;
}

/*
 * The code of a value that is there; *misfit becomes nonzero if it has none. Codes have `mask` bits, and where 0 is
 * "missing" a value must not have that: one less is then beyond all.
 */
static inline uint64_t small_code(const struct gs_put_code *k, int64_t mantissa, unsigned decimals,
                                  uint64_t *misfit)
{
    const unsigned more = (unsigned)k->decimals - decimals; /* wraps where there are too many */
    const uint64_t code = (uint64_t)mantissa * gs_powers_of_ten[more & 15] - k->base;
    *misfit |= (more & ~15u) | ((code | (code - k->least)) & k->beyond);
    return code << k->shift;
}

/*
 * The fast path of the importers. All columns are encoded without a branch for misfits, and a
 * single test at the end sends the row to the general path.
 */
enum gs_status gs_table_end_small_row(struct gs_table_writer *w, uint32_t owner, struct gs_err *err)
{
    enum { WORDS_MAX = 16 };
    const struct gs_encoding *const e = w->encoding;
    if (e == NULL || e->n_words > WORDS_MAX || !w->rest_fits)
        return gs_table_end_row(w, owner, err);
    uint64_t row[WORDS_MAX], word = 0, misfit = 0;
    uint32_t n = 0; /* columns are in the order of their words */
    for (const struct gs_put_code *k = w->code, *const end = k + w->n_put; k < end; k++) {
        const int64_t mantissa = w->mantissa[k->column];
        for (; n < k->word; word = 0)
            row[n++] = word;
        if (mantissa != GS_MISSING)
            word |= small_code(k, mantissa, w->decimals[k->column], &misfit);
        else
            misfit |= k->least == 0;
    }
    if (misfit != 0)
        return gs_table_end_row(w, owner, err);
    for (; n < e->n_words; word = 0)
        row[n++] = word;
    w->has_missing = false;
    return gs_table_add_row(w, owner, row, err);
}

/* --- joining ---------------------------------------------------------------------------------------- */

/*
 * Segments are sorted by owner with a counting sort, writers in their order, and no row is
 * copied. The writers' arenas must live as long as the table. The bound of segments is what a
 * row number can address.
 */
enum gs_status gs_table_join(const struct gs_table_parts *parts, uint32_t n_owners,
                             struct gs_arena *arena, struct gs_table *table, struct gs_err *err)
{
    struct gs_table_writer *const *const writers = parts->writer;
    struct gs_table t = {.n_owners = n_owners};
    uint64_t n_segments = 0;
    for (size_t i = 0; i < parts->n; i++) {
        GS_TRY(store_early(writers[i], err));
        change_encoding(writers[i], NULL);
        n_segments += writers[i]->n_segments;
        t.n_columns = writers[i]->n_columns;
    }
    if (n_segments >= UINT64_C(1) << (32 - GS_SEGMENT_BITS))
        return gs_fail(
            err, GS_ERR_DATA,
            "a table in %llu parts, at most 67,000,000 fit: see --shard and --max-memory",
            (unsigned long long)n_segments);
    t.encoding = atomic_load(&writers[0]->shared->newest);
    GS_TAKE_RAW(t.segment, (size_t)n_segments, arena, err);
    GS_TAKE(t.first, (size_t)n_owners + 2, arena, err);
    t.n_segments = (uint32_t)n_segments;
    for (size_t i = 0; i < parts->n; i++)
        for (uint32_t k = 0; k < writers[i]->n_segments; k++) {
            uint32_t *const owner = &segment_of(writers[i], k)->owner;
            t.n_rows += segment_of(writers[i], k)->n_rows;
            if (parts->owner_map[i] != NULL)
                *owner = parts->owner_map[i][*owner];
            t.first[*owner + 2]++;
        }
    for (uint32_t o = 0; o < n_owners; o++)
        t.first[o + 2] += t.first[o + 1];
    for (size_t i = 0; i < parts->n; i++)
        for (uint32_t k = 0; k < writers[i]->n_segments; k++) {
            struct gs_segment s = *segment_of(writers[i], k);
            s.map = parts->maps == NULL ? NULL : parts->maps[i];
            t.segment[t.first[s.owner + 1]++] = s;
        }
    *table = t;
    return GS_OK;
}
