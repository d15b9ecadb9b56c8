/* names_wide.c - wide tables: one column for each GPU, with its number in the name. */
#include <stdio.h>
#include <string.h>

#include "base/num/order.h"
#include "base/core/pattern.h"
#include "input/detect/names_parts.h"

/* Is a text its own pattern? */
static bool is_plain(struct gs_str text)
{
    return gs_str_until(text, 0, "*{}\\") == text.len;
}

/* A name with a number behind "gpu", "card", "device": the number becomes {gpu}. */
static bool widened(struct gs_str column, char out[GS_NAME_MAX], struct gs_str *metric_part,
                    char metric[GS_NAME_MAX])
{
    static const char *const words[] = {"gpu", "card", "device", "gpus", "cards", "devices"};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        const size_t len = strlen(words[w]);
        for (size_t i = 0; i + len < column.len; i++) {
            if (!gs_str_eq_nocase((struct gs_str){column.ptr + i, len}, gs_str(words[w])))
                continue;
            size_t from = i + len;
            from += from < column.len && strchr("_.-: ", column.ptr[from]) != NULL;
            const size_t to = gs_str_skip(column, from, GS_ALL_DIGITS);
            if (to == from || column.len + 8 > GS_NAME_MAX)
                continue;
            if (!is_plain(column))
                return false;
            memcpy(out, column.ptr, from);
            memcpy(out + from, "{gpu}", 5);
            memcpy(out + from + 5, column.ptr + to, column.len - to);
            out[from + 5 + column.len - to] = '\0';
            memcpy(metric, column.ptr, i); /* without the word and the number */
            memcpy(metric + i, column.ptr + to, column.len - to);
            *metric_part = (struct gs_str){metric, i + column.len - to};
            return true;
        }
    }
    return false;
}

/*
 * nvitop's collector: "TAG/cuda:0 (gpu:3)/power_usage (W)/mean", or "TAG/gpu:3/...". The mean is the reading; *, for the
 * process's own number of the GPU differs from one to the next.
 */
static bool collected(struct gs_str column, char out[GS_NAME_MAX], struct gs_str *metric_part)
{
    static const char mean[] = "/mean", gpu[] = "gpu:";
    if (column.len < sizeof mean || column.len + 8 > GS_NAME_MAX || !gs_str_ends(column, mean))
        return false;
    const size_t end = column.len - (sizeof mean - 1), slash = gs_str_until_back(column, end, "/");
    const struct gs_str before = gs_str_part(column, 0, slash);
    const size_t from = gs_str_find(before, gpu) + sizeof gpu - 1,
                 to = gs_str_skip(before, from, GS_ALL_DIGITS);
    if (to >= slash || to == from || !is_plain(gs_str_after(column, to)))
        return false;
    memcpy(out, "*gpu:{gpu}", 10);
    memcpy(out + 10, column.ptr + to, column.len - to);
    out[10 + column.len - to] = '\0';
    *metric_part = gs_str_part(column, slash, end);
    return true;
}

/*
 * wandb's tables say the run first, where it is exported, and then "system": "run-a - system/gpu.0.powerWatts"; Comet's
 * "sys.gpu.0.power_usage".
 */
static struct gs_str behind_run(struct gs_str part)
{
    const size_t dash = gs_str_find(part, " - ");
    const struct gs_str rest = dash < part.len ? gs_str_after(part, dash + 3) : part;
    const size_t word = gs_str_skip(rest, 0, GS_ALL_LETTERS);
    const struct gs_str first = {rest.ptr, word};
    if (word + 1 < rest.len && GS_IS_ONE_OF(first, "system", "sys") &&
        strchr("./", rest.ptr[word]) != NULL)
        return gs_str_after(rest, word + 1);
    return rest;
}

