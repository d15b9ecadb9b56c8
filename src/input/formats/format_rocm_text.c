/*
 * format_rocm_text.c - rocm-smi as people see it: the concise table, or a list of "GPU[0] : KEY: VALUE" whose sections each go
 * through all GPUs. It prints no times: those that somebody wrote on lines of their own hold for what follows.
 */
#include "input/formats/formats.h"

enum { GPUS_MAX = 1024, FIELDS_MAX = 256, CELLS_MAX = 32 };

struct field {
    uint32_t column;
    struct gs_str value, line; /* line: as it stands, where malformed rows are kept */
};

/* What the list has said of a GPU since its last record. */
struct gpu {
    struct field *field; /* [n] */
    uint32_t n;
    uint64_t line; /* of the first */
};

struct rocm_text {
    struct gs_lines *lines; /* keeps texts and fields of the open round */
    struct gs_buf raw;
    struct gpu *gpu; /* [GPUS_MAX], n_gpus of them are met */
    uint32_t n_gpus;
    size_t n_cells; /* of the table: names and where they begin, in characters */
    struct gs_str name[CELLS_MAX];
    size_t from[CELLS_MAX];
};

/* Of the tables of all versions the columns that are read, by how their titles begin. */
static const struct {
    const char *title, *name;
} titles[] = {{"AvgPwr", "power"}, {"Power", "power"}, {"Temp", "temp"},
              {"SCLK", "sclk"},    {"MCLK", "mclk"},   {"GPU%", "gpu_util"},
              {"VRAM%", "vram"},   {"GPU", "device"},  {"Device", "device"}};

