/* pattern.c - matches patterns from left to right with one backtracking point. */
#include "base/core/pattern.h"

#include <string.h>

#include "base/num/order.h"
#include "base/os/path.h"

enum token {
    TOKEN_END,
    TOKEN_LITERAL,
    TOKEN_NUMBER,
    TOKEN_ANY,
    TOKEN_PART,
    TOKEN_GPU,
    TOKEN_HOST,
    TOKEN_BAD
};

/*
 * Reads the token at `at` and moves behind it. A brace that begins none of the words is an error and not a text: a typo
 * such as {hots} must not match silently.
 */
static enum token next_token(struct gs_str p, size_t *at, char *literal)
{
    static const struct {
        const char *text;
        enum token token;
    } parts[] = {{"{}", TOKEN_PART},
                 {"{gpu}", TOKEN_GPU},
                 {"{host}", TOKEN_HOST},
                 {"{number}", TOKEN_NUMBER}};
    if (*at == p.len)
        return TOKEN_END;
    const char c = p.ptr[(*at)++];
    if (c == '*')
        return TOKEN_ANY;
    if (c == '{') {
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            const size_t n = strlen(parts[i].text);
            if (p.len - (*at - 1) >= n && memcmp(p.ptr + *at - 1, parts[i].text, n) == 0) {
                *at += n - 1;
                return parts[i].token;
            }
        }
        return TOKEN_BAD;
    }
    if (c == '\\' && *at == p.len)
        return TOKEN_BAD;
    *literal = c;
    if (c == '\\')
        *literal = p.ptr[(*at)++];
    return TOKEN_LITERAL;
}

bool gs_pattern_is_literal(struct gs_str pattern)
{
    char c;
    for (size_t at = 0; at < pattern.len;)
        if (strchr("\\|", pattern.ptr[at]) != NULL || next_token(pattern, &at, &c) != TOKEN_LITERAL)
            return false;
    return true;
}

struct gs_str gs_pattern_take(struct gs_str *rest)
{
    size_t at = 0;
    while (at < rest->len && rest->ptr[at] != '|')
        at += rest->ptr[at] == '\\' ? 2 : 1;
    const struct gs_str one = gs_str_part(*rest, 0, gs_min(at, rest->len));
    *rest = gs_str_after(*rest, gs_min(at + 1, rest->len));
    return one;
}

/* Each part at most once, as there is one place for its text. */
static bool is_valid(struct gs_str pattern)
{
    size_t at = 0;
    unsigned seen = 0;
    char c;
    for (enum token t; (t = next_token(pattern, &at, &c)) != TOKEN_END;) {
        if (t == TOKEN_BAD || (t >= TOKEN_PART && (seen >> t & 1) != 0))
            return false;
        seen |= 1u << t;
    }
    return true;
}

bool gs_pattern_valid(struct gs_str pattern)
{
    bool valid = is_valid(gs_pattern_take(&pattern));
    while (valid && pattern.len > 0)
        valid = is_valid(gs_pattern_take(&pattern));
    return valid;
}

static void store(struct gs_kept *k, enum token t, struct gs_str text)
{
    if (t == TOKEN_PART)
        k->part = text;
    else if (t == TOKEN_GPU)
        k->gpu = text;
    else if (t == TOKEN_HOST)
        k->host = text;
}

static bool begins_number(struct gs_str text, size_t at)
{
    return at < text.len && gs_is_digit(text.ptr[at]) &&
           (at == 0 || !gs_is_digit(text.ptr[at - 1]));
}

/*
 * What stands between two wild tokens is taken where it comes first: that leaves most room for the rest, so
 * only the last wild token ever needs to grow.
 * The time is at most the product of both lengths: no pattern makes it exponential. A part must
 * have a byte, while * may be empty.
 */
static bool match(struct gs_str pattern, struct gs_str text, struct gs_kept *kept)
{
    struct gs_kept k = {{0}, {0}, {0}};
    enum token wild = TOKEN_END;
    size_t p = 0, t = 0, wild_from = 0, wild_to = 0, behind_wild = 0;
    for (;;) {
        size_t next = p;
        char c = '\0';
        const enum token token = next_token(pattern, &next, &c);
        if (token == TOKEN_BAD)
            return false;
        if (token == TOKEN_END && t == text.len) {
            if (wild != TOKEN_END)
                store(&k, wild, gs_str_part(text, wild_from, wild_to));
            *kept = k;
            return true;
        }
        if (token > TOKEN_NUMBER) {
            if (wild != TOKEN_END)
                store(&k, wild, gs_str_part(text, wild_from, wild_to));
            wild = token;
            wild_from = t;
            t += token != TOKEN_ANY;
            if (t > text.len)
                return false;
            wild_to = t;
            p = behind_wild = next;
        } else if (token == TOKEN_LITERAL && t < text.len && text.ptr[t] == c) {
            t++;
            p = next;
        } else if (token == TOKEN_NUMBER && begins_number(text, t)) {
            t = gs_str_skip(text, t, GS_ALL_DIGITS);
            p = next;
        } else if (wild == TOKEN_END || wild_to == text.len) {
            return false;
        } else {
            t = ++wild_to;
            p = behind_wild;
        }
    }
}

bool gs_pattern_match(struct gs_str pattern, struct gs_str text, struct gs_kept *kept)
{
    struct gs_kept unused;
    bool matches = match(gs_pattern_take(&pattern), text, kept != NULL ? kept : &unused);
    while (!matches && pattern.len > 0)
        matches = match(gs_pattern_take(&pattern), text, kept != NULL ? kept : &unused);
    return matches;
}

/*
 * From the end, component by component, so that a pattern need not name the directories above,
 * and * never crosses a slash. The ending of a packed file is no part of its name.
 */
bool gs_pattern_match_path(struct gs_str pattern, struct gs_str path, struct gs_kept *kept)
{
    struct gs_kept all = {{0}, {0}, {0}};
    struct gs_str p;
    path = gs_path_unpacked(path);
    while ((p = gs_path_take_last(&pattern)).ptr != NULL) {
        const struct gs_str t = gs_path_take_last(&path);
        struct gs_kept one;
        if (t.ptr == NULL || !gs_pattern_match(p, t, &one))
            return false;
        all.part = gs_str_or(one.part, all.part);
        all.gpu = gs_str_or(one.gpu, all.gpu);
        all.host = gs_str_or(one.host, all.host);
    }
    if (kept != NULL)
        *kept = all;
    return true;
}

void gs_pattern_put(struct gs_buf *b, struct gs_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (strchr("*{}|\\", text.ptr[i]) != NULL)
            gs_buf_char(b, '\\');
        gs_buf_char(b, text.ptr[i]);
    }
}
