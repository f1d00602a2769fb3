package dev.kopf4j.cli.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.event.KeyValuePair;

/**
 * The Kubernetes object that a log line is about: what kopf4j's object loggers attach under the key {@code object}. As
 * text it is {@code namespace/name}, or the name alone for a cluster-wide object; as JSON a reference with its fields.
 */
record LoggedObject(Object reference) {
    static final String KEY = "object";

    static Optional<LoggedObject> of(ILoggingEvent event) {
        return pairs(event).stream()
                .filter(pair -> pair.key.equals(KEY) && pair.value != null)
                .findFirst()
                .map(pair -> new LoggedObject(pair.value));
    }

    /** What was attached to the event. */
    static List<KeyValuePair> pairs(ILoggingEvent event) {
        return Objects.requireNonNullElse(event.getKeyValuePairs(), List.of());
    }

    /** The beginning of a line that is about the event's object: {@code [namespace/name] }; empty if there is none. */
    static String prefix(ILoggingEvent event) {
        String current = event.getMDCPropertyMap().get(KEY);
        return of(event)
                .map(object -> "[" + object.reference() + "] ")
                .orElse(current == null ? "" : "[" + current + "] ");
    }
}
