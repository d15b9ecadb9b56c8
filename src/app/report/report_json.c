/* report_json.c - the report for programs. */
#include "base/num/decimal.h"
#include "output/escape/escape.h"
#include "app/report/report.h"

static void append_number(struct gs_buf *b, double value)
{
    char room[GS_REAL_TEXT_MAX];
    gs_buf_bytes(b, room, (size_t)gs_real_format(room, value));
}

/* For a template: a string with its quotes, or null. */
static const char *json(struct gs_buf *b, struct gs_str s)
{
    struct gs_buf text = {.arena = b->arena};
    if (s.ptr == NULL)
        return "null";
    gs_buf_json(&text, s);
    return gs_buf_piece(b, &text);
}

static void append_answers(struct gs_buf *b, const struct gs_report *r)
{
    gs_buf_text(b, " \"answers\": [");
    for (size_t i = 0; i < r->n_answers; i++) {
        const struct gs_report_sentence *const a = &r->answer[i];
        gs_buf_text_if(b, i > 0, ",");
        gs_buf_format(b, "\n  {\"id\": \"%s\", \"section\": \"%s\", \"text\": %s, \"values\": {",
                      a->id, a->section, json(b, a->text));
        for (size_t k = 0; k < a->n_values; k++) {
            gs_buf_text_if(b, k > 0, ", ");
            gs_buf_format(b, "\"%s\": ", a->value[k].name);
            append_number(b, a->value[k].value);
        }
        gs_buf_text(b, "}}");
    }
    gs_buf_text(b, "],\n");
}

static void append_text(struct gs_buf *b, const struct gs_text *t)
{
    gs_buf_text(b, "\"text\": [");
    for (const struct gs_paragraph *p = t->first; p != NULL; p = p->next) {
        gs_buf_text_if(b, p != t->first, ", ");
        gs_buf_format(b, "{\"warning\": %s, \"text\": %s}", p->warning ? "true" : "false",
                      json(b, p->text));
    }
    gs_buf_char(b, ']');
}

static void append_section(struct gs_buf *b, const struct gs_report_section *s)
{
    gs_buf_format(b, "  {\"id\": \"%s\", \"title\": %s, \"missing\": %s, ", s->id,
                  json(b, gs_str(s->title)), json(b, gs_str(s->missing)));
    append_text(b, &s->text);
    gs_buf_text(b, ",\n   \"figures\": [");
    for (const struct gs_report_figure *f = s->figures; f != NULL; f = f->next) {
        gs_buf_text_if(b, f != s->figures, ",\n    ");
        gs_buf_format(b, "{\"name\": \"%s\", \"title\": %s, ", f->plot->name,
                      json(b, gs_str(f->plot->title)));
        append_text(b, &f->text);
        gs_buf_char(b, '}');
    }
    gs_buf_text(b, "],\n   \"tables\": [");
    for (const struct gs_report_table *t = s->tables; t != NULL; t = t->next) {
        gs_buf_text_if(b, t != s->tables, ", ");
        gs_buf_format(b, "{\"file\": \"%s.csv\", \"rows\": %zu}", t->stem, t->frame->n_rows);
    }
    gs_buf_text(b, "]}");
}

/* What the run is, in numbers of the summary. */
static void append_run(struct gs_buf *b, const struct gs_report *r)
{
    static const char *const names[] = {
        "gpus",     "hostnames",       "task_ids",  "job_ids",          "pairs",
        "gpu_rows", "checkpoint_rows", "task_rows", "checkpoint_span_s"};
    bool any = false;
    gs_buf_text(b, " \"run\": {");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const double v = gs_report_quantity(r, names[i]);
        if (!(v >= 0))
            continue;
        gs_buf_text_if(b, any, ", ");
        gs_buf_format(b, "\"%s\": ", names[i]);
        append_number(b, v);
        any = true;
    }
    gs_buf_text(b, "},\n");
}

void gs_report_json(const struct gs_report *r, struct gs_buf *b)
{
    gs_buf_format(b,
                  "{\"schema\": \"gpustat.report/1\",\n \"title\": %s,\n \"verdict\": %s,\n "
                  "\"note\": %s,\n \"version\": \"%s\",\n",
                  json(b, gs_str(r->title)), json(b, r->verdict), json(b, gs_str(r->opts->note)),
                  r->context->version);
    append_run(b, r);
    append_answers(b, r);
    gs_buf_text(b, " \"sections\": [\n");
    for (int p = 0; p < GS_N_PARTS; p++) {
        gs_buf_text_if(b, p > 0, ",\n");
        append_section(b, &r->section[p]);
    }
    gs_buf_text(b, "]}\n");
}
