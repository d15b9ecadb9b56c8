/* report_page.c - the report as one page: no script, no request, light and dark, screen, phone and paper. */
#include <stdio.h>
#include <string.h>

#include "output/text/escape.h"
#include "output/writers/render.h"
#include "app/report/report.h"

extern const char gs_text_page[]; /* page.css */

/* A blank within "42.59 s" or "r = 0.88" does not break a line. */
static bool binds(struct gs_str s, size_t i)
{
    enum { LONGEST_UNIT = 4 };
    if (i == 0 || i + 1 >= s.len || s.ptr[i] != ' ')
        return false;
    if (s.ptr[i + 1] == '=' || s.ptr[i - 1] == '=')
        return true;
    if (!gs_is_digit(s.ptr[i - 1]))
        return false;
    size_t n = 0;
    while (i + 1 + n < s.len && n <= LONGEST_UNIT && strchr(" ,.;:)", s.ptr[i + 1 + n]) == NULL)
        n++;
    const struct gs_str unit = {s.ptr + i + 1, n};
    static const char degree_c[] = "\xc2\xb0"
                                   "C"; /* C would be a digit of the escape */
    static const char *const units[] = {"%", "ms", "s",  "min", "h",  "W",   "kW",    "MW",
                                        "J", "kJ", "MJ", "GJ",  "Wh", "kWh", degree_c};
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        if (gs_str_eq(unit, gs_str(units[k])))
            return true;
    return false;
}

/* Text of a sentence. */
static void append_words(struct gs_buf *b, struct gs_str s)
{
    size_t from = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (!binds(s, i))
            continue;
        gs_buf_html(b, (struct gs_str){s.ptr + from, i - from});
        gs_buf_text(b, "&nbsp;");
        from = i + 1;
    }
    gs_buf_html(b, (struct gs_str){s.ptr + from, s.len - from});
}

static void append_paragraphs(struct gs_buf *b, const struct gs_text *t, bool warnings)
{
    for (const struct gs_paragraph *p = t->first; p != NULL; p = p->next) {
        if (p->warning != warnings)
            continue;
        gs_buf_text(b, p->warning ? "<p class=\"warning\"><strong>Warning:</strong> " : "<p>");
        append_words(b, p->text);
        gs_buf_text(b, "</p>\n");
    }
}

static void append_link(struct gs_buf *b, const char *stem, const char *suffix)
{
    gs_buf_format(b, " <a href=\"%s.%s\">%s.%s</a>", stem, suffix, stem, suffix);
}

/* The sentence that a panel illustrates: its own, or that of the whole figure; NULL: there is none. */
static const struct gs_paragraph *write_of(const struct gs_report_figure *f,
                                           const struct gs_panel *panel)
{
    const struct gs_paragraph *of_all = NULL;
    for (const struct gs_paragraph *p = f->text.first; p != NULL; p = p->next) {
        if (p->column != GS_COL_NONE && p->column == panel->y)
            return p;
        if (p->column == GS_COL_NONE && of_all == NULL)
            of_all = p;
    }
    return of_all;
}

/* What a screen reader says of a panel: its title and that sentence. */
static void append_panel(struct gs_buf *b, const struct gs_report_figure *f, int i)
{
    const char *const title =
        f->plot->panels[i].title != NULL ? f->plot->panels[i].title : f->plot->title;
    const struct gs_paragraph *const said = write_of(f, &f->plot->panels[i]);
    struct gs_buf label = {.arena = b->arena};
    char prefix[96];
    gs_buf_text(&label, title);
    if (said != NULL) {
        gs_buf_text(&label, ": ");
        gs_buf_bytes(&label, said->text.ptr, said->text.len);
    }
    (void)snprintf(prefix, sizeof prefix, "%.60s-%d-", f->plot->name, i + 1);
    gs_svg_inline(b, f->panel[i], prefix, gs_buf_str(&label));
    b->failed |= label.failed;
}

/* Panels of which nothing is known. */
static void append_left_out(struct gs_buf *b, const struct gs_report_figure *f)
{
    int n = 0;
    for (int i = 0; i < f->plot->n_panels; i++) {
        if (f->panel[i].len > 0)
            continue;
        gs_buf_text(b, n++ == 0 ? "<p>No data: " : ", ");
        gs_buf_html(b, gs_str(f->plot->panels[i].title != NULL ? f->plot->panels[i].title
                                                               : f->plot->title));
    }
    gs_buf_text(b, n > 0 ? ".</p>\n" : "");
}

