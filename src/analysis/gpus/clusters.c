/* clusters.c - the frames of the populations and their members. */
#include "analysis/gpus/clusters.h"

#include <math.h>
#include <string.h>

#include "data/result/number_text.h"
#include "stats/descriptive/moments.h"
#include "stats/descriptive/quantile.h"
#include "stats/models/kmeans.h"
#include "base/num/order.h"

enum {
    N_FEATURES = 3,
    C_TASK_FEATURE = 2,
    FEW_GPUS = 16,
    CARDS_MAX = GS_KMEANS_K_MAX / GS_POPULATIONS_MAX
};
/* clang-format off */
enum { C_CLUSTER, C_GPUS, C_FEATURE, PER_FEATURE = 3, C_POWER = C_FEATURE + PER_FEATURE * N_FEATURES, C_SILHOUETTE,
       C_TASK_MEDIAN, C_AXES, C_COLUMNS };
enum { M_HOST, M_SERIAL, M_UUID, M_FEATURE, M_POWER = M_FEATURE + N_FEATURES, M_TASKS, M_CLUSTER, M_SILHOUETTE,
       M_COLUMNS };
/* clang-format on */

/* clang-format off */
static const struct gs_column_spec cluster_columns[C_COLUMNS] = {
    GS_COL(CLUSTER),
    GS_COL(GPUS),
    GS_COL(GPU_UTIL_MEAN_PCT, .how = "mean over the cluster's GPUs of each GPU's mean GPU utilisation"),
    GS_COL(GPU_UTIL_MIN_PCT),
    GS_COL(GPU_UTIL_MAX_PCT),
    GS_COL(MEM_UTIL_MEAN_PCT),
    GS_COL(MEM_UTIL_MIN_PCT),
    GS_COL(MEM_UTIL_MAX_PCT),
    GS_COL(TASK_MEAN_S),
    GS_COL(TASK_MIN_S),
    GS_COL(TASK_MAX_S),
    GS_COL(POWER_MEAN_W, .label = "power", .how = "mean over the cluster's GPUs of each GPU's mean power"),
    GS_COL(SILHOUETTE),
    GS_COL(TASK_MEDIAN_S),
    GS_COL(AXES),
};
/* clang-format on */

static const struct gs_column_spec member_columns[M_COLUMNS] = {
    GS_COL(HOSTNAME),
    GS_COL(GPU_SERIAL, .how = "gpuSerial of the samples; missing: a host with several GPUs"),
    GS_COL(GPU_UUID, .how = "gpuUUID of the samples, or the index that alone tells GPUs apart; "
                            "missing: a host with several GPUs"),
    GS_COL(GPU_UTIL_MEAN_PCT, .how = "mean of GPU utilisation over all samples of the GPU"),
    GS_COL(MEM_UTIL_MEAN_PCT, .how = "mean of memory utilisation over all samples of the GPU"),
    GS_COL(TASK_MEAN_S, .how = "mean duration of the GPU's tasks, or of its host's"),
    GS_COL(POWER_MEAN_W, .label = "power", .how = "mean of power over all samples of the GPU"),
    GS_COL(TASKS),
    GS_COL(CLUSTER, .how = "number of its cluster; missing: its utilisation is not known"),
    GS_COL(SILHOUETTE, .how = "-1 to 1: how much nearer it is to its own cluster than to the next; "
                              "missing: there is one"),
};

static bool any_has(const struct gs_subjects *s, uint32_t metric)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->subject[i].sum.metric[metric].n > 0)
            return true;
    return false;
}

/* Adds the metrics that were asked for beside the two utilisations. */
static enum gs_status add_axes(const struct gs_facts *facts, const char *text,
                               struct gs_clusters *c, struct gs_err *err)
{
    for (const char *at = text; at != NULL && *at != '\0';) {
        const struct gs_str name = {at, strcspn(at, ",")};
        const uint32_t m = gs_metrics_find(facts->metric, facts->n_metrics, name);
        if (m == UINT32_MAX || !any_has(&c->subjects, m))
            return gs_fail(err, GS_ERR_DATA, "--axes: the samples have no metric '%s'",
                           GS_SHOWN(name, 96));
        if (c->n_axes == GS_POPULATIONS_COLUMNS_MAX)
            return gs_fail(err, GS_ERR_USAGE, "--axes: more than %d metrics",
                           (int)GS_POPULATIONS_COLUMNS_MAX - 2);
        c->axis[c->n_axes++] = m;
        at += name.len + (at[name.len] == ',');
    }
    return GS_OK;
}

