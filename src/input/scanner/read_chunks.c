/* read_chunks.c - cuts files at guessed row ends, and checks afterwards that each cut was right. */
#include "input/scanner/read_chunks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/num/order.h"
#include "input/bytes/ordered_digest.h"
#include "base/os/input_meter.h"
#include "base/os/parallel.h"
#include "input/import/form_rows.h"
#include "input/scanner/scan.h"
#include "input/scanner/scan_parquet.h"

/* clang-format off */
enum {
    CHUNK_BYTES = 256 << 10,
    CHUNK_BYTES_MIN = 64,
    CHUNKS_MAX = 1 << GS_PLACE_CHUNK_BITS,
    LOOK_AHEAD = 4 << 10,        /* behind a chunk, for the row that begins in it              */
    LOOK_AHEAD_MAX = GS_SPLIT_ROW_BYTES_MAX + (4 << 10),
};
/* clang-format on */

/* A malformed row of a chunk. */
struct faulty {
    struct faulty *next;
    struct gs_reject row; /* without a name, its line within the chunk */
};

/* A chunk, as a thread found it. */
struct chunk {
    uint64_t begin, end; /* the first byte of its first row, and of the row behind its last */
    uint64_t n_rows, n_lines, n_faulty, n_headers, n_bad;
    uint64_t bad_line; /* of the first, within the chunk */
    bool torn, zoneless, by_size;
    struct faulty *faulty, *last; /* in their order; without --rejects the first ends the chunk */
};

struct file {
    struct gs_head *head;
    int fd;               /* plain, and the scanner's: read with pread; else -1    */
    uint64_t size, first; /* first: where rows begin, behind the header            */
    uint64_t chunk_bytes;
    struct chunk *chunk;
    size_t n_chunks;
    struct gs_ordered_digest digest; /* where one is asked for: of the chunks, in their order */
};

struct worker {
    struct gs_reader *reader;
    struct gs_scanner *scanner;
    char *room;
    size_t file;           /* that the scanner is set up for; SIZE_MAX: none        */
    struct gs_arena arena; /* of malformed rows                                     */
    struct gs_form_rows
        *rows; /* of that file, if it is of lines that are made a table of; NULL: not set up */
    struct gs_arena own; /* ... theirs */
};

/* A chunk of a plain file, as a thread is handed it. */
struct item {
    size_t file, chunk;
};

struct reading {
    const struct gs_load_options *o;
    struct gs_dataset *d;
    struct file *file;
    struct item *item;
    size_t n_items;
    size_t first_item; /* of the round that is read at present */
    struct gs_name_filter
        tasks; /* of the checkpoints, once these are read; see gs_load_options.own_tasks */
    bool *
        wanted; /* [n_items, then n_inputs of the streams] of a later pass, see pass_plan.h; NULL: all */
    struct worker *worker; /* [n_threads]                                           */
    unsigned n_workers;
    atomic_bool refused;
    atomic_size_t failed; /* the first item that ends with a malformed row; SIZE_MAX: none */
};

/*
 * Reads as much as there is of [at, at + size) before `end`; SIZE_MAX where reading failed.
 * pread, not mmap: a file that is cut short while it is mapped would end the program with SIGBUS.
 * The file offset stays where gs_bytes_read left it, so a later pass through the stream still
 * works.
 */
static size_t read_at(int fd, char *room, size_t size, uint64_t at, uint64_t end)
{
    size_t n = 0;
    size = end - at < size ? (size_t)(end - at) : size;
    while (n < size) {
        const ssize_t got = pread(fd, room + n, size - n, (off_t)(at + n));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return SIZE_MAX;
        if (got == 0)
            break;
        n += (size_t)got;
    }
    return n;
}

/*
 * Chunks are handed out in file order, so a thread mostly stays within one file and keeps what it
 * has learnt of its rows.
 */
static void set_up(struct worker *w, const struct reading *r, size_t file)
{
    if (w->file == file)
        return;
    gs_scanner_file(w->scanner, w->reader, &r->file[file].head->binding, file);
    w->file = file;
    w->rows = NULL;
    gs_arena_release(&w->own);
}

/*
 * The row at p, which the scanner has split and refused, is set aside. False without memory. The
 * text is copied because the room is filled by the next chunk; the line is relative to the chunk,
 * because the lines before it are counted by other threads at the same time.
 */
