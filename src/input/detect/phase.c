/* phase.c - word lists for START and STOP marks and for long tables. */
#include "input/detect/phase.h"

#include "input/detect/names_parts.h"

#include <string.h>

static const struct {
    const char *start, *stop;
} words[] = {{"start", "stop"},
             {"start", "end"},
             {"begin", "end"},
             {"started", "finished"},
             {"started", "stopped"},
             {"started", "ended"},
             {"started", "completed"},
             {"b", "e"},
             {"enter", "exit"},
             {"enter", "leave"},
             {"init", "end"},
             {"interval_start", "interval_end"},
             {"interval_start", "interval_stop"},
             {"start", "finish"},
             {"start", "finished"},
             {"start", "done"},
             {"start", "complete"},
             {"begin", "stop"},
             {"open", "close"},
             {"on", "off"},
             {"begun", "ended"},
             {"launch", "finish"},
             {"running", "completed"}};

/* Cells of a column that may hold one of the words. */
struct candidates {
    struct gs_str *cell; /* [n] in the order of rows */
    size_t n;
};

enum { BEGINS = 1, ENDS = 2 };

/*
 * The letters that words begin and end with: numbers and most names have neither at their ends. A
 * filter before the comparisons: most cells of a log are numbers and need only this look-up.
 */
static void mark_letters(uint8_t letters[256])
{
    static const uint8_t side[2] = {BEGINS, ENDS};
    memset(letters, 0, 256);
    for (size_t p = 0; p < sizeof words / sizeof *words; p++)
        for (int stop = 0; stop < 2; stop++) {
            const char *const word = stop ? words[p].stop : words[p].start;
            const unsigned char ends[2] = {(unsigned char)word[0],
                                           (unsigned char)word[strlen(word) - 1]};
            for (int last = 0; last < 2; last++) {
                letters[ends[last]] |= side[last];
                letters[ends[last] ^ ('a' ^ 'A')] |= side[last];
            }
        }
}

/*
 * Was the text among the first ones already? Columns of words have few; of others it does not
 * matter. Only the first 16 are compared, or a column of many different names would cost their
 * square.
 */
static bool is_known(const struct candidates *c, struct gs_str text)
{
    enum { FIRST = 16 };
    size_t i = 0;
    while (i < c->n && i < FIRST && !gs_str_eq(c->cell[i], text))
        i++;
    return i < c->n && i < FIRST;
}

static void find_candidates(const struct gs_preview *h, uint32_t column, const uint8_t letters[256],
                            struct gs_arena *arena, struct candidates *found)
{
    *found = (struct candidates){gs_arena_take(arena, h->n_rows, sizeof *found->cell), 0};
    for (size_t i = 0; found->cell != NULL && i < h->n_rows; i++) {
        const struct gs_str cell = gs_preview_cell(h, i, column);
        if (cell.ptr != NULL && cell.len > 0 &&
            ((letters[(unsigned char)cell.ptr[0]] & BEGINS) != 0 ||
             (letters[(unsigned char)cell.ptr[cell.len - 1]] & ENDS) != 0) &&
            !is_known(found, cell))
            found->cell[found->n++] = cell;
    }
}

/* Where a column has a text equal to the word but for case: the text as it stands. */
static struct gs_str spelt(const struct candidates *c, const char *word)
{
    for (size_t i = 0; i < c->n; i++)
        if (gs_str_eq_nocase(c->cell[i], gs_str(word)))
            return c->cell[i];
    return GS_NO_STR;
}

static bool is_separator(char c)
{
    return strchr("_-.:/ ", c) != NULL;
}

/* The word at the end (or the beginning) of a text, with its separator; false where it is not there. */
static bool has_word(struct gs_str text, const char *word, bool at_end,
                     struct gs_str *with_separator, struct gs_str *rest)
{
    const size_t n = strlen(word);
    if (text.len < n + 2)
        return false;
    const size_t left = text.len - n - 1;
    const struct gs_str front = {text.ptr, n}, end = {text.ptr + left + 1, n};
    if (at_end) {
        *rest = (struct gs_str){text.ptr, left};
        *with_separator = gs_str_after(text, left);
        return gs_str_eq_nocase(end, gs_str(word)) && is_separator(text.ptr[left]);
    }
    *rest = gs_str_after(text, n + 1);
    *with_separator = (struct gs_str){text.ptr, n + 1};
    return gs_str_eq_nocase(front, gs_str(word)) && is_separator(text.ptr[n]);
}

