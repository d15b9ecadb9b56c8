/*
 * format_gpustat.c - what the Python tool gpustat prints, again and again: a line of the host and the time, then one for
 * each GPU: "[0] Tesla T4 | 60'C,  68 %, 120 / 215 W |  3712 /  7982 MB | root(3709M)".
 */
#include "input/formats/formats.h"

/* "[0] Tesla T4 | 60'C, ..." */
static bool is_gpu_line(struct gs_str line)
{
    const struct gs_str plain = gs_trimmed(line);
    return plain.len > 3 && plain.ptr[0] == '[' && gs_is_digit(plain.ptr[1]) &&
           (gs_str_holds(plain, "'C") || gs_str_find(plain, "\xc2\xb0"
                                                            "C") < plain.len) &&
           gs_str_holds(plain, " MB");
}

/* The number that ends before `ending` in a part, "?" and the like not; what stands behind it stays in *part. */
static struct gs_str number_before(struct gs_str part, const char *ending)
{
    const size_t end = gs_str_find(part, ending), to = gs_str_skip_back(part, end, " "),
                 from = gs_str_skip_back(part, to, GS_ALL_DIGITS ".");
    return end == part.len || from == to ? GS_NO_STR : gs_str_part(part, from, to);
}

/* Of "30 %,  68 %" the last: a fan's share, where it is asked for, stands before the utilisation. */
static struct gs_str last_share(struct gs_str part)
{
    struct gs_str last = {NULL, 0};
    for (size_t at; (at = gs_str_find(part, "%")) < part.len; part = gs_str_after(part, at + 1))
        last = number_before(part, "%");
    return last;
}

/* The power stands before its limit, where that is shown. */
static struct gs_str power_of(struct gs_str part)
{
    for (struct gs_str field; part.len > 0;) {
        field = gs_str_take(&part, ',');
        if (!gs_str_holds(field, "W") || gs_str_holds(field, "%"))
            continue;
        if (gs_str_holds(field, "/"))
            return number_before(field, "/");
        return number_before(field, "W");
    }
    return GS_NO_STR;
}

static void take_gpu(struct gs_record_sink *out, struct gs_str line)
{
    struct gs_str rest = gs_str_after(line, 1);
    const struct gs_str index = gs_str_take(&rest, ']'), name = gs_trimmed(gs_str_take(&rest, '|')),
                        sensors = gs_str_take(&rest, '|'), memory = gs_str_take(&rest, '|');
    const struct {
        const char *column;
        struct gs_str value;
    } cells[] = {
        {"index", index},
        {"name", name},
        {"temp_c", gs_str_or(number_before(sensors, "'"), number_before(sensors, "\xc2\xb0"))},
        {"gpu_util_pct", last_share(sensors)},
        {"power_w", power_of(sensors)},
        {"mem_used_mib", number_before(memory, "/")},
        {"mem_total_mib", number_before(memory, "MB")}};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        if (cells[i].value.ptr != NULL)
            gs_record_sink_set(out, gs_str(cells[i].column), cells[i].value);
}

/* "compute3    Mon Dec 19 18:33:32 2022  465.19.01": the host, the time, and the driver. */
static bool take_head(struct gs_lines *l, struct gs_str line)
{
    enum { HOST, FIRST, LAST = 5, WORDS };
    struct gs_str word[WORDS];
    if (gs_cut_words(line, word, WORDS) < WORDS)
        return false;
    const char *const end = word[LAST].ptr + word[LAST].len;
    const struct gs_str instant = {word[FIRST].ptr, (size_t)(end - word[FIRST].ptr)};
    if (!gs_is_instant_line(instant))
        return false;
    struct gs_buf *const host = l->own;
    host->arena = l->in->arena;
    gs_buf_set(host, word[HOST]);
    l->out->full |= host->failed;
    gs_lines_set_time(l, instant);
    return true;
}

static enum gs_status print_line(struct gs_lines *l, struct gs_str line, struct gs_err *err)
{
    const struct gs_str plain = gs_trimmed(line), host = gs_buf_str(l->own);
    if (!is_gpu_line(line)) {
        l->out->n_other += !take_head(l, plain) && plain.len > 0;
        return GS_OK;
    }
    gs_lines_put_time(l, "time");
    if (host.len > 0)
        gs_record_sink_set(l->out, gs_str("hostname"), host);
    take_gpu(l->out, plain);
    return gs_lines_end(l, line, err);
}

const struct gs_form gs_form_gpustat = {.name = "gpustat-py",
                                        .sign = {"'C,", "\xc2\xb0"
                                                        "C,"},
                                        .has_line = is_gpu_line,
                                        .lines = {sizeof(struct gs_buf), .line = print_line}};
