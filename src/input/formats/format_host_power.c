/* format_host_power.c - meters of whole machines: macOS's powermetrics; Linux's turbostat, powerstat and intel_gpu_top. */
#include "base/num/decimal.h"
#include "base/num/order.h"
#include "input/formats/formats.h"

#include <string.h>

/* "*** Sampled system activity (Fri Dec  5 21:25:10 2025 -0800) (10003.30ms elapsed) ***": what begins a sample. */
static bool is_sample_line(struct gs_str line)
{
    return gs_str_begins(line, "*** Sampled system activity (");
}

static bool is_activity_line(struct gs_str line)
{
    return is_sample_line(line) || gs_str_begins(line, "*** Lifetime system activity (");
}

/*
 * "GPU HW active residency:   3.36% (389 MHz: 2.9% ...)": a name and a number with its unit; the
 * parts are left out. The value is copied, as a record spans many lines and a line lasts until
 * the next one is read.
 */
static void parse_reading(struct gs_record_sink *out, struct gs_str line)
{
    const size_t colon = gs_str_find(line, ": ");
    if (colon >= line.len)
        return;
    struct gs_str value = gs_trimmed(gs_str_after(line, colon + 1));
    value.len = gs_str_find(value, " (");
    if (value.len > 0 && (gs_is_digit(value.ptr[0]) || value.ptr[0] == '.'))
        gs_record_sink_set_copy(out, (struct gs_str){line.ptr, colon}, value);
}

/* The second of the sample before, and how far behind its beginning that sample is. */
struct second {
    char text[64];
    size_t len;
    bool open;      /* a sample */
    int64_t passed; /* millionths of a millisecond, as numbers have six decimals */
};

/*
 * Samples of one second lie as far apart as each says that it took, "(111.75ms elapsed)": powermetrics prints whole seconds,
 * and several samples at one instant would be one.
 */
static void pass_time(struct second *before, struct gs_str time, struct gs_str line)
{
    enum { SECOND_MS = 1000 };
    const size_t from = gs_str_find(line, ") (") + 3;
    const struct gs_str rest = gs_str_after(line, gs_min(from, line.len));
    const struct gs_str took = {rest.ptr, gs_str_find(rest, "ms")};
    int64_t v = 0;
    if (!gs_str_eq((struct gs_str){before->text, before->len}, time) ||
        gs_fixed_parse(took, &v, NULL) != GS_NUMBER_OK || v < 0) {
        before->passed = 0;
        before->len = 0;
        if (time.len < sizeof before->text)
            before->len = time.len;
        memcpy(before->text, time.ptr, before->len);
    } else if (before->passed + v < SECOND_MS * GS_FIXED_ONE) {
        before->passed += v;
    }
}

/* Begins the record of a sample. */
static void begin_sample(struct gs_record_sink *out, struct gs_str line, struct second *before)
{
    const size_t from = gs_str_find(line, "(") + 1;
    struct gs_str time = gs_str_after(line, from);
    struct gs_buf exact = {.arena = &out->kept};
    time.len = gs_str_find(time, ")");
    pass_time(before, time, line);
    /* "Fri Dec  5 21:25:10 2025": the parts of a second go behind the last colon's two digits */
    size_t seconds = gs_str_until_back(time, time.len, ":") + 2;
    if (before->passed == 0 || seconds > time.len)
        seconds = time.len;
    gs_buf_bytes(&exact, time.ptr, seconds);
    if (seconds < time.len)
        gs_buf_format(&exact, ".%09lld", (long long)before->passed);
    gs_buf_bytes(&exact, time.ptr + seconds, time.len - seconds);
    out->full |= exact.failed;
    gs_record_sink_set(out, gs_str("time"), gs_buf_str(&exact));
}

static enum gs_status powermetrics_line(struct gs_lines *l, struct gs_str line, struct gs_err *err)
{
    struct second *const before = l->own;
    if (!is_activity_line(line)) {
        if (before->open)
            parse_reading(l->out, line);
        return GS_OK;
    }
    if (before->open)
        GS_TRY(gs_record_sink_end(l->out, err));
    before->open = is_sample_line(line);
    l->out->line = l->in->line_number;
    if (before->open)
        begin_sample(l->out, line, before);
    return GS_OK;
}

static enum gs_status end_powermetrics(struct gs_lines *l, struct gs_err *err)
{
    const struct second *const before = l->own;
    if (before->open && !l->in->cut)
        return gs_record_sink_end(l->out, err);
    gs_record_sink_forget(l->out);
    return GS_OK;
}

const struct gs_form gs_form_powermetrics = {
    .name = "powermetrics",
    .has_line = is_activity_line,
    .lines = {sizeof(struct second), NULL, powermetrics_line, end_powermetrics}};

/*
 * The header of turbostat, which comes again before each sample: names between tabs, powers among
 * them. Without a comma in it, or a CSV that quotes these names would be taken for turbostat's
 * table.
 */
