/* completion.c - completion scripts for bash, zsh and fish, from the tables of options. */
#include <string.h>

#include "app/cli/commands.h"
#include "app/cli/common.h"
#include "app/cli/help.h"
#include "output/escape/escape.h"

/* Text inside single quotes, in a spec of zsh's _arguments or _describe, where brackets, colons and backslashes act. */
static void zsh_quoted(struct gs_buf *b, const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr("[]:\\", *text) != NULL)
            gs_buf_char(b, '\\');
        if (*text == '\'')
            gs_buf_text(b, "'\\''");
        else
            gs_buf_char(b, *text);
    }
}

/* Text inside single quotes of fish. */
static void fish_quoted(struct gs_buf *b, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'' || *text == '\\')
            gs_buf_char(b, '\\');
        gs_buf_char(b, *text);
    }
}

static bool is_option(const struct gs_opt *o)
{
    return o->kind > GS_OPT_GROUP;
}

static bool accepts_file(const struct gs_opt *o)
{
    return o->kind == GS_OPT_FILE || o->kind == GS_OPT_FILES;
}

static void command_names(struct gs_buf *b)
{
    for (size_t i = 0; gs_commands[i] != NULL; i++) {
        gs_buf_text_if(b, i > 0, " ");
        gs_buf_text(b, gs_commands[i]->name);
    }
}

static void names(struct gs_buf *b, const char *const *list,
                  void (*add)(struct gs_buf *, const char *))
{
    for (size_t i = 0; list[i] != NULL; i++) {
        gs_buf_text_if(b, i > 0, " ");
        add(b, list[i]);
    }
}

static void builtin_names(struct gs_buf *b)
{
    for (const struct gs_builtin *k = gs_builtins; k->name != NULL; k++)
        if (!k->hidden)
            gs_buf_format(b, " %s", k->name);
}

/* The `case` branches that complete the value of an option; `command` is "*" for those of every command. */
static void bash_values(struct gs_buf *b, const char *command, const struct gs_opt *opts)
{
    for (const struct gs_opt *o = opts; o != NULL && o->kind != GS_OPT_END; o++) {
        if (!is_option(o) || !gs_opt_has_value(o))
            continue;
        gs_buf_format(b, "    %s,--%s", command, o->name);
        if (o->short_name != '\0')
            gs_buf_format(b, "|%s,-%c", command, o->short_name);
        gs_buf_text(b, ")\n");
        if (o->kind == GS_OPT_CHOICE) {
            gs_buf_text(b, "        mapfile -t COMPREPLY < <(compgen -W '");
            names(b, o->choices, gs_buf_sh);
            gs_buf_text(b, "' -- \"$cur\")\n");
        } else if (!accepts_file(o)) {
            gs_buf_text(b, "        compopt +o default\n");
        }
        gs_buf_text(b, "        return ;;\n");
    }
}

static void bash_options(struct gs_buf *b, const struct gs_opt *opts)
{
    for (const struct gs_opt *o = opts; o != NULL && o->kind != GS_OPT_END; o++)
        if (is_option(o))
            gs_buf_format(b, " --%s", o->name);
}

