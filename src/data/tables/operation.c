/* operation.c - recursive descent over the text of an operation, bounded in length, width and depth. */
#include "data/tables/operation.h"

#include <math.h>
#include <string.h>

#include "base/num/decimal.h"

struct scanner {
    struct gs_str text;
    size_t at;
    struct gs_arena *arena;
    struct gs_buf canonical;
    struct gs_err *err;
};

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void skip_blanks(struct scanner *s)
{
    s->at = gs_str_skip(s->text, s->at, " \t");
}

/* The next character that is not blank; NUL at the end (the text itself holds none, see parse). */
static char peek(struct scanner *s)
{
    skip_blanks(s);
    return s->at < s->text.len ? s->text.ptr[s->at] : '\0';
}

static enum gs_status expected(struct scanner *s, const char *what)
{
    skip_blanks(s);
    if (s->at == s->text.len)
        return gs_fail(s->err, GS_ERR_DATA, "%s expected at the end", what);
    const char *const found = GS_SHOWN(((struct gs_str){s->text.ptr + s->at, 1}), 16);
    return gs_fail(s->err, GS_ERR_DATA, "%s expected at character %zu, found '%s'", what, s->at + 1,
                   found);
}

/* The comma behind an item of a list, which the last one may lack. */
static enum gs_status parse_comma(struct scanner *s, char close)
{
    const char c = peek(s);
    s->at += c == ',';
    if (c != ',' && c != close)
        return expected(s, close == ')' ? "',' or ')'" : "',' or ']'");
    return GS_OK;
}

/* A bare word: letters, digits, '_' and dots. Used for names as well as for values like `row`. */
static struct gs_str parse_word(struct scanner *s)
{
    const size_t start = s->at;
    s->at = gs_str_skip(s->text, start, GS_ALL_LETTERS GS_ALL_DIGITS "_.");
    return gs_str_part(s->text, start, s->at);
}

/* What stands behind the last point: Conv2d of torch.nn.Conv2d. */
static struct gs_str last_part(struct gs_str word)
{
    return gs_str_after(word, gs_str_until_back(word, word.len, "."));
}

/* The text of a row is gone after the row: names and values are copied. */
static enum gs_status store(struct scanner *s, struct gs_str from, struct gs_str *to)
{
    char *const p = gs_arena_copy(s->arena, from.ptr, from.len);
    GS_TRY(gs_had_memory(p != NULL, s->err));
    *to = (struct gs_str){p, from.len};
    return GS_OK;
}

static enum gs_status parse_number(struct scanner *s, struct gs_op_value *v)
{
    const size_t start = s->at;
    if (s->text.ptr[s->at] == '-' || s->text.ptr[s->at] == '+')
        s->at++;
    while (s->at < s->text.len) {
        const char c = s->text.ptr[s->at];
        const char before = s->text.ptr[s->at - (s->at > start)];
        if (!gs_is_digit(c) && !is_letter(c) && c != '.' &&
            !((c == '-' || c == '+') && (before == 'e' || before == 'E')))
            break;
        s->at++;
    }
    const struct gs_str text = gs_str_part(s->text, start, s->at);
    if (gs_real_parse(text, &v->number) != GS_NUMBER_OK) {
        return gs_fail(s->err, GS_ERR_DATA, "'%s' at character %zu is not a number",
                       GS_SHOWN(text, 64), start + 1);
    }
    v->kind = GS_OP_NUMBER;
    char room[GS_REAL_TEXT_MAX];
    gs_buf_bytes(&s->canonical, room, (size_t)gs_real_format(room, v->number));
    return GS_OK;
}

/*
 * Neither quotes nor backslashes are allowed inside. The canonical form can then use one kind
 * of quote and no escapes, and two spellings of an operation compare equal as text.
 */
static enum gs_status parse_quoted(struct scanner *s, struct gs_op_value *v)
{
    const char quote = s->text.ptr[s->at++];
    const size_t start = s->at;
    for (; s->at < s->text.len && s->text.ptr[s->at] != quote; s->at++) {
        const char c = s->text.ptr[s->at];
        if (c < ' ' || c > '~' || c == '\\' || c == '"' || c == '\'')
            return expected(s, "a printable ASCII character other than a quote or backslash");
    }
    if (s->at == s->text.len)
        return expected(s, "a closing quote");
    const struct gs_str text = gs_str_part(s->text, start, s->at);
    s->at++;
    v->kind = GS_OP_TEXT;
    gs_buf_char(&s->canonical, '\'');
    gs_buf_add(&s->canonical, text);
    gs_buf_char(&s->canonical, '\'');
    return store(s, text, &v->text);
}

