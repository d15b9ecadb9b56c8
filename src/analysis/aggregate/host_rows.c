/* host_rows.c - blocks of rows: column by column, a text that is there again said by its number. */
#include "analysis/aggregate/host_rows.h"
#include "base/num/order.h"

#include <string.h>

/*
 * So that who wants a row need not read far. The size is part of the format: a block's number
 * times this is its first row.
 */
enum { ROWS_PER_BLOCK = 1024 };

/* How the numbers of a column follow: one for all rows, or each. */
enum { SAME, EACH };

const char *gs_row_types(const struct gs_frame *f, struct gs_arena *arena)
{
    static const char type[] = {
        [GS_TYPE_TEXT] = 't', [GS_TYPE_INT] = 'i', [GS_TYPE_REAL] = 'r', [GS_TYPE_TIME] = 'T'};
    char *const types = gs_arena_take(arena, f->n_columns + 1, 1);
    for (size_t c = 0; types != NULL && c < f->n_columns; c++)
        types[c] = type[f->columns[c].spec->type];
    return types;
}

static size_t cell_size(const struct gs_column *c)
{
    return c->spec->type == GS_TYPE_TEXT ? sizeof *c->text : sizeof *c->integer;
}

struct gs_column *gs_rows_append(const struct gs_frame *f, size_t n, struct gs_arena *arena)
{
    struct gs_column *const c = gs_arena_take_raw(arena, f->n_columns, sizeof *c);
    for (size_t k = 0; c != NULL && k < f->n_columns; k++) {
        c[k] = f->columns[k];
        c[k].text = gs_arena_take_raw(arena, n, cell_size(&c[k]));
        if (c[k].text == NULL)
            return NULL;
    }
    return c;
}

static bool same_types(const struct gs_host_rows *a, const struct gs_host_rows *b)
{
    return a->types == b->types ||
           (a->types != NULL && b->types != NULL && strcmp(a->types, b->types) == 0);
}

/* --- adding ------------------------------------------------------------------------------------------- */

/* The texts of a column so far, found by where they stand: those that a host has in many rows are interned. */
struct known_texts {
    struct gs_str text[ROWS_PER_BLOCK];
    uint16_t slot[2 * ROWS_PER_BLOCK]; /* number plus one; 0: empty */
    uint32_t n;
};

/* The number of a text, the next one for a text that is not there. A missing text differs from an empty one. */
static uint32_t number_of(struct known_texts *known, struct gs_str text, uint32_t before)
{
    const uint64_t hash = (uint64_t)(uintptr_t)text.ptr * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t at = (uint32_t)(hash >> 53); /* of 2048 slots */
    for (; known->slot[at] != 0; at = (at + 1) % (2 * ROWS_PER_BLOCK)) {
        const struct gs_str *const one = &known->text[known->slot[at] - 1];
        if (one->ptr == text.ptr && one->len == text.len)
            return known->slot[at] - 1u;
    }
    if (known->n > 0 && text.ptr != NULL && known->text[before].ptr != NULL &&
        gs_str_eq(text, known->text[before]))
        return before;
    known->text[known->n] = text;
    known->slot[at] = (uint16_t)(known->n + 1);
    return known->n;
}

/* Each row's number; behind the first of each the text. */
static void pack_texts(struct gs_buf *b, const struct gs_str *text, size_t n)
{
    struct known_texts known;
    uint32_t number = 0;
    known.n = 0;
    memset(known.slot, 0, sizeof known.slot);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || text[i].ptr != text[i - 1].ptr || text[i].len != text[i - 1].len)
            number = number_of(&known, text[i], number);
        gs_pack_count(b, number);
        if (number < known.n)
            continue;
        gs_pack_text(b, text[i]);
        known.n++;
    }
}