void gs_completion_bash(struct gs_buf *b, const char *program)
{
    gs_buf_format(b, "# bash completion for %s; made by `gpustat completion bash`\n", program);
    gs_buf_text(b,
                "_gpustat()\n{\n"
                "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words\n"
                "    COMPREPLY=()\n"
                "    if [[ $cur == '=' ]]; then\n"
                "        cur=\n"
                "    elif [[ $prev == '=' ]]; then\n"
                "        prev=${COMP_WORDS[COMP_CWORD-2]}\n"
                "    fi\n"
                "    if ((COMP_CWORD == 1)); then\n"
                "        mapfile -t COMPREPLY < <(compgen -W '");
    command_names(b);
    builtin_names(b);
    gs_buf_text(b, " --help --version' -- \"$cur\")\n"
                   "        return\n"
                   "    fi\n"
                   "    case ${COMP_WORDS[1]},$prev in\n");
    for (size_t i = 0; gs_commands[i] != NULL; i++)
        bash_values(b, gs_commands[i]->name, gs_commands[i]->opts);
    bash_values(b, "*", gs_common_opts);
    gs_buf_text(b, "    esac\n"
                   "    case ${COMP_WORDS[1]} in\n"
                   "    help)\n        words='");
    command_names(b);
    gs_buf_text(b, "' ;;\n    completion)\n        words='bash zsh fish' ;;\n");
    for (size_t i = 0; gs_commands[i] != NULL; i++) {
        const struct gs_command *const c = gs_commands[i];
        gs_buf_format(b, "    %s)\n        words='", c->name);
        bash_options(b, c->opts);
        bash_options(b, gs_common_opts_beside(c->opts, b->arena));
        gs_buf_text(b, "'\n");
        if (c->has_actions) {
            gs_buf_text(b, "        ((COMP_CWORD == 2)) && [[ $cur != -* ]] && words='");
            names(b, c->actions, gs_buf_text);
            gs_buf_text(b, "' cur=\"$cur\" && mapfile -t COMPREPLY < <(compgen -W \"$words\" -- "
                           "\"$cur\") && return\n");
        }
        gs_buf_text(b, "        [[ $cur == -* ]] || return ;;\n");
    }
    gs_buf_text(b, "    *)\n        return ;;\n    esac\n"
                   "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
                   "}\n");
    gs_buf_format(b, "complete -o default -F _gpustat %s\n", program);
}

static void zsh_options(struct gs_buf *b, const struct gs_opt *opts)
{
    for (const struct gs_opt *o = opts; o != NULL && o->kind != GS_OPT_END; o++) {
        const bool value = gs_opt_has_value(o);
        const bool again = o->kind == GS_OPT_LIST || o->kind == GS_OPT_FILES;
        if (!is_option(o))
            continue;
        const char *const equals = value ? "=" : "";
        gs_buf_text(b, " \\\n            ");
        if (o->short_name != '\0' && again)
            gs_buf_format(b, "'*'{-%c+,--%s=}'[", o->short_name, o->name);
        else if (o->short_name != '\0')
            gs_buf_format(b, "'(-%c --%s)'{-%c%s,--%s%s}'[", o->short_name, o->name, o->short_name,
                          value ? "+" : "", o->name, equals);
        else
            gs_buf_format(b, "'%s--%s%s[", again ? "*" : "", o->name, equals);
        zsh_quoted(b, o->help);
        gs_buf_char(b, ']');
        if (value) {
            gs_buf_format(b, ":%s:", o->name);
            if (accepts_file(o))
                gs_buf_text(b, "_files");
            if (o->kind == GS_OPT_CHOICE) {
                gs_buf_char(b, '(');
                names(b, o->choices, zsh_quoted);
                gs_buf_char(b, ')');
            }
        }
        gs_buf_char(b, '\'');
    }
}

static void zsh_description(struct gs_buf *b, const char *name, const char *summary)
{
    gs_buf_format(b, "        '%s:", name);
    zsh_quoted(b, summary);
    gs_buf_text(b, "'\n");
}

