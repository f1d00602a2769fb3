package dev.kopf4j.engine.pausing;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Some of the shards into which the objects fall by their uids. The uid is the only part of an object that never
 * changes, so that no two replicas can disagree about its shard. Immutable.
 */
public final class ShardSet {
    /** All objects, of an operator that shares them with nobody. */
    public static final ShardSet ALL = new ShardSet(0, new BitSet());

    /** No object, of an operator that may come to act on all. */
    public static final ShardSet NONE = new ShardSet(1, new BitSet());

    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private final int count;
    private final BitSet shards;

    private ShardSet(int count, BitSet shards) {
        this.count = count;
        this.shards = shards;
    }

    /**
     * These shards.
     *
     * @param count how many shards there are in all
     */
    public static ShardSet of(int count, BitSet shards) {
        return new ShardSet(count, (BitSet) shards.clone());
    }

    /**
     * The shard of an object: FNV-1a, 64 bits, of the characters of its uid.
     *
     * @param count how many shards there are in all
     */
    public static int shardOf(String uid, int count) {
        long hash = FNV_OFFSET;
        for (int i = 0; i < uid.length(); i++) {
            hash = (hash ^ uid.charAt(i)) * FNV_PRIME;
        }
        return (int) Long.remainderUnsigned(hash ^ hash >>> 32, count);
    }

    /** True unless these are all objects there are. */
    public boolean isPart() {
        return count > 0;
    }

    /** True if the object with that uid belongs to one of these shards. */
    public boolean has(String uid) {
        return count == 0 || shards.get(shardOf(uid, count));
    }

    /** Those that the other set has, too. */
    public ShardSet and(ShardSet other) {
        if (count == 0 || other.count == 0) {
            return count == 0 ? other : this;
        }
        BitSet both = (BitSet) shards.clone();
        both.and(other.shards);
        return new ShardSet(count, both);
    }

    /** These shards, for people: {@code 0-3,7}. */
    public static String ranges(BitSet shards) {
        List<String> ranges = new ArrayList<>();
        for (int first = shards.nextSetBit(0); first >= 0; ) {
            int end = shards.nextClearBit(first);
            ranges.add(end - first == 1 ? String.valueOf(first) : first + "-" + (end - 1));
            first = shards.nextSetBit(end);
        }
        return String.join(",", ranges);
    }

    /**
     * Shards as {@link #ranges} writes them.
     *
     * @param count how many shards there are in all
     * @throws IllegalArgumentException if it makes no sense
     */
    public static BitSet numbers(String ranges, int count) {
        BitSet numbers = new BitSet();
        if (ranges.isEmpty()) {
            return numbers;
        }
        for (String range : ranges.split(",", -1)) {
            String[] ends = range.split("-", -1);
            try {
                int first = Integer.parseInt(ends[0]);
                int last = Integer.parseInt(ends[ends.length - 1]);
                if (last >= count) {
                    throw new IllegalArgumentException("there are " + count + " shards");
                }
                numbers.set(first, last + 1);
            } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                throw new IllegalArgumentException("not a range of shards: '" + range + "'", e);
            }
        }
        return numbers;
    }

    /** How many shards there are in all; 0 if the objects are not shared. */
    public int count() {
        return count;
    }

    /** The numbers of these shards; the caller's own. */
    public BitSet numbers() {
        return (BitSet) shards.clone();
    }
}
