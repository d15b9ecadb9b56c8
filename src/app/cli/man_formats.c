/* man_formats.c - gpustat-formats(5): the forms of files, the names and times in them, the mapping. */
#include <string.h>

#include "app/cli/help.h"
#include "app/cli/roff.h"
#include "app/cli/texts.h"
#include "input/schema/column_meaning.h"

static void put_names(struct gs_buf *b, const char *title, const char *names)
{
    gs_buf_format(b, ".TP\n\\fB%s\\fR\n", gs_roff_literal(b, title));
    for (const char *p = names; *p != '\0';) {
        const size_t n = strcspn(p, " ");
        const bool asks = *p == '?';
        gs_roff(b, (struct gs_str){p + asks, n - asks}, GS_ROFF_LITERAL, p == names);
        gs_buf_text_if(b, asks, "*");
        p += n;
        p += *p == ' ';
        gs_buf_text(b, *p == '\0' ? "\n" : ", ");
    }
    if (names[0] == '\0')
        gs_buf_text(b, "its own name only\n");
}

static void names_section(struct gs_buf *b)
{
    static const struct {
        enum gs_meaning means;
        const char *title;
    } keys[] = {{GS_MEANS_TIME, "time"},        {GS_MEANS_HOST, "host"},
                {GS_MEANS_UUID, "GPU, UUID"},   {GS_MEANS_SERIAL, "GPU, serial"},
                {GS_MEANS_INDEX, "GPU, index"}, {GS_MEANS_JOB, "job"},
                {GS_MEANS_TASK, "task"},        {GS_MEANS_EVENT, "event"},
                {GS_MEANS_PHASE, "phase"},      {GS_MEANS_START, "start"},
                {GS_MEANS_STOP, "stop"},        {GS_MEANS_DURATION, "duration"}};
    gs_buf_text(b, ".SH NAMES\n");
    gs_roff_paragraphs(b, gs_text_formats_names);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        put_names(b, keys[i].title, gs_meaning_names(keys[i].means));
    for (uint32_t i = 0; i < gs_n_known_metrics; i++)
        put_names(b, gs_known_metrics[i].name, gs_known_metrics[i].aliases);
    gs_roff_paragraphs(b, gs_text_formats_units);
}

void gs_man_formats(struct gs_buf *b, const char *program)
{
    gs_buf_text(b,
                ".\\\" Made from the tables of names by `gpustat man formats`; do not edit.\n.TH ");
    gs_buf_upper(b, program);
    gs_buf_format(b,
                  "\\-FORMATS 5 " GPUSTAT_RELEASED " \"gpustat " GPUSTAT_VERSION
                  "\" \"File Formats\"\n.SH NAME\n%s\\-formats \\- files of telemetry and events "
                  "that gpustat "
                  "reads\n.SH DESCRIPTION\n",
                  gs_roff_literal(b, program));
    gs_roff_paragraphs(b, gs_text_formats_about);
    gs_buf_text(b, ".SH FORMS\n");
    for (const struct gs_form_text *f = gs_form_texts; f->title != NULL; f++) {
        gs_roff_subsection(b, f->title);
        gs_roff_paragraphs(b, f->text);
        gs_buf_text(b, ".PP\n");
        gs_roff_preformatted(b, gs_str(f->example));
    }
    names_section(b);
    gs_buf_text(b, ".SH TIMES\n");
    gs_roff_paragraphs(b, gs_text_formats_times);
    gs_buf_text(b, ".SH HOSTS, GPUS AND WHAT IS MISSING\n");
    gs_roff_paragraphs(b, gs_text_formats_joined);
    gs_buf_text(b, ".SH MAPPING\n");
    gs_roff_paragraphs(b, gs_text_formats_mapping);
    gs_buf_format(b, ".SH SEE ALSO\n.BR %s (1),\n.BR %s\\-map (1)\n", gs_roff_literal(b, program),
                  gs_roff_literal(b, program));
}

/* The forms alone: the manual page has the names in them, times, units and mapping. */
void gs_help_formats(struct gs_buf *b, unsigned width)
{
    const unsigned columns = gs_help_width(width);
    gs_buf_text(b, "gpustat formats: files that gpustat detects by their content\n");
    for (const struct gs_form_text *f = gs_form_texts; f->title != NULL; f++) {
        gs_buf_format(b, "\n%s\n    ", f->title);
        (void)gs_wrap(b, f->text, 4, 4, columns);
        gs_buf_char(b, '\n');
    }
    gs_buf_text(b, "\ngpustat map FILE shows what a file was understood to be. gpustat-formats(5) "
                   "has examples,\nnames, times, units and mapping.\n");
}
