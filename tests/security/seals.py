# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The seals of kept files, computed a second time (src/base/kept/): for tests that need files which only their owner's
heddle could have written."""
import pathlib
import struct

MASK = (1 << 64) - 1
UNIT_MAGIC = b"heddle\x01unit\n"
UNIT_HEADER = struct.Struct("<12sIQQQQQ")  # magic, version, form, length, name of the key, seal


def siphash128(key, words):
    """SipHash-2-4 with 128 bits over 64-bit words."""
    v0, v1 = key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d ^ 0xee
    v2, v3 = key[0] ^ 0x6c7967656e657261, key[1] ^ 0x7465646279746573

    def rounds(count, v0, v1, v2, v3):
        for _ in range(count):
            v0 = (v0 + v1) & MASK
            v1 = ((v1 << 13 | v1 >> 51) & MASK) ^ v0
            v0 = (v0 << 32 | v0 >> 32) & MASK
            v2 = (v2 + v3) & MASK
            v3 = ((v3 << 16 | v3 >> 48) & MASK) ^ v2
            v0 = (v0 + v3) & MASK
            v3 = ((v3 << 21 | v3 >> 43) & MASK) ^ v0
            v2 = (v2 + v1) & MASK
            v1 = ((v1 << 17 | v1 >> 47) & MASK) ^ v2
            v2 = (v2 << 32 | v2 >> 32) & MASK
        return v0, v1, v2, v3

    for word in [*words, (len(words) * 8 << 56) & MASK]:
        v3 ^= word
        v0, v1, v2, v3 = rounds(2, v0, v1, v2, v3)
        v0 ^= word
    v2 ^= 0xee
    v0, v1, v2, v3 = rounds(4, v0, v1, v2, v3)
    high = v0 ^ v1 ^ v2 ^ v3
    v1 ^= 0xdd
    v0, v1, v2, v3 = rounds(4, v0, v1, v2, v3)
    return high, v0 ^ v1 ^ v2 ^ v3


def words_of(text):
    padded = text + b"\0" * (-len(text) % 8)
    return [len(text), *struct.unpack(f"<{len(padded) // 8}Q", padded)]


class Key:
    def __init__(self, file):
        digits = pathlib.Path(file).read_text().split()[-1]
        self.key = int(digits[:16], 16), int(digits[16:], 16)
        self.name = siphash128(self.key, words_of(b"the name of a key"))[0]

    def mac(self, name, content):
        return siphash128(self.key, words_of(name.encode()) + words_of(content))

    def seal(self, name, content):
        """The file of that name."""
        if name.endswith(".unit"):
            return self.seal_unit(content)
        return content + b"heddle seal 1 %016x %016x%016x\n" % (self.name, *self.mac(name, content))

    def seal_unit(self, file):
        """A unit file keeps its seal in its header."""
        head = file[:UNIT_HEADER.size].ljust(UNIT_HEADER.size, b"\0")
        _, version, form, *_ = UNIT_HEADER.unpack(head)
        rest = file[UNIT_HEADER.size:]
        return UNIT_HEADER.pack(UNIT_MAGIC, version, form, len(head) + len(rest), self.name,
                                *self.mac("unit", rest)) + rest


def without_seal(name, file):
    """What a file holds besides its seal; of a unit, all of it."""
    if name.endswith(".unit"):
        return file
    return file[:file.rindex(b"heddle seal 1 ")]
