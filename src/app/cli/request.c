/* request.c - options read and held to their rules before any work begins. */
#include "app/cli/request.h"

#include "app/options/dataset_opts.h"

#include <string.h>
#include <unistd.h>

#include "app/cli/condition.h"
#include "app/passes/fold_command.h"
#include "app/passes/partial_result.h"
#include "app/options/column_names.h"
#include "base/os/replayable_input.h"
#include "base/os/parallel.h"
#include "app/cli/commands.h"
#include "app/cli/help.h"
#include "output/writers/render.h"

void gs_request_begin(struct gs_request *r, struct gs_arena *arena, const char *const *argv,
                      uint64_t seed)
{
    *r = (struct gs_request){
        .arena = arena,
        .common = gs_common_defaults,
        .context = {.arena = arena, .seed = seed, .argv = argv, .version = GPUSTAT_VERSION},
        .claims = {.arena = arena},
    };
    r->context.claims = &r->claims;
}

/* The command's own table comes first and wins over a common option of the same name. */
enum gs_status gs_request_parse(struct gs_request *r, const char *const *args, size_t n_args,
                                struct gs_err *err)
{
    const struct gs_command *const c = r->command;
    r->parsed = gs_arena_take(r->arena, 1, c->opts_size);
    GS_TRY(gs_had_memory(r->parsed != NULL, err));
    if (c->defaults != NULL)
        memcpy(r->parsed, c->defaults, c->opts_size);
    const bool shards = c->operands != NULL && strncmp(c->operands, "[DIR", 4) == 0;
    const struct gs_opt_set sets[] = {
        {c->opts, r->parsed, &r->context.given, shards, &r->context.typed},
        {gs_common_opts, &r->common, NULL, false, &r->context.typed}};
    return gs_options_parse(sets, 2, args, n_args, &r->operands, r->arena, err);
}

static enum gs_status check_operands(const struct gs_request *r, struct gs_err *err)
{
    const struct gs_command *const c = r->command;
    const struct gs_list *const operands = &r->operands;
    if (operands->n < c->operands_min)
        return gs_fail(err, GS_ERR_USAGE, "%s: needs %s", c->name, c->operands);
    if (operands->n > c->operands_max) {
        const char *const shown = GS_SHOWN(gs_str(operands->item[c->operands_max]), 200);
        if (c->operands_max == 0)
            return gs_fail(err, GS_ERR_USAGE, "%s: '%s' is one operand too many", c->name, shown);
        return gs_fail(err, GS_ERR_USAGE, "%s: '%s' is one operand too many; it takes %s", c->name,
                       shown, c->operands);
    }
    for (size_t i = 0; i < operands->n; i++)
        if (operands->item[i][0] == '\0')
            return gs_fail(err, GS_ERR_USAGE, "%s: an operand is empty; it takes %s", c->name,
                           c->operands);
    if (!c->has_actions)
        return GS_OK;
    return gs_command_check_action(c, operands->item[0], err);
}

/* The files that an option names, in `*path` where it is one; none where it names none or is of another use. */
static struct gs_list files_of(const struct gs_opt *o, const void *target, enum gs_file_use use,
                               const char **path)
{
    struct gs_list list = {0};
    *path = NULL;
    if ((o->kind != GS_OPT_FILE && o->kind != GS_OPT_FILES) || o->use != use)
        return list;
    if (o->kind == GS_OPT_FILES) {
        memcpy(&list, (const char *)target + o->offset, sizeof list);
    } else {
        memcpy(path, (const char *)target + o->offset, sizeof *path);
        list = (struct gs_list){path, *path != NULL};
    }
    return list;
}

/*
 * The files that options name, in what is read or written alone: the others get in the way of
 * these. The role is the option as the user knows it; it appears in the message of a conflict.
 */
