/*
 * format_sacct.c - sacct -P: fields between bars or another delimiter; and without -P: columns as wide as the dashes below their
 * names. A job's number and its step are apart.
 */
#include "input/formats/formats.h"

#include <stdio.h>
#include <string.h>

#include "base/num/decimal.h"
#include "base/num/order.h"
#include "input/times/clock.h"

enum { ROW_LINES_MAX = 256, ROW_BYTES_MAX = 64 << 10, LINES_ABOVE = 16 };

/*
 * The end of the field that begins at a place. What spreadsheets and pandas make of a list with commas stands between quotes;
 * *open: its closing quote is not there.
 */
static size_t field_end(struct gs_str line, size_t at, char separator, bool *open)
{
    bool quoted = (separator == ',' || separator == ';') && at < line.len && line.ptr[at] == '"';
    for (size_t i = at + quoted; i < line.len; i++) {
        if (quoted && line.ptr[i] == '"')
            quoted = false; /* of two, the second opens again */
        else if (line.ptr[i] == '"' && i > at && line.ptr[i - 1] == '"' && line.ptr[at] == '"')
            quoted = true;
        else if (!quoted && line.ptr[i] == separator)
            return *open = false, i;
    }
    *open = quoted;
    return line.len;
}

static struct gs_str unquoted(struct gs_str field, char separator)
{
    if ((separator == ',' || separator == ';') && field.len > 1 && field.ptr[0] == '"' &&
        field.ptr[field.len - 1] == '"')
        return (struct gs_str){field.ptr + 1, field.len - 2};
    return field;
}

static size_t split_at(struct gs_str line, char separator, struct gs_str *field)
{
    size_t n = 0;
    bool open;
    for (size_t from = 0; from <= line.len && n < GS_LINE_CELLS;) {
        const size_t end = field_end(line, from, separator, &open);
        field[n++] = unquoted(gs_str_part(line, from, end), separator);
        from = end + 1;
    }
    return n;
}

/* Is it this name, whatever its case and without regard to what parts its words? */
static bool is_name(struct gs_str field, const char *name)
{
    for (size_t i = 0; i < field.len; i++) {
        if (field.ptr[i] == '_' || field.ptr[i] == ' ')
            continue;
        if (*name == '\0' || gs_lower(field.ptr[i]) != gs_lower(*name++))
            return false;
    }
    return *name == '\0';
}

