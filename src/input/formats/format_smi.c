/* format_smi.c - what nvidia-smi shows people: its table, in a loop, and the list of -q, also as XML (-q -x). */
#include "base/num/decimal.h"
#include "input/formats/formats.h"

#include <string.h>

enum { GPUS_MAX = 64 };

struct smi {
    struct gs_lines *lines;
    struct gs_buf gpu, section[4], path;
    struct gs_buf raw;           /* the lines of that record, where they are asked for */
    struct gs_str bus[GPUS_MAX]; /* by number: where each GPU of the tables is */
    bool open, is_xml;           /* a record of -q has been begun; it is of -q -x */
};

static bool is_table_line(struct gs_str line)
{
    return gs_str_holds(line, "| NVIDIA-SMI ");
}

static bool is_list_line(struct gs_str line)
{
    return gs_str_holds(line, "NVSMI LOG") || gs_str_begins(line, "<nvidia_smi_log>");
}

/* The word that ends in `ending`, without it: "26W" of "N/A  38C  P0  26W /  70W". */
static struct gs_str word_with(struct gs_str line, const char *ending)
{
    struct gs_str word;
    size_t at = 0;
    const size_t n = strlen(ending);
    while ((word = gs_next_word(line, &at)).ptr != NULL)
        if (word.len > n && gs_str_ends(word, ending) && gs_is_digit(word.ptr[0]))
            return (struct gs_str){word.ptr, word.len - n};
    return GS_NO_STR;
}

/* "|   0  Tesla T4 Off | 00000000:00:04.0 Off | 0 |": the number of the GPU, or ptr == NULL. */
static struct gs_str gpu_of(struct gs_str line)
{
    enum { BARS = 4 }; /* processes have two, and on Windows paths with colons */
    size_t at = 1, bars = 0;
    for (size_t i = 0; i < line.len; i++)
        bars += line.ptr[i] == '|';
    if (line.len < 10 || line.ptr[0] != '|' || bars < BARS)
        return GS_NO_STR;
    const struct gs_str word = gs_next_word(line, &at);
    const bool numbers = gs_str_skip(word, 0, GS_ALL_DIGITS) == word.len;
    return numbers && gs_str_holds(line, ":") ? word : GS_NO_STR;
}

/*
 * "| 00000000:1A:00.0 Off |": a number that comes with another bus is a GPU of another machine, as
 * in what somebody gathered from several nodes; read as one they would be a GPU that is nowhere.
 */
static enum gs_status check_bus(struct smi *m, struct gs_str line, struct gs_err *err)
{
    struct gs_str word;
    size_t at = 0;
    uint64_t i;
    while ((word = gs_next_word(line, &at)).ptr != NULL && !gs_str_holds(word, ":"))
        ;
    /* "01:00.0ERR!": no blank between */
    word.len = gs_str_until_back(word, word.len, GS_ALL_DIGITS "abcdef");
    if (word.ptr == NULL || gs_count_parse(gs_buf_str(&m->gpu), GPUS_MAX - 1, &i) != GS_NUMBER_OK)
        return GS_OK;
    if (m->bus[i].ptr == NULL)
        GS_TRY(gs_had_memory(gs_str_copy(m->lines->in->arena, word, &m->bus[i]), err));
    if (gs_str_eq(m->bus[i], word))
        return GS_OK;
    return gs_fail_at(err, m->lines->out->name, m->lines->in->line_number,
                      "GPU %u is at bus %s and above at %s: tables of several machines; "
                      "part them into a file for each",
                      (unsigned)i, GS_SHOWN(word, 40), GS_SHOWN(m->bus[i], 40));
}

/* "| N/A  46C  P0  10W / N/A | Not Supported | 0% Default |": the readings of a GPU, here of one that shares the memory. */
static bool is_readings(struct gs_str line)
{
    return gs_str_holds(line, "MiB /") ||
           (gs_str_holds(line, "W /") && gs_str_holds(line, "| Not Supported"));
}