static enum gs_status claim_options(struct gs_request *r, const struct gs_opt *opts,
                                    const void *target, enum gs_file_use use, struct gs_err *err)
{
    for (const struct gs_opt *o = opts; o != NULL && o->kind != GS_OPT_END; o++) {
        const char *path;
        const struct gs_list list = files_of(o, target, use, &path);
        if (list.n == 0)
            continue;
        const bool is_output =
            o->offset == offsetof(struct gs_common, output) && opts == gs_common_opts;
        enum gs_claim_use claim = GS_CLAIM_WRITE;
        if (use == GS_FILE_READ)
            claim = GS_CLAIM_READ;
        else if (is_output && r->command->writes_directory)
            claim = GS_CLAIM_WRITE_DIR;
        struct gs_buf role = {.arena = r->arena};
        if (o->short_name != 0)
            gs_buf_format(&role, "-%c", o->short_name);
        else
            gs_buf_format(&role, "--%s", o->name);
        for (size_t i = 0; i < list.n; i++) {
            GS_TRY(gs_had_memory(!role.failed, err));
            GS_TRY(gs_path_claim(&r->claims, claim, role.ptr, list.item[i], err));
        }
    }
    return GS_OK;
}

/* No file may be read and written, or written twice. What a directory holds is claimed when it is searched. */
static enum gs_status claim_files(struct gs_request *r, struct gs_err *err)
{
    if (r->common.output == NULL)
        GS_TRY(gs_path_claim(&r->claims, GS_CLAIM_WRITE, "standard output", "/dev/stdout", err));
    GS_TRY(claim_options(r, gs_common_opts, &r->common, GS_FILE_WRITTEN, err));
    GS_TRY(claim_options(r, r->command->opts, r->parsed, GS_FILE_WRITTEN, err));
    GS_TRY(claim_options(r, r->command->opts, r->parsed, GS_FILE_READ, err));
    for (size_t i = r->command->has_actions; i < r->operands.n; i++)
        GS_TRY(gs_path_claim(&r->claims, GS_CLAIM_READ, NULL, r->operands.item[i], err));
    return GS_OK;
}

/* Keeps what can be read once only, see gs_input_replayable. */
static enum gs_status retain_inputs(struct gs_request *r, struct gs_err *err)
{
    const struct gs_command *const c = r->command;
    for (const struct gs_opt *o = c->opts; o != NULL && o->kind != GS_OPT_END; o++) {
        const char *path;
        const struct gs_list list = files_of(o, r->parsed, GS_FILE_READ, &path);
        for (size_t i = 0; i < list.n; i++)
            GS_TRY(gs_input_replayable(&list.item[i], r->temp_dir, r->arena, err));
        if (o->kind == GS_OPT_FILE && path != NULL)
            memcpy((char *)r->parsed + o->offset, &path, sizeof path);
    }
    for (size_t i = c->has_actions; i < r->operands.n; i++)
        GS_TRY(gs_input_replayable(&r->operands.item[i], r->temp_dir, r->arena, err));
    return GS_OK;
}

enum gs_status gs_request_prepare(struct gs_request *r, struct gs_err *err)
{
    if (r->temp_dir != NULL && !r->command->wraps_command)
        GS_TRY(retain_inputs(r, err));
    return gs_join_opts_settle(r->command, r->parsed, &r->context, err);
}

/* Which item of --sort no frame has; the failure stays as it is where each is there, and the rest of it is wrong. */
static enum gs_status fail_sort(const char *sort, const struct gs_frame *first, struct gs_err *err)
{
    for (struct gs_str rest = gs_str(sort); rest.len > 0;) {
        struct gs_str item = gs_str_take(&rest, ',');
        const struct gs_str name = gs_str_take(&item, ':');
        const struct gs_frame *f = first;
        while (f != NULL && gs_frame_find_named(f, name) < 0)
            f = f->next;
        if (f == NULL)
            return gs_column_name_fail("--sort", name, first, err);
    }
    return GS_ERR_USAGE;
}

