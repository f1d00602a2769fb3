package dev.kopf4j.engine.admission;

import dev.kopf4j.RequestHeaders;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The headers of a webhook's HTTP request; their names are found in any case. Immutable. */
final class ReceivedHeaders implements RequestHeaders {
    private final Map<String, List<String>> headers;

    ReceivedHeaders(Map<String, List<String>> given) {
        Map<String, List<String>> sorted = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        sorted.putAll(given);
        this.headers = Collections.unmodifiableMap(sorted);
    }

    @Override
    public Optional<String> get(String name) {
        return all(name).stream().findFirst();
    }

    @Override
    public List<String> all(String name) {
        return headers.getOrDefault(name, List.of());
    }

    @Override
    public Map<String, List<String>> toMap() {
        return headers;
    }

    @Override
    public String toString() {
        return headers.toString();
    }
}
