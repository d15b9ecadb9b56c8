/*
 * format_jobs.c - lists of jobs of PBS, Torque, Grid Engine, HTCondor and Kubernetes, and Slurm's beside sacct's table. They
 * differ in what they call a field and in how fields stand on lines: one table has the names, and what comes out is called as
 * in sacct. What a list does not say, the GPUs or the nodes of a job, stays missing.
 */
#include "input/formats/formats.h"

#include <stdio.h>

#include "base/num/decimal.h"
#include "base/num/order.h"
#include "data/tables/dataset.h"

/* clang-format off */
enum field { JOB, PART, NAME, USER, ACCOUNT, PARTITION, QOS, STATE, EXIT, START, END, CHANGED, LENGTH, HOSTS, NODES, GPUS, ASKED,
             PER_NODE, TRES, INDICES, SLOTS, CPUS, N_FIELDS };

/* The column that a field becomes, if it does as it is, and what schedulers call it, the best first. */
static const struct {
    const char *column, *names;
} fields[N_FIELDS] = {
    [JOB] = {"Job", "job_id jobid jobnumber clusterid metadata.name id"},
    [PART] = {NULL, "taskid procid"},
    [NAME] = {"JobName", "job_name jobname jobbatchname name metadata.name cmd"},
    [USER] = {"User", "user user_name username userid owner job_owner euser metadata.labels.user"},
    [ACCOUNT] = {"Account", "account acctgroup accountinggroup metadata.namespace"},
    [PARTITION] = {"Partition", "partition queue qname"},
    [QOS] = {"QOS", "qos"},
    [STATE] = {"State", "state.current.0 state.current job_state.0 job_state jobstate jobstatus st state status.phase stat"},
    [EXIT] = {NULL, "exit_status"},
    [START] = {"Start", "start time.start start_time.number start_time starttime stime jobcurrentstartdate jobstartdate "
                        "status.starttime t_run"},
    [END] = {"End", "end time.end end_time.number end_time endtime completiondate finish_time t_cleanup"},
    [CHANGED] = {NULL, "enteredcurrentstatus obittime"},
    [LENGTH] = {"running_s", "time.elapsed resources_used.walltime runtime time"},
    [HOSTS] = {"NodeList", "nodelist nodelist(reason) exec_host exec_vnode hostname remotehost lastremotehost spec.nodename nodes"},
    [NODES] = {"nodes", "allocation_nodes node_count.number node_count numnodes nnodes resource_list.nodect"},
    [GPUS] = {"gpus", "resource_list.ngpus gpusprovisioned requestgpus gpu_num ngpus"},
    [ASKED] = {NULL, "resource_list.select exec_vnode resource_list.nodes resource_list.neednodes category hard_resources"},
    [PER_NODE] = {"gpus_per_node", "tres_per_node"},
    [TRES] = {NULL, "alloctres tres_alloc_str tres tres_per_job"},
    [INDICES] = {"gpu_index", "exec_gpus assignedgpus"},
    [SLOTS] = {NULL, "slots"},
    [CPUS] = {NULL, "requestcpus"},
};
/* clang-format on */

/* The job whose fields are being met. */
struct job {
    struct gs_record_sink *out;
    struct gs_arena *kept; /* texts of the job */
    struct gs_str value[N_FIELDS];
    unsigned rank[N_FIELDS];  /* of the name that a value came under */
    int last;                 /* the field of the line before, which the next may continue */
    bool open, is_block;      /* is_block: lines of Grid Engine, a name and a value */
    bool has_limits;          /* of a pod: all its containers' are GPUs or none */
    uint64_t line, n_limits;  /* n_limits: GPUs of its containers */
    struct gs_str type, name; /* of the trackable resource that is being met */
    struct gs_str header[GS_LINE_CELLS]; /* of a table */
    size_t n_columns;
    char separator;             /* of its cells; ' ': words */
    uint64_t n_jobs, n_started; /* n_started: those that have a start */
};

static void keep(struct job *j, int f, struct gs_str value)
{
    j->out->full |= !gs_str_copy(j->kept, value, &j->value[f]);
}

