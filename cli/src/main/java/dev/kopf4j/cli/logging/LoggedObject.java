package dev.kopf4j.cli.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * The Kubernetes object that a log line is about. kopf4j's object loggers attach it under the key {@code object}. As
 * text it is {@code namespace/name}, or the name alone for a cluster-scoped object; as JSON it is a reference with its
 * fields.
 */
record LoggedObject(Object reference) {
    static final String KEY = "object";

    static Optional<LoggedObject> of(ILoggingEvent event) {
        return pairs(event).stream()
                .filter(pair -> pair.key.equals(KEY) && pair.value != null)
                .findFirst()
                .map(pair -> new LoggedObject(pair.value));
    }

    /** Returns the values that were attached to the event. */
    static List<KeyValuePair> pairs(ILoggingEvent event) {
        return Objects.requireNonNullElse(event.getKeyValuePairs(), List.of());
    }

    /** Returns the fields that the text of an object tells of it: the same type as a reference has in JSON. */
    static Map<String, @Nullable String> named(String text) {
        int slash = text.indexOf('/');
        Map<String, @Nullable String> fields = new LinkedHashMap<>();
        fields.put("name", text.substring(slash + 1));
        fields.put("namespace", slash < 0 ? null : text.substring(0, slash));
        return fields;
    }

    /** Returns the prefix of a line about an object: {@code [namespace/name] }; empty if the line is about none. */
    static String prefix(ILoggingEvent event) {
        String current = event.getMDCPropertyMap().get(KEY);
        return of(event)
                .map(object -> "[" + object.reference() + "] ")
                .orElse(current == null ? "" : "[" + current + "] ");
    }
}