static void append_figure(struct gs_buf *b, const struct gs_report *r,
                          const struct gs_report_figure *f)
{
    gs_buf_format(b, "<figure id=\"%s\"%s>\n<h3>", f->plot->name,
                  f->plot->n_panels == 1 ? " class=\"single\"" : "");
    gs_buf_html(b, gs_str(f->plot->title));
    gs_buf_text(b, "</h3>\n<div class=\"plot\">\n");
    for (int i = 0; i < f->plot->n_panels; i++) {
        if (f->panel[i].len == 0) /* nothing is known of it */
            continue;
        gs_buf_text(b, "<div>");
        append_panel(b, f, i);
        gs_buf_text(b, "</div>\n");
    }
    gs_buf_text(b, "</div>\n<figcaption>\n");
    append_left_out(b, f);
    append_paragraphs(b, &f->text, false);
    gs_buf_text(b, "<p class=\"files\">Files:");
    append_link(b, f->plot->name, "svg");
    if (r->opts->png)
        append_link(b, f->plot->name, "png");
    append_link(b, f->plot->name, "gp");
    append_link(b, f->plot->name, "csv");
    gs_buf_text(b, "</p>\n</figcaption>\n</figure>\n");
}

static void append_table(struct gs_buf *b, const struct gs_report *r,
                         const struct gs_report_table *t, struct gs_err *err)
{
    gs_report_table_rows(r, t, b, true, err);
    gs_buf_text(b, "File:");
    append_link(b, t->stem, "csv");
    gs_buf_text(b, "</p>\n");
}

static void append_section(struct gs_buf *b, const struct gs_report *r,
                           const struct gs_report_section *s, struct gs_err *err)
{
    gs_buf_format(b, "<section id=\"%s\">\n<h2>%s</h2>\n", s->id, s->title);
    append_paragraphs(b, &s->text, true);
    append_paragraphs(b, &s->text, false);
    if (s->missing != NULL) {
        gs_buf_text(b, "<p class=\"note\">Not shown: ");
        gs_buf_html(b, gs_str(s->missing));
        gs_buf_text(b, ".</p>\n");
    }
    for (const struct gs_report_figure *f = s->figures; f != NULL; f = f->next)
        append_figure(b, r, f);
    for (const struct gs_report_table *t = s->tables; t != NULL; t = t->next)
        append_table(b, r, t, err);
    gs_buf_text(b, "</section>\n");
}

/* What a sentence is about, in a word or two. */
static const char *subject_of(const char *id)
{
    static const char *const subjects[][2] = {
        {"missing", "Missing"},         {"time", "Time"},
        {"energy", "Energy"},           {"phases", "Idle"},
        {"populations", "Populations"}, {"relation", "Slow tasks"},
        {"stragglers", "Slow or hot"},  {"tail", "The end"},
        {"data", "The data"},           {"method", "The method"},
    };
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
        if (strcmp(subjects[i][0], id) == 0)
            return subjects[i][1];
    return id;
}

/* Each sentence behind a link to where its numbers come from. */
static void append_answer(struct gs_buf *b, const struct gs_report *r)
{
    if (r->n_answers == 0)
        return;
    gs_buf_text(b, "<section id=\"answer\" aria-label=\"In short\">\n<ul class=\"answer\">\n");
    for (size_t i = 0; i < r->n_answers; i++) {
        gs_buf_format(b, "<li id=\"answer-%s\"><a href=\"#%s\">%s</a> <span>", r->answer[i].id,
                      r->answer[i].section, subject_of(r->answer[i].id));
        append_words(b, r->answer[i].text);
        gs_buf_text(b, "</span></li>\n");
    }
    gs_buf_text(b, "</ul>\n</section>\n");
}