/* Takes a value under a scheduler's own name; one name may be of several fields, and the best name of a field counts. */
static void take(struct job *j, struct gs_str key, struct gs_str value)
{
    j->last = N_FIELDS;
    value = gs_str_strip(value, " \t\"");
    if (value.len == 0 || GS_IS_ONE_OF(value, "undefined", "N/A", "(null)", "NONE"))
        return;
    for (int f = 0; f < N_FIELDS; f++) {
        struct gs_str rest = gs_str(fields[f].names);
        for (unsigned rank = 1; rest.len > 0; rank++)
            if (gs_str_eq_nocase(gs_str_take(&rest, ' '), key) &&
                (j->rank[f] == 0 || rank < j->rank[f])) {
                j->rank[f] = rank;
                j->last = f;
                keep(j, f, value);
            }
    }
}

static void begin_job(struct job *j, uint64_t line)
{
    gs_arena_rewind(j->kept, (struct gs_arena_mark){0});
    memset(j->value, 0, sizeof j->value);
    memset(j->rank, 0, sizeof j->rank);
    j->last = N_FIELDS;
    j->open = true;
    j->line = line;
    j->has_limits = false;
    j->n_limits = 0;
    j->type = j->name = GS_NO_STR;
}

/* --- what a job's fields come to ----------------------------------------------------------------------- */

/* The words of a state that is a number in HTCondor; of what ended its exit tells. */
static void settle_state(struct job *j)
{
    static const char *const condor[] = {"0",         "PENDING", "RUNNING",    "REMOVED",
                                         "COMPLETED", "HELD",    "COMPLETING", "SUSPENDED"};
    struct gs_str *const state = &j->value[STATE];
    const struct gs_str exit = j->value[EXIT];
    if (state->len == 1 && *state->ptr > '0' && *state->ptr <= '7')
        *state = gs_str(condor[*state->ptr - '0']);
    if (state->len == 0 && exit.len > 0) /* "0", "137 (Killed)" */
        *state = gs_str(gs_str_skip(exit, 0, "0") == gs_str_until(exit, 0, " ") ? "COMPLETED"
                                                                                : "FAILED");
}

/* Schedulers write 04/08/2013 with the month first, and 0 or a word for no instant. */
static void settle_time(struct job *j, int f)
{
    char text[64];
    struct gs_str *const t = &j->value[f];
    const bool none = gs_str_until(*t, 0, GS_ALL_DIGITS) == t->len || gs_str_eq(*t, gs_str("0"));
    if (none) {
        *t = GS_NO_STR;
    } else if (t->len > 10 && t->len < sizeof text && t->ptr[2] == '/' && t->ptr[5] == '/') {
        const int n = snprintf(text, sizeof text, "%.4s-%.2s-%.2s%.*s", t->ptr + 6, t->ptr,
                               t->ptr + 3, (int)t->len - 10, t->ptr + 10);
        keep(j, f, (struct gs_str){text, (size_t)n});
    }
}

/*
 * When it ended: what runs has none, whatever end is due, and what waits no start either. What HTCondor removed, held or took
 * back ended when it got that state.
 */
static void settle_end(struct job *j)
{
    settle_time(j, START);
    settle_time(j, END);
    settle_time(j, CHANGED);
    if (gs_job_runs(j->value[STATE]))
        j->value[END] = GS_NO_STR;
    else if (j->value[END].len == 0)
        j->value[END] = j->value[CHANGED];
    if (gs_job_waits(j->value[STATE]) && j->value[CHANGED].len == 0)
        j->value[START] = j->value[LENGTH] = GS_NO_STR;
    if (j->value[END].len > 0)
        j->value[LENGTH] = GS_NO_STR;
}

/* Names of nodes out of n1/0*8+n2/1, (n1:ncpus=8)+(n2:ncpus=8), slot1_2@n1: each once where it is met again at once. */
static void settle_hosts(struct job *j)
{
    struct gs_buf names = {.arena = j->kept};
    struct gs_str rest = j->value[HOSTS], before = GS_NO_STR;
    if (gs_str_begins(rest, "(") && !gs_str_holds(rest, ":")) /* the reason why it waits */
        j->value[HOSTS] = rest = GS_NO_STR;
    if (gs_str_until(rest, 0, "+/@(") == rest.len)
        return;
    while (rest.len > 0) {
        struct gs_str one = gs_str_strip(gs_str_take(&rest, '+'), "()");
        one = gs_str_after(one, gs_str_until_back(one, one.len, "@"));
        if (one.len == 0)
            continue;
        one.len = gs_str_until(one, 0, "/:");
        if (!gs_str_eq(one, before)) {
            gs_buf_text_if(&names, names.len > 0, ",");
            gs_buf_add(&names, one);
        }
        before = one;
    }
    j->out->full |= names.failed;
    j->value[HOSTS] = gs_buf_str(&names);
}

