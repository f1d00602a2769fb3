package dev.kopf4j.engine.children.live;

import org.jspecify.annotations.Nullable;

/** Hears how far the list of children has come. Called in the stream's tasks. */
public interface ChildListing {
    /** All children are known. */
    void allListed();

    /** The stream is broken, and is being restored; the failure is null if it was merely silent. */
    void disturbed(String reason, @Nullable Exception failure);
}
