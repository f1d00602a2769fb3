package dev.kopf4j.runtime;

/** The signals that ask a process to stop. Thread-safe. */
public interface StopSignals {
    /** Nobody listens: signals do what they do without operators. */
    StopSignals IGNORED = stop -> () -> {};

    /** SIGTERM, SIGINT and SIGHUP of this process. */
    StopSignals OF_PROCESS = new ProcessSignals(
            new SystemPlatform(), code -> Runtime.getRuntime().halt(code));

    /** Calls {@code stop} at the first signal, in a thread of the JVM, until the result is closed. */
    Listening call(Runnable stop);

    /** A wish to be called. */
    interface Listening extends AutoCloseable {
        @Override
        void close();
    }
}