/* Which GPUs it had: n1-gpu/0+n1-gpu/1 of Torque become n1:0,n1:1; HTCondor's short UUIDs tell nothing. */
static void settle_indices(struct job *j)
{
    enum { UUID_LEN = 40 };
    struct gs_buf names = {.arena = j->kept};
    struct gs_str rest = j->value[INDICES];
    const bool torque = gs_str_holds(rest, "-gpu/");
    while (torque && rest.len > 0) {
        const struct gs_str one = gs_str_take(&rest, '+');
        const size_t at = gs_str_find(one, "-gpu/");
        gs_buf_text_if(&names, names.len > 0, ",");
        gs_buf_add(&names, gs_str_part(one, 0, at));
        gs_buf_char(&names, ':');
        gs_buf_add(&names, gs_str_after(one, gs_min(at + 5, one.len)));
    }
    j->out->full |= names.failed;
    if (torque)
        j->value[INDICES] = gs_buf_str(&names);
    else if (gs_str_until(rest, 0, ",") < UUID_LEN)
        j->value[INDICES] = GS_NO_STR;
}

/* GPUs of 2:ncpus=8:ngpus=4+1:ngpus=1, of (n1:ngpus=2)+(n2:ngpus=2) or of -l gpu=1,h_rt=60. */
static uint64_t count_asked(struct gs_str asked)
{
    uint64_t sum = 0;
    while (asked.len > 0) {
        const struct gs_str chunk = gs_str_strip(gs_str_take(&asked, '+'), "()");
        const size_t digits = gs_str_skip(chunk, 0, GS_ALL_DIGITS);
        size_t at = gs_str_find(chunk, "gpus=");
        uint64_t n = 1, of_each = 0;
        if (digits < chunk.len && chunk.ptr[digits] == ':')
            (void)gs_count_parse(gs_str_part(chunk, 0, digits), 1 << 20, &n);
        if (at == chunk.len)
            at = gs_str_find(chunk, "gpu=");
        at += gs_str_find(gs_str_after(chunk, at), "=");
        const struct gs_str number = gs_str_after(chunk, gs_min(at + 1, chunk.len));
        (void)gs_count_parse(gs_str_part(number, 0, gs_str_skip(number, 0, GS_ALL_DIGITS)), 1 << 20,
                             &of_each);
        sum += n * of_each;
    }
    return sum;
}

static void put_count(struct job *j, int f, uint64_t n)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)n);
    keep(j, f, gs_str(text));
}

/*
 * How many GPUs it held, where the list says so. A request that names none has none; but Grid Engine's, which sites call as
 * they like, and each of whose slots has what it names.
 */
static void settle_gpus(struct job *j)
{
    const struct gs_str asked = j->value[ASKED], tres = j->value[TRES], each = j->value[PER_NODE];
    const bool by_slot = gs_str_begins(asked, "-");
    uint64_t n = count_asked(asked);
    if (tres.len > 0)
        gs_tres_put_held(j->out, tres, gs_tres_value(tres, "node="));
    else if (asked.len == 0 && (j->has_limits || j->value[CPUS].len > 0) && j->value[GPUS].len == 0)
        put_count(j, GPUS, j->n_limits);
    else if (asked.len > 0 && j->value[GPUS].len == 0 &&
             (!by_slot || (n > 0 && gs_str_eq(j->value[SLOTS], gs_str("1")))))
        put_count(j, GPUS, n);
    if (each.len == 0) /* gres/gpu:a100:2, gres:gpu */
        return;
    if (gs_count_parse(gs_str_after(each, gs_str_until_back(each, each.len, ":=")), UINT32_MAX,
                       &n) != GS_NUMBER_OK)
        n = 1;
    put_count(j, PER_NODE, gs_str_holds(each, "gpu") ? n : 0);
}

/* 77672.2, 5.0: what a job is part of stands in front, and is an array where it has several. */
static void put_id(struct job *j)
{
    struct gs_str id = j->value[JOB];
    const struct gs_str part = j->value[PART];
    const size_t of = gs_str_find_byte(id, '[');
    if (part.len > 0) {
        gs_record_sink_set(j->out, gs_str("Array"), id);
        id = gs_str_joined(j->kept, id, ".", part);
        j->out->full |= id.ptr == NULL;
    } else if (of < id.len) {
        gs_record_sink_set(j->out, gs_str("Array"), gs_str_part(id, 0, of));
    }
    gs_record_sink_set(j->out, gs_str(fields[JOB].column), id);
}

