/* render.c - the table of formats, and the writing of rows in parallel blocks. */
#include "render/render.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/parallel.h"
#include "base/timestamp.h"
#include "render/writer.h"

struct format {
    struct gs_format_info info;
    gs_edge_writer_fn *open, *close; /* NULL: nothing there */
    gs_frame_writer_fn *frame;
};

static const struct format formats[GS_N_FORMATS] = {
    [GS_FORMAT_TABLE] = {{"table", ".txt", GS_FORMAT_PEOPLE | GS_FORMAT_SIZED | GS_FORMAT_STREAMS},
                         .frame = gs_write_table},
    [GS_FORMAT_CSV] = {{"csv", ".csv", GS_FORMAT_EXACT | GS_FORMAT_STREAMS}, .frame = gs_write_csv},
    [GS_FORMAT_TSV] = {{"tsv", ".tsv", GS_FORMAT_EXACT | GS_FORMAT_STREAMS}, .frame = gs_write_tsv},
    [GS_FORMAT_JSON] = {{"json", ".json", GS_FORMAT_EXACT | GS_FORMAT_STREAMS | GS_FORMAT_DOCUMENT},
                        gs_open_json,
                        gs_close_json,
                        gs_write_json},
    [GS_FORMAT_JSONL] = {{"jsonl", ".jsonl", GS_FORMAT_EXACT | GS_FORMAT_STREAMS}, .frame = gs_write_jsonl},
    [GS_FORMAT_MARKDOWN] = {{"markdown", ".md", GS_FORMAT_PEOPLE | GS_FORMAT_STREAMS},
                            .frame = gs_write_markdown},
    [GS_FORMAT_HTML] = {{"html", ".html", GS_FORMAT_PEOPLE | GS_FORMAT_STREAMS | GS_FORMAT_DOCUMENT},
                        gs_open_html,
                        gs_close_html,
                        gs_write_html},
    [GS_FORMAT_GNUPLOT] = {{"gnuplot", ".gp", GS_FORMAT_DOCUMENT}, .frame = gs_write_gnuplot},
};

const char *const gs_format_names[GS_N_FORMATS + 1] = {
    [GS_FORMAT_TABLE] = "table", [GS_FORMAT_CSV] = "csv",         [GS_FORMAT_TSV] = "tsv",
    [GS_FORMAT_JSON] = "json",   [GS_FORMAT_JSONL] = "jsonl",     [GS_FORMAT_MARKDOWN] = "markdown",
    [GS_FORMAT_HTML] = "html",   [GS_FORMAT_GNUPLOT] = "gnuplot",
};

const struct gs_format_info *gs_format_info(enum gs_format format)
{
    return &formats[format].info;
}

enum gs_status gs_render(const struct gs_frame *first, enum gs_format format,
                         const struct gs_render_options *options, struct gs_sink sink, struct gs_err *err)
{
    const struct format *const how = &formats[format];
    struct gs_arena arena = {0};
    struct gs_writer w = {
        .sink = sink,
        .options = options,
        .first = first,
        .several = first != NULL && first->next != NULL,
        .arena = &arena,
    };
    enum gs_status s = how->open == NULL ? GS_OK : how->open(&w, err);
    size_t index = 0;
    for (const struct gs_frame *f = first; f != NULL && s == GS_OK; f = f->next)
        s = how->frame(&w, f, index++, err);
    if (s == GS_OK && how->close != NULL)
        s = how->close(&w, err);
    gs_arena_release(&arena);
    return s;
}

enum gs_status gs_writer_flush(struct gs_writer *w, struct gs_buf *b, struct gs_err *err)
{
    if (b->failed)
        return gs_fail_memory(err);
    const enum gs_status s = gs_sink_write(w->sink, b->ptr, b->len, err);
    b->len = 0;
    return s;
}

enum {
    ROWS_PER_BLOCK = 1024,
    BLOCKS_PER_THREAD = 8, /* of one round: the threads meet at its end, so a few each even out the work */
    MAX_BLOCKS = 512,
};

struct block {
    struct gs_arena arena; /* its own: arenas are not shared between threads */
    struct gs_buf text;
};

struct round {
    const struct gs_frame *frame;
    gs_rows_fn *rows;
    const void *context;
    struct block *blocks;
    size_t first_row;
};

static int format_block(void *context, size_t item, unsigned thread)
{
    (void)thread;
    const struct round *const r = context;
    const size_t begin = r->first_row + item * ROWS_PER_BLOCK;
    const size_t left = r->frame->n_rows - begin;
    struct gs_buf *const text = &r->blocks[item].text;
    text->len = 0;
    r->rows(text, r->frame, begin, begin + (left < ROWS_PER_BLOCK ? left : ROWS_PER_BLOCK), r->context);
    return 0;
}

enum gs_status gs_writer_rows(struct gs_writer *w, const struct gs_frame *f, gs_rows_fn *rows,
                              const void *context, struct gs_err *err)
{
    const unsigned n_threads = w->options->n_threads < 1 ? 1 : w->options->n_threads;
    size_t n_slots = n_threads == 1 ? 1 : (size_t)n_threads * BLOCKS_PER_THREAD;
    if (n_slots > MAX_BLOCKS)
        n_slots = MAX_BLOCKS;
    struct block *const blocks = gs_arena_take(w->arena, n_slots, sizeof *blocks);
    if (blocks == NULL)
        return gs_fail_memory(err);
    for (size_t i = 0; i < n_slots; i++)
        blocks[i].text.arena = &blocks[i].arena;
    struct round r = {.frame = f, .rows = rows, .context = context, .blocks = blocks};
    enum gs_status s = GS_OK;
    while (r.first_row < f->n_rows && s == GS_OK) {
        const size_t left = (f->n_rows - r.first_row + ROWS_PER_BLOCK - 1) / ROWS_PER_BLOCK;
        const size_t n = left < n_slots ? left : n_slots;
        (void)gs_parallel_for(n_threads, n, format_block, &r);
        for (size_t i = 0; i < n && s == GS_OK; i++)
            s = gs_writer_flush(w, &blocks[i].text, err);
        r.first_row += n * ROWS_PER_BLOCK;
    }
    for (size_t i = 0; i < n_slots; i++)
        gs_arena_release(&blocks[i].arena);
    return s;
}

