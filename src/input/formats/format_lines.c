/* format_lines.c - forms of which each line is a record: spl.txt, InfluxDB lines, tegrastats. */
#include "input/formats/formats.h"

#include <string.h>

#include "data/tables/metric.h"

/* SPEC PTDaemon: Time,MM-DD-YYYY HH:MM:SS.mmm,Watts,11.47,Volts,... name and value in turn. */
static bool is_spl_line(struct gs_str line)
{
    return gs_str_begins(line, "Time,") && gs_str_find(line, ",Watts,") < line.len;
}

/* -1 is what the daemon writes where its meter gave no number. */
static bool is_no_reading(struct gs_str value)
{
    const bool point = gs_str_begins(value, "-1.");
    return gs_str_begins(value, "-1") &&
           gs_str_skip(value, 2 + point, point ? "0" : "") == value.len;
}

static enum gs_status spl_line(struct gs_lines *l, struct gs_str line, struct gs_err *err)
{
    const size_t n = is_spl_line(line) ? gs_lines_cut(l, line, ',') : 0;
    if (n == 0) {
        const bool torn = gs_str_begins(line, "Time,") && !l->in->line_ended;
        l->out->n_torn += torn;
        l->out->n_other += line.len > 0 && !torn;
        return GS_OK;
    }
    for (size_t i = 0; i + 1 < n; i += 2) { /* the total stands before the channels */
        const struct gs_str name = l->cell[i], value = l->cell[i + 1];
        if (name.len > 0)
            gs_record_sink_set(l->out, name, is_no_reading(value) ? gs_str("") : value);
    }
    gs_record_sink_set(l->out, gs_str("card_name"), gs_str(GS_POWER_ANALYSER));
    return gs_lines_end(l, line, err);
}

const struct gs_form gs_form_spl = {
    .name = "spl", .sign = {",Watts,"}, .has_line = is_spl_line, .lines.line = spl_line};

/* InfluxDB's line protocol: measurement,tag=value,... field=value,... time in ns. */
struct influx {
    struct gs_record_sink *out;
    struct gs_str rest;
    struct gs_buf text; /* unescaped names and values of the line */
    struct gs_shapes shapes;
    size_t time_digits; /* of the line before */
};

/*
 * Takes what comes before the first unescaped byte of `ends`; a quoted value as a whole. A
 * backslash escapes only what the line protocol lists; elsewhere it is a byte like any other.
 */
static struct gs_str influx_escaped(struct influx *x, const char *ends)
{
    const size_t mark = x->text.len;
    size_t i = 0;
    bool quoted = false;
    for (; i < x->rest.len; i++) {
        const char c = x->rest.ptr[i];
        if (c == '\\' && i + 1 < x->rest.len &&
            strchr(quoted ? "\"\\" : ", =\\\"", x->rest.ptr[i + 1]) != NULL)
            gs_buf_char(&x->text, x->rest.ptr[++i]);
        else if (c == '"' && (quoted || i == 0))
            quoted = !quoted;
        else if (!quoted && strchr(ends, c) != NULL)
            break;
        else
            gs_buf_char(&x->text, c);
    }
    x->rest = gs_str_after(x->rest, i);
    return gs_str_after(gs_buf_str(&x->text), mark);
}

/* The same, without a copy where nothing is quoted or escaped. `ends` are blanks, commas and equals signs. */
static struct gs_str influx_part(struct influx *x, const char *ends)
{
    static const bool looks[256] = {[','] = true, [' '] = true, ['='] = true};
    const struct gs_str all = x->rest;
    size_t i = 0;
    while (i < all.len && !(looks[(unsigned char)all.ptr[i]] && strchr(ends, all.ptr[i]) != NULL))
        if (all.ptr[i] == '\\' || (i == 0 && all.ptr[i] == '"'))
            return influx_escaped(x, ends);
        else
            i++;
    x->rest = gs_str_after(all, i);
    return (struct gs_str){all.ptr, i};
}

static bool influx_next(struct influx *x, char c)
{
    const bool is = x->rest.len > 0 && x->rest.ptr[0] == c;
    x->rest = gs_str_after(x->rest, is);
    return is;
}