static enum gs_status end_job(struct job *j, struct gs_err *err)
{
    struct gs_record_sink *const out = j->out;
    if (!j->open)
        return GS_OK;
    j->open = false;
    if (j->value[JOB].len == 0 || gs_str_holds(j->value[JOB], "[]")) { /* of all of an array */
        out->n_other++;
        return GS_OK;
    }
    settle_state(j);
    settle_end(j);
    settle_hosts(j);
    settle_indices(j);
    put_id(j);
    settle_gpus(j);
    j->value[USER].len = gs_str_until(j->value[USER], 0, "@(");
    if (j->value[NAME].len == 0)
        j->value[NAME] = gs_str("job");
    j->n_jobs++;
    j->n_started += j->value[START].len > 0;
    for (int f = 0; f < N_FIELDS; f++)
        if (f != JOB && fields[f].column != NULL && j->value[f].len > 0)
            gs_record_sink_set(out, gs_str(fields[f].column), j->value[f]);
    out->line = j->line;
    return gs_record_sink_end(out, err);
}

/* --- JSON ---------------------------------------------------------------------------------------------- */

/* GPUs that a container may use, and the trackable resources of slurmdbd, which are lists of objects. */
static bool take_leaf(void *context, struct gs_str path, struct gs_str value)
{
    static const char allocated[] = "tres.allocated.", limits[] = ".resources.limits.";
    struct job *const j = context;
    const struct gs_str key = gs_str_after(path, gs_str_until_back(path, path.len, "."));
    uint64_t n;
    if (gs_str_begins(path, "spec.containers.")) {
        const struct gs_str what = gs_str_after(path, gs_str_find(path, limits));
        j->has_limits |= !gs_str_holds(what, "/mig-");
        if (gs_str_ends(what, "/gpu") && gs_count_parse(value, 1 << 20, &n) == GS_NUMBER_OK)
            j->n_limits += n;
    } else if (gs_str_begins(path, "status.containerStatuses.") &&
               gs_str_ends(path, ".state.terminated.finishedAt")) {
        if (gs_str_compare(value, j->value[END]) > 0)
            keep(j, END, value);
    } else if (gs_str_begins(path, allocated)) {
        if (gs_str_eq(key, gs_str("type")))
            j->out->full |= !gs_str_copy(j->kept, value, &j->type);
        else if (gs_str_eq(key, gs_str("name")))
            j->out->full |= !gs_str_copy(j->kept, value, &j->name);
        if (!gs_str_eq(key, gs_str("count")))
            return true;
        const struct gs_str one = gs_str_joined(
            j->kept, gs_str_joined(j->kept, j->type, gs_text_if(j->name.len > 0, "/"), j->name),
            "=", value);
        j->value[TRES] =
            gs_str_joined(j->kept, j->value[TRES], gs_text_if(j->value[TRES].len > 0, ","), one);
        j->out->full |= j->value[TRES].ptr == NULL;
    } else {
        take(j, path, value);
    }
    return !j->out->full;
}

/* The objects of a list that is the whole or stands below one of these keys; PBS names each by its job. */
static bool wants_job(void *context, const struct gs_str *key, unsigned n)
{
    (void)context;
    return (n == 1 && key[0].ptr == NULL) ||
           (n == 2 && GS_IS_ONE_OF(key[0], "jobs", "Jobs", "items"));
}

static enum gs_status take_job(void *context, const struct gs_json_item *item, struct gs_err *err)
{
    struct job *const j = context;
    struct gs_json_room room = {.path.arena = j->kept, .text.arena = j->kept};
    bool ok;
    begin_job(j, item->line);
    if (item->n_keys > 1 && item->key[1].ptr != NULL)
        take(j, gs_str("job_id"), item->key[1]);
    (void)gs_json_walk(item->text, GS_JSON_ITEM_BY_ITEM, &room, take_leaf, j, &ok);
    if (j->out->full)
        return gs_record_sink_full(j->out, err);
    if (!ok)
        return gs_fail_at(err, j->out->name, item->line, "not JSON");
    j->out->raw = item->text;
    return end_job(j, err);
}

/* --- lines --------------------------------------------------------------------------------------------- */

/* "04/08/2024 14:13:09;E;12.server;user=ann": a record of PBS's accounting, whose kind is a capital letter. */
static bool is_accounting(struct gs_str line)
{
    return line.len > 22 && line.ptr[2] == '/' && line.ptr[5] == '/' && line.ptr[10] == ' ' &&
           line.ptr[19] == ';' && line.ptr[20] >= 'A' && line.ptr[20] <= 'Z' &&
           line.ptr[21] == ';' && gs_is_digit(line.ptr[0]);
}

