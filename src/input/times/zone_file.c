/* zone_file.c - zones of the system by their names. */
#include "input/times/zone_file.h"

#include <stdio.h>
#include <unistd.h>

#include "base/num/tzif.h"
#include "input/bytes/bytes.h"

#define ZONE_DIRECTORY "/usr/share/zoneinfo/"

enum { FILE_MAX = 1 << 20, NAME_MAX_LEN = 64 };

/*
 * Letters, digits, _ + - in parts between slashes: nothing that leads out of the directory. A
 * zone comes from a map or the command line, and a map may be a stranger's: "../../etc/passwd"
 * must not be opened.
 */
static bool is_name(struct gs_str name)
{
    if (name.len == 0 || name.len > NAME_MAX_LEN)
        return false;
    while (name.len > 0) {
        const struct gs_str part = gs_str_take(&name, '/');
        if (gs_str_skip(part, 0, GS_ALL_LETTERS) == 0 ||
            gs_str_skip(part, 0, GS_ALL_LETTERS GS_ALL_DIGITS "_+-") < part.len)
            return false;
    }
    return name.ptr[-1] != '/';
}

/* "Berlin" is one of Europe: the area whose zone has that name; NULL: none. */
static const char *area_of(struct gs_str name)
{
    static const char *const areas[] = {"Europe",          "America",   "Asia",
                                        "Africa",          "Australia", "Atlantic",
                                        "Pacific",         "Indian",    "America/Argentina",
                                        "America/Indiana", "US"};
    char path[sizeof ZONE_DIRECTORY + 2 * NAME_MAX_LEN];
    for (size_t i = 0; i < sizeof areas / sizeof *areas; i++) {
        (void)snprintf(path, sizeof path, ZONE_DIRECTORY "%s/%.*s", areas[i], (int)name.len,
                       name.ptr);
        if (access(path, F_OK) == 0)
            return areas[i];
    }
    return NULL;
}

/* Offsets come first, since they need no zone files: gpustat runs in containers without tzdata. */
enum gs_status gs_zone_named(struct gs_str name, struct gs_arena *arena, struct gs_zone *zone,
                             struct gs_err *err)
{
    char shown[120], path[sizeof ZONE_DIRECTORY + NAME_MAX_LEN];
    struct gs_str text;
    struct gs_err why = {0};
    GS_OWN struct gs_arena own = {0};
    int32_t offset_s;
    if (gs_zone_parse(name, &offset_s)) {
        *zone = (struct gs_zone){.offset_s = offset_s};
        return GS_OK;
    }
    (void)gs_escape(shown, sizeof shown, name);
    if (!is_name(name))
        return gs_fail(
            err, GS_ERR_USAGE,
            "'%s' must be UTC, an offset such as +01:00, or a zone's name such as Europe/Berlin",
            shown);
    const char *const kept = gs_arena_copy(arena, name.ptr, name.len);
    GS_TRY(gs_had_memory(kept != NULL, err));
    (void)snprintf(path, sizeof path, ZONE_DIRECTORY "%s", kept);
    enum gs_status s = gs_bytes_all(path, FILE_MAX, "longer than 1 MiB", &own, &text, &why);
    const char *const area = s == GS_ERR_NOINPUT ? area_of(name) : NULL;
    if (area != NULL)
        s = gs_fail(err, GS_ERR_USAGE, "'%s' is no zone; did you mean '%s/%s'?", shown, area,
                    shown);
    else if (s == GS_ERR_NOINPUT)
        s = gs_fail(err, GS_ERR_USAGE,
                    "'%s' is no zone of this system (%s); an offset such as +01:00 needs none",
                    shown, ZONE_DIRECTORY);
    else if (s == GS_OK)
        s = gs_zone_of_tzif(text.ptr, text.len, kept, arena, zone, &why);
    if (s != GS_OK && s != GS_ERR_USAGE)
        s = s == GS_ERR_MEMORY ? gs_fail_memory(err) : gs_fail(err, s, "%s: %s", path, why.text);
    return s;
}
