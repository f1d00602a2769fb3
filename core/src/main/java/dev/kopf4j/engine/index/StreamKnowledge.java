package dev.kopf4j.engine.index;

import org.jspecify.annotations.Nullable;

/** What a stream knows of objects that the operator itself has written. Thread-safe. */
public interface StreamKnowledge {
    /** Where an object is remembered; null if the stream has not told of it, or has told that it is gone. */
    @Nullable IndexHolder holder(String uid);

    /** True if the stream has told of that version of an object, or of a later one, and nothing of it waits. */
    boolean hasTold(String uid, String version);

    /** The number of the last list that has begun. */
    int currentList();
}