static enum gs_status table_row(struct smi *m, struct gs_str line, struct gs_err *err)
{
    /* A fan's share stands before the temperature: the utilisation is behind the last bar but one. */
    size_t bar = line.len;
    for (size_t i = 0, n = 0; i < line.len; i++)
        if (line.ptr[i] == '|' && ++n == 3)
            bar = i;
    const struct {
        const char *name;
        struct gs_str value;
    } cells[] = {{"time", gs_buf_str(&m->lines->time)},
                 {"gpu", gs_buf_str(&m->gpu)},
                 {"temp", word_with(line, "C")},
                 {"power", word_with(line, "W")},
                 {"memory_used", word_with(line, "MiB")},
                 {"gpu_util", word_with(gs_str_after(line, bar), "%")}};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        if (cells[i].value.ptr != NULL)
            gs_record_sink_set(m->lines->out, gs_str(cells[i].name), cells[i].value);
    }
    m->gpu.len = 0;                           /* the text stays */
    return gs_lines_end(m->lines, line, err); /* of two, that with the readings */
}

static enum gs_status begin_smi(struct gs_lines *l, struct gs_err *err)
{
    struct gs_arena *const arena = l->in->arena;
    struct smi *const m = l->own;
    (void)err;
    *m = (struct smi){.lines = l, .gpu.arena = arena, .path.arena = arena, .raw.arena = arena};
    for (int i = 0; i < 4; i++)
        m->section[i].arena = arena;
    return GS_OK;
}

static enum gs_status table_line(struct gs_lines *l, struct gs_str line, struct gs_err *err)
{
    struct smi *const m = l->own;
    const struct gs_str gpu = gpu_of(line);
    const struct gs_str instant = gs_instant_of_line(line); /* above each table, or `date`'s */
    if (instant.ptr != NULL) {
        gs_lines_set_time(l, instant);
    } else if (gpu.ptr != NULL) {
        gs_buf_set(&m->gpu, gpu);
        l->out->full |= m->gpu.failed;
        return check_bus(m, line, err);
    } else if (m->gpu.len > 0 && is_readings(line)) {
        return table_row(m, line, err);
    } else {
        l->out->n_other += line.len > 0;
    }
    return GS_OK;
}

static enum gs_status end_table(struct gs_lines *l, struct gs_err *err)
{
    const struct smi *const m = l->own;
    (void)err;
    l->out->n_torn += m->gpu.len > 0 && !l->in->cut;
    return GS_OK;
}

const struct gs_form gs_form_smi_table = {
    .name = "nvidia-smi",
    .sign = {"| NVIDIA-SMI "},
    .has_line = is_table_line,
    .lines = {sizeof(struct smi), begin_smi, table_line, end_table}};

static enum gs_status end_record(struct smi *m, struct gs_err *err)
{
    m->raw.len = gs_str_skip_back(gs_buf_str(&m->raw), m->raw.len, "\n");
    if (m->open && m->raw.len > 0)
        m->lines->out->raw = gs_buf_str(&m->raw);
    m->lines->out->full |= m->raw.failed;
    const enum gs_status s = m->open ? gs_record_sink_end(m->lines->out, err) : GS_OK;
    m->raw.len = 0;
    m->open = false;
    return s;
}

/* Keeps a line of the open record. */
static void store_line(struct smi *m, struct gs_str line)
{
    if (!m->open || m->lines->out->reject == NULL)
        return;
    gs_buf_add(&m->raw, line);
    gs_buf_char(&m->raw, '\n');
}

/* A line of -q: a reading, or a section, whose value has ptr == NULL. */
struct list_entry {
    size_t level;
    struct gs_str key, value;
};

