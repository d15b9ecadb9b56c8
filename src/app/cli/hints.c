/* hints.c - see hints.h. */
#include "app/cli/hints.h"

#include <string.h>

#include "app/cli/commands.h"
#include "app/cli/common.h"

static bool has(const struct gs_opt *o, struct gs_str name)
{
    for (; o != NULL && o->kind != GS_OPT_END; o++)
        if (o->name != NULL && gs_str_eq(gs_str(o->name), name))
            return true;
    return false;
}

/* Is it the option of another command already: "gpustat map --events"? */
static bool is_of_another(const char *text, const char *at)
{
    const char *word = at;
    if (word > text)
        word--;
    while (word > text && word[-1] != ' ')
        word--;
    return word - text >= 8 && memcmp(word - 8, "gpustat ", 8) == 0;
}

const char *gs_hints_for(const struct gs_command *c, const char *text, struct gs_arena *arena)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz-";
    const struct gs_command *const map = gs_command_find("map");
    struct gs_buf b = {.arena = arena};
    if (c == NULL || !has(c->opts, gs_str("set"))) /* it reads no runs */
        return text;
    for (const char *p = text; *p != '\0';) {
        const char *const at = strstr(p, "--");
        if (at == NULL) {
            gs_buf_text(&b, p);
            break;
        }
        const struct gs_str name = {at + 2, strspn(at + 2, letters)};
        const bool begins = at == text || at[-1] == ' ' || at[-1] == '(';
        gs_buf_bytes(&b, p, (size_t)(at - p));
        if (begins && !has(c->opts, name) && !has(gs_common_opts, name) && has(map->opts, name) &&
            !is_of_another(text, at))
            gs_buf_text(&b, "gpustat map ");
        gs_buf_bytes(&b, at, 2 + name.len);
        p = name.ptr + name.len;
    }
    return b.failed ? text : gs_buf_str(&b).ptr;
}

void gs_hints_put(struct gs_buf *b, const char *text, const char *program)
{
    static const char own[] = "gpustat ";
    const char *from = text, *at = text;
    while ((at = strstr(at, own)) != NULL) {
        const char next = at[sizeof own - 1], before = at > text ? at[-1] : ' ';
        if (strchr(" '\n(`", before) != NULL && !gs_is_digit(next)) {
            gs_buf_bytes(b, from, (size_t)(at - from));
            gs_buf_text(b, program);
            from = at + sizeof own - 2;
        }
        at += sizeof own - 1;
    }
    gs_buf_text(b, from);
}