static bool store_faulty(struct worker *w, struct chunk *c, const char *p)
{
    const struct gs_scanner *const s = w->scanner;
    struct faulty *const f = gs_arena_take(&w->arena, 1, sizeof *f);
    const char *const reason = gs_arena_copy(&w->arena, s->fault.text, strlen(s->fault.text));
    if (f == NULL || reason == NULL)
        return false;
    f->row = (struct gs_reject){.line = c->n_lines, .reason = reason, .kind = s->fault.kind};
    if (!gs_str_copy(&w->arena, gs_row_raw(p, s->split.next), &f->row.raw))
        return false;
    if (c->last == NULL)
        c->faulty = f;
    else
        c->last->next = f;
    c->last = f;
    c->n_faulty++;
    c->n_lines += s->split.n_lines;
    return true;
}

static void count(struct chunk *c, const struct gs_scan_result *got)
{
    c->n_rows += got->n_rows;
    c->n_lines += got->n_lines;
    c->n_headers += got->n_headers;
    if (c->n_bad == 0)
        c->bad_line = got->bad_line;
    c->n_bad += got->n_bad;
    c->torn |= got->torn;
}

/* The bytes of a chunk in the worker's room, or those of a text, with GS_SCAN_PADDING bytes behind them. */
struct chunk_bytes {
    const char *room;
    int fd;
    uint64_t from, size; /* of the first of them; of the file                     */
    size_t wanted, n;    /* rows that begin in these are the chunk's; all at hand */
};

/* Line feeds as padding: a last row without a line end is found like any other. */
static void pad(struct worker *w, size_t n)
{
    memset(w->room + n, '\n', GS_SCAN_PADDING);
}

/* Reads on behind the bytes at hand; false: there are no more, or the row is longer than the splitter takes. */
static bool read_on(struct worker *w, struct chunk_bytes *b)
{
    const size_t more = b->wanted + LOOK_AHEAD_MAX - b->n;
    const size_t got = read_at(b->fd, w->room + b->n, more, b->from + b->n, b->size);
    if (got == SIZE_MAX)
        return false;
    b->n += got;
    pad(w, b->n);
    return got > 0;
}

/* The rows from p on, which without --rejects end at the first malformed one. Returns what follows; NULL as scan_chunk. */
static const char *scan_rows(const struct reading *r, struct worker *w, struct chunk *c, size_t k,
                             struct chunk_bytes *b, const char *p)
{
    const char *const limit = b->room + b->wanted;
    for (;;) {
        struct gs_scan_result got;
        const struct gs_scan_bytes bytes = {p, limit,     b->room + b->n, b->from + b->n >= b->size,
                                            k, c->n_lines};
        const enum gs_split s = gs_scan(w->scanner, &bytes, &got);
        count(c, &got);
        p = got.next;
        if (s == GS_SPLIT_ROW)
            return p;
        if (s == GS_SPLIT_REFUSE && w->scanner->has_fault) {
            if (!store_faulty(w, c, p))
                return NULL;
            if (r->o->reject == NULL)
                return p;
            p = w->scanner->split.next;
            if (p >= limit)
                return p;
            continue;
        }
        /* The row that begins in this chunk goes on behind the bytes at hand. */
        if (s == GS_SPLIT_REFUSE || !read_on(w, b))
            return NULL;
    }
}

/* The same of a text that holds whole rows; false as scan_chunk. */
static bool scan_text(const struct reading *r, struct worker *w, struct chunk *c, size_t k,
                      struct gs_str text)
{
    struct chunk_bytes all = {text.ptr, -1, 0, text.len, text.len, text.len};
    return text.len == 0 || scan_rows(r, w, c, k, &all, text.ptr) != NULL;
}

/* The same of lines that are made a table of, the last of which gets a line end where the file has none. */
static const char *scan_lines(const struct reading *r, struct worker *w, size_t file, size_t k,
                              struct chunk_bytes *b, const char *p)
{
    const struct gs_head *const h = r->file[file].head;
    struct chunk *const c = &r->file[file].chunk[k];
    const char *const last = w->room + b->wanted - 1;
    const char *end;
    struct gs_form_table t;
    if (p > last)
        return p;
    while ((end = memchr(last, '\n', (size_t)(w->room + b->n - last))) == NULL)
        if (b->from + b->n >= b->size)
            w->room[b->n++] = '\n';
        else if (!read_on(w, b))
            return NULL;
    end++;
    if (w->rows == NULL &&
        gs_form_rows_open(r->d->input[file].form->lines, h->field, h->binding.n_fields, r->d->seed,
                          &w->own, &w->rows, NULL) != GS_OK)
        return NULL;
    if (gs_form_rows_write(w->rows, (struct gs_str){p, (size_t)(end - p)}, GS_SCAN_PADDING,
                           b->from + (uint64_t)(end - w->room) >= b->size, &t, NULL) != GS_OK ||
        !scan_text(r, w, c, k, t.text))
        return NULL;
    c->n_lines = t.n_lines;
    c->n_headers += t.n_ignored;
    c->torn |= t.torn;
    c->by_size |= t.by_size;
    return end;
}

