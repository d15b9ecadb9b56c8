/* profiles.h - the column names of known tools, compiled in from profiles.txt. */
#pragma once

struct gs_profile {
    const char *form, *needs, *unless, *source;
};

/* Ends in {0}. */
extern const struct gs_profile gs_profiles[];
