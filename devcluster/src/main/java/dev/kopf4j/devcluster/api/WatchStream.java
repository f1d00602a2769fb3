package dev.kopf4j.devcluster.api;

import java.util.Optional;

/**
 * The events of one watch: pulled by one reader, which is told by a signal when there may be more. Nothing here waits
 * and no thread belongs to it.
 *
 * <p>A reader sets its signal first, then takes until it gets nothing, and takes again after each signal. The signal
 * may come from any thread, may come without need, and must return at once.
 */
public interface WatchStream extends AutoCloseable {
    /** Sets who is told that there may be more; replaces an earlier one. */
    void onSignal(Runnable signal);

    /** The next line or lines of the stream, each a complete JSON event; empty when there is nothing now. */
    Optional<byte[]> take();

    /** Whether the server has ended the watch and everything has been taken. */
    boolean ended();

    /** Ends the watch from the reader's side. May be called more than once. */
    @Override
    void close();
}
