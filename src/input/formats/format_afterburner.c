/* format_afterburner.c - what MSI Afterburner and RivaTuner log (.hml): lines of a kind, a time, and cells. */
#include "base/num/decimal.h"
#include "input/formats/formats.h"

/* The kind of a line is its first two digits: 02 names the readings, 03 tells of one its unit, 80 has them. */
static const char names_kind[] = "02,", unit_kind[] = "03,", readings_kind[] = "80,";

static bool is_banner(struct gs_str line)
{
    return gs_str_begins(line, "00,") && gs_str_holds(line, "Hardware monitoring log");
}

/* Its size is limited by dropping the oldest lines, so that the banner may stand anywhere. */
static bool is_log(struct gs_str head)
{
    while (head.len > 0)
        if (is_banner(gs_head_line(&head)))
            return true;
    return false;
}

/* Of the table that is open; their texts are kept until the next. */
struct log {
    struct gs_str name[GS_LINE_CELLS], unit[GS_LINE_CELLS];
    size_t n;   /* readings */
    bool known; /* their columns */
};

static void take_names(struct gs_lines *l, struct log *log, size_t n_cells)
{
    gs_arena_rewind(&l->kept, (struct gs_arena_mark){0});
    log->n = n_cells - 1;
    log->known = false;
    for (size_t i = 0; i < log->n; i++) {
        log->unit[i].len = 0;
        l->out->full |= !gs_str_copy(&l->kept, l->cell[i + 1], &log->name[i]);
    }
}

/* "GPU temperature [C]": units are told line by line, and known when the first readings come. */
static void find_columns(struct gs_lines *l, struct log *log)
{
    for (size_t i = 0; i < log->n && !log->known; i++) {
        l->column[i] = GS_INTERN_NONE;
        if (log->unit[i].len == 0 || l->out->full)
            continue; /* "Power limit": is it reached? 0 or 1 */
        const char *const name = gs_format(&l->kept, "%s [%s]", log->name[i].ptr, log->unit[i].ptr);
        l->out->full |= name == NULL;
        l->column[i] = gs_record_sink_column(l->out, gs_str(gs_or_empty(name)));
    }
    log->known = true;
}

static enum gs_status log_line(struct gs_lines *l, struct gs_str line, struct gs_err *err)
{
    struct log *const log = l->own;
    /* the cells behind the kind, the time first; more than there is room for are left out */
    const size_t n = line.len < 3 ? 0 : gs_lines_cut(l, gs_str_after(line, 3), ',');
    uint64_t i;
    if (n > 1 && gs_str_begins(line, names_kind)) {
        take_names(l, log, n);
    } else if (n > 2 && gs_str_begins(line, unit_kind)) {
        if (gs_count_parse(l->cell[1], GS_LINE_CELLS, &i) == GS_NUMBER_OK && i < log->n)
            l->out->full |= !gs_str_copy(&l->kept, l->cell[2], &log->unit[i]);
    } else if (n > log->n && log->n > 0 && gs_str_begins(line, readings_kind)) {
        find_columns(l, log);
        gs_record_sink_set(l->out, gs_str("time"), l->cell[0]);
        for (size_t k = 0; k < log->n; k++)
            gs_record_sink_put(l->out, l->column[k], l->cell[k + 1]);
        return gs_lines_end(l, line, err);
    } else {
        l->out->n_torn += !l->in->line_ended;
        l->out->n_other += l->in->line_ended;
    }
    return GS_OK;
}

const struct gs_form gs_form_afterburner = {.name = "afterburner",
                                            .sign = {"Hardware monitoring log"},
                                            .is_of_one_gpu = true,
                                            .matches = is_log,
                                            .lines = {sizeof(struct log), .line = log_line},
                                            .time = {"time"},
                                            .time_unit = "DD-MM-YYYY hh:mm:ss"};