/* By model, then in the order of the GPUs. */
static int by_card(const void *a, const void *b)
{
    const struct gs_subject *const x = *(const struct gs_subject *const *)a,
                                   *const y = *(const struct gs_subject *const *)b;
    GS_DIFFER(gs_str_compare(x->sum.card, y->sum.card));
    return gs_cmp(x->first_gpu, y->first_gpu);
}

/* A group's number among all; GS_POPULATION_NONE stays. */
static uint32_t number_behind(size_t before, uint32_t number)
{
    return number == GS_POPULATION_NONE ? number : (uint32_t)(before + number);
}

/* Adds the groups of one model, whose subjects are order[0] .. order[n - 1] of those that begin at `first`. */
static void append_groups(const struct gs_populations *one, const struct gs_subject *const *order,
                          const struct gs_subject *first, struct gs_clusters *c)
{
    struct gs_populations *const all = &c->found;
    for (size_t i = 0; i < one->n; i++) {
        const size_t at = (size_t)(order[i] - first);
        all->of[at] = number_behind(all->k, one->of[i]);
        all->next[at] = number_behind(all->k, one->next[i]);
        all->silhouette[at] = one->silhouette[i];
    }
    for (size_t k = 0; k < one->k; k++) {
        c->card[all->k] = order[0]->sum.card;
        all->size[all->k++] = one->size[k];
    }
    all->axes |= one->axes;
    all->doubted |= one->doubted;
    all->n_aside += one->n_aside;
}

/* GPUs of different models are different machines, however alike they are used: each model is searched by itself. */
static enum gs_status find_by_card(const struct gs_populations_input *in,
                                   const struct gs_subject *const *order, struct gs_arena *arena,
                                   struct gs_arena *scratch, struct gs_clusters *c,
                                   struct gs_err *err)
{
    const size_t n = in->n, d = in->n_columns;
    struct gs_populations all = {.n = n};
    GS_TAKE_RAW(all.of, n, arena, err);
    GS_TAKE_RAW(all.next, n, arena, err);
    GS_TAKE_RAW(all.silhouette, n, arena, err);
    GS_TAKE(all.size, n, arena, err);
    GS_NEW_RAW(double, x, (n * d), arena, err);
    GS_TAKE(c->card, n, arena, err);
    c->found = all;
    for (size_t from = 0, end; from < n; from = end) {
        struct gs_populations_input part = *in;
        struct gs_populations one;
        for (end = from; end < n && gs_str_eq(order[end]->sum.card, order[from]->sum.card); end++)
            memcpy(x + (end - from) * d, in->x + (size_t)(order[end] - c->subjects.subject) * d,
                   d * sizeof *x);
        part.x = x;
        part.n = end - from;
        GS_TRY(gs_populations_find(&part, arena, scratch, &one, err));
        append_groups(&one, order + from, c->subjects.subject, c);
    }
    const struct gs_real_moments m = gs_real_describe(c->found.silhouette, n);
    c->found.mean_silhouette = m.mean;
    return GS_OK;
}

/* The subjects by model; NULL where there is one model, none is known, or the names are too many to be models. */
static enum gs_status order_by_card(const struct gs_subjects *s, struct gs_arena *arena,
                                    const struct gs_subject ***order, struct gs_err *err)
{
    GS_NEW_RAW(const struct gs_subject *, by, s->n, arena, err);
    for (size_t i = 0; i < s->n; i++)
        by[i] = &s->subject[i];
    GS_SORT(by, s->n, by_card);
    size_t n_cards = s->n > 0;
    for (size_t i = 1; i < s->n; i++)
        n_cards += !gs_str_eq(by[i]->sum.card, by[i - 1]->sum.card);
    *order = n_cards > 1 && n_cards <= CARDS_MAX ? by : NULL;
    return GS_OK;
}

