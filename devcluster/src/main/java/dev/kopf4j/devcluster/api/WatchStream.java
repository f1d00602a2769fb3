package dev.kopf4j.devcluster.api;

import java.util.Optional;

/**
 * The events of one watch. One reader pulls them, and gets a signal when there may be more. A watch stream never waits
 * and has no thread.
 *
 * <p>A reader sets its signal first, then takes until it gets nothing, and takes again after each signal. The signal
 * may come from any thread, may be spurious, and must return at once.
 */
public interface WatchStream extends AutoCloseable {
    /** Sets the signal that there may be more; replaces an earlier one. */
    void onSignal(Runnable signal);

    /** The next line or lines of the stream, each a complete JSON event; empty if there is nothing now. */
    Optional<byte[]> take();

    /** Whether the server has ended the watch and the reader has taken everything. */
    boolean ended();

    /** Ends the watch from the reader's side. May be called more than once. */
    @Override
    void close();
}
