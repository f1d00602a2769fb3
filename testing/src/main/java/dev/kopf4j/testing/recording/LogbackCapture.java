package dev.kopf4j.testing.recording;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/** Hands each line that Logback logs to the recording of the thread that logs it. */
final class LogbackCapture extends UnsynchronizedAppenderBase<ILoggingEvent> {
    static void install() {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        LogbackCapture capture = new LogbackCapture();
        capture.setContext(context);
        capture.setName("kopf4j-testing");
        capture.start();
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(capture);
    }

    @Override
    protected void append(ILoggingEvent event) {
        CurrentRecording.tell(recording -> recording.logged(new LogLine(
                event.getLevel().toString(), event.getLoggerName(), event.getFormattedMessage(), failure(event))));
    }

    private static Optional<Throwable> failure(ILoggingEvent event) {
        return event.getThrowableProxy() instanceof ThrowableProxy proxy
                ? Optional.of(proxy.getThrowable())
                : Optional.empty();
    }
}
