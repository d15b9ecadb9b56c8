/* cluster.c - the room of clusters of bars. */
#include "output/chart/cluster.h"

#include <math.h>

#include "base/num/order.h"
#include "output/chart/canvas.h"
#include "output/text/cells.h"

enum { MAX_VALUED_BARS = 24, LEAST_BARS_PX = 60 };
#define SMALL_LETTER 0.75 /* of a letter of the axes, which px_char is */

void gs_cluster_value(struct gs_buf *b, const struct gs_drawn *d, size_t row)
{
    gs_drawn_value_text(d, row, b);
    if (!gs_drawn_is_thin(d, row))
        return;
    gs_buf_text(b, " (n = ");
    gs_cell_for_people(b, d->frame, row, (size_t)d->count);
    gs_buf_char(b, ')');
}

static size_t value_len(const struct gs_drawn *d, size_t row)
{
    GS_OWN struct gs_arena arena = {0};
    struct gs_buf text = {.arena = &arena};
    gs_cluster_value(&text, d, row);
    return text.len;
}

enum gs_cluster_values gs_cluster_values_of(const struct gs_drawn *d)
{
    size_t longest = 0;
    if (d->n > MAX_VALUED_BARS)
        return GS_CLUSTER_NONE;
    for (size_t i = 0; i < d->n; i++) {
        const size_t len = value_len(d, d->rows[i]);
        longest = gs_max(len, longest);
    }
    const double bar = d->px_width / (double)d->x_names.n * 0.8 / (double)gs_drawn_n_series(d);
    if ((double)longest * d->px_char * 0.85 < bar)
        return GS_CLUSTER_FLAT;
    return bar > 10 ? GS_CLUSTER_UPRIGHT : GS_CLUSTER_NONE;
}

/* Pixels of the text over a bar: its letters are smaller than those of the axes. */
static double upright_px(const struct gs_drawn *d, size_t row)
{
    return (double)(value_len(d, row) + 1) * SMALL_LETTER * d->px_char;
}

/* Pixels of the longest over bars that go up, or down. */
static double longest_px(const struct gs_drawn *d, bool down)
{
    double longest = 0;
    for (size_t i = 0; i < d->n; i++)
        if ((gs_drawn_number(d, d->rows[i], d->y) < 0) == down)
            longest = fmax(longest, upright_px(d, d->rows[i]));
    return longest;
}

/* Pixels under the bars beyond a line of names and one of the key: names aslant, more lines of the key. */
static double under_px(const struct gs_drawn *d)
{
    static const double steepness[] = {
        [GS_SLANT_NONE] = 0, [GS_SLANT_ASLANT] = 0.57, [GS_SLANT_UPRIGHT] = 0.9};
    const double names =
        fmin((double)gs_names_longest(&d->x_names), GS_STEEP_SHARE * d->px_width / d->px_char);
    return steepness[gs_drawn_slant(d)] * names * d->px_char +
           20.0 * (double)(gs_drawn_key_lines(d) - 1) + 24;
}

void gs_cluster_room(const struct gs_drawn *d, struct gs_axis *a)
{
    const double plot_px = fmax(d->px_height - under_px(d), LEAST_BARS_PX),
                 most = a->lo < 0 && a->hi > 0 ? 0.35 : 0.6;
    struct gs_axis_text text[MAX_VALUED_BARS] = {{0, 0, false}};
    const size_t n = gs_min(d->n, MAX_VALUED_BARS);
    for (size_t i = 0; i < n; i++) {
        const size_t row = d->rows[i];
        text[i] = (struct gs_axis_text){gs_drawn_end(d, row), upright_px(d, row),
                                        gs_drawn_number(d, row, d->y) < 0};
    }
    gs_axis_room(a, text, n, plot_px, most);
}

double gs_cluster_height(const struct gs_drawn *d)
{
    enum { BARS_PX = 150, AROUND_PX = 120 };
    double text = 20;
    if (gs_cluster_values_of(d) == GS_CLUSTER_UPRIGHT)
        text = longest_px(d, false) + longest_px(d, true);
    return AROUND_PX + BARS_PX + text + under_px(d);
}
