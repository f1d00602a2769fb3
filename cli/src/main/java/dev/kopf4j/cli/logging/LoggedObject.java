package dev.kopf4j.cli.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.Map;
import java.util.Optional;
import org.slf4j.event.KeyValuePair;

/**
 * The Kubernetes object that a log line is about: what kopf4j's object loggers attach under the key {@code object}.
 *
 * @param reference {@code apiVersion}, {@code kind}, {@code name}, {@code uid} and {@code namespace}
 */
record LoggedObject(Map<?, ?> reference) {
    static final String KEY = "object";

    static Optional<LoggedObject> of(ILoggingEvent event) {
        if (event.getKeyValuePairs() == null) {
            return Optional.empty();
        }
        return event.getKeyValuePairs().stream()
                .filter(LoggedObject::isReference)
                .findFirst()
                .map(pair -> new LoggedObject((Map<?, ?>) pair.value));
    }

    static boolean isReference(KeyValuePair pair) {
        return pair.key.equals(KEY) && pair.value instanceof Map<?, ?>;
    }

    /** {@code [namespace/name] }, or without the namespace for a cluster-wide object. */
    String prefix() {
        Object namespace = reference.get("namespace");
        Object name = reference.get("name");
        return namespace == null ? "[" + name + "] " : "[" + namespace + "/" + name + "] ";
    }
}
