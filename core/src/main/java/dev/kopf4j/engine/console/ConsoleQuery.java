package dev.kopf4j.engine.console;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * What the query of a request asks for. Immutable.
 *
 * @param values by their names; what comes twice counts once
 */
public record ConsoleQuery(Map<String, String> values) {
    /** Copies the map. */
    public ConsoleQuery {
        values = Map.copyOf(values);
    }

    /** Reads a query; what cannot be read is left out. */
    static ConsoleQuery of(String query) {
        return of(query, "");
    }

    /**
     * Reads a query of somebody who has asked for events before.
     *
     * @param lastEvent the last event that is known, which counts for {@code after}; empty for none
     */
    static ConsoleQuery of(String query, String lastEvent) {
        Map<String, String> values = new HashMap<>();
        for (String part : query.split("&", -1)) {
            int end = part.indexOf('=');
            if (end > 0) {
                values.put(part.substring(0, end), decoded(part.substring(end + 1)));
            }
        }
        if (!lastEvent.isEmpty()) {
            values.put("after", lastEvent);
        }
        return new ConsoleQuery(values);
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text; // not well escaped: as it is
        }
    }

    /** The value of that name; empty if it was not given. */
    public String text(String name) {
        return values.getOrDefault(name, "");
    }

    /** The number of that name; 0 if it was not given, or is none. */
    public long number(String name) {
        String text = text(name);
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
    }
}
