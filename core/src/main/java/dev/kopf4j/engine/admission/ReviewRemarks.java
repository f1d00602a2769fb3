package dev.kopf4j.engine.admission;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Warnings and audit annotations of all handlers of one request. Thread-safe: a handler may have threads of its own.
 */
final class ReviewRemarks {
    private final List<String> warnings = new ArrayList<>();
    private final Map<String, String> annotations = new LinkedHashMap<>();

    synchronized void warn(String warning) {
        warnings.add(Objects.requireNonNull(warning, "the warning"));
    }

    synchronized void annotate(String key, String value) {
        annotations.put(Objects.requireNonNull(key, "the key"), Objects.requireNonNull(value, "the value"));
    }

    synchronized List<String> warnings() {
        return List.copyOf(warnings);
    }

    synchronized Map<String, String> annotations() {
        return new LinkedHashMap<>(annotations);
    }
}
