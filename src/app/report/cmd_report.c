/* gpustat report - every figure and table of a run, as one page and as files. */
#include <string.h>

#include "analysis/aggregate/task_event.h"
#include "app/options/explain.h"
#include "base/os/output.h"
#include "base/os/parallel.h"
#include "base/core/sha256.h"
#include "base/os/path.h"
#include "output/writers/render.h"
#include "app/report/report.h"
#include "data/tables/sanity.h"

/* clang-format off */
static const struct gs_opt opts[] = {
    GS_OPTS_DATASET,
    GS_OPTS_JOIN,
    {0, NULL, GS_OPT_GROUP, 0, .help = "report"},
    GS_OPT_TASK,
    {0, "kind", GS_OPT_CHOICE, offsetof(struct gs_report_opts, kind), .choices = gs_kind_words,
     .help = "what kind of run it is, which decides what the report shows", .unset = "by how its events repeat"},
    {0, "against", GS_OPT_TEXT, offsetof(struct gs_report_opts, against), .arg = "RUN",
     .help = "compare with this run, a directory or file: what changed, and both on the same axes", .unset = "none"},
    {0, "note", GS_OPT_TEXT, offsetof(struct gs_report_opts, note), .arg = "TEXT",
     .help = "shown at the top: where the data come from, what is simulated or reconstructed in them", .unset = "none"},
    {0, "png", GS_OPT_FLAG, offsetof(struct gs_report_opts, png), .help = "each figure as .png, too"},
    {0, "all", GS_OPT_FLAG, offsetof(struct gs_report_opts, all),
     .help = "every row of every table in the page, not only the worst; the files have all in any case"},
    {0},
};
/* clang-format on */

static const struct gs_report_opts defaults = {
    .run = {.join = GS_JOIN_DEFAULTS, .event = GS_USUAL_TASK}, .kind = -1};

extern const struct gs_command gs_cmd_report;

static const struct gs_column_spec input_columns[] = {
    GS_COL(FILE, .how = "name of the input"),
    GS_COL(TABLE),
    GS_COL(ROWS, .how = "rows read, without the header"),
    GS_COL(REJECTED),
    GS_COL(BYTES, .how = "size as it lay on disk"),
    GS_COL(SHA256),
};

static const struct gs_column_spec file_columns[] = {
    GS_COL(FILE, .how = "name of the file in the report"),
    GS_COL(KIND),
    GS_COL(BYTES, .how = "its size"),
    GS_COL(SHA256, .how = "its digest"),
};

/* A document that says all of the report. */
typedef void document_fn(const struct gs_report *r, struct gs_buf *b, struct gs_err *err);

/* A file to be written: its bytes, or what they are made from. */
struct file {
    const char *name, *kind;
    struct gs_str bytes;
    document_fn *document;        /* NULL: none */
    const struct gs_frame *table; /* as CSV; NULL: none */
    char sha256[GS_SHA256_HEX];
};

struct files {
    const struct gs_report *report;
    struct gs_report_dir *dir;
    struct file *file;
    size_t n, capacity;
};

/*
 * Names of inputs without their directories, so that a report does not depend on where the data lie; as they are
 * where two would then be the same.
 */
static void shorten_input_names(struct gs_dataset *d)
{
    for (size_t i = 0; i < d->n_inputs; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(gs_path_last(d->input[i].name), gs_path_last(d->input[k].name)) == 0)
                return;
    for (size_t i = 0; i < d->n_inputs; i++)
        d->input[i].name = gs_path_last(d->input[i].name);
}

/* What the directory of the data is called; "run" where it has no name of its own or there is none. */
static const char *name_of_run(const struct gs_report_opts *o, const struct gs_context *c)
{
    if (c->title != NULL)
        return c->title;
    if (o->run.dataset.dir.n == 0)
        return "run";
    const char *const dir = o->run.dataset.dir.item[0];
    size_t end = strlen(dir);
    while (end > 0 && dir[end - 1] == '/')
        end--;
    size_t begin = end;
    while (begin > 0 && dir[begin - 1] != '/')
        begin--;
    const bool named =
        end > begin &&
        !(dir[begin] == '.' && (end - begin == 1 || (end - begin == 2 && dir[begin + 1] == '.')));
    if (!named)
        return "run";
    return gs_arena_copy(c->arena, dir + begin, end - begin);
}