void gs_buf_bare(struct gs_buf *b, const struct gs_frame *f, size_t row, size_t column)
{
    const struct gs_column *const c = &f->columns[column];
    if (c->spec->type == GS_TYPE_TEXT) {
        gs_buf_bytes(b, c->text[row].ptr, c->text[row].len);
        return;
    }
    if (gs_frame_is_missing(f, row, column) || !gs_buf_reserve(b, GS_REAL_TEXT_MAX))
        return;
    char *const room = b->ptr + b->len;
    const int len = c->spec->type == GS_TYPE_INT    ? gs_int_format(room, c->integer[row])
                    : c->spec->type == GS_TYPE_REAL ? gs_real_format(room, c->real[row])
                                                    : gs_time_format(room, c->integer[row]);
    b->len += (size_t)len;
}

const char *gs_frame_heading(const struct gs_frame *f)
{
    return f->title != NULL && f->title[0] != '\0' ? f->title : f->name;
}

/* Appends plain decimal text with commas between groups of three digits before the point. */
static void append_grouped(struct gs_buf *b, const char *text, size_t len)
{
    size_t i = 0;
    if (i < len && text[i] == '-')
        gs_buf_char(b, text[i++]);
    size_t n_digits = 0;
    while (i + n_digits < len && text[i + n_digits] >= '0' && text[i + n_digits] <= '9')
        n_digits++;
    for (size_t k = 0; k < n_digits; k++) {
        if (k > 0 && (n_digits - k) % 3 == 0)
            gs_buf_char(b, ',');
        gs_buf_char(b, text[i + k]);
    }
    gs_buf_bytes(b, text + i + n_digits, len - i - n_digits);
}

enum { MAX_DECIMALS = 12 };

/*
 * As "%.*f" of a value, where that is at most 2^51 / 10^places: the product with 10^places and its error are known
 * exactly, and so is which whole number is nearest, of two the even one. 0 for what is larger.
 */
static int format_places(char *out, double value, int places)
{
    static const double pow10[MAX_DECIMALS + 1] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12};
    const double magnitude = fabs(value), scaled = magnitude * pow10[places];
    if (!(scaled < 0x1p51))
        return 0;
    const double error = fma(magnitude, pow10[places], -scaled);
    uint64_t n = (uint64_t)scaled;
    const double above = scaled - (double)n - 0.5; /* a multiple of the last bit of `scaled`; the error is less */
    n += above > 0 || (above == 0 && (error > 0 || (error == 0 && n % 2 == 1)));
    const uint64_t one = (uint64_t)pow10[places];
    int len = 0;
    if (signbit(value))
        out[len++] = '-';
    len += gs_int_format(out + len, (int64_t)(n / one));
    if (places > 0) {
        out[len++] = '.';
        len += gs_digits_format(out + len, n % one, places);
    }
    return len;
}

void gs_real_for_people(struct gs_buf *b, double value, int decimals)
{
    static const double half[MAX_DECIMALS + 1] = {0.5,    0.5e-1, 0.5e-2, 0.5e-3, 0.5e-4,  0.5e-5, 0.5e-6,
                                                  0.5e-7, 0.5e-8, 0.5e-9, 0.5e-10, 0.5e-11, 0.5e-12};
    char text[64];
    int len;
    const double magnitude = fabs(value);
    const int places = decimals > MAX_DECIMALS ? MAX_DECIMALS : decimals;
    if (decimals < 0 || !(magnitude < 1e15)) {
        len = gs_real_format(text, value);
    } else if (value != 0 && magnitude < half[places]) {
        /* Rounded it would read as zero, which it is not. */
        const int leading = (int)floor(log10(magnitude)); /* -3 for 0.0026 */
        len = leading >= -4 ? snprintf(text, sizeof text, "%.*f", -leading + 1, value)
                            : snprintf(text, sizeof text, "%.1e", value);
    } else {
        const double shown = value == 0 ? 0.0 : value;
        len = format_places(text, shown, places);
        if (len == 0)
            len = snprintf(text, sizeof text, "%.*f", places, shown);
    }
    append_grouped(b, text, (size_t)len);
}

void gs_cell_for_people(struct gs_buf *b, const struct gs_frame *f, size_t row, size_t column)
{
    const struct gs_column *const c = &f->columns[column];
    char room[GS_REAL_TEXT_MAX];
    if (gs_frame_is_missing(f, row, column)) {
        gs_buf_char(b, '-');
        return;
    }
    switch (c->spec->type) {
    case GS_TYPE_TEXT:
        gs_buf_bytes(b, c->text[row].ptr, c->text[row].len);
        return;
    case GS_TYPE_REAL:
        gs_real_for_people(b, c->real[row], c->spec->decimals);
        return;
    case GS_TYPE_INT: {
        const size_t len = (size_t)gs_int_format(room, c->integer[row]);
        if (c->spec->is_id)
            gs_buf_bytes(b, room, len);
        else
            append_grouped(b, room, len);
        return;
    }
    case GS_TYPE_TIME:
        gs_buf_bare(b, f, row, column);
        return;
    }
}
