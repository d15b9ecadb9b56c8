/* colours.h - the colours of all pictures, light and dark. */
#pragma once

/* A colour of the pictures by the name that scripts have for it. The light ones differ, so that each tells which. */
struct gs_colour {
    const char *name, *light, *dark;
};
enum { GS_N_COLOURS = 14, GS_GREY = 8 }; /* the linetype that stands for no group */
extern const struct gs_colour gs_colours[GS_N_COLOURS];
