/* status.c - failure texts and exit codes. */
#include "base/core/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/*
 * Allocates nothing, so that it can report that memory ran out. The text is cut with "..."
 * rather than lost.
 */
static void put_text(struct gs_err *err, size_t from, const char *format, va_list ap)
{
    const size_t room = sizeof err->text - from;
    const int n = vsnprintf(err->text + from, room, format, ap);
    if (n < 0)
        err->text[from] = '\0';
    else if ((size_t)n >= room)
        memcpy(err->text + sizeof err->text - 4, "...", 4);
}

enum gs_status gs_fail(struct gs_err *err, enum gs_status status, const char *format, ...)
{
    if (err != NULL) {
        va_list ap;
        va_start(ap, format);
        put_text(err, 0, format, ap);
        va_end(ap);
        err->status = status;
    }
    return status;
}

enum gs_status gs_fail_at(struct gs_err *err, const char *name, uint64_t line, const char *format,
                          ...)
{
    const enum gs_status s = gs_fail(err, GS_ERR_DATA, "%s:%llu: ", name, (unsigned long long)line);
    if (err != NULL) {
        va_list ap;
        va_start(ap, format);
        put_text(err, strlen(err->text), format, ap);
        va_end(ap);
    }
    return s;
}

enum gs_status gs_fail_again(struct gs_err *err, const struct gs_err *why)
{
    if (why->status == GS_OK)
        return GS_OK;
    return gs_fail(err, why->status, "%s", why->text);
}

enum gs_status gs_fail_of_system(struct gs_err *err, enum gs_status status,
                                 const struct gs_err *why)
{
    return gs_status_is_of_system(status) ? gs_fail(err, status, "%s", why->text) : GS_OK;
}

enum gs_status gs_fail_memory(struct gs_err *err)
{
    return gs_fail(err, GS_ERR_MEMORY, "out of memory");
}

/*
 * The values of sysexits.h, because batch systems and scripts know them. There is no default
 * branch: the compiler then warns of a status without an exit code.
 */
int gs_exit_code(enum gs_status status)
{
    switch (status) {
    case GS_OK:
        return 0;
    case GS_FINDINGS:
        return 1;
    case GS_ERR_USAGE:
        return 2;
    case GS_ERR_DATA:
    case GS_ERR_RANGE:
        return 65;
    case GS_ERR_NOINPUT:
        return 66;
    case GS_ERR_UNAVAILABLE:
        return 69;
    case GS_ERR_INTERNAL:
        return 70;
    case GS_ERR_MEMORY:
        return 71;
    case GS_ERR_CANTCREATE:
        return 73;
    case GS_ERR_IO:
        return 74;
    case GS_ERR_AGAIN:
        return 75;
    }
    return 70;
}