const struct gs_metric *gs_infer_wide_name(struct gs_str text, struct gs_str value,
                                           char pattern[GS_NAME_MAX], bool *unknown)
{
    char rest[GS_NAME_MAX];
    struct gs_str part;
    struct gs_name name;
    unsigned rank;
    bool needs_unit = false, has_unit = false;
    if (value.ptr == NULL ||
        (!collected(text, pattern, &part) && !widened(text, pattern, &part, rest)))
        return NULL;
    part = behind_run(part);
    part = gs_str_after(part, gs_str_skip(part, 0, "_.-: "));
    gs_name_split(part, &name);
    const struct gs_metric *m = gs_name_metric(&name, &needs_unit);
    if (m == NULL && strcmp(name.stem, "gpu") == 0) /* wandb's system.gpu.0.gpu */
        m = &gs_known_metrics[GS_GPU_UTIL];
    if (m == NULL && name.stem[0] != '\0' && (m = gs_words_metric(text, &rank)) != NULL) {
        needs_unit = gs_is_measure(m);
        m = rank == 0 ? m : NULL;
    }
    const bool bare_gpu = m == NULL && name.stem[0] == '\0',
               says_unit = name.unit.quantity != GS_Q_NONE;
    if (bare_gpu && says_unit) { /* GPU 0 (W), card1 [%] */
        memcpy(name.stem, "gpu", sizeof "gpu");
        m = gs_name_metric(&name, &needs_unit);
    } else if (bare_gpu) { /* GPU0: the value's own unit says what it is */
        m = &gs_known_metrics[GS_POWER];
        needs_unit = true;
    }
    if (m == NULL || !gs_infer_reading(value, gs_metric_quantity(m), &has_unit))
        return NULL;
    *unknown = needs_unit && name.unit.quantity == GS_Q_NONE && !has_unit;
    return m;
}

const struct gs_metric *gs_infer_wide_column(const struct inference *g, uint32_t column,
                                             char pattern[GS_NAME_MAX], bool *unknown)
{
    return gs_infer_wide_name(g->h->column[column], gs_infer_first(g->h, column), pattern, unknown);
}

/* How many columns fit a pattern by a number for the GPU and by one word for the host. */
static size_t count_fits(const struct gs_preview *h, struct gs_str pattern)
{
    size_t n = 0;
    for (uint32_t i = 0; i < h->n_columns; i++) {
        struct gs_kept kept;
        n += gs_pattern_match(pattern, h->column[i], &kept) &&
             gs_str_skip(kept.gpu, 0, GS_ALL_DIGITS) == kept.gpu.len &&
             gs_str_until(kept.host, 0, " ") == kept.host.len;
    }
    return n;
}

/* "n1:9400 GPU {gpu}": more columns may differ in the host that stands before a GPU, too. */
static void widen_host(const struct inference *g, char pattern[GS_NAME_MAX])
{
    const size_t word = strcspn(pattern, " :");
    char own[GS_NAME_MAX + sizeof "{host}"];
    (void)snprintf(own, sizeof own, "{host}%s", pattern + word);
    if (strcspn(pattern, GS_ALL_DIGITS) < word && gs_words_gpu(gs_str(pattern + word)) &&
        strlen(own) < GS_NAME_MAX &&
        count_fits(g->h, gs_str(own)) > count_fits(g->h, gs_str(pattern)))
        memcpy(pattern, own, GS_NAME_MAX);
}

