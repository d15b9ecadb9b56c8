/*
 * pages.c - the pages of a column, one after the other, and their values, some rows at a time. What is held is a page
 * and the dictionary, whose sizes are at most what their bytes in the file can unpack to.
 */
#include "input/parquet/parquet_parts.h"

#include <stdio.h>
#include <string.h>

#include "base/core/arena.h"
#include "base/num/order.h"
#include "base/num/timestamp.h"
#include "input/bytes/decompress.h"

enum { PAGE_MAX = 256 << 20, HEADER_FIRST = 256, HEADER_MAX = 16 << 20, JOINED_MAX = 32 << 10 };

/* Bytes that grow, and go back to the system with the cursor. */
struct room {
    char *ptr;
    size_t size;
};

struct values {
    int64_t *number;
    struct gs_str *text;
};

struct gs_parquet_cursor {
    const struct gs_parquet *p;
    const struct gs_parquet_column *column;
    const struct gs_parquet_chunk *chunk;
    uint64_t at, end; /* in the file: the next page, the end of the last */
    uint64_t n_left;  /* values in pages that were not read yet */
    struct room packed, plain, words, joined;
    bool no_memory;
    const struct gs_codec *codec;
    void *codec_state;
    struct gs_arena arena; /* of the dictionary */
    bool has_dictionary;
    size_t n_words;
    struct values word;
    /* the open page */
    uint64_t page_left; /* rows of it not yet handed out */
    int encoding;
    const unsigned char *data, *data_end;
    uint64_t index;          /* of the next value: booleans, split streams */
    char before[JOINED_MAX]; /* DELTA_BYTE_ARRAY: the text before, of n_before bytes */
    size_t n_before;
    struct gs_rle level, code;
    struct gs_delta delta, suffix;
    /* what is handed out */
    uint32_t level_of[GS_PARQUET_BATCH], code_of[GS_PARQUET_BATCH];
    uint32_t in_order[GS_PARQUET_BATCH]; /* 0, 1, 2 ...: the codes of values without a dictionary */
    int64_t number[GS_PARQUET_BATCH];
    struct gs_str text[GS_PARQUET_BATCH];
};

struct page {
    int64_t type, plain_size, packed_size, n_values, encoding, level_encoding, n_level_bytes,
        n_repeat_bytes;
    bool packed;
};

static enum gs_status fail(const struct gs_parquet_cursor *c, const char *what, struct gs_err *err)
{
    return gs_fail(err, GS_ERR_DATA, "%s: column '%s': %s", c->p->name,
                   GS_SHOWN(c->column->name, 120), what);
}

static enum gs_status damaged(const struct gs_parquet_cursor *c, struct gs_err *err)
{
    return fail(c, "is damaged: its pages do not hold what they claim", err);
}

/* The old content is lost. Nothing may point into a room across the next page. */
static bool make_room(struct room *r, size_t n)
{
    if (n <= r->size && r->ptr != NULL)
        return true;
    gs_memory_give(r->ptr, r->size);
    r->size = gs_max(4096, n);
    r->ptr = gs_memory_reserve(r->size);
    if (r->ptr == NULL)
        r->size = 0;
    return r->ptr != NULL;
}

static void take_data_header(struct gs_thrift *t, void *context, int id, unsigned type)
{
    struct page *const h = context;
    if (id == 1)
        h->n_values = gs_thrift_int(t, type);
    else if (id == 2)
        h->encoding = gs_thrift_int(t, type);
    else if (id == 3 && type == 5) /* of a dictionary: a boolean, is it sorted */
        h->level_encoding = gs_thrift_int(t, type);
    else
        gs_thrift_skip(t, type);
}

/*
 * Only the second version says whether a page is packed; the first packs each page of the chunk.
 */
static void take_data_header_2(struct gs_thrift *t, void *context, int id, unsigned type)
{
    struct page *const h = context;
    int64_t *const number[] = {
        NULL, &h->n_values, NULL, NULL, &h->encoding, &h->n_level_bytes, &h->n_repeat_bytes};
    if (id < 7 && number[id] != NULL)
        *number[id] = gs_thrift_int(t, type);
    else if (id == 7)
        h->packed = gs_thrift_bool(t, type);
    else
        gs_thrift_skip(t, type);
}

