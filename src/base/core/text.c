/* text.c - counted text, buffers, terminal-safe escaping. */
#define _GNU_SOURCE /* memmem */
#include "base/core/text.h"
#include "base/num/order.h"

#include <stdio.h>
#include <string.h>

struct gs_str gs_str(const char *text)
{
    return (struct gs_str){text, text == NULL ? 0 : strlen(text)};
}

/*
 * A missing text and an empty one differ: unknown is not empty. Length 0 is tested before
 * memcmp, which must not be called with NULL even for no bytes.
 */
bool gs_str_eq(struct gs_str a, struct gs_str b)
{
    return a.len == b.len && (a.ptr == NULL) == (b.ptr == NULL) &&
           (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

struct gs_str gs_uuid_brief(struct gs_str name)
{
    enum { UUID_LEN = 40, BLOCK_LEN = 12 };
    if (name.len >= UUID_LEN && gs_str_begins(gs_str_after(name, name.len - UUID_LEN), "GPU-"))
        name.len -= UUID_LEN - BLOCK_LEN;
    return name;
}

bool gs_str_begins(struct gs_str text, const char *with)
{
    const size_t n = strlen(with);
    return text.len >= n && memcmp(text.ptr, with, n) == 0;
}

bool gs_str_ends(struct gs_str text, const char *with)
{
    const size_t n = strlen(with);
    return text.len >= n && memcmp(text.ptr + text.len - n, with, n) == 0;
}

/* The length of the text means "not found", so that `< len` is the test everywhere. */
size_t gs_str_find(struct gs_str text, const char *what)
{
    if (text.len == 0)
        return 0;
    const char *const at = memmem(text.ptr, text.len, what, strlen(what));
    return at == NULL ? text.len : (size_t)(at - text.ptr);
}

size_t gs_str_find_byte(struct gs_str text, char what)
{
    if (text.len == 0)
        return 0;
    const char *const at = memchr(text.ptr, what, text.len);
    return at == NULL ? text.len : (size_t)(at - text.ptr);
}

/* The first place from `at` on whose byte is in the set, or is not, as `wanted` says. A NUL is in no set. */
static size_t find_in_set(struct gs_str text, size_t at, const char *set, bool wanted)
{
    const size_t n = strlen(set);
    while (at < text.len && (memchr(set, text.ptr[at], n) != NULL) != wanted)
        at++;
    return at;
}

static size_t find_in_set_back(struct gs_str text, size_t at, const char *set, bool wanted)
{
    const size_t n = strlen(set);
    while (at > 0 && (memchr(set, text.ptr[at - 1], n) != NULL) != wanted)
        at--;
    return at;
}

size_t gs_str_skip(struct gs_str text, size_t at, const char *set)
{
    return find_in_set(text, at, set, false);
}

size_t gs_str_until(struct gs_str text, size_t at, const char *set)
{
    return find_in_set(text, at, set, true);
}

size_t gs_str_skip_back(struct gs_str text, size_t at, const char *set)
{
    return find_in_set_back(text, at, set, false);
}

size_t gs_str_until_back(struct gs_str text, size_t at, const char *set)
{
    return find_in_set_back(text, at, set, true);
}

struct gs_str gs_str_strip(struct gs_str text, const char *set)
{
    text = gs_str_after(text, gs_str_skip(text, 0, set));
    text.len = gs_str_skip_back(text, text.len, set);
    return text;
}

struct gs_str gs_str_take(struct gs_str *rest, char end)
{
    const struct gs_str taken = {rest->ptr, gs_str_find_byte(*rest, end)};
    *rest = gs_str_after(*rest, gs_min(taken.len + 1, rest->len));
    return taken;
}

int gs_str_compare(struct gs_str a, struct gs_str b)
{
    if (a.ptr == NULL || b.ptr == NULL)
        return (a.ptr != NULL) - (b.ptr != NULL);
    const size_t n = gs_min(a.len, b.len);
    if (n > 0)
        GS_DIFFER(memcmp(a.ptr, b.ptr, n));
    return gs_cmp(a.len, b.len);
}

/* Of the process, never released: a file may be named in the last message that is printed. */
static struct stand_in {
    struct gs_str path, name;
    struct stand_in *next;
} * stand_ins;
static struct gs_arena stand_in_arena;

bool gs_file_is_substitute(struct gs_str path, struct gs_str name)
{
    struct stand_in *const s = gs_arena_take(&stand_in_arena, 1, sizeof *s);
    const char *const p = gs_arena_copy(&stand_in_arena, path.ptr, path.len),
                      *const n = gs_arena_copy(&stand_in_arena, name.ptr, name.len);
    if (s == NULL || p == NULL || n == NULL)
        return false;
    *s = (struct stand_in){{p, path.len}, {n, name.len}, stand_ins};
    stand_ins = s;
    return true;
}

struct gs_str gs_file_called(struct gs_str path)
{
    for (const struct stand_in *s = stand_ins; s != NULL; s = s->next)
        if (gs_str_eq(path, s->path))
            return s->name;
    return gs_str_eq(path, gs_str("-")) ? gs_str("standard input") : path;
}

static bool is_digit_at(struct gs_str t, size_t i)
{
    return i < t.len && gs_is_digit(t.ptr[i]);
}

/* The end of a run of digits, `*start` behind its leading zeros. */
static size_t digits_end(struct gs_str t, size_t *start)
{
    while (is_digit_at(t, *start) && t.ptr[*start] == '0' && is_digit_at(t, *start + 1))
        ++*start;
    size_t end = *start;
    while (is_digit_at(t, end))
        end++;
    return end;
}

enum { HEX_MIN = 8 }; /* a part of a UUID or a digest, not a number */

/* The letters and digits that begin at `i`, where they are that many hexadecimal digits; else empty. */
static struct gs_str hex_at(struct gs_str t, size_t i)
{
    if (i > 0 && gs_is_alnum(t.ptr[i - 1]))
        return GS_NO_STR;
    const size_t end = gs_str_skip(t, i, GS_ALL_DIGITS "abcdefABCDEF");
    if (end - i < HEX_MIN || (end < t.len && gs_is_alnum(t.ptr[end])))
        return GS_NO_STR;
    return gs_str_part(t, i, end);
}

/*
 * A total order, as sorting needs: texts that differ only in leading zeros (gpu1, gpu01) are
 * equal by value and are then ordered by their bytes, never left to the sorting method.
 */
int gs_str_compare_natural(struct gs_str a, struct gs_str b)
{
    size_t i = 0, k = 0;
    if (a.ptr == NULL || b.ptr == NULL)
        return gs_str_compare(a, b);
    while (i < a.len && k < b.len) {
        const struct gs_str hex_a = hex_at(a, i), hex_b = hex_at(b, k);
        /* behind all other words, so that the order is total */
        if (hex_a.len > 0 || hex_b.len > 0) {
            GS_DIFFER(gs_cmp(hex_a.len, hex_b.len));
            GS_DIFFER(memcmp(hex_a.ptr, hex_b.ptr, hex_a.len));
            i += hex_a.len;
            k += hex_b.len;
        } else if (is_digit_at(a, i) && is_digit_at(b, k)) {
            const size_t end_a = digits_end(a, &i), end_b = digits_end(b, &k);
            const struct gs_str x = {a.ptr + i, end_a - i}, y = {b.ptr + k, end_b - k};
            if (x.len != y.len) /* of numbers without leading zeros the longer is larger */
                return gs_cmp(x.len, y.len);
            const int order = memcmp(x.ptr, y.ptr, x.len);
            if (order != 0)
                return order;
            i = end_a;
            k = end_b;
        } else if (a.ptr[i] != b.ptr[k]) {
            return gs_cmp((unsigned char)a.ptr[i], (unsigned char)b.ptr[k]);
        } else {
            i++;
            k++;
        }
    }
    GS_DIFFER(gs_cmp(a.len - i, b.len - k));
    return gs_str_compare(a, b);
}

bool gs_str_eq_nocase(struct gs_str a, struct gs_str b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (gs_lower(a.ptr[i]) != gs_lower(b.ptr[i]))
            return false;
    return true;
}

bool gs_str_is_one_of(struct gs_str text, const char *const *word, size_t n)
{
    for (size_t i = 0; text.len > 0 && i < n; i++)
        if (gs_lower(text.ptr[0]) == gs_lower(word[i][0]) &&
            gs_str_eq_nocase(text, gs_str(word[i])))
            return true;
    return false;
}

bool gs_is_word_of(struct gs_str text, const char *list)
{
    struct gs_str rest = gs_str(list);
    while (rest.len > 0) {
        const struct gs_str word = gs_str_take(&rest, ' ');
        const bool exact = word.ptr[0] >= 'A' && word.ptr[0] <= 'Z';
        if (exact ? gs_str_eq(text, word) : gs_str_eq_nocase(text, word))
            return true;
    }
    return false;
}

/*
 * Failure is kept in the buffer and every later append does nothing. A writer may append many
 * parts and check `failed` once at the end.
 */
bool gs_buf_reserve(struct gs_buf *b, size_t more)
{
    if (b->failed)
        return false;
    if (b->capacity - b->len > more)
        return true;
    /* One byte more than asked for, because the text is always closed with NUL. */
    const size_t needed = b->len + more + 1,
                 capacity = gs_max(gs_max(256, b->capacity * 2), needed);
    char *p = NULL;
    if (needed > more)
        p = gs_arena_grow(b->arena, b->ptr, b->capacity, capacity, 1);
    if (p == NULL) {
        b->failed = true;
        return false;
    }
    b->ptr = p;
    b->capacity = capacity;
    return true;
}

void gs_buf_bytes(struct gs_buf *b, const char *bytes, size_t len)
{
    if (!gs_buf_reserve(b, len))
        return;
    if (len > 0)
        memcpy(b->ptr + b->len, bytes, len);
    b->len += len;
    b->ptr[b->len] = '\0';
}

void gs_buf_text(struct gs_buf *b, const char *text)
{
    gs_buf_bytes(b, text, strlen(text));
}

void gs_buf_format_list(struct gs_buf *b, const char *format, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    const int n = vsnprintf(NULL, 0, format, ap);
    if (n >= 0 && gs_buf_reserve(b, (size_t)n)) {
        (void)vsnprintf(b->ptr + b->len, (size_t)n + 1, format, again);
        b->len += (size_t)n;
    } else {
        b->failed = true;
    }
    va_end(again);
}

void gs_buf_format(struct gs_buf *b, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    gs_buf_format_list(b, format, ap);
    va_end(ap);
}

char *gs_format(struct gs_arena *a, const char *format, ...)
{
    struct gs_buf b = {.arena = a};
    va_list ap;
    va_start(ap, format);
    gs_buf_format_list(&b, format, ap);
    va_end(ap);
    return gs_buf_whole(&b);
}

void gs_buf_doubled(struct gs_buf *b, struct gs_str text, char mark)
{
    while (text.len > 0) {
        const char *const hit = memchr(text.ptr, mark, text.len);
        if (hit == NULL) {
            gs_buf_bytes(b, text.ptr, text.len);
            return;
        }
        const size_t n = (size_t)(hit - text.ptr) + 1;
        gs_buf_bytes(b, text.ptr, n);
        gs_buf_char(b, mark);
        text = gs_str_after(text, n);
    }
}

bool gs_str_copy(struct gs_arena *a, struct gs_str text, struct gs_str *to)
{
    const char *const copy = text.ptr == NULL ? NULL : gs_arena_copy(a, text.ptr, text.len);
    *to = (struct gs_str){copy, copy == NULL ? 0 : text.len};
    return copy != NULL || text.ptr == NULL;
}

struct gs_str gs_str_joined(struct gs_arena *a, struct gs_str first, const char *between,
                            struct gs_str second)
{
    struct gs_buf b = {.arena = a};
    gs_buf_add(&b, first);
    gs_buf_text(&b, between);
    gs_buf_add(&b, second);
    return b.failed ? GS_NO_STR : gs_buf_str(&b);
}

char *gs_escaped(struct gs_arena *a, struct gs_str text, size_t max)
{
    struct gs_buf b = {.arena = a};
    gs_buf_bytes(&b, "", 0);
    gs_buf_escaped(&b, text, max);
    return gs_buf_whole(&b);
}

void gs_buf_capital(struct gs_buf *b, const char *text)
{
    if (text[0] == '\0')
        return;
    gs_buf_char(b, gs_upper(text[0]));
    gs_buf_text(b, text + 1);
}

void gs_buf_upper(struct gs_buf *b, const char *text)
{
    for (; *text != '\0'; text++)
        gs_buf_char(b, gs_upper(*text));
}

struct gs_str gs_buf_str(const struct gs_buf *b)
{
    return (struct gs_str){gs_or_empty(b->ptr), b->len};
}

void gs_buf_code_point(struct gs_buf *b, unsigned c)
{
    if (c < 0x80) {
        gs_buf_char(b, (char)c);
        return;
    }
    if (c >= 0x10000) {
        gs_buf_char(b, (char)(0xf0 | c >> 18));
        gs_buf_char(b, (char)(0x80 | (c >> 12 & 0x3f)));
    } else if (c >= 0x800) {
        gs_buf_char(b, (char)(0xe0 | c >> 12));
    }
    gs_buf_char(b, c < 0x800 ? (char)(0xc0 | c >> 6) : (char)(0x80 | (c >> 6 & 0x3f)));
    gs_buf_char(b, (char)(0x80 | (c & 0x3f)));
}

/*
 * Rejects overlong forms, surrogates and code points beyond U+10FFFF. An overlong form could
 * hide a control character from is_unsafe.
 */
size_t gs_utf8_next(struct gs_str text, unsigned *code_point)
{
    const unsigned char *const s = (const unsigned char *)text.ptr;
    const unsigned c = s[0];
    if (c < 0x80) {
        *code_point = c;
        return 1;
    }
    size_t len = 2;
    if (c >= 0xf0)
        len = 4;
    else if (c >= 0xe0)
        len = 3;
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (c < 0xc2 || c > 0xf4 || text.len < len)
        return 0;
    unsigned v = c & (0x7fu >> len);
    for (size_t i = 1; i < len; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        v = v << 6 | (s[i] & 0x3f);
    }
    if (v < least[len] || v > 0x10ffff || (v >= 0xd800 && v <= 0xdfff))
        return 0;
    *code_point = v;
    return len;
}

/*
 * Code points that move the cursor, hide text or reorder it. Names and paths come from the
 * logs. A terminal that gets these bytes unescaped could be made to hide or rewrite earlier
 * lines.
 */
static bool is_unsafe(unsigned c)
{
    return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x061c || (c >= 0x200b && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
           (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe007f);
}

/* Writes the safe form of the sequence at `text` into out[16]; returns the bytes consumed. */
static size_t escape_one(struct gs_str text, char out[16], size_t *out_len)
{
    unsigned c;
    const size_t n = gs_utf8_next(text, &c);
    int w;
    if (n == 0)
        w = snprintf(out, 16, "\\x%02X", (unsigned)(unsigned char)text.ptr[0]);
    else if (c == '\\')
        w = snprintf(out, 16, "\\\\");
    else if (c == '\n')
        w = snprintf(out, 16, "\\n");
    else if (c == '\t')
        w = snprintf(out, 16, "\\t");
    else if (c == '\r')
        w = snprintf(out, 16, "\\r");
    else if (is_unsafe(c))
        w = snprintf(out, 16, c < 0x80 ? "\\x%02X" : "\\u{%X}", c);
    else {
        memcpy(out, text.ptr, n);
        w = (int)n;
    }
    *out_len = (size_t)w;
    return gs_max(n, 1);
}

/*
 * `max` counts bytes of input and is checked between sequences, so no UTF-8 sequence is cut in
 * two.
 */
void gs_buf_escaped(struct gs_buf *b, struct gs_str text, size_t max)
{
    size_t i = 0;
    while (i < text.len) {
        if (max > 0 && i >= max) {
            gs_buf_text(b, "...");
            return;
        }
        char one[16];
        size_t n;
        i += escape_one((struct gs_str){text.ptr + i, text.len - i}, one, &n);
        gs_buf_bytes(b, one, n);
    }
}

void gs_buf_terminal(struct gs_buf *b, struct gs_str text)
{
    for (size_t i = 0; i < text.len;) {
        const char c = text.ptr[i];
        char one[16];
        size_t n;
        if (c == '\n' || c == '\t' || c == '\\') {
            gs_buf_char(b, c);
            i++;
            continue;
        }
        i += escape_one((struct gs_str){text.ptr + i, text.len - i}, one, &n);
        gs_buf_bytes(b, one, n);
    }
}

char *gs_escape(char *out, size_t out_size, struct gs_str text)
{
    size_t i = 0, len = 0;
    while (i < text.len) {
        char one[16];
        size_t n;
        i += escape_one((struct gs_str){text.ptr + i, text.len - i}, one, &n);
        /*
         * While more text follows, room is kept for "..." and NUL, so a cut can always be
         * shown.
         */
        const size_t kept = i < text.len ? 4 : 1;
        if (len + n + kept > out_size) {
            if (len + 4 <= out_size) {
                memcpy(out + len, "...", 3);
                len += 3;
            }
            break;
        }
        memcpy(out + len, one, n);
        len += n;
    }
    out[len] = '\0';
    return out;
}

char *gs_escape_list(char *out, size_t out_size, const struct gs_str *text, size_t n)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        const int w =
            snprintf(out + used, out_size - used, "%s%s", i > 0 ? ", " : "", GS_SHOWN(text[i], 80));
        if (w < 0 || (size_t)w + 6 > out_size - used) {
            (void)snprintf(out + used, out_size - used, " ...");
            break;
        }
        used += (size_t)w;
    }
    return out;
}

char gs_first_byte(struct gs_str s)
{
    const size_t i = gs_str_skip(s, 0, " \t\r\n");
    return i < s.len ? s.ptr[i] : '\0';
}
