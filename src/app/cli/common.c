/* common.c - the table of the options that every command takes. */
#include "app/cli/common.h"

#include <string.h>

#include "output/writers/render.h"

static const char *const themes[] = {"light", "dark", NULL};
static const char *const colors[] = {"auto", "always", "never", NULL};

const struct gs_opt gs_common_opts[] = {
    {'f', "format", GS_OPT_CHOICE, offsetof(struct gs_common, format), .arg = "NAME",
     .choices = gs_format_names, .help = "how the result is written",
     .unset = "by the ending of -o, else table"},
    {'o', "output", GS_OPT_FILE, offsetof(struct gs_common, output), .arg = "FILE",
     .use = GS_FILE_WRITTEN,
     .help = "write there instead of to standard output, which is -; the file appears whole or not "
             "at all"},
    {0, "csv-safe", GS_OPT_FLAG, offsetof(struct gs_common, csv_safe),
     .help = "csv, tsv: a quote before texts that a spreadsheet would run (= + - @), such as "
             "hostile host names"},
    {'s', "sort", GS_OPT_TEXT, offsetof(struct gs_common, sort), .arg = "COLUMN",
     .help = "order of the rows; add :desc to reverse, commas between several columns",
     .unset = "by key"},
    {'n', "top", GS_OPT_COUNT, offsetof(struct gs_common, top), .arg = "N", .max = 1000000000000,
     .help = "only the first N rows, 0 for all"},
    {0, "show", GS_OPT_TEXT, offsetof(struct gs_common, show), .arg = "NAME,...",
     .help = "columns, in this order, * for any text; or all, or default",
     .unset = "in tables those that answer the question, else all"},
    {0, "filter", GS_OPT_LIST, offsetof(struct gs_common, filter), .arg = "CONDITION",
     .help = "only rows that hold it: partition=gpu, 'idle_pct > 50'; given again, all of them"},
    {0, "fail-if", GS_OPT_TEXT, offsetof(struct gs_common, fail_if), .arg = "CONDITION",
     .help = "exit status 1 where a row holds it: 'gpu_verdict!=ok', 'energy_j > 5e6' (= != > < >= "
             "<=)"},
    {0, "price", GS_OPT_TEXT, offsetof(struct gs_common, rates.price), .arg = "AMOUNT/kWh",
     .help = "adds the cost of every energy: 0.30EUR/kWh"},
    {0, "carbon", GS_OPT_TEXT, offsetof(struct gs_common, rates.carbon), .arg = "MASS/kWh",
     .help = "adds its CO2: 380g/kWh, 0.38kg/kWh"},
    {0, "pue", GS_OPT_REAL, offsetof(struct gs_common, rates.pue), .arg = "X", .real_min = 1,
     .real_max = 100, .help = "what the building takes per kWh of the GPUs, for cost and CO2"},
    {0, "explain", GS_OPT_FLAG, offsetof(struct gs_common, explain),
     .help = "print how each column is computed and the options in force, no rows"},
    {0, "plot", GS_OPT_FILE, offsetof(struct gs_common, plot), .arg = "FILE",
     .use = GS_FILE_WRITTEN,
     .help = "also draw the result into FILE.svg, .png or .pdf with gnuplot; - draws on the "
             "terminal instead"},
    {0, "theme", GS_OPT_CHOICE, offsetof(struct gs_common, theme), .choices = themes,
     .help = "colours of a figure"},
    {0, "log", GS_OPT_FLAG, offsetof(struct gs_common, log_scale),
     .help = "logarithmic bars, in figures that may have them"},
    {'j', "threads", GS_OPT_COUNT, offsetof(struct gs_common, threads), .arg = "N", .min = 1,
     .max = 256, .help = "threads to use; the result is the same for any number",
     .unset = "all processors"},
    {'v', "verbose", GS_OPT_FLAG, offsetof(struct gs_common, verbose), .help = "show every note"},
    {0, "no-pager", GS_OPT_CLEAR, offsetof(struct gs_common, pager),
     .help = "never start a pager (PAGER, else less) for a long answer on a terminal"},
    {'q', "quiet", GS_OPT_FLAG, offsetof(struct gs_common, quiet),
     .help = "no notes and warnings, only errors"},
    {0, "color", GS_OPT_CHOICE, offsetof(struct gs_common, color), .choices = colors,
     .help = "colour on a terminal; NO_COLOR is heeded"},
    {0, "width", GS_OPT_COUNT, offsetof(struct gs_common, width), .arg = "N", .min = 20,
     .max = 10000,
     .help =
         "columns a table may take; with --plot FILE, from 240 up, the picture's width in pixels",
     .unset = "the terminal's, else no limit"},
    {0, "height", GS_OPT_COUNT, offsetof(struct gs_common, height), .arg = "N", .min = 150,
     .max = 10000, .help = "height of a picture in pixels", .unset = "by what it shows"},
    {0, "title", GS_OPT_TEXT, offsetof(struct gs_common, title), .arg = "TEXT",
     .help = "title of a picture, or the name of the run in a report", .unset = "its own"},
    {'h', "help", GS_OPT_FLAG, offsetof(struct gs_common, help), .help = "show this help"},
    {0},
};

const struct gs_common gs_common_defaults = {.format = -1, .pager = true, .rates = {.pue = 1.0}};

/*
 * A command's own option of the same name hides the common one, in parsing as in help. Without
 * memory the full table is returned, and the help lists such an option twice.
 */
const struct gs_opt *gs_common_opts_beside(const struct gs_opt *own, struct gs_arena *arena)
{
    const size_t n = sizeof gs_common_opts / sizeof *gs_common_opts;
    struct gs_opt *const rest = gs_arena_take(arena, n, sizeof *rest);
    size_t k = 0;
    if (rest == NULL)
        return gs_common_opts;
    for (const struct gs_opt *c = gs_common_opts; c->kind != GS_OPT_END; c++) {
        const struct gs_opt *o = own;
        while (o != NULL && o->kind != GS_OPT_END &&
               (o->kind == GS_OPT_GROUP || strcmp(o->name, c->name) != 0))
            o++;
        if (o == NULL || o->kind == GS_OPT_END)
            rest[k++] = *c;
    }
    return rest; /* behind the last it is zero, which ends it */
}
