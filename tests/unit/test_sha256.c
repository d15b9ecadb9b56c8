/* test_sha256.c - digests against published ones, however the bytes arrive. */
#include "fixture.h"

#include "base/core/sha256.h"

/* Source: FIPS 180-2, appendix B, and NIST's example of the empty message. */
static const struct {
    const char *text, *hex;
} published[] = {
    {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
};

static const char *digest(const void *bytes, size_t n, size_t step)
{
    static char hex[GS_SHA256_HEX];
    struct gs_sha256 s;
    gs_sha256_begin(&s);
    for (size_t i = 0; i < n; i += step)
        gs_sha256_add(&s, (const char *)bytes + i, n - i < step ? n - i : step);
    gs_sha256_end(&s, hex);
    return hex;
}

static void published_digests_are_met(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(published); i++)
        assert_string_equal(digest(published[i].text, strlen(published[i].text), 1000),
                            published[i].hex);
}

/* Source: FIPS 180-2, B.3: a million times the letter a. */
static void a_million_letters_are_met(void **state)
{
    (void)state;
    static char a[1000000];
    memset(a, 'a', sizeof a);
    assert_string_equal(digest(a, sizeof a, 65536),
                        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* Every length around the ends of blocks, where padding changes its shape, and all ways of cutting. */
static void bytes_may_arrive_in_any_pieces(void **state)
{
    (void)state;
    unsigned char bytes[260];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 7 + i / 3);
    for (size_t n = 0; n <= sizeof bytes; n++) {
        char whole[GS_SHA256_HEX];
        (void)strcpy(whole, digest(bytes, n, sizeof bytes));
        for (size_t step = 1; step <= 130; step += step < 66 ? 1 : 13)
            assert_string_equal(digest(bytes, n, step), whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_digests_are_met),
        cmocka_unit_test(a_million_letters_are_met),
        cmocka_unit_test(bytes_may_arrive_in_any_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
