package dev.kopf4j;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The headers of the HTTP request by which a webhook was called: those of the API server, not of its client. Immutable.
 * A parameter of admission handlers. Made by the framework; not to be implemented.
 */
public interface RequestHeaders {
    /** The first value of a header; its name in any case. */
    Optional<String> get(String name);

    /** All values of a header; its name in any case. */
    List<String> all(String name);

    /** All headers; the keys are found in any case. */
    Map<String, List<String>> toMap();
}
