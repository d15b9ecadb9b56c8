"""The shard of a host, computed apart from gpustat: FNV-1a (64 bits), then the finaliser of MurmurHash3."""
import sys

MASK = (1 << 64) - 1


def shard_of(host, n):
    h = 0xCBF29CE484222325
    for byte in host:
        h = (h ^ byte) * 0x100000001B3 & MASK
    h = (h ^ h >> 33) * 0xFF51AFD7ED558CCD & MASK
    h = (h ^ h >> 33) * 0xC4CEB9FE1A85EC53 & MASK
    return (h ^ h >> 33) % n


if __name__ == "__main__":
    print(shard_of(sys.argv[1].encode(), int(sys.argv[2])))