static enum gs_status list_inputs(struct gs_report *r, struct gs_err *err)
{
    static const char *const kinds[GS_N_TABLES] = {[GS_TABLE_CHECKPOINTS] = "checkpoints",
                                                   [GS_TABLE_SAMPLES] = "samples",
                                                   [GS_TABLE_TASKS] = "tasks"};
    struct gs_frame *f;
    GS_TRY(gs_frame_new(r->context->arena, GS_HEAD("inputs", "Inputs", GS_COLUMNS(input_columns)),
                        r->data.n_inputs, NULL, &f, err));
    for (size_t i = 0; i < r->data.n_inputs; i++) {
        const struct gs_input *const in = &r->data.input[i];
        GS_PUT(f, i, GS_TEXT(FILE, gs_str(in->name)), GS_TEXT(TABLE, gs_str(kinds[in->kind])),
               GS_INT(ROWS, (int64_t)in->n_rows), GS_INT(REJECTED, (int64_t)in->n_rejected),
               GS_INT(BYTES, (int64_t)in->n_disk_bytes), GS_TEXT(SHA256, gs_str(in->sha256)));
    }
    r->inputs = f;
    return GS_OK;
}

/*
 * What each column means, each table once, and which options were in force. The frames are
 * copied, because a frame is in one list only and these are in the report's.
 */
static enum gs_status explain(struct gs_report *r, struct gs_err *err)
{
    struct gs_frames shown = {.notes = {.arena = r->context->arena}}, out = shown;
    for (int p = 0; p < GS_N_PARTS; p++)
        for (const struct gs_report_table *t = r->section[p].tables; t != NULL; t = t->next) {
            GS_NEW(struct gs_frame, f, 1, r->context->arena, err);
            *f = *t->frame;
            f->name = t->stem;
            f->next = NULL;
            gs_frame_append(&shown, f);
        }
    GS_TRY(gs_explain(&shown, r->opts, r->context, &out, err));
    r->columns = out.first;
    r->options = out.first->next;
    r->columns->title = "How each column is computed";
    r->options->title = "Options in force";
    return GS_OK;
}

/* Growing moves the entries, so no pointer to one may be kept before the list is complete. */
static enum gs_status add_file(struct gs_report *r, struct files *files, const char *stem,
                               const char *suffix, struct file file, struct gs_err *err)
{
    if (files->n == files->capacity) {
        const size_t more = gs_max(64, files->capacity * 2);
        struct file *const grown =
            gs_arena_grow(r->context->arena, files->file, files->n, more, sizeof *grown);
        GS_TRY(gs_had_memory(grown != NULL, err));
        files->file = grown;
        files->capacity = more;
    }
    file.name = gs_format(r->context->arena, "%s.%s", stem, suffix);
    files->file[files->n++] = file;
    return gs_had_memory(file.name != NULL, err);
}

static enum gs_status add_csv(struct gs_report *r, struct files *files, const char *stem,
                              const struct gs_frame *f, struct gs_err *err)
{
    return add_file(r, files, stem, "csv", (struct file){.kind = "table", .table = f}, err);
}

static enum gs_status add_section(struct gs_report *r, struct files *files,
                                  const struct gs_report_section *section, struct gs_err *err)
{
    for (const struct gs_report_figure *f = section->figures; f != NULL; f = f->next) {
        const char *const stem = f->plot->name;
        GS_TRY(
            add_file(r, files, stem, "svg", (struct file){.kind = "figure", .bytes = f->svg}, err));
        if (r->opts->png)
            GS_TRY(add_file(r, files, stem, "png", (struct file){.kind = "figure", .bytes = f->png},
                            err));
        GS_TRY(add_file(r, files, stem, "gp", (struct file){.kind = "script", .bytes = f->script},
                        err));
        GS_TRY(add_csv(r, files, stem, f->frame, err));
    }
    for (const struct gs_report_table *t = section->tables; t != NULL; t = t->next)
        GS_TRY(add_csv(r, files, t->stem, t->frame, err));
    return GS_OK;
}