/* Names in natural order; of one job alone a schedule has one row, by its name, for all jobs are that job. */
static enum gs_status arrange_for_people(struct gs_frame *f, struct gs_arena *arena,
                                         struct gs_err *err)
{
    if (f->n_rows != 2 || strcmp(f->name, "schedule") != 0)
        return gs_frame_sort_naturally(f, arena, err);
    const bool named = f->columns[0].text[0].len > 0;
    return gs_frame_keep(f, (const bool[]){named, !named}, arena, err);
}

/*
 * A command may return frames with different columns. --sort is an error only if no frame has
 * the column. --top cuts after sorting.
 */
enum gs_status gs_request_arrange(const struct gs_request *r, struct gs_frames *frames,
                                  struct gs_err *err)
{
    enum gs_status s = GS_OK;
    bool sorted = false;
    for (struct gs_frame *f = frames->first; f != NULL && r->common.sort != NULL; f = f->next) {
        s = gs_frame_sort(f, r->common.sort, r->arena, err);
        if (s != GS_OK && s != GS_ERR_USAGE)
            return s;
        sorted |= s == GS_OK;
    }
    if (s != GS_OK && !sorted)
        return fail_sort(r->common.sort, frames->first, err);
    const bool people = r->common.format == GS_FORMAT_TABLE ||
                        r->common.format == GS_FORMAT_MARKDOWN ||
                        r->common.format == GS_FORMAT_HTML;
    s = GS_OK;
    for (struct gs_frame *f = frames->first; f != NULL && s == GS_OK; f = f->next)
        if (people && r->common.sort == NULL)
            s = arrange_for_people(f, r->arena, err);
    if (s != GS_OK)
        return s;
    for (struct gs_frame *f = frames->first; f != NULL && r->common.top != 0; f = f->next)
        gs_frame_top(f, (size_t)r->common.top);
    return GS_OK;
}

static bool has_suffix(const char *path, const char *suffix)
{
    const size_t len = strlen(path), n_suffix = strlen(suffix);
    return len > n_suffix && gs_str_eq_nocase(gs_str(path + len - n_suffix), gs_str(suffix));
}

/* Where --format is not given, the ending of -o says which. */
static void choose_format(struct gs_request *r)
{
    const char *const path = r->common.output;
    if (r->common.format >= 0)
        return;
    r->common.format = GS_FORMAT_TABLE;
    for (int k = 0; path != NULL && !r->command->writes_directory && k < GS_N_FORMATS; k++)
        if (has_suffix(path, gs_format_info((enum gs_format)k)->suffix))
            r->common.format = k;
}

/* A table of text under a name that says otherwise opens nowhere. */
static enum gs_status check_ending(const struct gs_request *r, struct gs_err *err)
{
    static const char sheet[] = ".csv opens in a spreadsheet", draws[] = "--plot draws";
    static const struct {
        const char *suffix, *instead;
    } others[] = {{".xlsx", sheet}, {".xls", sheet}, {".ods", sheet}, {".parquet", ".csv is"},
                  {".png", draws},  {".svg", draws}, {".pdf", draws}};
    const struct gs_common *const c = &r->common;
    if (c->output == NULL || c->format != GS_FORMAT_TABLE || r->command->writes_directory)
        return GS_OK;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (has_suffix(c->output, others[k].suffix))
            return gs_fail(err, GS_ERR_USAGE, "-o: no %s is written; %s", others[k].suffix,
                           others[k].instead);
    return GS_OK;
}