static enum gs_status parse_word_value(struct scanner *s, struct gs_op_value *v)
{
    const struct gs_str word = parse_word(s);
    gs_buf_add(&s->canonical, word);
    if (gs_str_eq(word, gs_str("None"))) {
        v->kind = GS_OP_NONE;
    } else if (gs_str_eq(word, gs_str("True")) || gs_str_eq(word, gs_str("False"))) {
        v->kind = GS_OP_BOOL;
        v->number = word.len == 4;
    } else {
        v->kind = GS_OP_TEXT;
        return store(s, word, &v->text);
    }
    return GS_OK;
}

static enum gs_status parse_value(struct scanner *s, int depth, struct gs_op_value *v);

/*
 * The text comes from a trace. Depth bounds the stack and width bounds the array on it; both
 * together bound what one operation can cost.
 */
static enum gs_status parse_tuple(struct scanner *s, int depth, struct gs_op_value *v)
{
    const char close = s->text.ptr[s->at] == '(' ? ')' : ']';
    if (depth == GS_OP_DEPTH_MAX)
        return gs_fail(s->err, GS_ERR_DATA, "tuples nested deeper than %d at character %zu",
                       GS_OP_DEPTH_MAX, s->at + 1);
    s->at++;
    gs_buf_char(&s->canonical, '(');
    struct gs_op_value item[GS_OP_ARGS_MAX];
    size_t n = 0;
    while (peek(s) != close) {
        if (n == GS_OP_ARGS_MAX)
            return gs_fail(s->err, GS_ERR_DATA, "a tuple of more than %d items", GS_OP_ARGS_MAX);
        gs_buf_text_if(&s->canonical, n > 0, ", ");
        GS_TRY(parse_value(s, depth + 1, &item[n++]));
        GS_TRY(parse_comma(s, close));
    }
    s->at++;
    gs_buf_text_if(&s->canonical, n == 1, ",");
    gs_buf_char(&s->canonical, ')');
    GS_NEW_RAW(struct gs_op_value, items, n, s->arena, s->err);
    if (n > 0)
        memcpy(items, item, n * sizeof *items);
    *v = (struct gs_op_value){.kind = GS_OP_TUPLE, .item = items, .n_items = n};
    return GS_OK;
}

static enum gs_status parse_value(struct scanner *s, int depth, struct gs_op_value *v)
{
    *v = (struct gs_op_value){0};
    const char c = peek(s);
    if (c == '(' || c == '[')
        return parse_tuple(s, depth, v);
    if (c == '\'' || c == '"')
        return parse_quoted(s, v);
    if (gs_is_digit(c) || c == '-' || c == '+' || c == '.')
        return parse_number(s, v);
    if (is_letter(c))
        return parse_word_value(s, v);
    return expected(s, "a value");
}

/*
 * NAME=VALUE or VALUE: a word followed by '=' is a name. One word of look-ahead: without '='
 * behind it the scanner goes back and reads a value.
 */
static enum gs_status parse_argument(struct scanner *s, struct gs_op_arg *arg)
{
    arg->name = GS_NO_STR;
    if (is_letter(peek(s))) {
        const size_t start = s->at;
        const struct gs_str word = parse_word(s);
        if (peek(s) == '=') {
            s->at++;
            gs_buf_add(&s->canonical, word);
            gs_buf_char(&s->canonical, '=');
            GS_TRY(store(s, word, &arg->name));
            return parse_value(s, 0, &arg->value);
        }
        s->at = start;
    }
    return parse_value(s, 0, &arg->value);
}

static enum gs_status parse_arguments(struct scanner *s, struct gs_op *op)
{
    struct gs_op_arg arg[GS_OP_ARGS_MAX];
    size_t n = 0;
    while (peek(s) != ')') {
        if (n == GS_OP_ARGS_MAX)
            return gs_fail(s->err, GS_ERR_DATA, "more than %d arguments", GS_OP_ARGS_MAX);
        gs_buf_text_if(&s->canonical, n > 0, ", ");
        GS_TRY(parse_argument(s, &arg[n]));
        if (arg[n].name.ptr == NULL && op->n_positional < n)
            return gs_fail(s->err, GS_ERR_DATA,
                           "a positional argument follows a named one at character %zu", s->at);
        for (size_t i = op->n_positional; i < n; i++)
            if (gs_str_eq(arg[i].name, arg[n].name))
                return gs_fail(s->err, GS_ERR_DATA, "'%s' is given twice", arg[n].name.ptr);
        op->n_positional += arg[n].name.ptr == NULL;
        n++;
        GS_TRY(parse_comma(s, ')'));
    }
    s->at++;
    GS_NEW_RAW(struct gs_op_arg, args, n, s->arena, s->err);
    if (n > 0)
        memcpy(args, arg, n * sizeof *args);
    op->arg = args;
    op->n_args = n;
    return GS_OK;
}