/* "    Key    : value", sections by their indentation of four blanks. */
static struct list_entry text_entry(struct gs_str line)
{
    const size_t indent = gs_str_skip(line, 0, " ");
    const size_t colon = gs_str_find(line, " : ");
    struct list_entry e = {indent / 4, gs_trimmed((struct gs_str){line.ptr, colon}), GS_NO_STR};
    if (colon < line.len)
        e.value = gs_trimmed(gs_str_after(line, colon + 3));
    else if (e.level == 0 && gs_str_begins(e.key, "GPU "))
        e = (struct list_entry){0, gs_str("gpu"), gs_str_after(e.key, 4)};
    return e;
}

/* "<key>value</key>", a line each, below nvidia_smi_log by its tabs; the end of a section is a line without a key. */
static struct list_entry xml_entry(struct gs_str line)
{
    struct list_entry e = {0, GS_NO_STR, GS_NO_STR};
    const size_t tabs = gs_str_skip(line, 0, "\t");
    const struct gs_str tag = gs_str_after(line, tabs);
    const size_t end = gs_str_find_byte(tag, '>');
    e.level = tabs - 1;
    if (tabs == 0 || end == tag.len || tag.ptr[0] != '<' || tag.ptr[1] == '/')
        return e;
    e.key = gs_str_part(tag, 1, end);
    const struct gs_str behind = gs_str_after(tag, end + 1);
    if (behind.len > 0)
        e.value = (struct gs_str){behind.ptr, gs_str_find_byte(behind, '<')};
    if (gs_str_begins(e.key, "gpu id=\"") && e.key.len > 9)
        e = (struct list_entry){0, gs_str("gpu"), {e.key.ptr + 8, e.key.len - 9}};
    return e;
}

static enum gs_status list_entry(struct smi *m, struct list_entry e, struct gs_err *err)
{
    if (e.level == 0 && gs_str_eq(e.key, gs_str("gpu"))) {
        GS_TRY(end_record(m, err));
        m->open = true;
        m->lines->out->line = m->lines->in->line_number;
        gs_record_sink_set_copy(m->lines->out, e.key, e.value);
        gs_record_sink_set(m->lines->out, gs_str("Timestamp"), gs_buf_str(&m->lines->time));
        return GS_OK;
    }
    if (e.value.ptr == NULL) {
        if (e.key.len > 0 && e.level >= 1 && e.level <= 4)
            gs_buf_set(&m->section[e.level - 1], e.key);
        return GS_OK;
    }
    if (e.level == 0 && gs_str_eq_nocase(e.key, gs_str("timestamp")))
        gs_lines_set_time(m->lines, e.value);
    if (e.level == 0 || !m->open || e.level > 4)
        return GS_OK;
    m->path.len = 0;
    for (size_t i = 0; i + 1 < e.level; i++) {
        gs_buf_add(&m->path, gs_buf_str(&m->section[i]));
        gs_buf_char(&m->path, '.');
    }
    gs_buf_add(&m->path, e.key);
    m->lines->out->full |= m->path.failed;
    gs_record_sink_set_copy(m->lines->out, gs_buf_str(&m->path), e.value);
    return GS_OK;
}

static enum gs_status list_line(struct gs_lines *l, struct gs_str line, struct gs_err *err)
{
    struct smi *const m = l->own;
    enum gs_status s;
    m->is_xml |= gs_str_begins(line, "<?xml") || gs_str_begins(line, "<nvidia_smi_log>");
    if (is_list_line(line))
        s = end_record(m, err); /* the next round of a loop */
    else
        s = list_entry(m, m->is_xml ? xml_entry(line) : text_entry(line), err);
    store_line(m, line);
    return s;
}

static enum gs_status end_list(struct gs_lines *l, struct gs_err *err)
{
    return l->in->cut ? GS_OK : end_record(l->own, err);
}

const struct gs_form gs_form_smi_list = {
    .name = "nvidia-smi-q",
    .sign = {"NVSMI LOG", "<nvidia_smi_log>"},
    .has_line = is_list_line,
    .lines = {sizeof(struct smi), begin_smi, list_line, end_list}};