/* Words of 8 bytes, whatever they mean. */
static void pack_words(struct gs_buf *b, const void *words, size_t n)
{
    const char *const from = words;
    uint64_t word;
    const bool same = memcmp(from, from + sizeof word, (n - 1) * sizeof word) == 0;
    gs_buf_char(b, same ? SAME : EACH);
    if (same)
        n = 1;
    if (!gs_buf_reserve(b, n * sizeof word))
        return;
    unsigned char *to = (unsigned char *)b->ptr + b->len;
    for (size_t i = 0; i < n; i++, to += sizeof word) {
        memcpy(&word, from + i * sizeof word, sizeof word);
        for (unsigned k = 0; k < sizeof word; k++)
            /* Least byte first on every machine: a partial result may be merged on another one. */
            to[k] = (unsigned char)(word >> 8 * k);
    }
    b->len += n * sizeof word;
    b->ptr[b->len] = '\0';
}

static struct gs_rows_block *next_block(struct gs_host_rows *rows, size_t more,
                                        struct gs_arena *arena)
{
    if (rows->n_blocks + more > rows->capacity) {
        const size_t room = 2 * rows->n_blocks + more + 16;
        struct gs_rows_block *const grown =
            gs_arena_grow(arena, rows->block, rows->n_blocks, room, sizeof *rows->block);
        if (grown == NULL)
            return NULL;
        rows->block = grown;
        rows->capacity = room;
    }
    return &rows->block[rows->n_blocks];
}

/* `made` says whose rows they are, and which; the rest of it is filled in. */
static enum gs_status add_block(struct gs_host_rows *rows, struct gs_rows_block made,
                                const struct gs_column *columns, struct gs_buf *b,
                                struct gs_arena *arena, struct gs_err *err)
{
    const size_t first = made.number * ROWS_PER_BLOCK;
    struct gs_rows_block *const block = next_block(rows, 1, arena);
    GS_TRY(gs_had_memory(block != NULL, err));
    for (size_t c = 0; rows->types[c] != '\0'; c++)
        if (rows->types[c] == 't')
            pack_texts(b, columns[c].text + first, made.n);
        else
            pack_words(b, columns[c].integer + first, made.n);
    if (b->failed || b->len > UINT32_MAX)
        return gs_fail_memory(err);
    *block = made;
    block->n_bytes = (uint32_t)b->len;
    /*
     * With a memory limit the bytes go to the scratch file and only their place is kept: 1,024
     * rows then take the memory of one struct.
     */
    if (rows->file != NULL)
        GS_TRY(gs_scratch_file_put(rows->file, b->ptr, b->len, &block->at, err));
    else if ((block->bytes = gs_arena_copy(arena, b->ptr, b->len)) == NULL)
        return gs_fail_memory(err);
    rows->n_blocks++;
    rows->n_rows += made.n;
    return GS_OK;
}

enum gs_status gs_host_rows_add(struct gs_host_rows *rows, struct gs_str host,
                                const struct gs_column *columns, size_t n, struct gs_arena *arena,
                                struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_buf b = {.arena = &own};
    const struct gs_str name = {gs_arena_copy(arena, host.ptr, host.len), host.len};
    const size_t cells = gs_min(n, (size_t)ROWS_PER_BLOCK) * strlen(rows->types);
    GS_TRY(gs_had_memory(name.ptr != NULL && gs_buf_reserve(&b, cells * sizeof(int64_t)), err));
    for (size_t first = 0; first < n; first += ROWS_PER_BLOCK) {
        b.len = 0;
        const struct gs_rows_block made = {.host = name,
                                           .number = first / ROWS_PER_BLOCK,
                                           .n = (uint32_t)gs_min(n - first, ROWS_PER_BLOCK)};
        GS_TRY(add_block(rows, made, columns, &b, arena, err));
    }
    return GS_OK;
}