static void write_json(const struct gs_report *r, struct gs_buf *b, struct gs_err *err)
{
    (void)err;
    gs_report_json(r, b);
}

static enum gs_status list(struct gs_report *r, struct files *files, struct gs_err *err)
{
    GS_TRY(add_file(r, files, "index", "html",
                    (struct file){.kind = "page", .document = gs_report_page}, err));
    GS_TRY(add_file(r, files, "report", "md",
                    (struct file){.kind = "summary", .document = gs_report_markdown}, err));
    GS_TRY(add_file(r, files, "report", "json",
                    (struct file){.kind = "summary", .document = write_json}, err));
    for (int p = 0; p < GS_N_PARTS; p++)
        GS_TRY(add_section(r, files, &r->section[p], err));
    GS_TRY(add_csv(r, files, "summary", r->summary, err));
    GS_TRY(add_csv(r, files, "inputs", r->inputs, err));
    GS_TRY(add_csv(r, files, "options", r->options, err));
    return add_csv(r, files, "columns", r->columns, err);
}

/*
 * Makes the bytes of a file and their digest. One thread per file, and therefore one thread
 * inside the renderer. The digest is of the bytes in memory, which are written unchanged later.
 */
static enum gs_status compose(void *context, size_t item, struct gs_arena *arena,
                              struct gs_err *err)
{
    const struct files *const files = context;
    struct file *const f = &files->file[item];
    struct gs_buf b = {.arena = arena};
    struct gs_err why = {0};
    if (f->document != NULL)
        f->document(files->report, &b, &why);
    if (f->table != NULL) {
        struct gs_frame alone = *f->table;
        alone.next = NULL;
        (void)gs_render(&alone, GS_FORMAT_CSV, &(struct gs_render_options){.n_threads = 1},
                        gs_sink_buf(&b), &why);
    }
    GS_TRY(gs_had_memory(!b.failed, err));
    if (f->document != NULL || f->table != NULL)
        f->bytes = gs_buf_str(&b);
    struct gs_sha256 digest;
    gs_sha256_begin(&digest);
    gs_sha256_add(&digest, f->bytes.ptr, f->bytes.len);
    gs_sha256_end(&digest, f->sha256);
    return gs_fail_again(err, &why);
}

static enum gs_status write_file(void *context, size_t item, struct gs_arena *arena,
                                 struct gs_err *err)
{
    const struct files *const files = context;
    const struct file *const f = &files->file[item];
    (void)arena;
    return gs_report_dir_write(files->dir, f->name, f->bytes, err);
}

/* Does something for the files from the `first` on, several at a time. */
static enum gs_status for_files(struct gs_report *r, const struct files *files, size_t first,
                                gs_task_fn *fn, struct gs_err *err)
{
    const struct gs_context *const c = r->context;
    struct files some = *files;
    some.file += first;
    some.n -= first;
    return gs_parallel_tasks(c->n_threads, some.n, fn, &some, c->arena, err);
}

/* The list of the files, which is the command's own result and stands in the report as files.csv. */
static enum gs_status list_files(struct gs_report *r, struct files *files, struct gs_frames *out,
                                 struct gs_err *err)
{
    struct gs_frame *f;
    const size_t n = files->n;
    GS_TRY(gs_frame_new(r->context->arena,
                        GS_HEAD("files", "Files of the report", GS_COLUMNS(file_columns)), n, out,
                        &f, err));
    for (size_t i = 0; i < n; i++) {
        const char *const hex =
            gs_arena_copy(r->context->arena, files->file[i].sha256, GS_SHA256_HEX - 1);
        GS_TRY(gs_had_memory(hex != NULL, err));
        GS_PUT(f, i, GS_TEXT(FILE, gs_str(files->file[i].name)),
               GS_TEXT(KIND, gs_str(files->file[i].kind)),
               GS_INT(BYTES, (int64_t)files->file[i].bytes.len), GS_TEXT(SHA256, gs_str(hex)));
    }
    GS_TRY(add_csv(r, files, "files", f, err));
    return for_files(r, files, n, compose, err);
}