/* The header of squeue's or condor_history's table: what parts its names; '\0': it is none. */
static char table_separator(struct gs_str line)
{
    line = gs_trimmed(line);
    const struct gs_str first = gs_str_part(line, 0, gs_str_until(line, 0, " |\t"));
    const bool named = gs_str_eq_nocase(first, gs_str("JOBID")) || GS_IS_ONE_OF(first, "ClusterId");
    if (!named || !(gs_str_holds(line, "NODELIST(REASON)") || gs_str_holds(line, "TRES_PER_NODE") ||
                    gs_str_holds(line, "START_TIME") || gs_str_holds(line, "StartDate") ||
                    gs_str_holds(line, "T_RUN")))
        return '\0';
    return gs_str_holds(line, "|") ? '|' : ' ';
}

/* Does a job begin on a line? */
static bool is_job_line(struct gs_str line)
{
    return (is_accounting(line) && gs_str_holds(line, "=")) || gs_str_begins(line, "Job Id: ") ||
           table_separator(line) != '\0' || gs_str_begins(line, "qname  ") ||
           (gs_str_begins(line, "JobId=") && gs_str_holds(line, " JobName="));
}

static bool is_jobs(struct gs_str head)
{
    static const char *const keys[][4] = {{"\"ClusterId\"", "\"ProcId\"", "", ""},
                                          {"\"job_id\"", "\"tres_alloc_str\"", "", ""},
                                          {"\"job_id\"", "\"nodes\"", "\"time\"", "\"elapsed\""},
                                          {"\"Job_Name\"", "\"job_state\"", "", ""},
                                          {"\"t_run\"", "\"t_cleanup\"", "\"nodelist\"", ""},
                                          {"\"nodeName\"", "\"containers\"", "", ""}};
    const char first = gs_first_byte(head);
    for (size_t i = 0; i < sizeof keys / sizeof *keys && (first == '{' || first == '['); i++) {
        bool all = true;
        for (size_t k = 0; k < 4; k++)
            all &= gs_str_holds(head, keys[i][k]);
        if (all)
            return true;
    }
    return first != '{' && first != '[' &&
           (gs_head_has_line(head, is_job_line) ||
            (gs_str_holds(head, "ClusterId = ") && gs_str_holds(head, "ProcId = ")));
}

/* key=value key="value of words" */
static void take_pairs(struct job *j, struct gs_str line)
{
    for (size_t at = 0; (at = gs_str_skip(line, at, " \t")) < line.len;) {
        const size_t eq = at + gs_str_find_byte(gs_str_after(line, at), '=');
        const bool quoted = eq + 1 < line.len && line.ptr[eq + 1] == '"';
        const size_t end =
            gs_str_until(line, gs_min(eq + 1 + quoted, line.len), quoted ? "\"" : " ");
        if (eq < line.len)
            take(j, gs_str_part(line, at, eq), gs_str_part(line, eq + 1, end));
        at = gs_min(end + quoted, line.len);
    }
}

/* Of a job there is a record when it starts, S, and one of all when it ended, E. */
static enum gs_status take_accounting(struct job *j, struct gs_str line, uint64_t number,
                                      struct gs_err *err)
{
    const char kind = line.ptr[20];
    struct gs_str rest = gs_str_after(line, 22);
    if (kind != 'E' && kind != 'S') {
        j->out->n_ignored++;
        return GS_OK;
    }
    begin_job(j, number);
    take(j, gs_str("job_id"), gs_str_take(&rest, ';'));
    take_pairs(j, rest);
    if (kind == 'S')
        take(j, gs_str("job_state"), gs_str("R"));
    j->out->raw = line;
    return end_job(j, err);
}

/* The header of a table, or a row; why a job waits may be several words, in the last cell. */
static enum gs_status take_row(struct job *j, struct gs_lines *l, struct gs_str line, bool header,
                               struct gs_err *err)
{
    if (header)
        j->separator = table_separator(line);
    size_t n = j->separator == ' ' ? gs_lines_cut_words(l, line) : gs_lines_cut(l, line, '|');
    if (!header && n > j->n_columns && *l->cell[j->n_columns - 1].ptr == '(')
        n = j->n_columns;
    if (!header && n != j->n_columns) {
        j->out->n_torn++;
        return GS_OK;
    }
    j->n_columns = n;
    begin_job(j, l->in->line_number);
    for (size_t i = 0; i < n && !header; i++)
        take(j, j->header[i], l->cell[i]);
    for (size_t i = 0; i < n && header; i++)
        j->out->full |= !gs_str_copy(&l->kept, gs_trimmed(l->cell[i]), &j->header[i]);
    j->open = !header;
    j->out->raw = line;
    return end_job(j, err);
}