static bool is_turbostat_header(struct gs_str line)
{
    return gs_str_holds(line, "\t") &&
           (gs_str_holds(line, "PkgWatt") || gs_str_holds(line, "GFXWatt")) &&
           !gs_is_digit(line.ptr[0]) && line.ptr[0] != '-' && !gs_str_holds(line, ",");
}

/*
 * Of a sample's rows the first is that of the machine, whose cells of package, core and CPU are "-"; those of CPUs end where
 * there is nothing to say of them. Without such columns (-S) every row is the machine's.
 */
struct turbostat {
    bool first;  /* the machine's row of the sample is to come         */
    size_t cpus; /* the column of what others are of; none of the line's */
};

static enum gs_status turbostat_line(struct gs_lines *l, struct gs_str line, struct gs_err *err)
{
    struct turbostat *const own = l->own;
    const size_t n = gs_lines_cut(l, line, '\t');
    if (is_turbostat_header(line)) {
        l->out->n_ignored += l->n_columns > 0;
        gs_lines_name(l, n);
        own->cpus = 0;
        while (own->cpus < n && !gs_str_eq(l->cell[own->cpus], gs_str("CPU")))
            own->cpus++;
        own->first = true;
    } else if (l->n_columns == 0 || n < 2 || n > l->n_columns) {
        l->out->n_other++;
    } else if (own->cpus < n && !own->first && !gs_str_eq(l->cell[own->cpus], gs_str("-"))) {
        l->out->n_ignored++;
    } else {
        own->first = false;
        gs_lines_put(l, n);
        return gs_lines_end(l, line, err);
    }
    return GS_OK;
}

const struct gs_form gs_form_turbostat = {
    .name = "turbostat",
    .has_line = is_turbostat_header,
    .lines = {sizeof(struct turbostat), .line = turbostat_line}};

/* powerstat's "  Time    User  Nice   Sys  Idle    IO  Run Ctxt/s  IRQ/s Fork Exec Exit  Watts", and intel_gpu_top -l's names. */
static bool is_powerstat_header(struct gs_str line)
{
    line = gs_trimmed(line);
    return gs_str_begins(line, "Time ") && gs_str_ends(line, " Watts");
}

static bool is_top_header(struct gs_str line)
{
    return gs_str_begins(gs_trimmed(line), "req  act ");
}

static bool is_columns_header(struct gs_str line)
{
    return is_powerstat_header(line) || is_top_header(line);
}

/*
 * The line above intel_gpu_top's names says of what they are: "Freq MHz", "IRQ", "RC6", "Power W", then its engines. A name
 * of the list begins the next of them; a unit that follows goes behind the name: "Power gpu W".
 */
static enum gs_status name_top(struct gs_lines *l, struct gs_str above, size_t n,
                               struct gs_err *err)
{
    struct gs_buf b = {.arena = &l->out->kept};
    struct gs_str of = {"", 0}, unit = {"", 0};
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        const struct gs_str name = l->cell[i];
        if (i == 0 || GS_IS_ONE_OF(name, "/s", "%", "gpu", "rd")) {
            of = gs_next_word(above, &at);
            size_t behind = at;
            unit = gs_next_word(above, &behind);
            if (GS_IS_ONE_OF(unit, "MHz", "W", "MiB/s"))
                at = behind;
            else
                unit = gs_str("");
        }
        b.len = 0;
        gs_buf_format(&b, "%.*s %.*s%s%.*s", (int)of.len, gs_or_empty(of.ptr), (int)name.len,
                      name.ptr, gs_text_if(unit.len > 0, " "), (int)unit.len, unit.ptr);
        GS_TRY(gs_had_memory(!b.failed, err));
        l->column[i] = gs_record_sink_column(l->out, gs_buf_str(&b));
    }
    l->n_columns = n;
    return GS_OK;
}

/* Rows have as many words as the names above them and begin with a number. */
static enum gs_status columns_line(struct gs_lines *l, struct gs_str line, struct gs_err *err)
{
    struct gs_buf *const above = l->own;
    const size_t n = gs_lines_cut_words(l, line);
    const bool named = l->n_columns > 0;
    enum gs_status s = GS_OK;
    above->arena = l->in->arena;
    if (named && n == l->n_columns && gs_is_digit(l->cell[0].ptr[0])) {
        gs_lines_put(l, n);
        s = gs_lines_end(l, line, err);
    } else if (!named && is_top_header(line)) {
        s = name_top(l, gs_buf_str(above), n, err);
    } else if (!named && is_powerstat_header(line)) {
        gs_lines_name(l, n);
    } else {
        l->out->n_other += n > 0;
    }
    gs_buf_set(above, line);
    return s;
}

const struct gs_form gs_form_columns = {.name = "columns",
                                        .has_line = is_columns_header,
                                        .lines = {sizeof(struct gs_buf), .line = columns_line}};