static struct gs_str pattern_of(struct gs_str word, bool at_end, struct gs_arena *arena)
{
    return gs_str(gs_format(arena, "%s%.*s%s", gs_text_if(at_end, "{}"), (int)word.len, word.ptr,
                            gs_text_if(!at_end, "{}")));
}

/*
 * Do two texts of the column differ only in the words of a pair? Then these are its patterns.
 * Both words of a pair must stand beside equal names, or they are no pair of marks.
 */
static void by_affix(const struct candidates *c, struct gs_str column, size_t pair, bool at_end,
                     struct gs_source *s, struct gs_arena *arena)
{
    for (size_t i = 0; i < c->n; i++) {
        struct gs_str start, stop, of_start, of_stop;
        if (!has_word(c->cell[i], words[pair].start, at_end, &start, &of_start))
            continue;
        for (size_t k = 0; k < c->n; k++) {
            if (!has_word(c->cell[k], words[pair].stop, at_end, &stop, &of_stop) ||
                !gs_str_eq(of_start, of_stop))
                continue;
            s->phase =
                (struct gs_map_phase){GS_PHASE_PAIRS, .start = pattern_of(start, at_end, arena),
                                      .stop = pattern_of(stop, at_end, arena)};
            gs_infer_column(&s->event, column, arena);
            return;
        }
    }
}

/* The column that names the events, by its own name; not one of these two. */
static uint32_t event_column(const struct gs_preview *h, uint32_t a, uint32_t b)
{
    uint32_t best = UINT32_MAX;
    unsigned best_rank = 0;
    for (uint32_t i = 0; i < h->n_columns; i++) {
        struct gs_name name;
        unsigned rank;
        gs_name_split(h->column[i], &name);
        if (i != a && i != b && gs_name_meaning(&name, &rank) == GS_MEANS_EVENT &&
            (best == UINT32_MAX || rank < best_rank)) {
            best = i;
            best_rank = rank;
        }
    }
    return best;
}

/* Is a column of a table called for what marks are, so that its rows may be of one event that no column names? */
static bool is_called_phase(const struct gs_preview *h, uint32_t column)
{
    struct gs_name name;
    unsigned rank;
    gs_name_split(h->column[column], &name);
    return h->form->delimited && gs_name_fits(&name, GS_MEANS_PHASE, &rank);
}

/*
 * A column of the study's own name that holds one of its two words alone: of a run that was cut short nothing may have
 * ended yet. The other is then spelt as that is.
 */
static void complete(struct gs_str column, struct gs_str *start, struct gs_str *stop)
{
    if (!gs_str_eq_nocase(column, gs_str("eventType")))
        return;
    if (stop->ptr == NULL && start->ptr != NULL)
        *stop = gs_str(gs_str_eq(*start, gs_str("start")) ? "stop" : "STOP");
    if (start->ptr == NULL && stop->ptr != NULL)
        *start = gs_str(gs_str_eq(*stop, gs_str("stop")) ? "start" : "START");
}

static void phase_find(const struct gs_preview *h, uint32_t time_column,
                       const struct candidates *cells, struct gs_source *s, struct gs_arena *arena)
{
    for (size_t p = 0; p < sizeof words / sizeof *words; p++)
        for (uint32_t c = 0; c < h->n_columns; c++) {
            if (c == time_column)
                continue;
            struct gs_str start = spelt(&cells[c], words[p].start),
                          stop = spelt(&cells[c], words[p].stop);
            if (p == 0)
                complete(h->column[c], &start, &stop);
            if (start.ptr == NULL || stop.ptr == NULL)
                continue;
            const uint32_t event = event_column(h, c, time_column);
            if (event == UINT32_MAX && !is_called_phase(h, c))
                continue;
            s->phase = (struct gs_map_phase){GS_PHASE_PAIRS, h->column[c], start, stop};
            if (event != UINT32_MAX)
                gs_infer_column(&s->event, h->column[event], arena);
            return;
        }
    for (size_t p = 0; p < sizeof words / sizeof *words; p++)
        for (uint32_t c = 0; c < h->n_columns; c++)
            for (int at_end = 1; at_end >= 0 && s->phase.kind == GS_PHASE_NONE; at_end--)
                if (c != time_column)
                    by_affix(&cells[c], h->column[c], p, at_end == 1, s, arena);
}

