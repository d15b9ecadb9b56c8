/* gpustat_lib.c - the public library: requests of the command line without a command line. */
#include <gpustat/gpustat.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "app/passes/fold_command.h"
#include "app/cli/commands.h"
#include "app/cli/help.h"
#include "app/cli/request.h"
#include "app/options/kept_data.h"
#include "base/os/input_meter.h"
#include "data/result/frame.h"
#include "output/writers/render.h"

#define PUBLIC __attribute__((visibility("default")))

/* What was loaded. Results point into it and may outlive the run: the last of them ends it. */
struct store {
    size_t n_users;
    struct gs_kept_data data;
};

struct gpustat_run {
    struct gs_arena arena;
    struct gs_list inputs;
    struct gs_err err;
    struct store *store;
    struct gs_input_meter meter;
};

struct gpustat_result {
    struct gs_arena arena;
    struct gs_frames frames;
    unsigned n_threads;
    struct store *store;
};

/* The counter is not atomic: a run and its results belong to one thread at a time. */
static void leave(struct store *store)
{
    if (store == NULL || --store->n_users > 0)
        return;
    gs_arena_release(&store->data.arena);
    free(store);
}

/* What NULL and what lies outside stand for: empty ones, so that each function has one way. */
static const struct gs_frames no_frames;
static const struct gs_frame no_frame = {.name = ""};
static const struct gs_column_spec no_spec = {.name = ""};
static const struct gs_column no_column = {.spec = &no_spec};

/* A table is a frame under another name; nothing is ever made of the former. */
static const struct gs_frame *inside(const struct gpustat_table *t)
{
    return t == NULL ? &no_frame : (const struct gs_frame *)(const void *)t;
}

static const struct gs_frames *frames_of(const struct gpustat_result *result)
{
    return result == NULL ? &no_frames : &result->frames;
}

static const struct gpustat_table *outside(const struct gs_frame *f)
{
    return (const struct gpustat_table *)(const void *)f;
}

PUBLIC const char *gpustat_version(void)
{
    return GPUSTAT_VERSION;
}

static size_t count(const char *const *texts)
{
    size_t n = 0;
    while (texts != NULL && texts[n] != NULL)
        n++;
    return n;
}

/*
 * The strings are copied, so the caller may free them at once. No file is opened here; a
 * missing input is reported by the first analysis.
 */
PUBLIC struct gpustat_run *gpustat_run_open(const char *const *inputs)
{
    struct gpustat_run *const run = calloc(1, sizeof *run);
    const size_t n = count(inputs);
    if (run == NULL)
        return NULL;
    run->inputs.item = gs_arena_take(&run->arena, n + 1, sizeof *run->inputs.item);
    run->store = calloc(1, sizeof *run->store);
    if (run->store != NULL)
        run->store->n_users = 1;
    for (; run->inputs.item != NULL && run->inputs.n < n; run->inputs.n++)
        run->inputs.item[run->inputs.n] =
            gs_arena_copy(&run->arena, inputs[run->inputs.n], strlen(inputs[run->inputs.n]));
    if (run->store != NULL && !run->arena.failed)
        return run;
    gpustat_run_close(run);
    return NULL;
}

PUBLIC void gpustat_run_progress(struct gpustat_run *run, gpustat_progress_fn *progress,
                                 void *context)
{
    if (run == NULL)
        return;
    run->meter.watch = progress;
    run->meter.context = context;
    atomic_store(&run->meter.stopped, false);
}

/* Results stay valid: the data that they point into are released with the last of them. */
PUBLIC void gpustat_run_close(struct gpustat_run *run)
{
    if (run == NULL)
        return;
    leave(run->store);
    gs_arena_release(&run->arena);
    free(run);
}

PUBLIC const char *gpustat_error(const struct gpustat_run *run)
{
    return run == NULL ? "no run" : run->err.text;
}