static void take_page_header(struct gs_thrift *t, void *context, int id, unsigned type)
{
    struct page *const h = context;
    int64_t *const number[] = {NULL, &h->type, &h->plain_size, &h->packed_size};
    if (id <= 3)
        *number[id] = gs_thrift_int(t, type);
    else if (id == 5 || id == 7)
        gs_thrift_nested(t, type, take_data_header, h);
    else if (id == 8)
        gs_thrift_nested(t, type, take_data_header_2, h);
    else
        gs_thrift_skip(t, type);
}

/*
 * A header's length is known once it is read; statistics in it can be long. A header does not
 * carry its length, so a few bytes are tried first, then 16 times as many. Every attempt starts
 * anew.
 */
static enum gs_status read_header(struct gs_parquet_cursor *c, struct page *h, struct gs_err *err)
{
    for (size_t n = HEADER_FIRST;; n *= 16) {
        const size_t now = c->end - c->at < n ? (size_t)(c->end - c->at) : n;
        GS_TRY(gs_had_memory(make_room(&c->packed, now), err));
        GS_TRY(gs_parquet_read(c->p, c->at, now, c->packed.ptr, err));
        const unsigned char *const from = (const unsigned char *)c->packed.ptr;
        struct gs_thrift t = {.at = from, .end = from + now};
        *h = (struct page){.type = -1, .level_encoding = RLE, .packed = true};
        gs_thrift_struct(&t, take_page_header, h);
        if (!t.bad) {
            c->at += (uint64_t)(t.at - from);
            return GS_OK;
        }
        if (now < n || n >= HEADER_MAX)
            return damaged(c, err);
    }
}

/*
 * At most what the codec can make of `n` bytes: a copy of 64 bytes takes 3 (snappy), a block of
 * 128 KiB 4 (zstd). Without this a header of a few bytes could ask for 256 MiB per column.
 */
static bool is_plausible(int codec, uint64_t n, uint64_t plain)
{
    static const uint64_t times[] = {
        [UNCOMPRESSED] = 1, [SNAPPY] = 32, [GZIP] = 1040, [ZSTD] = 43700};
    return plain <= PAGE_MAX && plain <= (n + 64) * times[codec];
}

/*
 * Ends when a step makes no progress, or a damaged stream would loop forever. The page must
 * unpack to exactly its stated size, since what lies behind would be an older page's bytes.
 */
static enum gs_status unpack(struct gs_parquet_cursor *c, struct gs_str from, char *to, size_t size,
                             struct gs_err *err)
{
    enum gs_unpack r = GS_UNPACK_MORE;
    struct gs_unpack_buffers u = {from.ptr, from.len, to, size};
    if (c->chunk->codec == SNAPPY) {
        r = gs_snappy_unpack(from, to, size);
        if (r != GS_UNPACK_END)
            return damaged(c, err);
        return GS_OK;
    }
    const struct gs_codec *const found = gs_codec_find(from.ptr, from.len);
    if (found == NULL || strcmp(found->name, c->chunk->codec == GZIP ? "gzip" : "zstd") != 0)
        return damaged(c, err);
    if (c->codec_state != NULL ? !found->restart(c->codec_state)
                               : (c->codec_state = found->open()) == NULL)
        return gs_fail_memory(err);
    c->codec = found;
    for (size_t before = SIZE_MAX; r == GS_UNPACK_MORE && before != u.in_left + u.out_left;) {
        before = u.in_left + u.out_left;
        r = found->step(c->codec_state, &u);
    }
    GS_TRY(gs_had_memory(r != GS_UNPACK_MEMORY, err));
    if (r != GS_UNPACK_END || u.out_left > 0)
        return damaged(c, err);
    return GS_OK;
}

/* Are the lengths of a page what its bytes in the file allow? */
static bool is_sound(const struct gs_parquet_cursor *c, const struct page *h, bool packed)
{
    if (h->packed_size < 0 || h->plain_size < 0 || h->n_level_bytes < 0 || h->n_repeat_bytes != 0)
        return false; /* nothing repeats in a flat column */
    if (h->n_level_bytes > h->packed_size || h->n_level_bytes > h->plain_size ||
        (uint64_t)h->packed_size > c->end - c->at)
        return false;
    return (packed || h->packed_size == h->plain_size) &&
           is_plausible(packed ? c->chunk->codec : UNCOMPRESSED, (uint64_t)h->packed_size,
                        (uint64_t)h->plain_size);
}

