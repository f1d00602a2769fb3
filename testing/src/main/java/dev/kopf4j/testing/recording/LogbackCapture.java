package dev.kopf4j.testing.recording;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.spi.FilterReply;
import dev.kopf4j.runtime.Platform;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/** Hands each line that Logback logs to the recording of the thread that logs it. */
final class LogbackCapture extends UnsynchronizedAppenderBase<ILoggingEvent> {
    private static final String NAME = "kopf4j-testing";

    /** Attaches what is not attached. */
    static void install() {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        if (root.getAppender(NAME) == null) {
            LogbackCapture capture = new LogbackCapture();
            capture.setContext(context);
            capture.setName(NAME);
            capture.start();
            root.addAppender(capture);
        }
        if (context.getTurboFilterList().stream().noneMatch(QuietFilter.class::isInstance)) {
            QuietFilter filter = new QuietFilter();
            filter.start();
            context.addTurboFilter(filter);
        }
    }

    /** Drops the lines of simulations by the thousand before anybody formats them. */
    private static final class QuietFilter extends TurboFilter {
        @Override
        public FilterReply decide(
                @Nullable Marker marker,
                Logger logger,
                Level level,
                @Nullable String format,
                Object @Nullable [] params,
                @Nullable Throwable failure) {
            return CurrentRecording.isQuiet() ? FilterReply.DENY : FilterReply.NEUTRAL;
        }
    }

    @Override
    protected void append(ILoggingEvent event) {
        CurrentRecording.tell(recording -> recording.logged(new LogLine(
                event.getLevel().toString(),
                event.getLoggerName(),
                event.getFormattedMessage(),
                failure(event),
                event.getLevel() == Level.ERROR && isMarked(event))));
    }

    private static boolean isMarked(ILoggingEvent event) {
        List<Marker> markers = event.getMarkerList();
        return markers != null && markers.contains(Platform.UNEXPECTED);
    }

    private static Optional<Throwable> failure(ILoggingEvent event) {
        return event.getThrowableProxy() instanceof ThrowableProxy proxy
                ? Optional.of(proxy.getThrowable())
                : Optional.empty();
    }
}
