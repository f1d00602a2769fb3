package dev.kopf4j.devcluster.storage;

/**
 * Records changes before they become visible. Called under the store's lock, in the order of versions; if it throws,
 * the change is not made.
 */
public interface WriteAheadLog {
    /** Records a change of a bucket. */
    void append(String bucket, ObjectChange objectChange);

    /** Records that an empty bucket is removed, with its window. */
    void discard(String bucket, long version);
}