/*
 * Reads a page's bytes, unpacked but for the levels of a second version's, which lie in front and
 * are never packed. An unpacked page is read straight into place and is not copied.
 */
static enum gs_status read_bytes(struct gs_parquet_cursor *c, const struct page *h,
                                 struct room *into, struct gs_str *bytes, struct gs_err *err)
{
    const bool packed = c->chunk->codec != UNCOMPRESSED && h->packed;
    if (!is_sound(c, h, packed))
        return damaged(c, err);
    const size_t n = (size_t)h->packed_size, size = (size_t)h->plain_size,
                 first = (size_t)h->n_level_bytes;
    struct room *const read = packed ? &c->packed : into;
    if (!make_room(read, n) || (packed && !make_room(into, size)))
        return gs_fail_memory(err);
    GS_TRY(gs_parquet_read(c->p, c->at, n, read->ptr, err));
    if (packed)
        memcpy(into->ptr, read->ptr, first);
    if (packed && size > first)
        GS_TRY(unpack(c, (struct gs_str){read->ptr + first, n - first}, into->ptr + first,
                      size - first, err));
    c->at += n;
    *bytes = (struct gs_str){into->ptr, size};
    return GS_OK;
}

static uint64_t load(const unsigned char *p, unsigned n)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < n; i++)
        v |= (uint64_t)p[i] << (8 * i);
    return v;
}

/* Bytes of a value in a page; 0: they differ, or are bits. */
static unsigned width_of(const struct gs_parquet_column *c)
{
    static const unsigned widths[] = {0, 4, 8, 12, 4, 8, 0, 0};
    if (c->physical == FIXED_LEN_BYTE_ARRAY)
        return (unsigned)c->width;
    return widths[c->physical];
}

/*
 * A number as it lies in a page; of an INT96 the day and its nanoseconds. False: an instant that
 * is none. Doubles are kept as their bits. Spark's and Impala's INT96 counts Julian days; a date
 * far away overflows and is refused.
 */
static bool number_of(const struct gs_parquet_column *c, const unsigned char *p, int64_t *to)
{
    enum { JULIAN_1970 = 2440588 };
    uint64_t bits;
    float f;
    double d;
    switch (c->physical) {
    case INT32:
        bits = load(p, 4);
        *to = c->kind == GS_PARQUET_UNSIGNED ? (int64_t)bits : (int32_t)(uint32_t)bits;
        return true;
    case FLOAT:
        memcpy(&f, p, sizeof f);
        d = (double)f;
        memcpy(to, &d, sizeof d);
        return true;
    case INT96:
        *to = (int64_t)load(p + 8, 4) - JULIAN_1970;
        return !__builtin_mul_overflow(*to, 86400 * GS_NS_PER_S, to) &&
               !__builtin_add_overflow(*to, (int64_t)load(p, 8), to);
    default:
        memcpy(to, p, sizeof *to);
        return true;
    }
}

/*
 * The next text of `len` bytes; false: they are not there. The text stays in the page: valid
 * until the next page of this column is opened.
 */
static bool take_text(struct gs_parquet_cursor *c, uint64_t len, struct gs_str *to)
{
    if (len > (uint64_t)(c->data_end - c->data))
        return false;
    *to = (struct gs_str){(const char *)c->data, (size_t)len};
    c->data += len;
    return true;
}

/*
 * Values of the encoding PLAIN, of a page or a dictionary. The check before the loop covers all
 * numbers of it, so the loop itself needs none.
 */
