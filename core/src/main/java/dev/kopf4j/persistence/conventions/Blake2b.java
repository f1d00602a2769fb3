package dev.kopf4j.persistence.conventions;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The BLAKE2b hash (RFC 7693), without keys and salts, which the JDK does not have. The length of the digest is a
 * parameter of the hash: a short digest is not the beginning of a long one.
 */
final class Blake2b {
    private static final int DIGEST_BYTES_MAX = 64;
    private static final int BLOCK_BYTES = 128;
    private static final int ROUNDS = 12;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long[] INITIAL = {
        0x6a09e667f3bcc908L, 0xbb67ae8584caa73bL, 0x3c6ef372fe94f82bL, 0xa54ff53a5f1d36f1L,
        0x510e527fade682d1L, 0x9b05688c2b3e6c1fL, 0x1f83d9abfb41bd6bL, 0x5be0cd19137e2179L
    };

    /** The order in which each round mixes the words of the block; rounds 10 and 11 repeat 0 and 1. */
    private static final byte[][] SCHEDULE = {
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
        {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
        {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
        {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
        {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
        {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
        {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
        {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
        {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
        {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}
    };

    private final long[] state = INITIAL.clone();

    private Blake2b(int digestBytes) {
        state[0] ^= 0x01010000L ^ digestBytes;
    }

    /** Returns the digest of the given length, 1 to 64 bytes. */
    static byte[] digest(byte[] message, int digestBytes) {
        if (digestBytes < 1 || digestBytes > DIGEST_BYTES_MAX) {
            throw new IllegalArgumentException("a BLAKE2b digest has 1 to 64 bytes, not " + digestBytes);
        }
        return new Blake2b(digestBytes).absorb(message).output(digestBytes);
    }

    private Blake2b absorb(byte[] message) {
        int offset = 0;
        while (message.length - offset > BLOCK_BYTES) {
            compress(Arrays.copyOfRange(message, offset, offset + BLOCK_BYTES), offset + BLOCK_BYTES, false);
            offset += BLOCK_BYTES;
        }
        byte[] last = Arrays.copyOf(Arrays.copyOfRange(message, offset, message.length), BLOCK_BYTES);
        compress(last, message.length, true);
        return this;
    }

    private byte[] output(int digestBytes) {
        byte[] output = new byte[DIGEST_BYTES_MAX];
        for (int word = 0; word < state.length; word++) {
            LONGS.set(output, word * Long.BYTES, state[word]);
        }
        return Arrays.copyOf(output, digestBytes);
    }

    private void compress(byte[] block, long bytesSoFar, boolean last) {
        long[] words = new long[16];
        for (int word = 0; word < words.length; word++) {
            words[word] = (long) LONGS.get(block, word * Long.BYTES);
        }
        long[] work = Arrays.copyOf(state, 16);
        System.arraycopy(INITIAL, 0, work, 8, 8);
        work[12] ^= bytesSoFar;
        work[14] ^= last ? -1L : 0L;
        for (int round = 0; round < ROUNDS; round++) {
            mixRound(work, words, SCHEDULE[round % SCHEDULE.length]);
        }
        for (int word = 0; word < state.length; word++) {
            state[word] ^= work[word] ^ work[word + 8];
        }
    }

    private static void mixRound(long[] work, long[] words, byte[] order) {
        for (int column = 0; column < 4; column++) {
            mix(
                    work,
                    column,
                    column + 4,
                    column + 8,
                    column + 12,
                    words[order[2 * column]],
                    words[order[2 * column + 1]]);
        }
        for (int diagonal = 0; diagonal < 4; diagonal++) {
            mix(
                    work,
                    diagonal,
                    4 + (diagonal + 1) % 4,
                    8 + (diagonal + 2) % 4,
                    12 + (diagonal + 3) % 4,
                    words[order[8 + 2 * diagonal]],
                    words[order[9 + 2 * diagonal]]);
        }
    }

    private static void mix(long[] work, int a, int b, int c, int d, long first, long second) {
        work[a] += work[b] + first;
        work[d] = Long.rotateRight(work[d] ^ work[a], 32);
        work[c] += work[d];
        work[b] = Long.rotateRight(work[b] ^ work[c], 24);
        work[a] += work[b] + second;
        work[d] = Long.rotateRight(work[d] ^ work[a], 16);
        work[c] += work[d];
        work[b] = Long.rotateRight(work[b] ^ work[c], 63);
    }
}