/* The pattern that most columns fit which differ from one in a number, or in the host that stands before a GPU; how many do. */
static size_t find_siblings(const struct inference *g, struct gs_str text,
                            char pattern[GS_NAME_MAX])
{
    const size_t word = gs_str_until(text, 0, " :");
    char own[GS_NAME_MAX];
    size_t most = 0;
    for (size_t end, at = gs_words_gpu(gs_str_after(text, word)) ? word : 0; at < text.len;
         at = end) {
        at = gs_str_until(text, at, GS_ALL_DIGITS);
        end = gs_str_skip(text, at, GS_ALL_DIGITS);
        if (at < end && gs_str_skip_back(text, at, GS_ALL_LETTERS) < at && !gs_words_gpu(text))
            continue; /* n1_watts may be a host's */
        (void)snprintf(own, sizeof own, "%.*s%s%.*s", (int)at, text.ptr,
                       gs_text_if(at < end, "{gpu}"), (int)(text.len - end), text.ptr + end);
        widen_host(g, own);
        const size_t n = strchr(own, '{') == NULL ? 0 : count_fits(g->h, gs_str(own));
        if (n > most)
            memcpy(pattern, own, sizeof own);
        most = gs_max(n, most);
    }
    return most;
}

/*
 * "node1 GPU power", "node2 GPU power", or "monitoring/gpu_power_0", "monitoring/gpu_power_1": columns that differ in one number
 * or host alone and whose words are a metric, the power or one beside it. "n1 gpu 0": of a file that is called for a metric, as
 * Grafana saves a panel, all columns beside the time. NULL: it is no such column.
 */
static const struct gs_metric *sibling_metric(const struct inference *g, const struct gs_source *s,
                                              uint32_t column, char pattern[GS_NAME_MAX],
                                              bool *unknown)
{
    const struct gs_str text = g->h->column[column];
    unsigned rank = 0;
    const struct gs_metric *m = gs_words_metric(text, &rank);
    const bool by_words = m != NULL;
    bool has_unit = false;
    if (!by_words)
        m = gs_infer_file_metric(g->path);
    if (m == NULL || column == g->means[GS_MEANS_TIME] || rank % 2 != 0 || gs_words_meter(text) ||
        !is_plain(text) || text.len + sizeof "{gpu}" > GS_NAME_MAX ||
        (m != &gs_known_metrics[GS_POWER] && gs_infer_find(&s->metrics, "power_w") == NULL &&
         by_words) ||
        gs_infer_find(&s->metrics, m->name) != NULL ||
        !gs_infer_has_readings(g->h, column, gs_metric_quantity(m), &has_unit))
        return NULL;
    *unknown = gs_is_measure(m) && g->name[column].unit.quantity == GS_Q_NONE && !has_unit;
    const size_t n = find_siblings(g, text, pattern);
    return (by_words ? n > 1 : n + 1 == g->h->n_columns) ? m : NULL;
}

void gs_infer_wide(const struct inference *g, struct gs_source *s)
{
    struct gs_map_fields *const f = &s->metrics;
    for (uint32_t i = 0; i < g->h->n_columns; i++) {
        char pattern[GS_NAME_MAX];
        bool unknown = false;
        const struct gs_metric *m = gs_infer_wide_column(g, i, pattern, &unknown);
        if (m != NULL)
            widen_host(g, pattern);
        else
            m = sibling_metric(g, s, i, pattern, &unknown);
        if (m == NULL || gs_infer_find(f, m->name) != NULL)
            continue;
        const size_t n = strlen(pattern);
        const struct gs_str kept = gs_str(gs_arena_copy(g->arena, pattern, n));
        /* GPU0 may be a power or a share, where its file is not called for one */
        const bool bare = n <= sizeof "devices_{gpu}" - 1 && pattern[n - 1] == '}' &&
                          !gs_words_have(kept, "power"),
                   named = !bare || gs_infer_file_metric(g->path) == m;
        const char *const assumed =
            unknown && named ? gs_infer_assumed_unit(g, kept, m, true, NULL) : NULL;
        if (unknown && assumed == NULL) {
            gs_infer_note_unit(g, kept, m, true);
            continue;
        }
        gs_infer_add(f, m->name,
                     (struct gs_map_value){GS_VALUE_COLUMNS, .text = kept, .unit = gs_str(assumed)},
                     g->arena);
        if (assumed != NULL)
            gs_infer_note_assumed_unit(g, kept, assumed, s);
    }
}