static bool take_plain(struct gs_parquet_cursor *c, size_t n, struct values to)
{
    const unsigned width = width_of(c->column);
    if (c->column->physical == BOOLEAN) {
        for (size_t i = 0; i < n; i++, c->index++) {
            if (c->index / 8 >= (uint64_t)(c->data_end - c->data))
                return false;
            to.number[i] = c->data[c->index / 8] >> (c->index % 8) & 1;
        }
        return true;
    }
    if (width > 0 && n > (size_t)(c->data_end - c->data) / width)
        return false;
    bool ok = true;
    for (size_t i = 0; i < n && ok; i++)
        if (c->column->physical == FIXED_LEN_BYTE_ARRAY) {
            ok = take_text(c, width, &to.text[i]);
        } else if (c->column->physical == BYTE_ARRAY) {
            ok = c->data_end - c->data >= 4;
            const uint64_t len = ok ? load(c->data, 4) : 0;
            c->data += ok ? 4 : 0;
            ok = ok && take_text(c, len, &to.text[i]);
        } else {
            ok = number_of(c->column, c->data, &to.number[i]);
            c->data += width;
        }
    return ok;
}

/* All first bytes stand first, then all second ones (Encodings.md, BYTE_STREAM_SPLIT). */
static bool take_split(struct gs_parquet_cursor *c, size_t n, struct values to)
{
    const unsigned width = width_of(c->column);
    const size_t stride = width == 0 ? 0 : (size_t)(c->data_end - c->data) / width;
    unsigned char one[8] = {0};
    if (width > sizeof one || n > stride || c->index > stride - n)
        return false;
    for (size_t i = 0; i < n; i++, c->index++) {
        for (unsigned k = 0; k < width; k++)
            one[k] = c->data[k * stride + c->index];
        (void)number_of(c->column, one, &to.number[i]);
    }
    return true;
}

/*
 * Each text is the first bytes of the one before and some of its own (Encodings.md, DELTA_BYTE_ARRAY). They are put
 * together where they stay until the next ones: JOINED_MAX bounds what few bytes can blow up to.
 */
static bool take_joined(struct gs_parquet_cursor *c, size_t n, struct gs_str *to)
{
    int64_t prefix[GS_PARQUET_BATCH], suffix[GS_PARQUET_BATCH];
    struct gs_str before = {c->before, c->n_before};
    size_t total = 0;
    if (!gs_delta_next(&c->delta, n, prefix) || !gs_delta_next(&c->suffix, n, suffix))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (prefix[i] < 0 || suffix[i] < 0 || prefix[i] > JOINED_MAX || suffix[i] > JOINED_MAX ||
            prefix[i] + suffix[i] > JOINED_MAX)
            return false;
        total += (size_t)(prefix[i] + suffix[i]);
    }
    c->no_memory = !make_room(&c->joined, total + 1);
    if (c->no_memory)
        return false;
    char *at = c->joined.ptr;
    for (size_t i = 0; i < n; i++) {
        struct gs_str own;
        if ((uint64_t)prefix[i] > before.len || !take_text(c, (uint64_t)suffix[i], &own))
            return false;
        memcpy(at, before.ptr, (size_t)prefix[i]);
        memcpy(at + prefix[i], own.ptr, own.len);
        before = to[i] = (struct gs_str){at, (size_t)prefix[i] + own.len};
        at += before.len;
    }
    memmove(c->before, before.ptr, before.len);
    c->n_before = before.len;
    return true;
}

static bool take_lengths(struct gs_parquet_cursor *c, size_t n, struct gs_str *to)
{
    int64_t len[GS_PARQUET_BATCH];
    bool ok = gs_delta_next(&c->delta, n, len);
    for (size_t i = 0; i < n && ok; i++)
        ok = len[i] >= 0 && take_text(c, (uint64_t)len[i], &to[i]);
    return ok;
}

/*
 * The next n values that are there. False: the page does not hold them. Codes beyond the
 * dictionary are damage and are refused here; users of a batch index without a check.
 */
