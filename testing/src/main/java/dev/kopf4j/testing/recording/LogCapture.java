package dev.kopf4j.testing.recording;

import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;

/** Attaches recordings to the JVM's logs and standard output, once and for all. Thread-safe. */
public final class LogCapture {
    private static boolean installed;

    private LogCapture() {}

    /** Attaches them; a second call does nothing. */
    public static synchronized void install() {
        if (!installed) {
            installed = true;
            System.setOut(new RecordedOutput(System.out));
            if (isLogback()) {
                LogbackCapture.install();
            }
        }
    }

    /** True if logs are recorded: SLF4J's backend is Logback. */
    public static boolean isLogback() {
        ILoggerFactory factory = LoggerFactory.getILoggerFactory();
        return factory.getClass().getName().equals("ch.qos.logback.classic.LoggerContext");
    }
}
