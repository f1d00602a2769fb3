package dev.kopf4j.hierarchy;

import dev.kopf4j.object.ObjectReference;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * A Kubernetes event about an object, to be posted. Immutable.
 *
 * @param object the object
 * @param level the log level that is compared with the least level of the settings; null: the event is always posted
 * @param type such as {@code Normal} or {@code Warning}
 * @param reason a word for machines
 * @param message a sentence for people
 */
public record ObjectEvent(ObjectReference object, @Nullable Level level, String type, String reason, String message) {
    /** What users give may lack: an exception without a message is the usual case. */
    public ObjectEvent {
        type = Objects.requireNonNullElse(type, "Normal");
        reason = Objects.requireNonNullElse(reason, "");
        message = Objects.requireNonNullElse(message, "");
    }

    /** Information, of the type {@code Normal}. */
    public static ObjectEvent info(ObjectReference object, String reason, String message) {
        return new ObjectEvent(object, Level.INFO, "Normal", reason, message);
    }

    /** A warning, of the type {@code Warning}. */
    public static ObjectEvent warning(ObjectReference object, String reason, String message) {
        return new ObjectEvent(object, Level.WARN, "Warning", reason, message);
    }

    /** An error, of the type {@code Error}. */
    public static ObjectEvent error(ObjectReference object, String reason, String message) {
        return new ObjectEvent(object, Level.ERROR, "Error", reason, message);
    }

    /** An error about an exception. Its class is the reason if none is given; its text ends the message. */
    public static ObjectEvent exception(
            ObjectReference object, String reason, String message, @Nullable Throwable exception) {
        if (exception == null) {
            return error(object, reason, message);
        }
        String chosen = reason.isEmpty() ? exception.getClass().getSimpleName() : reason;
        String text = exception.getMessage() == null ? exception.getClass().getSimpleName() : exception.getMessage();
        return error(object, chosen, message.isEmpty() ? text : message + " " + text);
    }

    /** Where events of objects are posted. Thread-safe. */
    @FunctionalInterface
    public interface EventSink {
        /** Drops everything. */
        EventSink NONE = event -> {};

        /** Takes an event to be posted in a while, if the settings let it pass. Never waits, never throws. */
        void post(ObjectEvent event);
    }
}
