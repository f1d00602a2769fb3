package dev.kopf4j.engine.cycle;

/** How far the stream of an object has come. Thread-safe. */
public interface StreamProgress {
    /** The number of the list that has begun last. */
    int currentList();

    /** True if events wait to be read, as there is no room for them. */
    boolean isHeldUp();

    /** True if events come, and that version of an object was not reached yet: it will come by itself. */
    boolean willReach(String version);
}
