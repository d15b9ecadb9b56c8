/* form_sacct.c - sacct -P: fields between bars, without quotes; a job's number and its step apart. */
#include "form/forms.h"

#include <string.h>

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
    uint32_t column[FIELDS_MAX], job, step;
    size_t n_columns;
    int id;
};

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
    t->job = gs_intake_column(out, gs_str("Job"));
    t->step = gs_intake_column(out, gs_str("Step"));
    return t->job == GS_INTERN_NONE || t->step == GS_INTERN_NONE ? gs_intake_full(out, err) : GS_OK;
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
            s = gs_intake_end(out, err);
        }
    }
    return s;
}

const struct gs_form gs_form_sacct = {.name = "sacct", .recognise = is_sacct, .read = read_sacct};