static bool take_values(struct gs_parquet_cursor *c, size_t n)
{
    const struct values to = {c->number, c->text};
    bool ok = true;
    switch (c->encoding) {
    case PLAIN:
        return take_plain(c, n, to);
    case PLAIN_DICTIONARY:
    case RLE_DICTIONARY:
        ok = gs_rle_next(&c->code, n, c->code_of);
        for (size_t i = 0; i < n && ok; i++)
            ok = c->code_of[i] < c->n_words;
        return ok;
    case RLE:
        ok = gs_rle_next(&c->code, n, c->code_of);
        for (size_t i = 0; i < n && ok; i++)
            c->number[i] = c->code_of[i];
        return ok;
    case DELTA_BINARY_PACKED:
        ok = gs_delta_next(&c->delta, n, c->number);
        for (size_t i = 0; i < n && c->column->physical == INT32; i++) /* wraps around in 32 bits */
            c->number[i] = c->column->kind == GS_PARQUET_UNSIGNED ? (int64_t)(uint32_t)c->number[i]
                                                                  : (int32_t)(uint32_t)c->number[i];
        return ok;
    case DELTA_LENGTH_BYTE_ARRAY:
        return take_lengths(c, n, c->text);
    case DELTA_BYTE_ARRAY:
        return take_joined(c, n, c->text);
    default:
        return take_split(c, n, to);
    }
}

static bool uses_dictionary(const struct gs_parquet_cursor *c)
{
    return c->encoding == PLAIN_DICTIONARY || c->encoding == RLE_DICTIONARY;
}

/* Is it an encoding that values of the column can have (Encodings.md, the table of supported types)? */
static bool is_encoding(const struct gs_parquet_cursor *c)
{
    const int type = c->column->physical;
    const bool texts = type == BYTE_ARRAY || type == FIXED_LEN_BYTE_ARRAY;
    switch (c->encoding) {
    case PLAIN:
        return true;
    case PLAIN_DICTIONARY:
    case RLE_DICTIONARY:
        return type != BOOLEAN;
    case RLE:
        return type == BOOLEAN;
    case DELTA_BINARY_PACKED:
        return type == INT32 || type == INT64;
    case DELTA_LENGTH_BYTE_ARRAY:
        return type == BYTE_ARRAY;
    case DELTA_BYTE_ARRAY:
        return texts;
    case BYTE_STREAM_SPLIT:
        return type == INT32 || type == INT64 || type == FLOAT || type == DOUBLE;
    default:
        return false;
    }
}

/*
 * Sets up the reading of the values, which begin at c->data. A page of nulls alone may have no
 * bytes at all behind its levels.
 */
static bool begin_values(struct gs_parquet_cursor *c)
{
    c->index = 0;
    c->n_before = 0;
    c->code = (struct gs_rle){0}; /* what is left of another page's would point into what is gone */
    c->delta = c->suffix = (struct gs_delta){0};
    if (uses_dictionary(c)) {       /* the width of the codes stands in front of them */
        if (c->data == c->data_end) /* of a page of nulls alone */
            return true;
        c->code = (struct gs_rle){.in = {.at = c->data + 1, .end = c->data_end}, .width = *c->data};
        return c->has_dictionary && c->code.width <= 32;
    }
    if (c->encoding == RLE) {
        if (c->data_end - c->data < 4)
            return c->data == c->data_end;
        c->code = (struct gs_rle){.in = {.at = c->data + 4, .end = c->data_end}, .width = 1};
        return true;
    }
    if (c->encoding == PLAIN || c->encoding == BYTE_STREAM_SPLIT || c->data == c->data_end)
        return true;
    if (!gs_delta_begin(&c->delta, c->data, c->data_end))
        return false;
    if (c->encoding != DELTA_BINARY_PACKED)
        c->data = gs_delta_end(&c->delta);
    if (c->encoding != DELTA_BYTE_ARRAY || c->data == NULL)
        return c->data != NULL;
    const bool ok = gs_delta_begin(&c->suffix, c->data, c->data_end);
    c->data = ok ? gs_delta_end(&c->suffix) : NULL;
    return c->data != NULL;
}

