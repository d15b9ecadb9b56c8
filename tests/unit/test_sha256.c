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
                                enum gs_sha256_way way)
{
    static char hex[GS_SHA256_HEX];
    struct gs_sha256 s;
    gs_sha256_begin_lanes(&s, n_lanes);
    s.way = way;
    for (size_t i = 0; i < n; i += step)
        gs_sha256_add(&s, (const char *)bytes + i, n - i < step ? n - i : step);
    gs_sha256_end(&s, hex);
    return hex;
}

static const char *digest(const void *bytes, size_t n, size_t step, enum gs_sha256_way way)
{
    return digest_lanes(1, bytes, n, step, way);
}

/* The next way after `way` that this processor can; GS_SHA256_N_WAYS where there is none. */
static enum gs_sha256_way next_way(enum gs_sha256_way way)
{
    do
        way++;
    while (way < GS_SHA256_N_WAYS && !gs_sha256_can(way));
    return way;
}

#define FOR_EACH_WAY(way)                                                                          \
    for (enum gs_sha256_way way = GS_SHA256_PORTABLE; way < GS_SHA256_N_WAYS; way = next_way(way))

static void published_digests_are_met(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(published); i++)
        FOR_EACH_WAY(way)
    assert_string_equal(digest(published[i].text, strlen(published[i].text), 1000, way),
                        published[i].hex);
}

/* Source: FIPS 180-2, B.3: a million times the letter a. */
static void a_million_letters_are_met(void **state)
{
    (void)state;
    static char a[1000000];
    memset(a, 'a', sizeof a);
    FOR_EACH_WAY(way)
    assert_string_equal(digest(a, sizeof a, 65536, way),
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
        (void)strcpy(whole, digest(bytes, n, sizeof bytes, GS_SHA256_PORTABLE));
        for (size_t step = 1; step <= 130; step += step < 66 ? 1 : 13) {
            FOR_EACH_WAY(way)
            assert_string_equal(digest(bytes, n, step, way), whole);
        }
    }
}

/*
 * Source: Python's hashlib, with b the bytes below and w = [b[i:i + 4] for i in range(0, n, 4)]:
 * sha256(b"".join(sha256(b"".join(w[j::16])).digest() for j in range(16))).hexdigest()
 */
static const struct {
    size_t n;
    const char *hex;
} of_lanes[] = {
    {0, "4e08d3e5182692706e7b518147ddf4e4ba2084a38f06239db6f7229eae0118db"},
    {1, "421c87fbb69e674a928989135ca221d614f997928c76f63d1148bdfc4a217d01"},
    {3, "6ef0349a4afe087a90e4f35f5885d1c6811811b8f32fbf8b035fe2ba90313916"},
    {4, "508084f8c9287c882e97694ed28c3fcc642472c2115ad5e6c547ade02d86b4d4"},
    {5, "813f0569ffe033dde5ab8452a34fd6d8cbbc3121d4af2c9c9cd9182d1151aa9e"},
    {63, "e2fbe590e64da811606798e593da38c6dd8055cca1f6929bbc217492e706c32b"},
    {64, "64235b97fbad7e42641d06aded0c0eba62cef04db70262835b563d8ed1d01e22"},
    {65, "f573c6cb00a3fd322278278f877e71ae8e9b29b2b35d4edc7241734b5e82d2c5"},
    {1000, "13c5d1d62a1b701cdb34ff41f1a7d1cbefeb1ac03b1d5299d72c90c44fb34f30"},
    {1023, "fc47dc84302206bb9e0fe2bc92c17f40e13d39635770e76c2d763709a1c05c10"},
    {1024, "bcb305be39ef89fc4e2898120e4fb75f9f8bc33f5074900e5060872ab20bb0f1"},
    {1025, "93282c54a1bcc9e2ee2a8c03ddc7dd0b1b802375ef61a6b16c3420be86480514"},
    {1090, "8fbcc90bafd418a07af9c14804822145f65735e695847b42d1d9ffcbc44829d2"},
    {2047, "7d147f0e659c0014ec467e7ff01b3eaacee5dab7dcbc7c19afc1d87c465028a1"},
    {2048, "17ac9a7f86e1339546dd9b0b02c7bf71f059cefcbe54b27cf112d0f186868fd0"},
    {3000, "610f2d3bbe39ab87e6d0e42a007131c1dc45daa91ba0eb0fecca87c281efdb94"},
    {5000, "ee2748b4656b6b44fb87d149cf130a2b960aff8041e547e452869ae3f90e5268"},
};

static void lanes_are_as_defined(void **state)
{
    (void)state;
    unsigned char b[5000];
    for (size_t i = 0; i < sizeof b; i++)
        b[i] = (unsigned char)(i * 7 + i / 3);
    for (size_t i = 0; i < COUNT_OF(of_lanes); i++)
        for (size_t step = 1; step <= sizeof b; step += step < 130 ? 3 : 449)
            FOR_EACH_WAY(way)
    assert_string_equal(digest_lanes(GS_SHA256_LANES, b, of_lanes[i].n, step, way),
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
