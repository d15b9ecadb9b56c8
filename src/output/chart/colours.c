/* colours.c - the palette. */
#include "output/chart/colours.h"

/*
 * The series are Okabe and Ito's palette, told apart by every kind of eye, in an order that
 * keeps neighbours apart in lightness too; points and dashes differ with them. Source: M.
 * Okabe, K. Ito, Color Universal Design, 2008. clang-format off
 */
const struct gs_colour gs_colours[GS_N_COLOURS] = {
    {"gs_fg", "#1b1f24", "#e6edf3"},        {"gs_dim", "#57606a", "#9aa4af"},
    {"gs_grid", "#d8dee4", "#39414b"},      {"gs_bg", "#ffffff", "#14171c"},
    {"gs_second", "#c75400", "#ff9d5c"},    {"gs_colour[1]", "#0072b2", "#56b4e9"},
    {"gs_colour[2]", "#e69f00", "#e6a000"}, {"gs_colour[3]", "#009e73", "#00a878"},
    {"gs_colour[4]", "#cc79a7", "#cd7aa8"}, {"gs_colour[5]", "#d55e00", "#e8692a"},
    {"gs_colour[6]", "#56b4e9", "#4f8fd0"}, {"gs_colour[7]", "#b8a800", "#f0e442"},
    {"gs_colour[8]", "#50575e", "#8b949e"}, {"gs_band", "#e4edf6", "#222d3a"},
};
/* clang-format on */
