/* shard.c - the shard of a host, by a hash without a seed. */
#include "base/core/shard.h"

/*
 * FNV-1a, then the finaliser of MurmurHash3: FNV alone leaves names that differ in their last digit only close
 * together. No seed: the same shard in every process. Many hosts of one shard cost time, never a wrong answer.
 */
uint32_t gs_shard_of(struct gs_str host, uint32_t n)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < host.len; i++)
        h = (h ^ (unsigned char)host.ptr[i]) * UINT64_C(0x100000001b3);
    h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
    h = (h ^ h >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    h ^= h >> 33;
    return (uint32_t)(h % n);
}
