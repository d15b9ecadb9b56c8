/* profiles.h - rows of profiles.txt, which says what they mean. */
#pragma once

struct gs_profile {
    const char *form, *needs, *unless, *source;
};

/* Ends in {0}. */
extern const struct gs_profile gs_profiles[];
