/* The tables of commands and options are well formed: what no compiler checks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/num/timestamp.h"
#include "app/cli/commands.h"
#include "app/cli/common.h"
#include "app/cli/help.h"

static size_t size_of(enum gs_opt_kind kind)
{
    switch (kind) {
    case GS_OPT_FLAG:
    case GS_OPT_CLEAR:
        return sizeof(bool);
    case GS_OPT_TEXT:
    case GS_OPT_FILE:
        return sizeof(const char *);
    case GS_OPT_LIST:
    case GS_OPT_FILES:
        return sizeof(struct gs_list);
    case GS_OPT_COUNT:
    case GS_OPT_SIZE:
        return sizeof(uint64_t);
    case GS_OPT_REAL:
    case GS_OPT_SHARE:
        return sizeof(double);
    case GS_OPT_DURATION:
    case GS_OPT_SHIFT:
        return sizeof(int64_t);
    case GS_OPT_CHOICE:
        return sizeof(int);
    case GS_OPT_ZONE:
        return sizeof(struct gs_zone);
    case GS_OPT_END:
    case GS_OPT_GROUP:
        break;
    }
    return 0;
}

/* A sentence of the help: not empty, no full stop, no capital at its start unless it is a name or acronym. */
static void check_words(const char *where, const char *text)
{
    const size_t len = text == NULL ? 0 : strlen(text);
    if (len == 0)
        fail_msg("%s: no text", where);
    if (text[len - 1] == '.' && !(len > 3 && strcmp(text + len - 3, "...") == 0))
        fail_msg("%s: '%s' ends in a full stop", where, text);
    if (text[0] >= 'A' && text[0] <= 'Z' && !(text[1] >= 'A' && text[1] <= 'Z'))
        fail_msg("%s: '%s' begins with a capital", where, text);
    if (strchr(text, '\n') != NULL || text[0] == ' ' || text[len - 1] == ' ')
        fail_msg("%s: '%s' has stray blanks", where, text);
}

static void check_option(const char *command, const struct gs_opt *o, size_t opts_size)
{
    char where[128];
    (void)snprintf(where, sizeof where, "%s --%s", command, o->name == NULL ? "?" : o->name);
    if (o->kind == GS_OPT_GROUP) {
        assert_non_null(o->help);
        return;
    }
    assert_non_null(o->name);
    check_words(where, o->help);
    if (o->name[strspn(o->name, "abcdefghijklmnopqrstuvwxyz0123456789-")] != '\0')
        fail_msg("%s: the name is not of small letters, digits and dashes", where);
    if (size_of(o->kind) == 0 || o->offset + size_of(o->kind) > opts_size)
        fail_msg("%s: its field lies outside the options", where);
    if (o->kind != GS_OPT_SHIFT && (o->kind == GS_OPT_CHOICE) != (o->choices != NULL))
        fail_msg("%s: choices and kind do not fit", where);
    if (o->max != 0 && o->min > o->max)
        fail_msg("%s: its bounds exclude everything", where);
}

static const struct gs_opt *next_option(const struct gs_command *c, const struct gs_opt *o)
{
    const struct gs_opt *next = o == NULL ? c->opts : o + 1;
    for (;;) {
        if (next == NULL)
            next = gs_common_opts;
        if (next->kind != GS_OPT_END)
            return next;
        /* the end of the command's own table leads on to the common one */
        const struct gs_opt *common_end = gs_common_opts;
        while (common_end->kind != GS_OPT_END)
            common_end++;
        if (next == common_end)
            return NULL;
        next = gs_common_opts;
    }
}

static void options_are_well_formed(void **state)
{
    (void)state;
    for (size_t i = 0; gs_commands[i] != NULL; i++)
        for (const struct gs_opt *o = gs_commands[i]->opts; o != NULL && o->kind != GS_OPT_END; o++)
            check_option(gs_commands[i]->name, o, gs_commands[i]->opts_size);
    for (const struct gs_opt *o = gs_common_opts; o->kind != GS_OPT_END; o++)
        check_option("every command", o, sizeof(struct gs_common));
}

static void no_two_options_of_a_command_share_a_name(void **state)
{
    (void)state;
    for (size_t i = 0; gs_commands[i] != NULL; i++) {
        const struct gs_command *const c = gs_commands[i];
        for (const struct gs_opt *a = next_option(c, NULL); a != NULL; a = next_option(c, a))
            for (const struct gs_opt *b = next_option(c, a); b != NULL; b = next_option(c, b)) {
                if (a->kind == GS_OPT_GROUP || b->kind == GS_OPT_GROUP)
                    continue;
                /* A command may have one of the common options in a form of its own: diff's --fail-if. */
                const bool own = b >= gs_common_opts && strcmp(a->name, "fail-if") == 0;
                if (strcmp(a->name, b->name) == 0 && !own)
                    fail_msg("%s: --%s stands there twice", c->name, a->name);
                if (a->short_name != '\0' && a->short_name == b->short_name)
                    fail_msg("%s: -%c is both --%s and --%s", c->name, a->short_name, a->name,
                             b->name);
            }
    }
}

static void commands_are_well_formed(void **state)
{
    (void)state;
    for (size_t i = 0; gs_commands[i] != NULL; i++) {
        const struct gs_command *const c = gs_commands[i];
        assert_non_null(c->run);
        check_words(c->name, c->summary);
        assert_ptr_equal(gs_command_find(c->name), c);
        assert_null(gs_builtin_find(c->name));
        assert_true(c->opts_size > 0);
        assert_true(c->operands_min <= c->operands_max);
        assert_true(c->operands_max == 0 ||
                    c->operands_offset + sizeof(struct gs_list) <= c->opts_size);
        assert_true((c->operands_max > 0) == (c->operands != NULL && c->operands[0] != '\0'));
        assert_true(!c->has_actions || (c->actions != NULL && c->operands_min > 0));
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(gs_commands[k]->name, c->name);
    }
    assert_null(gs_command_find("no such command"));
}

static void every_command_has_an_example_of_itself(void **state)
{
    (void)state;
    for (size_t i = 0; gs_commands[i] != NULL; i++) {
        const struct gs_command *const c = gs_commands[i];
        char start[64];
        (void)snprintf(start, sizeof start, "gpustat %s", c->name);
        if (c->examples == NULL || c->examples->command == NULL)
            fail_msg("%s: no example", c->name);
        for (const struct gs_example *e = c->examples; e->command != NULL; e++) {
            if (strstr(e->command, start) == NULL)
                fail_msg("%s: '%s' is no example of it", c->name, e->command);
            check_words(e->command, e->what);
        }
    }
}

static void there_are_commands(void **state)
{
    (void)state;
    assert_non_null(gs_commands[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_well_formed),
        cmocka_unit_test(no_two_options_of_a_command_share_a_name),
        cmocka_unit_test(commands_are_well_formed),
        cmocka_unit_test(every_command_has_an_example_of_itself),
        cmocka_unit_test(there_are_commands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
