package dev.kopf4j.object;

import java.io.Serial;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.Level;
import org.slf4j.event.LoggingEvent;
import org.slf4j.helpers.AbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NormalizedParameters;
import org.slf4j.spi.CallerBoundaryAware;
import org.slf4j.spi.LoggingEventAware;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Logs with a reference to an object, as the key-value pair {@code object}, in whichever thread. Thread-safe.
 *
 * <p>Pairs that are attached to a line stay pairs, and its message as it was written: that is what a listener gets.
 *
 * <p>All such loggers write to the logger {@code kopf4j.objects}.
 */
public final class ObjectLogger extends AbstractLogger implements LoggingEventAware {
    /** The key of the {@link ObjectReference}. */
    public static final String OBJECT = "object";

    @Serial
    private static final long serialVersionUID = 1L;

    private static final Logger OBJECTS = LoggerFactory.getLogger("kopf4j.objects");

    private final transient ObjectReference reference;
    private final transient ObjectLogListener listener;
    private final boolean terse;

    /** Makes a logger for the given object. */
    public ObjectLogger(ObjectReference reference) {
        this(reference, ObjectLogListener.NONE);
    }

    /** Makes a logger for the given object whose lines a listener gets too. */
    public ObjectLogger(ObjectReference reference, ObjectLogListener listener) {
        this(reference, listener, false);
    }

    private ObjectLogger(ObjectReference reference, ObjectLogListener listener, boolean terse) {
        this.name = OBJECTS.getName();
        this.reference = reference;
        this.listener = listener;
        this.terse = terse;
    }

    /**
     * Makes a logger for code that runs at each event: it writes INFO only if DEBUG is enabled, never writes DEBUG, and
     * has no listener.
     */
    public static ObjectLogger terse(ObjectReference reference) {
        return new ObjectLogger(reference, ObjectLogListener.NONE, true);
    }

    /** Returns the same logger without a listener, for lines about the framework itself. */
    public static Logger local(Logger logger) {
        return logger instanceof ObjectLogger it
                ? new ObjectLogger(it.reference, ObjectLogListener.NONE, it.terse)
                : logger;
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
        return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            @Nullable String message,
            Object @Nullable [] arguments,
            @Nullable Throwable throwable) {
        write(level, marker == null ? List.of() : List.of(marker), List.of(), message, arguments, throwable);
    }

    /** A line of the fluent interface. Whether its level is enabled has been asked already. */
    @Override
    public void log(LoggingEvent event) {
        NormalizedParameters parts = NormalizedParameters.normalize(event);
        write(
                event.getLevel(),
                Objects.requireNonNullElse(event.getMarkers(), List.of()),
                Objects.requireNonNullElse(event.getKeyValuePairs(), List.of()),
                parts.getMessage(),
                parts.getArguments(),
                parts.getThrowable());
    }

    private void write(
            Level level,
            List<Marker> markers,
            List<KeyValuePair> pairs,
            @Nullable String message,
            Object @Nullable [] arguments,
            @Nullable Throwable throwable) {
        LoggingEventBuilder event = OBJECTS.atLevel(level).addKeyValue(OBJECT, reference);
        for (KeyValuePair pair : pairs) {
            event = event.addKeyValue(pair.key, pair.value);
        }
        for (Marker marker : markers) {
            event = event.addMarker(marker);
        }
        if (throwable != null) {
            event = event.setCause(throwable);
        }
        if (event instanceof CallerBoundaryAware aware) {
            aware.setCallerBoundary(ObjectLogger.class.getName());
        }
        if (arguments == null) {
            event.log(message);
        } else {
            event.log(message, arguments);
        }
        if (listener.isInterestedIn(level)) {
            String text = MessageFormatter.basicArrayFormat(message, arguments);
            listener.logged(reference, level, text == null ? "" : text, throwable);
        }
    }

    @Override
    public boolean isTraceEnabled() {
        return !terse && OBJECTS.isTraceEnabled();
    }

    @Override
    public boolean isTraceEnabled(Marker marker) {
        return !terse && OBJECTS.isTraceEnabled(marker);
    }

    @Override
    public boolean isDebugEnabled() {
        return !terse && OBJECTS.isDebugEnabled();
    }

    @Override
    public boolean isDebugEnabled(Marker marker) {
        return !terse && OBJECTS.isDebugEnabled(marker);
    }

    @Override
    public boolean isInfoEnabled() {
        return OBJECTS.isInfoEnabled() && (!terse || OBJECTS.isDebugEnabled());
    }

    @Override
    public boolean isInfoEnabled(Marker marker) {
        return OBJECTS.isInfoEnabled(marker) && (!terse || OBJECTS.isDebugEnabled(marker));
    }

    @Override
    public boolean isWarnEnabled() {
        return OBJECTS.isWarnEnabled();
    }

    @Override
    public boolean isWarnEnabled(Marker marker) {
        return OBJECTS.isWarnEnabled(marker);
    }

    @Override
    public boolean isErrorEnabled() {
        return OBJECTS.isErrorEnabled();
    }

    @Override
    public boolean isErrorEnabled(Marker marker) {
        return OBJECTS.isErrorEnabled(marker);
    }

    /** Is told what is logged about objects. Thread-safe. Its methods are quick, never wait and never throw. */
    public interface ObjectLogListener {
        /** Ignores all. */
        ObjectLogListener NONE = new ObjectLogListener() {
            @Override
            public boolean isInterestedIn(Level level) {
                return false;
            }

            @Override
            public void logged(ObjectReference object, Level level, String message, @Nullable Throwable throwable) {
                // Nobody is told.
            }
        };

        /** True if the listener wants lines of this level. */
        boolean isInterestedIn(Level level);

        /** A line was logged. */
        void logged(ObjectReference object, Level level, String message, @Nullable Throwable throwable);
    }
}