void gs_phase_find(const struct gs_preview *h, uint32_t time_column, struct gs_source *s,
                   struct gs_arena *arena)
{
    GS_OWN struct gs_arena own = {0};
    uint8_t letters[256];
    struct candidates *const cells = gs_arena_take(&own, h->n_columns, sizeof *cells);
    mark_letters(letters);
    for (uint32_t c = 0; cells != NULL && c < h->n_columns; c++)
        if (c != time_column)
            find_candidates(h, c, letters, &own, &cells[c]);
    if (cells != NULL)
        phase_find(h, time_column, cells, s, arena);
    arena->failed |= own.failed;
}

/* The fields of DCGM by number and by name, and what else exporters leave the unit out of: it stands in their manuals. */
static const struct {
    const char *number, *name, *metric, *unit;
} fields[] = {{"155", "DCGM_FI_DEV_POWER_USAGE", "power_w", "W"},
              {"156", "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "energy_j", "mJ"},
              {"157", "DCGM_FI_DEV_POWER_USAGE_INSTANT", "power_instant_w", "W"},
              {"150", "DCGM_FI_DEV_GPU_TEMP", "temp_c", "C"},
              {"140", "DCGM_FI_DEV_MEMORY_TEMP", "mem_temp_c", "C"},
              {"203", "DCGM_FI_DEV_GPU_UTIL", "gpu_util_pct", "%"},
              {"204", "DCGM_FI_DEV_MEM_COPY_UTIL", "mem_util_pct", "%"},
              {"100", "DCGM_FI_DEV_SM_CLOCK", "sm_clock_mhz", "MHz"},
              {"101", "DCGM_FI_DEV_MEM_CLOCK", "mem_clock_mhz", "MHz"},
              {"252", "DCGM_FI_DEV_FB_USED", "mem_used_mib", "MiB"},
              {"1002", "DCGM_FI_PROF_SM_ACTIVE", "sm_active_pct", "share"},
              {"1003", "DCGM_FI_PROF_SM_OCCUPANCY", "sm_occupancy_pct", "share"},
              {"1004", "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", "tensor_active_pct", "share"},
              {"1005", "DCGM_FI_PROF_DRAM_ACTIVE", "dram_active_pct", "share"},
              {"1009", "", "pcie_tx_mibps", "B/s"},
              {"1010", "", "pcie_rx_mibps", "B/s"},
              {"", "kepler_node_gpu_joules_total", "", "J"},
              {"", "nv_gpu_power_usage", "", "W"},
              {"", "nv_gpu_utilization", "", "share"},
              {"", "nv_energy_consumption", "", "J"},
              {"", "gpu_power_usage", "", "W"},
              {"", "gpu_average_package_power", "", "W"},
              {"", "gpu_package_power", "", "W"}};

const struct gs_metric *gs_dcgm_field(struct gs_str text)
{
    for (size_t i = 0; text.len > 0 && i < sizeof fields / sizeof *fields; i++)
        if (gs_str_eq(text, gs_str(fields[i].number)))
            return gs_metric_find(gs_str(fields[i].metric));
    return NULL;
}

const char *gs_long_unit(struct gs_str text, const struct gs_name *name)
{
    for (size_t i = 0; text.len > 0 && i < sizeof fields / sizeof *fields; i++)
        if (gs_str_eq(text, gs_str(fields[i].number)) || gs_str_eq(text, gs_str(fields[i].name)))
            return fields[i].unit;
    if (name->unit.quantity == GS_Q_NONE)
        return NULL;
    return name->unit.shown;
}
