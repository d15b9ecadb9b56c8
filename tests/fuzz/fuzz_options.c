/*
 * Any arguments against the table of any command: refused with a reason, or values within their bounds. The first
 * byte chooses the command; the others are arguments, each ended by a NUL.
 */
#include "target.h"
#include <math.h>

#include "app/cli/commands.h"
#include "app/cli/request.h"

enum { ARGUMENTS_MAX = 64 };

/* Is what an option holds within its bounds? Defaults out of them mean "not given". */
static void look_at(const struct gs_opt *opts, const void *target, const void *defaults)
{
    for (const struct gs_opt *o = opts; o != NULL && o->kind != GS_OPT_END; o++) {
        const char *const field = (const char *)target + o->offset;
        uint64_t count;
        int64_t ns;
        int index;
        double real;
        struct gs_list list;
        if (o->kind == GS_OPT_COUNT) {
            memcpy(&count, field, sizeof count);
            if (defaults == NULL ||
                memcmp(field, (const char *)defaults + o->offset, sizeof count) != 0)
                MUST(count >= o->min && (o->max == 0 || count <= o->max));
        } else if (o->kind == GS_OPT_DURATION) {
            memcpy(&ns, field, sizeof ns);
            if (defaults == NULL ||
                memcmp(field, (const char *)defaults + o->offset, sizeof ns) != 0)
                MUST(ns >= 0 && (uint64_t)ns >= o->min && (o->max == 0 || (uint64_t)ns <= o->max));
        } else if (o->kind == GS_OPT_CHOICE) {
            memcpy(&index, field, sizeof index);
            for (int i = 0; i <= index; i++)
                MUST(o->choices[i] != NULL);
        } else if (o->kind == GS_OPT_REAL) {
            memcpy(&real, field, sizeof real);
            if (defaults == NULL ||
                memcmp(field, (const char *)defaults + o->offset, sizeof real) != 0)
                MUST(isfinite(real));
        } else if (o->kind == GS_OPT_LIST || o->kind == GS_OPT_FILES) {
            memcpy(&list, field, sizeof list);
            for (size_t i = 0; i < list.n; i++)
                MUST(list.item[i] != NULL);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gs_arena arena = {0};
    struct gs_request r;
    struct gs_err err = {0};
    const char *args[ARGUMENTS_MAX];
    size_t n_commands = 0, n_args = 0;
    if (size < 1)
        return 0;
    while (gs_commands[n_commands] != NULL)
        n_commands++;
    char *const texts = gs_arena_copy(&arena, (const char *)data + 1, size - 1);
    MUST(texts != NULL);
    for (size_t i = 0; i < size - 1 && n_args < ARGUMENTS_MAX; i += strlen(texts + i) + 1)
        args[n_args++] = texts + i;
    gs_request_begin(&r, &arena, NULL, 1);
    r.command = gs_commands[data[0] % n_commands];
    const enum gs_status s = gs_request_parse(&r, args, n_args, &err);
    MUST(s == GS_OK || (s == GS_ERR_USAGE && err.text[0] != '\0') || s == GS_ERR_NOINPUT ||
         s == GS_ERR_DATA);
    if (s == GS_OK) {
        look_at(r.command->opts, r.parsed, r.command->defaults);
        look_at(gs_common_opts, &r.common, &gs_common_defaults);
        MUST(r.operands.n <= n_args);
    } else {
        for (const char *p = err.text; *p != '\0'; p++)
            MUST((unsigned char)*p >= ' ' && *p != 0x7f); /* nothing of it acts on a terminal */
    }
    gs_arena_release(&arena);
    return 0;
}