enum gs_status gs_clusters_find(const struct gs_gpu_list *fleet, const struct gs_clusters_how *how,
                                struct gs_arena *arena, struct gs_clusters *clusters,
                                struct gs_err *err)
{
    static const uint32_t usual[] = {GS_GPU_UTIL, GS_MEM_UTIL};
    struct gs_arena scratch = {0};
    struct gs_clusters c = {.of_gpu = gs_arena_take_raw(arena, fleet->n_gpus, sizeof *c.of_gpu)};
    GS_TRY(gs_had_memory(c.of_gpu != NULL, err));
    GS_TRY(gs_subjects_of(fleet, arena, &c.subjects, err));
    for (size_t m = 0; m < 2; m++)
        if (any_has(&c.subjects, usual[m]))
            c.axis[c.n_axes++] = usual[m];
    /* Only the two utilisations are tried together. An axis that the user adds is tried alone. */
    const bool joint = c.n_axes == 2;
    enum gs_status s = add_axes(fleet->facts, how->axes, &c, err);
    if (s != GS_OK)
        return s;
    const size_t n = c.subjects.n, n_values = n * c.n_axes;
    GS_NEW_RAW(double, x, n_values, arena, err);
    struct gs_populations_input in = {.x = x,
                                      .n = n,
                                      .n_columns = c.n_axes,
                                      .joint = joint,
                                      .lenient = how->lenient,
                                      .least = how->least_points > 0 ? how->least_points
                                                                     : GS_POPULATIONS_LEAST,
                                      .k = (size_t)how->k};
    for (size_t m = 0; m < c.n_axes; m++) {
        /*
         * The least distance between groups is in percentage points. Metrics in other units are
         * measured in per cent of their median, or the limit would depend on the unit.
         */
        in.relative |= (strcmp(fleet->facts->metric[c.axis[m]]->unit, "%") != 0) * (1u << m);
        for (size_t i = 0; i < n; i++)
            x[i * c.n_axes + m] = gs_profile_mean(&c.subjects.subject[i].sum, c.axis[m]);
    }
    const struct gs_subject **order = NULL;
    if (how->k == 0)
        s = order_by_card(&c.subjects, arena, &order, err);
    GS_THEN(s, order == NULL ? gs_populations_find(&in, arena, &scratch, &c.found, err)
                             : find_by_card(&in, order, arena, &scratch, &c, err));
    gs_arena_release(&scratch);
    if (s == GS_ERR_RANGE)
        return gs_fail(err, GS_ERR_DATA,
                       "of %zu GPUs too few differ in utilisation for %zu clusters", n,
                       (size_t)how->k);
    if (s != GS_OK)
        return s;
    for (size_t i = 0; i < n; i++)
        for (uint32_t g = 0; g < c.subjects.subject[i].n_gpus; g++)
            c.of_gpu[c.subjects.subject[i].first_gpu + g] = c.found.of[i];
    *clusters = c;
    return GS_OK;
}

/* "gpu_util_pct+mem_util_pct"; missing where nothing tells GPUs apart. */
static struct gs_str axes_of(const struct gs_facts *facts, const struct gs_clusters *c,
                             struct gs_arena *arena)
{
    struct gs_buf b = {.arena = arena};
    gs_buf_text_if(&b, c->card != NULL, "model");
    for (size_t m = 0; m < c->n_axes; m++)
        if ((c->found.axes >> m & 1) != 0) {
            gs_buf_text_if(&b, b.len > 0, "+");
            gs_buf_text(&b, facts->metric[c->axis[m]]->name);
        }
    if (b.len == 0)
        return GS_NO_STR;
    return gs_buf_str(&b);
}

/* A GPU's features and power in the order of the columns. */
static void values_of(const struct gs_gpu_profile *p, double x[N_FEATURES + 1])
{
    x[0] = gs_profile_mean(p, GS_GPU_UTIL);
    x[1] = gs_profile_mean(p, GS_MEM_UTIL);
    x[2] = gs_profile_task_s(p);
    x[3] = gs_profile_mean(p, GS_POWER);
}