enum gs_status gs_host_rows_merge(struct gs_host_rows *rows, const struct gs_host_rows *other,
                                  struct gs_arena *arena, struct gs_err *err)
{
    if (rows->types == NULL && other->types != NULL &&
        (rows->types = gs_arena_copy(arena, other->types, strlen(other->types))) == NULL)
        return gs_fail_memory(err);
    if (other->types != NULL && !same_types(rows, other))
        return gs_fail(err, GS_ERR_DATA, "states have rows of other columns");
    if (rows->file == NULL)
        rows->file = other->file;
    if (other->n_blocks > 0 && next_block(rows, other->n_blocks, arena) == NULL)
        return gs_fail_memory(err);
    for (size_t k = 0; k < other->n_blocks; k++) {
        struct gs_rows_block *const to = &rows->block[rows->n_blocks];
        *to = other->block[k];
        /*
         * The blocks of a host share one copy of its name, which also lets by_host() compare
         * pointers.
         */
        if (k > 0 && other->block[k].host.ptr == other->block[k - 1].host.ptr)
            to->host = to[-1].host;
        else
            to->host.ptr = gs_arena_copy(arena, to->host.ptr, to->host.len);
        GS_TRY(gs_had_memory(to->host.ptr != NULL, err));
        rows->n_blocks++;
    }
    rows->n_rows += other->n_rows;
    return GS_OK;
}

/* --- reading ------------------------------------------------------------------------------------------ */

/*
 * The order of the output: by host, then as the host made its rows. Blocks were added in an order
 * that depends on the threads, which must not show.
 */
GS_COMPARES(by_host, struct gs_rows_block,
            if (x->host.ptr != y->host.ptr) GS_BY_TEXT(host) GS_BY(number));

/* The blocks by host and number, copied; NULL without memory. */
static struct gs_rows_block *in_order(const struct gs_host_rows *rows, struct gs_arena *arena)
{
    struct gs_rows_block *const block = gs_arena_take_raw(arena, rows->n_blocks, sizeof *block);
    if (block != NULL && rows->n_blocks > 0)
        memcpy(block, rows->block, rows->n_blocks * sizeof *block);
    GS_SORT(block, rows->n_blocks, by_host);
    return block;
}

/* A column of a block, of which rows [first, first + n) are wanted; NULL: it is only looked at. */
static void unpack_texts(struct gs_unpacker *u, struct gs_str *text, uint32_t n_rows,
                         uint32_t first, uint32_t n)
{
    struct gs_str known[ROWS_PER_BLOCK];
    uint32_t n_known = 0;
    for (uint32_t r = 0; r < n_rows && u->status == GS_OK; r++) {
        const uint64_t number = gs_unpack_count(u);
        if (number == n_known)
            known[n_known++] = gs_unpack_text(u);
        else if (number > n_known)
            (void)gs_unpack_fail(u, "found neither a text nor the number of one before");
        if (u->status == GS_OK && text != NULL && r >= first && r - first < n)
            text[r - first] = known[number];
    }
}

static void unpack_words(struct gs_unpacker *u, int64_t *word, uint32_t n_rows, uint32_t first,
                         uint32_t n)
{
    const bool each = gs_unpack_flag(u);
    const uint64_t n_words = each ? n_rows : 1, step = each ? 8 : 0;
    if ((uint64_t)(u->end - u->at) < n_words * 8) {
        (void)gs_unpack_fail(u, "found the end of a block of rows, expected numbers of 8 bytes");
        return;
    }
    const unsigned char *from = u->at + first * step;
    for (uint32_t i = 0; word != NULL && i < n; i++, from += step) {
        uint64_t bits = 0;
        for (unsigned k = 0; k < 8; k++)
            bits |= (uint64_t)from[k] << 8 * k;
        word[i] = (int64_t)bits;
    }
    u->at += n_words * 8;
}

/* The wanted rows of a block go to row `at` of the columns on; columns NULL: as above. */
static void unpack_rows(struct gs_unpacker *u, const char *types, struct gs_column *columns,
                        size_t at, uint32_t n_rows, uint32_t first, uint32_t n)
{
    for (size_t c = 0; types[c] != '\0' && u->status == GS_OK; c++) {
        if (types[c] == 't')
            unpack_texts(u, columns == NULL ? NULL : columns[c].text + at, n_rows, first, n);
        else
            unpack_words(u, columns == NULL ? NULL : columns[c].integer + at, n_rows, first, n);
    }
}

