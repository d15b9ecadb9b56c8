/* status.c - failure texts and exit codes. */
#include "base/core/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/*
 * Allocates nothing, so that it can report that memory ran out. The text is cut with "..."
 * rather than lost.
 */
enum gs_status gs_fail(struct gs_err *err, enum gs_status status, const char *format, ...)
{
    if (err != NULL) {
        va_list ap;
        va_start(ap, format);
        const int n = vsnprintf(err->text, sizeof err->text, format, ap);
        va_end(ap);
        if (n < 0)
            err->text[0] = '\0';
        else if ((size_t)n >= sizeof err->text)
            memcpy(err->text + sizeof err->text - 4, "...", 4);
        err->status = status;
    }
    return status;
}

enum gs_status gs_fail_again(struct gs_err *err, const struct gs_err *why)
{
    if (why->status == GS_OK)
        return GS_OK;
    return gs_fail(err, why->status, "%s", why->text);
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
