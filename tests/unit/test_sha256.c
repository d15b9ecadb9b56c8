/* test_sha256.c - digests against published ones, however the bytes arrive and whatever computes them. */
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

static const char *digest_lanes(unsigned n_lanes, const void *bytes, size_t n, size_t step,
                                bool portable)
{
    static char hex[GS_SHA256_HEX];
    struct gs_sha256 s;
    gs_sha256_begin_lanes(&s, n_lanes);
    s.portable |= portable;
    for (size_t i = 0; i < n; i += step)
        gs_sha256_add(&s, (const char *)bytes + i, n - i < step ? n - i : step);
    gs_sha256_end(&s, hex);
    return hex;
}

static const char *digest(const void *bytes, size_t n, size_t step, bool portable)
{
    return digest_lanes(1, bytes, n, step, portable);
}

static void published_digests_are_met(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(published); i++)
        for (int portable = 0; portable < 2; portable++)
            assert_string_equal(
                digest(published[i].text, strlen(published[i].text), 1000, portable != 0),
                published[i].hex);
}

/* Source: FIPS 180-2, B.3: a million times the letter a. */
static void a_million_letters_are_met(void **state)
{
    (void)state;
    static char a[1000000];
    memset(a, 'a', sizeof a);
    for (int portable = 0; portable < 2; portable++)
        assert_string_equal(digest(a, sizeof a, 65536, portable != 0),
                            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* Every length around the ends of blocks, where padding changes its shape; two ways of computing, all ways of cutting. */
static void bytes_may_arrive_in_any_pieces(void **state)
{
    (void)state;
    unsigned char bytes[260];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 7 + i / 3);
    for (size_t n = 0; n <= sizeof bytes; n++) {
        char whole[GS_SHA256_HEX];
        (void)strcpy(whole, digest(bytes, n, sizeof bytes, true));
        for (size_t step = 1; step <= 130; step += step < 66 ? 1 : 13) {
            assert_string_equal(digest(bytes, n, step, true), whole);
            assert_string_equal(digest(bytes, n, step, false), whole);
        }
    }
}

/*
 * Source: Python's hashlib, with b the bytes below: sha256(b"".join(sha256(b"".join(b[i:i + 64]
 * for i in range(64 * j, n, 256))).digest() for j in range(4))).hexdigest()
 */
static const struct {
    size_t n;
    const char *hex;
} of_lanes[] = {
    {0, "9fb03d22515ca48e57b578de80bbc1e75d5126dbb2de6db177947c3da3b2276f"},
    {1, "6ef921394b89591f6905505fc1bba179879892144c7eb1f7e3a7e5529015dffe"},
    {63, "fb3074f4dac36de40a5acb3b5f08cbc1ab11f309ed885bb1ee75911efcbe2b2f"},
    {64, "d1869c2e8d94bbafc7242b52dc29ef87b3017f3479f55c79af04451a62affe4f"},
    {65, "c422d47bdb3f97e905a61a574dbcfb1889796c1edb596c5f1f5081cb8a62b0b3"},
    {128, "d27e8d85bb35e6f9064f9ae8dbc3919a5f0906f87edfa504615046070f31c96f"},
    {200, "c7fe1fd58b9efc6b41493dd5d31ee2710052a7fccd9c844d6e4b41a759664a82"},
    {255, "e7f06023c0319d082d60c9fbdb7faf83d11df227dca6979aedf3dca19def65e3"},
    {256, "fe0bfe1ec87dfeeef039261d50b5a4616d649fb7ec5acd698c34dc88e3130a03"},
    {257, "3bb80116362b672f6cc7773da05a4303c06db5c975f5f86ec8d9b94531fda9cf"},
    {511, "dce6d3708037d178c2f5b5cd2acd37e567664ebc3e9f9bb5e26593f6320b27f1"},
    {512, "6c52f4dab77aa65ae429ba61ab29182f7132ce94c2484fb042a463cc5da81b3a"},
    {700, "8e295a7f28de3cf2c6d12339997cf2c14f425ba4ea69e28a243dd0c03648f383"},
    {1000, "20941e11e31821cfacfbff5a8cf4b0371cc5248369c96c940a484d2d75f420c0"},
};

static void lanes_are_as_defined(void **state)
{
    (void)state;
    unsigned char b[1000];
    for (size_t i = 0; i < sizeof b; i++)
        b[i] = (unsigned char)(i * 7 + i / 3);
    for (size_t i = 0; i < COUNT_OF(of_lanes); i++)
        for (size_t step = 1; step <= sizeof b; step += step < 260 ? 1 : 123)
            for (int portable = 0; portable < 2; portable++)
                assert_string_equal(
                    digest_lanes(GS_SHA256_LANES, b, of_lanes[i].n, step, portable != 0),
                    of_lanes[i].hex);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_digests_are_met),
        cmocka_unit_test(a_million_letters_are_met),
        cmocka_unit_test(bytes_may_arrive_in_any_pieces),
        cmocka_unit_test(lanes_are_as_defined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
