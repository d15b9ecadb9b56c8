/* figure_fleet.c - the power of the fleet as a map of GPUs over time. */
#include "app/charts/figures.h"
#include "base/num/timestamp.h"
#include "data/result/number_text.h"
#include "output/text/cells.h"

static const struct gs_panel panel = GS_PANEL(HEAT, TIME, NONE, .value = GS_COL_POWER_MEAN_W);

static void write_lines(struct gs_buf *b, const struct gs_fleet_map *map)
{
    if (map->n_gpus > 1)
        gs_buf_text(b, "GPUs are in the order of their mean power");
    if (map->per_line > 1)
        gs_buf_format(b, "; a line is the mean of %zu of them", map->per_line);
    gs_buf_text_if(b, map->n_gpus > 1, ". ");
    const double seconds = (double)map->width_ns / GS_NS_PER_S;
    gs_buf_text(b, "A cell is ");
    if (seconds < 120) {
        gs_real_for_people(b, seconds, -1);
        gs_buf_text(b, " s");
    } else {
        gs_words_time(b, seconds);
    }
    gs_buf_text(b, " long, blank where no power is known.");
}

enum gs_status gs_fleet_figure(const struct gs_fleet_map *map, const char *name,
                               struct gs_arena *arena, const struct gs_plot **plot,
                               struct gs_err *err)
{
    enum { WIDTH_PX = 900, HEIGHT_PX = 520 };
    *plot = NULL;
    if (map->frame == NULL)
        return GS_OK;
    GS_NEW(struct gs_plot, own, 1, arena, err);
    GS_NEW(struct gs_panel, p, 1, arena, err);
    struct gs_buf caption = {.arena = arena}, lines = {.arena = arena};
    write_lines(&caption, map);
    gs_buf_format(&lines, "GPUs by mean power, %zu to a line", map->per_line);
    GS_TRY(gs_had_memory(!caption.failed && !lines.failed, err));
    const bool named = map->n_gpus <= GS_FLEET_NAMED;
    *p = panel;
    p->y = named ? GS_COL_GPU : GS_COL_RANK;
    p->y_label = named ? "GPU" : NULL;
    if (map->per_line > 1)
        p->y_label = lines.ptr;
    *own = (struct gs_plot){.name = name,
                            .title = "Power of each GPU over time",
                            .caption = caption.ptr,
                            .of = map->frame,
                            .n_panels = 1,
                            .panels = p,
                            .width_px = WIDTH_PX,
                            .height_px = HEIGHT_PX};
    if (named)
        own->height_px = 160 + (int)map->n_gpus * 18;
    *plot = own;
    return GS_OK;
}