static enum gs_status fill_cluster(struct gs_frame *f, uint32_t cluster, struct gs_str axes,
                                   const struct gs_clusters *c, struct gs_arena *scratch,
                                   struct gs_err *err)
{
    double *column[N_FEATURES + 1], x[N_FEATURES + 1], median = NAN;
    size_t n = 0;
    int64_t n_gpus = 0;
    for (size_t k = 0; k <= N_FEATURES; k++)
        if ((column[k] = gs_arena_take_raw(scratch, c->subjects.n, sizeof *column[k])) == NULL)
            return gs_fail_memory(err);
    for (size_t i = 0; i < c->subjects.n; i++) {
        if (c->found.of[i] != cluster)
            continue;
        values_of(&c->subjects.subject[i].sum, x);
        for (size_t k = 0; k <= N_FEATURES; k++)
            column[k][n] = x[k];
        n++;
        n_gpus += c->subjects.subject[i].n_gpus;
    }
    const enum gs_status s =
        gs_real_quantiles(column[C_TASK_FEATURE], n, &GS_PROB_MEDIAN, 1, scratch, &median, err);
    /* A group without tasks has no median: that error leaves NaN, which prints as missing. */
    if (s == GS_ERR_MEMORY)
        return s;
    GS_PUT(f, cluster, GS_INT(CLUSTER, (int64_t)cluster + 1), GS_INT(GPUS, n_gpus),
           GS_TEXT(AXES, axes), GS_REAL(SILHOUETTE, c->found.mean_silhouette),
           GS_REAL(TASK_MEDIAN_S, median));
    for (size_t k = 0; k <= N_FEATURES; k++) {
        const struct gs_real_moments m = gs_real_describe(column[k], n);
        const size_t at = k < N_FEATURES ? C_FEATURE + PER_FEATURE * k : C_POWER;
        gs_frame_set_real(f, cluster, at, m.mean);
        if (k == N_FEATURES)
            break;
        gs_frame_set_real(f, cluster, at + 1, m.min);
        gs_frame_set_real(f, cluster, at + 2, m.max);
    }
    return GS_OK;
}

static void fill_member(struct gs_frame *f, size_t i, const struct gs_gpu_list *fleet,
                        const struct gs_clusters *c)
{
    const struct gs_subject *const u = &c->subjects.subject[i];
    double x[N_FEATURES + 1];
    values_of(&u->sum, x);
    gs_subject_name(fleet, u, f, i, M_HOST);
    for (size_t k = 0; k <= N_FEATURES; k++)
        gs_frame_set_real(f, i, M_FEATURE + k, x[k]);
    GS_PUT(f, i, GS_INT(TASKS, (int64_t)u->sum.n_tasks));
    if (c->found.of[i] != GS_NONE)
        GS_PUT(f, i, GS_INT(CLUSTER, (int64_t)c->found.of[i] + 1));
    GS_PUT(f, i, GS_REAL(SILHOUETTE, c->found.silhouette[i]));
}

/* Nothing of a value that is missing. */
static void title_part(struct gs_buf *b, const char *before, double value, const char *unit)
{
    if (!isnan(value))
        gs_buf_format(b, "%s%s%s", before, gs_real_text(b, value, 1), unit);
}