static enum gs_status check_length(struct gs_str text, struct gs_err *err)
{
    if (text.ptr == NULL || text.len == 0)
        return gs_fail(err, GS_ERR_DATA, "empty");
    if (text.len > GS_OP_TEXT_MAX)
        return gs_fail(err, GS_ERR_DATA, "longer than %d bytes", GS_OP_TEXT_MAX);
    return memchr(text.ptr, '\0', text.len) == NULL ? GS_OK
                                                    : gs_fail(err, GS_ERR_DATA, "holds a NUL byte");
}

/*
 * *op is written last: on failure the caller's value is untouched. The canonical text is the
 * identity of an operation, so equal operations in different spellings share a model.
 */
enum gs_status gs_op_parse(struct gs_str text, struct gs_arena *arena, struct gs_op *op,
                           struct gs_err *err)
{
    GS_TRY(check_length(text, err));
    struct scanner s = {.text = text, .arena = arena, .canonical = {.arena = arena}, .err = err};
    struct gs_op parsed = {0};
    if (!is_letter(peek(&s)))
        return expected(&s, "the name of an operation");
    const struct gs_str kind = last_part(parse_word(&s));
    if (kind.len == 0 || !is_letter(kind.ptr[0]))
        return gs_fail(err, GS_ERR_DATA,
                       "a name expected behind the last point of the operation's name");
    gs_buf_add(&s.canonical, kind);
    gs_buf_char(&s.canonical, '(');
    GS_TRY(store(&s, kind, &parsed.kind));
    if (peek(&s) == '(') {
        s.at++;
        GS_TRY(parse_arguments(&s, &parsed));
    }
    if (peek(&s) != '\0')
        GS_TRY(expected(&s, "nothing more"));
    gs_buf_char(&s.canonical, ')');
    GS_TRY(gs_had_memory(!s.canonical.failed, err));
    parsed.canonical = gs_buf_str(&s.canonical);
    *op = parsed;
    return GS_OK;
}

/* A name wins over a position, as in Python. Arguments before n_positional have no name. */
const struct gs_op_value *gs_op_find(const struct gs_op *op, const char *name, int position)
{
    const struct gs_str wanted = gs_str(name);
    for (size_t i = op->n_positional; i < op->n_args; i++)
        if (gs_str_eq(op->arg[i].name, wanted))
            return &op->arg[i].value;
    return position >= 0 && (size_t)position < op->n_positional ? &op->arg[position].value : NULL;
}

/*
 * The bound on a dimension keeps every one exact as a double, so the comparison with floor() is
 * a true test for an integer.
 */
enum gs_status gs_op_size_parse(struct gs_str text, struct gs_arena *arena, struct gs_op_size *size,
                                struct gs_err *err)
{
    GS_TRY(check_length(text, err));
    struct scanner s = {.text = text, .arena = arena, .canonical = {.arena = arena}, .err = err};
    struct gs_op_value v = {0};
    GS_TRY(parse_value(&s, 0, &v));
    if (peek(&s) != '\0')
        GS_TRY(expected(&s, "nothing more"));
    const struct gs_op_value *const item = v.kind == GS_OP_TUPLE ? v.item : &v;
    const size_t n = v.kind == GS_OP_TUPLE ? v.n_items : 1;
    if (n < 1 || n > GS_OP_DIMS_MAX)
        return gs_fail(err, GS_ERR_DATA, "%zu dimensions, expected 1 to %d", n, GS_OP_DIMS_MAX);
    struct gs_op_size parsed = {.n = n};
    for (size_t i = 0; i < n; i++) {
        const double d = item[i].number;
        if (item[i].kind != GS_OP_NUMBER || !(d >= 1.0 && d <= (double)GS_OP_DIM_MAX) ||
            d != floor(d))
            return gs_fail(err, GS_ERR_DATA, "dimension %zu is not an integer from 1 to %lld",
                           i + 1, (long long)GS_OP_DIM_MAX);
        parsed.dim[i] = (int64_t)d;
    }
    struct gs_buf canonical = {.arena = arena};
    for (size_t i = 0; i < n; i++)
        gs_buf_format(&canonical, "%s%lld", i == 0 ? "(" : ", ", (long long)parsed.dim[i]);
    gs_buf_text_if(&canonical, n == 1, ",");
    gs_buf_char(&canonical, ')');
    GS_TRY(gs_had_memory(!canonical.failed, err));
    parsed.canonical = gs_buf_str(&canonical);
    *size = parsed;
    return GS_OK;
}