/* For people: the answer, and where the page is. */
static enum gs_status write_brief(const struct gs_report *r, const char *path, size_t n_files,
                                  struct gs_frames *out, struct gs_err *err)
{
    struct gs_buf b = {.arena = r->context->arena};
    gs_buf_bytes(&b, r->verdict.ptr, r->verdict.len);
    gs_buf_text(&b, "\n\nOpen ");
    gs_buf_escaped(&b, gs_str(path), 0);
    gs_buf_format(&b, "/index.html in a browser; %zu files lie beside it, files.csv lists them.\n",
                  n_files - 1);
    out->brief = gs_buf_str(&b);
    return gs_had_memory(!b.failed, err);
}

/* Of what the analyses had to say only warnings are repeated here: the rest is text of the report. */
static void store_warnings(const struct gs_notes *said, struct gs_notes *notes)
{
    for (const struct gs_note *n = said->first; n != NULL; n = n->next)
        if (gs_note_is_warning(n))
            gs_note(notes, n->kind, "%s", n->text);
}

/* "Read as a training run: train_step runs 300 times; durations vary by 3 %. --kind chooses another." */
static enum gs_status settle_kind(struct gs_report *r, struct gs_err *err)
{
    const char *const event = r->opts->run.event == defaults.run.event ? NULL : r->opts->run.event;
    struct gs_kind_found *const found = &r->kind_found;
    struct gs_buf b = {.arena = r->context->arena};
    GS_TRY(gs_kind_find(&r->data, event, r->context->n_threads, r->context->arena, found, err));
    if (r->data.range != NULL) { /* a part of a run is of its kind */
        struct gs_dataset whole = r->data;
        struct gs_kind_found of_run;
        whole.range = NULL;
        GS_TRY(gs_kind_find(&whole, event, r->context->n_threads, r->context->arena, &of_run, err));
        found->kind = of_run.kind;
        found->why = of_run.why;
    }
    if (r->opts->kind >= 0) {
        found->kind = (enum gs_kind)r->opts->kind;
        found->why = "it is set by --kind";
    }
    r->kind = found->kind;
    gs_kind_put(&b, found);
    gs_buf_text_if(&b, r->opts->kind < 0, " --kind chooses another.");
    r->kind_why = gs_buf_str(&b).ptr;
    return gs_had_memory(!b.failed, err);
}

/* The event that the sentences are about: what makes the run one of its kind, else the outermost. */
static enum gs_status settle_event(struct gs_report *r, const char **event, struct gs_err *err)
{
    const struct gs_str unit = r->kind_found.event;
    if (*event != defaults.run.event || unit.len == 0 ||
        (!gs_report_is_of_steps(r) && r->kind != GS_KIND_FARM))
        return gs_task_event_opt(*event, defaults.run.event, r->context, &r->data, event,
                                 &r->out->notes, err);
    *event = gs_arena_copy(r->context->arena, unit.ptr, unit.len);
    GS_TRY(gs_had_memory(*event != NULL, err));
    if (!gs_str_eq(unit, gs_str(defaults.run.event)))
        gs_task_event_note(*event, &r->out->notes);
    return GS_OK;
}

static enum gs_status check_tables(const struct gs_dataset *d, struct gs_err *err)
{
    if (d->table[GS_TABLE_CHECKPOINTS].n_columns + d->table[GS_TABLE_SPANS].n_columns +
            d->table[GS_TABLE_SAMPLES].n_columns >
        0)
        return GS_OK;
    return gs_fail(err, GS_ERR_NOINPUT,
                   "there are neither events (application-checkpoints.csv, --events FILE) nor "
                   "samples (gpu.csv, --samples FILE)");
}