/* 42i and 42u are whole numbers. */
static struct gs_str without_suffix(struct gs_str value)
{
    if (value.len > 1 && (value.ptr[value.len - 1] == 'i' || value.ptr[value.len - 1] == 'u') &&
        gs_is_digit(value.ptr[value.len - 2]))
        value.len--;
    return value;
}

/* Takes a value into the column of that name. */
static void influx_value(struct influx *x, struct gs_str name, bool is_field)
{
    const char *const from = x->rest.ptr;
    const struct gs_str value = influx_part(x, ", ");
    const uint32_t column = gs_record_sink_column(x->out, name);
    gs_shape_value(&x->shapes, (struct gs_str){from, (size_t)(x->rest.ptr - from)}, column,
                   is_field);
    gs_record_sink_put(x->out, column, is_field ? without_suffix(value) : value);
}

/* A value without an escape, up to a comma or blank; quotes are those around it. */
static inline const char *plain_value(const char *p, const char *end, bool is_field,
                                      struct gs_str *value)
{
    static const bool ends[256] = {[','] = true, [' '] = true, ['\\'] = true};
    const bool quoted = p < end && *p == '"';
    const char *const from = p + quoted;
    if (quoted)
        p = gs_json_plain_end(from, end);
    while (!quoted && p < end && !ends[(unsigned char)*p])
        p++;
    *value = (struct gs_str){from, (size_t)(p - from)};
    if (is_field)
        *value = without_suffix(*value);
    if (!quoted)
        return p < end && *p == '\\' ? NULL : p;
    return end - p >= 2 && *p == '"' && (p[1] == ',' || p[1] == ' ') ? p + 1 : NULL;
}

static bool influx_line(struct influx *x, struct gs_str line)
{
    static const struct gs_str measurement = {"measurement", 11}, time = {"time", 4};
    if (gs_shapes_put(&x->shapes, line, x->out, plain_value))
        return true;
    gs_shape_begin(&x->shapes, x->out, line);
    x->rest = line;
    x->text.len = 0;
    x->out->full |= !gs_buf_reserve(&x->text, line.len + 1); /* at once: parts must not move */
    influx_value(x, measurement, false);
    char before = ',';
    for (int set_number = 0; set_number < 2; set_number++) { /* tags, then fields */
        if (set_number == 1) {
            if (!influx_next(x, ' '))
                return false;
            before = '\0';
        }
        while (before == '\0' || influx_next(x, before)) {
            before = ',';
            const struct gs_str name = influx_part(x, "=, ");
            if (name.len == 0 || !influx_next(x, '='))
                return false;
            influx_value(x, name, set_number == 1);
        }
    }
    if (influx_next(x, ' '))
        influx_value(x, time, false);
    if (x->rest.len == 0)
        gs_shape_end(&x->shapes, line);
    return x->rest.len == 0;
}

/* Those that the line ends with. */
static size_t digits_of_time(struct gs_str line)
{
    return line.len - gs_str_skip_back(line, line.len, GS_ALL_DIGITS);
}

static bool is_influx_line(struct gs_str line)
{
    /* measurement,tag=value field=value time: the time is 10 digits or more at the end */
    const size_t n = digits_of_time(line), equal = gs_str_find(line, "="),
                 blank = gs_str_find(line, " ");
    return n >= 10 && n < line.len && line.ptr[line.len - 1 - n] == ' ' && equal < line.len &&
           blank < line.len && line.ptr[0] != '{' && line.ptr[0] != '#' &&
           gs_str_find(line, "{") == line.len;
}

static bool is_influx(struct gs_str head)
{
    return gs_str_holds(head, "\n") && is_influx_line(gs_head_line(&head));
}

/* A last line that broke off within its time, or before it, is torn. */
static enum gs_status influx_take(struct gs_lines *l, struct gs_str line, struct gs_err *err)
{
    struct influx *const x = l->own;
    x->out = l->out;
    x->text.arena = l->in->arena;
    if (line.len == 0 || line.ptr[0] == '#')
        return GS_OK;
    const size_t before = x->time_digits;
    x->time_digits = digits_of_time(line);
    if (x->time_digits < before && !l->in->line_ended) {
        x->out->n_torn++;
        return GS_OK;
    }
    if (!influx_line(x, line) && !x->out->full)
        return gs_fail_at(
            err, l->in->name, l->in->line_number,
            "not a line of InfluxDB, expected measurement,tag=value field=value time");
    return gs_lines_end(l, line, err);
}

