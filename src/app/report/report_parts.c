/* report_parts.c - what the page and the Markdown have in common: the headline, and findings without their names. */
#include <math.h>
#include <string.h>

#include "base/num/calendar.h"
#include "base/num/decimal.h"
#include "base/num/order.h"
#include "app/report/report.h"
#include "data/result/number_text.h"

/* The value of a quantity of the summary; "" where it is not there. */
static struct gs_str quantity(const struct gs_frame *summary, const char *name)
{
    for (size_t i = 0; i < summary->n_rows; i++)
        if (gs_str_eq(summary->columns[0].text[i], gs_str(name)) &&
            summary->columns[1].text[i].ptr != NULL)
            return summary->columns[1].text[i];
    return gs_str("");
}

static void append_count(struct gs_buf *b, const struct gs_report *r, const char *name,
                         const char *noun)
{
    gs_words_counted(b, (uint64_t)gs_report_quantity(r, name), noun);
}

void gs_report_headline(struct gs_buf *b, const struct gs_report *r)
{
    const bool events = gs_report_has(r, GS_TABLE_CHECKPOINTS),
               samples = gs_report_has(r, GS_TABLE_SAMPLES);
    if (samples) {
        append_count(b, r, "gpus", gs_report_device(r));
        gs_buf_text(b, " on ");
    }
    append_count(b, r, "hostnames", "host");
    gs_buf_text(b, ", ");
    if (r->kind == GS_KIND_FARM && gs_report_quantity(r, "task_ids") > 1) { /* one: none was told */
        append_count(b, r, "task_ids", "task ID");
        gs_buf_text(b, " in ");
        append_count(b, r, "job_ids", "job");
        gs_buf_text(b, ", ");
    }
    if (events)
        append_count(b, r, "pairs", "event");
    gs_buf_text_if(b, events && samples, ", ");
    if (samples)
        append_count(b, r, "gpu_rows", "sample");
    gs_buf_text(b, ". ");
    gs_buf_text(b, r->kind_why);
}

double gs_report_quantity(const struct gs_report *r, const char *name)
{
    double value;
    if (gs_real_parse(quantity(r->summary, name), &value) != GS_NUMBER_OK)
        return (double)NAN;
    return value;
}

/* "2018-11-08 07:41:30 to 08:30:16 UTC": the date once where both are of one day. Of a clock that counts from 0: none. */
static void write_dates(struct gs_buf *b, const struct gs_report *r, struct gs_str first,
                        struct gs_str last)
{
    enum { DATE = 10, SECONDS = 19 };
    struct gs_time_reader utc = {0};
    char from[GS_LOCAL_TEXT_MAX], to[GS_LOCAL_TEXT_MAX];
    int64_t from_ns, to_ns;
    if (!gs_time_parse(&utc, first, &from_ns) || !gs_time_parse(&utc, last, &to_ns) ||
        from_ns < GS_TIME_DATED_NS)
        return;
    (void)gs_time_words(from, &r->opts->run.dataset.zone, from_ns);
    (void)gs_time_words(to, &r->opts->run.dataset.zone, to_ns);
    gs_buf_bytes(b, from, SECONDS);
    if (memcmp(from, to, SECONDS) != 0)
        gs_buf_text(b, " to ");
    if (memcmp(from, to, DATE) != 0)
        gs_buf_bytes(b, to, DATE + 1);
    if (memcmp(from, to, SECONDS) != 0)
        gs_buf_bytes(b, to + DATE + 1, SECONDS - DATE - 1);
    gs_buf_format(b, " %s", strrchr(to, ' ') + 1);
    if (r->data.zoneless && !gs_gives(r->context, "tz"))
        gs_buf_text(b, " (the files name no zone)");
}

void gs_report_when(struct gs_buf *b, const struct gs_report *r)
{
    static const struct {
        const char *first, *last, *span;

    } names[] = {{"first_gpu", "last_gpu", "gpu_span_s"},
                 {"first_checkpoint", "last_checkpoint", "checkpoint_span_s"}};
    const bool events = gs_report_has(r, GS_TABLE_CHECKPOINTS);
    const size_t before = b->len;
    write_dates(b, r, quantity(r->summary, names[events].first),
                quantity(r->summary, names[events].last));
    const double span_s = gs_report_quantity(r, names[events].span);
    if (span_s > 0) {
        gs_buf_text_if(b, b->len > before, ", ");
        gs_words_time(b, span_s);
    }
    gs_buf_text_if(b, b->len > before, ".");
}

/* "duplicate event rows" of one: "duplicate checkpoint row"; the first plural and its verb. */
static void write_one(struct gs_buf *b, struct gs_str finding)
{
    static const char *const plurals[] = {"rows",  "starts", "gaps",    "readings", "hosts",
                                          "tasks", "GPUs",   "sensors", "tiles"};
    bool done = false;
    for (const char *const begin = finding.ptr; finding.len > 0;) {
        const bool first = finding.ptr == begin;
        const struct gs_str word = gs_str_take(&finding, ' ');
        bool plural = false;
        for (size_t k = 0; k < sizeof plurals / sizeof *plurals && !done; k++)
            plural |= gs_str_eq(word, gs_str(plurals[k]));
        done |= plural;
        gs_buf_text_if(b, !first, " ");
        if (gs_str_eq(word, gs_str("are")))
            gs_buf_text(b, "is");
        else
            gs_buf_bytes(b, word.ptr, word.len - plural);
    }
}

void gs_write_finding(struct gs_buf *b, uint64_t count, struct gs_str finding)
{
    gs_words_count(b, count);
    gs_buf_char(b, ' ');
    if (count == 1)
        write_one(b, finding);
    else
        gs_buf_bytes(b, finding.ptr, finding.len);
}

/* Is there but one, so that it need not be said? */
static bool is_only_host(struct gs_str hint, size_t at)
{
    return gs_str_begins(gs_str_after(hint, at), "; on 1 of 1 hosts");
}

void gs_write_hosts(struct gs_buf *b, struct gs_str hint)
{
    const size_t at = gs_str_find(hint, "; on ");
    if (is_only_host(hint, at))
        return;
    for (size_t i = at + 1; i < hint.len && hint.ptr[i] != ':';) {
        uint64_t n = 0;
        size_t digits = 0;
        while (digits < 18 && i + digits < hint.len && gs_is_digit(hint.ptr[i + digits]))
            n = 10 * n + (uint64_t)(hint.ptr[i + digits++] - '0');
        if (digits > 0)
            gs_words_count(b, n);
        else
            gs_buf_char(b, hint.ptr[i]);
        i += gs_max(digits, 1);
    }
}
