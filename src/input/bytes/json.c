/* json.c - wrapper around cJSON, the only file that includes it. */
#include "input/bytes/json.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/num/order.h"

/* A gs_json is a cJSON under another name; nothing is ever made of the former. */
static const cJSON *inside(const struct gs_json *v)
{
    return (const cJSON *)(const void *)v;
}

static const struct gs_json *outside(const cJSON *v)
{
    return (const struct gs_json *)(const void *)v;
}

/* cJSON does not tell memory that ran out from a mistake: the allocator remembers. Of the thread that parses. */
static _Thread_local bool ran_out;

/*
 * The standard allocator, so that other users of cJSON in the process can free what they got
 * before. gs_memory_refused lets tests fail any allocation, those inside cJSON included.
 */
static void *parse(size_t size)
{
    void *const p = gs_memory_refused() ? NULL : malloc(size);
    ran_out |= p == NULL;
    return p;
}

static void hook(void)
{
    cJSON_Hooks hooks = {parse, free};
    cJSON_InitHooks(&hooks);
}

/*
 * The hooks of cJSON are global, so they are set once per process. cJSON stops behind the first
 * value; whatever follows other than blanks is an error here. It bounds the nesting itself. A NUL
 * would end a text early, and make one of two names.
 */
enum gs_status gs_json_parse(struct gs_str text, const char *name, struct gs_json **document,
                             struct gs_err *err)
{
    static pthread_once_t hooked = PTHREAD_ONCE_INIT;
    const size_t nul = gs_min(gs_str_find(text, "\\u0000"), gs_str_find_byte(text, '\0'));
    const bool has_nul = nul < text.len;
    const char *end = text.ptr + (has_nul ? nul : 0);
    (void)pthread_once(&hooked, hook);
    ran_out = false;
    cJSON *const parsed =
        text.len == 0 || has_nul ? NULL : cJSON_ParseWithLengthOpts(text.ptr, text.len, &end, 0);
    const char *const stop = text.ptr + text.len;
    if (parsed != NULL)
        end += gs_str_skip((struct gs_str){end, (size_t)(stop - end)}, 0, " \t\n\r");
    if (parsed != NULL && end == stop) {
        *document = (struct gs_json *)(void *)parsed;
        return GS_OK;
    }
    cJSON_Delete(parsed);
    GS_TRY(gs_had_memory(!ran_out, err));
    uint64_t line = 1;
    for (const char *p = text.ptr; p < end && p < stop; p++)
        line += *p == '\n';
    return gs_fail_at(err, name, line, has_nul ? "not JSON: holds a NUL" : "not JSON");
}

void gs_json_free(struct gs_json *document)
{
    cJSON_Delete((cJSON *)(void *)document);
}

const struct gs_json *gs_json_member(const struct gs_json *object, const char *key)
{
    if (!cJSON_IsObject(inside(object)))
        return NULL;
    return outside(cJSON_GetObjectItemCaseSensitive(inside(object), key));
}

const struct gs_json *gs_json_first(const struct gs_json *array)
{
    if (!cJSON_IsArray(inside(array)))
        return NULL;
    return outside(inside(array)->child);
}

const struct gs_json *gs_json_next(const struct gs_json *item)
{
    return outside(inside(item)->next);
}

bool gs_json_is_array(const struct gs_json *v)
{
    return cJSON_IsArray(inside(v));
}

size_t gs_json_length(const struct gs_json *v)
{
    size_t n = 0;
    if (!gs_json_is_object(v) && !gs_json_is_array(v))
        return 0;
    for (const struct gs_json *k = outside(inside(v)->child); k != NULL; k = gs_json_next(k))
        n++;
    return n;
}

const struct gs_json *gs_json_first_member(const struct gs_json *object)
{
    if (!cJSON_IsObject(inside(object)))
        return NULL;
    return outside(inside(object)->child);
}

struct gs_str gs_json_key(const struct gs_json *member)
{
    return gs_str(inside(member)->string);
}

bool gs_json_is_object(const struct gs_json *v)
{
    return cJSON_IsObject(inside(v));
}

bool gs_json_number(const struct gs_json *v, double *out)
{
    if (!cJSON_IsNumber(inside(v)))
        return false;
    *out = inside(v)->valuedouble;
    return true;
}

bool gs_json_bool(const struct gs_json *v, bool *out)
{
    if (!cJSON_IsBool(inside(v)))
        return false;
    *out = cJSON_IsTrue(inside(v));
    return true;
}

bool gs_json_text(const struct gs_json *v, struct gs_str *out)
{
    if (!cJSON_IsString(inside(v)))
        return false;
    *out = (struct gs_str){inside(v)->valuestring, strlen(inside(v)->valuestring)};
    return true;
}

bool gs_json_is_null(const struct gs_json *v)
{
    return cJSON_IsNull(inside(v));
}