void gs_completion_zsh(struct gs_buf *b, const char *program)
{
    gs_buf_format(b, "#compdef %s\n# zsh completion for %s; made by `gpustat completion zsh`\n",
                  program, program);
    gs_buf_text(b, "_gpustat()\n{\n"
                   "    local curcontext=\"$curcontext\" state line\n"
                   "    local -a commands\n"
                   "    commands=(\n");
    for (size_t i = 0; gs_commands[i] != NULL; i++)
        zsh_description(b, gs_commands[i]->name, gs_commands[i]->summary);
    for (const struct gs_builtin *k = gs_builtins; k->name != NULL; k++)
        if (!k->hidden)
            zsh_description(b, k->name, k->summary);
    gs_buf_text(b, "    )\n"
                   "    _arguments -C '1:command:->command' '*::argument:->argument'\n"
                   "    case $state in\n"
                   "    command)\n        _describe command commands ;;\n"
                   "    argument)\n        case $line[1] in\n"
                   "        help)\n            _describe command commands ;;\n"
                   "        completion)\n            _arguments '1:shell:(bash zsh fish)' ;;\n");
    for (size_t i = 0; gs_commands[i] != NULL; i++) {
        const struct gs_command *const c = gs_commands[i];
        gs_buf_format(b, "        %s)\n            _arguments -s -S", c->name);
        zsh_options(b, c->opts);
        zsh_options(b, gs_common_opts_beside(c->opts, b->arena));
        if (c->has_actions) {
            gs_buf_text(b, " \\\n            '1:action:(");
            names(b, c->actions, gs_buf_text);
            gs_buf_text(b, ")'");
        }
        gs_buf_text(b, " \\\n            '*:file:_files' ;;\n");
    }
    gs_buf_text(b, "        esac ;;\n    esac\n}\n"
                   "if [[ $funcstack[1] == _gpustat ]]; then\n    _gpustat \"$@\"\nelse\n");
    gs_buf_format(b, "    compdef _gpustat %s\nfi\n", program);
}

static void fish_option(struct gs_buf *b, const char *program, const char *condition,
                        const struct gs_opt *o)
{
    gs_buf_format(b, "complete -c %s -n '%s'", program, condition);
    if (o->short_name != '\0')
        gs_buf_format(b, " -s %c", o->short_name);
    gs_buf_format(b, " -l %s", o->name);
    if (accepts_file(o))
        gs_buf_text(b, " -rF");
    else if (gs_opt_has_value(o))
        gs_buf_text(b, " -x");
    if (o->kind == GS_OPT_CHOICE) {
        gs_buf_text(b, " -a '");
        names(b, o->choices, fish_quoted);
        gs_buf_char(b, '\'');
    }
    gs_buf_text(b, " -d '");
    fish_quoted(b, o->help);
    gs_buf_text(b, "'\n");
}

static void fish_word(struct gs_buf *b, const char *program, const char *condition,
                      const char *word, const char *summary)
{
    gs_buf_format(b, "complete -c %s -n '%s' -f -a %s -d '", program, condition, word);
    fish_quoted(b, summary);
    gs_buf_text(b, "'\n");
}

void gs_completion_fish(struct gs_buf *b, const char *program)
{
    static const char first[] = "__fish_use_subcommand";
    gs_buf_format(b, "# fish completion for %s; made by `gpustat completion fish`\n", program);
    for (const struct gs_builtin *k = gs_builtins; k->name != NULL; k++)
        if (!k->hidden)
            fish_word(b, program, first, k->name, k->summary);
    fish_word(b, program, "__fish_seen_subcommand_from completion", "'bash zsh fish'", "shell");
    for (size_t i = 0; gs_commands[i] != NULL; i++) {
        const struct gs_command *const c = gs_commands[i];
        const char *const condition =
            gs_format(b->arena, "__fish_seen_subcommand_from %s", c->name);
        if (condition == NULL) {
            b->failed = true;
            return;
        }
        fish_word(b, program, first, c->name, c->summary);
        fish_word(b, program, "__fish_seen_subcommand_from help", c->name, c->summary);
        for (size_t k = 0; c->has_actions && c->actions[k] != NULL; k++)
            fish_word(b, program, condition, c->actions[k], "action");
        for (const struct gs_opt *o = c->opts; o != NULL && o->kind != GS_OPT_END; o++)
            if (is_option(o))
                fish_option(b, program, condition, o);
        for (const struct gs_opt *o = gs_common_opts_beside(c->opts, b->arena);
             o->kind != GS_OPT_END; o++)
            fish_option(b, program, condition, o);
    }
}