/* Loads the run, and settles what the options leave to it: the task, the kind, the interval. */
static enum gs_status load(struct gs_report *r, struct gs_err *err)
{
    static const bool any[GS_N_TABLES] = {
        [GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true, [GS_TABLE_TASKS] = true};
    struct gs_dataset_opts dataset = r->opts->run.dataset;
    GS_NEW(struct gs_report_opts, settled, 1, r->context->arena, err);
    *settled = *r->opts;
    dataset.counts_once = true; /* it depends on the kind */
    dataset.digest = true;      /* for readers who compare with sha256sum */
    GS_TRY(gs_dataset_opts_load(&dataset, r->context, (struct gs_wanted_tables){any, any, true},
                                &r->data, r->out, err));
    GS_TRY(check_tables(&r->data, err));
    GS_TRY(settle_kind(r, err));
    if (gs_report_has(r, GS_TABLE_CHECKPOINTS))
        GS_TRY(settle_event(r, &settled->run.event, err));
    r->opts = settled;
    if (r->kind != GS_KIND_JOBS)
        GS_TRY(gs_sanity_shared(&r->data, &r->out->notes, err));
    return gs_sampling_interval(&r->data, r->context->n_threads, &r->interval_ns, err);
}

/*
 * The directory is opened twice. The first time shows what stands in the way and leaves
 * nothing; the second comes when every byte is in memory. files.csv is last, because it holds
 * the digests of all others.
 */
static enum gs_status compute_and_write(struct gs_report *r, struct files *files, const char *path,
                                        struct gs_frames *out, struct gs_err *err)
{
    GS_TRY(gs_report_dir_open(files->dir, path, r->context->arena, err));
    gs_report_dir_abandon(files->dir);
    GS_TRY(gs_report_compute(r, err));
    GS_TRY(gs_report_draw(r, err));
    GS_TRY(list_inputs(r, err));
    GS_TRY(explain(r, err));
    GS_TRY(list(r, files, err));
    GS_TRY(for_files(r, files, 0, compose, err));
    GS_TRY(list_files(r, files, out, err));
    GS_TRY(write_brief(r, path, files->n, out, err));
    GS_TRY(gs_report_dir_open(files->dir, path, r->context->arena, err));
    return for_files(r, files, 0, write_file, err);
}

/* A folder that is called like a page would not open as one. */
static enum gs_status check_path(const char *path, struct gs_err *err)
{
    const struct gs_str name = gs_str(path);
    if (!gs_str_ends(name, ".html") && !gs_str_ends(name, ".htm") && !gs_str_ends(name, ".pdf"))
        return GS_OK;
    return gs_fail(err, GS_ERR_USAGE,
                   "-o: '%s' would be a folder, with index.html in it; name one such as -o page",
                   GS_SHOWN(name, 80));
}

static enum gs_status make(struct gs_report *r, struct gs_report_dir *dir, struct gs_frames *out,
                           struct gs_err *err)
{
    struct files files = {.report = r, .dir = dir};
    const char *const path = r->context->output != NULL ? r->context->output : "report";
    GS_TRY(check_path(path, err));
    GS_TRY(load(r, err));
    r->join = gs_join_opts_get(&r->opts->run.join);
    if ((r->title = name_of_run(r->opts, r->context)) == NULL)
        return gs_fail_memory(err);
    shorten_input_names(&r->data);
    const enum gs_status s = compute_and_write(r, &files, path, out, err);
    store_warnings(&r->out->notes, &out->notes);
    return s;
}

/*
 * The count of failed reservations is compared before the commit: a label that could not grow
 * must not reach a report that then replaces a good one.
 */
static enum gs_status run(const void *parsed, const struct gs_context *context,
                          struct gs_frames *out, struct gs_err *err)
{
    struct gs_frames work = {.notes = {.arena = context->arena}};
    struct gs_report r = {.opts = parsed, .context = context, .out = &work};
    struct gs_report_dir dir = {0};
    const uint64_t n_failed = gs_memory_n_failed();
    enum gs_status s = make(&r, &dir, out, err);
    if (s == GS_OK && gs_memory_n_failed() != n_failed) /* a label or a cell somewhere */
        s = gs_fail_memory(err);
    GS_THEN(s, gs_report_dir_commit(&dir, err));
    gs_report_dir_abandon(&dir);
    return s;
}

const struct gs_command gs_cmd_report = {
    GS_COMMAND(report, struct gs_report_opts, opts, defaults),
    GS_OPERANDS_RUN,
    .summary = "every figure and table of a run as one page, and each as files",
    .joins = true,
    .run = run,
    .registered_columns = true,
    .group = "the run",
    .writes_directory = true,
};
