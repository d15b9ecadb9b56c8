/* format_afterburner.c - what MSI Afterburner and RivaTuner log (.hml): lines of a kind, a time, and cells. */
#include "base/num/decimal.h"
#include "input/formats/formats.h"

enum { CELLS_MAX = 512 };

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

struct log {
    struct gs_record_sink *out;
    struct gs_arena names; /* of the table that is open */
    struct gs_str name[CELLS_MAX], unit[CELLS_MAX], cell[CELLS_MAX];
    uint32_t column[CELLS_MAX];
    size_t n;   /* readings */
    bool known; /* their columns */
};

static void keep(struct log *l, struct gs_str *to, struct gs_str text)
{
    *to = (struct gs_str){gs_arena_copy(&l->names, text.ptr, text.len), text.len};
    l->out->full |= to->ptr == NULL;
}

static void take_names(struct log *l, size_t n_cells)
{
    gs_arena_rewind(&l->names, (struct gs_arena_mark){0});
    l->n = n_cells - 1;
    l->known = false;
    for (size_t i = 0; i < l->n; i++) {
        l->unit[i].len = 0;
        keep(l, &l->name[i], l->cell[i + 1]);
    }
}

static void take_unit(struct log *l)
{
    uint64_t i;
    if (gs_count_parse(l->cell[1], CELLS_MAX, &i) == GS_NUMBER_OK && i < l->n)
        keep(l, &l->unit[i], l->cell[2]);
}

/* "GPU temperature [C]": units are told line by line, and known when the first readings come. */
static void find_columns(struct log *l)
{
    for (size_t i = 0; i < l->n && !l->known; i++) {
        l->column[i] = GS_INTERN_NONE;
        if (l->unit[i].len == 0 || l->out->full)
            continue; /* "Power limit": is it reached? 0 or 1 */
        const char *const name = gs_format(&l->names, "%s [%s]", l->name[i].ptr, l->unit[i].ptr);
        l->out->full |= name == NULL;
        l->column[i] = gs_record_sink_column(l->out, gs_str(gs_or_empty(name)));
    }
    l->known = true;
}

static enum gs_status take_readings(struct log *l, const struct gs_text_in *in, struct gs_str line,
                                    struct gs_err *err)
{
    find_columns(l);
    gs_record_sink_set(l->out, gs_str("time"), l->cell[0]);
    for (size_t i = 0; i < l->n; i++)
        gs_record_sink_put(l->out, l->column[i], l->cell[i + 1]);
    return gs_record_sink_end_line(l->out, in, line, err);
}

static enum gs_status read_log(struct gs_text_in *in, struct gs_record_sink *out,
                               struct gs_err *err)
{
    GS_NEW(struct log, l, 1, in->arena, err);
    struct gs_str line;
    enum gs_status s = GS_OK;
    *l = (struct log){.out = out};
    while (s == GS_OK && gs_text_next(in, &line, &s, err)) {
        /* the cells behind the kind, the time first; more than there is room for are left out */
        const size_t n =
            line.len < 3 ? 0 : gs_cut_fields(gs_str_after(line, 3), ',', l->cell, CELLS_MAX);
        if (n > 1 && gs_str_begins(line, names_kind)) {
            take_names(l, n);
        } else if (n > 2 && gs_str_begins(line, unit_kind)) {
            take_unit(l);
        } else if (n > l->n && l->n > 0 && gs_str_begins(line, readings_kind)) {
            s = take_readings(l, in, line, err);
        } else {
            out->n_torn += !in->line_ended;
            out->n_other += in->line_ended;
        }
    }
    gs_arena_release(&l->names);
    return s;
}

const struct gs_form gs_form_afterburner = {.name = "afterburner",
                                            .sign = {"Hardware monitoring log"},
                                            .is_of_one_gpu = true,
                                            .matches = is_log,
                                            .read = read_log,
                                            .time = {"time"},
                                            .time_unit = "DD-MM-YYYY hh:mm:ss"};