/* The command line behind `--`: its options of output are this session's. */
static enum gs_status parse_inner(struct gs_request *r, const struct gs_list *words,
                                  struct gs_err *err)
{
    struct gs_inner_command *const inner = &r->context.inner;
    inner->command = gs_command_find(words->item[0]);
    if (inner->command == NULL && access(words->item[0], F_OK) == 0)
        return gs_fail(err, GS_ERR_USAGE, "%s: needs a command, too: gpustat %s -- events %s",
                       r->command->name, r->command->name, GS_SHOWN(gs_str(words->item[0]), 200));
    if (inner->command == NULL)
        return gs_fail_unknown_command(err, words->item[0]);
    if (inner->command->folds == NULL)
        return gs_fail(err, GS_ERR_USAGE, "%s: %s has no shards", r->command->name,
                       inner->command->name);
    inner->parsed = gs_arena_take(r->arena, 1, inner->command->opts_size);
    GS_TRY(gs_had_memory(inner->parsed != NULL, err));
    if (inner->command->defaults != NULL)
        memcpy(inner->parsed, inner->command->defaults, inner->command->opts_size);
    const struct gs_opt_set sets[] = {
        {inner->command->opts, inner->parsed, &inner->given, false, &r->context.typed},
        {gs_common_opts, &r->common, NULL, false, &r->context.typed}};
    GS_TRY(
        gs_options_parse(sets, 2, words->item + 1, words->n - 1, &inner->operands, r->arena, err));
    if (inner->operands.n > inner->command->operands_max)
        return gs_fail(err, GS_ERR_USAGE, "%s: more operands than %s takes", r->command->name,
                       inner->command->name);
    return GS_OK;
}

/* A person who neither orders, cuts, tests nor draws the rows. */
static bool is_brief(const struct gs_common *c)
{
    return c->format == GS_FORMAT_TABLE && c->plot == NULL && c->sort == NULL && c->top == 0 &&
           c->filter.n == 0 && c->fail_if == NULL;
}

/*
 * The frames of a run without files: which columns the options ask for. Columns of metrics that are not the fixed ones
 * are not among them.
 */
static enum gs_status run_of_nothing(const struct gs_query *q, struct gs_frames *out,
                                     struct gs_err *err)
{
    struct gs_arena *const arena = q->context->arena;
    struct gs_metrics metrics = {0};
    struct gs_fold_job job;
    struct gs_facts facts;
    GS_TRY(gs_metrics_init(&metrics, arena, err));
    GS_NEW(const bool, has, metrics.n, arena, err);
    GS_NEW(uint32_t, first_gpu, 1, arena, err);
    const struct gs_dataset none = {.arena = arena,
                                    .seed = q->context->seed,
                                    .metric = metrics.metric,
                                    .has_metric = has,
                                    .n_metrics = metrics.n,
                                    .host_first_gpu = first_gpu,
                                    .host = {.arena = arena},
                                    .event = {.arena = arena},
                                    .job = {.arena = arena},
                                    .task = {.arena = arena},
                                    .gpu_name = {.arena = arena},
                                    .attributes = {.arena = arena}};
    GS_TRY(gs_question_job(q, q->parsed, &job, err));
    GS_TRY(gs_folds_run(&(struct gs_fold_way){&none, &job, 1, &facts}, 1, NULL, 1, arena, err));
    return job.fold->finish(&(struct gs_finish){job.options, &job.state, &facts, 1, arena, NULL},
                            out, err);
}

/* What is known of the columns of an answer that was not computed yet. */
static struct gs_column_names names_of(const struct gs_request *r, const struct gs_command *asked)
{
    struct gs_frames frames = {.notes = {.arena = r->arena}};
    struct gs_context context = r->context;
    struct gs_err why = {0};
    context.command = asked;
    if (asked != r->command || asked->folds == NULL)
        return (struct gs_column_names){
            asked->name, asked == r->command ? &r->context.given : &r->context.inner.given, NULL};
    if (run_of_nothing(&(struct gs_query){r->parsed, &context}, &frames, &why) != GS_OK)
        frames.first = NULL;
    return (struct gs_column_names){asked->name, &r->context.given, frames.first};
}

static enum gs_status check_names(const char *option, const char *items,
                                  const struct gs_column_names *names, struct gs_err *err)
{
    static const char *const words[] = {"all", "default"};
    for (struct gs_str rest = gs_str(items); rest.len > 0;) {
        struct gs_str item = gs_str_take(&rest, ',');
        const struct gs_str name = gs_str_take(&item, ':');
        if (name.len > 0 && !gs_str_is_one_of(name, words, 2))
            GS_TRY(gs_column_name_check(option, name, names, err));
    }
    return GS_OK;
}

