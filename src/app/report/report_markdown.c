/* report_markdown.c - the report as Markdown: a summary that a CI job shows. */
#include <string.h>

#include "output/escape/escape.h"
#include "app/report/report.h"

/* Text escaped, for a template. */
static const char *markdown(struct gs_buf *b, struct gs_str s)
{
    struct gs_buf text = {.arena = b->arena};
    gs_buf_markdown(&text, s);
    return gs_buf_piece(b, &text);
}

static void append_paragraphs(struct gs_buf *b, const struct gs_text *t)
{
    for (const struct gs_paragraph *p = t->first; p != NULL; p = p->next) {
        gs_buf_text_if(b, p->warning, "> **Warning:** ");
        gs_buf_markdown(b, p->text);
        gs_buf_text(b, "\n\n");
    }
}

static void append_section(struct gs_buf *b, const struct gs_report *r,
                           const struct gs_report_section *s, struct gs_err *err)
{
    gs_buf_format(b, "## %s\n\n", s->title);
    append_paragraphs(b, &s->text);
    if (s->missing != NULL)
        gs_buf_format(b, "Not shown: %s.\n\n", markdown(b, gs_str(s->missing)));
    for (const struct gs_report_figure *f = s->figures; f != NULL; f = f->next) {
        gs_buf_format(b, "![%s](%s.svg)\n\n", markdown(b, gs_str(f->plot->title)), f->plot->name);
        append_paragraphs(b, &f->text);
    }
    for (const struct gs_report_table *t = s->tables; t != NULL; t = t->next) {
        gs_report_table_rows(r, t, b, false, err);
        gs_buf_format(b, "File: [%s.csv](%s.csv)\n\n", t->stem, t->stem);
    }
}

/* The sections of which the run has not the data, by what it lacks. */
static void append_lacking(struct gs_buf *b, const struct gs_report *r)
{
    bool any = false;
    for (int p = 0; p < GS_N_PARTS; p++) {
        const char *const why = r->section[p].missing;
        if (!gs_report_missing_first(r, p) || p == GS_PART_AGAINST)
            continue; /* nobody misses another run that was not named */
        gs_buf_text_if(b, !any, "## Not shown\n\n");
        gs_buf_format(b, "Because %s:\n\n", why);
        for (int k = p; k < GS_N_PARTS; k++)
            if (r->section[k].lacks && strcmp(r->section[k].missing, why) == 0)
                gs_buf_format(b, "* %s\n", r->section[k].title);
        gs_buf_char(b, '\n');
        any = true;
    }
}

void gs_report_markdown(const struct gs_report *r, struct gs_buf *b, struct gs_err *err)
{
    struct gs_buf line = {.arena = b->arena};
    gs_report_when(&line, r);
    gs_buf_text_if(&line, line.len > 0, " ");
    gs_report_headline(&line, r);
    gs_buf_format(b, "# %s\n\n", markdown(b, gs_str(r->title)));
    if (r->verdict.len > 0)
        gs_buf_format(b, "**%s**\n\n", markdown(b, r->verdict));
    if (r->opts->note != NULL)
        gs_buf_format(b, "> %s\n\n", markdown(b, gs_str(r->opts->note)));
    gs_buf_format(b, "%s\n\n", markdown(b, gs_buf_str(&line)));
    for (size_t i = 0; i < r->n_answers; i++)
        gs_buf_format(b, "- %s\n", markdown(b, r->answer[i].text));
    gs_buf_text_if(b, r->n_answers > 0, "\n");
    for (int p = 0; p < GS_N_PARTS; p++)
        if (!r->section[p].lacks)
            append_section(b, r, &r->section[p], err);
    append_lacking(b, r);
    gs_buf_format(b,
                  "## Where this comes from\n\ngpustat %s. The same files and options give the "
                  "same bytes.\n\n",
                  r->context->version);
    const struct gs_report_table inputs = {.stem = "inputs", .frame = r->inputs};
    gs_report_table_rows(r, &inputs, b, false, err);
    gs_buf_text(b, "File: [inputs.csv](inputs.csv)\n");
}