static void append_head(struct gs_buf *b, const struct gs_report *r)
{
    gs_buf_text(b, gs_text_head);
    gs_buf_format(b, "<meta name=\"generator\" content=\"gpustat %s\">\n<title>",
                  r->context->version);
    gs_buf_html(b, gs_str(r->title));
    gs_buf_text(b, "</title>\n");
    gs_buf_text(b, gs_text_table);
    gs_buf_text(b, gs_text_page);
    gs_svg_style(b);
    gs_buf_text(b, "</head>\n<body>\n<main>\n<h1>");
    gs_buf_html(b, gs_str(r->title));
    gs_buf_text(b, "</h1>\n");
    if (r->opts->note != NULL) {
        gs_buf_text(b, "<p class=\"note\">");
        gs_buf_html(b, gs_str(r->opts->note));
        gs_buf_text(b, "</p>\n");
    }
    struct gs_buf line = {.arena = b->arena}, when = {.arena = b->arena};
    gs_report_headline(&line, r);
    gs_report_when(&when, r);
    gs_buf_text(b, "<p class=\"lead\">");
    gs_buf_html(b, gs_buf_str(&when));
    gs_buf_text(b, when.len > 0 ? "<br>" : "");
    gs_buf_html(b, gs_buf_str(&line));
    gs_buf_text(b, "</p>\n");
    append_answer(b, r);
    gs_buf_text(b, "<nav aria-label=\"Contents\">\n<ol>\n");
    for (int p = 0; p < GS_N_PARTS; p++)
        if (!r->section[p].lacks)
            gs_buf_format(b, "<li><a href=\"#%s\">%s</a></li>\n", r->section[p].id,
                          r->section[p].title);
    gs_buf_text(b, "<li><a href=\"#provenance\">Where this comes from</a></li>\n</ol>\n</nav>\n");
}

/* The sections of which the run has not the data, by what it lacks. */
static void append_lacking(struct gs_buf *b, const struct gs_report *r)
{
    bool any = false;
    for (int p = 0; p < GS_N_PARTS; p++) {
        const struct gs_report_section *const s = &r->section[p];
        if (!gs_report_missing_first(r, p))
            continue;
        gs_buf_text(b, any ? "" : "<section id=\"not-shown\">\n<h2>Not shown</h2>\n");
        gs_buf_format(b, "<p>Because %s:</p>\n<ul>\n", s->missing);
        for (int k = p; k < GS_N_PARTS; k++)
            if (r->section[k].lacks && strcmp(r->section[k].missing, s->missing) == 0)
                gs_buf_format(b, "<li id=\"%s\">%s</li>\n", r->section[k].id, r->section[k].title);
        gs_buf_text(b, "</ul>\n");
        any = true;
    }
    gs_buf_text(b, any ? "</section>\n" : "");
}

static void append_provenance(struct gs_buf *b, const struct gs_report *r, struct gs_err *err)
{
    const struct gs_report_table tables[] = {
        {NULL, "summary", r->summary}, {NULL, "inputs", r->inputs}, {NULL, "options", r->options}};
    gs_buf_text(b, "<section id=\"provenance\">\n<h2>Where this comes from</h2>\n");
    gs_buf_format(b,
                  "<p>Written by gpustat %s, <code>gpustat report</code>, from the files below "
                  "with the options "
                  "below. The same files and options give the same bytes.</p>\n",
                  r->context->version);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        struct gs_frame whole = *tables[i].frame;
        whole.next = NULL;
        const struct gs_render_options o = {.fragment = true, .titles = true};
        if (gs_render(&whole, GS_FORMAT_HTML, &o, gs_sink_buf(b), err) != GS_OK)
            b->failed = true;
    }
    gs_buf_text(b, "<details>\n<summary>How each column is computed</summary>\n");
    struct gs_frame columns = *r->columns;
    columns.next = NULL;
    const struct gs_render_options o = {.fragment = true, .titles = true};
    if (gs_render(&columns, GS_FORMAT_HTML, &o, gs_sink_buf(b), err) != GS_OK)
        b->failed = true;
    gs_buf_text(b, "</details>\n<p class=\"files\">Files:");
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        append_link(b, tables[i].stem, "csv");
    append_link(b, "columns", "csv");
    append_link(b, "files", "csv");
    append_link(b, "report", "md");
    append_link(b, "report", "json");
    gs_buf_text(b, "</p>\n</section>\n");
}

void gs_report_page(const struct gs_report *r, struct gs_buf *b, struct gs_err *err)
{
    append_head(b, r);
    for (int p = 0; p < GS_N_PARTS; p++)
        if (!r->section[p].lacks)
            append_section(b, r, &r->section[p], err);
    append_lacking(b, r);
    append_provenance(b, r, err);
    gs_buf_format(b, "<footer>gpustat %s</footer>\n</main>\n</body>\n</html>\n",
                  r->context->version);
}