/* Slurm's own name of a column, which databases and scripts write in their way; NULL: it is none of Slurm's. */
static const char *slurm_name(struct gs_str field)
{
    static const char *const names[][4] = {
        {"JobID"},
        {"JobIDRaw"},
        {"JobName", "name"},
        {"User", "username"},
        {"Account", "acct", "accountname"},
        {"Partition", "queue"},
        {"State", "status", "jobstate"},
        {"QOS"},
        {"Start", "starttime", "started", "startedat"},
        {"End", "endtime", "ended", "finishedat"},
        {"Elapsed"},
        {"ElapsedRaw"},
        {"NNodes", "AllocNodes"},
        {"NodeList", "nodes", "hostlist"},
        {"AllocTRES", "tresalloc"},
        {"ReqTRES", "tresreq"},
        {"ReqGRES", "GRES"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t k = 0; k < 4 && names[i][k] != NULL; k++)
            if (is_name(field, names[i][k]))
                return names[i][0];
    return NULL;
}

/* Is it a column that only Slurm's tables have? A job's name and its nodes have others, too, but in their words. */
static bool is_slurms(struct gs_str field)
{
    static const char *const names[] = {"AllocTRES", "ElapsedRaw", "AllocCPUS"};
    bool is = gs_str_eq(field, gs_str("JobName")) || gs_str_eq(field, gs_str("NodeList"));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        is |= is_name(field, names[i]);
    return is;
}

/*
 * What parts the names of a header of sacct, '\0' where it is none; only bars are sacct's own:
 * others show by two names. JobID alone is also a column of other tables; a second name of
 * sacct's own makes sure.
 */
static char separator_of(struct gs_str line)
{
    static const char separators[] = "|\t,;";
    for (const char *p = separators; *p != '\0'; p++) {
        struct gs_str field[GS_LINE_CELLS];
        bool id = false, other = *p == '|';
        const size_t n = split_at(line, *p, field);
        for (size_t i = 0; i < n; i++) {
            id |= is_name(field[i], "JobID") || is_name(field[i], "JobIDRaw");
            other |= is_slurms(field[i]);
        }
        if (id && other && n > 1)
            return *p;
    }
    return '\0';
}

/* "------------ ----------": how wide the columns are. */
static bool is_rule(struct gs_str line)
{
    return gs_str_begins(line, "-") && gs_str_skip(line, 0, "- ") == line.len;
}

static bool names_job(struct gs_str line)
{
    struct gs_str word;
    for (size_t at = 0; (word = gs_next_word(line, &at)).ptr != NULL;)
        if (is_name(word, "JobID") || is_name(word, "JobIDRaw"))
            return true;
    return false;
}

/* Warnings, an echoed command or a torn row may stand above the header. */
static bool is_sacct(struct gs_str head)
{
    bool names = false;
    for (size_t i = 0; i <= LINES_ABOVE && head.len > 0; i++) {
        const struct gs_str line = gs_head_line(&head);
        if (separator_of(line) != '\0' || (names && is_rule(line)))
            return true;
        names = names_job(line);
    }
    return false;
}

struct sacct {
    char separator;
    uint32_t column[GS_LINE_CELLS];
    size_t n_columns, n_above;                           /* above: lines before the header */
    int id, shown_id, nodes, state, start, end, elapsed; /* fields; -1: none */
    int tres[4];                                         /* what says its GPUs, the best first */
    int per_node;                                        /* of them what says those of each node */
    int n_nodes;
    char seconds[GS_REAL_TEXT_MAX];
    size_t from[GS_LINE_CELLS], to[GS_LINE_CELLS]; /* [n_widths] of columns of a width, in bytes */
    size_t n_widths;
    struct gs_buf names;  /* the line above their dashes */
    struct gs_buf joined; /* the lines of a row whose quotes hold line ends */
    struct gs_buf text;   /* of fields that hold doubled quotes, and of GPUs' indices */
};

/* "1-02:03:04", or seconds as they are; missing for anything else. */
static struct gs_str seconds_of(struct sacct *t, struct gs_str elapsed)
{
    int64_t ns;
    if (elapsed.len == 0 || !gs_duration_read(elapsed, GS_UNIT_NONE, &ns))
        return GS_NO_STR;
    return (struct gs_str){t->seconds, (size_t)gs_int_format(t->seconds, ns / GS_NS_PER_S)};
}

static void parse_widths(struct sacct *t, struct gs_str rule)
{
    t->n_widths = 0;
    for (size_t i = 0; i < rule.len && t->n_widths < GS_LINE_CELLS;) {
        t->from[t->n_widths] = i;
        i = gs_str_skip(rule, i, "-");
        t->to[t->n_widths++] = i;
        i = gs_str_skip(rule, i, " ");
    }
}

static size_t split(const struct sacct *t, struct gs_str line, struct gs_str *field)
{
    size_t n = 0;
    for (; n < t->n_widths; n++) {
        const size_t from = gs_min(t->from[n], line.len);
        const size_t to = gs_min(t->to[n], line.len);
        field[n] = gs_trimmed(gs_str_part(line, from, to));
    }
    return n > 0 ? n : split_at(line, t->separator, field);
}

static struct gs_str field_at(const struct gs_str *field, int place)
{
    return place < 0 ? GS_NO_STR : field[place];
}

static int field_called(const struct gs_str *field, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (gs_str_eq(field[i], gs_str(name)))
            return (int)i;
    return -1;
}

/* Does the file say how long a job has run that has no end? */
static bool tells_running(const struct sacct *t)
{
    return t->elapsed >= 0 && t->end >= 0;
}

/* What the form adds to the columns of the file, where these say enough for it. */
static void add_columns(const struct sacct *t, struct gs_record_sink *out)
{
    const bool tres = t->tres[0] >= 0;
    const struct {
        const char *name;
        bool there;
    } own[] = {{"Job", true},
               {"Step", true},
               {"Array", t->shown_id >= 0},
               {"gpus", tres},
               {"gpu_type", tres},
               {"nodes", tres},
               {"running_s", tells_running(t)},
               {"gpus_per_node", t->per_node >= 0}};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (own[i].there)
            (void)gs_record_sink_column(out, gs_str(own[i].name));
}

/* JobIDRaw is what labels of samples know; JobID shows the array that a job is of. */
static enum gs_status parse_header(struct sacct *t, struct gs_record_sink *out,
                                   struct gs_str *field, size_t n, struct gs_err *err)
{
    static const char *const lists[] = {"AllocTRES", "ReqTRES", "AllocGRES", "ReqGRES"};
    size_t n_tres = 0;
    t->n_columns = n;
    for (size_t i = 0; i < n; i++) {
        const char *const name = slurm_name(field[i]);
        if (name != NULL && field_called(field, n, name) < 0)
            field[i] = gs_str(name);
        t->column[i] = gs_record_sink_column(out, field[i]);
    }
    t->shown_id = field_called(field, n, "JobID");
    t->id = field_called(field, n, "JobIDRaw");
    if (t->id < 0)
        t->id = t->shown_id;
    t->nodes = field_called(field, n, "NodeList");
    t->n_nodes = field_called(field, n, "NNodes");
    t->state = field_called(field, n, "State");
    t->start = field_called(field, n, "Start");
    t->end = field_called(field, n, "End");
    t->elapsed = field_called(field, n, "ElapsedRaw");
    if (t->elapsed < 0)
        t->elapsed = field_called(field, n, "Elapsed");
    for (size_t k = 0; k < 4; k++) {
        t->tres[k] = -1;
        t->tres[n_tres] = field_called(field, n, lists[k]);
        n_tres += t->tres[n_tres] >= 0;
    }
    t->per_node = field_called(field, n, "ReqGRES");
    add_columns(t, out);
    if (t->id < 0) /* dashes that do not stand below the names cut them in two */
        return gs_fail(err, GS_ERR_DATA, "%s: its columns have no JobID", out->name);
    return GS_OK;
}

/* What says the GPUs of a job: of the fields that may the first that is filled; -1: none. */
static int filled_tres(const struct sacct *t, const struct gs_str *field)
{
    size_t k = 0;
    while (k < 3 && t->tres[k] >= 0 && field[t->tres[k]].len == 0)
        k++;
    return t->tres[k];
}

/*
 * A column that was too narrow ends in '+': where it says which nodes, which job or how many GPUs, nothing can be made of
 * the row.
 */
static enum gs_status check_whole(const struct sacct *t, const struct gs_lines *l,
                                  struct gs_str line, bool *whole, struct gs_err *err)
{
    const struct {
        int place;
        const char *name;
    } known[] = {{t->id, "JobID"}, {t->nodes, "NodeList"}, {filled_tres(t, l->cell), "AllocTRES"}};
    *whole = true;
    for (size_t k = 0; k < sizeof known / sizeof *known && t->n_widths > 0; k++) {
        const struct gs_str f = field_at(l->cell, known[k].place);
        if (!gs_str_ends(f, "+"))
            continue;
        char reason[160];
        (void)snprintf(reason, sizeof reason,
                       "%s: '%s' was cut off by its column, expected sacct --parsable2 or %s%%60",
                       known[k].name, GS_SHOWN(f, 80), known[k].name);
        *whole = false;
        return gs_record_sink_reject(l->out, l->in->line_number, reason, line, err);
    }
    return GS_OK;
}

/* "" within quotes is one; the buffer has room for the whole line: texts do not move. */
static struct gs_str single_quotes(struct sacct *t, struct gs_str field)
{
    if ((t->separator != ',' && t->separator != ';') || !gs_str_holds(field, "\"\""))
        return field;
    const size_t from = t->text.len;
    for (size_t i = 0; i < field.len; i++) {
        gs_buf_char(&t->text, field.ptr[i]);
        i += field.ptr[i] == '"' && i + 1 < field.len && field.ptr[i + 1] == '"';
    }
    return gs_str_after(gs_buf_str(&t->text), from);
}

/*
 * "gres/gpu:a100:2(IDX:0,2-3)": takes the indices out of a list, so that its commas part what they should, into a list of
 * names in brackets; ptr == NULL: there are none.
 */
static struct gs_str take_indices(struct sacct *t, struct gs_str *tres)
{
    static const char mark[] = "(IDX:";
    const size_t at = gs_str_find(*tres, mark), from = t->text.len;
    const struct gs_str rest = {tres->ptr + at, tres->len - at};
    const size_t end = gs_str_find(rest, ")");
    if (end >= rest.len || end < sizeof mark || gs_str_find(*tres, "gpu") > at)
        return GS_NO_STR;
    gs_buf_char(&t->text, '[');
    gs_buf_bytes(&t->text, rest.ptr + sizeof mark - 1, end - (sizeof mark - 1));
    gs_buf_char(&t->text, ']');
    const size_t plain = t->text.len;
    gs_buf_bytes(&t->text, tres->ptr, at);
    gs_buf_bytes(&t->text, rest.ptr + end + 1, rest.len - end - 1);
    *tres = gs_str_after(gs_buf_str(&t->text), plain);
    return gs_str_part(gs_buf_str(&t->text), from, plain);
}

/* The GPUs and the nodes that a job got; what it asked for where that is not said. */
static void put_held(struct sacct *t, struct gs_record_sink *out, const struct gs_str *field)
{
    struct gs_str nodes = field_at(field, t->n_nodes),
                  tres = field_at(field, filled_tres(t, field));
    if (t->tres[0] < 0)
        return;
    for (size_t k = 0; k < 4 && t->tres[k] >= 0 && nodes.len == 0; k++)
        nodes = gs_tres_value(field[t->tres[k]], "node=");
    const struct gs_str index = tres.len == 0 ? GS_NO_STR : take_indices(t, &tres);
    if (index.ptr != NULL)
        gs_record_sink_set(out, gs_str("gpu_index"), index);
    if (t->per_node >= 0 && filled_tres(t, field) == t->per_node)
        gs_record_sink_set(out, gs_str("gpus_per_node"), tres);
    else
        gs_tres_put_held(out, tres, nodes);
}

/* What never started has no length and no start, which Slurm says was when it was cancelled: with one, it would be on a host. */
static enum gs_status parse_row(struct sacct *t, struct gs_record_sink *out,
                                const struct gs_str *field, struct gs_str line, struct gs_err *err)
{
    t->text.len = 0;
    GS_TRY(gs_had_memory(gs_buf_reserve(&t->text, 3 * line.len + 4), err));
    const bool waited = gs_str_eq_nocase(field_at(field, t->nodes), gs_str("None assigned"));
    for (size_t i = 0; i < t->n_columns; i++) {
        struct gs_str one = single_quotes(t, field[i]);
        if (waited && ((int)i == t->start || (int)i == t->nodes))
            continue;
        if ((int)i == t->state) /* "CANCELLED by 1004" */
            one.len = gs_str_find(one, " ");
        gs_record_sink_put(out, t->column[i], one);
    }
    gs_tres_put_id(out, field[t->id]);
    struct gs_str shown = field_at(field, t->shown_id);
    if (gs_str_holds(shown, "_"))
        gs_record_sink_set(out, gs_str("Array"), gs_str_take(&shown, '_'));
    put_held(t, out, field);
    if (tells_running(t) && (gs_str_eq_nocase(field[t->end], gs_str("Unknown")) ||
                             gs_str_skip(field_at(field, t->start), 0, GS_ALL_DIGITS) > 0)) {
        const struct gs_str running = seconds_of(t, field[t->elapsed]);
        if (running.ptr != NULL)
            gs_record_sink_set(out, gs_str("running_s"), running);
    }
    out->raw = line;
    return gs_record_sink_end(out, err);
}

/* The header: one line with bars, or names and the dashes below them. */
static enum gs_status parse_head(struct sacct *t, struct gs_lines *l, struct gs_str line,
                                 struct gs_err *err)
{
    const char separator = separator_of(line);
    if (separator != '\0') {
        t->separator = separator;
        return parse_header(t, l->out, l->cell, split(t, line, l->cell), err);
    }
    if (t->names.len > 0 && is_rule(line)) {
        parse_widths(t, line);
        return parse_header(t, l->out, l->cell, split(t, gs_buf_str(&t->names), l->cell), err);
    }
    if (t->n_above++ > LINES_ABOVE)
        return gs_fail_at(err, l->in->name, l->in->line_number,
                          "no header of sacct with a column JobID");
    l->out->n_other += !names_job(line);
    t->names.len = 0;
    if (names_job(line))
        gs_buf_add(&t->names, line);
    return gs_had_memory(!t->names.failed, err);
}

/* Does a quote of the line's last field hold its end? */
static bool is_open(const struct sacct *t, struct gs_str line)
{
    bool open = false;
    for (size_t from = 0; from <= line.len && t->n_widths == 0;)
        from = field_end(line, from, t->separator, &open) + 1;
    return open;
}

/* A row whose quotes hold line ends: *line becomes all of them, or is missing where it is set aside. */
static enum gs_status join_lines(struct sacct *t, struct gs_lines *l, struct gs_str *line,
                                 struct gs_err *err)
{
    static const char reason[] = "a quote that nothing closes";
    struct gs_str next = *line;
    t->joined.len = 0;
    gs_buf_add(&t->joined, next);
    for (unsigned n = 1; !t->joined.failed && is_open(t, gs_buf_str(&t->joined)); n++) {
        const bool too_long = n == ROW_LINES_MAX || t->joined.len >= ROW_BYTES_MAX;
        if (!too_long)
            GS_TRY(gs_text_line(l->in, &next, err));
        if (too_long || next.ptr == NULL) {
            *line = GS_NO_STR;
            if (l->in->cut)
                return GS_OK;
            return gs_record_sink_reject(l->out, l->out->line, reason, gs_buf_str(&t->joined), err);
        }
        gs_buf_char(&t->joined, '\n');
        gs_buf_add(&t->joined, next);
    }
    *line = gs_buf_str(&t->joined);
    return gs_had_memory(!t->joined.failed, err);
}

/* A line below the header. */
static enum gs_status parse_line(struct sacct *t, struct gs_lines *l, struct gs_str line,
                                 struct gs_err *err)
{
    bool whole = true;
    if (is_open(t, line))
        GS_TRY(join_lines(t, l, &line, err));
    if (line.ptr == NULL)
        return GS_OK;
    if (split(t, line, l->cell) != t->n_columns) {
        l->out
            ->n_torn++; /* a comment over several lines, a bar in a name: counted, never guessed */
        return GS_OK;
    }
    if (t->n_widths > 0 ? is_rule(line) || gs_str_eq(line, gs_buf_str(&t->names))
                        : separator_of(line) == t->separator) {
        l->out->n_ignored++;
        return GS_OK;
    }
    GS_TRY(check_whole(t, l, line, &whole, err));
    if (!whole)
        return GS_OK;
    return parse_row(t, l->out, l->cell, line, err);
}

static enum gs_status begin_sacct(struct gs_lines *l, struct gs_err *err)
{
    struct gs_arena *const arena = l->in->arena;
    const struct gs_texts *const columns = &l->out->source->columns;
    struct sacct *const t = l->own;
    *t = (struct sacct){
        .separator = '|', .names.arena = arena, .text.arena = arena, .joined.arena = arena};
    l->out->fixed = true;
    if (columns->n == 0 || columns->n > GS_LINE_CELLS)
        return GS_OK;
    memcpy(l->cell, columns->item, columns->n * sizeof *l->cell); /* sacct -P -n: no header */
    return parse_header(t, l->out, l->cell, columns->n, err);
}

static enum gs_status sacct_line(struct gs_lines *l, struct gs_str line, struct gs_err *err)
{
    struct sacct *const t = l->own;
    if (line.len == 0)
        return GS_OK;
    l->out->line = l->in->line_number;
    return t->n_columns == 0 ? parse_head(t, l, line, err) : parse_line(t, l, line, err);
}

static enum gs_status end_sacct(struct gs_lines *l, struct gs_err *err)
{
    const struct sacct *const t = l->own;
    if (t->n_columns == 0 && t->n_above > 0 && !l->in->cut)
        return gs_fail(err, GS_ERR_DATA, "%s: no header of sacct with a column JobID", l->in->name);
    return GS_OK;
}

const struct gs_form gs_form_sacct = {
    .name = "sacct",
    .sign = {"obID", "obid", "ob_id"},
    .is_of_jobs = true,
    .matches = is_sacct,
    .lines = {sizeof(struct sacct), begin_sacct, sacct_line, end_sacct}};