/* "2 groups of GPUs: 541 at 62.0 % GPU and 31.1 % memory utilisation, ..." */
static const char *title_of(const struct gs_clusters *c, const struct gs_frame *f,
                            struct gs_arena *arena)
{
    struct gs_buf b = {.arena = arena};
    gs_buf_format(&b, "%s of GPUs: ", gs_counted_text(&b, c->found.k, "group"));
    for (size_t k = 0; k < c->found.k && k < 4; k++) {
        const bool has_feature = !isnan(f->columns[C_FEATURE].real[k]) ||
                                 !isnan(f->columns[C_FEATURE + PER_FEATURE].real[k]);
        gs_buf_text_if(&b, k > 0, "; ");
        gs_words_count(&b, (uint64_t)f->columns[C_GPUS].integer[k]);
        if (c->card != NULL && c->card[k].len > 0) {
            gs_buf_text(&b, " ");
            gs_buf_escaped(&b, c->card[k], 48);
        }
        title_part(&b, " at ", f->columns[C_FEATURE].real[k], " % GPU");
        title_part(&b, isnan(f->columns[C_FEATURE].real[k]) ? " at " : " and ",
                   f->columns[C_FEATURE + PER_FEATURE].real[k], " % memory");
        gs_buf_text(&b, has_feature ? " utilisation" : " whose utilisation is not known");
        const double task_s = f->columns[C_TASK_MEDIAN].real[k];
        if (!isnan(task_s)) {
            gs_buf_text(&b, ", median ");
            gs_words_time(&b, task_s);
        }
    }
    gs_buf_text_if(&b, c->found.k > 4, ", ...");
    if (!isnan(c->found.mean_silhouette))
        gs_buf_format(&b, " (silhouette %s)", gs_real_text(&b, c->found.mean_silhouette, 2));
    return gs_buf_whole(&b);
}

enum gs_status gs_clusters_frame(const struct gs_gpu_list *fleet, const struct gs_clusters *c,
                                 bool by_gpu, struct gs_arena *arena, struct gs_frames *out,
                                 struct gs_clusters_frames *frames, struct gs_err *err)
{
    struct gs_clusters_frames f;
    struct gs_arena scratch = {0};
    const char *title = NULL;
    enum gs_status s = gs_frame_new(arena, GS_HEAD("clusters", "", cluster_columns, C_COLUMNS),
                                    c->found.k, NULL, &f.clusters, err);
    GS_THEN(s, gs_frame_new(arena, GS_HEAD("cluster-members", "", member_columns, M_COLUMNS),
                            c->subjects.n, NULL, &f.members, err));
    for (uint32_t j = 0; s == GS_OK && j < c->found.k; j++)
        s = fill_cluster(f.clusters, j, axes_of(fleet->facts, c, arena), c, &scratch, err);
    for (size_t i = 0; s == GS_OK && i < c->subjects.n; i++)
        fill_member(f.members, i, fleet, c);
    GS_THEN(s, gs_had_memory((title = title_of(c, f.clusters, arena)) != NULL, err));
    gs_arena_release(&scratch);
    if (s != GS_OK)
        return s;
    f.clusters->title = f.members->title = title;
    gs_frame_append(out, by_gpu ? f.members : f.clusters);
    gs_view_notes(&fleet->facts->totals, fleet->facts->duplicates, &out->notes);
    gs_subjects_note(&c->subjects, out);
    gs_note(&out->notes, GS_NOTE_INFO, "%s", title);
    if (c->found.doubted && c->found.k == 1 && c->found.n < FEW_GPUS)
        gs_note(
            &out->notes, GS_NOTE_INFO,
            "too few GPUs to tell groups: what differs here would be several groups among more");
    if (frames != NULL)
        *frames = f;
    return GS_OK;
}

/* --- the fold ----------------------------------------------------------------------------------------- */

static enum gs_status finish(const struct gs_finish *of, struct gs_frames *out, struct gs_err *err)
{
    const struct gs_clusters_options *const o = of->options;
    GS_OWN struct gs_arena own = {0};
    struct gs_gpu_list fleet;
    struct gs_clusters clusters;
    GS_TRY(gs_fleet_of(of->state->table, of->facts, &own, &fleet, err));
    GS_TRY(gs_clusters_find(&fleet, &o->how, &own, &clusters, err));
    return gs_clusters_frame(&fleet, &clusters, o->by_gpu != 0, of->arena, out, of->also, err);
}

/* clang-format off */
const struct gs_fold gs_clusters_fold = {
    .name = "clusters", .views = GS_VIEW_SERIES | GS_VIEW_PAIRS | GS_VIEW_BY_GPU, .table = gs_profile_tables,
    .n_tables = GS_N_PROFILE_TABLES, .plan = gs_profiles_fold_plan, .add = gs_profiles_fold_add, .finish = finish,
};
/* clang-format on */