/* A second dictionary is damage: texts of the first are still in use. */
static enum gs_status read_dictionary(struct gs_parquet_cursor *c, const struct page *h,
                                      struct gs_err *err)
{
    struct gs_str bytes;
    GS_TRY(read_bytes(c, h, &c->words, &bytes, err));
    const uint64_t n = (uint64_t)h->n_values;
    const unsigned width = width_of(c->column);
    /* Before room is taken for them: a text has at least its length. */
    if (c->has_dictionary || h->n_values < 0 || c->column->physical == BOOLEAN ||
        (h->encoding != PLAIN && h->encoding != PLAIN_DICTIONARY) ||
        n > bytes.len / (width == 0 ? 4 : width))
        return damaged(c, err);
    if (c->column->physical == BYTE_ARRAY || c->column->physical == FIXED_LEN_BYTE_ARRAY)
        c->word.text = gs_arena_take_raw(&c->arena, (size_t)n, sizeof *c->word.text);
    else
        c->word.number = gs_arena_take_raw(&c->arena, (size_t)n, sizeof *c->word.number);
    if (c->word.text == NULL && c->word.number == NULL)
        return gs_fail_memory(err);
    c->data = (const unsigned char *)bytes.ptr;
    c->data_end = c->data + bytes.len;
    c->n_words = (size_t)n;
    c->has_dictionary = true;
    if (!take_plain(c, (size_t)n, c->word))
        return damaged(c, err);
    return GS_OK;
}

/* The levels of a page, which say where there is a value, and what is behind them. */
static bool begin_levels(struct gs_parquet_cursor *c, const struct page *h, bool second)
{
    const unsigned char *from = c->data;
    uint64_t n = (uint64_t)h->n_level_bytes;
    if (c->column->max_def == 0)
        return (c->data += n) <= c->data_end;
    if (!second) { /* the first version has their length in front of them */
        if (c->data_end - from < 4)
            return false;
        n = load(from, 4);
        from += 4;
    }
    if (n > (uint64_t)(c->data_end - from))
        return false;
    const unsigned width = 32 - (unsigned)__builtin_clz(c->column->max_def);
    c->level = (struct gs_rle){.in = {.at = from, .end = from + n}, .width = width};
    c->data = from + n;
    return true;
}

/*
 * Opens the next page that holds values. Types of pages that are not known are skipped by their
 * size, as the specification allows new ones.
 */
static enum gs_status next_page(struct gs_parquet_cursor *c, struct gs_err *err)
{
    enum { DATA, INDEX, DICTIONARY, DATA_2 };
    struct page h;
    struct gs_str bytes;
    GS_TRY(read_header(c, &h, err));
    if (h.type == DICTIONARY)
        return read_dictionary(c, &h, err);
    if (h.type != DATA && h.type != DATA_2) { /* nothing that is needed */
        if (h.packed_size < 0 || (uint64_t)h.packed_size > c->end - c->at)
            return damaged(c, err);
        c->at += (uint64_t)h.packed_size;
        return GS_OK;
    }
    if (h.type == DATA && c->column->max_def > 0 && h.level_encoding != RLE)
        return fail(c, "levels of the encoding BIT_PACKED are not read; expected RLE", err);
    c->encoding = (int)h.encoding;
    if (!is_encoding(c))
        return fail(c, "has an encoding that is not read; write it with PLAIN or a dictionary",
                    err);
    GS_TRY(read_bytes(c, &h, &c->plain, &bytes, err));
    c->data = (const unsigned char *)bytes.ptr;
    c->data_end = c->data + bytes.len;
    if (h.n_values < 0 || (uint64_t)h.n_values > c->n_left ||
        !begin_levels(c, &h, h.type == DATA_2) || !begin_values(c))
        return damaged(c, err);
    c->n_left -= (uint64_t)h.n_values;
    c->page_left = (uint64_t)h.n_values;
    return GS_OK;
}

