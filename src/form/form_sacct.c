/* form_sacct.c - sacct -P: fields between bars, without quotes; a job's number and its step apart. */
#include "form/forms.h"

#include <stdio.h>
#include <string.h>

#include "num/decimal.h"

enum { FIELDS_MAX = 512 };

static bool is_header(struct gs_str line)
{
    bool id = false, bars = false;
    for (size_t i = 0, from = 0; i <= line.len; i++)
        if (i == line.len || line.ptr[i] == '|') {
            const struct gs_str f = {line.ptr + from, i - from};
            id |= gs_str_eq(f, gs_str("JobID")) || gs_str_eq(f, gs_str("JobIDRaw"));
            bars |= i < line.len;
            from = i + 1;
        }
    return id && bars;
}

static bool is_sacct(struct gs_str head)
{
    const char *const end = memchr(head.ptr, '\n', head.len);
    return is_header((struct gs_str){head.ptr, end == NULL ? head.len : (size_t)(end - head.ptr)});
}

struct sacct {
    uint32_t column[FIELDS_MAX], job, step, gpus;
    size_t n_columns;
    int id, tres; /* fields; -1: none */
    char n_gpus[24];
};

/* The GPUs of "billing=8,cpu=8,gres/gpu:a100=2,gres/gpu=2,mem=64G": their sum stands without a type, or the types add up. */
static struct gs_str gpus_of(struct sacct *t, struct gs_str tres)
{
    static const char key[] = "gres/gpu";
    uint64_t sum = 0, whole = 0;
    bool any = false, has_whole = false;
    for (size_t from = 0, i = 0; i <= tres.len; i++) {
        if (i < tres.len && tres.ptr[i] != ',')
            continue;
        const struct gs_str one = {tres.ptr + from, i - from};
        const size_t equal = gs_str_find(one, "=");
        uint64_t n;
        from = i + 1;
        if (!gs_str_begins(one, key) || equal == one.len ||
            (equal > sizeof key - 1 && one.ptr[sizeof key - 1] != ':') ||
            gs_count_parse((struct gs_str){one.ptr + equal + 1, one.len - equal - 1}, 1 << 20, &n) != GS_NUMBER_OK)
            continue;
        any = true;
        has_whole |= equal == sizeof key - 1;
        *(equal == sizeof key - 1 ? &whole : &sum) += n;
    }
    (void)snprintf(t->n_gpus, sizeof t->n_gpus, "%llu", (unsigned long long)(has_whole ? whole : sum));
    return any ? gs_str(t->n_gpus) : (struct gs_str){NULL, 0};
}

static size_t split(struct gs_str line, struct gs_str *field)
{
    size_t n = 0;
    for (size_t i = 0, from = 0; i <= line.len && n < FIELDS_MAX; i++)
        if (i == line.len || line.ptr[i] == '|') {
            field[n++] = (struct gs_str){line.ptr + from, i - from};
            from = i + 1;
        }
    return n;
}

static enum gs_status take_header(struct sacct *t, struct gs_intake *out, const struct gs_str *field, size_t n,
                                  struct gs_err *err)
{
    t->n_columns = n;
    t->id = -1;
    for (size_t i = 0; i < n; i++) {
        t->column[i] = gs_intake_column(out, field[i]);
        if (t->column[i] == GS_INTERN_NONE)
            return gs_intake_full(out, err);
        if (gs_str_eq(field[i], gs_str("JobID")) || (t->id < 0 && gs_str_eq(field[i], gs_str("JobIDRaw"))))
            t->id = (int)i;
    }
    t->tres = -1;
    static const char *const lists[] = {"ReqTRES", "AllocTRES"}; /* what it got counts before what it asked for */
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < n; i++)
            t->tres = gs_str_eq(field[i], gs_str(lists[k])) ? (int)i : t->tres;
    t->gpus = t->tres < 0 ? 0 : gs_intake_column(out, gs_str("gpus"));
    t->job = gs_intake_column(out, gs_str("Job"));
    t->step = gs_intake_column(out, gs_str("Step"));
    return t->job == GS_INTERN_NONE || t->step == GS_INTERN_NONE || t->gpus == GS_INTERN_NONE ? gs_intake_full(out, err)
                                                                                              : GS_OK;
}

static enum gs_status read_sacct(struct gs_text_in *in, const struct gs_source *source, struct gs_intake *out,
                                 struct gs_err *err)
{
    struct sacct t = {.n_columns = 0};
    struct gs_str *const field = gs_arena_take(in->arena, FIELDS_MAX, sizeof *field);
    struct gs_str line;
    enum gs_status s = field == NULL ? gs_fail_memory(err) : GS_OK;
    (void)source;
    out->fixed = true;
    while (s == GS_OK && (s = gs_text_line(in, &line, err)) == GS_OK && line.ptr != NULL) {
        if (line.len == 0 || (in->cut && !in->line_ended))
            continue;
        const size_t n = split(line, field);
        out->line = in->line_number;
        if (t.n_columns == 0) {
            if (!is_header(line))
                return gs_fail(err, GS_ERR_DATA, "%s:%llu: no header of sacct -P with a column JobID", in->name,
                               (unsigned long long)in->line_number);
            s = take_header(&t, out, field, n, err);
        } else if (n != t.n_columns) { /* a comment over several lines, a bar in a name: counted, never guessed */
            out->n_torn++;
        } else if (is_header(line)) {
            out->n_ignored++;
        } else {
            const struct gs_str id = field[t.id];
            const size_t point = gs_str_find(id, ".");
            for (size_t i = 0; i < n; i++)
                gs_intake_put(out, t.column[i], field[i]);
            gs_intake_put(out, t.job, (struct gs_str){id.ptr, point});
            gs_intake_put(out, t.step,
                          point < id.len ? (struct gs_str){id.ptr + point + 1, id.len - point - 1} : gs_str(""));
            if (t.tres >= 0)
                gs_intake_put(out, t.gpus, gpus_of(&t, field[t.tres]));
            out->raw = line;
            s = gs_intake_end(out, err);
        }
    }
    return s;
}

const struct gs_form gs_form_sacct = {.name = "sacct", .recognise = is_sacct, .read = read_sacct};