/* The bytes of a block: where they are, or read into `arena`. */
static enum gs_status bytes_of(const struct gs_host_rows *rows, const struct gs_rows_block *block,
                               struct gs_arena *arena, struct gs_str *bytes, struct gs_err *err)
{
    *bytes = (struct gs_str){block->bytes, block->n_bytes};
    if (block->bytes != NULL)
        return GS_OK;
    char *const room = gs_arena_take_raw(arena, block->n_bytes, 1);
    bytes->ptr = room;
    GS_TRY(gs_had_memory(room != NULL, err));
    return gs_scratch_file_get(rows->file, block->at, room, block->n_bytes, err);
}

/* The block that row `row` of the frame is in. */
static size_t block_of(const struct gs_host_rows *rows, uint64_t row)
{
    size_t behind = 1;
    GS_BISECT(behind, rows->n_blocks, at, rows->block[at].first <= row);
    return behind - 1;
}

static enum gs_status read_rows(const void *of, size_t first, size_t n, struct gs_column *columns,
                                size_t n_columns, struct gs_arena *arena, struct gs_err *err)
{
    const struct gs_host_rows *const rows = of;
    enum gs_status s = GS_OK;
    for (size_t c = 0; c < n_columns; c++) {
        columns[c].text = gs_arena_take_raw(arena, n, cell_size(&columns[c]));
        GS_TRY(gs_had_memory(columns[c].text != NULL, err));
    }
    size_t k = n == 0 ? rows->n_blocks : block_of(rows, first);
    for (size_t at = 0; at < n && s == GS_OK; k++) {
        const struct gs_rows_block *const block = &rows->block[k];
        const uint32_t from = (uint32_t)(first + at - block->first);
        const uint32_t some = (uint32_t)gs_min(block->n - from, n - at);
        struct gs_str bytes;
        s = bytes_of(rows, block, arena, &bytes, err);
        if (s != GS_OK)
            break;
        struct gs_unpacker u = gs_unpack("rows", bytes, err);
        /*
         * A column is packed as one stream, so a block is read from its beginning even for one row
         * of it.
         */
        unpack_rows(&u, rows->types, columns, at, block->n, from, some);
        s = u.status;
        at += some;
    }
    return s;
}

enum gs_status gs_host_rows_frame(const struct gs_host_rows *rows, struct gs_frame *f,
                                  struct gs_arena *arena, struct gs_err *err)
{
    GS_NEW(struct gs_host_rows, of, 1, arena, err);
    struct gs_rows_block *const block = in_order(rows, arena);
    const char *const types = gs_row_types(f, arena);
    uint64_t end = 0;
    GS_TRY(gs_had_memory(block != NULL && types != NULL, err));
    if (rows->types != NULL && strcmp(rows->types, types) != 0)
        return gs_fail(err, GS_ERR_DATA,
                       "the state has rows of other columns than the options ask for");
    *of = *rows;
    of->block = block;
    for (size_t k = 0; k < rows->n_blocks; k++) {
        block[k].first = end;
        end += block[k].n;
    }
    f->n_rows = (size_t)end;
    f->source = (struct gs_row_source){.rows = of, .far = rows->file != NULL, .read = read_rows};
    return GS_OK;
}

/* --- as bytes ----------------------------------------------------------------------------------------- */

/* A block: host, number, rows, then its bytes, or how many there are where. */
static enum gs_status save_block(const struct gs_host_rows *rows, const struct gs_rows_block *block,
                                 bool place, struct gs_arena *scratch, struct gs_sink to,
                                 struct gs_err *err)
{
    struct gs_buf b = {.arena = scratch};
    gs_pack_text(&b, block->host);
    gs_pack_count(&b, block->number);
    gs_pack_count(&b, block->n);
    if (place) {
        gs_pack_count(&b, block->n_bytes);
        gs_pack_u64(&b, block->at);
    } else {
        struct gs_str bytes;
        GS_TRY(bytes_of(rows, block, scratch, &bytes, err));
        gs_pack_text(&b, bytes);
    }
    GS_TRY(gs_had_memory(!b.failed, err));
    return gs_sink_write(to, b.ptr, b.len, err);
}

