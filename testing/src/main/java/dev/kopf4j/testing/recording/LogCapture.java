package dev.kopf4j.testing.recording;

import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;

/** Attaches recordings to the JVM's logs and standard output. Thread-safe. */
public final class LogCapture {
    private LogCapture() {}

    /**
     * Attaches them. A further call attaches again what is not there any more: whoever configures Logback anew, as
     * Spring Boot does for each application, resets it before; and tests replace the standard output, or put that back
     * which was there before.
     */
    public static synchronized void install() {
        if (!(System.out instanceof RecordedOutput)) {
            System.setOut(new RecordedOutput(System.out));
        }
        if (isLogback()) {
            LogbackCapture.install();
        }
    }

    /** True if logs are recorded: SLF4J's backend is Logback. */
    public static boolean isLogback() {
        ILoggerFactory factory = LoggerFactory.getILoggerFactory();
        return factory.getClass().getName().equals("ch.qos.logback.classic.LoggerContext");
    }
}