/* Misspelt columns, before files are read for nothing. */
static enum gs_status check_columns(const struct gs_request *r, struct gs_err *err)
{
    const struct gs_common *const c = &r->common;
    const struct gs_inner_command *const inner = &r->context.inner;
    const struct gs_command *const asked = inner->command != NULL ? inner->command : r->command;
    const char *const show = gs_gives(&r->context, "show") ? gs_or_empty(c->show) : "";
    if (c->show != NULL && c->show[strspn(c->show, ",")] == '\0')
        return gs_fail(err, GS_ERR_USAGE, "--show: names no column");
    const bool known =
        asked->folds == NULL ? asked->registered_columns : !asked->folds->metric_columns;
    if (!known || (*show == '\0' && c->sort == NULL && c->filter.n == 0 && c->fail_if == NULL))
        return GS_OK;
    const struct gs_column_names names = names_of(r, asked);
    GS_TRY(check_names("--show", show, &names, err));
    GS_TRY(check_names("--sort", c->sort, &names, err));
    for (size_t i = 0; i < c->filter.n; i++)
        GS_TRY(gs_condition_check("--filter", c->filter.item[i], &names, err));
    if (c->fail_if != NULL)
        GS_TRY(gs_condition_check("--fail-if", c->fail_if, &names, err));
    return GS_OK;
}

/* A partial result has no rows: what chooses, tests or draws them is for merge to be told. */
static enum gs_status check_partial(const struct gs_request *r, struct gs_err *err)
{
    const struct gs_common *const c = &r->common;
    const struct {
        bool given;
        const char *option;
    } of_rows[] = {{gs_gives(&r->context, "show"), "--show"},
                   {c->sort != NULL, "--sort"},
                   {c->top > 0, "--top"},
                   {c->filter.n > 0, "--filter"},
                   {c->fail_if != NULL, "--fail-if"},
                   {c->plot != NULL, "--plot"},
                   {c->output != NULL, "-o"}};
    for (size_t k = 0; k < sizeof of_rows / sizeof *of_rows; k++)
        if (of_rows[k].given && gs_gives(&r->context, "partial"))
            return gs_fail(err, GS_ERR_USAGE, "--partial: prints no rows; give %s to merge",
                           of_rows[k].option);
    return GS_OK;
}

enum gs_status gs_request_check(struct gs_request *r, struct gs_err *err)
{
    const struct gs_command *const c = r->command;
    if (!c->writes_directory && r->common.output != NULL && strcmp(r->common.output, "-") == 0)
        r->common.output = NULL;
    choose_format(r);
    enum gs_status s = check_operands(r, err);
    if (s == GS_OK && c->wraps_command && r->operands.n > 0)
        s = parse_inner(r, &r->operands, err);
    GS_THEN(s, claim_files(r, err));
    GS_THEN(s, check_partial(r, err));
    GS_THEN(s, check_ending(r, err));
    GS_THEN(s, check_columns(r, err));
    if (s != GS_OK)
        return s;
    if (c->operands_max > 0)
        memcpy((char *)r->parsed + c->operands_offset, &r->operands, sizeof r->operands);
    r->context.n_threads = (unsigned)r->common.threads;
    if (r->common.threads == 0)
        r->context.n_threads = gs_processors();
    r->context.command = c;
    r->context.find = gs_command_find;
    r->context.output = r->common.output;
    r->context.title = r->common.title;
    s = gs_rates_get(&r->common.rates, &r->context.rates, err);
    r->context.dark = r->common.theme != GS_THEME_LIGHT;
    r->context.height_px = (int)r->common.height;
    r->context.draws = r->common.plot != NULL || r->common.format == GS_FORMAT_GNUPLOT;
    r->context.brief = is_brief(&r->common);
    return s;
}