/* The types, the number of blocks, then each. */
enum gs_status gs_host_rows_save(const struct gs_host_rows *rows, bool here, struct gs_sink to,
                                 struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_buf b = {.arena = &own};
    const struct gs_rows_block *const block = in_order(rows, &own);
    GS_TRY(gs_had_memory(block != NULL, err));
    gs_pack_text(&b, gs_str(rows->types));
    gs_pack_count(&b, rows->n_blocks);
    GS_TRY(gs_had_memory(!b.failed, err));
    GS_TRY(gs_sink_write(to, b.ptr, b.len, err));
    for (size_t k = 0; k < rows->n_blocks; k++) {
        GS_REWINDS(&own);
        GS_TRY(save_block(rows, &block[k], here && rows->file != NULL, &own, to, err));
    }
    return GS_OK;
}

/* The bytes are looked through; of a place it is this process that told it. */
static void load_block(struct gs_host_rows *rows, struct gs_unpacker *u, struct gs_arena *arena)
{
    struct gs_rows_block *const block = &rows->block[rows->n_blocks];
    const bool place = rows->file != NULL;
    const struct gs_str host = gs_unpack_copy(u, arena);
    const uint64_t number = gs_unpack_count(u), n = gs_unpack_count(u);
    const uint64_t n_bytes = place ? gs_unpack_count(u) : 0, at = place ? gs_unpack_u64(u) : 0;
    const struct gs_str bytes = place ? (struct gs_str){NULL, n_bytes} : gs_unpack_text(u);
    if (u->status == GS_OK &&
        (host.ptr == NULL || n == 0 || n > ROWS_PER_BLOCK || bytes.len > UINT32_MAX))
        (void)gs_unpack_fail(u, "found a block of rows that cannot be");
    if (u->status != GS_OK)
        return;
    *block = (struct gs_rows_block){.host = host,
                                    .number = number,
                                    .n = (uint32_t)n,
                                    .n_bytes = (uint32_t)bytes.len,
                                    .bytes = bytes.ptr,
                                    .at = at};
    /*
     * Bytes from a file are walked once at load, so that a damaged block is an error now and not
     * in the middle of a printed table.
     */
    if (!place) {
        struct gs_unpacker inner = gs_unpack(u->name, bytes, u->err);
        unpack_rows(&inner, rows->types, NULL, 0, block->n, 0, 0);
        if (inner.status == GS_OK && inner.at != inner.end)
            (void)gs_unpack_fail(&inner, "found more behind a block of rows");
        if (inner.status != GS_OK) {
            u->status = inner.status;
            return;
        }
    }
    if (rows->n_blocks > 0 && by_host(block - 1, block) >= 0)
        (void)gs_unpack_fail(u, "found rows of hosts that do not ascend");
    rows->n_blocks++;
    rows->n_rows += n;
}

enum gs_status gs_host_rows_load(struct gs_host_rows *rows, struct gs_scratch_file *file,
                                 struct gs_unpacker *u, struct gs_arena *arena)
{
    struct gs_host_rows made = {.file = file};
    const struct gs_str types = gs_unpack_text(u);
    const size_t n = gs_unpack_length(u, 4);
    bool known = u->status == GS_OK && (types.ptr != NULL || n == 0);
    for (size_t c = 0; known && c < types.len; c++)
        known = types.ptr[c] != '\0' && strchr("tirT", types.ptr[c]) != NULL;
    if (!known)
        return gs_unpack_fail(u, "found rows of unknown columns");
    if (types.ptr != NULL)
        made.types = gs_arena_copy(arena, types.ptr, types.len);
    made.block = gs_arena_take(arena, n, sizeof *made.block);
    made.capacity = n;
    if ((types.ptr != NULL && made.types == NULL) || made.block == NULL)
        return u->status = gs_fail_memory(u->err);
    while (made.n_blocks < n && u->status == GS_OK)
        load_block(&made, u, arena);
    if (u->status == GS_OK)
        *rows = made;
    return u->status;
}
