package dev.kopf4j.devcluster.rest;

import dev.kopf4j.devcluster.ApiRequest;
import java.util.List;
import java.util.function.Consumer;

/** What becomes of unknown and duplicate fields. */
enum FieldValidation {
    /** Nobody hears of them. */
    IGNORE,
    /** The client is warned. */
    WARN,
    /** The request is refused. */
    STRICT;

    static FieldValidation of(ApiRequest request) {
        return switch (request.parameter("fieldValidation")) {
            case "Ignore" -> IGNORE;
            case "Strict" -> STRICT;
            default -> WARN;
        };
    }

    /** Adds warnings, or refuses with all that was found in one text. */
    void report(List<String> found, List<String> warnings, Consumer<String> refuse) {
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
