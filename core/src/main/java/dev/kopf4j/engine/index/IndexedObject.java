package dev.kopf4j.engine.index;

import dev.kopf4j.persistence.progress.ProgressRecord;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one object has in the indices of its resource, and which functions have failed for it. Guarded by the
 * {@link ObjectIndexer}.
 */
public final class IndexedObject {
    private final @Nullable IndexedValue[] contents;
    private long version = -1;
    private @Nullable ProgressRecord @Nullable [] failures;

    /** An object that is in none of them. */
    IndexedObject(int indices) {
        this.contents = new IndexedValue[indices];
    }

    /** True if nothing is to be known of it. */
    boolean isEmpty() {
        return isEmpty(contents) && (failures == null || isEmpty(failures));
    }

    private static boolean isEmpty(@Nullable Object[] all) {
        return Arrays.stream(all).allMatch(Objects::isNull);
    }

    /** The version that was indexed last, as a number; -1 if it was none. */
    long version() {
        return version;
    }

    void version(long indexed) {
        version = indexed;
    }

    @Nullable IndexedValue content(int index) {
        return contents[index];
    }

    void content(int index, @Nullable IndexedValue content) {
        contents[index] = content;
    }

    @Nullable ProgressRecord failures(int index) {
        return failures == null ? null : failures[index];
    }

    /** Failures are allocated only for objects that have any, as most never fail. */
    void failures(int index, @Nullable ProgressRecord record) {
        if (failures == null && record != null) {
            failures = new ProgressRecord[contents.length];
        }
        if (failures != null) {
            failures[index] = record;
        }
    }
}