/* "GPU[0]   : rest": the number of the GPU; *rest is what stands behind. ptr == NULL: another line. */
static struct gs_str number_of(struct gs_str line, struct gs_str *rest)
{
    const size_t open = gs_str_skip(line, 0, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    if (open < 3 || open > 4 || open == line.len || line.ptr[open] != '[')
        return GS_NO_STR;
    const size_t end = gs_str_skip(line, open + 1, GS_ALL_DIGITS);
    if (end == open + 1 || end == line.len || line.ptr[end] != ']')
        return GS_NO_STR;
    const size_t colon = gs_str_skip(line, end + 1, " \t");
    if (colon == line.len || line.ptr[colon] != ':')
        return GS_NO_STR;
    *rest = gs_trimmed(gs_str_after(line, colon + 1));
    return gs_str_part(line, open + 1, end);
}

static bool is_list_line(struct gs_str line)
{
    struct gs_str rest;
    return number_of(line, &rest).ptr != NULL && gs_str_holds(rest, ": ");
}

/* "GPU  Temp  AvgPwr  SCLK ... PwrCap  VRAM%  GPU%": all of these words in one line. */
static bool is_titles(struct gs_str line)
{
    static const char *const words[] = {"Temp", "SCLK", "Perf", "PwrCap", "GPU%"};
    bool all = gs_str_begins(line, "GPU ") || gs_str_begins(line, "Device ");
    for (size_t i = 0; all && i < sizeof words / sizeof *words; i++)
        all = gs_str_find(line, words[i]) < line.len;
    return all;
}

bool gs_is_rocm_text(struct gs_str head)
{
    return gs_head_has_line(head, is_titles) || gs_head_has_line(head, is_list_line);
}

/* The place in bytes behind so many characters. */
static size_t bytes_of(struct gs_str line, size_t n_characters)
{
    size_t i = 0;
    while (i < line.len && (n_characters > 0 || ((unsigned char)line.ptr[i] & 0xc0) == 0x80))
        n_characters -= ((unsigned char)line.ptr[i++] & 0xc0) != 0x80;
    return i;
}

/* Titles stand two blanks apart, or more; single ones are within. */
static void parse_titles(struct rocm_text *r, struct gs_str line)
{
    r->lines->out->n_ignored += r->n_cells > 0;
    r->n_cells = 0;
    for (size_t i = 0; i < line.len && r->n_cells < CELLS_MAX;) {
        const size_t from = i;
        while (i < line.len && (line.ptr[i] != ' ' || (i + 1 < line.len && line.ptr[i + 1] != ' ')))
            i++;
        const struct gs_str title = gs_str_part(line, from, i);
        i = gs_str_skip(line, i, " ");
        if (title.len == 0)
            continue;
        struct gs_str name = {NULL, 0};
        for (size_t k = 0; name.ptr == NULL && k < sizeof titles / sizeof *titles; k++)
            if (gs_str_begins(title, titles[k].title))
                name = gs_str(titles[k].name);
        r->name[r->n_cells] = name;
        r->from[r->n_cells++] = from;
    }
    (void)gs_record_sink_column(r->lines->out, gs_str("device"));
}

/* A number without what stands behind it: "45.0" of "45.0°C"; anything else as it is. */
static struct gs_str number_in(struct gs_str cell)
{
    const size_t n = gs_str_skip(cell, 0, GS_ALL_DIGITS ".");
    const struct gs_str unit = gs_str_after(cell, n);
    static const char degrees[] = "\xc2\xb0"
                                  "C"; /* of two literals: "C" is a digit to \x */
    if (n > 0 && (unit.len == 0 || GS_IS_ONE_OF(unit, "W", "C", "_C", degrees, "Mhz", "%")))
        return (struct gs_str){cell.ptr, n};
    return cell;
}

static enum gs_status parse_row(struct rocm_text *r, struct gs_str line, struct gs_err *err)
{
    if (!r->lines->in->line_ended) {
        r->lines->out->n_torn++;
        return GS_OK;
    }
    for (size_t k = 0; k < r->n_cells; k++) {
        const size_t from = bytes_of(line, r->from[k]),
                     to = k + 1 < r->n_cells ? bytes_of(line, r->from[k + 1]) : line.len;
        if (r->name[k].ptr != NULL)
            gs_record_sink_set(r->lines->out, r->name[k],
                               number_in(gs_trimmed(gs_str_part(line, from, to))));
    }
    gs_lines_put_time(r->lines, "timestamp");
    return gs_lines_end(r->lines, line, err);
}

/* Ends the records of the list's GPUs. */
static enum gs_status end_round(struct rocm_text *r, struct gs_err *err)
{
    for (uint32_t g = 0; g < r->n_gpus; g++) {
        const struct gpu *const gpu = &r->gpu[g];
        r->raw.len = 0;
        for (uint32_t k = 0; k < gpu->n; k++) {
            gs_record_sink_put(r->lines->out, gpu->field[k].column, gpu->field[k].value);
            if (gpu->field[k].line.ptr == NULL)
                continue;
            gs_buf_text_if(&r->raw, r->raw.len > 0, "\n");
            gs_buf_add(&r->raw, gpu->field[k].line);
        }
        if (r->raw.len > 0)
            r->lines->out->raw = gs_buf_str(&r->raw);
        r->lines->out->line = gpu->line;
        r->lines->out->full |= r->raw.failed;
        gs_lines_put_time(r->lines, "timestamp");
        GS_TRY(gs_record_sink_end(r->lines->out, err));
    }
    gs_arena_rewind(&r->lines->kept, (struct gs_arena_mark){0});
    r->gpu = NULL;
    r->n_gpus = 0;
    return GS_OK;
}

/* The GPU of that number in the open round, which is begun where there is none; NULL: too many, or no memory. */
static struct gpu *gpu_numbered(struct rocm_text *r, struct gs_str number)
{
    if (r->gpu == NULL &&
        (r->gpu = gs_arena_take(&r->lines->kept, GPUS_MAX, sizeof *r->gpu)) == NULL)
        return NULL;
    for (uint32_t g = 0; g < r->n_gpus; g++)
        if (gs_str_eq(r->gpu[g].field[0].value, number))
            return &r->gpu[g];
    if (r->n_gpus == GPUS_MAX)
        return NULL;
    struct gpu *const gpu = &r->gpu[r->n_gpus];
    const bool copied = gs_str_copy(&r->lines->kept, number, &number);
    const uint32_t column = gs_record_sink_column(r->lines->out, gs_str("device"));
    gpu->field = gs_arena_take(&r->lines->kept, FIELDS_MAX, sizeof *gpu->field);
    if (!copied || column == GS_INTERN_NONE || gpu->field == NULL)
        return NULL;
    gpu->field[0] = (struct field){.column = column, .value = number};
    gpu->n = 1;
    gpu->line = r->lines->in->line_number;
    r->n_gpus++;
    return gpu;
}

static enum gs_status parse_field(struct rocm_text *r, struct gs_str line, struct gs_err *err)
{
    struct gs_str rest;
    const struct gs_str number = number_of(line, &rest);
    const size_t colon = gs_str_find(rest, ": ");
    const uint32_t column =
        gs_record_sink_column(r->lines->out, gs_trimmed((struct gs_str){rest.ptr, colon}));
    struct gpu *gpu = gpu_numbered(r, number);
    bool again = false;
    for (uint32_t k = 0; gpu != NULL && k < gpu->n; k++)
        again |= gpu->field[k].column == column;
    if (again) { /* the next round of a loop */
        GS_TRY(end_round(r, err));
        gpu = gpu_numbered(r, number);
    }
    if (r->n_gpus == GPUS_MAX || (gpu != NULL && gpu->n == FIELDS_MAX))
        return gs_fail_at(err, r->lines->in->name, r->lines->in->line_number,
                          "a GPU more than %d, or more than %d lines of one", GPUS_MAX - 1,
                          FIELDS_MAX - 1);
    struct gs_str value = gs_trimmed(gs_str_after(rest, colon + 2));
    if (r->lines->out->reject == NULL)
        line = GS_NO_STR;
    GS_TRY(gs_had_memory(gpu != NULL && gs_str_copy(&r->lines->kept, value, &value) &&
                             gs_str_copy(&r->lines->kept, line, &line),
                         err));
    gpu->field[gpu->n++] = (struct field){column, value, line};
    return GS_OK;
}

static enum gs_status rocm_line(struct gs_lines *l, struct gs_str line, struct gs_err *err)
{
    struct rocm_text *const r = l->own;
    const struct gs_str instant = gs_instant_of_line(line);
    r->lines = l;
    r->raw.arena = l->in->arena;
    if (gs_trimmed(line).len == 0)
        return GS_OK;
    if (instant.ptr != NULL) {
        GS_TRY(end_round(r, err));
        gs_lines_set_time(l, instant);
        return GS_OK;
    }
    if (is_list_line(line))
        return parse_field(r, line, err);
    if (is_titles(line)) {
        parse_titles(r, line);
        return GS_OK;
    }
    if (r->n_cells > 0 && gs_is_digit(line.ptr[0]))
        return parse_row(r, line, err);
    l->out->n_other++;
    if (!gs_str_holds(line, "End of ROCm SMI Log"))
        return GS_OK;
    return end_round(r, err);
}

static enum gs_status end_rocm(struct gs_lines *l, struct gs_err *err)
{
    struct rocm_text *const r = l->own;
    return r->lines == NULL ? GS_OK : end_round(r, err); /* NULL: the file has no line */
}

const struct gs_line_reader gs_rocm_text_lines = {sizeof(struct rocm_text), NULL, rocm_line,
                                                  end_rocm};