/*
 * One chunk of a plain file. False: something that the sequential way must look at. A chunk owns
 * the rows that begin in it. It guesses that the first line feed from the byte before its cut on
 * ends a row; a line feed inside quotes makes that wrong, and chunks_join then notices.
 */
static bool scan_chunk(const struct reading *r, struct worker *w, int fd, size_t file, size_t k)
{
    struct file *const f = &r->file[file];
    struct chunk *const c = &f->chunk[k];
    const uint64_t cut = f->first + k * f->chunk_bytes;
    /* The byte before tells whether a row begins at the cut. */
    const uint64_t from = cut - (k > 0);
    const uint64_t to = f->size - cut > f->chunk_bytes ? cut + f->chunk_bytes : f->size;
    const size_t wanted = (size_t)(to - from);
    const size_t n = read_at(fd, w->room, wanted + LOOK_AHEAD, from, f->size);
    struct chunk_bytes bytes = {w->room, fd, from, f->size, wanted, n};
    if (n == SIZE_MAX || n < wanted)
        return false;
    pad(w, n);
    const struct gs_str own = {w->room + (cut - from),
                               (size_t)(to - cut)}; /* which no other chunk digests */
    /*
     * If it is this chunk's turn, its bytes are hashed before they are scanned, while they are in
     * the cache. Otherwise they are hashed at the end, when the chunks before are more likely to
     * be done.
     */
    bool digested = !r->o->digest;
    if (!digested && gs_ordered_digest_is_turn(&f->digest, k))
        digested = gs_ordered_digest_add(&f->digest, k, own.ptr, own.len);
    set_up(w, r, file);
    const char *const feed = memchr(w->room, '\n', wanted); /* in front of the first row */
    if (k > 0 && feed == NULL)
        return false;
    const char *p = k == 0 ? w->room : feed + 1;
    *c = (struct chunk){.begin = from + (uint64_t)(p - w->room)};
    p = f->head->field != NULL ? scan_lines(r, w, file, k, &bytes, p)
                               : scan_rows(r, w, c, k, &bytes, p);
    if (p == NULL)
        return false;
    if (c->faulty != NULL && r->o->reject == NULL)
        return true;
    c->end = gs_min(from + (uint64_t)(p - w->room), f->size);
    return digested || gs_ordered_digest_add(&f->digest, k, own.ptr, own.len);
}

/*
 * A row group of Parquet: typed, and from the first batch on that is not taken so, as text. A row
 * group is the unit of parallel work, because its pages can only be unpacked in order. The typed
 * way stops at the first batch with something unusual, and the text goes on behind exactly that
 * row.
 */
static bool scan_group(const struct reading *r, struct worker *w, size_t file, size_t k)
{
    struct file *const f = &r->file[file];
    struct chunk *const c = &f->chunk[k];
    struct gs_parquet_table *t = NULL;
    struct gs_str text = {NULL, 1};
    *c = (struct chunk){.begin = k, .end = k + 1};
    set_up(w, r, file);
    enum gs_status s =
        gs_parquet_scan(w->reader, &f->head->binding, f->head->parquet, k, file, &c->n_rows, NULL);
    c->n_lines = c->n_rows;
    if (s == GS_OK && c->n_rows < gs_parquet_group_rows(f->head->parquet, k))
        s = gs_parquet_table_group(f->head->parquet, k, c->n_rows, &t, NULL);
    while (s == GS_OK && t != NULL && text.len > 0 && (c->faulty == NULL || r->o->reject != NULL)) {
        s = gs_parquet_table_next(t, GS_SCAN_PADDING, &text, NULL);
        if (s == GS_OK && text.len > 0 && !scan_text(r, w, c, k, text))
            s = GS_ERR_DATA;
    }
    gs_parquet_table_close(t);
    return s == GS_OK;
}

