/* report_page.c - the report as one page: no script, no request, light and dark, screen, phone and paper. */
#include <stdio.h>
#include <string.h>

#include "output/escape/escape.h"
#include "output/writers/render.h"
#include "app/report/report.h"

/* page.css, page_tables.css */
extern const char gs_text_page[], gs_text_page_tables[];

/* What is written, and how many pictures there are already: their ids begin with that. */
struct page {
    struct gs_buf *b;
    const struct gs_report *r;
    int n_pictures;
};

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
    static const char *const units[] = {"%", "ms", "s",   "min", "h",   "W", "kW",          "MW",
                                        "J", "Wh", "kWh", "MWh", "MHz", "K", "\xc2\xb0\x43"};
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        if (gs_str_eq(unit, gs_str(units[k])))
            return true;
    return false;
}

/* Text for a template of markup: escaped; and that of a sentence. */
static const char *html(struct gs_buf *b, const char *s)
{
    struct gs_buf text = {.arena = b->arena};
    gs_buf_html(&text, gs_str(s));
    return gs_buf_piece(b, &text);
}

/* An option is code, which does not break at its hyphens. */
static const char *words(struct gs_buf *b, struct gs_str s)
{
    struct gs_buf text = {.arena = b->arena};
    size_t from = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (gs_str_begins(gs_str_after(s, i), "--") && (i == 0 || strchr(" (", s.ptr[i - 1]))) {
            const size_t end = gs_str_skip(s, i, "-abcdefghijklmnopqrstuvwxyz");
            gs_buf_html(&text, (struct gs_str){s.ptr + from, i - from});
            gs_buf_text(&text, "<code>");
            gs_buf_html(&text, (struct gs_str){s.ptr + i, end - i});
            gs_buf_text(&text, "</code>");
            from = end;
            i = end - 1;
        }
        if (!binds(s, i))
            continue;
        gs_buf_html(&text, (struct gs_str){s.ptr + from, i - from});
        gs_buf_text(&text, "&nbsp;");
        from = i + 1;
    }
    gs_buf_html(&text, (struct gs_str){s.ptr + from, s.len - from});
    return gs_buf_piece(b, &text);
}

static void append_paragraphs(struct gs_buf *b, const struct gs_text *t)
{
    for (const struct gs_paragraph *p = t->first; p != NULL; p = p->next) {
        gs_buf_format(b, "<p%s%s</p>\n",
                      p->warning ? " class=\"warning\"><strong>Warning:</strong> " : ">",
                      words(b, p->text));
    }
}

static void append_link(struct gs_buf *b, const char *stem, const char *suffix)
{
    gs_buf_format(b, " <a href=\"%s.%s\">%s.%s</a>", stem, suffix, stem, suffix);
}

