package dev.kopf4j.benchmarks.process;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The HTTP client of the bare loop. Thread-safe. */
interface LoopClient extends AutoCloseable {
    /** The lines of a watch; used by one thread. */
    @FunctionalInterface
    interface Lines {
        /** Waits for the next line; null at the end. */
        byte @Nullable [] next() throws IOException, InterruptedException;
    }

    /** Reads a resource. */
    byte[] get(String path) throws IOException, InterruptedException;

    /** Opens a watch. */
    Lines watch(String path) throws IOException, InterruptedException;

    /** Sends a merge patch, and waits for the whole answer; returns its status. */
    int patch(String path, byte[] body) throws IOException, InterruptedException;

    @Override
    void close();
}
