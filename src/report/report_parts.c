/* report_parts.c - what the page and the Markdown have in common: the headline, and the rows of a table. */
#include "render/escape.h"
#include "render/render.h"
#include "report/report.h"

/* The value of a quantity of the summary; "" where it is not there. */
static struct gs_str quantity(const struct gs_frame *summary, const char *name)
{
    for (size_t i = 0; i < summary->n_rows; i++)
        if (gs_str_eq(summary->columns[0].text[i], gs_str(name)) && summary->columns[1].text[i].ptr != NULL)
            return summary->columns[1].text[i];
    return gs_str("");
}

/* "66,040" from "66040". */
static void append_count(struct gs_buf *b, const struct gs_report *r, const char *name, const char *noun)
{
    const struct gs_str digits = quantity(r->summary, name);
    for (size_t i = 0; i < digits.len; i++) {
        if (i > 0 && (digits.len - i) % 3 == 0)
            gs_buf_char(b, ',');
        gs_buf_char(b, digits.ptr[i]);
    }
    gs_buf_format(b, " %s%s", noun, digits.len == 1 && digits.ptr[0] == '1' ? "" : "s");
}

void gs_report_headline(struct gs_buf *b, const struct gs_report *r)
{
    const struct gs_str first = quantity(r->summary, "first_checkpoint"), last = quantity(r->summary, "last_checkpoint");
    append_count(b, r, "gpus", "GPU");
    gs_buf_text(b, " on ");
    append_count(b, r, "hostnames", "host");
    gs_buf_text(b, ", ");
    append_count(b, r, "task_ids", "task");
    gs_buf_text(b, " in ");
    append_count(b, r, "job_ids", "job");
    gs_buf_text(b, ", ");
    append_count(b, r, "pairs", "START/STOP pair");
    gs_buf_text(b, ", ");
    append_count(b, r, "gpu_rows", "sample");
    if (first.len > 0) {
        gs_buf_text(b, "; from ");
        gs_buf_bytes(b, first.ptr, first.len);
        gs_buf_text(b, " to ");
        gs_buf_bytes(b, last.ptr, last.len);
    }
    gs_buf_char(b, '.');
}

void gs_report_rows(struct gs_buf *b, const struct gs_frame *f, bool html, struct gs_err *err)
{
    const struct gs_render_options o = {.fragment = true, .titles = true};
    struct gs_frame alone = *f;
    if (f->n_rows == 0) { /* a head without a body says less */
        gs_buf_text(b, html ? "<p>" : "");
        gs_buf_html(b, gs_str(f->title));
        gs_buf_text(b, html ? ": none.</p>\n" : ": none.\n");
        return;
    }
    alone.next = NULL;
    gs_frame_top(&alone, GS_REPORT_ROWS_SHOWN);
    if (gs_render(&alone, html ? GS_FORMAT_HTML : GS_FORMAT_MARKDOWN, &o, gs_sink_buf(b), err) != GS_OK)
        b->failed = true;
}
