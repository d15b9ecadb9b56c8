/* report_slow.c - which GPU is slow beside its siblings: the section's paragraphs and the sentence at the top. */

#include "app/report/report_answer.h"
#include "app/report/report_folds.h"
#include "base/num/order.h"

/* The GPUs with their verdicts; NULL where none could be judged. */
static const struct gs_gpu_list *judged(const struct gs_report *r)
{
    const struct gs_report_visit *const v = r->visit;
    if (v->why[GS_REPORT_PROFILES_ONCE].status != GS_OK || v->once.fleet.verdicts == NULL)
        return NULL;
    return &v->once.fleet;
}

/* GPUs that were held against others, and the first that is not ok; SIZE_MAX: none. */
static size_t count(const struct gs_gpu_list *fleet, size_t *n_bad, size_t *n_judged)
{
    size_t first = SIZE_MAX;
    *n_bad = *n_judged = 0;
    for (uint32_t g = 0; g < fleet->n_gpus; g++) {
        const struct gs_gpu_verdict *const v = &fleet->verdicts->gpu[g];
        *n_judged += v->verdict != GS_VERDICT_NONE;
        if (!gs_gpu_verdict_is_bad(v))
            continue;
        if ((*n_bad)++ == 0)
            first = g;
    }
    return first;
}

/* What siblings that wait in steps lose: at most what its clock lacks, for a clock is not time. */
static void write_cost(struct gs_buf *b, const struct gs_gpu_verdict *v, size_t n_waiting)
{
    const double lost_pct = v->deficit_pct;
    if (!(lost_pct >= 1) || n_waiting == 0)
        return;
    gs_buf_format(b,
                  ". If steps wait for it, up to %s %% of the loaded time of its %s is lost, %s "
                  "GPU-hours",
                  gs_number_text(b, lost_pct, 1), gs_counted_text(b, n_waiting, "sibling"),
                  gs_number_text(b, lost_pct / 100 * v->loaded_s / 3600 * (double)n_waiting, 2));
}

/* Appends all that is known of it; returns "runA GPU 5 is thermally throttled". */
static struct gs_str write_slow(struct gs_buf *b, const struct gs_report *r,
                                const struct gs_gpu_list *fleet, size_t g)
{
    struct gs_buf is = {.arena = b->arena}, since = is, measured = is;
    const char *const next = gs_gpu_verdict_words(fleet, g, &is, &since, &measured);
    gs_buf_bytes(b, is.ptr, is.len);
    gs_buf_bytes(b, since.ptr, since.len);
    if (measured.len > 0 && gs_str_find(gs_buf_str(&is), "sibling") < is.len)
        gs_buf_text(b, ": ");
    else if (measured.len > 0)
        gs_buf_format(b, ". Beside its %s: ",
                      gs_plural(fleet->verdicts->gpu[g].siblings, "only sibling", "siblings"));
    gs_buf_bytes(b, measured.ptr, measured.len);
    const size_t n_alike = gs_gpu_verdict_alike(fleet, g),
                 siblings = fleet->verdicts->gpu[g].siblings;
    gs_gpu_verdicts_write_alike(n_alike, b);
    if (r->kind == GS_KIND_STEPS)
        write_cost(b, &fleet->verdicts->gpu[g], siblings - gs_min(n_alike, siblings));
    gs_buf_format(b, ". Next: %s", next);
    gs_buf_text_if(b, !gs_str_ends(gs_str(next), "?"), ".");
    b->failed |= is.failed || since.failed || measured.failed;
    return b->failed ? gs_str("") : gs_buf_str(&is);
}

static void write_all_ok(struct gs_buf *b, const struct gs_gpu_list *fleet, size_t n_judged)
{
    gs_buf_text(b, "By the sensors, no GPU differs from its siblings under load");
    if (n_judged < fleet->n_gpus)
        gs_buf_format(b, ": %zu of %u GPUs compared, all ok", n_judged, fleet->n_gpus);
    gs_gpu_verdicts_write_missing(fleet, "; ", "", b);
    gs_buf_char(b, '.');
}

/* `missing`: names those that were not compared, which a farm's next sentence does. */
static void write_rest(struct gs_buf *b, const struct gs_gpu_list *fleet, size_t n_judged,
                       bool missing)
{
    if (fleet->n_gpus > 1 && missing)
        gs_gpu_verdicts_write_missing(fleet, b->len > 0 ? " Not compared: " : "Not compared: ", ".",
                                      b);
    if (n_judged == 0 || fleet->verdicts->has_clock)
        return;
    gs_buf_text_if(b, b->len > 0, " ");
    gs_buf_text(b, "The log has no SM clock, so throttling cannot be seen.");
}