/* The files of a figure: the name once. */
static void append_suffix(struct gs_buf *b, const char *stem, const char *suffix)
{
    gs_buf_format(b, ", <a href=\"%s.%s\">%s</a>", stem, suffix, suffix);
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

static const char *title_of(const struct gs_report_figure *f, int panel)
{
    const char *const own = f->plot->panels[panel].title;
    return own != NULL ? own : f->plot->title;
}

/* What a screen reader says of a panel: its title and that sentence. Of a folded cloud the file has the values. */
static void append_panel(struct page *page, const struct gs_report_figure *f, int i, bool hover)
{
    struct gs_buf *const b = page->b;
    const char *const title = title_of(f, i);
    const struct gs_paragraph *const said = write_of(f, &f->plot->panels[i]);
    struct gs_buf label = {.arena = b->arena};
    char prefix[16];
    gs_buf_text(&label, title);
    if (said != NULL) {
        gs_buf_text(&label, ": ");
        gs_buf_bytes(&label, said->text.ptr, said->text.len);
    }
    (void)snprintf(prefix, sizeof prefix, "p%d-", ++page->n_pictures);
    gs_svg_inline(b, f->panel[i], prefix, gs_buf_str(&label), hover);
    b->failed |= label.failed;
}

/* Panels of which nothing is known. */
static void append_left_out(struct gs_buf *b, const struct gs_report_figure *f)
{
    int n = 0;
    for (int i = 0; i < f->plot->n_panels; i++) {
        if (f->panel[i].len > 0)
            continue;
        gs_buf_format(b, "%s%s", n++ == 0 ? "<p>No data: " : ", ", html(b, title_of(f, i)));
    }
    gs_buf_text_if(b, n > 0, ".</p>\n");
}

/* A title that is the section's, too, is not said again. */
static void append_figure(struct page *page, const struct gs_report_figure *f, const char *title,
                          bool folded)
{
    enum {
        /* of so many points one panel alone says their values, of folded figures none */
        CLOUD = 200,
        BESIDE = 3 /* panels that may stand beside the text */
    };
    struct gs_buf *const b = page->b;
    gs_buf_format(b, "<figure id=\"%s\">\n", f->plot->name);
    if (strcmp(f->plot->title, title) != 0)
        gs_buf_format(b, "<h3>%s</h3>\n", html(b, f->plot->title));
    const char *kind = "";
    if (gs_report_is_over_time(&f->plot->panels[0]))
        kind = " time";
    else if (f->plot->n_panels > BESIDE)
        kind = " many";
    gs_buf_format(b, "<div class=\"plot%s\">\n", kind);
    for (int i = 0; i < f->plot->n_panels; i++) {
        if (f->panel[i].len == 0) /* nothing is known of it */
            continue;
        gs_buf_text(b, "<div>");
        append_panel(page, f, i, f->frame->n_rows <= CLOUD || (i == 0 && !folded));
        gs_buf_text(b, "</div>\n");
    }
    gs_buf_text(b, "</div>\n<figcaption>\n");
    append_left_out(b, f);
    append_paragraphs(b, &f->text);
    gs_buf_text(b, "<p class=\"files\">Files:");
    append_link(b, f->plot->name, "svg");
    if (page->r->opts->png)
        append_suffix(b, f->plot->name, "png");
    append_suffix(b, f->plot->name, "gp");
    append_suffix(b, f->plot->name, "csv");
    gs_buf_text(b, "</p>\n</figcaption>\n</figure>\n");
}

/* Figures and tables of a section that are shown at once, or those that fold away. */
static size_t append_parts(struct page *page, const struct gs_report_section *s, bool folded,
                           bool within, struct gs_err *err)
{
    size_t n = 0;
    for (const struct gs_report_figure *f = s->figures; f != NULL; f = f->next)
        if (f->folded == folded && ++n > 0)
            append_figure(page, f, s->title, folded || within);
    for (const struct gs_report_table *t = s->tables; t != NULL; t = t->next)
        if (t->folded == folded && ++n > 0)
            gs_report_table_rows(page->r, t, page->b, true, err);
    return n;
}

static void append_folded(struct gs_buf *b, const char *title, size_t n_before)
{
    gs_buf_format(b, "%s%s", n_before == 0 ? "<details>\n<summary>More: " : ", ", html(b, title));
}

/* "More: Distribution of durations, Bias" */
static void append_summary(struct gs_buf *b, const struct gs_report_section *s)
{
    size_t n = 0;
    for (const struct gs_report_figure *f = s->figures; f != NULL; f = f->next)
        if (f->folded)
            append_folded(b, f->plot->title, n++);
    for (const struct gs_report_table *t = s->tables; t != NULL; t = t->next)
        if (t->folded)
            append_folded(b, t->frame->title, n++);
    gs_buf_text_if(b, n > 0, "</summary>\n");
}

static void append_section(struct page *page, const struct gs_report_section *s, bool within,
                           struct gs_err *err)
{
    struct gs_buf *const b = page->b;
    gs_buf_format(b, "<section id=\"%s\">\n<h2>%s</h2>\n", s->id, s->title);
    append_paragraphs(b, &s->text);
    if (s->missing != NULL)
        gs_buf_format(b, "<p class=\"note\">Not shown: %s.</p>\n", html(b, s->missing));
    const size_t n_shown = append_parts(page, s, false, within, err);
    const bool folds = n_shown > 0 || s->text.first != NULL; /* else it is all there is */
    if (folds)
        append_summary(b, s);
    gs_buf_text_if(b, append_parts(page, s, true, within, err) > 0 && folds, "</details>\n");
    gs_buf_text(b, "</section>\n");
}

/* What a sentence is about, in a word or two. */
static const char *subject_of(const char *id)
{
    static const char *const subjects[][2] = {
        {"missing", "Missing"},
        {"time", "Time"},
        {"energy", "Energy"},
        {"phases", "Idle"},
        {"populations", "Groups"},
        {"relation", "Slow tasks"},
        {"stragglers", "Slow or hot"},
        {"against", "Change"},
        {"gpu", "GPU health"},
        {"waste", "Waste"},
        {"largest", "Largest waste"},
        {"tail", "The end"},
        {"jobs", "Jobs"},
        {"steps", "Each time"},
        {"trace", "Calls"},
        {"events", "Events"},
        {"data", "The data"},
        {"method", "The method"},
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
        const struct gs_report_sentence *const a = &r->answer[i];
        gs_buf_format(b, "<li id=\"answer-%s\"><a href=\"#", a->id);
        if (a->table != NULL && gs_report_row_is_shown(r, a->table, a->row))
            gs_buf_format(b, "%s-%zu", a->table, a->row);
        else
            gs_buf_text(b, a->section);
        gs_buf_format(b, "\">%s</a> <span>%s</span></li>\n", subject_of(a->id), words(b, a->text));
    }
    gs_buf_text(b, "</ul>\n</section>\n");
}

/* The symbols of all pictures, from the first. */
static void append_symbols(struct gs_buf *b, const struct gs_report *r)
{
    for (int p = 0; p < GS_N_PARTS; p++)
        for (const struct gs_report_figure *f = r->section[p].figures; f != NULL; f = f->next)
            for (int i = 0; i < f->plot->n_panels; i++)
                if (f->panel[i].len > 0) {
                    gs_svg_symbols(b, f->panel[i]);
                    return;
                }
}

/* Four to six numbers that a reader wants first. */
static void append_cards(struct gs_buf *b, const struct gs_report *r)
{
    struct gs_report_card card[GS_REPORT_CARDS];
    const size_t n = gs_report_cards(r, card, b->arena);
    gs_buf_text_if(b, n > 0, "<ul class=\"cards\">\n");
    for (size_t i = 0; i < n; i++)
        gs_buf_format(
            b,
            "<li><a href=\"#%s\"><span>%s</span> <strong>%s</strong> <small>%s</small></a></li>\n",
            card[i].section, card[i].label, words(b, card[i].value), words(b, card[i].more));
    gs_buf_text_if(b, n > 0, "</ul>\n");
}

static void append_head(struct gs_buf *b, const struct gs_report *r)
{
    gs_buf_text(b, gs_text_head);
    gs_buf_format(b, "<meta name=\"generator\" content=\"gpustat %s\">\n<title>%s</title>\n",
                  r->context->version, html(b, r->title));
    gs_buf_text(b, gs_text_table);
    gs_buf_text(b, gs_text_page);
    gs_buf_text(b, gs_text_page_tables);
    gs_svg_style(b);
    gs_buf_format(b, "</head>\n<body>\n<header>\n<h1>%s</h1>\n", html(b, r->title));
    if (r->verdict.len > 0)
        gs_buf_format(b, "<p class=\"verdict\">%s</p>\n", words(b, r->verdict));
    append_cards(b, r);
    if (r->opts->note != NULL)
        gs_buf_format(b, "<p class=\"note\">%s</p>\n", html(b, r->opts->note));
    struct gs_buf line = {.arena = b->arena}, when = {.arena = b->arena};
    gs_report_headline(&line, r);
    gs_report_when(&when, r);
    gs_buf_text_if(&when, when.len > 0, " ");
    gs_buf_add(&when, gs_buf_str(&line));
    b->failed |= line.failed;
    gs_buf_format(b, "<p class=\"lead\">%s</p>\n</header>\n", words(b, gs_buf_str(&when)));
}

static bool is_shown(const struct gs_report *r, enum gs_report_part p, bool appendix)
{
    return !r->section[p].lacks && gs_report_in_appendix(r, p) == appendix;
}

static void append_contents(struct gs_buf *b, const struct gs_report *r)
{
    bool appendix = false;
    gs_buf_text(b, "<nav aria-label=\"Contents\">\n<ol>\n");
    for (int k = 0; k < GS_N_PARTS; k++) {
        const struct gs_report_section *const s = &r->section[gs_report_order[k]];
        if (is_shown(r, gs_report_order[k], false))
            gs_buf_format(b, "<li><a href=\"#%s\">%s</a></li>\n", s->id, s->title);
        appendix |= is_shown(r, gs_report_order[k], true);
    }
    if (appendix)
        gs_buf_text(b, "<li><a href=\"#study\">The study's own figures</a></li>\n");
    gs_buf_text(b, "<li><a href=\"#provenance\">Where this comes from</a></li>\n</ol>\n</nav>\n");
}

/* The sections of which the run has not the data, by what it lacks. */
static void append_lacking(struct gs_buf *b, const struct gs_report *r)
{
    for (int p = 0; p < GS_N_PARTS; p++) {
        const struct gs_report_section *const s = &r->section[p];
        if (!gs_report_missing_first(r, p) || p == GS_PART_AGAINST)
            continue; /* nobody misses another run that was not named */
        gs_buf_format(b, "<p>Not shown, because %s", s->missing);
        const char *before = ": ";
        for (int k = p; k < GS_N_PARTS; k++) {
            if (!r->section[k].lacks || strcmp(r->section[k].missing, s->missing) != 0)
                continue;
            gs_buf_format(b, "%s<span id=\"%s\">%s</span>", before, r->section[k].id,
                          r->section[k].title);
            before = ", ";
        }
        gs_buf_text(b, ".</p>\n");
    }
}

static void append_frame(struct gs_buf *b, const struct gs_frame *f, struct gs_err *err)
{
    struct gs_frame whole = *f;
    whole.next = NULL;
    const struct gs_render_options o = {.fragment = true, .titles = true};
    if (gs_render(&whole, GS_FORMAT_HTML, &o, gs_sink_buf(b), err) != GS_OK)
        b->failed = true;
}

static void append_provenance(struct gs_buf *b, const struct gs_report *r, struct gs_err *err)
{
    const struct gs_report_table tables[] = {{.stem = "summary", .frame = r->summary},
                                             {.stem = "inputs", .frame = r->inputs},
                                             {.stem = "options", .frame = r->options}};
    gs_buf_text(b, "<section id=\"provenance\">\n<h2>Where this comes from</h2>\n");
    gs_buf_format(b,
                  "<p>Written by gpustat %s, <code>gpustat report</code>, from the files below. "
                  "The same files and options give the same bytes.</p>\n",
                  r->context->version);
    append_lacking(b, r);
    gs_buf_text(b, "<details>\n<summary>Inputs, options, definitions of columns</summary>\n");
    gs_buf_text(b, "<h3>What the data hold</h3>\n<pre>");
    for (struct gs_str rest = r->summary_words; rest.len > 0;) { /* line ends are no text */
        gs_buf_html(b, gs_str_take(&rest, '\n'));
        gs_buf_char(b, '\n');
    }
    gs_buf_text(b, "</pre>\n");
    for (size_t i = 1; i < sizeof tables / sizeof *tables; i++)
        append_frame(b, tables[i].frame, err);
    append_frame(b, r->columns, err);
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
    struct page page = {.b = b, .r = r};
    bool appendix = false;
    append_head(b, r);
    append_symbols(b, r);
    gs_buf_text(b, "<div class=\"page\">\n");
    append_contents(b, r);
    gs_buf_text(b, "<main>\n");
    append_answer(b, r);
    for (int k = 0; k < GS_N_PARTS; k++)
        if (is_shown(r, gs_report_order[k], false))
            append_section(&page, &r->section[gs_report_order[k]], false, err);
    for (int p = 0; p < GS_N_PARTS; p++) {
        if (!is_shown(r, (enum gs_report_part)p, true))
            continue;
        if (!appendix)
            gs_buf_text(b, "<details id=\"study\">\n<summary>The study's own figures</summary>\n"
                           "<p>They read each event at its two ends, as the original study did. "
                           "The GPUs are idle there.</p>\n");
        appendix = true;
        append_section(&page, &r->section[p], true, err);
    }
    gs_buf_text_if(b, appendix, "</details>\n");
    append_provenance(b, r, err);
    gs_buf_text(b, "</main>\n</div>\n</body>\n</html>\n");
}