/*
 * Fields on lines of their own, "Key = value", key=value or in Grid Engine's blocks "name   value"; lines of = or without
 * anything part the jobs.
 */
static void take_fields(struct job *j, struct gs_str line, uint64_t number)
{
    const struct gs_str text = gs_trimmed(line);
    const bool qstat = gs_str_begins(text, "Job Id: ");
    size_t at = gs_str_find(text, " = ");
    const size_t width = at < text.len ? 3 : 1;
    if (at == text.len && j->is_block)
        at = gs_str_until(text, 0, " ");
    if (!j->open || qstat)
        begin_job(j, number);
    if (qstat)
        take(j, gs_str("job_id"), gs_str_after(text, 8));
    else if (at < text.len)
        take(j, gs_str_part(text, 0, at), gs_str_after(text, at + width));
    else
        take_pairs(j, text);
}

static enum gs_status job_line(struct gs_lines *l, struct gs_str line, struct gs_err *err)
{
    struct job *const j = l->own;
    const bool rule = gs_str_begins(line, "===="), header = table_separator(line) != '\0';
    if (gs_str_begins(line, "\t") && j->open) { /* a long value goes on */
        if (j->last < N_FIELDS)
            j->value[j->last] = gs_str_joined(j->kept, j->value[j->last], "", gs_trimmed(line));
        return GS_OK;
    }
    if (line.len > 0 && (header || j->n_columns > 0))
        return take_row(j, l, line, header, err);
    if (rule || line.len == 0 || is_job_line(line))
        GS_TRY(end_job(j, err));
    j->is_block = rule || (j->is_block && line.len > 0);
    if (rule || line.len == 0)
        return GS_OK;
    if (is_accounting(line))
        return take_accounting(j, line, l->in->line_number, err);
    take_fields(j, line, l->in->line_number);
    return GS_OK;
}

static enum gs_status begin_jobs(struct gs_lines *l, struct gs_err *err)
{
    struct job *const j = l->own;
    static const char *const others[] = {"Step", "Array", "gpu_type"};
    (void)err;
    j->out = l->out;
    j->kept = &l->record;
    l->out->fixed = true;
    for (int f = 0; f < N_FIELDS; f++)
        if (fields[f].column != NULL)
            (void)gs_record_sink_column(l->out, gs_str(fields[f].column));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        (void)gs_record_sink_column(l->out, gs_str(others[i]));
    return GS_OK;
}

static enum gs_status end_jobs(struct gs_lines *l, struct gs_err *err)
{
    struct job *const j = l->own;
    enum gs_status s = GS_OK;
    if (l->in->cut)
        j->open = false;
    s = end_job(j, err);
    if (s == GS_OK && j->n_columns > 0 && j->n_jobs > 0 && j->n_started == 0)
        s = gs_fail(err, GS_ERR_DATA,
                    "%s: no job says when it started; squeue -o "
                    "'%%i|%%P|%%j|%%u|%%T|%%S|%%M|%%D|%%N|%%b' does",
                    l->in->name);
    return s;
}

static const struct gs_line_reader job_lines = {sizeof(struct job), begin_jobs, job_line, end_jobs};

static enum gs_status read_jobs(struct gs_text_in *in, struct gs_record_sink *out,
                                struct gs_err *err)
{
    struct gs_str head;
    GS_TRY(gs_text_peek(in, &head, err));
    const char first = gs_first_byte(head);
    if (first != '{' && first != '[')
        return gs_read_lines(&job_lines, in, out, err);
    GS_NEW(struct job, j, 1, in->arena, err);
    struct gs_lines l = {.in = in, .out = out, .own = j};
    struct gs_json_cut items = {.wants = wants_job, .take = take_job, .context = j};
    GS_TRY(begin_jobs(&l, err));
    enum gs_status s = gs_json_cut_read(&items, in, err);
    GS_THEN(s, end_jobs(&l, err));
    gs_arena_release(&l.record);
    return s;
}

const struct gs_form gs_form_jobs = {
    .name = "jobs", .is_of_jobs = true, .matches = is_jobs, .read = read_jobs};
