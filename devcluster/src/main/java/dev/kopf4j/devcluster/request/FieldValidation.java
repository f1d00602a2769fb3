package dev.kopf4j.devcluster.request;

import dev.kopf4j.devcluster.api.ApiRequest;
import java.util.List;
import java.util.function.Consumer;

/** What becomes of unknown and duplicate fields. */
public enum FieldValidation {
    /** Nobody hears of them. */
    IGNORE,
    /** The client is warned. */
    WARN,
    /** The request is refused. */
    STRICT;

    public static FieldValidation of(ApiRequest request) {
        return switch (request.parameter("fieldValidation")) {
            case "Ignore" -> IGNORE;
            case "Strict" -> STRICT;
            default -> WARN;
        };
    }

    /** Adds warnings, or refuses with all that was found in one text. */
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