const struct gs_form gs_form_influx = {.name = "influx",
                                       .sign = {"="},
                                       .is_of_lines = true,
                                       .has_measurements = true,
                                       .time_unit = "ns",
                                       .matches = is_influx,
                                       .lines = {sizeof(struct influx), .line = influx_take}};

/* tegrastats: "10-01-2025 20:05:55 RAM 2274/6834MB ... GR3D_FREQ 22%@[305] ... GPU@38C ... VDD_IN 5542mW/5542mW". */
static bool is_tegra_line(struct gs_str line)
{
    return gs_str_find(line, "RAM ") < line.len &&
           line.ptr[0] != '"' && /* no cell that quotes one */
           (gs_str_find(line, "GR3D_FREQ ") < line.len || gs_str_find(line, "@") < line.len) &&
           gs_str_find(line, "MB (") < line.len;
}

/*
 * "VDD_IN 5542mW/5542mW", "RAM 2274/6834MB", "GR3D_FREQ 22%@[305]": what stands in front of the mean or the whole. Xavier
 * writes "GPU 1000/1003" for a rail beside GPU@32C: its column is "GPU mW".
 */
static void tegra_rail(struct gs_record_sink *out, struct gs_str name, struct gs_str word)
{
    const bool milliwatts = gs_str_find(word, "mW") < word.len;
    const struct gs_str value =
        gs_str_part(word, 0, gs_str_until(word, 0, milliwatts ? "m/" : "%/"));
    char both[40];
    if (value.len + 1 >= word.len || word.ptr[value.len] != '/' ||
        gs_str_skip(word, value.len + 1, GS_ALL_DIGITS) < word.len || name.len > sizeof both - 4 ||
        (!gs_str_eq(name, gs_str("GPU")) && !gs_str_eq(name, gs_str("CPU")))) {
        gs_record_sink_set(out, name, value);
        return;
    }
    memcpy(both, name.ptr, name.len);
    memcpy(both + name.len, " mW", 3);
    gs_record_sink_set(out, (struct gs_str){both, name.len + 3}, value);
}

/*
 * The names and the set of rails differ between Jetson boards, so words are told by their shape.
 */
static void tegra_line(struct gs_record_sink *out, struct gs_str line)
{
    size_t at = gs_str_find(line, "RAM ");
    struct gs_str word, before = {NULL, 0}, time = {line.ptr, at};
    time = gs_str_after(time, gs_str_until(time, 0, GS_ALL_LETTERS GS_ALL_DIGITS));
    /* 1739645853.5189943---RAM */
    time.len = gs_str_until_back(time, time.len, GS_ALL_LETTERS GS_ALL_DIGITS);
    if (gs_is_instant_line(time))
        gs_record_sink_set(out, gs_str("time"), time);
    while ((word = gs_next_word(line, &at)).ptr != NULL) {
        const size_t sign = gs_str_find(word, "@");
        if (sign > 0 && sign < word.len && word.ptr[word.len - 1] == 'C' && word.ptr[0] != '[') {
            /* GPU@38C; -256C is a sensor that is off */
            const struct gs_str value = {word.ptr + sign + 1, word.len - sign - 2};
            struct gs_str name = {word.ptr, sign};
            if (gs_str_eq(name, gs_str("gpu"))) /* Orin writes gpu@38C */
                name = gs_str("GPU");
            if (!gs_str_begins(value, "-256"))
                gs_record_sink_set(out, name, value);
        } else if (before.ptr != NULL &&
                   (gs_str_find(word, "mW/") < word.len || gs_str_find(word, "/") < word.len ||
                    gs_str_find(word, "%") < word.len) &&
                   gs_is_digit(word.ptr[0])) {
            tegra_rail(out, before, word);
        }
        before = word;
    }
}

static enum gs_status tegra_take(struct gs_lines *l, struct gs_str line, struct gs_err *err)
{
    if (!is_tegra_line(line)) {
        l->out->n_other++;
        return GS_OK;
    }
    tegra_line(l->out, line);
    return gs_lines_end(l, line, err);
}

const struct gs_form gs_form_tegrastats = {
    .name = "tegrastats", .sign = {"MB ("}, .has_line = is_tegra_line, .lines.line = tegra_take};