enum gs_status gs_report_slow(struct gs_report *r, struct gs_report_section *s, struct gs_err *err)
{
    enum { NAMED = 5 };
    const struct gs_gpu_list *const fleet = judged(r);
    size_t n_bad = 0, n_judged = 0, n_named = 0;
    if (fleet == NULL) {
        if (r->kind != GS_KIND_FARM)
            s->missing = "no two GPUs can be compared";
        return GS_OK;
    }
    (void)count(fleet, &n_bad, &n_judged);
    for (uint32_t g = 0; g < fleet->n_gpus && n_named < NAMED; g++) {
        struct gs_buf b = {.arena = r->context->arena};
        if (!gs_gpu_verdict_is_bad(&fleet->verdicts->gpu[g]))
            continue;
        if (n_named > 0 || n_judged < 2) { /* else the answer names it */
            (void)write_slow(&b, r, fleet, g);
            GS_TRY(gs_paragraph_end(&s->text, &b, false, err));
        }
        const size_t n_alike = gs_gpu_verdict_alike(fleet, g);
        n_named += 1 + n_alike;
        g += (uint32_t)n_alike;
    }
    struct gs_buf rest = {.arena = r->context->arena};
    gs_buf_text_if(&rest, fleet->n_gpus == 1,
                   "There is one GPU, so no sibling to compare it with.");
    if (n_bad > n_named)
        gs_buf_format(&rest, "%zu more GPUs are not ok; the table names them.", n_bad - n_named);
    if (n_bad > 0 || n_judged < 2 || r->kind == GS_KIND_FARM) /* else it is the answer */
        write_rest(&rest, fleet, n_judged, r->kind != GS_KIND_FARM);
    GS_TRY(gs_paragraph_end(&s->text, &rest, false, err));
    if (r->kind == GS_KIND_FARM)
        return GS_OK;
    GS_TRY(gs_report_multiples(r, s, fleet, err));
    GS_TRY(gs_gpus_frame(fleet, r->context->arena, r->out, err));
    r->out->last->title = "GPUs beside their siblings";
    return gs_report_add_table(r, s, "gpu-verdicts", r->out->last, err);
}

void gs_answer_gpu(struct gs_report *r, struct gs_report_sentence *a, struct gs_buf *b)
{
    const struct gs_gpu_list *const fleet = judged(r);
    struct gs_buf name = {.arena = b->arena}, brief = name, sentence = name, like = name;
    size_t n_bad, n_judged;
    if (fleet == NULL || r->section[GS_PART_STRAGGLERS].lacks)
        return;
    const size_t first = count(fleet, &n_bad, &n_judged);
    if (n_judged < 2)
        return;
    if (r->worst.section == NULL) {
        if (n_judged < fleet->n_gpus)
            gs_buf_format(&like, "of the %zu of %u that were compared", n_judged, fleet->n_gpus);
        else
            gs_buf_text(&like, "each is like its siblings");
        r->worst =
            (struct gs_report_card){"stragglers", "Slow GPU", gs_str("none"), gs_buf_str(&like)};
        r->worst_words = gs_str("No GPU is slow.");
        r->failed |= like.failed;
        if (!fleet->verdicts->has_clock)
            r->worst.more = gs_str("without clocks throttling cannot be seen");
    }
    if (n_bad == 0 && r->kind == GS_KIND_FARM)
        return; /* the sentence on its tasks tells more */
    GS_ANSWER_STORE(a, {"gpus_not_ok", (double)n_bad}, {"gpus_judged", (double)n_judged});
    if (n_bad == 0) {
        write_all_ok(b, fleet, n_judged);
        gs_buf_text_if(b, !fleet->verdicts->has_clock,
                       " Without SM clocks, throttling cannot be seen.");
        return;
    }
    gs_gpu_verdict_name(fleet, first, &name);
    gs_write_brief(&brief, gs_buf_str(&name), 40);
    const struct gs_str whole = write_slow(b, r, fleet, first),
                        is = gs_str_after(whole, gs_min(name.len + 1, whole.len));
    if (n_bad > 1)
        gs_buf_format(b, " %zu of %zu GPUs are not ok.", n_bad, n_judged);
    if (r->kind != GS_KIND_FARM) {
        a->table = "gpu-verdicts";
        a->row = first + 1;
    }
    gs_buf_bytes(&sentence, brief.ptr, brief.len);
    gs_buf_char(&sentence, ' ');
    gs_buf_bytes(&sentence, is.ptr, is.len);
    gs_buf_char(&sentence, '.');
    r->failed |= brief.failed || sentence.failed;
    r->worst = (struct gs_report_card){"stragglers", "Worst GPU", gs_buf_str(&brief), is};
    r->worst_words = gs_buf_str(&sentence);
}