/*
 * Of many files none is kept open: each is opened for a chunk, if it is still what its header was
 * read from. The stamp is compared before and after: a file that was replaced meanwhile would
 * give rows of two files. Growth is allowed, as logs grow; only the bytes up to the size at
 * opening are read.
 */
static bool read_chunk(const struct reading *r, struct worker *w, size_t file, size_t k)
{
    const struct gs_head *const h = r->file[file].head;
    if (h->parquet != NULL)
        return scan_group(r, w, file, k);
    if (r->file[file].fd != GS_HEAD_CLOSED)
        return scan_chunk(r, w, r->file[file].fd, file, k);
    struct gs_file_stamp now;
    const int fd = open(r->d->input[file].path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    const bool same = fd >= 0 && gs_stamp_of(fd, &now) && !gs_stamp_is_other(&h->stamp, &now);
    const bool taken = same && scan_chunk(r, w, fd, file, k) && gs_stamp_of(fd, &now) &&
                       !gs_stamp_is_other(&h->stamp, &now);
    if (fd >= 0)
        (void)close(fd);
    return taken;
}

/*
 * Nobody waits for a chunk that will not come. A thread waits in gs_ordered_digest_add for its
 * turn. After a refusal the turn of a missing chunk never comes, and the threads would wait
 * forever.
 */
static void stop_digests(struct reading *r)
{
    for (size_t i = 0; r->o->digest && i < r->d->n_inputs; i++)
        if (r->file[i].fd >= 0)
            gs_ordered_digest_stop(&r->file[i].digest);
}

/*
 * `failed` only ever decreases, so the first malformed row of the inputs is the error, whichever
 * thread finds one first: the message does not depend on timing.
 */
static int read_item(void *context, size_t of_round, unsigned thread)
{
    struct reading *const r = context;
    const size_t number = r->first_item + of_round;
    const struct item it = r->item[number];
    size_t failed = atomic_load(&r->failed);
    if (number > failed)
        return 0;
    if (gs_input_meter_check(NULL) != GS_OK)
        return 1;
    if (r->wanted != NULL && !r->wanted[number]) {
        const struct gs_pass_plan_chunk *const known = &r->o->pass_plan->chunk[number];
        r->file[it.file].chunk[it.chunk] = (struct chunk){.begin = known->begin,
                                                          .end = known->end,
                                                          .n_rows = known->n_rows,
                                                          .n_lines = known->n_lines};
        gs_input_meter_add(known->end - known->begin);
        return 0;
    }
    r->worker[thread].reader->chunk = (uint32_t)number;
    r->worker[thread].reader->skips =
        r->wanted != NULL && !r->o->pass_plan->chunk[number].is_faulty;
    r->worker[thread].reader->time.zoneless = false;
    const bool taken = read_chunk(r, &r->worker[thread], it.file, it.chunk);
    const struct file *const f = &r->file[it.file];
    f->chunk[it.chunk].zoneless = r->worker[thread].reader->time.zoneless;
    gs_input_meter_add(f->head->parquet != NULL ? f->head->parquet->size / f->n_chunks
                                                : f->chunk_bytes);
    if (taken && (r->o->reject != NULL || r->file[it.file].chunk[it.chunk].faulty == NULL))
        return 0;
    if (taken)
        while (number < failed && !atomic_compare_exchange_weak(&r->failed, &failed, number))
            ;
    else if (number < atomic_load(&r->failed)) /* what comes behind a malformed row may well stop */
        atomic_store(&r->refused, true);
    stop_digests(r);
    return taken ? 0 : 1;
}

/*
 * A plain file whose header the scanner understands is cut into chunks. A place holds the chunk's
 * number in GS_PLACE_CHUNK_BITS bits. Files too large for that many chunks get larger chunks.
 */
static void cut(const struct reading *r, size_t i)
{
    struct file *const f = &r->file[i];
    const struct gs_head *const h = f->head;
    f->fd = -1;
    if (h->parquet != NULL &&
        h->parquet->n_groups < CHUNKS_MAX) { /* its bytes are its row groups */
        f->fd = h->parquet_fd;
        f->size = f->n_chunks = h->parquet->n_groups;
        f->chunk_bytes = 1;
        return;
    }
    if (h->fd < 0 || !h->scans)
        return;
    f->fd = h->fd;
    f->size = h->size;
    f->first = h->behind;
    f->chunk_bytes = CHUNK_BYTES;
    if (r->o->chunk_bytes > 0)
        f->chunk_bytes = gs_max(r->o->chunk_bytes, (size_t)CHUNK_BYTES_MIN);
    while ((h->size - h->behind) / f->chunk_bytes >= CHUNKS_MAX)
        f->chunk_bytes *= 2;
    f->n_chunks = (size_t)((h->size - h->behind + f->chunk_bytes - 1) / f->chunk_bytes);
    if (r->o->digest)
        gs_ordered_digest_begin(&f->digest, h->bytes, h->behind);
}

/*
 * Chunks join without gap or overlap exactly where every cut was at a true row end. Up to the first that ends with a
 * malformed row, if any does.
 * This is the proof that the guesses of scan_chunk were right: the first chunk begins at a true
 * row, and each other begins where the one before it ended. By induction all of them did.
 */
static bool chunks_join(const struct reading *r)
{
    const size_t n = atomic_load(&r->failed) == SIZE_MAX ? r->n_items : atomic_load(&r->failed) + 1;
    uint64_t at = 0;
    for (size_t i = 0; i < n; i++) {
        const struct file *const f = &r->file[r->item[i].file];
        const struct chunk *const c = &f->chunk[r->item[i].chunk];
        if (c->begin != (r->item[i].chunk == 0 ? f->first : at))
            return false;
        at = c->end;
        if (r->item[i].chunk + 1 == f->n_chunks && at != f->size && i != atomic_load(&r->failed))
            return false;
    }
    return true;
}

/*
 * The malformed rows of a file in chunks: without --rejects the first is the error. Only here are
 * the lines of all chunks known, so that absolute line numbers can be given.
 */
static enum gs_status parse_all_faulty(const struct reading *r, size_t i, struct gs_err *err)
{
    const struct file *const f = &r->file[i];
    uint64_t line = 1 + f->head->n_lines;
    for (size_t k = 0; k < f->n_chunks; k++) {
        for (const struct faulty *one = f->chunk[k].faulty; one != NULL; one = one->next) {
            struct gs_reject row = one->row;
            row.name = r->d->input[i].name;
            row.line += line;
            GS_TRY(gs_set_aside(r->o, &r->d->input[i], &row, err));
        }
        line += f->chunk[k].n_lines;
    }
    return GS_OK;
}

static enum gs_status parse_counts(const struct reading *r, struct gs_err *err)
{
    for (size_t i = 0; i < r->d->n_inputs; i++) {
        const struct file *const f = &r->file[i];
        struct gs_input *const in = &r->d->input[i];
        if (f->fd < 0)
            continue;
        in->n_bytes = f->size;
        in->n_rows = in->n_headers = in->n_bad = 0;
        in->torn = false;
        in->n_chunks = f->n_chunks;
        GS_TAKE_RAW(in->chunk_line, f->n_chunks, r->d->arena, err);
        uint64_t line = 1 + f->head->n_lines;
        for (size_t k = 0; k < f->n_chunks; k++) {
            in->chunk_line[k] = line;
            if (in->n_bad == 0 && f->chunk[k].n_bad > 0)
                in->bad_line = line + f->chunk[k].bad_line;
            in->n_bad += f->chunk[k].n_bad;
            line += f->chunk[k].n_lines;
            in->n_rows += f->chunk[k].n_rows;
            in->n_headers += f->chunk[k].n_headers;
            in->torn |= f->chunk[k].torn;
            in->zoneless |= f->chunk[k].zoneless;
            in->by_size |= f->chunk[k].by_size;
        }
    }
    return GS_OK;
}

/* A stream has been read to its end. */
static enum gs_status end_digest(struct gs_input *in, struct gs_head *head, struct gs_arena *arena,
                                 struct gs_err *err)
{
    char *const hex = gs_arena_take(arena, GS_SHA256_HEX, 1);
    GS_TRY(gs_had_memory(hex != NULL, err));
    in->n_disk_bytes = gs_bytes_digest_end(head->source, hex);
    in->sha256 = hex;
    return GS_OK;
}

/*
 * Files in chunks were hashed on the way; of those that were given up, the streams they were read
 * as then. Each digest is ended even after an error, since ending it destroys its lock.
 */
static enum gs_status parse_digests(const struct reading *r, bool refused, enum gs_status s,
                                    struct gs_err *err)
{
    for (size_t i = 0; r->o->digest && r->file != NULL && i < r->d->n_inputs; i++) {
        struct file *const f = &r->file[i];
        struct gs_input *const in = &r->d->input[i];
        char *const hex = f->fd < 0 ? NULL : gs_arena_take(r->d->arena, GS_SHA256_HEX, 1);
        char unused[GS_SHA256_HEX];
        if (f->fd < 0)
            continue;
        const uint64_t n = gs_ordered_digest_end(&f->digest, hex == NULL || refused ? unused : hex);
        if (hex == NULL && s == GS_OK)
            s = gs_fail_memory(err);
        if (refused || s != GS_OK)
            continue;
        in->n_disk_bytes = n;
        in->sha256 = hex;
    }
    return s;
}

static enum gs_status new_gather(const struct reading *r, struct gs_readers *g, struct gs_err *err)
{
    GS_NEW(struct gs_reader, one, 1, r->d->arena, err);
    g->reader[g->n++] = one;
    const enum gs_status s =
        gs_reader_init(one, r->d, g->encodings, &r->o->zone, r->o->places, r->o->need, err);
    const struct gs_pass_plan *const pass_plan = gs_pass_plan_learned(r->o->pass_plan);
    gs_reader_store(one, r->o->shard, r->o->n_shards, pass_plan);
    one->bad_is_missing = r->o->bad_is_missing;
    return s == GS_OK && pass_plan != NULL && g->n == 1 ? gs_pass_plan_seed(pass_plan, one, err)
                                                        : s;
}

/*
 * A later pass over the files takes the chunks as the first has found them, where it has. A
 * digest needs every byte, so no chunk is skipped where one is asked for. The number of chunks
 * must be the same as in the first pass, or its findings would be applied to other bytes.
 */
static enum gs_status choose_chunks(struct reading *r, struct gs_arena *own, struct gs_err *err)
{
    const struct gs_pass_plan *const pass_plan = gs_pass_plan_learned(r->o->pass_plan);
    const size_t n = r->n_items + r->d->n_inputs;
    if (pass_plan == NULL || !pass_plan->skips || pass_plan->n_chunks != n || r->o->digest)
        return GS_OK;
    GS_TAKE(r->wanted, n, own, err);
    gs_pass_plan_wanted(pass_plan, r->wanted);
    for (size_t i = 0; i < r->n_items; i++) /* the table of tasks is of all hosts */
        r->wanted[i] |= r->d->input[r->item[i].file].kind == GS_TABLE_TASKS;
    for (size_t i = 0; i < r->d->n_inputs; i++)
        r->wanted[r->n_items + i] |= r->d->input[i].kind == GS_TABLE_TASKS;
    return GS_OK;
}

/*
 * What the first of several passes has found. After a refusal the files were read as streams, and
 * nothing is known about their chunks: later passes then read everything.
 */
static enum gs_status learn(const struct reading *r, bool refused, const struct gs_readers *g,
                            struct gs_err *err)
{
    struct gs_pass_plan *const pass_plan = r->o->pass_plan;
    if (pass_plan == NULL || pass_plan->learned)
        return GS_OK;
    pass_plan->n_chunks = r->n_items + r->d->n_inputs;
    pass_plan->skips = !refused;
    GS_TAKE(pass_plan->chunk, pass_plan->n_chunks, pass_plan->arena, err);
    for (size_t i = 0; i < r->n_items; i++) {
        const struct chunk *const c = &r->file[r->item[i].file].chunk[r->item[i].chunk];
        pass_plan->chunk[i] =
            (struct gs_pass_plan_chunk){c->begin, c->end, c->n_rows, c->n_lines, c->n_faulty > 0};
    }
    for (size_t i = 0; i < r->d->n_inputs; i++) { /* a form does not say whose its rows are */
        const struct gs_input *const in = &r->d->input[i];
        pass_plan->chunk[r->n_items + i] = (struct gs_pass_plan_chunk){
            .n_rows = in->n_rows, .is_faulty = in->n_rejected > 0 || in->form->read != NULL};
    }
    return gs_pass_plan_learn(pass_plan, g->reader, g->n, err);
}

/*
 * Lists the chunks of all plain files and readies a worker per thread. The room of a worker
 * bounds its memory: one chunk, the longest row behind it and the padding, however large the
 * files are. Threads beyond the number of chunks get none.
 */
static enum gs_status prepare(struct reading *r, unsigned n_threads, struct gs_readers *g,
                              struct gs_arena *own, struct gs_err *err)
{
    size_t chunk_bytes = 0;
    for (size_t i = 0; i < r->d->n_inputs; i++) {
        r->n_items += r->file[i].n_chunks;
        chunk_bytes =
            r->file[i].chunk_bytes > chunk_bytes ? (size_t)r->file[i].chunk_bytes : chunk_bytes;
    }
    GS_TAKE(r->item, r->n_items, own, err);
    GS_TAKE(r->worker, n_threads, own, err);
    r->n_workers = n_threads;
    size_t n = 0;
    for (size_t i = 0; i < r->d->n_inputs; i++) {
        r->file[i].chunk = gs_arena_take(own, r->file[i].n_chunks, sizeof *r->file[i].chunk);
        GS_TRY(gs_had_memory(r->file[i].chunk != NULL, err));
        for (size_t k = 0; k < r->file[i].n_chunks; k++)
            r->item[n++] = (struct item){i, k};
    }
    for (unsigned t = 0; t < n_threads && (t == 0 || t < r->n_items);
         t++) { /* one at least: what is empty is merged too */
        struct worker *const w = &r->worker[t];
        GS_TRY(new_gather(r, g, err));
        w->reader = g->reader[g->n - 1];
        GS_TAKE(w->scanner, 1, own, err);
        w->room = gs_arena_take_raw(own, chunk_bytes + 1 + LOOK_AHEAD_MAX + GS_SCAN_PADDING, 1);
        w->file = SIZE_MAX;
        GS_TRY(gs_had_memory(w->room != NULL, err));
    }
    return GS_OK;
}

/* Every input that is a stream, or all of them after a refusal; what is malformed, in the order of the inputs. */
static enum gs_status read_streams(struct reading *r, bool all, struct gs_readers *g,
                                   struct gs_err *err)
{
    enum gs_status s = GS_OK;
    bool ready = false;
    for (size_t i = 0; s == GS_OK && i < r->d->n_inputs; i++) {
        if (!all && r->file[i].fd >= 0) {
            s = parse_all_faulty(r, i, err);
            continue;
        }
        if (r->d->input[i].left_out)
            continue;
        if (!all && r->wanted != NULL && !r->wanted[r->n_items + i]) {
            r->d->input[i].n_rows = r->o->pass_plan->chunk[r->n_items + i].n_rows;
            continue;
        }
        if (!ready)
            s = new_gather(r, g, err);
        ready = true;
        if (s == GS_OK) {
            g->reader[g->n - 1]->chunk = (uint32_t)(r->n_items + i);
            g->reader[g->n - 1]->skips =
                !all && r->wanted != NULL && !r->o->pass_plan->chunk[r->n_items + i].is_faulty;
        }
        GS_THEN(s, gs_head_open(r->o, &r->d->input[i], r->file[i].head, err));
        GS_THEN(s, gs_read_stream(r->o, r->d, i, r->file[i].head, g->reader[g->n - 1], err));
        if (s == GS_OK && r->o->digest)
            s = end_digest(&r->d->input[i], r->file[i].head, r->d->arena, err);
        gs_head_close(r->file[i].head);
    }
    return s;
}

/*
 * Where the chunks of the task table begin, if all that names tasks comes before; else n_items.
 * The task table is of all hosts, and a shard needs few of its names. Read last, it keeps only
 * the names that the checkpoints have used.
 */
static size_t tasks_apart(const struct reading *r)
{
    size_t first = r->n_items;
    bool apart =
        r->o->own_tasks && (r->o->n_shards > 1 || gs_pass_plan_learned(r->o->pass_plan) != NULL);
    for (size_t i = 0; i < r->d->n_inputs; i++) /* what is no chunk comes last */
        apart = apart && (r->file[i].fd >= 0 || r->d->input[i].kind != GS_TABLE_CHECKPOINTS);
    while (apart && first > 0 && r->d->input[r->item[first - 1].file].kind == GS_TABLE_TASKS)
        first--;
    for (size_t i = 0; i < first; i++)
        apart = apart && r->d->input[r->item[i].file].kind != GS_TABLE_TASKS;
    return apart ? first : r->n_items;
}

/*
 * All chunks; those of the task table, where a shard wants its own tasks alone, when these are
 * known. Between the rounds no thread runs, so the filter is made and handed out without a lock;
 * in the second round it is only read.
 */
static enum gs_status read_items(struct reading *r, unsigned n_threads, struct gs_arena *own,
                                 struct gs_err *err)
{
    const size_t n_first = tasks_apart(r);
    (void)gs_parallel_for(n_threads, n_first, read_item, r);
    if (n_first == r->n_items || atomic_load(&r->refused))
        return gs_input_meter_check(err);
    const struct gs_intern **const pool = gs_arena_take(own, r->n_workers, sizeof *pool);
    size_t n = 0;
    for (unsigned t = 0; pool != NULL && t < r->n_workers; t++)
        if (r->worker[t].reader != NULL)
            pool[n++] = &r->worker[t].reader->pool[GS_POOL_TASK];
    if (pool == NULL || !gs_name_filter_init(&r->tasks, pool, n, r->d->seed, own))
        return gs_fail_memory(err);
    for (unsigned t = 0; t < r->n_workers; t++)
        if (r->worker[t].reader != NULL)
            r->worker[t].reader->tasks = &r->tasks;
    r->first_item = n_first;
    (void)gs_parallel_for(n_threads, r->n_items - n_first, read_item, r);
    return gs_input_meter_check(err);
}

static bool has_changed(const struct gs_head *h)
{
    struct gs_file_stamp now;
    return !gs_stamp_of(h->parquet_fd, &now) || gs_stamp_is_other(&h->stamp, &now);
}

static enum gs_status check_changed(const struct reading *r, struct gs_err *err)
{
    for (size_t i = 0; i < r->d->n_inputs; i++) {
        const struct gs_head *const h = r->file[i].head;
        if (r->file[i].fd < 0 || (h->parquet == NULL && h->source == NULL))
            continue;
        if (h->parquet != NULL ? has_changed(h) : gs_bytes_changed(h->source))
            return gs_fail(err, GS_ERR_IO, GS_BYTES_CHANGED, r->d->input[i].name);
    }
    return GS_OK;
}

/* What the threads read is dropped. */
static void forget(struct gs_readers *g)
{
    for (size_t t = 0; t < g->n; t++)
        gs_reader_release(g->reader[t]);
    g->n = 0;
    memset(g->encodings, 0, sizeof g->encodings); /* they lay in what was released */
}

/* *refused: the threads' reading does not count. */
static enum gs_status read_all(struct reading *r, unsigned n_threads, struct gs_readers *g,
                               struct gs_arena *own, bool *refused, struct gs_err *err)
{
    enum gs_status s = read_items(r, n_threads, own, err);
    *refused = atomic_load(&r->refused) || !chunks_join(r);
    if (*refused)
        forget(g);
    if (s == GS_OK && *refused && gs_memory_refused_at() > 0)
        return gs_fail_memory(err);
    GS_THEN(s, read_streams(r, *refused, g, err));
    if (s == GS_OK && !*refused)
        s = parse_counts(r, err);
    GS_TRY(s);
    return learn(r, *refused, g, err);
}

/*
 * Refusal is rare (a cut inside quotes, a very long row, a NUL). Then everything that the threads
 * stored is dropped and all inputs are read again in sequence, which gives the same result as if
 * no thread had run. Changes of the files are looked for at the very end, when all bytes have
 * been read.
 */
enum gs_status gs_read_chunks(const struct gs_load_options *o, struct gs_dataset *d,
                              struct gs_head *head, struct gs_readers *g, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct reading r = {.o = o, .d = d};
    atomic_store(&r.failed, SIZE_MAX);
    const unsigned n_threads = gs_max(o->n_threads, 1u);
    g->reader = gs_arena_take(d->arena, n_threads + 3,
                              sizeof *g->reader); /* a stream's, and that of all hosts, too */
    r.file = gs_arena_take(&own, d->n_inputs, sizeof *r.file);
    enum gs_status s = gs_had_memory(g->reader != NULL && r.file != NULL, err);
    for (size_t i = 0; r.file != NULL && i < d->n_inputs; i++)
        r.file[i].fd = -1;
    for (size_t i = 0; s == GS_OK && i < d->n_inputs; i++) {
        r.file[i].head = &head[i];
        cut(&r, i);
    }
    GS_THEN(s, prepare(&r, n_threads, g, &own, err));
    GS_THEN(s, choose_chunks(&r, &own, err));
    bool refused = false;
    GS_THEN(s, read_all(&r, n_threads, g, &own, &refused, err));
    GS_THEN(s, check_changed(&r, err));
    s = parse_digests(&r, refused, s, err);
    for (unsigned t = 0; t < r.n_workers; t++)
        gs_arena_release(&r.worker[t].arena), gs_arena_release(&r.worker[t].own);
    return s;
}