enum gs_status gs_parquet_begin(const struct gs_parquet *p, size_t group, size_t column,
                                struct gs_arena *arena, struct gs_parquet_cursor **cursor,
                                struct gs_err *err)
{
    static const char *const codecs[] = {"none",   "snappy", "gzip", "LZO",
                                         "brotli", "LZ4",    "zstd", "LZ4"};
    struct gs_parquet_cursor *const c = *cursor = gs_arena_take(arena, 1, sizeof *c);
    GS_TRY(gs_had_memory(c != NULL, err));
    c->p = p;
    c->column = &p->column[column];
    c->chunk = &p->group[group].chunk[c->column->leaf];
    c->at = c->chunk->begin;
    c->end = c->at + c->chunk->size;
    c->n_left = (uint64_t)c->chunk->n_values;
    for (uint32_t i = 0; i < GS_PARQUET_BATCH; i++)
        c->in_order[i] = i;
    const int codec = c->chunk->codec;
    char what[120];
    if (codec == SNAPPY && !gs_snappy_is_there())
        return gs_fail(err, GS_ERR_UNAVAILABLE,
                       "%s: its pages are packed with snappy, which needs libsnappy: install "
                       "libsnappy1v5 (Debian)",
                       p->name);
    if (codec != UNCOMPRESSED && codec != SNAPPY && codec != GZIP && codec != ZSTD) {
        (void)snprintf(what, sizeof what,
                       "is packed with %s, which is not read; expected none, snappy, gzip or zstd",
                       codec > 0 && codec <= LZ4_RAW ? codecs[codec] : "an unknown codec");
        return fail(c, what, err);
    }
    if (c->column->kind == GS_PARQUET_REFUSED)
        return fail(c, "has a type that is not read; expected numbers, texts or times", err);
    return GS_OK;
}

void gs_parquet_end(struct gs_parquet_cursor *c)
{
    if (c == NULL)
        return;
    struct room *const rooms[] = {&c->packed, &c->plain, &c->words, &c->joined};
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        gs_memory_give(rooms[i]->ptr, rooms[i]->size);
        *rooms[i] = (struct room){0};
    }
    if (c->codec_state != NULL)
        c->codec->close(c->codec_state);
    c->codec_state = NULL;
    gs_arena_release(&c->arena);
}

/* Loops over pages without values. It ends, because each header moves `at` towards `end`. */
enum gs_status gs_parquet_ready(struct gs_parquet_cursor *c, size_t *n, struct gs_err *err)
{
    while (c->page_left == 0) {
        if (c->at >= c->end || c->n_left == 0)
            return damaged(c, err);
        GS_TRY(next_page(c, err));
    }
    *n = c->page_left < GS_PARQUET_BATCH ? (size_t)c->page_left : GS_PARQUET_BATCH;
    return GS_OK;
}

/*
 * How many of the next n rows have a value; which ones is in level_of where not all have. A level
 * of max_def means a value; all lower ones are nulls, at whatever depth of the schema.
 */
static bool take_levels(struct gs_parquet_cursor *c, size_t n, size_t *m)
{
    const unsigned whole = c->column->max_def;
    *m = n;
    if (whole == 0)
        return true;
    if (!c->level.packed && c->level.n_run >= n && c->level.value == whole) {
        c->level.n_run -= n; /* all are there, as in most columns */
        return true;
    }
    if (!gs_rle_next(&c->level, n, c->level_of))
        return false;
    *m = 0;
    for (size_t i = 0; i < n; i++)
        *m += c->level_of[i] == whole;
    return true;
}

/* `lasting` tells that codes mean the same word in all batches of this column chunk. */
enum gs_status gs_parquet_next(struct gs_parquet_cursor *c, size_t n,
                               struct gs_parquet_batch *batch, struct gs_err *err)
{
    const unsigned whole = c->column->max_def;
    size_t m;
    if (!take_levels(c, n, &m))
        return damaged(c, err);
    const bool taken = m == 0 || take_values(c, m);
    GS_TRY(gs_had_memory(taken || !c->no_memory, err));
    if (!taken)
        return damaged(c, err);
    const bool words = uses_dictionary(c);
    if (!words && m < n)
        memcpy(c->code_of, c->in_order, m * sizeof *c->code_of);
    for (size_t i = n, k = m; i-- > 0 && m < n;) /* from behind: a value moves back, never forth */
        c->code_of[i] = c->level_of[i] == whole ? c->code_of[--k] : GS_PARQUET_NULL;
    const bool texts = c->column->kind == GS_PARQUET_TEXT || c->column->kind == GS_PARQUET_UUID;
    struct values from = {c->number, c->text};
    *batch = (struct gs_parquet_batch){
        .n = n, .code = c->in_order, .lasting = words, .has_nulls = m < n, .n_values = m};
    if (words || m < n)
        batch->code = c->code_of;
    if (words) {
        batch->n_values = c->n_words;
        from = c->word;
    }
    if (texts)
        batch->text = from.text;
    else
        batch->number = from.number;
    c->page_left -= n;
    return GS_OK;
}
