package dev.kopf4j.devcluster.storage;

/**
 * Keeps changes elsewhere before they become visible. Called under the store's lock, in the order of versions; what it
 * throws keeps the change from being made.
 */
public interface ChangeLog {
    /** A change of a bucket that is about to be made. */
    void append(String bucket, ObjectChange objectChange);

    /** An empty bucket that is about to be forgotten, with its window. */
    void discard(String bucket, long version);
}
