package dev.kopf4j.devcluster.request;

import dev.kopf4j.devcluster.api.ApiRequest;
import java.util.List;
import java.util.function.Consumer;

/** What the server does about unknown and duplicate fields ({@code fieldValidation}, KEP-2885). */
public enum FieldValidation {
    /** Ignores them. */
    IGNORE,
    /** Warns the client. */
    WARN,
    /** Refuses the request. */
    STRICT;

    public static FieldValidation of(ApiRequest request) {
        return switch (request.parameter("fieldValidation")) {
            case "Ignore" -> IGNORE;
            case "Strict" -> STRICT;
            default -> WARN;
        };
    }

    /** Adds warnings, or refuses the request with all of them in one message. */
    public void report(List<String> found, List<String> warnings, Consumer<String> refuse) {
        if (found.isEmpty()) {
            return;
        }
        switch (this) {
            case IGNORE -> {}
            case WARN -> warnings.addAll(found);
            case STRICT -> refuse.accept(String.join(", ", found));
        }
    }
}