/* The words of "forest evaluate", the inputs, the options: what stands behind the program's name, NULL at its end. */
static enum gs_status arguments(const struct gpustat_run *run, const char *analysis,
                                const char *const *options, struct gs_arena *arena,
                                struct gs_list *list, struct gs_err *err)
{
    const size_t n_options = count(options),
                 n_most = strlen(analysis) + run->inputs.n + n_options + 1;
    char *const words = gs_arena_copy(arena, analysis, strlen(analysis));
    GS_TAKE(list->item, n_most, arena, err);
    GS_TRY(gs_had_memory(words != NULL, err));
    char *rest = NULL;
    for (char *word = strtok_r(words, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        list->item[list->n++] = word;
    if (list->n == 0)
        return gs_fail(err, GS_ERR_USAGE, "no analysis is named");
    for (size_t i = 0; i < run->inputs.n; i++)
        list->item[list->n++] = run->inputs.item[i];
    for (size_t i = 0; i < n_options; i++)
        list->item[list->n++] = options[i];
    return GS_OK;
}

/* What is printed and where is the caller's here, and the memory of the process is of other runs, too. */
static enum gs_status refuse_of_program(const struct gs_request *r, struct gs_err *err)
{
    const struct gs_common *const c = &r->common;
    const struct gs_fold_command *const folds = r->command->folds;
    const char *option = NULL;
    if (c->help)
        option = "--help";
    else if (c->explain)
        option = "--explain";
    else if (c->plot != NULL)
        option = "--plot";
    else if (c->format >= 0)
        option = "--format";
    else if (c->output != NULL && !r->command->writes_directory)
        option = "--output";
    else if (folds != NULL && ((const struct gs_run_opts *)r->parsed)->scale.max_memory > 0)
        option = "--max-memory";
    if (option != NULL)
        return gs_fail(err, GS_ERR_USAGE, "%s is an option of the program alone", option);
    return GS_OK;
}

/*
 * The same steps as the command line, without printing. The user's default files and the
 * environment are not read: a program must get the same numbers on every machine. Far rows are
 * loaded, because the caller may ask for any cell at any time.
 */
static enum gs_status analyse(const struct gpustat_run *run, const char *analysis,
                              const char *const *options, struct gpustat_result *to,
                              struct gs_err *err)
{
    struct gs_request r;
    struct gs_list list = {0};
    uint64_t seed = 0;
    (void)!getrandom(&seed, sizeof seed, GRND_NONBLOCK);
    GS_TRY(arguments(run, analysis, options, &to->arena, &list, err));
    gs_request_begin(&r, &to->arena, list.item, seed);
    r.command = gs_command_find(list.item[0]);
    if (r.command == NULL)
        return gs_fail_unknown_command(err, list.item[0]);
    GS_TRY(gs_request_parse(&r, list.item + 1, list.n - 1, err));
    GS_TRY(refuse_of_program(&r, err));
    GS_TRY(gs_request_check(&r, err));
    GS_TRY(gs_request_prepare(&r, err));
    r.context.kept = &run->store->data;
    to->store = run->store;
    to->store->n_users++;
    r.context.draws = true; /* the result may be rendered as a gnuplot script */
    to->frames.notes.arena = &to->arena;
    to->n_threads = r.context.n_threads;
    const enum gs_status answer = r.command->run(r.parsed, &r.context, &to->frames, err);
    if (answer != GS_FINDINGS)
        GS_TRY(answer);
    GS_TRY(gs_request_arrange(&r, &to->frames, err));
    for (struct gs_frame *f = to->frames.first; f != NULL; f = f->next)
        GS_TRY(gs_frame_load(f, &to->arena, err));
    return answer;
}

/* *result is written on success only. Findings are a success: the tables are complete. */
PUBLIC enum gpustat_status gpustat_analyse(struct gpustat_run *run, const char *analysis,
                                           const char *const *options,
                                           struct gpustat_result **result)
{
    if (run == NULL || analysis == NULL || result == NULL)
        return GPUSTAT_USAGE;
    struct gpustat_result *const made = calloc(1, sizeof *made);
    struct gs_input_meter *const others = gs_input_meter_use(&run->meter);
    enum gs_status s = gs_had_memory(made != NULL, &run->err);
    GS_THEN(s, analyse(run, analysis, options, made, &run->err));
    (void)gs_input_meter_use(others);
    if (s == GS_OK || s == GS_FINDINGS)
        *result = made;
    else
        gpustat_result_free(made);
    return (enum gpustat_status)gs_exit_code(s);
}

PUBLIC void gpustat_result_free(struct gpustat_result *result)
{
    if (result == NULL)
        return;
    gs_arena_release(&result->arena);
    leave(result->store);
    free(result);
}

PUBLIC size_t gpustat_note_count(const struct gpustat_result *result)
{
    size_t n = 0;
    for (const struct gs_note *k = frames_of(result)->notes.first; k != NULL; k = k->next)
        n++;
    return n;
}

/*
 * An index beyond the end gives an empty text: a binding that miscounts must not crash its host
 * program.
 */
PUBLIC const char *gpustat_note(const struct gpustat_result *result, size_t i, bool *is_warning)
{
    const struct gs_note *k = frames_of(result)->notes.first;
    for (; k != NULL && i > 0; i--)
        k = k->next;
    if (is_warning != NULL)
        *is_warning = k != NULL && gs_note_is_warning(k);
    return k == NULL ? "" : k->text;
}

PUBLIC size_t gpustat_table_count(const struct gpustat_result *result)
{
    size_t n = 0;
    for (const struct gs_frame *f = frames_of(result)->first; f != NULL; f = f->next)
        n++;
    return n;
}

PUBLIC const struct gpustat_table *gpustat_table_at(const struct gpustat_result *result, size_t i)
{
    const struct gs_frame *f = frames_of(result)->first;
    for (; f != NULL && i > 0; i--)
        f = f->next;
    return outside(f);
}

PUBLIC const char *gpustat_table_name(const struct gpustat_table *table)
{
    return inside(table)->name;
}

PUBLIC const char *gpustat_table_title(const struct gpustat_table *table)
{
    return gs_or_empty(inside(table)->title);
}

PUBLIC size_t gpustat_row_count(const struct gpustat_table *table)
{
    return inside(table)->n_rows;
}

PUBLIC size_t gpustat_column_count(const struct gpustat_table *table)
{
    return inside(table)->n_columns;
}

/* gpustat_column_find answers -1 where there is none, which is a large size_t. */
static const struct gs_column *column_at(const struct gpustat_table *table, size_t column)
{
    return column < inside(table)->n_columns ? &inside(table)->columns[column] : &no_column;
}

PUBLIC const char *gpustat_column_name(const struct gpustat_table *table, size_t column)
{
    return column_at(table, column)->spec->name;
}

PUBLIC const char *gpustat_column_unit(const struct gpustat_table *table, size_t column)
{
    return gs_or_empty(column_at(table, column)->spec->unit);
}

PUBLIC enum gpustat_type gpustat_column_type(const struct gpustat_table *table, size_t column)
{
    static const enum gpustat_type types[] = {[GS_TYPE_TEXT] = GPUSTAT_TEXT,
                                              [GS_TYPE_INT] = GPUSTAT_INTEGER,
                                              [GS_TYPE_REAL] = GPUSTAT_REAL,
                                              [GS_TYPE_TIME] = GPUSTAT_TIME};
    const struct gs_column *const c = column_at(table, column);
    return c == &no_column ? GPUSTAT_NO_TYPE : types[c->spec->type];
}

PUBLIC int gpustat_column_find(const struct gpustat_table *table, const char *name)
{
    return gs_frame_find(inside(table), gs_or_empty(name));
}

PUBLIC bool gpustat_is_missing(const struct gpustat_table *table, size_t row, size_t column)
{
    return column_at(table, column) == &no_column || row >= inside(table)->n_rows ||
           gs_frame_is_missing(inside(table), row, column);
}

/*
 * The type is checked before the cell is read: the cells are a union, and a double read as an
 * integer would look like a number.
 */
PUBLIC int64_t gpustat_integer(const struct gpustat_table *table, size_t row, size_t column)
{
    const enum gpustat_type type = gpustat_column_type(table, column);
    if (gpustat_is_missing(table, row, column) || (type != GPUSTAT_INTEGER && type != GPUSTAT_TIME))
        return INT64_MIN;
    return inside(table)->columns[column].integer[row];
}

PUBLIC double gpustat_real(const struct gpustat_table *table, size_t row, size_t column)
{
    if (gpustat_is_missing(table, row, column) ||
        gpustat_column_type(table, column) != GPUSTAT_REAL)
        return (double)NAN;
    return inside(table)->columns[column].real[row];
}

/*
 * The text is closed with NUL where it was copied into an arena, but it may hold NUL itself:
 * use the length.
 */
PUBLIC const char *gpustat_text(const struct gpustat_table *table, size_t row, size_t column,
                                size_t *length)
{
    struct gs_str text = {NULL, 0};
    if (gpustat_column_type(table, column) == GPUSTAT_TEXT &&
        !gpustat_is_missing(table, row, column))
        text = inside(table)->columns[column].text[row];
    if (length != NULL)
        *length = text.len;
    return text.ptr;
}

/* Zeroed bytes at a 64-byte boundary, as Arrow wants its buffers, and a whole number of such. */
static void *aligned(struct gs_arena *arena, size_t bytes)
{
    enum { ARROW = 64 };
    char *const room = gs_arena_take(arena, bytes + 2 * ARROW, 1);
    return room == NULL ? NULL : room + (ARROW - (uintptr_t)room % ARROW) % ARROW;
}

/* Text behind text, each from its offset to the next. */
static bool join_texts(const struct gs_column *from, size_t n, struct gs_arena *arena,
                       struct gpustat_column *data)
{
    int64_t *const offsets = aligned(arena, (n + 1) * sizeof *offsets);
    if (offsets == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        offsets[i + 1] = offsets[i] + (int64_t)gs_str_or(from->text[i], gs_str("")).len;
    char *const bytes = aligned(arena, (size_t)offsets[n]);
    if (bytes == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        if (from->text[i].ptr != NULL)
            memcpy(bytes + offsets[i], from->text[i].ptr, from->text[i].len);
    data->offsets = offsets;
    data->values = bytes;
    return true;
}

/*
 * Every call takes new memory, which lives as long as the result. *data is written only when
 * all of it is there.
 */
PUBLIC enum gpustat_status gpustat_column_data(struct gpustat_result *result,
                                               const struct gpustat_table *table, size_t column,
                                               struct gpustat_column *data)
{
    const struct gs_column *const from = column_at(table, column);
    if (result == NULL || data == NULL || from == &no_column)
        return GPUSTAT_USAGE;
    const size_t n = inside(table)->n_rows;
    struct gpustat_column made = {.type = gpustat_column_type(table, column), .length = n};
    uint8_t *const validity = aligned(&result->arena, n / 8 + 1);
    bool ok = validity != NULL;
    for (size_t i = 0; ok && i < n; i++) {
        const bool missing = gs_frame_is_missing(inside(table), i, column);
        made.n_missing += missing;
        if (!missing)
            validity[i / 8] = (uint8_t)(validity[i / 8] | 1U << i % 8);
    }
    made.validity = validity;
    if (ok && made.type == GPUSTAT_TEXT) {
        ok = join_texts(from, n, &result->arena, &made);
    } else if (ok) {
        void *const values = aligned(&result->arena, n * sizeof(int64_t));
        ok = values != NULL;
        if (ok && n > 0)
            memcpy(values, from->integer, n * sizeof(int64_t)); /* a double is as wide */
        made.values = values;
    }
    if (!ok)
        return GPUSTAT_MEMORY;
    *data = made;
    return GPUSTAT_OK;
}

struct caller {
    gpustat_write_fn *write;
    void *context;
};

/*
 * The caller's function runs on the calling thread only, and never two at a time: writers flush
 * in order.
 */
static enum gs_status hand_to_caller(void *context, const char *bytes, size_t len,
                                     struct gs_err *err)
{
    const struct caller *const c = context;
    if (c->write(c->context, bytes, len) != 0)
        return gs_fail(err, GS_ERR_IO, "the caller stopped");
    return GS_OK;
}

PUBLIC enum gpustat_status gpustat_render(const struct gpustat_result *result, const char *format,
                                          gpustat_write_fn *write, void *context)
{
    if (result == NULL || format == NULL || write == NULL)
        return GPUSTAT_USAGE;
    struct caller caller = {write, context};
    const struct gs_sink sink = {hand_to_caller, &caller};
    const struct gs_frames *const frames = &result->frames;
    const struct gs_render_options options = {.titles = strcmp(format, "table") != 0,
                                              .n_threads = result->n_threads};
    for (int k = 0; k < GS_N_FORMATS; k++) {
        if (strcmp(gs_format_names[k], format) != 0)
            continue;
        const bool document =
            frames->document.ptr != NULL && (k == GS_FORMAT_TABLE || k == GS_FORMAT_JSON);
        const enum gs_status s =
            document ? gs_sink_write(sink, frames->document.ptr, frames->document.len, NULL)
                     : gs_render(frames->first, (enum gs_format)k, &options, sink, NULL);
        return (enum gpustat_status)gs_exit_code(s);
    }
    return GPUSTAT_USAGE;
}
