/* text.h - counted text, a growing byte buffer, and escaping for the terminal. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/core/arena.h"

/* Counted text, not owned, not NUL-terminated. ptr == NULL is "missing"; empty text has a ptr. */
struct gs_str {
    const char *ptr;
    size_t len;
};

#define GS_NO_STR ((struct gs_str){NULL, 0})

/* Of ASCII, whatever the locale. */
static inline bool gs_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool gs_is_alnum(char c)
{
    return gs_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The value of a digit of lower-case hexadecimal; -1: it is none. */
static inline int gs_hex_digit(char c)
{
    if (gs_is_digit(c))
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static inline char gs_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline char gs_upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* The words for one or for any other number of things. */
static inline const char *gs_plural(unsigned long long n, const char *one, const char *more)
{
    return n == 1 ? one : more;
}

static inline const char *gs_or_empty(const char *text)
{
    return text == NULL ? "" : text;
}

/* What belongs to some sentences only. */
static inline const char *gs_text_if(bool wanted, const char *text)
{
    return wanted ? text : "";
}

/* `text`, or what stands for it where it is missing. */
static inline struct gs_str gs_str_or(struct gs_str text, struct gs_str otherwise)
{
    return text.ptr != NULL ? text : otherwise;
}

/* A literal or NUL-terminated string as counted text; NULL gives missing. */
struct gs_str gs_str(const char *text);

/* Is it one of NUL-terminated words, in any case? Few are compared: the first letters differ. */
bool gs_str_is_one_of(struct gs_str text, const char *const *word, size_t n);

/* Is it one of the words of a list, parted by blanks? In any case, but for words that begin with a capital: MW is no mW. */
bool gs_is_word_of(struct gs_str text, const char *list);

/* The same of words that are listed here. */
#define GS_IS_ONE_OF(text, ...)                                                                    \
    gs_str_is_one_of(text, (const char *const[]){__VA_ARGS__},                                     \
                     sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

bool gs_str_eq(struct gs_str a, struct gs_str b);

/* Does a text begin, or end, with these bytes? */
bool gs_str_begins(struct gs_str text, const char *with);
bool gs_str_ends(struct gs_str text, const char *with);

/* Where `what`, or the byte, stands in a text, or the text's length. */
size_t gs_str_find(struct gs_str text, const char *what);
size_t gs_str_find_byte(struct gs_str text, char what);

static inline bool gs_str_holds(struct gs_str text, const char *what)
{
    return gs_str_find(text, what) < text.len;
}

/* What follows the first n bytes; there are as many. Nothing follows a missing text, which is missing, too. */
static inline struct gs_str gs_str_after(struct gs_str text, size_t n)
{
    if (n > 0)
        text.ptr += n;
    text.len -= n;
    return text;
}

/* The bytes from one place up to another. */
static inline struct gs_str gs_str_part(struct gs_str text, size_t from, size_t to)
{
    return (struct gs_str){gs_str_after(text, from).ptr, to - from};
}

#define GS_ALL_DIGITS  "0123456789"
#define GS_ALL_LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/* Where the first byte stands, from `at` on, that is none of a set, or is one of it; the text's length: there is none. */
size_t gs_str_skip(struct gs_str text, size_t at, const char *set);
size_t gs_str_until(struct gs_str text, size_t at, const char *set);

/* The same backwards: where the bytes in front of `at` begin that are all of a set, or all none of it. */
size_t gs_str_skip_back(struct gs_str text, size_t at, const char *set);
size_t gs_str_until_back(struct gs_str text, size_t at, const char *set);

/* Without the bytes of a set around it. */
struct gs_str gs_str_strip(struct gs_str text, const char *set);

/* Takes what lies before the next `end`, and `end`, off the front of `rest`; all of it where there is none. */
struct gs_str gs_str_take(struct gs_str *rest, char end);

/* Without the blanks and tabs around it. */
static inline struct gs_str gs_trimmed(struct gs_str text)
{
    while (text.len > 0 && (text.ptr[0] == ' ' || text.ptr[0] == '\t'))
        text.ptr++, text.len--;
    while (text.len > 0 && (text.ptr[text.len - 1] == ' ' || text.ptr[text.len - 1] == '\t'))
        text.len--;
    return text;
}

/* Order by bytes, a prefix first, missing before everything: the order of keys in results. */
int gs_str_compare(struct gs_str a, struct gs_str b);

/*
 * The same, but runs of digits count as numbers: "burst 2" before "burst 10". Parts of UUIDs and digests do not:
 * "0000000a" comes behind "00000009". Equal only where the bytes are.
 */
int gs_str_compare_natural(struct gs_str a, struct gs_str b);

/* Equal but for ASCII case. */
bool gs_str_eq_nocase(struct gs_str a, struct gs_str b);

/* What people read for the path of a file: "standard input" for "-", and for what stands in for another that one. */
struct gs_str gs_file_called(struct gs_str path);

/*
 * From now on, as long as the process lasts, `path` is called `name`, of which copies are kept. Not while other threads
 * run. False without memory.
 */
bool gs_file_is_substitute(struct gs_str path, struct gs_str name);

/*
 * Bytes that grow in an arena. Start from `{.arena = a}`. A failed growth sets `failed` and drops what
 * does not fit: append without looking, test `failed` once at the end.
 */
struct gs_buf {
    struct gs_arena *arena;
    char *ptr; /* NUL-terminated as soon as something was appended */
    size_t len, capacity;
    bool failed;
};

void gs_buf_bytes(struct gs_buf *b, const char *bytes, size_t len);

/* Nothing for a text that is missing. */
static inline void gs_buf_add(struct gs_buf *b, struct gs_str text)
{
    gs_buf_bytes(b, text.ptr, text.len);
}

/* The same in place of what it held. */
static inline void gs_buf_set(struct gs_buf *b, struct gs_str text)
{
    b->len = 0;
    gs_buf_bytes(b, text.ptr, text.len);
}

/* Makes room for `more` bytes and the NUL, for those who write behind b->len themselves. */
bool gs_buf_reserve(struct gs_buf *b, size_t more);

static inline void gs_buf_char(struct gs_buf *b, char c)
{
    if (b->capacity - b->len < 2 && !gs_buf_reserve(b, 1))
        return;
    b->ptr[b->len++] = c;
    b->ptr[b->len] = '\0';
}

void gs_buf_text(struct gs_buf *b, const char *text);

/* The text with each `mark` in it twice, as CSV and others escape a quote. */
void gs_buf_doubled(struct gs_buf *b, struct gs_str text, char mark);

/* What stands between the items of a list, or belongs to some of them only. */
static inline void gs_buf_text_if(struct gs_buf *b, bool wanted, const char *text)
{
    if (wanted)
        gs_buf_text(b, text);
}

/* A sentence or a title: the text with a capital letter; and all of it in capitals. */
void gs_buf_capital(struct gs_buf *b, const char *text);
void gs_buf_upper(struct gs_buf *b, const char *text);

void gs_buf_format(struct gs_buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void gs_buf_format_list(struct gs_buf *b, const char *format, va_list ap)
    __attribute__((format(printf, 2, 0)));
struct gs_str gs_buf_str(const struct gs_buf *b);

/* A text of its own in the arena; NULL where memory ran out. */
char *gs_format(struct gs_arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Makes *to a copy in the arena, of a missing text a missing one; false, and missing, where memory ran out. */
bool gs_str_copy(struct gs_arena *a, struct gs_str text, struct gs_str *to);

/* Two texts with another between them; missing where memory ran out. */
struct gs_str gs_str_joined(struct gs_arena *a, struct gs_str first, const char *between,
                            struct gs_str second);

/* Without the tail of a UUID at its end: "n1 GPU-5c1d2b7e" of "n1 GPU-5c1d2b7e-8a40-...". */
struct gs_str gs_uuid_brief(struct gs_str name);

/* What was appended; NULL where memory ran out, or nothing was. */
static inline char *gs_buf_whole(const struct gs_buf *b)
{
    return b->failed ? NULL : b->ptr;
}

/*
 * Appends text from data so that it is safe on a terminal and in a message: control characters, DEL,
 * C1 controls, bidirectional overrides and bytes that are not UTF-8 become \n, \t, \r, \xHH or \u{HEX}, a
 * backslash becomes \\. At most `max` bytes of the text are shown, then "..."; 0 for no limit.
 */
void gs_buf_escaped(struct gs_buf *b, struct gs_str text, size_t max);

/* The same as a text of its own; NULL where memory ran out. */
char *gs_escaped(struct gs_arena *a, struct gs_str text, size_t max);

/* The same for whole documents: line ends, tabs and backslashes stay, all else that a terminal acts on is escaped. */
void gs_buf_terminal(struct gs_buf *b, struct gs_str text);

/* The same as gs_buf_escaped into a fixed array, NUL-terminated, cut with "..." where it does not fit. Returns out. */
char *gs_escape(char *out, size_t out_size, struct gs_str text);

/* The same for a list of texts, each cut at 79 bytes, with ", " between; " ..." stands for those that do not fit. */
char *gs_escape_list(char *out, size_t out_size, const struct gs_str *text, size_t n);

/* The same for an argument of a format: `size` bytes that last until the end of the block. */
#define GS_SHOWN(text, size) gs_escape((char[size]){0}, size, text)

/*
 * Reads one UTF-8 sequence from the start of `text` (len > 0): stores the code point and returns its
 * length, or returns 0 for a malformed one (overlong and surrogates included): a byte to be passed over.
 */
size_t gs_utf8_next(struct gs_str text, unsigned *code_point);

/* Appends a code point that is valid, so no half of a surrogate pair, as UTF-8. */
void gs_buf_code_point(struct gs_buf *b, unsigned code_point);

/* The first byte that is no blank; '\0': there is none. */
char gs_first_byte(struct gs_str s);
