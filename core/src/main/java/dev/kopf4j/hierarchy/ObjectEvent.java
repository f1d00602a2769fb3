package dev.kopf4j.hierarchy;

import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Something to be told about an object, as a Kubernetes event. Immutable.
 *
 * @param object the object
 * @param level how important it is; null to be posted whatever the least level is
 * @param type such as {@code Normal} or {@code Warning}
 * @param reason a word for machines
 * @param message a sentence for people
 */
public record ObjectEvent(OwnerIdentity object, @Nullable Level level, String type, String reason, String message) {
    /** Information, of the type {@code Normal}. */
    public static ObjectEvent info(OwnerIdentity object, String reason, String message) {
        return new ObjectEvent(object, Level.INFO, "Normal", reason, message);
    }

    /** A warning, of the type {@code Warning}. */
    public static ObjectEvent warning(OwnerIdentity object, String reason, String message) {
        return new ObjectEvent(object, Level.WARN, "Warning", reason, message);
    }

    /** An error, of the type {@code Error}. */
    public static ObjectEvent error(OwnerIdentity object, String reason, String message) {
        return new ObjectEvent(object, Level.ERROR, "Error", reason, message);
    }

    /** An exception: its class is the reason if there is no other, its text ends the message. */
    public static ObjectEvent exception(
            OwnerIdentity object, String reason, String message, @Nullable Throwable exception) {
        if (exception == null) {
            return error(object, reason, message);
        }
        String chosen = reason.isEmpty() ? exception.getClass().getSimpleName() : reason;
        String text = exception.getMessage() == null ? exception.getClass().getSimpleName() : exception.getMessage();
        return error(object, chosen, message.isEmpty() ? text : message + " " + text);
    }
}
